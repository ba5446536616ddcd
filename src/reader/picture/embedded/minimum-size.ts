// How large a picture must be to hold words worth reading.

import type { PixelSize } from '../formats/image-size.ts'

// Icons and bullets are smaller, a stamp in a receipt is not: one of 200 × 70 read "MEMBER EXCLUSIVE". Of 42 pictures in
// 66 PDFs 2 have less than 25,000, none less than this.
const LEAST_PIXELS = 12_000
const LEAST_SIDE_PIXELS = 40
// A thin strip is an ornament.
const MOST_RATIO = 20
/** Places, not pictures: a logo on 600 slides is one picture. */
export const MOST_FOUND = 2000

export function isLargeEnough({ width, height }: PixelSize): boolean {
  const [less, more] = [Math.min(width, height), Math.max(width, height)]
  return less >= LEAST_SIDE_PIXELS && width * height >= LEAST_PIXELS && more <= MOST_RATIO * less
}
