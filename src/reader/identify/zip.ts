// Looks into a zip container without unpacking it: what it holds, and whether unpacking it is safe
// (entries ≤ 10,000, unpacked ≤ 500 MB, ratio ≤ 100; BAD-22).

import { type Entry, open, type ZipFile } from 'yauzl'
import { UnreadableFile } from '../block.ts'

export interface ZipEntryInfo {
  name: string
  /** Where the entry begins in the file. */
  offset?: number
  packed: number
  unpacked: number
}

const MOST_ENTRIES = 10_000
const MOST_UNPACKED_BYTES = 500 * 2 ** 20
const MOST_RATIO = 100
// poi's legal look-alike bomb and every sparse sheet pack some small part better than 1:100; below this total
// the ratio says nothing about danger (a whole 10,000-row sheet of one value is 8 MB).
const RATIO_MATTERS_FROM_BYTES = 32 * 2 ** 20

/** Every entry of the central directory, at most one beyond the allowed count. Throws when it is no readable zip. */
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
    return entries.length <= MOST_ENTRIES
  })
  return entries
}

/** Refuses a container that is too large once unpacked, by its own account. What lies is caught by the memory ceiling. */
export function refuseZipBomb(entries: readonly ZipEntryInfo[], fileBytes: number): void {
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (entriesOverlap(entries)) throw new UnreadableFile('damaged', 'parts inside overlap')
  if (entries.length > MOST_ENTRIES) {
    throw new UnreadableFile('too_large_unpacked', `more than ${MOST_ENTRIES} parts inside`)
  }
  if (unpacked > MOST_UNPACKED_BYTES) {
    throw new UnreadableFile('too_large_unpacked', `${unpacked} bytes once unpacked`)
  }
  if (unpacked > RATIO_MATTERS_FROM_BYTES && unpacked / Math.max(1, fileBytes) > MOST_RATIO) {
    throw new UnreadableFile(
      'too_large_unpacked',
      `unpacks to ${Math.round(unpacked / fileBytes)} times its size`,
    )
  }
}

// A local header without its name.
const LOCAL_HEADER_BYTES = 30

/** Whether two entries share bytes of the file: how a bomb of one kernel and many entries is made (Fifield 2019). */
export function entriesOverlap(entries: readonly ZipEntryInfo[]): boolean {
  const sorted = entries
    .filter((entry) => entry.offset !== undefined)
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
  return sorted.some((entry, i) => {
    const next = sorted[i + 1]
    return next !== undefined && (entry.offset ?? 0) + LOCAL_HEADER_BYTES + entry.packed > (next.offset ?? 0)
  })
}

/** One entry's bytes, or undefined when there is none of that name; throws when it holds more than `mostBytes`. */
export async function readZipEntry(
  path: string,
  name: string,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const zip = await openZip(path)
  let found: Promise<Buffer> | undefined
  await eachEntry(zip, (entry) => {
    if (entry.fileName !== name) return true
    found = readEntry(zip, entry, mostBytes)
    // The file handle must outlive the reading: closing waits for it.
    found.catch(() => undefined)
    return false
  })
  return found
}

function openZip(path: string): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false }
  return new Promise((resolve, reject) => {
    open(path, options, (error, zip) => (zip ? resolve(zip) : reject(error ?? new Error('no zip'))))
  })
}

/** Walks the directory while `visit` says so; the handle closes by itself after the last open reader. */
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

function readEntry(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!stream) return reject(error ?? new Error('unreadable entry'))
      const parts: Buffer[] = []
      let size = 0
      stream.on('data', (part: Buffer) => {
        size += part.length
        if (size > mostBytes) stream.destroy(new UnreadableFile('too_large_unpacked', entry.fileName))
        else parts.push(part)
      })
      stream.on('end', () => resolve(Buffer.concat(parts)))
      stream.on('error', reject)
    })
  })
}
