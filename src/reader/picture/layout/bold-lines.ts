// Lines of a scan that are headings because they are bold: alone on their line, with text below. Pure.

import type { BBox } from '../../block.ts'
import type { StrokeWidths } from '../raster/stroke-width.ts'
import { areOnOneLine, boundsOf, type Row } from './rows.ts'

// Of the text's stroke width, which grows with the height of letters. Bold lines of 40 scanned pages had 1.2 to 1.7, others
// .85 to 1.1; no word of a bold line has less than the second figure.
const MIN_BOLD = 1.17
const MIN_BOLD_WORD = 1.05
const MIN_LETTERS = 4
// Fewer lines do not show the usual stroke width.
const MIN_LINES = 5
const MAX_HEADING_LINES = 3
const SECTION_NUMBER = /^(?:\p{Lu}\p{Ll}+ )?\d{1,2}(?:\.\d{1,2})*\.?$/u
// In line heights: the gap between two rows of a table, and between lines of one block.
const MAX_GAP = 1
const MAX_GAP_IN_BLOCK = 1.5
const INDENT_TOLERANCE = 1.5

/** `heightOf` is the height of a row's capitals, `textHeight` that of the text. */
export function boldRows(
  rows: readonly Row[],
  strokes: StrokeWidths,
  heightOf: (row: Row) => number | undefined,
  textHeight: number | undefined,
): ReadonlySet<Row> {
  const usual = median(rows.flatMap(({ words }) => words.flatMap((word) => strokes.get(word) ?? [])))
  if (usual === undefined || textHeight === undefined || rows.length < MIN_LINES) return new Set()
  const isBold = (row: Row): boolean => {
    const measured = row.words.flatMap((word) => {
      const stroke = strokes.get(word)
      return stroke === undefined ? [] : [{ stroke, letters: word.text.length }]
    })
    const letters = measured.reduce((sum, word) => sum + word.letters, 0)
    const expected = usual * Math.max(1, (heightOf(row) ?? textHeight) / textHeight)
    const mean = measured.reduce((sum, word) => sum + word.stroke * word.letters, 0) / letters
    return (
      letters >= MIN_LETTERS &&
      mean >= MIN_BOLD * expected &&
      measured.every(({ stroke }) => stroke >= MIN_BOLD_WORD * expected)
    )
  }
  return new Set(rows.filter(isBold))
}

/** The end of the run of bold lines that starts at a row; undefined where it is no heading. */
export function boldRunEnd(
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
  for (let row = rows[end]; row !== undefined && bold.has(row) && continues(rows, end); row = rows[end]) end++
  const lines = rows.slice(at, end)
  return lines.length > MAX_HEADING_LINES || !lines.every(isOneText) ? undefined : end
}

/** Whether lines are placed like a heading: nothing beside them, and text below. */
export const isAboveText = (rows: readonly Row[], lines: readonly Row[]): boolean =>
  isAlone(rows, lines) && hasTextBelow(rows, lines)

/** A single cell, or a second one after a section number: "3.1   Models", "Item 16.   Summary". */
export const isOneText = ({ cells }: Row): boolean =>
  cells.length === 1 || (cells.length === 2 && SECTION_NUMBER.test(cells[0]?.text ?? ''))

function continues(rows: readonly Row[], at: number): boolean {
  const [above, row] = [rows[at - 1], rows[at]]
  // A section number begins the next heading.
  if (above === undefined || row === undefined || row.cells.length > 1) return false
  return isClose(above, row, above.block === row.block ? MAX_GAP_IN_BLOCK : MAX_GAP)
}

/** Whether a row is directly below another one. */
function isClose(above: Row, row: Row, maxGap = MAX_GAP): boolean {
  const [upper, lower] = [boundsOf([above]), boundsOf([row])]
  const height = lower[3] - lower[1]
  const gap = lower[1] - upper[3]
  return gap > -height && gap < maxGap * height && upper[0] < lower[2] && upper[2] > lower[0]
}

const isAlone = (rows: readonly Row[], lines: readonly Row[]): boolean =>
  !rows.some((row) => !lines.includes(row) && lines.some((line) => areOnOneLine(line, row)))

/** Whether the next row below has the same left edge, a further indent or the same centre. It is no column header then. */
function hasTextBelow(rows: readonly Row[], lines: readonly Row[]): boolean {
  const [left, top, right, bottom] = boundsOf(lines)
  const tolerance = INDENT_TOLERANCE * ((bottom - top) / lines.length)
  const below = rows
    .map((row) => boundsOf([row]))
    .filter((box) => box[1] > bottom - tolerance / 2 && box[0] < right && box[2] > left)
  const next = below.reduce<BBox | undefined>((one, box) => (one && one[1] <= box[1] ? one : box), undefined)
  if (next === undefined) return false
  const isCentredOn = (box: BBox): boolean => Math.abs(left + right - box[0] - box[2]) < 2 * tolerance
  return left < next[0] + tolerance || isCentredOn(next) || isCentredOn(boundsOf(rows))
}

const median = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]
