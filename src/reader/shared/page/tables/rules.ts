// The horizontal and vertical ruling lines of a page ("rules"). Collinear pieces are joined.

import type { VectorGraphics } from '@llamaindex/liteparse'
import { RULE_GAP, SAME_RULE } from '../tolerance.ts'

/** A line at `at` (the y of a horizontal line, the x of a vertical one) from `from` to `to`, in points. */
export interface Rule {
  at: number
  from: number
  to: number
}

export interface Rules {
  horizontal: Rule[]
  vertical: Rule[]
}

const MIN_LENGTH_POINTS = 5
// A page with more pieces is a drawing.
const MAX_PIECES = 6000

export function pageRules(graphics: VectorGraphics | undefined): Rules {
  const horizontal: Rule[] = []
  const vertical: Rule[] = []
  const lines = graphics?.lines ?? []
  if (lines.length > MAX_PIECES) return { horizontal, vertical }
  for (const { x1, y1, x2, y2, fillColor, strokeColor } of lines) {
    if (isWhite(fillColor) || isWhite(strokeColor)) continue
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
    if (height <= 1 && width > 0)
      horizontal.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) })
    else if (width <= 1) vertical.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) })
  }
  return { horizontal: joinCollinear(horizontal), vertical: joinCollinear(vertical) }
}

const isWhite = (color: string | undefined): boolean => color !== undefined && /^ff?ffffff$/i.test(color)

function joinCollinear(rules: readonly Rule[]): Rule[] {
  const groups: Rule[][] = []
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && rule.at - last[0].at <= SAME_RULE) last.push(rule)
    else groups.push([rule])
  }
  return groups.flatMap(joinGroup).filter(({ from, to }) => to - from >= MIN_LENGTH_POINTS)
}

function joinGroup(group: readonly Rule[]): Rule[] {
  const joinedRules: Rule[] = []
  for (const rule of [...group].sort((a, b) => a.from - b.from)) {
    const last = joinedRules.at(-1)
    if (last !== undefined && rule.from - last.to <= RULE_GAP) last.to = Math.max(last.to, rule.to)
    else joinedRules.push({ ...rule })
  }
  return joinedRules
}
