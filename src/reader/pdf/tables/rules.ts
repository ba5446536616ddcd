// A page's ruling lines, horizontal or vertical, with collinear pieces joined; and titles between two of them.

import type { VectorGraphics } from '@llamaindex/liteparse'
import { RULE_GAP, SAME_RULE } from '../../page/tolerance.ts'
import { isFigure, type Line } from './lines.ts'

/** A line at `at` (y of a horizontal, x of a vertical one) from `from` to `to`, in points. */
export interface Rule {
  at: number
  from: number
  to: number
}

export interface Rules {
  horizontal: Rule[]
  vertical: Rule[]
}

const SHORTEST = 5
// A page with more pieces is a drawing.
const MOST_PIECES = 6000

export function pageRules(graphics: VectorGraphics | undefined): Rules {
  const horizontal: Rule[] = []
  const vertical: Rule[] = []
  const lines = graphics?.lines ?? []
  if (lines.length > MOST_PIECES) return { horizontal, vertical }
  for (const { x1, y1, x2, y2, fillColor, strokeColor } of lines) {
    if (isWhite(fillColor) || isWhite(strokeColor)) continue
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
    if (height <= 1 && width > 0)
      horizontal.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) })
    else if (width <= 1) vertical.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) })
  }
  return { horizontal: joined(horizontal), vertical: joined(vertical) }
}

const isWhite = (color: string | undefined): boolean => color !== undefined && /^ff?ffffff$/i.test(color)

function joined(rules: readonly Rule[]): Rule[] {
  const groups: Rule[][] = []
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && rule.at - last[0].at <= SAME_RULE) last.push(rule)
    else groups.push([rule])
  }
  return groups.flatMap(joinGroup).filter(({ from, to }) => to - from >= SHORTEST)
}

function joinGroup(group: readonly Rule[]): Rule[] {
  const whole: Rule[] = []
  for (const rule of [...group].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last !== undefined && rule.from - last.to <= RULE_GAP) last.to = Math.max(last.to, rule.to)
    else whole.push({ ...rule })
  }
  return whole
}

// In line heights: the distance of rules above and below a title to its text.
const BAND_EDGE = 0.8

/** Whether a line is a single text between two rules above column names: the title of the next table of a form. */
export function isBand(line: Line, [names, figures]: readonly Line[], horizontal: readonly Rule[]): boolean {
  const [, second] = line.segments
  if (second !== undefined || names === undefined || figures === undefined) return false
  const named = names.segments.length > 1 && names.segments.every(({ text }) => !/\d/.test(text))
  if (!named || !figures.segments.some(({ text }) => isFigure(text))) return false
  const near = (line.bbox[3] - line.bbox[1]) * BAND_EDGE
  const isRuled = (from: number, to: number): boolean =>
    horizontal.some(
      (rule) => rule.at >= from && rule.at <= to && rule.to - rule.from > (line.bbox[2] - line.bbox[0]) * 3,
    )
  return isRuled(line.bbox[1] - near, line.bbox[1] + 2) && isRuled(line.bbox[3] - 2, line.bbox[3] + near)
}
