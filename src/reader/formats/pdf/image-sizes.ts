// Reads the sizes of the images in a PDF from its bytes, because image dictionaries are never compressed. 100 MB take 0.1 s. A
// parser would take about 7 ms a page, and liteparse does not report images that fill a page.

import { open } from 'node:fs/promises'

const CHUNK_BYTES = 1 << 20
// Chunks overlap, so that a dictionary that is cut off at the end of one chunk is complete in the next chunk.
const OVERLAP_BYTES = 1024
const MAX_DICTIONARY_BYTES = 400

/** The size in pixels. A side is undefined if the dictionary refers to another object for it. */
interface StatedSize {
  width: number | undefined
  height: number | undefined
}

/** The size of every image in order. An image in the overlap of two chunks occurs twice. */
export async function* readImageSizes(path: string): AsyncGenerator<StatedSize> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    for (let at = 0; ; at += CHUNK_BYTES - OVERLAP_BYTES) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at)
      yield* sizesIn(chunk.subarray(0, bytesRead))
      if (bytesRead < CHUNK_BYTES) return
    }
  } finally {
    await file.close()
  }
}

function* sizesIn(bytes: Buffer): Generator<StatedSize> {
  for (let at = bytes.indexOf('/Image'); at !== -1; at = bytes.indexOf('/Image', at + 6)) {
    const textBefore = bytes.toString('latin1', Math.max(0, at - MAX_DICTIONARY_BYTES), at)
    const textAfter = bytes.toString('latin1', at, at + MAX_DICTIONARY_BYTES)
    const dictionary =
      textBefore.slice(textBefore.lastIndexOf('obj') + 1) + (textAfter.split('stream', 1)[0] ?? '')
    if (/\/Subtype\s*\/Image\b/.test(dictionary))
      yield { width: pixelCount(dictionary, 'Width'), height: pixelCount(dictionary, 'Height') }
  }
}

function pixelCount(dictionary: string, name: string): number | undefined {
  const [, digits, reference] = new RegExp(`/${name}\\s+(\\d+)(\\s+\\d+\\s+R)?`).exec(dictionary) ?? []
  return reference === undefined ? Number(digits ?? 0) : undefined
}
