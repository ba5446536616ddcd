// Tables that continue on the next page: the parts are joined if their columns agree, without the repeated header. The whole
// table is on the page where it begins.

import type { Block } from '../../block.ts'
import { escapeHtml } from '../../shared/blocks/table.ts'
import {
  type PlacedTable,
  readTable,
  rowsBetween,
  stacked,
  writeTable,
} from '../../shared/blocks/table-html.ts'
import { isFigure } from '../../shared/page/tables/lines.ts'
import type { PlacedPage } from './running-lines.ts'

/** Joins, in place, a page's last table with the first of the next page. */
export function joinContinuedTables(pages: readonly PlacedPage[]): void {
  let open: Block | undefined
  let previousPageNumber = 0
  for (const page of pages) {
    const [first] = page.blocks
    const continues =
      open !== undefined &&
      page.number === previousPageNumber + 1 &&
      first !== undefined &&
      isContinuation(open, first) &&
      spansPageBreak(open, first, page.height)
    if (continues && open !== undefined && first !== undefined) {
      append(open, first)
      page.blocks = page.blocks.slice(1)
    }
    // If the page held only the middle of the table, it may continue on the next one.
    if (page.blocks.length > 0 || !continues) open = page.blocks.at(-1)
    previousPageNumber = page.number
  }
}

// Shares of the page's height: the table ends near the bottom of a page and continues near the top of the next one.
const MIN_BOTTOM_SHARE = 0.7
const MAX_TOP_SHARE = 0.3

const spansPageBreak = (open: Block, next: Block, height: number): boolean =>
  height > 0 &&
  (open.bbox?.[3] ?? 0) > height * MIN_BOTTOM_SHARE &&
  (next.bbox?.[1] ?? height) < height * MAX_TOP_SHARE

// The maximum difference of the edges of the two parts, in points. The right edges may differ by a share of the table's width,
// because figures can end left of the centred name of their column.
const MAX_EDGE_DISTANCE = 12
const MAX_RIGHT_EDGE_SHARE = 0.15

function isContinuation(open: Block, next: Block): boolean {
  if (open.kind !== 'table' || next.kind !== 'table' || open.bbox === undefined || next.bbox === undefined)
    return false
  if (columnCount(open) !== columnCount(next)) return false
  // A table that repeats the one before completely, as on the pages of a form, does not continue it: no new row would be left.
  const [rows, repeated] = [rowTexts(next).length - 1, repeatedRows(open, next)]
  if (repeated === rows && rows > 1) return false
  // A header with an empty first cell, such as a header of years, is also repeated over different tables.
  const repeatsHeader = headerOf(open) === headerOf(next) && !headerOf(open).startsWith('|  |')
  const slack = Math.max(MAX_EDGE_DISTANCE, (open.bbox[2] - open.bbox[0]) * MAX_RIGHT_EDGE_SHARE)
  const isAligned =
    Math.abs(open.bbox[0] - next.bbox[0]) < MAX_EDGE_DISTANCE && Math.abs(open.bbox[2] - next.bbox[2]) < slack
  // A part without the header continues the table if it begins with figures at the same horizontal position. If the
  // first cells are equal but the headers differ, or both headers name columns, it is another table.
  const hasOtherFirstCell = firstCellOf(open) !== '' && firstCellOf(open) === firstCellOf(next)
  const startsWithFigures =
    /\d/.test(headerOf(next).replace(/^\|[^|]*\|/, '')) && !(namesColumns(open) && namesColumns(next))
  return repeatsHeader || (isAligned && !hasOtherFirstCell && startsWithFigures)
}

/** Whether a table begins with column names: an empty cell over the labels and words over the other columns ("June 30, 2023"). */
function namesColumns(table: Block): boolean {
  const [first, ...names] = cellsOf(headerOf(table))
  return first === '' && names.every((text) => text === '' || isWords(text))
}

const rowTexts = (block: Block): string[] => block.text.split('\n')
const headerOf = (block: Block): string => rowTexts(block)[0] ?? ''
const firstCellOf = (block: Block): string => cellsOf(headerOf(block))[0] ?? ''
const columnCount = (block: Block): number =>
  headerOf(block)
    .replace(/\\[\\|]/g, '')
    .split('|').length

function append(open: Block, next: Block): void {
  const repeated = repeatedRows(open, next)
  const html = joinedHtml(open, next, repeated)
  const rows = rowTexts(next)
    .filter((_, i) => i !== 1)
    .slice(repeated)
  open.text = [...rowTexts(open), ...rows].join('\n')
  if (html !== undefined) open.html = html
}

const isWords = (text: string): boolean => /\p{L}/u.test(text) && !isFigure(text)

/** The number of equal rows at the top of both. */
function repeatedRows(open: Block, next: Block): number {
  const [rowsAbove, rowsBelow] = [open, next].map((block) => rowTexts(block).filter((_, i) => i !== 1))
  const firstDifference = (rowsBelow ?? []).findIndex((row, i) => row !== rowsAbove?.[i])
  return firstDifference < 0 ? (rowsBelow ?? []).length : firstDifference
}

/** The rows of both parts as HTML if one has cells that span rows or columns. A span across the page break is shortened. */
function joinedHtml(open: Block, next: Block, repeated: number): string | undefined {
  if (open.html === undefined && next.html === undefined) return undefined
  const [tableAbove, tableBelow] = [placedTable(open), placedTable(next)]
  return writeTable(stacked(tableAbove, rowsBetween(tableBelow, repeated, tableBelow.height)))
}

function placedTable(block: Block): PlacedTable {
  if (block.html !== undefined) return readTable(block.html)
  const rows = rowTexts(block).filter((_, i) => i !== 1)
  const cells = rows.flatMap((line, row) =>
    cellsOf(line).map((text, column) => ({ row, column, rows: 1, columns: 1, content: escapeHtml(text) })),
  )
  return { height: rows.length, cells }
}

/** The cells between a row's bars, still escaped; an escaped bar is text. */
const slotsOf = (line: string): string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const cellsOf = (line: string): string[] => slotsOf(line).map((cell) => cell.replace(/\\([\\|])/g, '$1'))
