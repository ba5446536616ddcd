// Splits a long table into parts (split.ts). The HTML of each part has the table's whole header and the rows of the part. Pure.

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

interface TablePart {
  text: string
  html?: string
}

/** The parts of a table: at most `maxCharacters` characters of Markdown each, with HTML if the table has HTML. */
export function tableParts(markdown: string, html: string | undefined, maxCharacters: number): TablePart[] {
  if (markdown.length <= maxCharacters) return [{ text: markdown, ...(html !== undefined && { html }) }]
  const table = html === undefined ? undefined : readTable(html)
  const filledRowNumbers = table === undefined ? [] : filledRows(table)
  // If the rows of the HTML do not correspond to those of the Markdown, it cannot be cut at the same rows.
  if (table === undefined || filledRowNumbers.length !== markdown.split('\n').length - 1)
    return splitTable(markdown, maxCharacters).map(({ text }) => ({ text }))
  const header = headerRows(table)
  const parts = splitTable(
    markdown,
    maxCharacters,
    Math.max(1, filledRowNumbers.filter((row) => row < header).length),
  )
  return parts.map(({ text, rows }, i) => {
    const hasWholeRows =
      rows !== undefined && rows[0] !== parts[i - 1]?.rows?.[1] && rows[1] !== parts[i + 1]?.rows?.[0]
    return hasWholeRows ? { text, html: writeTable(rowsOf(table, filledRowNumbers, rows)) } : { text }
  })
}

/** The table with its whole header and the rows `firstRow` to `lastRow`, counted as in Markdown from the row below the first. */
function rowsOf(
  table: PlacedTable,
  filledRowNumbers: readonly number[],
  [firstRow, lastRow]: readonly [number, number],
): PlacedTable {
  const from = firstRow === 0 ? 0 : (filledRowNumbers[firstRow + 1] ?? 0)
  const to = filledRowNumbers[lastRow + 2] ?? table.height
  const header = headerRows(table)
  if (from <= header) return rowsBetween(table, 0, to)
  return stacked(rowsBetween(table, 0, header), rowsBetween(table, from, to))
}
