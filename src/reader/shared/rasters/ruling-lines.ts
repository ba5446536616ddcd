// Finds the ruling lines of a rendered page: long, thin runs of pixels that are darker than the pixels on both sides.

import type { GreyImage } from './grey-image.ts'

/** All values are pixels. `at` is the position across the direction of the line, `from` and `to` are positions along it. */
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

/** Successive dark pixels in a row or column. */
interface Run {
  at: number
  from: number
  to: number
}

// As a share of the longer side of the page. 1.1 mm on a letter page, which is more than the thickness of a ruling line.
const MAX_THICKNESS = 1 / 250
// As a share of the longer side of the page. 7 mm on a letter page, which is longer than the stroke of a letter.
const MIN_LENGTH = 1 / 40
// Of 255. A light grey line on white has a contrast of 50.
const MIN_CONTRAST = 32
// A line has gaps where other lines cross it, but covers at least this share of its length.
const MIN_COVERED_SHARE = 0.85
// A page with more runs is a photograph.
const MAX_RUNS = 20_000

/** The maximum thickness of a ruling line on a page of this size. Lines with a smaller distance are at the same position. */
export const maxThickness = ({ width, height }: Pick<GreyImage, 'width' | 'height'>): number =>
  Math.max(4, Math.round(Math.max(width, height) * MAX_THICKNESS))

/** The ruling lines of both directions. A direction with too many runs has none. */
export function findRulingLines(grey: GreyImage): RulingLines {
  const { width, height } = grey
  return {
    horizontal: mergeRuns(
      runsAlong(grey, { length: width, lines: height, step: 1, stride: width }),
      maxThickness(grey),
    ),
    vertical: mergeRuns(
      runsAlong(grey, { length: height, lines: width, step: width, stride: 1 }),
      maxThickness(grey),
    ),
  }
}

/** The rows or the columns of an image. */
interface Scan {
  /** The number of rows or columns. */
  lines: number
  /** The number of pixels in each row or column. */
  length: number
  /** The distance in the data from a pixel to the next one of the same row or column. */
  step: number
  /** The distance in the data from a row or column to the next one. */
  stride: number
}

/** The dark runs along the rows or columns. */
function runsAlong(grey: GreyImage, { length, lines, step, stride }: Scan): Run[] {
  const { data } = grey
  // The pixels at this distance on both sides must be lighter.
  const sideDistance = maxThickness(grey)
  const minLength = Math.max(grey.width, grey.height) * MIN_LENGTH
  const runs: Run[] = []
  for (let at = sideDistance; at < lines - sideDistance && runs.length <= MAX_RUNS; at++) {
    let from = -1
    let last = -1
    let darkPixels = 0
    for (let i = 0, index = at * stride; i <= length; i++, index += step) {
      const minSideShade = i < length ? (data[index] ?? 0) + MIN_CONTRAST : 256
      const sideBefore = data[index - sideDistance * stride] ?? 0
      const sideAfter = data[index + sideDistance * stride] ?? 0
      if (sideBefore >= minSideShade && sideAfter >= minSideShade) {
        if (from === -1) from = i
        last = i
        darkPixels++
      } else if (from !== -1 && (i - last > sideDistance || i === length)) {
        if (last - from >= minLength && darkPixels >= MIN_COVERED_SHARE * (last - from))
          runs.push({ at, from, to: last })
        from = -1
        darkPixels = 0
      }
    }
  }
  return runs.length > MAX_RUNS ? [] : runs
}

/** Joins adjacent runs to one line, because a thick or slightly skewed line has several runs. */
function mergeRuns(runs: readonly Run[], maxThickness: number): RulingLine[] {
  const lines: { first: number; last: number; from: number; to: number }[] = []
  let openLines: typeof lines = []
  for (const { at, from, to } of runs) {
    openLines = openLines.filter((line) => at - line.last <= 2)
    const openLine = openLines.find((line) => from <= line.to && to >= line.from)
    if (openLine === undefined) {
      const line = { first: at, last: at, from, to }
      lines.push(line)
      openLines.push(line)
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
