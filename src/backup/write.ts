// Writes a backup while the service runs, for `kenning backup` and for the task (task.ts). First the files are copied, then all
// rows in one snapshot, then the files that were added meanwhile. This is complete, because the service stores a file before a row
// refers to it, and deletes it at the earliest an hour after the last reference is gone.

import { constants, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Blobs } from '../ports/blobs/blobs.ts'
import type { Db, Queryable } from '../ports/db/db.ts'
import { type AppliedMigration, appliedMigrations } from '../ports/db/migrate.sql.ts'
import { blobFile, digestOf, FORMAT, KEY_FILE, MANIFEST, type Manifest, tableFile } from './manifest.ts'
import { rowsOf, selectReferencedBlobs, selectTables } from './tables.sql.ts'

/** Where the service has its files. */
export interface Files {
  blobs: Blobs
  dataDir: string
}

interface WriteOptions {
  /** Called for each file of the first pass, even if it has been deleted. */
  onFile?: () => void
  /** Called for each table that was written. */
  onTable?: (table: { name: string; rows: number }) => void
  signal?: AbortSignal
}

/** Files to which rows refer are not stored. */
export class FilesMissing extends Error {}

/** @param folder must be empty, or must not exist yet. @throws FilesMissing, or the reason of the signal */
export async function writeBackup(
  db: Db,
  { blobs, dataDir }: Files,
  folder: string,
  options: WriteOptions = {},
): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  const copiedHashes = await copyAll(blobs, folder, options)
  const manifest = await db.tx((tx) => writeRows(tx, folder, options), { snapshot: true })
  const missingHashes = await copyNewFiles(
    { blobs, folder, signal: options.signal },
    manifest.blobs,
    copiedHashes,
  )
  if (missingHashes.length > 0)
    throw new FilesMissing(
      `${missingHashes.length} uploaded files are missing, the first is ${missingHashes[0]}. Are KENNING_DATA_DIR (${dataDir}) and ` +
        'KENNING_BLOBS those that the service uses?',
    )
  await copyKey(dataDir, folder)
  const path = join(folder, MANIFEST)
  await writeFile(`${path}.partial`, `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
  await rename(`${path}.partial`, path)
  return manifest
}

/** Copies every file that is stored now. @returns their hashes */
async function copyAll(blobs: Blobs, folder: string, { onFile, signal }: WriteOptions): Promise<Set<string>> {
  const copiedHashes = new Set<string>()
  for await (const hash of blobs.storedHashes(0)) {
    signal?.throwIfAborted()
    // A missing file is no error: only a file without references is deleted, so the rows of the backup will not refer to it.
    if (await copyBlob(blobs.open(hash), folder, hash)) copiedHashes.add(hash)
    onFile?.()
  }
  return copiedHashes
}

/** Copies the files that were added during the backup. @returns the hashes of the files that are not stored */
async function copyNewFiles(
  { blobs, folder, signal }: { blobs: Blobs; folder: string; signal: AbortSignal | undefined },
  hashes: readonly string[],
  copiedHashes: ReadonlySet<string>,
): Promise<string[]> {
  const missingHashes: string[] = []
  for (const hash of hashes) {
    signal?.throwIfAborted()
    if (!copiedHashes.has(hash) && !(await copyBlob(blobs.open(hash), folder, hash))) missingHashes.push(hash)
  }
  return missingHashes
}

/** @returns false if the file is not stored */
async function copyBlob(source: Promise<string>, folder: string, hash: string): Promise<boolean> {
  const target = join(folder, blobFile(hash))
  try {
    const path = await source
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(path, target, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function copyKey(dataDir: string, folder: string): Promise<void> {
  const key = await readFile(join(dataDir, KEY_FILE)).catch(() => undefined)
  if (key) await writeFile(join(folder, KEY_FILE), key, { mode: 0o600 })
}

async function writeRows(
  tx: Queryable,
  folder: string,
  { onTable, signal }: WriteOptions,
): Promise<Manifest> {
  const migrations = await tx.rows<AppliedMigration>(appliedMigrations)
  const tables: Manifest['tables'] = []
  for (const table of await selectTables(tx)) {
    signal?.throwIfAborted()
    const path = join(folder, tableFile(table.name))
    let rows = 0
    const texts = async function* (): AsyncGenerator<string> {
      for await (const batch of rowsOf(tx, table)) {
        signal?.throwIfAborted()
        rows += batch.length
        yield `${batch.join('\n')}\n`
      }
    }
    // Level 1 is four times as fast as the default, and its files are 50 % larger. Speed matters more, because the embedded
    // database runs no other statements meanwhile.
    await pipeline(Readable.from(texts()), createGzip({ level: 1 }), createWriteStream(path, { mode: 0o600 }))
    onTable?.({ name: table.name, rows })
    tables.push({ name: table.name, rows, sha256: (await digestOf(path, signal)) ?? '' })
  }
  return {
    format: FORMAT,
    made_at: new Date().toISOString(),
    migrations,
    tables,
    blobs: await selectReferencedBlobs(tx),
  }
}
