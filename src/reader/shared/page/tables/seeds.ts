// Seeds: boxes in which there may be a table although no frame shows it. They come from liteparse, from named rows and columns
// (find-tables.ts), and from horizontal rules of the same width below each other. Seeds that are pieces of one table are joined.

import type { BBox } from '../../../block.ts'
import { union } from '../layout/boxes.ts'
import { RULE_END, sameBaseline } from '../tolerance.ts'
import { type Column, findColumns, isNumericLine, isProse } from './columns.ts'
import type { Line } from './lines.ts'
import type { Rule } from './rules.ts'
import { linesIn } from './stream.ts'

/**
 * Joins pieces of one table: seeds that overlap, or that are below each other with columns that fit together and no prose between
 * them.
 */
export function joinSeeds(seeds: readonly BBox[], lines: readonly Line[]): BBox[] {
  const joinedSeeds: BBox[] = []
  for (const seed of seeds.map((box) => widenedToPage(box, lines)).sort((a, b) => a[1] - b[1])) {
    const last = joinedSeeds.at(-1)
    if (last !== undefined && (areOverlapping(last, seed) || isSameTable(last, seed, lines)))
      joinedSeeds[joinedSeeds.length - 1] = union(last, seed)
    else joinedSeeds.push(seed)
  }
  return withHeaders(joinedSeeds, lines)
}

// In points: the maximum gap between the upper lines of a header and the table. It leaves little more room than for a ruling line.
const MAX_HEADER_GAP = 12

/**
 * Joins a seed to the table directly below it if it is the upper part of that table's header: no line of numbers, and nothing above
 * the first column (the labels).
 */
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
  const [headerLines, rows] = [linesIn(lines, above), linesIn(lines, below)]
  if (headerLines.some(isNumericLine) || rows.filter(isNumericLine).length < 2) return false
  const columns = findColumns(rows)
  const [labels, numbers] = columns
  return (
    labels !== undefined &&
    numbers !== undefined &&
    headerLines.every(({ segments }) =>
      segments.every(
        ({ bbox }) => bbox[0] > labels[1] && bbox[2] < (columns.at(-1)?.[1] ?? 0) + MAX_HEADER_GAP,
      ),
    )
  )
}

/** Whether two seeds overlap by more than the edge of a line, so that both have parts of the same lines. */
const areOverlapping = (a: BBox, b: BBox): boolean =>
  Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 3 && a[0] < b[2] && b[0] < a[2]

// In points: the maximum gap between two pieces of one table.
const MAX_BETWEEN = 90
const MAX_LINES_BETWEEN = 7

function isSameTable(above: BBox, below: BBox, lines: readonly Line[]): boolean {
  if (overlap([above[0], 0, above[2], 1], [below[0], 0, below[2], 1]) < 0.7) return false
  const linesBetween = linesIn(lines, [
    Math.min(above[0], below[0]),
    above[3],
    Math.max(above[2], below[2]),
    below[1],
  ])
  if (below[1] - above[3] > MAX_BETWEEN || linesBetween.length > MAX_LINES_BETWEEN) return false
  const columns = (box: BBox): Column[] => findColumns(linesIn(lines, box))
  const joinedColumns = columns(union(above, below))
  const [upper, lower] = [columns(above), columns(below)]
  // Joining two different tables would close gutters of one of them.
  if (joinedColumns.length < Math.max(upper.length, lower.length)) return false
  if (spansSeveralColumns(upper, lower) || spansSeveralColumns(lower, upper)) return false
  return !linesBetween.some((line) => isProse(line, joinedColumns))
}

/** Whether a column overlaps at least two of the other columns. */
const spansSeveralColumns = (columns: readonly Column[], otherColumns: readonly Column[]): boolean =>
  columns.some(([left, right]) => otherColumns.filter(([from, to]) => from < right && to > left).length > 1)

// Of the lines beside a box, at least this share must have the same baseline as a line in the box. Not all, because the label above
// a group of rows has no numbers on its line.
const MIN_ALIGNED_SHARE = 0.65

/**
 * The box over the full width of the page if most lines beside it are on its lines, such as labels; else the box as it is. Other
 * lines beside it are another column of the page.
 */
export function widenedToPage(box: BBox, lines: readonly Line[]): BBox {
  const boxLines = linesIn(lines, box)
  const pageWideBox: BBox = [0, box[1], 10_000, box[3]]
  const neighbours = linesIn(lines, pageWideBox)
  const linesBeside = neighbours.filter(({ segments }) =>
    segments.some(({ bbox }) => bbox[2] < box[0] || bbox[0] > box[2]),
  )
  const alignedLines = linesBeside.filter((line) =>
    boxLines.some(({ bbox }) => sameBaseline(bbox, line.bbox)),
  )
  const isTableWide =
    linesBeside.length > 0 &&
    alignedLines.length >= linesBeside.length * MIN_ALIGNED_SHARE &&
    alignedLines.length >= boxLines.length * 0.5
  return isTableWide ? pageWideBox : box
}

/** The share of the area of `a` that is inside `b`. */
export function overlap(a: BBox, b: BBox): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  return width <= 0 || height <= 0 ? 0 : (width * height) / Math.max(1, (a[2] - a[0]) * (a[3] - a[1]))
}

const MIN_RULES = 4
// In points: the maximum distance of two rules with a row between them.
const MAX_ROW_HEIGHT = 90

/**
 * The boxes of horizontal rules of the same width below each other, with rows between them. Such tables may have only words,
 * which liteparse treats as headings.
 */
export function findRuledSeeds(horizontal: readonly Rule[], lines: readonly Line[]): BBox[] {
  const stacks: Rule[][] = []
  for (const rule of horizontal) {
    const stack = stacks.find((other) => follows(other.at(-1), rule))
    if (stack === undefined) stacks.push([rule])
    else stack.push(rule)
  }
  const longStacks = stacks.filter(({ length }) => length >= MIN_RULES)
  return longStacks.flatMap((stack) => rowsBox(stack, lines) ?? [])
}

/** The box of a stack of rules if most lines between them are rows. In an array for `flatMap`. */
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

/** Whether a rule is below the last rule of a stack and as wide. */
const follows = (last: Rule | undefined, next: Rule): boolean =>
  last !== undefined &&
  Math.abs(last.from - next.from) < RULE_END &&
  Math.abs(last.to - next.to) < RULE_END &&
  next.at - last.at < MAX_ROW_HEIGHT
