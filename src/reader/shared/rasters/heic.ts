// HEIC and HEIF images, which phones save, are decoded if the operator has installed `heic-decode`. This project depends on no
// decoder, because all contain libheif, which has the LGPL, and HEVC is patented (docs/decisions, 0031).

import { createRequire } from 'node:module'
import { UnreadableFile } from '../../block.ts'

interface DecodedImage {
  width: number
  height: number
  /** Red, green, blue, alpha. */
  data: Uint8ClampedArray
}

interface Decoder {
  all: (input: {
    buffer: Uint8Array
  }) => Promise<(Pick<DecodedImage, 'width' | 'height'> & { decode: () => Promise<DecodedImage> })[]>
}

const BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Whether the bytes begin as HEIF. AVIF uses the same container with another brand. */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && BRANDS.has(bytes.toString('latin1', 8, 12))

const require = createRequire(import.meta.url)

/** Whether the decoder is installed. It is looked for at each file, because it may be installed while the service runs. */
export function hasHeicDecoder(): boolean {
  try {
    require.resolve('heic-decode')
    return true
  } catch {
    return false
  }
}

/**
 * The first image of the file as an upright bitmap.
 * @throws UnreadableFile if there is no decoder, if the file is damaged, or if it has more than `maxPixels`
 */
export async function heicToBitmap(bytes: Buffer, maxPixels: number): Promise<Buffer> {
  const decoder = await loadDecoder()
  try {
    const [first] = await decoder.all({ buffer: bytes })
    if (first === undefined) throw new UnreadableFile('damaged', 'no image inside')
    if (first.width * first.height > maxPixels)
      throw new UnreadableFile('too_large_unpacked', `${first.width} × ${first.height} pixels`)
    return toBitmap(await first.decode())
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged', String(error).slice(0, 300))
  }
}

async function loadDecoder(): Promise<Decoder> {
  try {
    // The package is optional and has no types.
    return ((await import('heic-decode' as string)) as { default: Decoder }).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw new UnreadableFile('no_heic')
    throw error
  }
}

const HEADER_BYTES = 54

/** A BMP file with 24 bits for each pixel, top row first. Rows are padded to multiples of four bytes. */
function toBitmap({ width, height, data }: DecodedImage): Buffer {
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
