// Tables of words and figures without rules, as invoices and statements have them: a line of names, and under it rows
// whose figures stand on the same right edges. The layout pass reads them as columns of text.

import type { BBox } from '../../../block.ts'
import { union } from '../../layout/place.ts'
import { isFigure, type Line, type Segment } from '../lines.ts'

const LEAST_NAMES = 3
// Three names have so many rows of as many cells.
const LEAST_ROWS_OF_THREE = 3
const MOST_NAME_WORDS = 4
// A row has as many texts, so many of them figures.
const LEAST_CELLS = 3
const LEAST_FIGURES = 2
const LEAST_ROWS = 2
// More say no more.
const MOST_LOOKED = 20
// Heights of a line from one line of the table to the next.
const MOST_PITCH = 2.6
// Lines between two rows: the other lines of a cell, the title of a group.
const MOST_BETWEEN = 4
// Points: a closing bracket stands out.
const SAME_EDGE = 5

/** Where a line of names stands over such rows; what goes on below them is found by the table's own rules. */
export function namedColumns(lines: readonly Line[]): BBox[] {
  const places: BBox[] = []
  let next = 0
  lines.forEach((names, i) => {
    if (i < next || !isNames(names)) return
    const { rows, end } = rowsBelow(names, lines, i + 1)
    if (!sharesEdges(names, rows)) return
    const whole = rows.filter(({ segments }) => segments.length === names.segments.length)
    if (names.segments.length === LEAST_NAMES && whole.length < LEAST_ROWS_OF_THREE) return
    next = end
    places.push(
      lines
        .slice(i, end)
        .map(({ bbox }) => bbox)
        .reduce(union),
    )
  })
  return places
}

const isNames = ({ segments }: Line): boolean =>
  segments.length >= LEAST_NAMES &&
  segments.every(
    ({ text, words }) => words.length <= MOST_NAME_WORDS && /\p{L}/u.test(text) && !isFigure(text),
  )

/** The rows from line `from` on, and the line behind the last of them. */
function rowsBelow(names: Line, lines: readonly Line[], from: number): { rows: Line[]; end: number } {
  const rows: Line[] = []
  let end = from
  for (let at = from; at - end <= MOST_BETWEEN; at++) {
    const line = lines[at]
    if (line === undefined || !isNear(lines[at - 1], line) || !standsUnder(names, line)) break
    if (isRow(line)) {
      rows.push(line)
      end = at + 1
    }
  }
  return { rows, end }
}

const isNear = (above: Line | undefined, { bbox }: Line): boolean =>
  above !== undefined && bbox[3] - above.bbox[3] < (bbox[3] - bbox[1]) * MOST_PITCH

/** Whether each text stands under a name of its own. */
function standsUnder(names: Line, { segments }: Line): boolean {
  let next = 0
  return segments.every((segment) => {
    while (next < names.segments.length && (names.segments[next]?.bbox[2] ?? 0) <= segment.bbox[0]) next++
    const [own, other] = names.segments.slice(next, next + 2)
    next++
    return own !== undefined && isUnder(own, segment) && (other === undefined || !isUnder(other, segment))
  })
}

const isUnder = (name: Segment, { bbox }: Segment): boolean =>
  Math.min(name.bbox[2], bbox[2]) > Math.max(name.bbox[0], bbox[0])

const figuresOf = ({ segments }: Line): Segment[] => segments.filter(({ text }) => isFigure(text))

const isRow = (line: Line): boolean =>
  line.segments.length >= LEAST_CELLS && figuresOf(line).length >= LEAST_FIGURES

/** Whether under two names at least figures stand on one edge. */
function sharesEdges(names: Line, rows: readonly Line[]): boolean {
  const figures = rows.slice(0, MOST_LOOKED).flatMap(figuresOf)
  const aligned = names.segments.filter((name) => {
    const own = figures.filter((figure) => isUnder(name, figure))
    return own.length >= LEAST_ROWS && [0, 2].some((side) => isOnEdge(own, side))
  })
  return aligned.length >= LEAST_FIGURES
}

function isOnEdge(texts: readonly Segment[], side: number): boolean {
  const edges = texts.map(({ bbox }) => bbox[side] ?? 0)
  return Math.max(...edges) - Math.min(...edges) < SAME_EDGE
}
