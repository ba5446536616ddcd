// A drawn page as shades of grey, to look for ruling lines in.

import { inflateSync } from 'node:zlib'
import type { Angle } from '../formats/exif-orientation.ts'
import type { Part } from './rect.ts'

/** One byte a pixel, 0 black, row by row. */
export interface Grey {
  width: number
  height: number
  data: Uint8Array
}

/** How a PNG is read that liteparse drew: 8 bits a channel, red, green, blue and alpha, not interlaced. */
const DRAWN = [8, 6, 0, 0, 0]
const CHANNELS = 4

/**
 * The page in grey, undefined for any other PNG. Reading only the kind that is drawn here takes 0.2 s for a page of 8
 * million pixels.
 */
export function greyOf(png: Buffer): Grey | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  if (DRAWN.some((value, i) => png[24 + i] !== value)) return undefined
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
      data[y * width + x] = ((row[at] ?? 0) * 77 + (row[at + 1] ?? 0) * 151 + (row[at + 2] ?? 0) * 28) >> 8
    above = row
  }
  return { width, height, data }
}

/** A row of PNG as it was before it was filtered, in place. */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array): void {
  if (kind === 0) return
  for (let i = 0; i < row.length; i++) {
    const left = i < CHANNELS ? 0 : (row[i - CHANNELS] ?? 0)
    const up = above[i] ?? 0
    const corner = i < CHANNELS ? 0 : (above[i - CHANNELS] ?? 0)
    row[i] = (row[i] ?? 0) + predicted(kind, left, up, corner)
  }
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** The page upright whose content lies turned clockwise by `angle`. */
export function upright(grey: Grey, angle: Angle): Grey {
  const { width, height, data } = grey
  if (angle === 0) return grey
  const turned = new Uint8Array(data.length)
  const across = angle === 180 ? width : height
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to =
        angle === 180
          ? (height - 1 - y) * across + width - 1 - x
          : angle === 90
            ? (width - 1 - x) * across + y
            : x * across + height - 1 - y
      turned[to] = data[y * width + x] ?? 0
    }
  }
  return angle === 180 ? { ...grey, data: turned } : { width: height, height: width, data: turned }
}

/** Pixels of ground around a part. */
export const MARGIN = 12

/** A part of the page as a picture file of its own (PGM) in a margin of its own ground. */
export function pgmOf({ width, data }: Grey, { left, top, width: across, height: down }: Part): Buffer {
  const head = Buffer.from(`P5\n${across + 2 * MARGIN} ${down + 2 * MARGIN}\n255\n`, 'latin1')
  const stride = across + 2 * MARGIN
  const pixels = Buffer.alloc(stride * (down + 2 * MARGIN), ground(data, width, left, top, across, down))
  for (let y = 0; y < down; y++) {
    const from = (top + y) * width + left
    pixels.set(data.subarray(from, from + across), (MARGIN + y) * stride + MARGIN)
  }
  return Buffer.concat([head, pixels])
}

/** The commonest shade along the part's first and last row. */
function ground(
  data: Uint8Array,
  width: number,
  left: number,
  top: number,
  across: number,
  down: number,
): number {
  const row = (y: number): Uint8Array => data.subarray(y * width + left, y * width + left + across)
  return commonest(shadesOf(Buffer.concat([row(top), row(top + down - 1)])))
}

/** How many pixels there are of each shade, 0 to 255; one of so many is looked at. */
export function shadesOf(data: Uint8Array, step = 1): Uint32Array {
  const counts = new Uint32Array(256)
  for (let at = 0; at < data.length; at += step) counts[data[at] ?? 255] = (counts[data[at] ?? 255] ?? 0) + 1
  return counts
}

/** The shade of most pixels: the ground. */
export const commonest = (shades: Uint32Array): number => shades.indexOf(Math.max(...shades))
