// Stacks of rules of one width with a text or two between each: tables of words the layout pass takes for headings.

import type { BBox } from '../../../block.ts'
import { RULE_END } from '../../../page/tolerance.ts'
import type { Line } from '../lines.ts'
import type { Rule } from '../rules.ts'
import { linesIn } from '../stream.ts'

const LEAST_RULES = 4
const MOST_ROW_HEIGHT = 90

/** Where such stacks stand. */
export function ruledRows(horizontal: readonly Rule[], lines: readonly Line[]): BBox[] {
  const stacks: Rule[][] = []
  for (const rule of horizontal) {
    const stack = stacks.find((other) => follows(other.at(-1), rule))
    if (stack === undefined) stacks.push([rule])
    else stack.push(rule)
  }
  const tall = stacks.filter(({ length }) => length >= LEAST_RULES)
  return tall.flatMap((stack) => place(stack, lines) ?? place(rowsOnly(stack, lines), lines) ?? [])
}

/** The stack's place where most of what stands between its rules is rows: a list wrapped for `flatMap`. */
function place(stack: readonly Rule[], lines: readonly Line[]): [BBox] | undefined {
  const box = boxOf(stack)
  if (box === undefined || stack.length < LEAST_RULES) return undefined
  const own = linesIn(lines, box)
  const several = own.filter(isRow).length
  return several >= LEAST_RULES - 1 && several * 2 >= own.length ? [box] : undefined
}

/** The longest run of rules with a row between each two: a title in a frame above, and a box of text below, are none. */
function rowsOnly(stack: readonly Rule[], lines: readonly Line[]): Rule[] {
  const runs: Rule[][] = [[]]
  for (const rule of stack) {
    const above = runs.at(-1)?.at(-1)
    const between = above === undefined ? [] : linesIn(lines, boxOf([above, rule]) ?? [0, 0, 0, 0])
    if (above === undefined || between.some(isRow)) runs.at(-1)?.push(rule)
    else runs.push([rule])
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
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
  next.at - last.at < MOST_ROW_HEIGHT
