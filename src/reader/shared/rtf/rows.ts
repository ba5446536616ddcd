// The row definitions of tables in RTF ([RTF 1.9.1], "Table Definitions").

import type { TableRow } from '../office/table-rows.ts'

interface DefinedCell {
  /** The right edge of the cell. */
  edge: number
  continuesAbove: boolean
  continuesLeft: boolean
}

export interface RowDefinition {
  left: number
  isHeader: boolean
  isLast: boolean
  cells: DefinedCell[]
  /** The properties that were stated for the next cell. */
  next: Omit<DefinedCell, 'edge'>
}

// Word allows 63. Rows with more than this many cells are read by the order of their cells.
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

/** Puts the texts of a row into the defined cells. If the numbers differ, the texts keep their order. */
export function placedRow(texts: string[], { left, isHeader, cells }: RowDefinition): TableRow {
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
