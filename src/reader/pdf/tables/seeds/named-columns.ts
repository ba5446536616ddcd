// Tables of words and figures without rules, as invoices and statements have them: a line of names, and under it rows
// whose figures stand on the same right edges. The layout pass reads them as columns of text.

import type { BBox } from '../../../block.ts'
import { ROW_PITCH, sameFigureEdge, usualHeight } from '../../../page/tolerance.ts'
import { isFigure, type Line, type Segment } from '../lines.ts'
import { isUnder, placesBelowNames } from './below-names.ts'

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
// Lines between two rows: the other lines of a cell, the title of a group.
const MOST_BETWEEN = 4

/** Where a line of names stands over such rows; what goes on below them is found by the table's own rules. */
export const namedColumns = (lines: readonly Line[]): BBox[] =>
  placesBelowNames(lines, {
    isNames,
    pitch: ROW_PITCH,
    isRow: (names, line) => isRow(line) && standsUnder(names, line),
    mayStand: standsUnder,
    mostBetween: MOST_BETWEEN,
    isTable: (names, rows) => sharesEdges(names, rows) && isLong(names, rows),
  })

const isLong = ({ segments: names }: Line, rows: readonly Line[]): boolean =>
  names.length > LEAST_NAMES ||
  rows.filter(({ segments }) => segments.length === names.length).length >= LEAST_ROWS_OF_THREE

const isNames = ({ segments }: Line): boolean =>
  segments.length >= LEAST_NAMES &&
  segments.every(
    ({ text, words }) => words.length <= MOST_NAME_WORDS && /\p{L}/u.test(text) && !isFigure(text),
  )

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
  return sameFigureEdge(Math.max(...edges), Math.min(...edges), usualHeight(texts))
}
