// Reads the size of an image from its header, so that an image with too many pixels is refused before it is decoded (BAD-26).

import { readTiff } from './tiff.ts'

export interface PixelSize {
  width: number
  height: number
}

type SizeReader = (bytes: Buffer) => PixelSize | undefined

/** The size in pixels. Undefined if the header is unknown or truncated. */
export function pixelSize(bytes: Buffer): PixelSize | undefined {
  try {
    for (const read of [png, jpeg, gif, bmp, webp, tiff]) {
      const size = read(bytes)
      if (size !== undefined) return size
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

const png: SizeReader = (b) =>
  b.readUInt32BE(0) === 0x89504e47 ? { width: b.readUInt32BE(16), height: b.readUInt32BE(20) } : undefined

const gif: SizeReader = (b) =>
  b.toString('latin1', 0, 3) === 'GIF' ? { width: b.readUInt16LE(6), height: b.readUInt16LE(8) } : undefined

const bmp: SizeReader = (b) =>
  b.toString('latin1', 0, 2) === 'BM'
    ? { width: Math.abs(b.readInt32LE(18)), height: Math.abs(b.readInt32LE(22)) }
    : undefined

/** Skips to the frame header. Other segments may contain thumbnails with sizes of their own. */
const jpeg: SizeReader = (b) => {
  if (b.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < b.length) {
    if (b[at] !== 0xff) return undefined
    const marker = b.readUInt8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrameHeader =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrameHeader) return { width: b.readUInt16BE(at + 7), height: b.readUInt16BE(at + 5) }
    at += 2 + b.readUInt16BE(at + 2)
  }
  return undefined
}

const webp: SizeReader = (b) => {
  if (b.toString('latin1', 0, 4) !== 'RIFF' || b.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const form = b.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: b.readUIntLE(24, 3) + 1, height: b.readUIntLE(27, 3) + 1 }
  if (form === 'VP8L') {
    const bits = b.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: b.readUInt16LE(26) & 0x3fff, height: b.readUInt16LE(28) & 0x3fff }
}

const tiff: SizeReader = (b) => {
  const first = readTiff(b)?.pages[0]
  return first === undefined ? undefined : tiffPageSize(b, first)
}

const WIDTH = 256
const HEIGHT = 257

/** The size of the TIFF page whose directory is at the given offset. */
export function tiffPageSize(bytes: Buffer, directory: number): PixelSize {
  const tags = readTiff(bytes)
  return { width: tags?.value(directory, WIDTH) ?? 0, height: tags?.value(directory, HEIGHT) ?? 0 }
}
