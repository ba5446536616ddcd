// Frames: groups of ruling lines that touch each other, as the borders of a table do. Also the cells that they form as a grid.

import type { BBox } from '../../../block.ts'
import { type MergedCell, mergedCells } from '../merged-cells.ts'
import { RULE_END } from '../tolerance.ts'
import type { Rule, Rules } from './rules.ts'

export interface Frame {
  bbox: BBox
  /** The edges of the rows from the top, with the outer edges. */
  ys: number[]
  /** The edges of the columns from the left, with the outer edges. */
  xs: number[]
  rules: Rules
}

// A smaller frame is no table.
const MIN_SIDE_POINTS = 20
// A frame with more crossings of its edges is a drawing or squared paper.
const MAX_GRID_CROSSINGS = 4000

/** Groups of touching horizontal and vertical rules with an extent in both directions. */
export function frames({ horizontal, vertical }: Rules): Frame[] {
  const all = [
    ...horizontal.map((rule) => ({ rule, box: [rule.from, rule.at, rule.to, rule.at] as BBox, isRow: true })),
    ...vertical.map((rule) => ({ rule, box: [rule.at, rule.from, rule.at, rule.to] as BBox, isRow: false })),
  ]
  // A disjoint-set forest: rules that touch have the same root.
  const parentIndex = all.map((_, i) => i)
  const root = (i: number): number => {
    let at = i
    while (parentIndex[at] !== undefined && parentIndex[at] !== at) at = parentIndex[at] ?? at
    return at
  }
  all.forEach((a, i) => {
    for (let k = i + 1; k < all.length; k++) {
      const b = all[k]
      if (b !== undefined && a.isRow !== b.isRow && touches(a.box, b.box)) parentIndex[root(k)] = root(i)
    }
  })
  const groups = new Map<number, Rules>()
  all.forEach(({ rule, isRow }, i) => {
    const group = groups.get(root(i)) ?? { horizontal: [], vertical: [] }
    groups.set(root(i), group)
    ;(isRow ? group.horizontal : group.vertical).push(rule)
  })
  return [...groups.values()].flatMap(toFrame)
}

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
  const isTooSmall = right - left < MIN_SIDE_POINTS || bottom - top < MIN_SIDE_POINTS
  if (isTooSmall || xs.length * ys.length > MAX_GRID_CROSSINGS) return []
  return [{ bbox: [left, top, right, bottom], ys, xs, rules }]
}

// In points. Borders that are drawn cell by cell end at most this far from the line that crosses them.
const MAX_END_GAP = 7

/** The positions of lines, and of the ends of the lines that cross them, except for ends near a line. */
function gridEdges(lines: readonly Rule[], crossingLines: readonly Rule[]): number[] {
  const positions = lines.map(({ at }) => at)
  const ends = crossingLines.flatMap(({ from, to }) => [from, to])
  return edges([
    ...positions,
    ...ends.filter((end) => !positions.some((at) => Math.abs(at - end) < MAX_END_GAP)),
  ])
}

/** The positions in ascending order; positions that differ little are one. */
function edges(values: readonly number[]): number[] {
  const positions: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = positions.at(-1)
    if (last === undefined || value - last > RULE_END) positions.push(value)
  }
  return positions
}

/** The cells of a frame. Undefined if a merged region is not a rectangle, because then the frame is a drawing. */
export function ruledCells({ xs, ys, rules }: Frame): MergedCell[] | undefined {
  const edge = (edges: readonly number[], at: number): number => edges[at] ?? 0
  return mergedCells(ys.length - 1, xs.length - 1, {
    right: (row, column) => {
      const [x, top, bottom] = [edge(xs, column + 1), edge(ys, row), edge(ys, row + 1)]
      return !isCovered(rules.vertical, x, top, bottom)
    },
    below: (row, column) =>
      !isCovered(rules.horizontal, edge(ys, row + 1), edge(xs, column), edge(xs, column + 1)),
  })
}

/** Whether a rule at a position crosses the middle of a range. */
function isCovered(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  const middle = (from + to) / 2
  return rules.some((rule) => Math.abs(rule.at - at) <= RULE_END && rule.from <= middle && rule.to >= middle)
}
