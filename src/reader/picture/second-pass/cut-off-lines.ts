// Lines whose ink goes on behind their last word: where a rule runs through letters a reading ends ("all copi"). Pure.

import type { Bbox, Block, Line, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import { cutOut } from '../raster/deskewed-crop.ts'
import type { Grey } from '../raster/grey-image.ts'
import type { Reading } from './low-confidence-words.ts'

/** A line, and the box in which it goes on. */
export interface Tail {
  line: Line
  box: Bbox
}

// Of the line's height: how far is looked, how far apart letters and words of it stand, how wide a letter is.
const REACH = 8
const APART = 0.5
const LEAST_WIDTH = 0.3
// Of its height from the top: what stands below may be a rule.
const BAND = [0.15, 0.65] as const
// Pixels that belong to the last letter.
const OWN = 2
const LEAST_CONTRAST = 60
const LEAST_WORDS = 3
const SURE_CONFIDENCE = 80

/** The lines of a few words with ink behind them in which no words were read. */
export function cutTails(grey: Grey, found: readonly Block[], turned: number): Tail[] {
  const lines = found.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
  const words = lines.flatMap((line) => line.words)
  return lines.flatMap((line) => {
    const last = line.words.at(-1)
    if (last === undefined || line.words.length < LEAST_WORDS) return []
    const { y0, y1, x1 } = { ...line.bbox, x1: last.bbox.x1 }
    const height = y1 - y0
    const isBehind = ({ bbox }: Word): boolean =>
      bbox.x1 > x1 + OWN && bbox.x0 < x1 + height * REACH && bbox.y0 < y1 && bbox.y1 > y0
    const end = words.some(isBehind) ? 0 : inkEnd(grey, [x1 + OWN, y0, x1 + height * REACH, y1], turned)
    return end < height * LEAST_WIDTH
      ? []
      : [{ line, box: { x0: line.bbox.x0, y0, x1: x1 + OWN + end + height * APART, y1 } }]
  })
}

/** How far letters go from the left of a box; 0 where there is other ink too. */
function inkEnd(grey: Grey, [left, top, right, bottom]: BBox, turned: number): number {
  const height = bottom - top
  const band: BBox = [left, top + height * BAND[0], Math.min(right, grey.width), top + height * BAND[1]]
  if (band[2] - left < height * LEAST_WIDTH) return 0
  const { width, data } = cutOut(grey, band, turned, 1)
  const lightest = data.reduce((most, shade) => Math.max(most, shade), 0)
  const columns = new Set<number>()
  for (const [at, shade] of data.entries()) if (shade <= lightest - LEAST_CONTRAST) columns.add(at % width)
  let end = 0
  for (const column of [...columns].sort((a, b) => a - b))
    if (column - end <= height * APART) end = column + 1
  return columns.size < height * LEAST_WIDTH || end > width - height * APART ? 0 : end
}

/** The line as it goes on where its reading is sure and says what stood there before. */
export function withTail(line: Line, reading: readonly Reading[]): Line {
  const last = line.words.at(-1)
  if (last === undefined) return line
  const { y0, y1 } = last.bbox
  const more = reading.filter(({ right }) => right > last.bbox.x1 + OWN)
  const [first] = more
  if (first === undefined || more.some(({ confidence }) => confidence < SURE_CONFIDENCE)) return line
  const isSame = Math.abs(first.left - last.bbox.x0) <= (y1 - y0) / 2
  const isNext = first.left >= last.bbox.x1 - OWN
  if (!isNext && !(isSame && first.text.startsWith(last.text))) return line
  const words = more.map(
    ({ text, confidence, left, right }) =>
      ({ ...last, text, confidence, bbox: { x0: left, y0, x1: right, y1 } }) as Word,
  )
  return { ...line, words: [...line.words.slice(0, isSame ? -1 : undefined), ...words] }
}
