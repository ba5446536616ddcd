// `kenning backup FOLDER` writes a backup while the service runs. All rows are read in one snapshot. A file is stored before a row
// refers to it, and deleted an hour after the last reference is gone. So the files are copied first, then the rows, then the files
// that came in between.

import { constants, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '../../config.ts'
import type { Blobs } from '../../ports/blobs/blobs.ts'
import { openBlobs } from '../../ports/blobs/open.ts'
import type { Db, Queryable } from '../../ports/db/db.ts'
import { type AppliedMigration, appliedMigrations } from '../../ports/db/migrate.sql.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { useNetwork } from '../../ports/outbound/network.ts'
import { connectDatabase } from '../connect.ts'
import type { Output } from '../output.ts'
import { blobFile, digestOf, FORMAT, KEY_FILE, MANIFEST, type Manifest, tableFile } from './manifest.ts'
import { rowsOf, selectReferencedBlobs, selectTables } from './tables.sql.ts'

export const BACKUP_USAGE = `Usage: kenning backup FOLDER

Writes a backup of everything into a new folder: accounts, workspaces, documents, graph, conversations, uploaded files. The service
may go on running; with the embedded database it waits while the rows are written, some 10 s for 10,000 passages.
What can be made again is left out (pictures of pages, results of parsing).

The folder holds all that the service knows, and the key of its sealed secrets: keep it as safe as the service.
Restore it with: kenning restore FOLDER. Check it with: kenning verify FOLDER.
Exit code: 0 when the backup is whole, 1 when it failed, 2 for wrong use.
`

type BackupSettings = Pick<Config, 'databaseUrl' | 'dataDir' | 'blobs' | 'network'>

export async function backUp(
  config: BackupSettings,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const [folderArgument, ...more] = args
  if (folderArgument === undefined || more.length > 0 || folderArgument.startsWith('-')) {
    output.complain(BACKUP_USAGE)
    return 2
  }
  const folder = resolve(folderArgument)
  const entries = await readdir(folder).catch(() => [])
  if (entries.length > 0) {
    output.complain(`${folder} is not empty. Name a new folder.\n`)
    return 2
  }
  const database = await connectDatabase(config, output)
  if (!database) {
    output.complain(
      `There is nothing to back up in ${config.dataDir} yet: Kenning was never started there.\n`,
    )
    return 1
  }
  const { connection, connectTimeoutMs } = database
  const db = openDb(connection, { max: 2, applicationName: 'kenning backup', connectTimeoutMs })
  try {
    useNetwork(config.network)
    const blobs = await openBlobs(config.blobs, config.dataDir)
    const manifest = await writeBackup(db, { blobs, dataDir: config.dataDir }, folder, output)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    output.print(
      `${folder}: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables and ` +
        `${manifest.blobs.length.toLocaleString('en')} files.\n`,
    )
    return 0
  } finally {
    await db.close()
    await database.close()
  }
}

/** Where the service has its files. */
export interface Files {
  blobs: Blobs
  dataDir: string
}

/** `folder` is empty or does not exist yet. @throws Error if a file that rows refer to is not stored */
export async function writeBackup(
  db: Db,
  { blobs, dataDir }: Files,
  folder: string,
  output: Pick<Output, 'complain'>,
): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  const copiedHashes = await copyAll(blobs, folder)
  const manifest = await db.tx((tx) => writeRows(tx, folder, output), { snapshot: true })
  const missingHashes = await copyNewFiles(blobs, folder, manifest.blobs, copiedHashes)
  if (missingHashes.length > 0)
    throw new Error(
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
async function copyAll(blobs: Blobs, folder: string): Promise<Set<string>> {
  const copiedHashes = new Set<string>()
  for await (const name of blobs.storedHashes(0)) {
    // If it is gone since it was listed, no row has referred to it for an hour.
    if (await copyBlob(blobs.open(name), folder, name)) copiedHashes.add(name)
  }
  return copiedHashes
}

/** Copies the files that came in between. @returns those that are missing */
async function copyNewFiles(
  blobs: Blobs,
  folder: string,
  names: readonly string[],
  copiedHashes: ReadonlySet<string>,
): Promise<string[]> {
  const missingHashes: string[] = []
  for (const name of names)
    if (!copiedHashes.has(name) && !(await copyBlob(blobs.open(name), folder, name))) missingHashes.push(name)
  return missingHashes
}

async function copyBlob(source: Promise<string>, folder: string, name: string): Promise<boolean> {
  const target = join(folder, blobFile(name))
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

async function writeRows(tx: Queryable, folder: string, output: Pick<Output, 'complain'>): Promise<Manifest> {
  const migrations = await tx.rows<AppliedMigration>(appliedMigrations)
  const tables: Manifest['tables'] = []
  for (const table of await selectTables(tx)) {
    const path = join(folder, tableFile(table.name))
    let rows = 0
    const texts = async function* (): AsyncGenerator<string> {
      for await (const batch of rowsOf(tx, table)) {
        rows += batch.length
        yield `${batch.join('\n')}\n`
      }
    }
    // Level 1 is four times as fast as the default, and its files are half as large again. The embedded database waits for it.
    await pipeline(Readable.from(texts()), createGzip({ level: 1 }), createWriteStream(path, { mode: 0o600 }))
    if (rows > 10_000) output.complain(`${table.name}: ${rows.toLocaleString('en')} rows\n`)
    tables.push({ name: table.name, rows, sha256: (await digestOf(path)) ?? '' })
  }
  return {
    format: FORMAT,
    made_at: new Date().toISOString(),
    migrations,
    tables,
    blobs: await selectReferencedBlobs(tx),
  }
}
