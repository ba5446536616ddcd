// Lines of a scan that are headings by the strokes of their letters: bold, alone, with text below them. Pure.

import type { BBox } from '../../block.ts'
import type { Strokes } from '../raster/stroke-width.ts'
import { extent, isLevel, type Row } from './rows.ts'

// Of the text's stroke, taller letters have thicker ones anyway: bold lines of 40 scanned pages had 1.2 to 1.7, others .85
// to 1.1. A word less thick is none of a bold line's.
const BOLD = 1.17
const LEAST_OF_WORD = 1.05
const LEAST_LETTERS = 4
// Fewer lines say nothing of what is usual.
const LEAST_LINES = 5
const MOST_LINES = 3
const SECTION = /^(?:\p{Lu}\p{Ll}+ )?\d{1,2}(?:\.\d{1,2})*\.?$/u
// Of a line's height: a row of a table stands this close to the next one.
const CLOSE = 1
const CLOSE_IN_BLOCK = 1.5
const SAME_EDGE = 1.5

/** The lines whose letters are bold. */
export function boldRows(
  rows: readonly Row[],
  strokes: Strokes,
  sizeOf: (row: Row) => number | undefined,
  size: number | undefined,
): ReadonlySet<Row> {
  const text = median(rows.flatMap(({ words }) => words.flatMap((word) => strokes.get(word) ?? [])))
  if (text === undefined || size === undefined || rows.length < LEAST_LINES) return new Set()
  const isBold = (row: Row): boolean => {
    const telling = row.words.flatMap((word) => {
      const stroke = strokes.get(word)
      return stroke === undefined ? [] : [{ stroke, letters: word.text.length }]
    })
    const letters = telling.reduce((sum, word) => sum + word.letters, 0)
    const usual = text * Math.max(1, (sizeOf(row) ?? size) / size)
    const mean = telling.reduce((sum, word) => sum + word.stroke * word.letters, 0) / letters
    return (
      letters >= LEAST_LETTERS &&
      mean >= BOLD * usual &&
      telling.every(({ stroke }) => stroke >= LEAST_OF_WORD * usual)
    )
  }
  return new Set(rows.filter(isBold))
}

/** The end of the bold lines that start with this row, where they may be a heading's. */
export function boldEnd(
  rows: readonly Row[],
  at: number,
  bold: ReadonlySet<Row>,
  isBelowHeading: boolean,
): number | undefined {
  const first = rows[at]
  const before = isBelowHeading ? undefined : rows[at - 1]
  if (first === undefined || !bold.has(first)) return undefined
  if (before !== undefined && isClose(before, first) && (bold.has(before) || before.cells.length > 1))
    return undefined
  let end = at + 1
  for (let row = rows[end]; row !== undefined && bold.has(row) && goesOn(rows, end); row = rows[end]) end++
  const lines = rows.slice(at, end)
  return lines.length > MOST_LINES || !lines.every(isOneText) ? undefined : end
}

/** Whether lines stand like a heading: nothing beside them, and text below them. */
export const standsAbove = (rows: readonly Row[], lines: readonly Row[]): boolean =>
  isAlone(rows, lines) && heads(rows, lines)

/** One cell, or one behind the number of a section, which stands apart: "3.1   Models", "Item 16.   Summary". */
export const isOneText = ({ cells }: Row): boolean =>
  cells.length === 1 || (cells.length === 2 && SECTION.test(cells[0]?.text ?? ''))

function goesOn(rows: readonly Row[], at: number): boolean {
  const [above, row] = [rows[at - 1], rows[at]]
  // The number of a section begins the next heading.
  if (above === undefined || row === undefined || row.cells.length > 1) return false
  return isClose(above, row, above.block === row.block ? CLOSE_IN_BLOCK : CLOSE)
}

/** Whether a row stands right below another one. */
function isClose(above: Row, row: Row, most = CLOSE): boolean {
  const [upper, lower] = [extent([above]), extent([row])]
  const height = lower[3] - lower[1]
  const gap = lower[1] - upper[3]
  return gap > -height && gap < most * height && upper[0] < lower[2] && upper[2] > lower[0]
}

const isAlone = (rows: readonly Row[], lines: readonly Row[]): boolean =>
  !rows.some((row) => !lines.includes(row) && lines.some((line) => isLevel(line, row)))

/** Whether the next row below begins where the lines do, further in, or around the same middle: no head of a column. */
function heads(rows: readonly Row[], lines: readonly Row[]): boolean {
  const [left, top, right, bottom] = extent(lines)
  const slack = SAME_EDGE * ((bottom - top) / lines.length)
  const below = rows
    .map((row) => extent([row]))
    .filter((box) => box[1] > bottom - slack / 2 && box[0] < right && box[2] > left)
  const next = below.reduce<BBox | undefined>((one, box) => (one && one[1] <= box[1] ? one : box), undefined)
  if (next === undefined) return false
  const page = extent(rows)
  const isMiddle = (box: BBox): boolean => Math.abs(left + right - box[0] - box[2]) < 2 * slack
  return left < next[0] + slack || isMiddle(next) || isMiddle(page)
}

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]
