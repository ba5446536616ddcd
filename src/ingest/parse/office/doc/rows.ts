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

// Edges drawn by hand miss each other by a hair.
const SAME_EDGE = 15

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
  const edges = rows.flatMap((row) => row.edges ?? []).sort((a, b) => a - b)
  return edges.filter((edge, i) => i === 0 || edge - (edges[i - 1] ?? 0) > SAME_EDGE)
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
