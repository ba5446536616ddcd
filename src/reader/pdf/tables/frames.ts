// Frames: ruling lines that touch are the borders of one table. And the cells they form, if they form a grid.

import type { BBox } from '../../block.ts'
import { type MergedCell, mergedCells } from '../../page/merged-cells.ts'
import { RULE_END, SAME_RULE } from '../../page/tolerance.ts'
import type { Rule, Rules } from './rules.ts'

export interface Frame {
  bbox: BBox
  /** Edges of rows from the top and of columns from the left, at least the outer ones. */
  ys: number[]
  xs: number[]
  rules: Rules
}

const LEAST_SIDE = 20
const MOST_EDGES = 400

/** Groups of touching horizontal and vertical rules with an extent in both directions. */
export function frames({ horizontal, vertical }: Rules): Frame[] {
  const all = [
    ...horizontal.map((rule) => ({ rule, box: [rule.from, rule.at, rule.to, rule.at] as BBox, isRow: true })),
    ...vertical.map((rule) => ({ rule, box: [rule.at, rule.from, rule.at, rule.to] as BBox, isRow: false })),
  ]
  const group = all.map((_, i) => i)
  const root = (i: number): number => {
    let at = i
    while (group[at] !== undefined && group[at] !== at) at = group[at] ?? at
    return at
  }
  all.forEach((a, i) => {
    for (let k = i + 1; k < all.length; k++) {
      const b = all[k]
      if (b !== undefined && a.isRow !== b.isRow && touches(a.box, b.box)) group[root(k)] = root(i)
    }
  })
  const parts = new Map<number, Rules>()
  all.forEach(({ rule, isRow }, i) => {
    const part = parts.get(root(i)) ?? { horizontal: [], vertical: [] }
    parts.set(root(i), part)
    ;(isRow ? part.horizontal : part.vertical).push(rule)
  })
  return withInner([...parts.values()].flatMap(toFrame))
}

/** A frame that is no grid without those inside it includes them: cells of a table may have frames of their own. */
function withInner(found: readonly Frame[]): Frame[] {
  const taken = new Set<Frame>()
  const whole = found.map((frame) => {
    const inner = found.filter((other) => other !== frame && isInside(other.bbox, frame.bbox))
    const joined = inner.length === 0 || ruledCells(frame) ? undefined : joinFrames([frame, ...inner])
    if (joined === undefined) return frame
    for (const each of inner) taken.add(each)
    return joined
  })
  return whole.filter((frame) => !taken.has(frame))
}

/** All their lines as one frame, if its cells are a grid. */
function joinFrames(apart: readonly Frame[]): Frame | undefined {
  const [joined] = toFrame({
    horizontal: apart.flatMap(({ rules }) => rules.horizontal),
    vertical: apart.flatMap(({ rules }) => rules.vertical),
  })
  return joined && ruledCells(joined) ? joined : undefined
}

const isInside = (a: BBox, b: BBox): boolean => a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3]

function touches(a: BBox, b: BBox): boolean {
  return (
    a[0] <= b[2] + RULE_END && b[0] <= a[2] + RULE_END && a[1] <= b[3] + RULE_END && b[1] <= a[3] + RULE_END
  )
}

function toFrame(rules: Rules): Frame[] {
  const { horizontal, vertical } = rules
  if (horizontal.length < 2 || vertical.length === 0) return []
  const ys = gridEdges(horizontal, vertical)
  const xs = gridEdges(vertical, horizontal)
  const [left, right, top, bottom] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return []
  if (right - left < LEAST_SIDE || bottom - top < LEAST_SIDE || xs.length * ys.length > MOST_EDGES * 10)
    return []
  return [{ bbox: [left, top, right, bottom], ys, xs, rules }]
}

// Borders drawn cell by cell end up to this far from the line across them: a gap of 5.5 points became a column.
const SHORT_OF = 7

/** The places of lines and of the ends of those across them, unless an end is next to a line. */
function gridEdges(lines: readonly Rule[], across: readonly Rule[]): number[] {
  const own = lines.map(({ at }) => at)
  const ends = across.flatMap(({ from, to }) => [from, to])
  return edges([...own, ...ends.filter((end) => !own.some((at) => Math.abs(at - end) < SHORT_OF))])
}

function edges(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last === undefined || value - last > RULE_END) found.push(value)
  }
  return found
}

/**
 * The frame's cells; undefined if a merged region is no rectangle (a drawing, not a table). Before giving up, cells are also
 * separated where the rules above and below them break: text over several columns has no line next to it then.
 */
export const ruledCells = (frame: Frame): MergedCell[] | undefined =>
  partedCells(frame, () => false) ??
  partedCells(
    frame,
    (x, top, bottom) => breaks(frame.rules.horizontal, x, top) && breaks(frame.rules.horizontal, x, bottom),
  )

/** Whether a rule at `y` begins or ends at `x`, and none crosses it. */
function breaks(rules: readonly Rule[], x: number, y: number): boolean {
  const there = rules.filter(({ at }) => Math.abs(at - y) <= RULE_END)
  return (
    there.some(({ from, to }) => Math.abs(from - x) <= RULE_END || Math.abs(to - x) <= RULE_END) &&
    !there.some(({ from, to }) => from < x - RULE_END && to > x + RULE_END)
  )
}

function partedCells(
  { xs, ys, rules }: Frame,
  isParted: (x: number, top: number, bottom: number) => boolean,
): MergedCell[] | undefined {
  const edge = (edges: readonly number[], at: number): number => edges[at] ?? 0
  return mergedCells(ys.length - 1, xs.length - 1, {
    right: (row, column) => {
      const [x, top, bottom] = [edge(xs, column + 1), edge(ys, row), edge(ys, row + 1)]
      return !covered(rules.vertical, x, top, bottom) && !isParted(x, top, bottom)
    },
    below: (row, column) =>
      !covered(rules.horizontal, edge(ys, row + 1), edge(xs, column), edge(xs, column + 1)),
  })
}

function covered(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  const middle = (from + to) / 2
  return rules.some((rule) => Math.abs(rule.at - at) <= RULE_END && rule.from <= middle && rule.to >= middle)
}

// Sheets whose rules break at every column and whose vertical lines run down some gutters only: the rows of each column
// have heights of their own.

type Piece = [number, number]

const LEAST_COLUMNS = 5
const LEAST_ROWS = 3
const WIDEST_GUTTER = 12
// Gutters with a line along half of the sheet, at least: underlined totals have none.
const LEAST_LINES = 2
// A sheet with 200 columns and 250 rows took 20 s. More cells than this are a drawing.
const MOST_CELLS = 4_000

/** The frames of such rules, with the lines that are not drawn. */
export function brokenFrames({ horizontal, vertical }: Rules): Frame[] {
  if (vertical.length < LEAST_LINES) return []
  const rows = ruleRows(horizontal)
  const found: Frame[] = []
  let next = 0
  rows.forEach((row, i) => {
    if (i < next || !isFinest(row)) return
    const columns = row.map(({ from, to }): Piece => [from, to])
    const lines = gutterLines(columns, vertical)
    let end = i + 1
    while (end < rows.length && fits(rows[end] ?? [], columns) && isCrossed(rows, end, lines)) end++
    let start = i
    while (start > 0 && i - start < 2 && fits(rows[start - 1] ?? [], columns)) start--
    next = end
    if ((end - start) * columns.length > MOST_CELLS) return
    const frame = sheetFrame(rows.slice(start, end), columns, at(row), lines)
    if (end - i >= LEAST_ROWS && frame !== undefined) found.push(frame)
  })
  return found
}

/** Rules in rows from the top, each from left to right. */
function ruleRows(horizontal: readonly Rule[]): Rule[][] {
  const rows: Rule[][] = []
  for (const rule of [...horizontal].sort((a, b) => a.at - b.at)) {
    const last = rows.at(-1)
    if (last !== undefined && rule.at - at(last) < SAME_RULE) last.push(rule)
    else rows.push([rule])
  }
  return rows.map((row) => row.sort((a, b) => a.from - b.from))
}

const at = (row: readonly Rule[]): number => row[0]?.at ?? 0

const isFinest = (row: readonly Rule[]): boolean =>
  row.length >= LEAST_COLUMNS &&
  row.every(({ from }, i) => {
    const gap = from - (row[i - 1]?.to ?? from - RULE_END)
    return gap > SAME_RULE && gap < WIDEST_GUTTER
  })

/** Whether each rule begins and ends at edges of columns. */
const fits = (row: readonly Rule[], columns: readonly Piece[]): boolean =>
  row.every(
    ({ from, to }) =>
      columns.some(([left]) => Math.abs(left - from) < RULE_END) &&
      columns.some(([, right]) => Math.abs(right - to) < RULE_END),
  )

/** Whether a vertical line reaches this row of rules from the one above. Otherwise the row is below the sheet. */
function isCrossed(rows: readonly Rule[][], row: number, lines: readonly Rule[]): boolean {
  const [above, below] = [at(rows[row - 1] ?? []), at(rows[row] ?? [])]
  return lines.some(({ from, to }) => Math.min(to, below) - Math.max(from, above) > (below - above) / 2)
}

const guttersOf = (columns: readonly Piece[]): Piece[] =>
  columns.slice(1).map(([from], i): Piece => [columns[i]?.[1] ?? from, from])

const isIn = (line: Rule, [from, to]: Piece): boolean => line.at > from - RULE_END && line.at < to + RULE_END

const gutterLines = (columns: readonly Piece[], vertical: readonly Rule[]): Rule[] => {
  const gutters = guttersOf(columns)
  return vertical.filter((line) => gutters.some((gutter) => isIn(line, gutter)))
}

function sheetFrame(
  rows: readonly Rule[][],
  columns: readonly Piece[],
  head: number,
  lines: readonly Rule[],
): Frame | undefined {
  const [left, right, top] = [columns[0]?.[0], columns.at(-1)?.[1], rows[0]?.[0]?.at]
  if (left === undefined || right === undefined || top === undefined) return undefined
  const gutters = guttersOf(columns)
  const last = at(rows.at(-1) ?? [])
  const drawn = gutters.map((gutter) =>
    lines.filter((line) => isIn(line, gutter) && line.to > head && line.from < last),
  )
  const isLong = (own: readonly Rule[]): boolean =>
    own.some((line) => line.to - line.from > (last - head) / 2)
  if (drawn.filter(isLong).length < LEAST_LINES) return undefined
  const bottom = Math.max(last, ...drawn.flat().map(({ to }) => to))
  const ys = [...rows.map(at), ...(bottom - last > SAME_RULE ? [bottom] : [])]
  const xs = [left, ...gutters.map(([from, to]) => (from + to) / 2), right]
  const slack = WIDEST_GUTTER / 2
  const horizontal = [
    ...rows.flatMap((row) => row.map((rule) => ({ ...rule, from: rule.from - slack, to: rule.to + slack }))),
    { at: bottom, from: left, to: right },
  ]
  const vertical = [left, right].map((x) => ({ at: x, from: top, to: bottom }))
  for (const [g, [from, to]] of gutters.entries())
    for (const [i, y] of ys.slice(1).entries()) {
      // Above the column names, a rule across a gutter underlines a name of both columns.
      const spans = y <= head && rows[i + 1]?.some((rule) => rule.from < from && rule.to > to)
      if (!spans) vertical.push({ at: xs[g + 1] ?? 0, from: ys[i] ?? 0, to: y })
    }
  return { bbox: [left, top, right, bottom], xs, ys, rules: { horizontal, vertical } }
}
