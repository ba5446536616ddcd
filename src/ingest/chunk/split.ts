// Cuts what is too long for one chunk: text between sentences, tables between rows with their header repeated. Pure functions.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'

/**
 * Cuts a text into pieces of at most `maxWords` words and `maxCharacters` characters, between sentences where possible. It is a
 * generator and counts each word once: otherwise 6 MB in lines of two words blocked the worker's event loop for seven seconds.
 */
export function* splitText(text: string, maxWords: number, maxCharacters: number): Generator<string> {
  const wordCount = countIfFits(text, maxWords, maxCharacters)
  if (wordCount !== undefined) {
    yield text
    return
  }
  let piece = ''
  let count = 0
  for (const sentence of sentences(text)) {
    const sentenceWords = countIfFits(sentence.text, maxWords, maxCharacters)
    const parts = sentenceWords === undefined ? cutText(sentence.text, maxCharacters / 4) : [sentence.text]
    for (const part of parts) {
      // A space separates two parts, so their words can be added.
      const partWords = sentenceWords ?? countWords(part)
      const isFull = piece.length + 1 + part.length > maxCharacters || count + partWords > maxWords
      if (piece && isFull) yield piece
      piece = piece && !isFull ? `${piece} ${part}` : part
      count = piece === part ? partWords : count + partWords
    }
  }
  if (piece) yield piece
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

/** Cuts a text into pieces of at most `size` characters, after one of `breaks` if one is near, never inside a surrogate pair. */
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

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** A part of a table. `rows` are the numbers of its first and last row below the header, if the table was cut between rows. */
interface TableSlice {
  text: string
  rows?: [number, number]
}

/**
 * Splits a Markdown table into tables of at most `maxCharacters` characters, each with the same header and whole rows.
 * `headerLines` is the number of header lines. In Markdown only the first one is a header, so in the first part the others count
 * as rows.
 */
export function splitTable(markdown: string, maxCharacters: number, headerLines = 1): TableSlice[] {
  if (markdown.length <= maxCharacters) return [{ text: markdown }]
  const lines = markdown.split('\n')
  const rule = lines.findIndex((line) => RULE.test(line))
  const header = lines.slice(0, rule + headerLines).join('\n')
  if (headerLines > 1 && header.length > maxCharacters / 2) return splitTable(markdown, maxCharacters)
  if (rule < 0 || header.length > maxCharacters / 2)
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
  for (const [i, row] of lines.slice(rule + headerLines).entries()) {
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

/** Splits a very long row into rows of at most `size` characters. Each has some of the cells, in their columns. */
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

/** The texts between a row's bars. An escaped bar is text. */
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
