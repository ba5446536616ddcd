// The rotation of photographs by EXIF. Phones store the rows of the sensor, and a number that states how to rotate them.

import { crc32 } from 'node:zlib'
import { readTiff } from './tiff.ts'

/** The degrees by which the content is rotated clockwise, before liteparse corrects the orientation. */
export type Angle = 0 | 90 | 180 | 270

const ORIENTATION = 274
const ANGLE_BY_ORIENTATION: Record<number, Angle> = { 3: 180, 6: 270, 8: 90 }

/** The angle in the EXIF data. 0 if there is none, and for the mirrored orientations (2, 4, 5, 7), which no camera writes. */
export function exifAngle(bytes: Buffer, directory?: number): Angle {
  try {
    const tiff = readTiff(exifBlock(bytes) ?? bytes)
    const at = directory ?? tiff?.pages[0]
    return ANGLE_BY_ORIENTATION[(at === undefined ? undefined : tiff?.value(at, ORIENTATION)) ?? 1] ?? 0
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

const PNG_HEAD_BYTES = 33
const ORIENTATION_BY_ANGLE: Record<Angle, number> = { 0: 1, 90: 8, 180: 3, 270: 6 }

/** The PNG with the angle in its EXIF header, so that Tesseract rotates it. */
export function withExifAngle(png: Buffer, angle: Angle): Buffer {
  if (angle === 0) return png
  // One TIFF directory with the single tag of the orientation, in big-endian order ("MM").
  const tag = [ORIENTATION >> 8, ORIENTATION & 255, 0, 3, 0, 0, 0, 1, 0, ORIENTATION_BY_ANGLE[angle], 0, 0]
  const data = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...tag, 0, 0, 0, 0])
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write('eXIf', 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), chunk, png.subarray(PNG_HEAD_BYTES)])
}

/** The EXIF data of a JPEG, PNG or WebP. Undefined for other formats. */
function exifBlock(bytes: Buffer): Buffer | undefined {
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegExif(bytes)
  if (bytes.toString('latin1', 0, 4) === '\x89PNG') return findChunk(bytes, 8, 'eXIf', pngChunk)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return findChunk(bytes, 12, 'EXIF', riffChunk)
  return undefined
}

function jpegExif(bytes: Buffer): Buffer | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (bytes[at + 1] === 0xe1 && bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      return bytes.subarray(at + 10, end)
    at = end
  }
  return undefined
}

interface Chunk {
  name: string
  /** The offset of the data. */
  data: number
  length: number
  /** The offset of the next chunk. */
  next: number
}

const pngChunk = (bytes: Buffer, at: number): Chunk => {
  const length = bytes.readUInt32BE(at)
  return { name: bytes.toString('latin1', at + 4, at + 8), data: at + 8, length, next: at + 12 + length }
}

const riffChunk = (bytes: Buffer, at: number): Chunk => {
  const length = bytes.readUInt32LE(at + 4)
  return {
    name: bytes.toString('latin1', at, at + 4),
    data: at + 8,
    length,
    next: at + 8 + length + (length % 2),
  }
}

function findChunk(
  bytes: Buffer,
  start: number,
  name: string,
  readChunk: (bytes: Buffer, at: number) => Chunk,
): Buffer | undefined {
  for (let at = start; at + 12 <= bytes.length; ) {
    const chunk = readChunk(bytes, at)
    if (chunk.name === name) {
      const data = bytes.subarray(chunk.data, chunk.data + chunk.length)
      // Some programs add the prefix that EXIF data has in JPEG.
      return data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data
    }
    at = chunk.next
  }
  return undefined
}
