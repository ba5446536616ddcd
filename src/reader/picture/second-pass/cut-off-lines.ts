// Lines with ink after their last word: where a ruling line runs through letters, recognition stops ("all copi"). Pure.

import type { BBox } from '../../block.ts'
import { type Bbox, type Line, type Word, wordsOf } from '../ocr/recognised.ts'
import { cropDeskewed, type GreyImage } from '../raster/grey-image.ts'
import type { Reading } from './low-confidence-words.ts'

/** A line, and the box that it really fills. */
interface CutOffLine {
  line: Line
  box: Bbox
}

// In line heights: the distance searched, the gap between letters or words, and the width of a letter.
const REACH = 8
const MAX_GAP = 0.5
const MIN_WIDTH = 0.3
// In line heights from the top; ink further down may be a ruling line.
const BAND = [0.15, 0.65] as const
// Pixels that belong to the last letter.
const LETTER_EDGE = 2
const MIN_CONTRAST = 60
const MIN_WORDS = 3
// Of 100.
const MIN_CONFIDENCE = 80

export function findCutOffLines(grey: GreyImage, lines: readonly Line[], skew: number): CutOffLine[] {
  const words = wordsOf(lines)
  return lines.flatMap((line) => {
    const last = line.words.at(-1)
    if (last === undefined || line.words.length < MIN_WORDS) return []
    const { y0, y1, x1 } = { ...line.bbox, x1: last.bbox.x1 }
    const height = y1 - y0
    const isAfter = ({ bbox }: Word): boolean =>
      bbox.x1 > x1 + LETTER_EDGE && bbox.x0 < x1 + height * REACH && bbox.y0 < y1 && bbox.y1 > y0
    const end = words.some(isAfter) ? 0 : inkEnd(grey, [x1 + LETTER_EDGE, y0, x1 + height * REACH, y1], skew)
    return end < height * MIN_WIDTH
      ? []
      : [{ line, box: { x0: line.bbox.x0, y0, x1: x1 + LETTER_EDGE + end + height * MAX_GAP, y1 } }]
  })
}

/** The width of the letters at the left of a box; 0 where they do not end within it. */
function inkEnd(grey: GreyImage, [left, top, right, bottom]: BBox, skew: number): number {
  const height = bottom - top
  const band: BBox = [left, top + height * BAND[0], Math.min(right, grey.width), top + height * BAND[1]]
  if (band[2] - left < height * MIN_WIDTH) return 0
  const { width, data } = cropDeskewed(grey, band, skew, 1)
  const lightest = data.reduce((most, shade) => Math.max(most, shade), 0)
  const columns = new Set<number>()
  for (const [at, shade] of data.entries()) if (shade <= lightest - MIN_CONTRAST) columns.add(at % width)
  let end = 0
  for (const column of [...columns].sort((a, b) => a - b))
    if (column - end <= height * MAX_GAP) end = column + 1
  return columns.size < height * MIN_WIDTH || end > width - height * MAX_GAP ? 0 : end
}

/** The line with the end that a confident reading adds; unchanged where the reading does not continue its last word. */
export function extendLine(line: Line, reading: readonly Reading[]): Line {
  const last = line.words.at(-1)
  if (last === undefined) return line
  const { y0, y1 } = last.bbox
  const added = reading.filter(({ right }) => right > last.bbox.x1 + LETTER_EDGE)
  const [first] = added
  if (first === undefined || added.some(({ confidence }) => confidence < MIN_CONFIDENCE)) return line
  const isLast = Math.abs(first.left - last.bbox.x0) <= (y1 - y0) / 2
  const isNext = first.left >= last.bbox.x1 - LETTER_EDGE
  if (!isNext && !(isLast && first.text.startsWith(last.text))) return line
  const words = added.map(
    ({ text, confidence, left, right }) =>
      ({ ...last, text, confidence, bbox: { x0: left, y0, x1: right, y1 } }) as Word,
  )
  return { ...line, words: [...line.words.slice(0, isLast ? -1 : undefined), ...words] }
}
