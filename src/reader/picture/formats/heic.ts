// HEIC and HEIF, what telephones save: read where the operator has installed `heic-decode`. Every decoder there is wraps
// libheif (LGPL, and HEVC is under patents), so none is a dependency of ours (0008).

import { createRequire } from 'node:module'
import { UnreadableFile } from '../../block.ts'

interface Decoded {
  width: number
  height: number
  /** Red, green, blue, alpha. */
  data: Uint8ClampedArray
}

interface Decoder {
  all: (input: {
    buffer: Uint8Array
  }) => Promise<(Pick<Decoded, 'width' | 'height'> & { decode: () => Promise<Decoded> })[]>
}

const BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Whether the bytes begin as HEIF. AVIF shares the container and is told by its brand. */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && BRANDS.has(bytes.toString('latin1', 8, 12))

const require = createRequire(import.meta.url)

/** Whether the operator has installed one; asked of each file, since it may be installed while the service runs. */
export function hasHeicDecoder(): boolean {
  try {
    require.resolve('heic-decode')
    return true
  } catch {
    return false
  }
}

/**
 * The first picture as a bitmap, turned as it was held.
 * @throws UnreadableFile when there is no decoder, for damage, and beyond `mostPixels`
 */
export async function heicToBitmap(bytes: Buffer, mostPixels: number): Promise<Buffer> {
  const decoder = await loadDecoder()
  try {
    const [first] = await decoder.all({ buffer: bytes })
    if (first === undefined) throw new UnreadableFile('damaged', 'no picture inside')
    if (first.width * first.height > mostPixels)
      throw new UnreadableFile('too_large_unpacked', `${first.width} × ${first.height} pixels`)
    return bitmap(await first.decode())
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged', String(error).slice(0, 300))
  }
}

async function loadDecoder(): Promise<Decoder> {
  try {
    // Without types, and not there for most.
    return ((await import('heic-decode' as string)) as { default: Decoder }).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw new UnreadableFile('no_heic')
    throw error
  }
}

const HEADER_BYTES = 54

/** 24 bits a pixel, from the top; rows begin at multiples of four bytes. */
function bitmap({ width, height, data }: Decoded): Buffer {
  const stride = Math.ceil((3 * width) / 4) * 4
  const bytes = Buffer.alloc(HEADER_BYTES + stride * height)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(HEADER_BYTES, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(-height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++) {
    let to = HEADER_BYTES + y * stride
    let from = y * width * 4
    for (let x = 0; x < width; x++, from += 4) {
      bytes[to++] = data[from + 2] ?? 0
      bytes[to++] = data[from + 1] ?? 0
      bytes[to++] = data[from] ?? 0
    }
  }
  return bytes
}
