// Measures the stroke width of the words of a scan: bold letters have wider strokes than other text of the same height. Pure.

import type { BBox } from '../../block.ts'
import { cropDeskewed, type GreyImage, histogram, mostFrequent } from '../rasters/grey-image.ts'
import { type Line, type Word, wordsOf } from './recognised.ts'

/** The width of a word's strokes in pixels, by word. */
export type StrokeWidths = ReadonlyMap<Word, number>

// Lower contrast is paper, dust, or JPEG artefacts around letters.
const MIN_CONTRAST = 40
// Shorter words have too few strokes.
const MEASURABLE = /[\p{L}\p{N}]{3}/u

/** The stroke widths of words that are long enough to be measured. Takes 30 ms a page. */
export function measureStrokes(grey: GreyImage, lines: readonly Line[], skew: number): StrokeWidths {
  const words = wordsOf(lines).filter(({ text }) => MEASURABLE.test(text))
  return new Map(
    words.flatMap((word): [Word, number][] => {
      const { x0, y0, x1, y1 } = word.bbox
      const width = strokeWidth(crop(grey, [x0, y0, x1, y1], skew))
      return width === undefined ? [] : [[word, width]]
    }),
  )
}

function crop(grey: GreyImage, box: BBox, skew: number): GreyImage {
  if (skew !== 0) return cropDeskewed(grey, box, skew, 1)
  const [left, top] = [Math.max(0, Math.floor(box[0])), Math.max(0, Math.floor(box[1]))]
  const width = Math.max(0, Math.min(grey.width, Math.ceil(box[2])) - left)
  const height = Math.max(0, Math.min(grey.height, Math.ceil(box[3])) - top)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = (top + y) * grey.width + left
    data.set(grey.data.subarray(from, from + width), y * width)
  }
  return { width, height, data }
}

/**
 * The stroke width of a word: its total ink divided by half of the total change of shade along the rows, since each stroke
 * changes the shade twice. The result does not depend on the shade or on blur.
 */
function strokeWidth({ width, height, data }: GreyImage): number | undefined {
  const background = mostFrequent(histogram(data))
  let [ink, change] = [0, 0]
  for (let y = 0; y < height; y++) {
    let previousContrast = 0
    for (let at = y * width; at < (y + 1) * width; at++) {
      const contrast = Math.abs(background - (data[at] ?? background))
      const currentContrast = contrast < MIN_CONTRAST ? 0 : contrast
      ink += currentContrast
      change += Math.abs(currentContrast - previousContrast)
      previousContrast = currentContrast
    }
    change += previousContrast
  }
  return change === 0 ? undefined : (2 * ink) / change
}
