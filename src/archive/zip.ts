// The container of an archive: a zip whose files are stored as they are. So its size is known before a byte is sent, and what is
// read can never be larger than what has arrived.

import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import { ZipFile as Zip } from 'yazl'

export interface Packed {
  name: string
  bytes: number
  open(): Promise<Readable>
}

// The first day of the format: an archive of the same content has the same bytes.
const LONG_AGO = new Date('1980-01-02T00:00:00Z')

/** Packs the files while they are read, one after the other. */
export async function pack(files: readonly Packed[]): Promise<{ size: number; read: () => Readable }> {
  const zip = new Zip()
  const out = new PassThrough()
  let current: Readable | undefined
  const fail = (error: unknown): void => {
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  for (const { name, bytes, open: openFile } of files) {
    const options = { size: bytes, compress: false, mtime: LONG_AGO, mode: 0o100644, forceDosTimestamp: true }
    zip.addReadStreamLazy(name, options, (done) => {
      if (out.destroyed) return
      openFile().then((stream) => {
        current = stream
        stream.once('error', fail)
        if (out.destroyed) stream.destroy()
        else done(null, stream)
      }, fail)
    })
  }
  // Always with the larger directory: without it yazl promises 76 bytes that it does not write, from 64 kB of directory on. Its
  // types forget what the callback is given.
  const size = await new Promise<number>((resolve) =>
    zip.end({ comment: '', forceZip64Format: true }, resolve as () => void),
  )
  return {
    size,
    read: () => {
      pipeline(zip.outputStream, out).catch(fail)
      out.once('close', () => current?.destroy())
      return out
    },
  }
}

/** The archive is not one, or not a whole one. The message says what is wrong. */
export class BadArchive extends Error {}

/** The entries of the directory, in its order. @throws BadArchive */
export async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const settle = (work: () => void): void => {
        zip.removeListener('entry', found).removeListener('end', ended).removeListener('error', failed)
        work()
      }
      const found = (next: Entry): void => settle(() => resolve(next))
      const ended = (): void => settle(() => resolve(undefined))
      const failed = (error: Error): void => settle(() => reject(damaged(error)))
      zip.once('entry', found).once('end', ended).once('error', failed)
      zip.readEntry()
    })
    if (!entry) return
    yield entry
  }
}

const damaged = (error: unknown): BadArchive =>
  new BadArchive(`it is no zip archive, or a damaged one (${error instanceof Error ? error.message : error})`)

/** Works with an archive on disk. @throws BadArchive */
export async function withArchive<T>(path: string, work: (zip: ZipFile) => Promise<T>): Promise<T> {
  const { reader, size } = await readerOf(path)
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true }
    fromRandomAccessReader(reader, size, options, (error, opened) =>
      opened ? resolve(opened) : reader.close(() => reject(damaged(error))),
    )
  })
  try {
    return await work(zip)
  } finally {
    zip.close()
  }
}

/**
 * Reads nothing beyond the end of the file: Node throws for a position above 2^53, and the library's own reader asks for any that
 * an archive names, in a callback, where nobody catches it and the process ends.
 */
async function readerOf(path: string): Promise<{ reader: RandomAccessReader; size: number }> {
  const file = await open(path)
  const { size } = await file.stat()
  const own: Pick<RandomAccessReader, 'read' | 'close' | '_readStreamForRange'> = {
    read: (buffer, offset, length, position, done) => {
      if (position + length > size) return done(new Error('it names a place beyond its end'))
      const read = file.read(buffer, offset, length, position)
      read.then(({ bytesRead }) => done(bytesRead < length ? new Error('it is cut off') : null), done)
    },
    _readStreamForRange: (start, end) => Readable.from(rangeOf(file, start, end), { objectMode: false }),
    close: (done) => void file.close().then(() => done(null), done),
  }
  return { reader: Object.assign(Reflect.construct(RandomAccessReader, []), own), size }
}

const PIECE_BYTES = 65_536

/** Not by a stream of Node's own, which closes the file when it is done. */
async function* rangeOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at))
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw new BadArchive('it is cut off')
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

export const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(damaged(error))))
  })

/** The lines of a stream. @throws BadArchive for one of more than `most` bytes */
export async function* linesOf(stream: AsyncIterable<Buffer>, most: number): AsyncGenerator<string> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    let from = 0
    for (let to = piece.indexOf(10); to >= 0; to = piece.indexOf(10, from)) {
      held.push(piece.subarray(from, to))
      yield Buffer.concat(held).toString('utf8')
      held = []
      size = 0
      from = to + 1
    }
    const rest = piece.subarray(from)
    size += rest.length
    if (size > most) throw new BadArchive(`a line is longer than ${most} bytes`)
    if (rest.length > 0) held.push(rest)
  }
  if (size > 0) yield Buffer.concat(held).toString('utf8')
}
