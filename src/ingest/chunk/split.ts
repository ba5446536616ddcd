// Splits what is too long for one chunk: text between sentences, tables between rows with their header repeated. Pure.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'

/**
 * Splits a text into verbatim pieces of at most `maxWords` words and `maxCharacters` characters: after a line break if one follows
 * a sentence in the second half of the piece (so that a turn of a conversation stays whole), otherwise between sentences,
 * otherwise between words. It is a generator, and counts each word once, so that a long text does not block the worker's event
 * loop.
 */
export function* splitText(text: string, maxWords: number, maxCharacters: number): Generator<string> {
  if (countIfFits(text, maxWords, maxCharacters) !== undefined) {
    yield text
    return
  }
  let piece: Span = { start: 0, end: 0, wordCount: 0 }
  /** The part of the piece up to its last sentence that ends a line. */
  let wholeLines: Span | undefined
  for (const part of partsOf(text, maxWords, maxCharacters)) {
    const isFull = (): boolean =>
      part.end - piece.start > maxCharacters || piece.wordCount + part.wordCount > maxWords
    while (piece.end > piece.start && isFull()) {
      const isLong = wholeLines && 2 * wholeLines.wordCount > piece.wordCount
      const cut = wholeLines && isLong && wholeLines.end < piece.end ? wholeLines : piece
      yield text.slice(cut.start, cut.end)
      const rest = cut.end + (/^\s*/.exec(text.slice(cut.end, part.start))?.[0].length ?? 0)
      piece = { start: rest, end: piece.end, wordCount: piece.wordCount - cut.wordCount }
      wholeLines = undefined
    }
    const start = piece.end > piece.start ? piece.start : part.start
    piece = { start, end: part.end, wordCount: piece.wordCount + part.wordCount }
    if (text[part.end] === '\n') wholeLines = piece
  }
  if (piece.end > piece.start) yield text.slice(piece.start, piece.end)
}

/** A part of a text by its offsets in UTF-16 units. */
interface Span {
  start: number
  end: number
  wordCount: number
}

/** The sentences of a text. A sentence that exceeds a limit is cut between words. */
function* partsOf(text: string, maxWords: number, maxCharacters: number): Generator<Span> {
  for (const sentence of sentences(text)) {
    const wordCount = countIfFits(sentence.text, maxWords, maxCharacters)
    if (wordCount !== undefined) {
      yield { start: sentence.start, end: sentence.end, wordCount }
      continue
    }
    let start = sentence.start
    for (const part of cutText(sentence.text, maxCharacters / 4))
      for (const piece of halvedToFit(part, maxWords)) {
        yield { start, end: start + piece.length, wordCount: countWords(piece) }
        start += piece.length
      }
  }
}

/** The text, halved until each part has at most `maxWords` words. */
function halvedToFit(text: string, maxWords: number): string[] {
  if (text.length < 2 || countWords(text, maxWords) <= maxWords) return [text]
  return cutText(text, Math.ceil(text.length / 2)).flatMap((half) => halvedToFit(half, maxWords))
}

/** The number of words of a text, or undefined if it exceeds one of the limits. */
function countIfFits(text: string, maxWords: number, maxCharacters: number): number | undefined {
  if (text.length > maxCharacters) return undefined
  const count = countWords(text, maxWords)
  return count > maxWords ? undefined : count
}

/** Counts the words of a text, at most one more than `max`. */
function countWords(text: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (const _ of words(text)) if (++count > max) break
  return count
}

/** Cuts a text into pieces of at most `size` characters: after one of `breaks` if possible, never inside a surrogate pair. */
function cutText(text: string, size: number, breaks: readonly string[] = [' ']): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const end =
      start + size < text.length ? start + cutAt(text.slice(start, start + size), breaks) : text.length
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** The position after the last break in the second half of the text. `breaks` are tried in their order. */
function cutAt(text: string, breaks: readonly string[]): number {
  for (const separator of breaks) {
    const separatorStart = text.lastIndexOf(separator)
    if (separatorStart >= text.length / 2) return separatorStart + separator.length
  }
  return /[\uD800-\uDBFF]/.test(text.at(-1) ?? '') ? text.length - 1 : text.length
}

// Matches the row below the header of a Markdown table: `| - | :-: |`.
const DELIMITER_ROW = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** A part of a table. `rows` are the numbers of its first and last row below the header, if the table was cut between rows. */
interface TableSlice {
  text: string
  rows?: [number, number]
}

/**
 * Splits a Markdown table into tables of at most `maxCharacters` characters, each with the same header and whole rows.
 * `headerLines` is the number of lines of the whole header. In Markdown only the first one is a header, so in the first part the
 * others count as rows.
 */
export function splitTable(markdown: string, maxCharacters: number, headerLines = 1): TableSlice[] {
  if (markdown.length <= maxCharacters) return [{ text: markdown }]
  const lines = markdown.split('\n')
  const delimiterIndex = lines.findIndex((line) => DELIMITER_ROW.test(line))
  const header = lines.slice(0, delimiterIndex + headerLines).join('\n')
  if (headerLines > 1 && header.length > maxCharacters / 2) return splitTable(markdown, maxCharacters)
  if (delimiterIndex < 0 || header.length > maxCharacters / 2)
    return cutText(markdown, maxCharacters, ['\n', '| ', ' ']).map((text) => ({ text }))
  const pieces: TableSlice[] = []
  const extraHeaderRows = headerLines - 1
  let rows: [number, string][] = []
  let size = header.length
  const flush = (): void => {
    const [firstRow, lastRow] = [rows[0]?.[0], rows.at(-1)?.[0]]
    if (firstRow !== undefined && lastRow !== undefined)
      pieces.push({
        text: [header, ...rows.map(([, row]) => row)].join('\n'),
        rows: [pieces.length === 0 ? 0 : firstRow, lastRow],
      })
    rows = []
    size = header.length
  }
  for (const [i, row] of lines.slice(delimiterIndex + headerLines).entries()) {
    for (const part of row.length > maxCharacters / 2
      ? splitRow(row, Math.floor(maxCharacters / 2) - 1)
      : [row]) {
      if (size + part.length + 1 > maxCharacters) flush()
      rows.push([extraHeaderRows + i, part])
      size += part.length + 1
    }
  }
  flush()
  return pieces
}

/** Splits a very long row into rows of at most `size` characters. Each has some of the cells, and all other columns are empty. */
function splitRow(row: string, size: number): string[] {
  const cells = cellsOf(row)
  const empty = cells.length * 3 + 1
  // With more columns than this, the empty cells alone would fill a row.
  if (empty > size / 2) return cutText(row, size, ['| ', ' '])
  const pieces: string[] = []
  let rowCells: [column: number, text: string][] = []
  let remainingSize = size - empty
  const flush = (): void => {
    if (rowCells.length) pieces.push(rowOf(rowCells, cells.length))
    rowCells = []
    remainingSize = size - empty
  }
  for (const [column, cell] of cells.entries()) {
    if (cell.length > remainingSize) flush()
    for (const text of cell.length > remainingSize ? cutText(cell, remainingSize) : [cell]) {
      if (rowCells.at(-1)?.[0] === column) flush()
      if (text) rowCells.push([column, text])
      remainingSize -= text.length
    }
  }
  flush()
  return pieces
}

/** The cells of a Markdown row. An escaped bar (`\|`) belongs to the text of a cell. */
const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

function rowOf(rowCells: readonly [number, string][], columns: number): string {
  const cells = Array.from({ length: columns }, () => '')
  for (const [column, text] of rowCells) cells[column] = text.trim()
  return `| ${cells.join(' | ')} |`
}
