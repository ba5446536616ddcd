// Splits a long table into parts (split.ts), each with its HTML: its rows and their spans under the table's whole header. Pure
// functions.

import {
  filledRows,
  headerRows,
  type PlacedTable,
  readTable,
  rowsBetween,
  stacked,
  writeTable,
} from '../../reader/reader.ts'
import { splitTable } from './split.ts'

export interface TablePart {
  text: string
  html?: string
}

/** A table's Markdown in parts of at most `most` characters, with the HTML of each part when the table has one. */
export function tableParts(markdown: string, html: string | undefined, most: number): TablePart[] {
  if (markdown.length <= most) return [{ text: markdown, ...(html !== undefined && { html }) }]
  const table = html === undefined ? undefined : readTable(html)
  const lines = table === undefined ? [] : filledRows(table)
  // HTML whose rows do not match the Markdown's cannot be cut along with it.
  if (table === undefined || lines.length !== markdown.split('\n').length - 1)
    return splitTable(markdown, most).map(({ text }) => ({ text }))
  const header = headerRows(table)
  const parts = splitTable(markdown, most, Math.max(1, lines.filter((row) => row < header).length))
  return parts.map(({ text, rows }, i) => {
    const isWhole =
      rows !== undefined && rows[0] !== parts[i - 1]?.rows?.[1] && rows[1] !== parts[i + 1]?.rows?.[0]
    return isWhole ? { text, html: writeTable(rowsOf(table, lines, rows)) } : { text }
  })
}

/** Rows `first` to `last` of the Markdown's body under the whole header. The Markdown's own header is its first line. */
function rowsOf(
  table: PlacedTable,
  lines: readonly number[],
  [first, last]: readonly [number, number],
): PlacedTable {
  const from = first === 0 ? 0 : (lines[first + 1] ?? 0)
  const to = lines[last + 2] ?? table.height
  const header = headerRows(table)
  if (from <= header) return rowsBetween(table, 0, to)
  return stacked(rowsBetween(table, 0, header), rowsBetween(table, from, to))
}
