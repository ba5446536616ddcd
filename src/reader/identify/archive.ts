// A zip container opened once for many parts: each is read by name, its size and checksum proven on the way. Nothing is
// ever unpacked to disk, so a name like ../../etc/passwd is only a key (BAD-22).

import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, open, type ZipFile } from 'yauzl'
import { isMachines, UnreadableFile } from '../block.ts'

export interface Archive {
  /** The parts' names as written, in the directory's order. */
  names: readonly string[]
  has: (name: string) => boolean
  /** A part's bytes, undefined without one of that name. Throws UnreadableFile when it is larger, locked or damaged. */
  read: (name: string, mostBytes?: number) => Promise<Buffer | undefined>
  /** A part's bytes piece by piece, none without one of that name. */
  pieces: (name: string, mostBytes?: number) => AsyncIterable<Buffer>
  /** Parts that readers found cut off, damaged or missing, and went on without. */
  torn: Set<string>
}

const MOST_PART_BYTES = 500 * 2 ** 20
const LOCKED = 1

/** The archive at `path` for as long as `work` lasts. Throws UnreadableFile when there is no readable directory. */
export async function withArchive<T>(path: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const zip = await openZip(path)
  try {
    const entries = await readDirectory(zip)
    const byName = new Map<string, Entry>()
    // The first of two parts with one name wins, as in every office suite.
    for (const entry of entries) if (!byName.has(key(entry.fileName))) byName.set(key(entry.fileName), entry)
    const pieces = (name: string, most = MOST_PART_BYTES): AsyncIterable<Buffer> =>
      entryPieces(zip, byName.get(key(name)), most)
    return await work({
      names: entries.map((entry) => entry.fileName),
      has: (name) => byName.has(key(name)),
      pieces,
      torn: new Set(),
      read: async (name, most) => {
        if (!byName.has(key(name))) return undefined
        const parts: Buffer[] = []
        for await (const piece of pieces(name, most)) parts.push(piece)
        return Buffer.concat(parts)
      },
    })
  } finally {
    zip.close()
  }
}

/** Part names are compared without case ([ECMA-376-2] 6.2.2.3), and some writers use the wrong slash. */
function key(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

function openZip(path: string): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false }
  return new Promise((resolve, reject) => {
    open(path, options, (error, zip) => (zip ? resolve(zip) : reject(damaged(error))))
  })
}

function readDirectory(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error: Error) => reject(damaged(error)))
    zip.readEntry()
  })
}

async function* entryPieces(zip: ZipFile, entry: Entry | undefined, most: number): AsyncIterable<Buffer> {
  if (entry === undefined) return
  if ((entry.generalPurposeBitFlag & LOCKED) !== 0) throw new UnreadableFile('encrypted')
  let size = 0
  let sum = 0
  const stream = await openEntry(zip, entry)
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    // An inflater's complaint, or more bytes than the directory promised: no other reader may try its luck with it.
    const { done, value } = await pieces.next().catch((error: unknown) => Promise.reject(damaged(error)))
    if (done === true) break
    size += value.length
    if (size > most) throw new UnreadableFile('too_large_unpacked', entry.fileName)
    sum = crc32(value, sum)
    yield value
  }
  if (sum !== entry.crc32) throw new UnreadableFile('damaged', `${entry.fileName}: wrong checksum`)
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(damaged(error))))
  })
}

const damaged = (error: unknown): unknown =>
  isMachines(error) ? error : new UnreadableFile('damaged', String(error))
