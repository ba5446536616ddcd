// Turns table rows of old Word files and RTF into blocks. Rows only give the positions of their cell edges. The edges of all
// rows together define the columns.

import type { Block } from '../../block.ts'
import { type GridCell, tableBlocks, withRowSpans } from '../blocks/table.ts'

export interface TableRow {
  cells: string[]
  /** The positions of the cell edges in twentieths of a point. There is one more edge than cells. */
  edges?: number[]
  /** For each cell, whether it continues the cell above. */
  continues?: boolean[]
  /** Whether the row is repeated on each page. */
  isHeader?: boolean
  /** Notes of the row, which follow its table. */
  blocksAfter?: Block[]
}

// Edges drawn by hand differ slightly. Edges up to ten points apart are the same column if no row has a cell between
// them: rows aligned with the margin and rows aligned with their text differ by 108.
const MAX_SAME_EDGE_DISTANCE = 15
const MAX_NEAR_EDGE_DISTANCE = 200

/**
 * Splits consecutive rows into tables, because neither format stores a separator. A table begins with a header row that is
 * repeated on each page, or where at least two rows share no inner edge or no side with at least two rows above.
 */
export function tablesByEdges(rows: readonly TableRow[]): TableRow[][] {
  const tables: TableRow[][] = []
  let drawing: DrawnRows = { count: 0, shapes: new Map() }
  for (const [i, row] of rows.entries()) {
    const table = tables.at(-1)
    const isNamed = row.isHeader === true && table?.at(-1)?.isHeader === false
    if (table === undefined || isNamed || isOtherTable(drawing, row, rows[i + 1])) {
      tables.push([row])
      drawing = { count: 0, shapes: new Map() }
    } else table.push(row)
    if (!hasInnerEdges(row)) continue
    drawing.count++
    drawing.shapes.set(String(row.edges), row)
  }
  return tables
}

/** The number of rows with inner edges, and one row of each shape. Comparing all rows took half a minute for 30,000. */
interface DrawnRows {
  count: number
  shapes: Map<string, TableRow>
}

// With more shapes than this the rows were drawn by hand and cannot be compared.
const MAX_SHAPES = 200

function isOtherTable({ count, shapes }: DrawnRows, row: TableRow, next: TableRow | undefined): boolean {
  if (
    count < 2 ||
    shapes.size > MAX_SHAPES ||
    !hasInnerEdges(row) ||
    next === undefined ||
    !hasInnerEdges(next)
  )
    return false
  if (row.continues?.includes(true) || !(sharesEdge(row, next) && sharesSide(row, next))) return false
  const above = [...shapes.values()]
  const isApart = (row: TableRow): boolean =>
    above.every((other) => !sharesEdge(other, row)) || above.every((other) => !sharesSide(other, row))
  return isApart(row) && isApart(next)
}

const innerEdges = ({ edges = [] }: TableRow): readonly number[] => edges.slice(1, -1)
const hasInnerEdges = (row: TableRow): boolean => innerEdges(row).length > 0
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_NEAR_EDGE_DISTANCE

/** Edges are sorted, so a single pass over both rows is enough. */
function sharesEdge(row: TableRow, other: TableRow): boolean {
  const [left, right] = [innerEdges(row), innerEdges(other)]
  for (let i = 0, k = 0; i < left.length && k < right.length; ) {
    const [a = 0, b = 0] = [left[i], right[k]]
    if (isNear(a, b)) return true
    if (a < b) i++
    else k++
  }
  return false
}

const sharesSide = ({ edges = [] }: TableRow, { edges: other = [] }: TableRow): boolean =>
  isNear(edges[0] ?? 0, other[0] ?? 0) || isNear(edges.at(-1) ?? 0, other.at(-1) ?? 0)

/** The table's blocks, cells with their spans. */
export function rowBlocks(rows: readonly TableRow[]): Block[] {
  const grid = gridEdges(rows)
  return tableBlocks(withRowSpans(rows.map((row) => placeCells(row, grid))))
}

function gridEdges(rows: readonly TableRow[]): number[] {
  const edges = rows
    .flatMap((row) => (row.edges ?? []).map((at) => ({ at, row })))
    .sort((a, b) => a.at - b.at)
  const grid: number[] = []
  const nearRows = new Set<TableRow>()
  let last = Number.NEGATIVE_INFINITY
  for (const { at, row } of edges) {
    const isClose = at - (grid.at(-1) ?? last) <= MAX_NEAR_EDGE_DISTANCE && !nearRows.has(row)
    if (at - last > MAX_SAME_EDGE_DISTANCE && !isClose) {
      grid.push(at)
      nearRows.clear()
    }
    nearRows.add(row)
    last = at
  }
  return grid
}

function placeCells({ cells, edges, continues }: TableRow, grid: readonly number[]): GridCell[] {
  const hasEdges = edges !== undefined && edges.length === cells.length + 1
  const at = (edge: number): number => Math.max(0, lastIndexUpTo(grid, edge + MAX_SAME_EDGE_DISTANCE))
  return cells.map((text, i) => {
    const column = hasEdges ? at(edges[i] ?? 0) : i
    const end = hasEdges ? at(edges[i + 1] ?? 0) : i + 1
    return { text, column, colSpan: Math.max(1, end - column), continues: continues?.[i] ?? false }
  })
}

/** The index of the last number that is not larger than `limit`, -1 if all are larger. The numbers are sorted. */
function lastIndexUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
