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
    const goesOn =
      open !== undefined &&
      page.number === previousPageNumber + 1 &&
      first !== undefined &&
      isContinuation(open, first) &&
      reaches(open, first, page.height)
    if (goesOn && open !== undefined && first !== undefined) {
      append(open, first)
      page.blocks = page.blocks.slice(1)
    }
    // If the page held only the middle of the table, it may continue on the next one.
    if (page.blocks.length > 0 || !goesOn) open = page.blocks.at(-1)
    previousPageNumber = page.number
  }
}

// Shares of the page's height: the table ends near the bottom of a page and continues near the top of the next one.
const ENDS_AFTER = 0.7
const BEGINS_BEFORE = 0.3

const reaches = (open: Block, next: Block, height: number): boolean =>
  height > 0 &&
  (open.bbox?.[3] ?? 0) > height * ENDS_AFTER &&
  (next.bbox?.[1] ?? height) < height * BEGINS_BEFORE

// The edges of the two parts may differ by so many points. The right edges may differ by a share of the table's width, because
// figures can end left of the centred name of their column.
const PART_EDGE = 12
const SHORTER = 0.15

function isContinuation(open: Block, next: Block): boolean {
  if (open.kind !== 'table' || next.kind !== 'table' || open.bbox === undefined || next.bbox === undefined)
    return false
  if (widthOf(open) !== widthOf(next)) return false
  // A table that is there again whole, as on the pages of a form, is no continuation: nothing of it would be left.
  const [rows, repeated] = [lines(next).length - 1, repeatedRows(open, next)]
  if (repeated === rows && rows > 1) return false
  // A header with an empty first cell, such as one of years, also repeats over different tables.
  const repeats = headerOf(open) === headerOf(next) && !headerOf(open).startsWith('|  |')
  const slack = Math.max(PART_EDGE, (open.bbox[2] - open.bbox[0]) * SHORTER)
  const aligned =
    Math.abs(open.bbox[0] - next.bbox[0]) < PART_EDGE && Math.abs(open.bbox[2] - next.bbox[2]) < slack
  // A part without the repeated header continues the table if it is at the same place and begins with figures. If the
  // first cells are equal but the headers differ, or both headers name columns, it is another table.
  const isOther = firstOf(open) !== '' && firstOf(open) === firstOf(next)
  const begins =
    /\d/.test(headerOf(next).replace(/^\|[^|]*\|/, '')) && !(namesColumns(open) && namesColumns(next))
  return repeats || (aligned && !isOther && begins)
}

/** Whether a table begins with column names: none over the labels, words over the other columns ("June 30, 2023"). */
function namesColumns(table: Block): boolean {
  const [first, ...names] = cellsOf(headerOf(table))
  return first === '' && names.every((text) => text === '' || isWords(text))
}

const lines = (block: Block): string[] => block.text.split('\n')
const headerOf = (block: Block): string => lines(block)[0] ?? ''
const firstOf = (block: Block): string => cellsOf(headerOf(block))[0] ?? ''
const widthOf = (block: Block): number =>
  headerOf(block)
    .replace(/\\[\\|]/g, '')
    .split('|').length

function append(open: Block, next: Block): void {
  const repeated = repeatedRows(open, next)
  const html = joinedHtml(open, next, repeated)
  const rows = lines(next)
    .filter((_, i) => i !== 1)
    .slice(repeated)
  open.text = [...lines(open), ...rows].join('\n')
  if (html !== undefined) open.html = html
}

const isWords = (text: string): boolean => /\p{L}/u.test(text) && !isFigure(text)

/** The number of equal rows at the top of both. */
function repeatedRows(open: Block, next: Block): number {
  const [own, other] = [open, next].map((block) => lines(block).filter((_, i) => i !== 1))
  const differs = (other ?? []).findIndex((row, i) => row !== own?.[i])
  return differs < 0 ? (other ?? []).length : differs
}

/** The rows of both as HTML, if one has spans. A span across the cut is shortened. */
function joinedHtml(open: Block, next: Block, repeated: number): string | undefined {
  if (open.html === undefined && next.html === undefined) return undefined
  const [own, other] = [placedTable(open), placedTable(next)]
  return writeTable(stacked(own, rowsBetween(other, repeated, other.height)))
}

function placedTable(block: Block): PlacedTable {
  if (block.html !== undefined) return readTable(block.html)
  const rows = lines(block).filter((_, i) => i !== 1)
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
