// The directory of an OLE compound file ([MS-CFB]). Old Office files and encrypted new Office files use this container. The
// names of the streams inside show the format.

import type { FileHandle } from 'node:fs/promises'
import { UnreadableFile } from '../../block.ts'

export const COMPOUND_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const END_OF_CHAIN = 0xfffffffa
const DIRECTORY_ENTRY_BYTES = 128
// Larger than the directory of any Office document; the limit also ends circular chains.
const MAX_DIRECTORY_SECTORS = 4096

/**
 * The names of the file's own streams and storages, in lower case for comparison. Empty if the container is damaged. Names
 * inside embedded objects are not included (a workbook with a Word document in it is a workbook), unless the tree is damaged.
 */
export async function compoundNames(file: FileHandle): Promise<string[]> {
  const header = await readAt(file, 0, 512)
  if (header.length < 512 || !header.subarray(0, 8).equals(COMPOUND_MAGIC)) return []
  const sectorBytes = 1 << header.readUInt16LE(30)
  if (sectorBytes !== 512 && sectorBytes !== 4096) return []
  const sectors: Buffer[] = []
  let sector = header.readUInt32LE(48)
  for (let i = 0; i < MAX_DIRECTORY_SECTORS && sector < END_OF_CHAIN; i++) {
    const entries = await readAt(file, (sector + 1) * sectorBytes, sectorBytes)
    if (entries.length < DIRECTORY_ENTRY_BYTES) break
    sectors.push(entries)
    sector = await nextSector(file, header, sectorBytes, sector)
  }
  const directory = Buffer.concat(sectors)
  const ownNames = rootNames(directory)
  return ownNames.length > 0 ? ownNames : allNames(directory)
}

const allNames = (directory: Buffer): string[] =>
  Array.from({ length: Math.floor(directory.length / DIRECTORY_ENTRY_BYTES) }, (_, entry) =>
    nameAt(directory, entry * DIRECTORY_ENTRY_BYTES),
  ).filter(Boolean)

function nameAt(directory: Buffer, at: number): string {
  const bytes = Math.min(64, directory.readUInt16LE(at + 64))
  return bytes > 2 ? directory.toString('utf16le', at, at + bytes - 2).toLowerCase() : ''
}

/** The entries of a storage form a binary tree: the root refers to its top, and each entry to the entries before and after it. */
function rootNames(directory: Buffer): string[] {
  const names: string[] = []
  const visited = new Set<number>()
  const pendingEntries = directory.length < DIRECTORY_ENTRY_BYTES ? [] : [directory.readUInt32LE(76)]
  for (let entry = pendingEntries.pop(); entry !== undefined; entry = pendingEntries.pop()) {
    const at = entry * DIRECTORY_ENTRY_BYTES
    if (at + DIRECTORY_ENTRY_BYTES > directory.length || visited.has(entry)) continue
    visited.add(entry)
    const name = nameAt(directory, at)
    if (name !== '') names.push(name)
    pendingEntries.push(directory.readUInt32LE(at + 68), directory.readUInt32LE(at + 72))
  }
  return names
}

/** Follows the allocation table. Only the 109 sectors listed in the header are used, which cover 6.8 MB at least. */
async function nextSector(
  file: FileHandle,
  header: Buffer,
  sectorBytes: number,
  sector: number,
): Promise<number> {
  const perSector = sectorBytes / 4
  const index = Math.floor(sector / perSector)
  if (index >= 109) return END_OF_CHAIN
  const tableSector = header.readUInt32LE(76 + 4 * index)
  if (tableSector >= END_OF_CHAIN) return END_OF_CHAIN
  const at = (tableSector + 1) * sectorBytes + 4 * (sector % perSector)
  const cell = await readAt(file, at, 4)
  return cell.length === 4 ? cell.readUInt32LE(0) : END_OF_CHAIN
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/**
 * Refuses a container with circular chains of sectors, which the library would follow until memory runs out (33 KB took
 * 1.3 GB and crashed the process). Reads each cell of the allocation table once. @throws UnreadableFile
 */
export function refuseCircular(bytes: Buffer): void {
  if (bytes.length < 512 || !bytes.subarray(0, 8).equals(COMPOUND_MAGIC)) return
  const sectorBytes = 1 << bytes.readUInt16LE(30)
  if (sectorBytes !== 512 && sectorBytes !== 4096) return
  const next = allocationTable(bytes, sectorBytes)
  refuseCircles(next)
  // Small streams share sectors and have an allocation table of their own.
  const small = chain(bytes, sectorBytes, next, bytes.readUInt32LE(60))
  refuseCircles(numbers(small))
  refuseCircularDirectory(chain(bytes, sectorBytes, next, bytes.readUInt32LE(48)))
}

/** The entries of a folder form a tree, in which each may occur only once. */
function refuseCircularDirectory(directory: Buffer): void {
  const visited = new Set<number>()
  const pendingEntries = [0]
  for (let entry = pendingEntries.pop(); entry !== undefined; entry = pendingEntries.pop()) {
    const at = entry * DIRECTORY_ENTRY_BYTES
    if (at + DIRECTORY_ENTRY_BYTES > directory.length) continue
    if (visited.has(entry)) throw new UnreadableFile('damaged', 'the directory refers to itself')
    visited.add(entry)
    for (const link of [68, 72, 76]) pendingEntries.push(directory.readUInt32LE(at + link))
  }
}

function chain(bytes: Buffer, sectorBytes: number, next: Uint32Array, first: number): Buffer {
  const sectors: Buffer[] = []
  for (let at = first; at < next.length; at = next[at] ?? END_OF_CHAIN)
    sectors.push(bytes.subarray((at + 1) * sectorBytes, (at + 2) * sectorBytes))
  return Buffer.concat(sectors)
}

function numbers(table: Buffer): Uint32Array {
  return Uint32Array.from({ length: Math.floor(table.length / 4) }, (_, i) => table.readUInt32LE(4 * i))
}

function refuseCircles(next: Uint32Array): void {
  // The number of the walk that reached each sector, from 1.
  const walks = new Uint32Array(next.length)
  for (let start = 0; start < next.length; start++) {
    for (let at = start; at < next.length && walks[at] === 0; at = next[at] ?? END_OF_CHAIN) {
      walks[at] = start + 1
      const nextSector = next[at] ?? END_OF_CHAIN
      if (walks[nextSector] === start + 1)
        throw new UnreadableFile('damaged', 'a chain of sectors is circular')
    }
  }
}

/**
 * The sector that follows each sector. The sectors of the table itself are listed in the header and in a chain of
 * lists.
 */
function allocationTable(bytes: Buffer, sectorBytes: number): Uint32Array {
  const sectors = Math.ceil(bytes.length / sectorBytes)
  const tableSectors = Array.from({ length: 109 }, (_, i) => bytes.readUInt32LE(76 + 4 * i))
  let list = bytes.readUInt32LE(68)
  while (list < sectors && tableSectors.length * (sectorBytes / 4) < sectors) {
    const at = (list + 1) * sectorBytes
    if (at + sectorBytes > bytes.length) break
    for (let i = 0; i < sectorBytes / 4 - 1; i++) tableSectors.push(bytes.readUInt32LE(at + 4 * i))
    list = bytes.readUInt32LE(at + sectorBytes - 4)
  }
  const perSector = sectorBytes / 4
  // The library reads the cells of a truncated table as 0, so this function does too.
  const next = new Uint32Array(tableSectors.length * perSector).fill(END_OF_CHAIN)
  tableSectors.forEach((sector, tableIndex) => {
    const at = (sector + 1) * sectorBytes
    for (let i = 0; i < perSector && at < bytes.length; i++)
      next[tableIndex * perSector + i] = at + 4 * i + 4 <= bytes.length ? bytes.readUInt32LE(at + 4 * i) : 0
  })
  return next
}
