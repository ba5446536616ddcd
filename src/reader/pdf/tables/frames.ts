// Frames: ruling lines that touch, as the edges of one table; and the cells they part when they part them fully.

import type { BBox } from '../../block.ts'
import { RULE_END } from '../../page/tolerance.ts'
import type { Rule, Rules } from './rules.ts'

export interface Frame {
  bbox: BBox
  /** Rows' edges from the top, columns' edges from the left: at least the outer ones. */
  ys: number[]
  xs: number[]
  rules: Rules
}

/** A cell of the ruled grid: slots from `row`, `column`, merged where no line parts them. */
export interface RuledCell {
  row: number
  column: number
  rows: number
  columns: number
}

const LEAST_SIDE = 20
const MOST_EDGES = 400

/** Groups of touching horizontal and vertical rules that have an extent in both directions. */
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

/** Frames that are no grid without those inside them take these in: cells of one table may be framed apart from it. */
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

// Borders drawn cell by cell end this far from the line that crosses them: 5.5 points made a column of the gap.
const SHORT_OF = 7

/** Where lines stand, and where those across them end, unless that is next to one of them. */
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
 * The frame's cells; undefined when some merged region is no rectangle (a drawing, not a table). Where that is so, cells
 * are parted too where the rules above and below them break: a text over several columns has no line beside it then.
 */
export const ruledCells = (frame: Frame): RuledCell[] | undefined =>
  partedCells(frame, () => false) ??
  partedCells(
    frame,
    (x, top, bottom) => breaks(frame.rules.horizontal, x, top) && breaks(frame.rules.horizontal, x, bottom),
  )

/** Whether a rule at `y` begins or ends at `x` and none runs over it. */
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
): RuledCell[] | undefined {
  const [width, height] = [xs.length - 1, ys.length - 1]
  const group = Array.from({ length: width * height }, (_, i) => i)
  const merge = (a: number, b: number): void => {
    const [from, to] = [group[b], group[a]]
    if (from === undefined || to === undefined || from === to) return
    for (let i = 0; i < group.length; i++) if (group[i] === from) group[i] = to
  }
  for (let r = 0; r < height; r++)
    for (let c = 0; c < width; c++) {
      const [x, y] = [xs[c + 1] ?? 0, ys[r + 1] ?? 0]
      const top = ys[r] ?? 0
      if (c + 1 < width && !covered(rules.vertical, x, top, y) && !isParted(x, top, y))
        merge(r * width + c, r * width + c + 1)
      if (r + 1 < height && !covered(rules.horizontal, y, xs[c] ?? 0, x))
        merge(r * width + c, (r + 1) * width + c)
    }
  return rectangles(group, width)
}

function covered(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  const middle = (from + to) / 2
  return rules.some((rule) => Math.abs(rule.at - at) <= RULE_END && rule.from <= middle && rule.to >= middle)
}

function rectangles(group: readonly number[], width: number): RuledCell[] | undefined {
  const boxes = new Map<number, { left: number; right: number; top: number; bottom: number; size: number }>()
  group.forEach((key, i) => {
    const [r, c] = [Math.floor(i / width), i % width]
    const box = boxes.get(key) ?? { left: c, right: c, top: r, bottom: r, size: 0 }
    boxes.set(key, {
      left: Math.min(box.left, c),
      right: Math.max(box.right, c),
      top: Math.min(box.top, r),
      bottom: Math.max(box.bottom, r),
      size: box.size + 1,
    })
  })
  const cells: RuledCell[] = []
  for (const { left, right, top, bottom, size } of boxes.values()) {
    if ((right - left + 1) * (bottom - top + 1) !== size) return undefined
    cells.push({ row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 })
  }
  return cells
}
