// A part of a page as a picture of its own, straight where the page went askew through the scanner. Pure.

import type { BBox } from '../../block.ts'
import type { Grey } from './grey-image.ts'

/** The box of the page turned by `turned` about its middle, as Tesseract turned it, `scale` times as large. */
export function cutOut(
  { width, height, data }: Grey,
  [left, top, right, bottom]: BBox,
  turned: number,
  scale: number,
): Grey {
  const [across, down] = [Math.ceil((right - left) * scale), Math.ceil((bottom - top) * scale)]
  const [midX, midY] = [width / 2, height / 2]
  const [sin, cos] = [Math.sin(-turned), Math.cos(-turned)]
  const shade = (x: number, y: number): number =>
    data[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))] ?? 255
  const part = new Uint8Array(across * down)
  for (let row = 0; row < down; row++) {
    const dy = top + (row + 0.5) / scale - midY
    for (let column = 0; column < across; column++) {
      const dx = left + (column + 0.5) / scale - midX
      const [x, y] = [midX + cos * dx - sin * dy - 0.5, midY + sin * dx + cos * dy - 0.5]
      const [x0, y0] = [Math.floor(x), Math.floor(y)]
      const [toRight, toBottom] = [x - x0, y - y0]
      const above = shade(x0, y0) * (1 - toRight) + shade(x0 + 1, y0) * toRight
      const below = shade(x0, y0 + 1) * (1 - toRight) + shade(x0 + 1, y0 + 1) * toRight
      part[row * across + column] = above * (1 - toBottom) + below * toBottom
    }
  }
  return { width: across, height: down, data: part }
}
