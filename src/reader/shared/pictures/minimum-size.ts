// The minimum size of a picture whose words are recognised.

import type { PixelSize } from '../rasters/image-size.ts'

// Icons and bullets have fewer pixels. A stamp in a receipt ("MEMBER EXCLUSIVE") has 200 × 70. Of 42 pictures with words in 66
// PDFs two have fewer than 25,000, none has fewer than this.
const MIN_PIXELS = 12_000
const MIN_SIDE_PIXELS = 40
// A longer strip is an ornament.
const MAX_ASPECT_RATIO = 20
/** The maximum number of pictures of a document. The same logo on 600 slides counts 600 times. */
export const MAX_PICTURES = 2000

export function isLargeEnough({ width, height }: PixelSize): boolean {
  const [shortSide, longSide] = [Math.min(width, height), Math.max(width, height)]
  return (
    shortSide >= MIN_SIDE_PIXELS && width * height >= MIN_PIXELS && longSide <= MAX_ASPECT_RATIO * shortSide
  )
}
