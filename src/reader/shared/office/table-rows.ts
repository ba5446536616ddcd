// Turns table rows of old Word files and RTF into blocks. A row has only the positions of its cell edges. The edges of all rows
// together define the columns.

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
  /** The notes of the row. They come after its table. */
  blocksAfter?: Block[]
}

// In twentieths of a point. Edges of one column that are drawn by hand differ by less.
const MAX_SAME_EDGE_DISTANCE = 15
// In twentieths of a point. Edges that differ by less belong to one column if no row has both: the edges of rows that are
// aligned with the margin and of rows that are aligned with their text differ by 108.
const MAX_NEAR_EDGE_DISTANCE = 200

/**
 * Splits consecutive rows into tables, because neither format stores a separator. A table begins with a header row that is
 * repeated on each page, or with two rows that share no inner edge, or no side, with at least two rows above.
 */
export function tablesByEdges(rows: readonly TableRow[]): TableRow[][] {
  const tables: TableRow[][] = []
  let rowsAbove: RowShapes = { count: 0, shapes: new Map() }
  for (const [i, row] of rows.entries()) {
    const table = tables.at(-1)
    const isNewHeader = row.isHeader === true && table?.at(-1)?.isHeader === false
    if (table === undefined || isNewHeader || beginsTable(rowsAbove, row, rows[i + 1])) {
      tables.push([row])
      rowsAbove = { count: 0, shapes: new Map() }
    } else table.push(row)
    if (!hasInnerEdges(row)) continue
    rowsAbove.count++
    rowsAbove.shapes.set(String(row.edges), row)
  }
  return tables
}

/** The rows of a table by their edges. Comparing each row with all others would take half a minute for 30,000 rows. */
interface RowShapes {
  /** The number of rows with inner edges. */
  count: number
  /** One row for each list of edges. */
  shapes: Map<string, TableRow>
}

// With more shapes than this the rows were drawn by hand and cannot be compared.
const MAX_SHAPES = 200

function beginsTable({ count, shapes }: RowShapes, row: TableRow, next: TableRow | undefined): boolean {
  if (count < 2 || shapes.size > MAX_SHAPES || next === undefined) return false
  if (!hasInnerEdges(row) || !hasInnerEdges(next)) return false
  if (row.continues?.includes(true) || !(sharesEdge(row, next) && sharesSide(row, next))) return false
  const rowsAbove = [...shapes.values()]
  const differsFromAbove = (row: TableRow): boolean =>
    rowsAbove.every((other) => !sharesEdge(other, row)) || rowsAbove.every((other) => !sharesSide(other, row))
  return differsFromAbove(row) && differsFromAbove(next)
}

const innerEdges = ({ edges = [] }: TableRow): readonly number[] => edges.slice(1, -1)
const hasInnerEdges = (row: TableRow): boolean => innerEdges(row).length > 0
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= MAX_NEAR_EDGE_DISTANCE

/** Whether two rows have a common inner edge. Edges are sorted, so a single pass over both rows is enough. */
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

/** The blocks of a table, with the spans of its cells. */
export function rowBlocks(rows: readonly TableRow[]): Block[] {
  const grid = gridEdges(rows)
  return tableBlocks(withRowSpans(rows.map((row) => placeCells(row, grid))))
}

/** The edges of the columns of a table. Near edges are one edge if no row has both. */
function gridEdges(rows: readonly TableRow[]): number[] {
  const edges = rows
    .flatMap((row) => (row.edges ?? []).map((at) => ({ at, row })))
    .sort((a, b) => a.at - b.at)
  const grid: number[] = []
  /** The rows that have an edge at the last edge of the grid. */
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
