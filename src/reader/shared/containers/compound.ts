// The directory of an OLE compound file ([MS-CFB]). Old Office files and encrypted new Office files use this container. The
// names of the streams inside show the format.

import type { FileHandle } from 'node:fs/promises'
import { UnreadableFile } from '../../block.ts'

export const COMPOUND_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex')

// Sector numbers from here on mean that no sector follows.
const END_OF_CHAIN = 0xfffffffa
const HEADER_BYTES = 512
// Positions in the header ([MS-CFB] 2.2).
const SECTOR_SHIFT_AT = 30
const FIRST_DIRECTORY_SECTOR_AT = 48
const FIRST_SMALL_TABLE_SECTOR_AT = 60
const FIRST_LIST_SECTOR_AT = 68
const TABLE_SECTORS_AT = 76
/** The number of sectors of the allocation table that the header itself lists. */
const TABLE_SECTORS_IN_HEADER = 109
const DIRECTORY_ENTRY_BYTES = 128
// Positions in an entry of the directory ([MS-CFB] 2.6.1).
const NAME_LENGTH_AT = 64
const PREVIOUS_ENTRY_AT = 68
const NEXT_ENTRY_AT = 72
const FIRST_CHILD_AT = 76
// Larger than the directory of any Office document; the limit also ends circular chains.
const MAX_DIRECTORY_SECTORS = 4096

/** The sector size that the header states. Undefined if the bytes are not the header of a compound file. */
function sectorSize(header: Buffer): number | undefined {
  if (header.length < HEADER_BYTES || !header.subarray(0, 8).equals(COMPOUND_MAGIC)) return undefined
  const sectorBytes = 1 << header.readUInt16LE(SECTOR_SHIFT_AT)
  return sectorBytes === 512 || sectorBytes === 4096 ? sectorBytes : undefined
}

/**
 * The names of the file's own streams and storages, in lower case for comparison. Empty if the container is damaged. Names
 * inside embedded objects are not included (a workbook with a Word document in it is a workbook), unless the tree is damaged.
 */
export async function compoundNames(file: FileHandle): Promise<string[]> {
  const header = await readAt(file, 0, HEADER_BYTES)
  const sectorBytes = sectorSize(header)
  if (sectorBytes === undefined) return []
  const sectors: Buffer[] = []
  let sector = header.readUInt32LE(FIRST_DIRECTORY_SECTOR_AT)
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
  const bytes = Math.min(NAME_LENGTH_AT, directory.readUInt16LE(at + NAME_LENGTH_AT))
  return bytes > 2 ? directory.toString('utf16le', at, at + bytes - 2).toLowerCase() : ''
}

/** The names in the root storage. Its entries form a binary tree; each refers to a previous and a next entry. */
function rootNames(directory: Buffer): string[] {
  const names: string[] = []
  const visited = new Set<number>()
  const pendingEntries =
    directory.length < DIRECTORY_ENTRY_BYTES ? [] : [directory.readUInt32LE(FIRST_CHILD_AT)]
  for (let entry = pendingEntries.pop(); entry !== undefined; entry = pendingEntries.pop()) {
    const at = entry * DIRECTORY_ENTRY_BYTES
    if (at + DIRECTORY_ENTRY_BYTES > directory.length || visited.has(entry)) continue
    visited.add(entry)
    const name = nameAt(directory, at)
    if (name !== '') names.push(name)
    for (const link of [PREVIOUS_ENTRY_AT, NEXT_ENTRY_AT])
      pendingEntries.push(directory.readUInt32LE(at + link))
  }
  return names
}

/** The next sector by the allocation table. Only the table sectors in the header are read, which cover 6.8 MB at least. */
async function nextSector(
  file: FileHandle,
  header: Buffer,
  sectorBytes: number,
  sector: number,
): Promise<number> {
  const perSector = sectorBytes / 4
  const index = Math.floor(sector / perSector)
  if (index >= TABLE_SECTORS_IN_HEADER) return END_OF_CHAIN
  const tableSector = header.readUInt32LE(TABLE_SECTORS_AT + 4 * index)
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
 * Refuses a container with circular chains of sectors, which the library would follow until memory runs out: a file of 33 KB
 * took 1.3 GB and crashed the process. Reads each cell of the allocation table once. @throws UnreadableFile
 */
export function refuseCircular(bytes: Buffer): void {
  const sectorBytes = sectorSize(bytes)
  if (sectorBytes === undefined) return
  const nextSectors = allocationTable(bytes, sectorBytes)
  refuseCircularChains(nextSectors)
  // Small streams share sectors and have an allocation table of their own.
  const smallTable = readChain(
    bytes,
    sectorBytes,
    nextSectors,
    bytes.readUInt32LE(FIRST_SMALL_TABLE_SECTOR_AT),
  )
  refuseCircularChains(tableCells(smallTable))
  refuseCircularDirectory(
    readChain(bytes, sectorBytes, nextSectors, bytes.readUInt32LE(FIRST_DIRECTORY_SECTOR_AT)),
  )
}

/** Refuses a directory in which an entry occurs more than once, because its entries must form a tree. */
function refuseCircularDirectory(directory: Buffer): void {
  const visited = new Set<number>()
  const pendingEntries = [0]
  for (let entry = pendingEntries.pop(); entry !== undefined; entry = pendingEntries.pop()) {
    const at = entry * DIRECTORY_ENTRY_BYTES
    if (at + DIRECTORY_ENTRY_BYTES > directory.length) continue
    if (visited.has(entry)) throw new UnreadableFile('damaged', 'the directory refers to itself')
    visited.add(entry)
    for (const link of [PREVIOUS_ENTRY_AT, NEXT_ENTRY_AT, FIRST_CHILD_AT])
      pendingEntries.push(directory.readUInt32LE(at + link))
  }
}

/** The bytes of a chain of sectors. */
function readChain(bytes: Buffer, sectorBytes: number, nextSectors: Uint32Array, first: number): Buffer {
  const sectors: Buffer[] = []
  for (let at = first; at < nextSectors.length; at = nextSectors[at] ?? END_OF_CHAIN)
    sectors.push(bytes.subarray((at + 1) * sectorBytes, (at + 2) * sectorBytes))
  return Buffer.concat(sectors)
}

function tableCells(table: Buffer): Uint32Array {
  return Uint32Array.from({ length: Math.floor(table.length / 4) }, (_, i) => table.readUInt32LE(4 * i))
}

function refuseCircularChains(nextSectors: Uint32Array): void {
  // For each sector the number of the walk that reached it, from 1; 0 if none has.
  const walks = new Uint32Array(nextSectors.length)
  for (let start = 0; start < nextSectors.length; start++) {
    for (let at = start; at < nextSectors.length && walks[at] === 0; at = nextSectors[at] ?? END_OF_CHAIN) {
      walks[at] = start + 1
      const nextSector = nextSectors[at] ?? END_OF_CHAIN
      if (walks[nextSector] === start + 1)
        throw new UnreadableFile('damaged', 'a chain of sectors is circular')
    }
  }
}

/** For each sector the next one. The sectors of this table are listed in the header and in a chain of list sectors. */
function allocationTable(bytes: Buffer, sectorBytes: number): Uint32Array {
  const sectors = Math.ceil(bytes.length / sectorBytes)
  const tableSectors = Array.from({ length: TABLE_SECTORS_IN_HEADER }, (_, i) =>
    bytes.readUInt32LE(TABLE_SECTORS_AT + 4 * i),
  )
  let list = bytes.readUInt32LE(FIRST_LIST_SECTOR_AT)
  while (list < sectors && tableSectors.length * (sectorBytes / 4) < sectors) {
    const at = (list + 1) * sectorBytes
    if (at + sectorBytes > bytes.length) break
    for (let i = 0; i < sectorBytes / 4 - 1; i++) tableSectors.push(bytes.readUInt32LE(at + 4 * i))
    list = bytes.readUInt32LE(at + sectorBytes - 4)
  }
  const perSector = sectorBytes / 4
  // The library reads the cells of a truncated table as 0, so this function does too.
  const nextSectors = new Uint32Array(tableSectors.length * perSector).fill(END_OF_CHAIN)
  tableSectors.forEach((sector, tableIndex) => {
    const at = (sector + 1) * sectorBytes
    for (let i = 0; i < perSector && at < bytes.length; i++)
      nextSectors[tableIndex * perSector + i] =
        at + 4 * i + 4 <= bytes.length ? bytes.readUInt32LE(at + 4 * i) : 0
  })
  return nextSectors
}
