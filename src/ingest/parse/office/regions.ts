// The tables on a sheet: used cells only (a stated range may be ten times as large), parted where people part them.

import type { Block } from '../block.ts'
import { type Cell, markdownTable, spanningHtml } from '../blocks/table.ts'

export interface SheetCell {
  row: number
  column: number
  text: string
  rowSpan?: number
  colSpan?: number
}

type Grid = (SheetCell | undefined)[][]

const ROWS_A_TABLE = 200
const CHARACTERS_A_TABLE = 40_000
// A single blank row or column is a spacer of one table as often as not; two part tables.
const PARTING_BLANKS = 2

/** The blocks of a sheet's cells: a table a region, lines that stand alone as paragraphs. */
export function sheetBlocks(cells: readonly SheetCell[]): Block[] {
  return regions(cells).flatMap(regionBlocks)
}

/** Cells grouped by blank rows, then by blank columns; each group keeps sheet order. */
export function regions(cells: readonly SheetCell[]): SheetCell[][] {
  return part(cells, 'row').flatMap((rows) => part(rows, 'column'))
}

function part(cells: readonly SheetCell[], axis: 'row' | 'column'): SheetCell[][] {
  const end = (cell: SheetCell): number =>
    cell[axis] + ((axis === 'row' ? cell.rowSpan : cell.colSpan) ?? 1) - 1
  const sorted = [...cells].sort((a, b) => a[axis] - b[axis])
  const groups: SheetCell[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const cell of sorted) {
    if (cell[axis] - last > PARTING_BLANKS) groups.push([])
    groups.at(-1)?.push(cell)
    last = Math.max(last, end(cell))
  }
  return groups
}

function regionBlocks(cells: readonly SheetCell[]): Block[] {
  const grid = toGrid(cells)
  const blocks: Block[] = []
  let from = 0
  // Lone cells above a table are its title and remarks.
  while (from < grid.length && filled(grid[from] ?? []) <= 1) {
    const text = (grid[from] ?? []).map((cell) => cell?.text ?? '').join('')
    if (text !== '') blocks.push({ kind: 'paragraph', text })
    from++
  }
  // Lone cells below it are its footnotes.
  let to = grid.length
  while (to - 1 > from + 1 && isRemark(grid[to - 1] ?? [], grid[to - 2] ?? [])) to--
  const rows = grid.slice(from, to)
  if (rows.length === 1)
    blocks.push({ kind: 'paragraph', text: (rows[0] ?? []).flatMap((cell) => cell?.text ?? []).join(' ') })
  else if (rows.length > 1) blocks.push(...tables(rows))
  for (const row of grid.slice(to)) {
    const text = row.map((cell) => cell?.text ?? '').join('')
    if (text !== '') blocks.push({ kind: 'paragraph', text })
  }
  return joinParagraphs(blocks)
}

/** A lone cell in the first column, long or one of several: a single short one may be a row without values yet. */
function isRemark(
  row: readonly (SheetCell | undefined)[],
  above: readonly (SheetCell | undefined)[],
): boolean {
  const text = row[0]?.text ?? ''
  return filled(row) === 1 && text !== '' && (text.length > 30 || filled(above) <= 1)
}

function filled(row: readonly (SheetCell | undefined)[]): number {
  return row.filter((cell) => cell !== undefined && cell.text !== '').length
}

/** Rows without any cell and columns without any cell are left out. */
function toGrid(cells: readonly SheetCell[]): Grid {
  const rows = [...new Set(cells.map((cell) => cell.row))].sort((a, b) => a - b)
  const columns = [...new Set(cells.map((cell) => cell.column))].sort((a, b) => a - b)
  const rowAt = new Map(rows.map((row, i) => [row, i]))
  const columnAt = new Map(columns.map((column, i) => [column, i]))
  const grid: Grid = rows.map(() => Array.from({ length: columns.length }, () => undefined))
  for (const cell of cells) {
    const row = grid[rowAt.get(cell.row) ?? -1]
    const column = columnAt.get(cell.column)
    if (row !== undefined && column !== undefined) row[column] = cell
  }
  return grid
}

/** A region as tables of bounded size, each with the header row. */
function tables(rows: Grid): Block[] {
  const [header, ...body] = rows
  if (header === undefined) return []
  const blocks: Block[] = []
  let part: Grid = []
  let size = 0
  const flush = (): void => {
    if (part.length > 0)
      blocks.push(tableBlock([header, ...part], blocks.length === 0 && part.length === body.length))
    part = []
    size = 0
  }
  const headerSize = header.reduce((sum, cell) => sum + (cell?.text.length ?? 0), 0)
  for (const row of body) {
    part.push(row)
    size += row.reduce((sum, cell) => sum + (cell?.text.length ?? 0) + 3, 0)
    // A header of thousands of columns must not be repeated for every row.
    if (part.length >= ROWS_A_TABLE || size >= Math.max(CHARACTERS_A_TABLE, 4 * headerSize)) flush()
  }
  flush()
  return blocks
}

function tableBlock(rows: Grid, whole: boolean): Block {
  const text = markdownTable(rows.map((row) => row.map((cell) => cell?.text ?? '')))
  const html = whole ? spanningHtml(visibleCells(rows)) : undefined
  return { kind: 'table', text, ...(html === undefined ? {} : { html }) }
}

/** Slots under a span are not cells of their own in HTML. */
function visibleCells(rows: Grid): Cell[][] {
  const covered = new Set<string>()
  return rows.map((row, r) =>
    row.flatMap((cell, c) => {
      if (covered.has(`${r},${c}`)) return []
      const rowSpan = Math.min(cell?.rowSpan ?? 1, rows.length - r)
      const colSpan = Math.min(cell?.colSpan ?? 1, row.length - c)
      for (let i = 0; i < rowSpan; i++) for (let k = 0; k < colSpan; k++) covered.add(`${r + i},${c + k}`)
      return [{ text: cell?.text ?? '', rowSpan, colSpan }]
    }),
  )
}

function joinParagraphs(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (last?.kind === 'paragraph' && block.kind === 'paragraph') last.text += `\n${block.text}`
    else joined.push({ ...block })
  }
  return joined
}
