// The sizes of a PDF's pictures by its bytes alone: dictionaries of streams are never compressed. 100 MB take 0.1 s; asking
// a parser costs some 7 ms a page, and liteparse keeps those that fill a page to itself.

import { open } from 'node:fs/promises'

const STEP_BYTES = 1 << 20
// A dictionary that is cut at a step's end is seen whole in the next.
const OVERLAP_BYTES = 1024
const AROUND_BYTES = 400

/** Pixels; a side that stands in another object is undefined. */
export interface StatedSize {
  width: number | undefined
  height: number | undefined
}

/** Of every picture in order, some twice. */
export async function* pictureSizes(path: string): AsyncGenerator<StatedSize> {
  const file = await open(path, 'r')
  try {
    const step = Buffer.alloc(STEP_BYTES)
    for (let at = 0; ; at += STEP_BYTES - OVERLAP_BYTES) {
      const { bytesRead } = await file.read(step, 0, STEP_BYTES, at)
      yield* sizesIn(step.subarray(0, bytesRead))
      if (bytesRead < STEP_BYTES) return
    }
  } finally {
    await file.close()
  }
}

function* sizesIn(bytes: Buffer): Generator<StatedSize> {
  for (let at = bytes.indexOf('/Image'); at !== -1; at = bytes.indexOf('/Image', at + 6)) {
    const before = bytes.toString('latin1', Math.max(0, at - AROUND_BYTES), at)
    const after = bytes.toString('latin1', at, at + AROUND_BYTES)
    const own = before.slice(before.lastIndexOf('obj') + 1) + (after.split('stream', 1)[0] ?? '')
    if (/\/Subtype\s*\/Image\b/.test(own)) yield { width: side(own, 'Width'), height: side(own, 'Height') }
  }
}

function side(dictionary: string, name: string): number | undefined {
  const [, digits, elsewhere] = new RegExp(`/${name}\\s+(\\d+)(\\s+\\d+\\s+R)?`).exec(dictionary) ?? []
  return elsewhere === undefined ? Number(digits ?? 0) : undefined
}
