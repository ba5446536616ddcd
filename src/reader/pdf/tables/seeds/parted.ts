// Tables below each other that the layout pass took for one: parted where each keeps gutters that both together close.

import { usualHeight } from '../../../page/tolerance.ts'
import { bodyLines, findColumns, isNumericLine } from '../columns.ts'
import { isFigure, type Line } from '../lines.ts'

/** The lines as one region, or as several where a sentence over a line of names begins the next table. */
export function partedRegions(lines: readonly Line[]): (readonly Line[])[] {
  const left = Math.min(...lines.map(({ bbox }) => bbox[0]))
  for (let i = 1; i < lines.length; i++) {
    const isHead = isHeading(lines, i, left)
    if (!isHead && !beginsTable(lines, i, left)) continue
    const [above, below] = [lines.slice(0, i), lines.slice(i)]
    if (isTable(above) && isTable(below) && (isHead ? mergesColumns : closesGutters)(above, below))
      return [above, ...partedRegions(below)]
  }
  return [lines]
}

const LEAST_WORDS = 3
// Points: a table's texts stand in from its edge.
const EDGE = 8

/** A text alone at the left edge, below figures and over names that leave the labels' column empty. */
function beginsTable(lines: readonly Line[], i: number, left: number): boolean {
  const [title, names] = lines.slice(i, i + 2)
  const [only, second] = title?.segments ?? []
  const [first] = names?.segments ?? []
  if (only === undefined || second !== undefined || names === undefined || first === undefined) return false
  return (
    only.words.length >= LEAST_WORDS &&
    only.bbox[0] < left + 3 &&
    first.bbox[0] > only.bbox[2] &&
    !isNumericLine(names) &&
    lines.slice(0, i).some(isNumericLine)
  )
}

// Heights of a line that are blank above and below a heading between two tables.
const BLANK = 0.8

/** A text alone at the left edge, a blank line below figures and above what follows. */
function isHeading(lines: readonly Line[], i: number, left: number): boolean {
  const [above, line, below] = lines.slice(i - 1, i + 2)
  const [only, second] = line?.segments ?? []
  if (above === undefined || line === undefined || below === undefined) return false
  if (only === undefined || second !== undefined || isFigure(only.text)) return false
  const blank = usualHeight(lines) * BLANK
  return (
    only.bbox[0] < left + EDGE && line.bbox[1] - above.bbox[3] > blank && below.bbox[1] - line.bbox[3] > blank
  )
}

const isTable = (lines: readonly Line[]): boolean => bodyLines(lines).filter(isNumericLine).length > 1

const closesGutters = (above: readonly Line[], below: readonly Line[]): boolean =>
  findColumns([...above, ...below]).length < Math.max(findColumns(above).length, findColumns(below).length)

/** Whether a column of both holds two of one of them. */
function mergesColumns(above: readonly Line[], below: readonly Line[]): boolean {
  const both = findColumns([...above, ...below])
  return [above, below].some((part) => {
    const own = findColumns(part)
    return both.some(([left, right]) => own.filter(([a, b]) => a >= left && b <= right).length > 1)
  })
}
