// A PNG with a palette of its 256 most frequent colours: screenshots of text become a third as large and look the same.

import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_BYTES = 8
const MAX_COLOURS = 256

interface Picture {
  width: number
  height: number
  /** Colours as 0xRRGGBB, row by row. */
  pixels: Uint32Array
}

export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour)
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]))
  const rows = Buffer.alloc((width + 1) * height)
  pixels.forEach((colour, i) => {
    rows[i + Math.floor(i / width) + 1] = places.get(colour) ?? 0
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel, by palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearest(palette: readonly number[], colour: number): number {
  const [red = 0, green = 0, blue = 0] = channels(colour)
  let place = 0
  let least = Number.POSITIVE_INFINITY
  palette.forEach((one, i) => {
    const [r = 0, g = 0, b = 0] = channels(one)
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance >= least) return
    least = distance
    place = i
  })
  return place
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}

/** A picture as Chromium writes it: eight bits a channel, with or without alpha. */
function decode(png: Buffer): Picture {
  const packed: Buffer[] = []
  let header = Buffer.alloc(13)
  for (let at = SIGNATURE_BYTES; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (type === 'IHDR') header = Buffer.from(data)
    if (type === 'IDAT') packed.push(data)
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const bytes = header[9] === 6 ? 4 : 3
  const rows = inflateSync(Buffer.concat(packed))
  unfilter(rows, width * bytes, height, bytes)
  const pixels = new Uint32Array(width * height)
  for (let i = 0; i < pixels.length; i++)
    pixels[i] = rows.readUIntBE(Math.floor(i / width) * (width * bytes + 1) + 1 + (i % width) * bytes, 3)
  return { width, height, pixels }
}

/** Undoes the filters of PNG (W3C PNG, 9.2) in place. */
function unfilter(rows: Buffer, rowBytes: number, height: number, pixelBytes: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1) + 1
    const filter = rows[start - 1]
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= pixelBytes ? (rows[start + x - pixelBytes] ?? 0) : 0
      const above = y > 0 ? (rows[start + x - rowBytes - 1] ?? 0) : 0
      const corner = y > 0 && x >= pixelBytes ? (rows[start + x - pixelBytes - rowBytes - 1] ?? 0) : 0
      rows[start + x] = ((rows[start + x] ?? 0) + predicted(filter, left, above, corner)) & 255
    }
  }
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs)
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner
}
