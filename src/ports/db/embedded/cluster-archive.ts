// The archive of an empty database cluster, which was created and migrated during the build. A first start unpacks it in a second,
// instead of creating a cluster in 14 s of processor time. Each installation gives its cluster new identifiers.

import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { readMigrations } from '../migrations.ts'

/** cluster.json of an archive. The bytes of its files, one after the other, are in cluster.br. */
export interface ArchiveIndex {
  /** Identifies the versions with which the archive was made (`archiveKey`). */
  key: string
  /** SHA-256 of cluster.br. */
  sha256: string
  folders: string[]
  files: { path: string; size: number }[]
}

interface Archive {
  folder: string
  index: ArchiveIndex
}

export const INDEX_FILE = 'cluster.json'
export const DATA_FILE = 'cluster.br'
export const CONTROL_FILE = 'global/pg_control'

const PACKAGES = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector']
const MAX_CONCURRENT_WRITES = 16
// The length of mock_authentication_nonce in pg_control.
const NONCE_BYTES = 32
const SYSTEM_ID_BYTES = 8
// The offset of the system identifier in the first page of a log segment (XLogLongPageHeaderData).
const SYSTEM_ID_IN_LOG = 24

/** A hash of the versions of the engine and of the migrations. An archive that was made with other versions is not used. */
export function archiveKey(): string {
  const hash = createHash('sha256')
  const require = createRequire(import.meta.url)
  for (const name of PACKAGES) hash.update(`${name} ${versionOf(require.resolve(name))}\n`)
  for (const { name, checksum } of readMigrations()) hash.update(`${name} ${checksum}\n`)
  return hash.digest('hex')
}

function versionOf(module: string): string {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    const { version } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    if (typeof version === 'string') return version
    if (dirname(folder) === folder) throw new Error(`${module} is in no package`)
  }
}

/**
 * The archive of this build. Code that runs from the sources uses the one in `dist`. Undefined if there is no archive, or if it was
 * made with other versions.
 */
export function findArchive(): Archive | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    for (const candidate of [join(folder, 'cluster'), join(folder, 'dist/cluster')]) {
      const path = join(candidate, INDEX_FILE)
      if (!existsSync(path)) continue
      const index = JSON.parse(readFileSync(path, 'utf8')) as ArchiveIndex
      return index.key === archiveKey() ? { folder: candidate, index } : undefined
    }
    // The search ends at the folder of Kenning's package, because the files in folders above it are not Kenning's.
    if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return undefined
  }
}

/**
 * Unpacks the archive into `folder`, which must not exist, and gives the cluster its own identifiers. The caller syncs the folder.
 * @throws Error when the archive is damaged; the folder is then incomplete
 */
export async function unpackCluster({ folder: source, index }: Archive, folder: string): Promise<void> {
  const data = join(source, DATA_FILE)
  const hash = createHash('sha256')
  for await (const piece of createReadStream(data)) hash.update(piece)
  if (hash.digest('hex') !== index.sha256) throw new Error(`${data} is damaged`)
  await mkdir(folder, { mode: 0o700 })
  for (const path of index.folders) await mkdir(pathInside(folder, path), { mode: 0o700 })
  const systemId = randomBytes(SYSTEM_ID_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const writes = new Set<Promise<void>>()
  const failures: unknown[] = []
  try {
    for await (const { path, bytes } of filesOf(data, index)) {
      if (path === CONTROL_FILE) setIdentifiers(bytes, systemId, nonce)
      if (isLog(path)) systemId.copy(bytes, SYSTEM_ID_IN_LOG)
      const options = { flag: 'wx', mode: 0o600 }
      const write = writeFile(pathInside(folder, path), bytes, options)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => writes.delete(write))
      writes.add(write)
      if (writes.size >= MAX_CONCURRENT_WRITES) await Promise.race(writes)
      if (failures.length > 0) break
    }
  } finally {
    // After a failure the caller removes the folder, so nothing may still be writing into it.
    await Promise.all(writes)
  }
  if (failures.length > 0) throw failures[0]
}

/** The path inside `folder`. @throws Error when `path` leads out of it */
function pathInside(folder: string, path: string): string {
  const target = resolve(folder, path)
  if (!target.startsWith(resolve(folder) + sep)) throw new Error(`the archive has a path outside: ${path}`)
  return target
}

/** Whether a file of a cluster is a segment of the write-ahead log. */
export const isLog = (path: string): boolean => /^pg_wal\/[0-9A-F]{24}$/.test(path)

async function* filesOf(
  data: string,
  { files }: ArchiveIndex,
): AsyncGenerator<{ path: string; bytes: Buffer }> {
  const stream = createReadStream(data).pipe(createBrotliDecompress({ chunkSize: 256 * 1024 }))
  let pieces: Buffer[] = []
  let length = 0
  const remainingFiles = files.values()
  let nextFile = remainingFiles.next()
  for await (const piece of stream) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    while (!nextFile.done && length >= nextFile.value.size) {
      const content = Buffer.concat(pieces)
      yield { path: nextFile.value.path, bytes: content.subarray(0, nextFile.value.size) }
      pieces = [content.subarray(nextFile.value.size)]
      length -= nextFile.value.size
      nextFile = remainingFiles.next()
    }
  }
  if (!nextFile.done) throw new Error(`${data} is too short`)
}

/** Sets the system identifier, which is the first field of pg_control, the nonce, and the checksum, which comes after the nonce. */
function setIdentifiers(control: Buffer, systemId: Buffer, nonce: Buffer): void {
  const checksumAt = checksumOffset(control)
  systemId.copy(control)
  // Between the nonce and the checksum are three bytes of padding.
  nonce.copy(control, checksumAt - 3 - NONCE_BYTES)
  control.writeUInt32LE(crc32c(control.subarray(0, checksumAt)), checksumAt)
}

/** The offset of pg_control's checksum, which covers the bytes before it. @throws Error when there is none */
export function checksumOffset(control: Buffer): number {
  for (let offset = 200; offset < 512; offset += 4) {
    if (control.readUInt32LE(offset) === crc32c(control.subarray(0, offset))) return offset
  }
  throw new Error('pg_control has no valid checksum')
}

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  return ~crc >>> 0
}
