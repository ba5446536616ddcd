// The rows of RTF's tables as the file defines them ([RTF 1.9.1], "Table Definitions").

import type { TableRow } from '../table-rows.ts'

interface DefinedCell {
  /** Its right edge. */
  edge: number
  goesOnDown: boolean
  goesOnRight: boolean
}

export interface RowDefinition {
  left: number
  isHeader: boolean
  isLast: boolean
  cells: DefinedCell[]
  /** What is stated of the cell whose edge comes next. */
  next: Omit<DefinedCell, 'edge'>
}

// Word draws 63; a row with more than this many is read by the order of its cells.
const MOST_CELLS = 250
const plainCell = { goesOnDown: false, goesOnRight: false }

export const newDefinition = (): RowDefinition => ({
  left: 0,
  isHeader: false,
  isLast: false,
  cells: [],
  next: plainCell,
})

type RowWord = (row: RowDefinition, value: number) => void

/** The control words of a row's definition. */
export const rowWords: ReadonlyMap<string, RowWord> = new Map<string, RowWord>([
  ['trleft', (row, value) => Object.assign(row, { left: value })],
  ['trhdr', (row) => Object.assign(row, { isHeader: true })],
  ['lastrow', (row) => Object.assign(row, { isLast: true })],
  ['clvmrg', (row) => Object.assign(row, { next: { ...row.next, goesOnDown: true } })],
  ['clmrg', (row) => Object.assign(row, { next: { ...row.next, goesOnRight: true } })],
  [
    'cellx',
    (row, value) => {
      if (row.cells.length <= MOST_CELLS) row.cells.push({ ...row.next, edge: value })
      row.next = plainCell
    },
  ],
])

/** A row's texts in the cells that are defined; by their order where there are not as many. */
export function placedRow(texts: string[], { left, isHeader, cells }: RowDefinition): TableRow {
  const isShown = ({ goesOnDown, goesOnRight }: DefinedCell): boolean => !goesOnDown && !goesOnRight
  // Some writers leave out the cells that go on from others.
  const isWhole = texts.length === cells.length
  if (cells.length > MOST_CELLS || (!isWhole && texts.length !== cells.filter(isShown).length))
    return { cells: texts, isHeader }
  const rest = [...texts]
  const row = { isHeader, cells: [] as string[], edges: [left], continues: [] as boolean[] }
  for (const cell of cells) {
    const text = isWhole || isShown(cell) ? (rest.shift() ?? '') : ''
    if (cell.goesOnRight && row.cells.length > 0) row.edges[row.edges.length - 1] = cell.edge
    else {
      row.cells.push(text)
      row.edges.push(cell.edge)
      row.continues.push(cell.goesOnDown)
    }
  }
  return row
}
