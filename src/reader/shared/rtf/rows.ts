// The row definitions of tables in RTF ([RTF 1.9.1], "Table Definitions").

import type { TableRow } from '../office/table-rows.ts'

interface DefinedCell {
  /** The right edge of the cell, in twentieths of a point. */
  edge: number
  continuesAbove: boolean
  continuesLeft: boolean
}

export interface RowDefinition {
  /** The left edge of the row. */
  left: number
  /** Whether the row is repeated on each page. */
  isHeader: boolean
  /** Whether it is the last row of its table. */
  isLast: boolean
  cells: DefinedCell[]
  /** The properties of the next cell, which are stated before its edge. */
  next: Omit<DefinedCell, 'edge'>
}

// Word allows 63. In a row with more cells than this, edges are ignored.
const MAX_CELLS = 250
const plainCell = { continuesAbove: false, continuesLeft: false }

export const newDefinition = (): RowDefinition => ({
  left: 0,
  isHeader: false,
  isLast: false,
  cells: [],
  next: plainCell,
})

type RowWord = (row: RowDefinition, value: number) => void

/** The control words of a row definition. */
export const rowWords: ReadonlyMap<string, RowWord> = new Map<string, RowWord>([
  ['trleft', (row, value) => Object.assign(row, { left: value })],
  ['trhdr', (row) => Object.assign(row, { isHeader: true })],
  ['lastrow', (row) => Object.assign(row, { isLast: true })],
  ['clvmrg', (row) => Object.assign(row, { next: { ...row.next, continuesAbove: true } })],
  ['clmrg', (row) => Object.assign(row, { next: { ...row.next, continuesLeft: true } })],
  [
    'cellx',
    (row, value) => {
      if (row.cells.length <= MAX_CELLS) row.cells.push({ ...row.next, edge: value })
      row.next = plainCell
    },
  ],
])

/** The row with its texts in the defined cells. Without edges if the number of texts is not that of the cells. */
export function definedRow(texts: string[], { left, isHeader, cells }: RowDefinition): TableRow {
  const isShown = ({ continuesAbove, continuesLeft }: DefinedCell): boolean =>
    !continuesAbove && !continuesLeft
  // Some programs omit the cells that continue others.
  const isWhole = texts.length === cells.length
  if (cells.length > MAX_CELLS || (!isWhole && texts.length !== cells.filter(isShown).length))
    return { cells: texts, isHeader }
  const remainingTexts = [...texts]
  const row = { isHeader, cells: [] as string[], edges: [left], continues: [] as boolean[] }
  for (const cell of cells) {
    const text = isWhole || isShown(cell) ? (remainingTexts.shift() ?? '') : ''
    if (cell.continuesLeft && row.cells.length > 0) row.edges[row.edges.length - 1] = cell.edge
    else {
      row.cells.push(text)
      row.edges.push(cell.edge)
      row.continues.push(cell.continuesAbove)
    }
  }
  return row
}
