// How large a picture must be to hold words worth reading.

import type { PixelSize } from '../size.ts'

// Icons, bullets, rules and signatures are smaller: 150 × 100 points at a screen's 96 dots an inch make 200 × 133.
const LEAST_PIXELS = 25_000
const LEAST_SIDE_PIXELS = 40
// A thin strip is an ornament.
const MOST_RATIO = 20
/** Places, not pictures: a logo on 600 slides is one picture. */
export const MOST_FOUND = 2000

export function isLargeEnough({ width, height }: PixelSize): boolean {
  const [less, more] = [Math.min(width, height), Math.max(width, height)]
  return less >= LEAST_SIDE_PIXELS && width * height >= LEAST_PIXELS && more <= MOST_RATIO * less
}
