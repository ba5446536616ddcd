// An image's size from its header alone, so that a pixel flood is refused before anything draws it (BAD-26).

export interface PixelSize {
  width: number
  height: number
}

type Reading = (bytes: Buffer) => PixelSize | undefined

/** Width and height in pixels, or undefined when the header is of no known image or cut short. */
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

const png: Reading = (b) =>
  b.readUInt32BE(0) === 0x89504e47 ? { width: b.readUInt32BE(16), height: b.readUInt32BE(20) } : undefined

const gif: Reading = (b) =>
  b.toString('latin1', 0, 3) === 'GIF' ? { width: b.readUInt16LE(6), height: b.readUInt16LE(8) } : undefined

const bmp: Reading = (b) =>
  b.toString('latin1', 0, 2) === 'BM'
    ? { width: Math.abs(b.readInt32LE(18)), height: Math.abs(b.readInt32LE(22)) }
    : undefined

/** Walks the segments to the frame header; other segments may carry thumbnails with sizes of their own. */
const jpeg: Reading = (b) => {
  if (b.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < b.length) {
    if (b[at] !== 0xff) return undefined
    const marker = b.readUInt8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (frame) return { width: b.readUInt16BE(at + 7), height: b.readUInt16BE(at + 5) }
    at += 2 + b.readUInt16BE(at + 2)
  }
  return undefined
}

const webp: Reading = (b) => {
  if (b.toString('latin1', 0, 4) !== 'RIFF' || b.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const form = b.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: b.readUIntLE(24, 3) + 1, height: b.readUIntLE(27, 3) + 1 }
  if (form === 'VP8L') {
    const bits = b.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: b.readUInt16LE(26) & 0x3fff, height: b.readUInt16LE(28) & 0x3fff }
}

const tiff: Reading = (b) => {
  const [first] = tiffPages(b)
  if (first === undefined) return undefined
  const little = b.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number): number => (little ? b.readUInt16LE(at) : b.readUInt16BE(at))
  const u32 = (at: number): number => (little ? b.readUInt32LE(at) : b.readUInt32BE(at))
  const size: PixelSize = { width: 0, height: 0 }
  for (let i = 0; i < u16(first); i++) {
    const at = first + 2 + 12 * i
    const value = u16(at + 2) === 3 ? u16(at + 8) : u32(at + 8)
    if (u16(at) === 256) size.width = value
    if (u16(at) === 257) size.height = value
  }
  return size
}

const MOST_TIFF_PAGES = 2000

/** Where each page's directory stands in a TIFF file; empty for anything else. Circular chains end. */
export function tiffPages(bytes: Buffer): number[] {
  const order = bytes.toString('latin1', 0, 2)
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return []
  const u16 = (at: number): number => (order === 'II' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number): number => (order === 'II' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  if (u16(2) !== 42) return []
  const found = new Set<number>()
  let at = u32(4)
  while (at > 0 && at + 2 <= bytes.length && !found.has(at) && found.size < MOST_TIFF_PAGES) {
    found.add(at)
    const next = at + 2 + 12 * u16(at)
    if (next + 4 > bytes.length) break
    at = u32(next)
  }
  return [...found]
}
