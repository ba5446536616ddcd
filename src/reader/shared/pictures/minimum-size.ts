// The minimum size of a picture with words that are worth recognising.

import type { PixelSize } from '../rasters/image-size.ts'

// Icons and bullets are smaller; a stamp in a receipt ("MEMBER EXCLUSIVE") has 200 × 70. Of 42 pictures in 66 PDFs two have
// less than 25,000, none less than this.
const MIN_PIXELS = 12_000
const MIN_SIDE_PIXELS = 40
// A longer strip is an ornament.
const MAX_ASPECT_RATIO = 20
/** The limit for one document. The same logo on 600 slides counts 600 times. */
export const MAX_PICTURES = 2000

export function isLargeEnough({ width, height }: PixelSize): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)]
  return short >= MIN_SIDE_PIXELS && width * height >= MIN_PIXELS && long <= MAX_ASPECT_RATIO * short
}
