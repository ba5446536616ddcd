// Real pictures written byte by byte: a line of text drawn as grey pixels, as PNG, TIFF, lossless WebP, a baseline JPEG and an
// animated GIF.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { LiteParse } from '@llamaindex/liteparse'
import { inFolder } from './parse.ts'
import { makePdf } from './pdf.ts'

export interface Grey {
  width: number
  height: number
  /** 0 black to 255 white, row by row. */
  pixels: Uint8Array
}

/** A line of text in black on white, some 40 × 260 points. */
export function drawLine(text: string, dpi: number): Promise<Grey> {
  return inFolder(async (folder) => {
    const path = join(folder, 'line.pdf')
    await writeFile(path, makePdf([[{ x: 72, y: 740, size: 24, text }]]))
    const [shot] = await new LiteParse({ dpi, quiet: true, ocrEnabled: false }).screenshot(path, [1])
    if (shot === undefined) throw new Error('nothing drawn')
    const page = readPng(shot.imageBuffer)
    const scale = dpi / 72
    return crop(page, { x: 62 * scale, y: 25 * scale, width: 260 * scale, height: 40 * scale })
  })
}

function crop(page: Grey, box: { x: number; y: number; width: number; height: number }): Grey {
  const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round) as [
    number,
    number,
    number,
    number,
  ]
  const rows = Array.from({ length: height }, (_, row) => {
    const from = (y + row) * page.width + x
    return page.pixels.subarray(from, from + width)
  })
  return { width, height, pixels: Buffer.concat(rows) }
}

/** A PNG of eight bits a channel, as grey: the mean of its first three channels. */
function readPng(png: Buffer): Grey {
  const [width, height, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]]
  const channels = type === 6 ? 4 : type === 2 ? 3 : 1
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const bytes = withoutFilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels)
  const colours = Math.min(3, channels)
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => {
    let sum = 0
    for (let c = 0; c < colours; c++) sum += bytes[i * channels + c] ?? 0
    return sum / colours
  })
  return { width, height, pixels }
}

/** Undoes the filter of each row (PNG 9.2). */
function withoutFilter(raw: Buffer, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (out[y * stride + x - channels] ?? 0) : 0
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0
      const corner = y > 0 && x >= channels ? (out[(y - 1) * stride + x - channels] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
    number,
    number,
    number,
  ]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** Bits from the highest down, with the 0 that JPEG puts behind each FF. */
function openBits(): { put: (value: number, bits: number) => void; bytes: () => Buffer } {
  const out: number[] = []
  let held = 0
  let count = 0
  const put = (value: number, bits: number): void => {
    for (let bit = bits - 1; bit >= 0; bit--) {
      held = (held << 1) | ((value >> bit) & 1)
      if (++count < 8) continue
      out.push(held)
      if (held === 0xff) out.push(0)
      held = 0
      count = 0
    }
  }
  return {
    put,
    bytes: () => {
      if (count > 0) put((1 << (8 - count)) - 1, 8 - count)
      return Buffer.from(out)
    },
  }
}

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/**
 * A baseline JPEG in which each pixel is a block of 8 × 8: only mean values are written, so that one table of nine codes
 * of four bits and one code for "nothing else" are enough.
 */
export function makeJpeg({ width, height, pixels }: Grey): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height * 8, 1)
  frame.writeUInt16BE(width * 8, 3)
  const lengths = (at: number, count: number): number[] =>
    Array.from({ length: 16 }, (_, i) => (i === at ? count : 0))
  const bits = openBits()
  let before = 0
  for (const pixel of pixels) {
    const step = pixel - 128 - before
    before = pixel - 128
    const size = step === 0 ? 0 : Math.floor(Math.log2(Math.abs(step))) + 1
    bits.put(size, 4)
    bits.put(step < 0 ? step + (1 << size) - 1 : step, size)
    bits.put(0, 1)
  }
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 8)])),
    segment(0xc0, frame),
    segment(0xc4, Buffer.from([0x00, ...lengths(3, 9), 0, 1, 2, 3, 4, 5, 6, 7, 8])),
    segment(0xc4, Buffer.from([0x10, ...lengths(0, 1), 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    bits.bytes(),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** An animated GIF of 256 greys, half a second a frame; all frames have the size of the first. */
export function makeGif(frames: readonly Grey[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('no frame')
  const size = Buffer.alloc(4)
  size.writeUInt16LE(first.width, 0)
  size.writeUInt16LE(first.height, 2)
  const greys = Array.from({ length: 256 }, (_, i) => [i, i, i]).flat()
  const images = frames.flatMap(({ pixels }) => [
    Buffer.from([0x21, 0xf9, 4, 0, 50, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, ...size, 0, 8]),
    ...blocks(lzw(pixels)),
  ])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from([0xf7, 0, 0, ...greys]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]),
    ...images,
    Buffer.from([0x3b]),
  ])
}

/** Eight bits of grey, no filter. */
export function makePng({ width, height, pixels }: Grey): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...pixels.subarray(y * width, (y + 1) * width)]),
  )
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name), data, Buffer.alloc(4)])
  chunk.writeUInt32BE(data.length, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** A PNG whose checksums are those of its chunks as they are now, as far as these can be followed. */
export function withChecksums(png: Buffer): Buffer {
  const copy = Buffer.from(png)
  for (let at = 8; at + 12 <= copy.length; ) {
    const end = at + 8 + copy.readUInt32BE(at)
    if (end + 4 > copy.length) break
    copy.writeUInt32BE(crc32(copy.subarray(at + 4, end)), end)
    at = end + 4
  }
  return copy
}

/** Grey pages of one strip each. */
export function makeTiff(pages: readonly Grey[]): Buffer {
  const parts: Buffer[] = [Buffer.from('49492a0008000000', 'hex')]
  let at = 8
  pages.forEach(({ width, height, pixels }, i) => {
    const fields = [256, width, 257, height, 258, 8, 259, 1, 262, 1, 273, 0, 278, height, 279, pixels.length]
    const entries = fields.length / 2
    const directory = Buffer.alloc(2 + 12 * entries + 4)
    const data = at + directory.length
    fields[11] = data
    directory.writeUInt16LE(entries, 0)
    for (let k = 0; k < entries; k++) {
      directory.writeUInt16LE(fields[2 * k] ?? 0, 2 + 12 * k)
      directory.writeUInt16LE(4, 4 + 12 * k)
      directory.writeUInt32LE(1, 6 + 12 * k)
      directory.writeUInt32LE(fields[2 * k + 1] ?? 0, 10 + 12 * k)
    }
    directory.writeUInt32LE(i + 1 < pages.length ? data + pixels.length : 0, 2 + 12 * entries)
    parts.push(directory, Buffer.from(pixels))
    at = data + pixels.length
  })
  return Buffer.concat(parts)
}

/** Lossless WebP of black and white: red and blue follow green, so that a pixel is one bit. */
export function makeWebp({ width, height, pixels }: Grey): Buffer {
  const bits: number[] = []
  const put = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1)
  }
  put(width - 1, 14)
  put(height - 1, 14)
  // No alpha, version 0; one transform: green is subtracted; no cache, one set of codes.
  for (const [value, count] of [
    [0, 4],
    [1, 1],
    [2, 2],
    [0, 3],
  ] as const)
    put(value, count)
  // Green is 0 or 255; red and blue are 0, alpha is 255, there are no distances.
  for (const [value, count] of [
    [0b111, 3],
    [0, 8],
    [255, 8],
  ] as const)
    put(value, count)
  for (const [value, count] of [
    [1, 4],
    [1, 4],
    [0b101, 3],
    [255, 8],
    [1, 4],
  ] as const)
    put(value, count)
  for (const pixel of pixels) put(pixel > 127 ? 1 : 0, 1)
  const data = Buffer.alloc(1 + Math.ceil(bits.length / 8))
  data[0] = 0x2f
  bits.forEach((bit, i) => {
    data[1 + (i >> 3)] = (data[1 + (i >> 3)] ?? 0) | (bit << (i & 7))
  })
  const paddedData = Buffer.concat([data, Buffer.alloc(data.length % 2)])
  const head = Buffer.from('RIFF    WEBPVP8L    ', 'latin1')
  head.writeUInt32LE(12 + paddedData.length, 4)
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, paddedData])
}

const CLEAR = 256
const END = 257

/** Nothing compressed: cleared so often that every code has nine bits. */
function lzw(pixels: Uint8Array): Buffer {
  const out: number[] = []
  let held = 0
  let count = 0
  const put = (code: number): void => {
    held |= code << count
    for (count += 9; count >= 8; count -= 8) {
      out.push(held & 0xff)
      held >>= 8
    }
  }
  pixels.forEach((pixel, i) => {
    if (i % 250 === 0) put(CLEAR)
    put(pixel)
  })
  put(END)
  if (count > 0) out.push(held & 0xff)
  return Buffer.from(out)
}

function blocks(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return [...parts, Buffer.from([0])]
}
