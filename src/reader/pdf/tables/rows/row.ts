// A line of a table as a row of cells, and two such lines as one.

import { type Column, columnsOf } from '../columns.ts'
import type { Line } from '../lines.ts'

export interface Row {
  cells: string[][]
  /** By column, the right edge of the last line's text, and the width of its first word. */
  ends: (number | undefined)[]
  begins: (number | undefined)[]
  /** A text over several columns: a sentence, not a label. */
  isWide: boolean
  top: number
  bottom: number
}

export function toRow(line: Line, columns: readonly Column[]): Row {
  const cells: string[][] = columns.map(() => [])
  const ends: (number | undefined)[] = columns.map(() => undefined)
  const begins: (number | undefined)[] = columns.map(() => undefined)
  for (const segment of line.segments) {
    const column = columnsOf(segment, columns)?.[0] ?? 0
    const cell = cells[column]
    if (cell === undefined) continue
    const [first] = segment.words
    ends[column] = segment.bbox[2]
    begins[column] ??= first === undefined ? 0 : first.bbox[2] - first.bbox[0]
    if (cell.length === 0) cell.push(segment.text)
    else cell[0] = `${cell[0]} ${segment.text}`
  }
  return { cells, ends, begins, isWide: isWide(line, columns), top: line.bbox[1], bottom: line.bbox[3] }
}

const isWide = ({ segments }: Line, columns: readonly Column[]): boolean =>
  segments.some((segment) => {
    const [first, last] = columnsOf(segment, columns) ?? [0, 0]
    return first < last && segment.words.length > 3
  })

export function joinRows(a: Row, b: Row): Row {
  return {
    cells: a.cells.map((texts, i) => [...texts, ...(b.cells[i] ?? [])]),
    ends: a.ends.map((end, i) => b.ends[i] ?? end),
    begins: a.begins,
    isWide: a.isWide || b.isWide,
    top: a.top,
    bottom: b.bottom,
  }
}

export const isLabelOnly = ({ cells }: Row): boolean =>
  cells.every((texts, i) => (i === 0) === texts.length > 0)
export const label = ({ cells }: Row): string => cells[0]?.join(' ') ?? ''

export const filled = ({ cells }: Row, column: number): boolean => (cells[column]?.length ?? 0) > 0
