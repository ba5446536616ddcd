// Writes an image in shades of grey as PNG (ISO/IEC 15948): 8 bits per pixel, without a filter.

import { crc32, deflateSync } from 'node:zlib'
import type { GreyImage } from './grey-image.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function encodePng({ width, height, data }: GreyImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // The bit depth. The other bytes are 0, which means shades of grey without interlacing.
  header[8] = 8
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    // Level 2 is four times as fast as the default level, and the file a fifth larger. It is only sent to a server nearby.
    chunk('IDAT', deflateSync(rows, { level: 2 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(name, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
