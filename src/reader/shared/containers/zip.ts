// The directory of a zip container, and whether it is safe to unpack: at most 10,000 entries, 500 MB unpacked, a ratio
// of 100 (BAD-22).

import { createReadStream } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { UnreadableFile } from '../../block.ts'

export interface ZipEntryInfo {
  name: string
  /** The position of the entry in the file. */
  offset?: number
  packed: number
  unpacked: number
}

const MAX_ENTRIES = 10_000
const MAX_UNPACKED_BYTES = 500 * 2 ** 20
const MAX_RATIO = 100
// Smaller containers may have any ratio, because sparse sheets exceed it: 10,000 rows of one value unpack to 8 MB.
const MIN_BYTES_FOR_RATIO = 32 * 2 ** 20

/** The entries of the directory, at most one more than `refuseZipBomb` allows. Throws if the directory cannot be read. */
export async function listZip(path: string): Promise<ZipEntryInfo[]> {
  const zip = await openZip(path)
  const entries: ZipEntryInfo[] = []
  await eachEntry(zip, (entry) => {
    entries.push({
      name: entry.fileName,
      offset: entry.relativeOffsetOfLocalHeader,
      packed: entry.compressedSize,
      unpacked: entry.uncompressedSize,
    })
    return entries.length <= MAX_ENTRIES
  })
  return entries
}

/**
 * Refuses a container that is too large once unpacked, according to its directory. If the directory states wrong sizes, the
 * memory limit of the parser process ends the unpacking.
 */
export function refuseZipBomb(entries: readonly ZipEntryInfo[], fileBytes: number): void {
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (entriesOverlap(entries)) throw new UnreadableFile('damaged', 'entries overlap')
  if (entries.length > MAX_ENTRIES) {
    throw new UnreadableFile('too_large_unpacked', `more than ${MAX_ENTRIES} entries`)
  }
  if (unpacked > MAX_UNPACKED_BYTES) {
    throw new UnreadableFile('too_large_unpacked', `${unpacked} bytes once unpacked`)
  }
  if (unpacked > MIN_BYTES_FOR_RATIO && unpacked / Math.max(1, fileBytes) > MAX_RATIO) {
    throw new UnreadableFile(
      'too_large_unpacked',
      `unpacks to ${Math.round(unpacked / fileBytes)} times its size`,
    )
  }
}

// The size of a local header without its name.
const LOCAL_HEADER_BYTES = 30

/** Whether two entries share bytes of the file, as in a zip bomb whose entries unpack the same data (Fifield 2019). */
export function entriesOverlap(entries: readonly ZipEntryInfo[]): boolean {
  const sortedEntries = entries
    .filter((entry) => entry.offset !== undefined)
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
  return sortedEntries.some((entry, i) => {
    const next = sortedEntries[i + 1]
    return next !== undefined && (entry.offset ?? 0) + LOCAL_HEADER_BYTES + entry.packed > (next.offset ?? 0)
  })
}

/** The bytes of one entry, undefined if there is none of that name. Throws if it is larger than `maxBytes`. */
export async function readZipEntry(
  path: string,
  name: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const zip = await openZip(path)
  let content: Promise<Buffer> | undefined
  await eachEntry(zip, (entry) => {
    if (entry.fileName !== name) return true
    content = readEntry(zip, entry, maxBytes)
    // yauzl closes the file only after the entry has been read.
    content.catch(() => undefined)
    return false
  })
  return content
}

/** Opens a container, also if other bytes follow its end: some programs append a line end or fill the last block. */
export function openZip(path: string): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false }
  return openPromise(path, options).catch(async (error: unknown) => {
    const end = await endBeforeTrailingBytes(path)
    if (end === undefined) throw error
    return fromRandomAccessReaderPromise(rangeReader(path), end, options)
  })
}

const END_SIGNATURE = Buffer.from('PK\u0005\u0006')
const END_BYTES = 22
const MAX_TRAILING_BYTES = 65_536

/** The position at which the container ends according to its last record, if other bytes follow. */
async function endBeforeTrailingBytes(path: string): Promise<number | undefined> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - END_BYTES - MAX_TRAILING_BYTES)
    const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    const at = buffer.lastIndexOf(END_SIGNATURE)
    if (at < 0 || at + END_BYTES > buffer.length) return undefined
    const end = from + at + END_BYTES + buffer.readUInt16LE(at + 20)
    return end < size ? end : undefined
  } finally {
    await file.close()
  }
}

/** How yauzl reads a part of a file, as an object instead of a subclass. */
const rangeReader = (path: string): RandomAccessReader =>
  Object.assign(Reflect.construct(RandomAccessReader, []) as RandomAccessReader, {
    _readStreamForRange: (start: number, end: number) => createReadStream(path, { start, end: end - 1 }),
  })

/** Visits the entries of the directory until `visit` returns false, then closes the file. */
function eachEntry(zip: ZipFile, visit: (entry: Entry) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      zip.close()
      resolve()
    }
    zip.on('entry', (entry: Entry) => (visit(entry) ? zip.readEntry() : end()))
    zip.on('end', end)
    zip.on('error', (error: Error) => {
      zip.close()
      reject(error)
    })
    zip.readEntry()
  })
}

function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!stream) return reject(error ?? new Error('unreadable entry'))
      const parts: Buffer[] = []
      let size = 0
      stream.on('data', (part: Buffer) => {
        size += part.length
        if (size > maxBytes) stream.destroy(new UnreadableFile('too_large_unpacked', entry.fileName))
        else parts.push(part)
      })
      stream.on('end', () => resolve(Buffer.concat(parts)))
      stream.on('error', reject)
    })
  })
}
