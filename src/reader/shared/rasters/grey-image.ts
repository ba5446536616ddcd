// Decodes, rotates and crops a rendered page in shades of grey.

import { inflateSync } from 'node:zlib'
import type { BBox } from '../../block.ts'
import type { Angle } from './exif-orientation.ts'

/** One byte for each pixel, row by row. 0 is black. */
export interface GreyImage {
  width: number
  height: number
  data: Uint8Array
}

/** A rectangle in pixels. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

/** The only kind of PNG that liteparse writes: 8 bits a channel, red, green, blue and alpha, not interlaced. */
const PNG_FORMAT = [8, 6, 0, 0, 0]
const CHANNELS = 4

/** The weights of red, green and blue. Their sum is 256. */
export type Weights = readonly [red: number, green: number, blue: number]

const LUMINANCE: Weights = [77, 151, 28]

/** The image in shades of grey. Undefined for a PNG of another kind. A page of 8 million pixels takes 0.2 s. */
export function decodeGrey(png: Buffer, [red, green, blue] = LUMINANCE): GreyImage | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (PNG_FORMAT.some((value, i) => png[24 + i] !== value)) return undefined
  const parts: Buffer[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const stride = width * CHANNELS
  const rows = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * height })
  const data = new Uint8Array(width * height)
  let above = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1)
    const row = rows.subarray(from + 1, from + 1 + stride)
    unfilter(rows[from] ?? 0, row, above)
    for (let x = 0, at = 0; x < width; x++, at += CHANNELS)
      data[y * width + x] =
        ((row[at] ?? 0) * red + (row[at + 1] ?? 0) * green + (row[at + 2] ?? 0) * blue) >> 8
    above = row
  }
  return { width, height, data }
}

/** Reverses PNG's filter of a row, in place. */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array): void {
  if (kind === 0) return
  for (let i = 0; i < row.length; i++) {
    const left = i < CHANNELS ? 0 : (row[i - CHANNELS] ?? 0)
    const up = above[i] ?? 0
    const corner = i < CHANNELS ? 0 : (above[i - CHANNELS] ?? 0)
    row[i] = (row[i] ?? 0) + predict(kind, left, up, corner)
  }
}

/** The value that a filter of PNG predicts from the neighbours: left, above, their mean, or Paeth's (W3C PNG 9). */
function predict(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** The upright image. @param angle the degrees by which the content is rotated clockwise */
export function rotateUpright(grey: GreyImage, angle: Angle): GreyImage {
  const { width, height, data } = grey
  if (angle === 0) return grey
  const rotated = new Uint8Array(data.length)
  const rotatedWidth = angle === 180 ? width : height
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const target =
        angle === 180
          ? (height - 1 - y) * rotatedWidth + width - 1 - x
          : angle === 90
            ? (width - 1 - x) * rotatedWidth + y
            : x * rotatedWidth + height - 1 - y
      rotated[target] = data[y * width + x] ?? 0
    }
  }
  return angle === 180 ? { ...grey, data: rotated } : { width: height, height: width, data: rotated }
}

/** The width in pixels of the margin around a crop. */
export const CROP_MARGIN = 12

/** A rectangle of the image as a PGM file, with a margin of its background. */
export function cropToPgm({ width, data }: GreyImage, { left, top, width: cropWidth, height }: Rect): Buffer {
  const header = Buffer.from(
    `P5\n${cropWidth + 2 * CROP_MARGIN} ${height + 2 * CROP_MARGIN}\n255\n`,
    'latin1',
  )
  const stride = cropWidth + 2 * CROP_MARGIN
  const row = (y: number): Uint8Array => data.subarray(y * width + left, y * width + left + cropWidth)
  const background = mostFrequent(histogram(Buffer.concat([row(top), row(top + height - 1)])))
  const pixels = Buffer.alloc(stride * (height + 2 * CROP_MARGIN), background)
  for (let y = 0; y < height; y++) pixels.set(row(top + y), (CROP_MARGIN + y) * stride + CROP_MARGIN)
  return Buffer.concat([header, pixels])
}

/** A box of the image, which is deskewed as Tesseract does (rotated by `skew` about its centre), and enlarged by `scale`. */
export function cropDeskewed(
  { width, height, data }: GreyImage,
  [left, top, right, bottom]: BBox,
  skew: number,
  scale: number,
): GreyImage {
  const [outputWidth, outputHeight] = [Math.ceil((right - left) * scale), Math.ceil((bottom - top) * scale)]
  const [midX, midY] = [width / 2, height / 2]
  const [sin, cos] = [Math.sin(-skew), Math.cos(-skew)]
  const shade = (x: number, y: number): number =>
    data[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))] ?? 255
  const crop = new Uint8Array(outputWidth * outputHeight)
  for (let row = 0; row < outputHeight; row++) {
    const dy = top + (row + 0.5) / scale - midY
    for (let column = 0; column < outputWidth; column++) {
      const dx = left + (column + 0.5) / scale - midX
      const [x, y] = [midX + cos * dx - sin * dy - 0.5, midY + sin * dx + cos * dy - 0.5]
      const [x0, y0] = [Math.floor(x), Math.floor(y)]
      const [fractionX, fractionY] = [x - x0, y - y0]
      const above = shade(x0, y0) * (1 - fractionX) + shade(x0 + 1, y0) * fractionX
      const below = shade(x0, y0 + 1) * (1 - fractionX) + shade(x0 + 1, y0 + 1) * fractionX
      crop[row * outputWidth + column] = above * (1 - fractionY) + below * fractionY
    }
  }
  return { width: outputWidth, height: outputHeight, data: crop }
}

/** The number of pixels of each shade, 0 to 255. Only one of `step` pixels is counted. */
export function histogram(data: Uint8Array, step = 1): Uint32Array {
  const counts = new Uint32Array(256)
  for (let at = 0; at < data.length; at += step) counts[data[at] ?? 255] = (counts[data[at] ?? 255] ?? 0) + 1
  return counts
}

/** The most frequent shade, which is the background. */
export const mostFrequent = (counts: Uint32Array): number => counts.indexOf(Math.max(...counts))

const MIN_INK_CONTRAST = 60
// Ink with fewer pixels is a speck of dust.
const MIN_INK_PIXELS = 15
// This many pixels beside a ruling line may be dark, because its edge is blurred.
const RULE_EDGE_PIXELS = 3

/** The bounds of the ink inside a ruled cell. Ink is darker than the background. Undefined for an empty cell. */
export function inkBounds({ width, data }: GreyImage, cell: Rect): Rect | undefined {
  const [left, top] = [Math.ceil(cell.left) + RULE_EDGE_PIXELS, Math.ceil(cell.top) + RULE_EDGE_PIXELS]
  const [right, bottom] = [
    Math.floor(cell.left + cell.width) - RULE_EDGE_PIXELS,
    Math.floor(cell.top + cell.height) - RULE_EDGE_PIXELS,
  ]
  if (right <= left || bottom <= top) return undefined
  let lightest = 0
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) lightest = Math.max(lightest, data[y * width + x] ?? 0)
  const ink: BBox = [Infinity, Infinity, -1, -1]
  let pixels = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if ((data[y * width + x] ?? 0) > lightest - MIN_INK_CONTRAST) continue
      pixels++
      ink[0] = Math.min(ink[0], x)
      ink[1] = Math.min(ink[1], y)
      ink[2] = Math.max(ink[2], x)
      ink[3] = y
    }
  }
  if (pixels < MIN_INK_PIXELS) return undefined
  return { left: ink[0], top: ink[1], width: ink[2] - ink[0] + 1, height: ink[3] - ink[1] + 1 }
}
