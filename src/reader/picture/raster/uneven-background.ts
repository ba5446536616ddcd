// Photographs: a notice on a darker wall, a band of colour with black letters. Tesseract parts black from white at one
// shade for all of the page (Otsu 1979), and where the wall lies below it, so does the band with its letters. Pure.

import { type Grey, shadesOf } from './grey-image.ts'

// Of the page, below the parting shade: prose has .03 to .08, a page of dark boxes .15, the photograph of a notice .5.
const DARK_SHARE = 0.25
// One pixel of so many tells the shades.
const STEP = 101

/** Whether so much is dark that parts of it are probably ground and not ink. */
export function isUneven({ data }: Grey): boolean {
  const counts = shadesOf(data, STEP)
  const dark = counts.slice(0, partingShade(counts) + 1).reduce((sum, count) => sum + count, 0)
  return dark >= DARK_SHARE * Math.ceil(data.length / STEP)
}

/** The shade up to which one side reaches, where the two sides differ most (Otsu 1979, equation 18). */
function partingShade(counts: Uint32Array): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  const total = counts.reduce((sum, count, shade) => sum + count * shade, 0)
  let best = { shade: 0, apart: -1 }
  let below = 0
  let sum = 0
  for (const [shade, count] of counts.entries()) {
    below += count
    sum += count * shade
    if (below === 0 || below === all) continue
    const apart = below * (all - below) * (sum / below - (total - sum) / (all - below)) ** 2
    if (apart > best.apart) best = { shade, apart }
  }
  return best.shade
}
