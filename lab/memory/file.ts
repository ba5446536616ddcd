// What the large files of this bench share: a sentence that is never the same twice, and how they are written.

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** What a file may have as it is uploaded. */
export const MAX_BYTES = 100 * 2 ** 20

export interface LargeFile {
  name: string
  says: string
  write: (path: string) => Promise<void>
  /** It is followed to its end, and then the query must find this page first. */
  last?: { query: string; page: number }
}

export const sentence = (i: number): string =>
  `Gauge ${i} of the harbour office read ${(i * 37) % 997} millimetres above the datum on day ${i % 365}, and the keeper signed.`

/** Five sentences. */
export const paragraph = (i: number): string =>
  Array.from({ length: 5 }, (_, no) => sentence(5 * i + no)).join(' ')

/** `head`, what `piece` says for 0, 1, 2 … while it fits, and `tail`: `mostBytes` of ASCII at most. */
export function* filled(
  mostBytes: number,
  piece: (i: number) => string,
  head = '',
  tail = '',
): Generator<string> {
  let left = mostBytes - head.length - tail.length
  yield head
  for (let i = 0; ; i++) {
    const next = piece(i)
    left -= next.length
    if (left < 0) break
    yield next
  }
  yield tail
}

/** ASCII text or bytes, piece by piece. */
export const writePieces = (path: string, pieces: Iterable<string | Buffer>): Promise<void> =>
  pipeline(Readable.from(pieces, { objectMode: true }), createWriteStream(path))

/** A zip of parts that come piece by piece; deflated fast, since nobody measures that. */
export async function writeZip(path: string, parts: Iterable<[string, Iterable<string>]>): Promise<void> {
  const zip = new ZipFile()
  for (const [name, pieces] of parts)
    zip.addReadStream(Readable.from(pieces, { objectMode: false }), name, { compressionLevel: 1 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
