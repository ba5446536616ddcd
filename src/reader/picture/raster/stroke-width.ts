// How thick the strokes of a scan's words are: what is bold is thicker than the text around it at the same height. Pure.

import type { Block, Word } from 'tesseract.js'
import type { BBox } from '../../block.ts'
import { cutOut } from './deskewed-crop.ts'
import { commonest, type Grey, shadesOf } from './grey-image.ts'

/** Pixels, by word. */
export type Strokes = ReadonlyMap<Word, number>

// Shades from the ground: less is paper, dust, what JPEG leaves around letters.
const LEAST_CONTRAST = 40
// Fewer letters have too few strokes.
const TELLING = /[\p{L}\p{N}]{3}/u

/** The strokes of the words that are long enough to tell; 30 ms a page. */
export function strokesOf(grey: Grey, found: readonly Block[], turned: number): Strokes {
  const lines = found.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
  const words = lines.flatMap((line) => line.words).filter(({ text }) => TELLING.test(text))
  return new Map(
    words.flatMap((word): [Word, number][] => {
      const { x0, y0, x1, y1 } = word.bbox
      const stroke = strokeOf(partOf(grey, [x0, y0, x1, y1], turned))
      return stroke === undefined ? [] : [[word, stroke]]
    }),
  )
}

function partOf(grey: Grey, box: BBox, turned: number): Grey {
  if (turned !== 0) return cutOut(grey, box, turned, 1)
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
 * The ink of a row of pixels, divided by half of what its shade rises and falls by: a stroke's width whatever its shade, and
 * however much it is blurred.
 */
function strokeOf({ width, height, data }: Grey): number | undefined {
  const ground = commonest(shadesOf(data))
  let [ink, change] = [0, 0]
  for (let y = 0; y < height; y++) {
    let before = 0
    for (let at = y * width; at < (y + 1) * width; at++) {
      const depth = Math.abs(ground - (data[at] ?? ground))
      const here = depth < LEAST_CONTRAST ? 0 : depth
      ink += here
      change += Math.abs(here - before)
      before = here
    }
    change += before
  }
  return change === 0 ? undefined : (2 * ink) / change
}
