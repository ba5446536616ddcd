// The rows and columns that a sheet hides. They are read like others, because filters and folded groups also hide rows and
// columns. A note after the tables of the sheet lists them.

import type { Block } from '../../block.ts'
import { cellName } from './cell-comment.ts'
import type { SheetCell } from './regions.ts'

/** The numbers of hidden rows and columns, 0-based. */
export interface HiddenLines {
  rows: Set<number>
  columns: { from: number; to: number }[]
}

export const noHiddenLines = (): HiddenLines => ({ rows: new Set(), columns: [] })

const MAX_LISTED_RUNS = 20
const MAX_TEXT_CHARACTERS = 80

/** A note: "Hidden rows: 4 (Blender), 7 to 9. Hidden columns: C (Purchase price)." Empty if all hidden cells are empty. */
export function hiddenLinesNote(cells: readonly SheetCell[], { rows, columns }: HiddenLines): Block[] {
  if (rows.size === 0 && columns.length === 0) return []
  const hiddenRows = new Map<number, SheetCell>()
  const hiddenColumns = new Map<number, SheetCell>()
  for (const cell of cells) {
    if (rows.has(cell.row) && !hiddenRows.has(cell.row)) hiddenRows.set(cell.row, cell)
    if (
      !hiddenColumns.has(cell.column) &&
      columns.some(({ from, to }) => cell.column >= from && cell.column <= to)
    )
      hiddenColumns.set(cell.column, cell)
  }
  const lists = [
    listOf('rows', hiddenRows, (row) => String(row + 1)),
    listOf('columns', hiddenColumns, (column) => cellName(0, column).replace(/\d+$/, '')),
  ].filter((list) => list !== '')
  return lists.length === 0 ? [] : [{ kind: 'note', text: lists.join(' ') }]
}

/** The sentence about hidden rows or columns; `lines` has the first cell with text of each. */
function listOf(
  kind: string,
  lines: ReadonlyMap<number, SheetCell>,
  nameOf: (line: number) => string,
): string {
  const runs: { from: number; to: number }[] = []
  for (const line of [...lines.keys()].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last?.to === line - 1) last.to = line
    else runs.push({ from: line, to: line })
  }
  if (runs.length === 0) return ''
  const texts = runs.slice(0, MAX_LISTED_RUNS).map(({ from, to }) => {
    if (from < to) return `${nameOf(from)} to ${nameOf(to)}`
    const text = (lines.get(from)?.text ?? '').replace(/\s+/g, ' ')
    return `${nameOf(from)} (${text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text})`
  })
  const moreText = runs.length > MAX_LISTED_RUNS ? ` and ${runs.length - MAX_LISTED_RUNS} more` : ''
  return `Hidden ${kind}: ${texts.join(', ')}${moreText}.`
}
