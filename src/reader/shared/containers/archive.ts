// A zip container from which many parts are read by name, each checked for size and checksum. Nothing is unpacked to
// disk, so a name like ../../etc/passwd is only a key (BAD-22).

import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import type { EachPicture } from '../../backend.ts'
import { isMachineError, UnreadableFile } from '../../block.ts'
import { openZip } from './zip.ts'

export interface Archive {
  /** The names of the parts as written, in the order of the directory. */
  names: readonly string[]
  has: (name: string) => boolean
  /**
   * The bytes of a part, undefined if there is none. Throws UnreadableFile if it is too large, encrypted or damaged.
   */
  read: (name: string, maxBytes?: number) => Promise<Buffer | undefined>
  /** The bytes of a part piece by piece. */
  pieces: (name: string, maxBytes?: number) => AsyncIterable<Buffer>
  /** The names of parts that were read only in part or not at all, because they are damaged or missing. */
  incomplete: Set<string>
}

const MAX_PART_BYTES = 500 * 2 ** 20
const ENCRYPTED_FLAG = 1

/** Opens the archive at `path`, calls `work`, and closes it. Throws UnreadableFile if its directory cannot be read. */
export async function withArchive<T>(path: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const zip = await openZip(path).catch((error: unknown) => Promise.reject(asDamaged(error)))
  try {
    const entries = await readDirectory(zip)
    const byName = new Map<string, Entry>()
    // If two parts have the same name, the first one is used, as in all office suites.
    for (const entry of entries)
      if (!byName.has(comparableName(entry.fileName))) byName.set(comparableName(entry.fileName), entry)
    const pieces = (name: string, maxBytes = MAX_PART_BYTES): AsyncIterable<Buffer> =>
      entryPieces(zip, byName.get(comparableName(name)), maxBytes)
    return await work({
      names: entries.map((entry) => entry.fileName),
      has: (name) => byName.has(comparableName(name)),
      pieces,
      incomplete: new Set(),
      read: async (name, maxBytes) => {
        if (!byName.has(comparableName(name))) return undefined
        const parts: Buffer[] = []
        for await (const piece of pieces(name, maxBytes)) parts.push(piece)
        return Buffer.concat(parts)
      },
    })
  } finally {
    zip.close()
  }
}

// A photograph on a slide has 0.1 to 10 MB.
const MAX_PICTURE_BYTES = 64 * 2 ** 20

/** Reads the pictures of a format in which each picture is a part of the archive. */
export const eachNamedPart: EachPicture = ({ path }, names, onPicture) =>
  withArchive(path, async (archive) => {
    for (const name of names) {
      const bytes = await archive.read(name, MAX_PICTURE_BYTES).catch(() => undefined)
      if (bytes !== undefined) onPicture(name, bytes)
    }
  })

/** Part names are compared without case ([ECMA-376-2] 6.2.2.3), and some writers use the wrong slash. */
function comparableName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

function readDirectory(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error: Error) => reject(asDamaged(error)))
    zip.readEntry()
  })
}

async function* entryPieces(zip: ZipFile, entry: Entry | undefined, maxBytes: number): AsyncIterable<Buffer> {
  if (entry === undefined) return
  if ((entry.generalPurposeBitFlag & ENCRYPTED_FLAG) !== 0) throw new UnreadableFile('encrypted')
  let size = 0
  let checksum = 0
  const stream = await openEntry(zip, entry)
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    // This fails if the data are corrupt, or if there are more bytes than the directory states.
    const { done, value } = await pieces.next().catch((error: unknown) => Promise.reject(asDamaged(error)))
    if (done === true) break
    size += value.length
    if (size > maxBytes) throw new UnreadableFile('too_large_unpacked', entry.fileName)
    checksum = crc32(value, checksum)
    yield value
  }
  if (checksum !== entry.crc32) throw new UnreadableFile('damaged', `${entry.fileName}: wrong checksum`)
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(asDamaged(error))))
  })
}

const asDamaged = (error: unknown): unknown =>
  isMachineError(error) ? error : new UnreadableFile('damaged', String(error))
