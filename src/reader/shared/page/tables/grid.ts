// A table of a page: its cells with their spans, and its words. Also converts it to a block.

import type { BBox } from '../../../block.ts'
import { type Cell, splitMergedCells, tableHtml, tableMarkdown } from '../../blocks/table.ts'
import type { PlacedBlock } from '../layout/boxes.ts'
import type { Word } from './lines.ts'

/** A cell at `row` and `column`, covering `rows` times `columns` slots. */
export interface GridCell {
  row: number
  column: number
  rows: number
  columns: number
  text: string
}

export interface PageTable {
  cells: GridCell[]
  bbox: BBox
  words: Word[]
}

/** The table as a block with Markdown, and with HTML if a cell has a span. Undefined for fewer than two rows or columns. */
export function gridBlock({ cells, bbox }: PageTable): PlacedBlock | undefined {
  const rows = htmlRows(compact(cells))
  const texts = splitMergedCells(rows)
  const nonEmptyRows = texts.filter((row) => row.some((text) => text !== ''))
  if (nonEmptyRows.length < 2 || !nonEmptyRows.some((row) => row.filter((text) => text !== '').length > 1))
    return undefined
  const html = tableHtml(rows)
  return { kind: 'table', text: tableMarkdown(rows), bbox, ...(html === undefined ? {} : { html }) }
}

/** Removes rows and columns in which no text begins, so that HTML and Markdown have the same rows and columns. */
function compact(cells: readonly GridCell[]): GridCell[] {
  const nonEmptyCells = cells.filter(({ text }) => text.trim() !== '')
  /** The function from an index to its new index, which is the number of used indexes before it. */
  const newIndex = (usedIndexes: readonly number[]): ((at: number) => number) => {
    const usedSet = new Set(usedIndexes)
    const usedBefore = [0]
    return (at) => {
      for (let i = usedBefore.length - 1; i < at; i++)
        usedBefore.push((usedBefore[i] ?? 0) + (usedSet.has(i) ? 1 : 0))
      return usedBefore[at] ?? 0
    }
  }
  const rowAt = newIndex(nonEmptyCells.map(({ row }) => row))
  const columnAt = newIndex(nonEmptyCells.map(({ column }) => column))
  return cells.flatMap(({ text, ...cell }) => {
    const [row, column] = [rowAt(cell.row), columnAt(cell.column)]
    const [rows, columns] = [rowAt(cell.row + cell.rows) - row, columnAt(cell.column + cell.columns) - column]
    return rows > 0 && columns > 0 ? [{ row, column, rows, columns, text }] : []
  })
}

/** Cells as HTML rows, each slot filled once. Two cells in one slot are joined, so that no text is lost. */
function htmlRows(cells: readonly GridCell[]): Cell[][] {
  const height = Math.max(0, ...cells.map((cell) => cell.row + cell.rows))
  const width = Math.max(0, ...cells.map((cell) => cell.column + cell.columns))
  const slots: (GridCell | undefined)[][] = Array.from({ length: height }, () =>
    new Array(width).fill(undefined),
  )
  for (const cell of cells) fillSlots({ ...cell }, slots)
  return slots.map((row, r) =>
    row.flatMap((cell, c) => {
      if (cell === undefined) return [{ text: '' }]
      if (cell.row !== r || cell.column !== c) return []
      return [{ text: cell.text, rowSpan: cell.rows, colSpan: cell.columns }]
    }),
  )
}

/** Puts a cell into its slots. If its first slot is taken, its text is added there; if another slot is, its span is dropped. */
function fillSlots(cell: GridCell, slots: (GridCell | undefined)[][]): void {
  const occupant = slots[cell.row]?.[cell.column]
  if (occupant !== undefined) {
    occupant.text = `${occupant.text} ${cell.text}`.trim()
    return
  }
  const coveredSlots = (): (GridCell | undefined)[] =>
    slots
      .slice(cell.row, cell.row + cell.rows)
      .flatMap((row) => row.slice(cell.column, cell.column + cell.columns))
  if (cell.rows * cell.columns > 1 && coveredSlots().some((other) => other !== undefined))
    Object.assign(cell, { rows: 1, columns: 1 })
  for (const row of slots.slice(cell.row, cell.row + cell.rows))
    row.fill(cell, cell.column, cell.column + cell.columns)
}

// A code or compound that is broken after a hyphen: "TW-" above "1001", "Non-" above "GAAP".
const BROKEN_CODE = /(?<!\S)[\p{L}\d]+(?:-[\p{L}\d]+)*-$/u

/** The lines of a cell as one text. After a hyphen at the end of a line there is no space. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .reduce(
      (text, line) =>
        (/\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(line)) ||
        (BROKEN_CODE.test(text) && /^[\p{Lu}\d]/u.test(line))
          ? text + line
          : `${text} ${line}`,
      '',
    )
    .trim()
}
