// Ruling lines of a rendered page: long, thin runs of pixels that are darker than both sides. Pure.

import type { GreyImage } from './grey-image.ts'

/** In pixels: `at` is the position across its direction, `from` and `to` are along it. */
export interface RulingLine {
  at: number
  from: number
  to: number
  thickness: number
}

export interface RulingLines {
  horizontal: RulingLine[]
  vertical: RulingLine[]
}

interface Run {
  at: number
  from: number
  to: number
}

// Share of the page's longer side. On a letter page 1.1 mm is thicker than ruling lines are, and 7 mm longer than a letter's
// strokes.
const MAX_THICKNESS = 1 / 250
const MIN_LENGTH = 1 / 40
// Of 255: a light grey line on white has 50.
const MIN_CONTRAST = 32
// A line has gaps where others cross it, but covers at least this share of its length.
const MIN_COVERED_SHARE = 0.85
// More runs are the texture of a photograph.
const MAX_RUNS = 20_000

/** The maximum thickness of a ruling line on a page of this size. Lines no further apart than this are at the same position. */
export const maxThickness = ({ width, height }: Pick<GreyImage, 'width' | 'height'>): number =>
  Math.max(4, Math.round(Math.max(width, height) * MAX_THICKNESS))

/** None in a direction with too many runs. */
export function findRulingLines(grey: GreyImage): RulingLines {
  const { width, height } = grey
  return {
    horizontal: mergeRuns(runsAlong(grey, width, height, 1, width), maxThickness(grey)),
    vertical: mergeRuns(runsAlong(grey, height, width, width, 1), maxThickness(grey)),
  }
}

/** Runs along `lines` rows or columns of `length` pixels. `step` is the distance of pixels in the data, `stride` that of lines. */
function runsAlong(grey: GreyImage, length: number, lines: number, step: number, stride: number): Run[] {
  const { data } = grey
  const maxSide = maxThickness(grey)
  const minLength = Math.max(grey.width, grey.height) * MIN_LENGTH
  const runs: Run[] = []
  for (let at = maxSide; at < lines - maxSide && runs.length <= MAX_RUNS; at++) {
    let from = -1
    let last = -1
    let covered = 0
    for (let i = 0, p = at * stride; i <= length; i++, p += step) {
      const limit = i < length ? (data[p] ?? 0) + MIN_CONTRAST : 256
      if ((data[p - maxSide * stride] ?? 0) >= limit && (data[p + maxSide * stride] ?? 0) >= limit) {
        if (from === -1) from = i
        last = i
        covered++
      } else if (from !== -1 && (i - last > maxSide || i === length)) {
        if (last - from >= minLength && covered >= MIN_COVERED_SHARE * (last - from))
          runs.push({ at, from, to: last })
        from = -1
        covered = 0
      }
    }
  }
  return runs.length > MAX_RUNS ? [] : runs
}

/** Joins adjacent runs to one line, because a line that is thick or slightly skewed gives several. */
function mergeRuns(runs: readonly Run[], maxThickness: number): RulingLine[] {
  const lines: { first: number; last: number; from: number; to: number }[] = []
  let open: typeof lines = []
  for (const { at, from, to } of runs) {
    open = open.filter((line) => at - line.last <= 2)
    const openLine = open.find((line) => from <= line.to && to >= line.from)
    if (openLine === undefined) {
      const line = { first: at, last: at, from, to }
      lines.push(line)
      open.push(line)
    } else {
      openLine.last = at
      openLine.from = Math.min(openLine.from, from)
      openLine.to = Math.max(openLine.to, to)
    }
  }
  return lines
    .map(({ first, last, from, to }) => ({ at: (first + last) / 2, from, to, thickness: last - first + 1 }))
    .filter(({ thickness }) => thickness <= maxThickness)
}
