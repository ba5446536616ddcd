// Sets the resolution of a PNG (chunk pHYs, W3C PNG 11.3.4.3). Programs that show a page convert points to pixels with it.

import { crc32 } from 'node:zlib'

const SIGNATURE_AND_HEADER_BYTES = 33
const METRES_PER_INCH = 0.0254
const UNIT_METRE = 1

/** The PNG with this resolution instead of its own. */
export function withResolution(png: Buffer, dpi: number): Buffer {
  const pixelsPerMetre = Math.round(dpi / METRES_PER_INCH)
  const data = Buffer.alloc(13)
  data.write('pHYs', 0, 'latin1')
  data.writeUInt32BE(pixelsPerMetre, 4)
  data.writeUInt32BE(pixelsPerMetre, 8)
  data.writeUInt8(UNIT_METRE, 12)
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9)
  data.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(data), 17)
  const rest = [...chunksOf(png)].filter(({ type }) => type !== 'pHYs').map(({ bytes }) => bytes)
  return Buffer.concat([png.subarray(0, SIGNATURE_AND_HEADER_BYTES), chunk, ...rest])
}

/** The chunks after the header. */
function* chunksOf(png: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = SIGNATURE_AND_HEADER_BYTES; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    yield { type: png.toString('latin1', at + 4, at + 8), bytes: png.subarray(at, end) }
    at = end
  }
}
