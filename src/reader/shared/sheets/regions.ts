// Splits the cells with text of a sheet into tables. The range that the file states may be ten times as large.

import type { Block } from '../../block.ts'
import { type Cell, isNumberCell, tableHtml, tableMarkdown, tableParts } from '../blocks/table.ts'

export interface SheetCell {
  row: number
  column: number
  text: string
  rowSpan?: number
  colSpan?: number
}

type Row = readonly (SheetCell | undefined)[]
type Rows = readonly Row[]

// Two blank rows or columns separate tables. A single one may be inside a table, unless a header follows.
const MIN_SEPARATING_BLANKS = 2

/** The blocks of the cells of a sheet: a table for each region, single rows as paragraphs. */
export function sheetBlocks(cells: readonly SheetCell[]): Block[] {
  return regions(cells).map(splitRegion).flatMap(regionBlocks)
}

/** Groups cells by blank rows, then by blank columns. */
export function regions(cells: readonly SheetCell[]): SheetCell[][] {
  return splitRows(cells).flatMap(splitColumns)
}

function splitRows(cells: readonly SheetCell[]): SheetCell[][] {
  const rows = byRow(cells)
  const groups: SheetCell[][] = []
  let last = Number.NEGATIVE_INFINITY
  rows.forEach((row, i) => {
    const at = row[0]?.row ?? 0
    const blanks = at - last - 1
    const isSeparate = blanks >= MIN_SEPARATING_BLANKS || (blanks === 1 && beginsTable(rows, i))
    if (isSeparate || groups.length === 0) groups.push([])
    const group = groups.at(-1)
    for (const cell of row) {
      group?.push(cell)
      last = Math.max(last, cell.row + (cell.rowSpan ?? 1) - 1)
    }
  })
  return groups
}

function byRow(cells: readonly SheetCell[]): SheetCell[][] {
  const rows = new Map<number, SheetCell[]>()
  for (const cell of cells) {
    const row = rows.get(cell.row)
    if (row === undefined) rows.set(cell.row, [cell])
    else row.push(cell)
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
}

/** Whether a table begins after a single blank row: with a header of words below a row with numbers, or a title above a header. */
function beginsTable(rows: readonly SheetCell[][], at: number): boolean {
  const isHeader = (row: readonly SheetCell[] = []): boolean =>
    row.length > 1 && row.every(({ text }) => !isNumberCell(text))
  const above = rows[at - 1] ?? []
  const row = rows[at] ?? []
  const below = rows[at + 1] ?? []
  if (above.length < 2) return false
  if (row.length === 1) return isHeader(below) && (rows[at + 2] ?? []).length > 1
  return (
    isHeader(row) &&
    above.some(({ text }) => isNumberCell(text)) &&
    below.some(({ text }) => isNumberCell(text))
  )
}

function splitColumns(cells: readonly SheetCell[]): SheetCell[][] {
  const sortedCells = [...cells].sort((a, b) => a.column - b.column)
  const groups: SheetCell[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const cell of sortedCells) {
    if (cell.column - last > MIN_SEPARATING_BLANKS) groups.push([])
    groups.at(-1)?.push(cell)
    last = Math.max(last, cell.column + (cell.colSpan ?? 1) - 1)
  }
  return groups
}

interface Region {
  /** Single cells above the table: its title and comments. */
  above: Rows
  rows: Rows
  /** Single cells below the table: its footnotes. */
  below: Rows
}

function splitRegion(cells: readonly SheetCell[]): Region {
  const grid = toGrid(cells)
  let from = 0
  while (from < grid.length && countFilled(grid[from] ?? []) <= 1) from++
  let to = grid.length
  while (to - 1 > from + 1 && isRemark(grid[to - 1] ?? [], grid[to - 2] ?? [])) to--
  return { above: grid.slice(0, from), rows: grid.slice(from, to), below: grid.slice(to) }
}

function regionBlocks({ above, rows, below }: Region): Block[] {
  const blocks = above.flatMap((row) => paragraph(row, ''))
  if (rows.length === 1) blocks.push(...paragraph(rows[0] ?? [], ' '))
  else if (rows.length > 1) blocks.push(...tables(rows))
  return joinParagraphs([...blocks, ...below.flatMap((row) => paragraph(row, ''))])
}

function paragraph(row: Row, separator: string): Block[] {
  const text = row.flatMap((cell) => cell?.text ?? []).join(separator)
  return text === '' ? [] : [{ kind: 'paragraph', text }]
}

/**
 * Whether a row with only a first cell is a remark: the text is long, the row above has at most one cell, or a blank row is
 * above. Otherwise it is a row of the table without values.
 */
function isRemark(
  row: readonly (SheetCell | undefined)[],
  above: readonly (SheetCell | undefined)[],
): boolean {
  const text = row[0]?.text ?? ''
  if (countFilled(row) !== 1 || text === '') return false
  const isAfterBlankRow = (row[0]?.row ?? 0) - (above.find((cell) => cell !== undefined)?.row ?? 0) > 1
  return text.length > 30 || countFilled(above) <= 1 || isAfterBlankRow
}

function countFilled(row: Row): number {
  return row.filter((cell) => cell !== undefined && cell.text !== '').length
}

/** The cells as a grid without empty rows and columns, over which spans no longer extend. */
function toGrid(cells: readonly SheetCell[]): Rows {
  const rows = [...new Set(cells.map((cell) => cell.row))].sort((a, b) => a - b)
  const columns = [...new Set(cells.map((cell) => cell.column))].sort((a, b) => a - b)
  const rowAt = new Map(rows.map((row, i) => [row, i]))
  const columnAt = new Map(columns.map((column, i) => [column, i]))
  const grid: (SheetCell | undefined)[][] = rows.map(() =>
    Array.from({ length: columns.length }, () => undefined),
  )
  for (const cell of cells) {
    const row = grid[rowAt.get(cell.row) ?? -1]
    const column = columnAt.get(cell.column)
    if (row !== undefined && column !== undefined) row[column] = withSpans(cell, rows, columns)
  }
  return grid
}

function withSpans(cell: SheetCell, rows: readonly number[], columns: readonly number[]): SheetCell {
  const { row, column, rowSpan = 1, colSpan = 1 } = cell
  if (rowSpan === 1 && colSpan === 1) return cell
  const spanWithin = (all: readonly number[], from: number, span: number): number =>
    countSmaller(all, from + span) - countSmaller(all, from)
  return { ...cell, rowSpan: spanWithin(rows, row, rowSpan), colSpan: spanWithin(columns, column, colSpan) }
}

/** The number of sorted numbers below `number`, by bisection, because there may be a million rows and merged cells. */
function countSmaller(all: readonly number[], number: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

/** A region as tables of limited size, each with the header row. */
function tables(rows: Rows): Block[] {
  const [header, ...body] = rows
  if (header === undefined) return []
  const blocks: Block[] = []
  const lengthOf = (cell: SheetCell | undefined): number => cell?.text.length ?? 0
  const parts = tableParts(header, lengthOf, (part) =>
    blocks.push(tableBlock([header, ...part], part.length === body.length)),
  )
  for (const row of body) parts.add(row)
  parts.end()
  return blocks
}

function tableBlock(rows: Rows, isWhole: boolean): Block {
  const cells = visibleCells(rows)
  const text = tableMarkdown(cells)
  const html = isWhole ? tableHtml(cells) : undefined
  return { kind: 'table', text, ...(html === undefined ? {} : { html }) }
}

/** The cells for HTML, without the positions that spans cover. */
function visibleCells(rows: Rows): Cell[][] {
  const coveredPositions = new Set<string>()
  return rows.map((row, r) =>
    row.flatMap((cell, c) => {
      if (coveredPositions.has(`${r},${c}`)) return []
      const rowSpan = Math.min(cell?.rowSpan ?? 1, rows.length - r)
      const colSpan = Math.min(cell?.colSpan ?? 1, row.length - c)
      for (let i = 0; i < rowSpan; i++)
        for (let k = 0; k < colSpan; k++) coveredPositions.add(`${r + i},${c + k}`)
      return [{ text: cell?.text ?? '', rowSpan, colSpan }]
    }),
  )
}

function joinParagraphs(blocks: readonly Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (last?.kind === 'paragraph' && block.kind === 'paragraph') last.text += `\n${block.text}`
    else result.push({ ...block })
  }
  return result
}
