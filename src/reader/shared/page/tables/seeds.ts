// Where a table may be if no frame shows it: the places that the layout pass saw, joined if they are pieces of one table, and
// stacks of rules with the same width.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import { RULE_END, sameBaseline } from '../tolerance.ts'
import { type Column, findColumns, isNumericLine, isProse } from './columns.ts'
import type { Line } from './lines.ts'
import type { Rule } from './rules.ts'
import { linesIn } from './stream.ts'

/** Joins pieces of one table: below each other with the same columns, and with only labels between them. */
export function joinSeeds(seeds: readonly BBox[], lines: readonly Line[]): BBox[] {
  const joined: BBox[] = []
  for (const seed of seeds.map((box) => withSides(box, lines)).sort((a, b) => a[1] - b[1])) {
    const last = joined.at(-1)
    if (last !== undefined && (isBeside(last, seed) || isSameTable(last, seed, lines)))
      joined[joined.length - 1] = union(last, seed)
    else joined.push(seed)
  }
  return withHeaders(joined, lines)
}

// Points from an upper header line to the table below it: little more than the space of a rule.
const MAX_HEADER_GAP = 12

/** Lines of words right above a table's figures, with no word over its labels, are upper lines of its header. */
function withHeaders(seeds: readonly BBox[], lines: readonly Line[]): BBox[] {
  const joinedSeeds: BBox[] = []
  for (const seed of seeds) {
    const above = joinedSeeds.at(-1)
    if (above !== undefined && isHeaderOf(above, seed, lines))
      joinedSeeds[joinedSeeds.length - 1] = union(above, seed)
    else joinedSeeds.push(seed)
  }
  return joinedSeeds
}

function isHeaderOf(above: BBox, below: BBox, lines: readonly Line[]): boolean {
  const gap = below[1] - above[3]
  if (gap < -MAX_HEADER_GAP / 4 || gap > MAX_HEADER_GAP) return false
  const [names, rows] = [linesIn(lines, above), linesIn(lines, below)]
  if (names.some(isNumericLine) || rows.filter(isNumericLine).length < 2) return false
  const columns = findColumns(rows)
  const [labels, figures] = columns
  return (
    labels !== undefined &&
    figures !== undefined &&
    names.every(({ segments }) =>
      segments.every(
        ({ bbox }) => bbox[0] > labels[1] && bbox[2] < (columns.at(-1)?.[1] ?? 0) + MAX_HEADER_GAP,
      ),
    )
  )
}

/** Whether two seeds are parts of the same lines. */
const isBeside = (a: BBox, b: BBox): boolean =>
  Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 3 && a[0] < b[2] && b[0] < a[2]

const MAX_BETWEEN = 90
const MAX_LINES_BETWEEN = 7

function isSameTable(above: BBox, below: BBox, lines: readonly Line[]): boolean {
  if (overlap([above[0], 0, above[2], 1], [below[0], 0, below[2], 1]) < 0.7) return false
  const between = linesIn(lines, [
    Math.min(above[0], below[0]),
    above[3],
    Math.max(above[2], below[2]),
    below[1],
  ])
  if (below[1] - above[3] > MAX_BETWEEN || between.length > MAX_LINES_BETWEEN) return false
  const columns = (box: BBox): Column[] => findColumns(linesIn(lines, box))
  const joined = columns(union(above, below))
  const [upper, lower] = [columns(above), columns(below)]
  // Joining two different tables would close gutters of one of them.
  if (joined.length < Math.max(upper.length, lower.length)) return false
  if (spansSeveralColumns(upper, lower) || spansSeveralColumns(lower, upper)) return false
  return !between.some((line) => isProse(line, joined))
}

/** Whether a column overlaps at least two of the other columns. */
const spansSeveralColumns = (columns: readonly Column[], others: readonly Column[]): boolean =>
  columns.some(([left, right]) => others.filter(([from, to]) => from < right && to > left).length > 1)

// The minimum share of the lines beside the box that are on a line of it. It is below 1 because labels above groups of rows
// have no figures on their line.
const MIN_ALIGNED_SHARE = 0.65

/** The box with the labels next to it: text on its lines, and not another column of the page with different lines. */
export function withSides(box: BBox, lines: readonly Line[]): BBox {
  const boxLines = linesIn(lines, box)
  const pageWideBox: BBox = [0, box[1], 10_000, box[3]]
  const neighbours = linesIn(lines, pageWideBox)
  const sides = { left: 0, right: 0, all: 0 }
  for (const line of neighbours) {
    const outside = line.segments.filter(({ bbox }) => bbox[2] < box[0] || bbox[0] > box[2])
    if (outside.length === 0) continue
    sides.all++
    if (boxLines.some(({ bbox }) => sameBaseline(bbox, line.bbox))) sides.left++
  }
  if (sides.all === 0 || sides.left < sides.all * MIN_ALIGNED_SHARE || sides.left < boxLines.length * 0.5)
    return box
  return [0, box[1], 10_000, box[3]]
}

/** The share of the area of `a` that is inside `b`. */
export function overlap(a: BBox, b: BBox): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  return width <= 0 || height <= 0 ? 0 : (width * height) / Math.max(1, (a[2] - a[0]) * (a[3] - a[1]))
}

// Rules of one width below each other, with a text or two between them: tables of words that the layout pass treats as
// headings.

const MIN_RULES = 4
const MAX_ROW_HEIGHT = 90

/** The boxes of stacks of rules with rows between them. */
export function ruledRows(horizontal: readonly Rule[], lines: readonly Line[]): BBox[] {
  const stacks: Rule[][] = []
  for (const rule of horizontal) {
    const stack = stacks.find((other) => follows(other.at(-1), rule))
    if (stack === undefined) stacks.push([rule])
    else stack.push(rule)
  }
  const longStacks = stacks.filter(({ length }) => length >= MIN_RULES)
  return longStacks.flatMap((stack) => rowsBox(stack, lines) ?? [])
}

/** The position of the stack if most lines between its rules are rows. In an array for `flatMap`. */
function rowsBox(stack: readonly Rule[], lines: readonly Line[]): [BBox] | undefined {
  const box = boxOf(stack)
  if (box === undefined || stack.length < MIN_RULES) return undefined
  const stackLines = linesIn(lines, box)
  const rowCount = stackLines.filter(isRow).length
  return rowCount >= MIN_RULES - 1 && rowCount * 2 >= stackLines.length ? [box] : undefined
}

const isRow = ({ segments }: Line): boolean => segments.length > 1

function boxOf(stack: readonly Rule[]): BBox | undefined {
  const [first, last] = [stack[0], stack.at(-1)]
  return first === undefined || last === undefined ? undefined : [first.from, first.at, first.to, last.at]
}

const follows = (last: Rule | undefined, next: Rule): boolean =>
  last !== undefined &&
  Math.abs(last.from - next.from) < RULE_END &&
  Math.abs(last.to - next.to) < RULE_END &&
  next.at - last.at < MAX_ROW_HEIGHT
