// Recognises photographs with a background of several shades, such as a notice on a darker wall, or black letters on a coloured
// band. Tesseract binarizes a page with one threshold (Otsu 1979), so a dark wall becomes black together with the letters.

import { type GreyImage, histogram } from './grey-image.ts'

// The minimum share of dark pixels. Prose has .03 to .08, a page of dark boxes .15, the photograph of a notice .5.
const MIN_DARK_SHARE = 0.25
// Only one of this many pixels is counted.
const SAMPLING_STEP = 101

/** Whether so many pixels are dark that part of the background must be dark. */
export function hasUnevenBackground({ data }: GreyImage): boolean {
  const counts = histogram(data, SAMPLING_STEP)
  const darkPixels = counts.slice(0, otsuThreshold(counts) + 1).reduce((sum, count) => sum + count, 0)
  return darkPixels >= MIN_DARK_SHARE * Math.ceil(data.length / SAMPLING_STEP)
}

/** The shade with the largest between-class variance (Otsu 1979, equation 18). */
function otsuThreshold(counts: Uint32Array): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  const total = counts.reduce((sum, count, shade) => sum + count * shade, 0)
  let best = { shade: 0, variance: -1 }
  let below = 0
  let sum = 0
  for (const [shade, count] of counts.entries()) {
    below += count
    sum += count * shade
    if (below === 0 || below === all) continue
    const variance = below * (all - below) * (sum / below - (total - sum) / (all - below)) ** 2
    if (variance > best.variance) best = { shade, variance }
  }
  return best.shade
}
