// The container of an archive: a zip file without compression. So its size is known before the first byte is sent, and its files
// together never have more bytes than the archive.

import { type FileHandle, open } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import { ZipFile as ZipWriter } from 'yazl'

export interface FileToPack {
  name: string
  bytes: number
  open(): Promise<Readable>
}

// All files get this time, so that archives with the same content have the same bytes.
const FIXED_TIME = new Date('1980-01-02T00:00:00Z')

/** Packs the files while they are read, one after the other. */
export async function packZip(files: readonly FileToPack[]): Promise<{ size: number; read: () => Readable }> {
  const zip = new ZipWriter()
  const out = new PassThrough()
  let current: Readable | undefined
  const fail = (error: unknown): void => {
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  for (const { name, bytes, open: openFile } of files) {
    const options = {
      size: bytes,
      compress: false,
      mtime: FIXED_TIME,
      mode: 0o100644,
      forceDosTimestamp: true,
    }
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
  // Without the Zip64 format, yazl computes a wrong size if the directory has 64 kB or more. The callback gets the size as a
  // parameter, which is missing in yazl's types.
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

/** The archive is damaged or invalid. The message continues the sentence "This archive cannot be imported: …". */
export class BadArchive extends Error {}

/** The entries of the directory, in its order. @throws BadArchive */
export async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      const finish = (work: () => void): void => {
        zip.removeListener('entry', onEntry).removeListener('end', onEnd).removeListener('error', onError)
        work()
      }
      const onEntry = (next: Entry): void => finish(() => resolve(next))
      const onEnd = (): void => finish(() => resolve(undefined))
      const onError = (error: Error): void => finish(() => reject(damagedArchive(error)))
      zip.once('entry', onEntry).once('end', onEnd).once('error', onError)
      zip.readEntry()
    })
    if (!entry) return
    yield entry
  }
}

const damagedArchive = (error: unknown): BadArchive =>
  new BadArchive(`it is no zip archive, or a damaged one (${error instanceof Error ? error.message : error})`)

/** @param pieces the paths of the pieces of the archive, which have equal lengths; the last may be shorter @throws BadArchive */
export async function withArchive<T>(
  pieces: readonly string[],
  work: (zip: ZipFile, bytes: number) => Promise<T>,
): Promise<T> {
  const { reader, size } = await readerOf(pieces)
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true }
    fromRandomAccessReader(reader, size, options, (error, openArchive) =>
      openArchive ? resolve(openArchive) : reader.close(() => reject(damagedArchive(error))),
    )
  })
  try {
    return await work(zip, size)
  } finally {
    zip.close()
  }
}

/**
 * A reader that checks each position first. yauzl's own reader uses any position that an archive contains: for one above 2^53, Node
 * throws in a callback, where the error cannot be caught, and the process ends.
 */
async function readerOf(pieces: readonly string[]): Promise<{ reader: RandomAccessReader; size: number }> {
  const file = await openPieces(pieces)
  const { size } = file
  const readerMethods: Pick<RandomAccessReader, 'read' | 'close' | '_readStreamForRange'> = {
    read: (buffer, offset, length, position, done) => {
      if (position + length > size) return done(new Error('it names a place beyond its end'))
      const read = fillBuffer(file, buffer.subarray(offset, offset + length), position)
      read.then((isWhole) => done(isWhole ? null : new Error('it is cut off')), done)
    },
    _readStreamForRange: (start, end) => Readable.from(readRange(file, start, end), { objectMode: false }),
    close: (done) => void file.close().then(() => done(null), done),
  }
  return { reader: Object.assign(Reflect.construct(RandomAccessReader, []), readerMethods), size }
}

interface PiecesFile {
  size: number
  /** Reads from one piece at most. @returns the number of bytes that were read */
  read(buffer: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

async function openPieces(paths: readonly string[]): Promise<PiecesFile> {
  const files: FileHandle[] = []
  const close = async (): Promise<void> => {
    for (const file of files) await file.close()
  }
  try {
    const sizes: number[] = []
    for (const path of paths) {
      const file = await open(path)
      files.push(file)
      sizes.push((await file.stat()).size)
    }
    const [pieceSize = 0] = sizes
    return {
      size: sizes.reduce((sum, size) => sum + size, 0),
      read: async (buffer, position) => {
        const offset = pieceSize > 0 ? position % pieceSize : 0
        const file = files[pieceSize > 0 ? Math.floor(position / pieceSize) : 0]
        return (
          (await file?.read(buffer, 0, Math.min(buffer.length, pieceSize - offset), offset))?.bytesRead ?? 0
        )
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Fills the buffer. Returns false if the file ends before. */
async function fillBuffer(file: PiecesFile, buffer: Buffer, position: number): Promise<boolean> {
  for (let filledBytes = 0; filledBytes < buffer.length; ) {
    const bytes = await file.read(buffer.subarray(filledBytes), position + filledBytes)
    if (bytes === 0) return false
    filledBytes += bytes
  }
  return true
}

const READ_BYTES = 65_536

/** Reads a range, without closing the file at the end as a stream of Node would do. */
async function* readRange(file: PiecesFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let offset = start; offset < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, end - offset))
    const bytes = await file.read(piece, offset)
    if (bytes === 0) throw new BadArchive('it is cut off')
    offset += bytes
    yield piece.subarray(0, bytes)
  }
}

export const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(damagedArchive(error))))
  })

/**
 * The lines of a stream. Each array contains the lines that end in the same buffer of the stream.
 * @throws BadArchive for a line of more than `maxBytes`
 */
export async function* linesOf(stream: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string[]> {
  let pending: Buffer[] = []
  let size = 0
  const addToLine = (piece: Buffer): void => {
    size += piece.length
    if (size > maxBytes) throw new BadArchive(`a line is longer than ${maxBytes} bytes`)
    if (piece.length > 0) pending.push(piece)
  }
  const takeLine = (): string => {
    const line = pending.length === 1 ? pending[0] : Buffer.concat(pending)
    pending = []
    size = 0
    return line?.toString('utf8') ?? ''
  }
  for await (const piece of stream) {
    const lines: string[] = []
    let from = 0
    for (let to = piece.indexOf(10); to >= 0; to = piece.indexOf(10, from)) {
      addToLine(piece.subarray(from, to))
      lines.push(takeLine())
      from = to + 1
    }
    addToLine(piece.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (size > 0) yield [takeLine()]
}
