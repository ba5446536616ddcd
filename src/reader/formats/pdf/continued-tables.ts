// Joins tables that continue on the next page, if the columns of the parts agree. The repeated header is removed. The whole
// table is then on the page where it begins.

import type { Block } from '../../block.ts'
import { escapeHtml } from '../../shared/blocks/table.ts'
import {
  type PlacedTable,
  readTable,
  rowsBetween,
  stackTables,
  writeTable,
} from '../../shared/blocks/table-html.ts'
import { isNumeric } from '../../shared/page/tables/lines.ts'
import type { PlacedPage } from './running-lines.ts'

/** Joins, in place, a page's last table with the first of the next page. */
export function joinContinuedTables(pages: readonly PlacedPage[]): void {
  let lastTable: Block | undefined
  let previousPageNumber = 0
  for (const page of pages) {
    const [first] = page.blocks
    const isContinued =
      lastTable !== undefined &&
      page.number === previousPageNumber + 1 &&
      first !== undefined &&
      isContinuation(lastTable, first) &&
      spansPageBreak(lastTable, first, page.height)
    if (isContinued && lastTable !== undefined && first !== undefined) {
      appendRows(lastTable, first)
      page.blocks = page.blocks.slice(1)
    }
    // If the page contains only the middle of the table, the table may continue on the next page.
    if (page.blocks.length > 0 || !isContinued) lastTable = page.blocks.at(-1)
    previousPageNumber = page.number
  }
}

// Shares of the page's height: the table ends near the bottom of a page and continues near the top of the next one.
const MIN_BOTTOM_SHARE = 0.7
const MAX_TOP_SHARE = 0.3

const spansPageBreak = (lastTable: Block, next: Block, height: number): boolean =>
  height > 0 &&
  (lastTable.bbox?.[3] ?? 0) > height * MIN_BOTTOM_SHARE &&
  (next.bbox?.[1] ?? height) < height * MAX_TOP_SHARE

// The maximum difference of the edges of the two parts, in points. The right edges may differ by a share of the table's width,
// because numbers can end left of the centred name of their column.
const MAX_EDGE_DISTANCE = 12
const MAX_RIGHT_EDGE_SHARE = 0.15

function isContinuation(lastTable: Block, next: Block): boolean {
  if (
    lastTable.kind !== 'table' ||
    next.kind !== 'table' ||
    lastTable.bbox === undefined ||
    next.bbox === undefined
  )
    return false
  if (columnCount(lastTable) !== columnCount(next)) return false
  // A table without new rows, as on the pages of a form, does not continue the previous table.
  const [rows, repeatedCount] = [rowTexts(next).length - 1, countRepeatedRows(lastTable, next)]
  if (repeatedCount === rows && rows > 1) return false
  // A header with an empty first cell, such as a header of years, is also repeated over different tables.
  const repeatsHeader = headerOf(lastTable) === headerOf(next) && !headerOf(lastTable).startsWith('|  |')
  const maxRightDistance = Math.max(
    MAX_EDGE_DISTANCE,
    (lastTable.bbox[2] - lastTable.bbox[0]) * MAX_RIGHT_EDGE_SHARE,
  )
  const isAligned =
    Math.abs(lastTable.bbox[0] - next.bbox[0]) < MAX_EDGE_DISTANCE &&
    Math.abs(lastTable.bbox[2] - next.bbox[2]) < maxRightDistance
  // A part without the header continues the table if it begins with numbers at the same horizontal position. If the
  // first cells are equal but the headers differ, or both headers name columns, it is another table.
  const hasOtherFirstCell = firstCellOf(lastTable) !== '' && firstCellOf(lastTable) === firstCellOf(next)
  const startsWithNumbers =
    /\d/.test(headerOf(next).replace(/^\|[^|]*\|/, '')) &&
    !(hasColumnNames(lastTable) && hasColumnNames(next))
  return repeatsHeader || (isAligned && !hasOtherFirstCell && startsWithNumbers)
}

/** Whether a table begins with column names: an empty cell over the labels and words over the other columns ("June 30, 2023"). */
function hasColumnNames(table: Block): boolean {
  const [first, ...names] = cellsOf(headerOf(table))
  return first === '' && names.every((text) => text === '' || isWords(text))
}

const rowTexts = (block: Block): string[] => block.text.split('\n')
/** The rows without the second line, which separates the header in Markdown. */
const rowsOf = (block: Block): string[] => rowTexts(block).filter((_, i) => i !== 1)
const headerOf = (block: Block): string => rowTexts(block)[0] ?? ''
const firstCellOf = (block: Block): string => cellsOf(headerOf(block))[0] ?? ''
const columnCount = (block: Block): number =>
  headerOf(block)
    .replace(/\\[\\|]/g, '')
    .split('|').length

function appendRows(lastTable: Block, next: Block): void {
  const repeatedCount = countRepeatedRows(lastTable, next)
  const html = joinedHtml(lastTable, next, repeatedCount)
  const rows = rowsOf(next).slice(repeatedCount)
  lastTable.text = [...rowTexts(lastTable), ...rows].join('\n')
  if (html !== undefined) lastTable.html = html
}

const isWords = (text: string): boolean => /\p{L}/u.test(text) && !isNumeric(text)

/** The number of equal rows at the top of both tables. */
function countRepeatedRows(lastTable: Block, next: Block): number {
  const [rowsAbove, rowsBelow] = [rowsOf(lastTable), rowsOf(next)]
  const firstDifference = rowsBelow.findIndex((row, i) => row !== rowsAbove[i])
  return firstDifference < 0 ? rowsBelow.length : firstDifference
}

/** The rows of both parts as HTML if one has cells that span rows or columns. A span across the page break is shortened. */
function joinedHtml(lastTable: Block, next: Block, repeated: number): string | undefined {
  if (lastTable.html === undefined && next.html === undefined) return undefined
  const [tableAbove, tableBelow] = [placedTable(lastTable), placedTable(next)]
  return writeTable(stackTables(tableAbove, rowsBetween(tableBelow, repeated, tableBelow.height)))
}

function placedTable(block: Block): PlacedTable {
  if (block.html !== undefined) return readTable(block.html)
  const rows = rowsOf(block)
  const cells = rows.flatMap((line, row) =>
    cellsOf(line).map((text, column) => ({ row, column, rows: 1, columns: 1, content: escapeHtml(text) })),
  )
  return { height: rows.length, cells }
}

/** The cells between a row's bars, still escaped; an escaped bar is text. */
const rawCellsOf = (line: string): string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const cellsOf = (line: string): string[] => rawCellsOf(line).map((cell) => cell.replace(/\\([\\|])/g, '$1'))
