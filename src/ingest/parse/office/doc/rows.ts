// Rows of an old Word table to blocks. A row knows only where its cells' edges are: the edges of all rows make the grid.

import type { Block } from '../../block.ts'
import type { Cell } from '../../blocks/table.ts'
import { tableBlocks } from '../../blocks/table.ts'

export interface DocRow {
  cells: string[]
  /** Twentieths of a point; one more than there are cells. */
  edges?: number[]
  /** Cells that go on from the one above. */
  continues?: boolean[]
}

// Edges drawn by hand miss each other by a hair, and by up to ten points where no row has a cell between them: rows that
// begin at the margin and rows that begin at their text are 108 apart.
const SAME_EDGE = 15
const NEAR_EDGE = 200

/** The table's blocks, cells with their spans. */
export function rowBlocks(rows: readonly DocRow[]): Block[] {
  const grid = gridEdges(rows)
  const placed = rows.map((row) => placeCells(row, grid))
  return tableBlocks(
    placed.map((row, r) =>
      row.flatMap((cell): Cell[] => {
        if (cell.continues && r > 0) return []
        let rowSpan = 1
        while (placed[r + rowSpan]?.some((below) => below.continues && below.column === cell.column))
          rowSpan++
        return [{ text: cell.text, colSpan: cell.colSpan, rowSpan }]
      }),
    ),
  )
}

function gridEdges(rows: readonly DocRow[]): number[] {
  const edges = rows
    .flatMap((row) => (row.edges ?? []).map((at) => ({ at, row })))
    .sort((a, b) => a.at - b.at)
  const grid: number[] = []
  const near = new Set<DocRow>()
  let last = Number.NEGATIVE_INFINITY
  for (const { at, row } of edges) {
    const isNear = at - (grid.at(-1) ?? last) <= NEAR_EDGE && !near.has(row)
    if (at - last > SAME_EDGE && !isNear) {
      grid.push(at)
      near.clear()
    }
    near.add(row)
    last = at
  }
  return grid
}

interface Placed {
  text: string
  column: number
  colSpan: number
  continues: boolean
}

function placeCells({ cells, edges, continues }: DocRow, grid: readonly number[]): Placed[] {
  const known = edges !== undefined && edges.length === cells.length + 1
  const at = (edge: number): number => {
    const found = grid.findLastIndex((one) => one <= edge + SAME_EDGE)
    return found === -1 ? 0 : found
  }
  return cells.map((text, i) => {
    const column = known ? at(edges[i] ?? 0) : i
    const end = known ? at(edges[i + 1] ?? 0) : i + 1
    return { text, column, colSpan: Math.max(1, end - column), continues: continues?.[i] ?? false }
  })
}
