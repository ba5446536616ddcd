// Ruling lines of a drawn page: long thin runs of pixels that are darker than what lies on both sides.

import type { Grey } from './grey-image.ts'

/** A line's place: `at` across its direction, from `from` to `to` along it, in pixels. */
export interface Rule {
  at: number
  from: number
  to: number
  thickness: number
}

export interface Rules {
  across: Rule[]
  down: Rule[]
}

interface Run {
  at: number
  from: number
  to: number
}

// Of the page's longer side: 1.1 mm of a letter page is thicker than rules are, 7 mm longer than a letter's strokes.
const THICKEST = 1 / 250
const SHORTEST = 1 / 40
// Of 255: a light grey rule on white has 50.
const LEAST_CONTRAST = 32
// A rule is cut where others cross it, not everywhere.
const LEAST_COVERED = 0.85
// A photograph has strokes without end.
const MOST_RUNS = 20_000

/** How thick a rule may be on a page of this size; what stands as near as that to another place is at the same. */
export const thickest = ({ width, height }: Pick<Grey, 'width' | 'height'>): number =>
  Math.max(4, Math.round(Math.max(width, height) * THICKEST))

/** None where there are more strokes than a table has. */
export function findRules(grey: Grey): Rules {
  const { width, height } = grey
  return {
    across: rulesOf(runsAlong(grey, width, height, 1, width), thickest(grey)),
    down: rulesOf(runsAlong(grey, height, width, width, 1), thickest(grey)),
  }
}

/** Runs along lines of `length` pixels, `step` apart in the data; the `lines` lie `stride` apart. */
function runsAlong(grey: Grey, length: number, lines: number, step: number, stride: number): Run[] {
  const { data } = grey
  const side = thickest(grey)
  const shortest = Math.max(grey.width, grey.height) * SHORTEST
  const runs: Run[] = []
  for (let at = side; at < lines - side && runs.length <= MOST_RUNS; at++) {
    let from = -1
    let last = -1
    let covered = 0
    for (let i = 0, p = at * stride; i <= length; i++, p += step) {
      const most = i < length ? (data[p] ?? 0) + LEAST_CONTRAST : 256
      if ((data[p - side * stride] ?? 0) >= most && (data[p + side * stride] ?? 0) >= most) {
        if (from === -1) from = i
        last = i
        covered++
      } else if (from !== -1 && (i - last > side || i === length)) {
        if (last - from >= shortest && covered >= LEAST_COVERED * (last - from))
          runs.push({ at, from, to: last })
        from = -1
        covered = 0
      }
    }
  }
  return runs.length > MOST_RUNS ? [] : runs
}

/** Runs side by side, as one line of the page gives several where it is thick or leans a little. */
function rulesOf(runs: readonly Run[], most: number): Rule[] {
  const rules: { first: number; last: number; from: number; to: number }[] = []
  let open: typeof rules = []
  for (const { at, from, to } of runs) {
    open = open.filter((rule) => at - rule.last <= 2)
    const own = open.find((rule) => from <= rule.to && to >= rule.from)
    if (own === undefined) {
      const rule = { first: at, last: at, from, to }
      rules.push(rule)
      open.push(rule)
    } else {
      own.last = at
      own.from = Math.min(own.from, from)
      own.to = Math.max(own.to, to)
    }
  }
  return rules
    .map(({ first, last, from, to }) => ({ at: (first + last) / 2, from, to, thickness: last - first + 1 }))
    .filter(({ thickness }) => thickness <= most)
}
