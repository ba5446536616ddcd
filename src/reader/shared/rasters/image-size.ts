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
    for (const readSize of [png, jpeg, gif, bmp, webp, tiff]) {
      const size = readSize(bytes)
      if (size !== undefined) return size
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

const png: SizeReader = (bytes) =>
  bytes.readUInt32BE(0) === 0x89504e47
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

const gif: SizeReader = (bytes) =>
  bytes.toString('latin1', 0, 3) === 'GIF'
    ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : undefined

const bmp: SizeReader = (bytes) =>
  bytes.toString('latin1', 0, 2) === 'BM'
    ? { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }
    : undefined

/** Reads the frame header. The other segments are skipped, because they may contain thumbnails with sizes of their own. */
const jpeg: SizeReader = (bytes) => {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    // SOF0 to SOF15 without DHT, JPG and DAC.
    const isFrameHeader =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrameHeader) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const webp: SizeReader = (bytes) => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

const tiff: SizeReader = (bytes) => {
  const first = readTiff(bytes)?.pages[0]
  return first === undefined ? undefined : tiffPageSize(bytes, first)
}

const WIDTH = 256
const HEIGHT = 257

/** The size of the TIFF page whose directory is at the given offset. */
export function tiffPageSize(bytes: Buffer, directory: number): PixelSize {
  const tags = readTiff(bytes)
  return { width: tags?.value(directory, WIDTH) ?? 0, height: tags?.value(directory, HEIGHT) ?? 0 }
}
