// The resolution that a PNG states (chunk pHYs, W3C PNG 11.3.4.3). Viewers of a page use it to convert points to pixels.

import { crc32 } from 'node:zlib'

const SIGNATURE_AND_HEADER = 33
const METRES_PER_INCH = 0.0254
const PER_METRE = 1

/** The PNG with this resolution stated, in place of what it may state itself. */
export function withResolution(png: Buffer, dpi: number): Buffer {
  const perMetre = Math.round(dpi / METRES_PER_INCH)
  const data = Buffer.alloc(13)
  data.write('pHYs', 0, 'latin1')
  data.writeUInt32BE(perMetre, 4)
  data.writeUInt32BE(perMetre, 8)
  data.writeUInt8(PER_METRE, 12)
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9)
  data.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(data), 17)
  const rest = [...chunksOf(png)].filter(({ type }) => type !== 'pHYs').map(({ bytes }) => bytes)
  return Buffer.concat([png.subarray(0, SIGNATURE_AND_HEADER), chunk, ...rest])
}

/** The chunks behind the header. */
function* chunksOf(png: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = SIGNATURE_AND_HEADER; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), bytes: png.subarray(at, end) }
    at = end
  }
}
