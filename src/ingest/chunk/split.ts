// Cuts what is too long for one chunk: text at sentences, tables at rows with their header repeated. Pure functions.

import { sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'

/**
 * Pieces of at most `mostWords` words and `mostCharacters` characters, cut between sentences where possible. It is a generator
 * and counts each word once. Before, 6 MB in lines of two words blocked the worker's event loop for seven seconds.
 */
export function* splitText(text: string, mostWords: number, mostCharacters: number): Generator<string> {
  const all = measure(text, mostWords, mostCharacters)
  if (all !== undefined) {
    yield text
    return
  }
  let piece = ''
  let count = 0
  for (const sentence of sentences(text)) {
    const whole = measure(sentence.text, mostWords, mostCharacters)
    const parts = whole === undefined ? cut(sentence.text, mostCharacters / 4) : [sentence.text]
    for (const part of parts) {
      // No word spans the space between two parts, so counts add up.
      const more = whole ?? countWords(part)
      const isFull = piece.length + 1 + part.length > mostCharacters || count + more > mostWords
      if (piece && isFull) yield piece
      piece = piece && !isFull ? `${piece} ${part}` : part
      count = piece === part ? more : count + more
    }
  }
  if (piece) yield piece
}

/** The number of words of a text that fits. Undefined when it does not fit. */
function measure(text: string, mostWords: number, mostCharacters: number): number | undefined {
  if (text.length > mostCharacters) return undefined
  const count = countWords(text, mostWords)
  return count > mostWords ? undefined : count
}

/** Counts up to one more than `most`. */
function countWords(text: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (const _ of words(text)) if (++count > most) break
  return count
}

/** Pieces of at most `size` characters, cut at one of `breaks` if one is near, and never inside a surrogate pair. */
function cut(text: string, size: number, breaks: readonly string[] = [' ']): string[] {
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

/** The position after the last break in the second half of the text. The first kind of break that occurs there is used. */
function cutAt(text: string, breaks: readonly string[]): number {
  for (const mark of breaks) {
    const at = text.lastIndexOf(mark)
    if (at >= text.length / 2) return at + mark.length
  }
  return /[\uD800-\uDBFF]/.test(text.at(-1) ?? '') ? text.length - 1 : text.length
}

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/

/** A part of a table. `rows` are its first and last row below the header, if the table was cut between rows. */
export interface TableSlice {
  text: string
  rows?: [number, number]
}

/**
 * Splits a Markdown table into tables of at most `most` characters, each with the same header and whole rows. `headerLines` is
 * the number of header lines. Markdown knows only the first, so in the first part the others count as rows.
 */
export function splitTable(markdown: string, most: number, headerLines = 1): TableSlice[] {
  if (markdown.length <= most) return [{ text: markdown }]
  const lines = markdown.split('\n')
  const rule = lines.findIndex((line) => RULE.test(line))
  const header = lines.slice(0, rule + headerLines).join('\n')
  if (headerLines > 1 && header.length > most / 2) return splitTable(markdown, most)
  if (rule < 0 || header.length > most / 2)
    return cut(markdown, most, ['\n', '| ', ' ']).map((text) => ({ text }))
  const pieces: TableSlice[] = []
  const below = headerLines - 1
  let rows: [number, string][] = []
  let size = header.length
  const flush = (): void => {
    const [first, last] = [rows[0]?.[0], rows.at(-1)?.[0]]
    if (first !== undefined && last !== undefined)
      pieces.push({
        text: [header, ...rows.map(([, row]) => row)].join('\n'),
        rows: [pieces.length === 0 ? 0 : first, last],
      })
    rows = []
    size = header.length
  }
  for (const [i, row] of lines.slice(rule + headerLines).entries()) {
    for (const part of row.length > most / 2 ? splitRow(row, Math.floor(most / 2) - 1) : [row]) {
      if (size + part.length + 1 > most) flush()
      rows.push([below + i, part])
      size += part.length + 1
    }
  }
  flush()
  return pieces
}

/** Splits a huge row into several of at most `size` characters. Each holds some of the cells, in their columns. */
function splitRow(row: string, size: number): string[] {
  const cells = cellsOf(row)
  const empty = cells.length * 3 + 1
  // With this many columns, the empty cells alone would fill the piece.
  if (empty > size / 2) return cut(row, size, ['| ', ' '])
  const pieces: string[] = []
  let rowCells: [column: number, text: string][] = []
  let remaining = size - empty
  const flush = (): void => {
    if (rowCells.length) pieces.push(rowOf(rowCells, cells.length))
    rowCells = []
    remaining = size - empty
  }
  for (const [column, cell] of cells.entries()) {
    if (cell.length > remaining) flush()
    for (const text of cell.length > remaining ? cut(cell, remaining) : [cell]) {
      if (rowCells.at(-1)?.[0] === column) flush()
      if (text) rowCells.push([column, text])
      remaining -= text.length
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
