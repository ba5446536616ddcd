// `kenning restore FOLDER` fills an empty database and data folder from a backup, which may come from the other kind of database.
// All rows are written in one transaction: a restore that is killed leaves the database empty.

import { createReadStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf, problemsOf } from '../../backup/check.ts'
import {
  BadBackup,
  blobFile,
  KEY_FILE,
  type Manifest,
  readManifest,
  tableFile,
} from '../../backup/manifest.ts'
import {
  analyse,
  clearInstallation,
  findFirstNonEmptyTable,
  hasDistributedTables,
  insertRows,
  selectTables,
  setSequences,
  type Table,
  withoutTriggers,
} from '../../backup/tables.sql.ts'
import type { Files } from '../../backup/write.ts'
import type { Config } from '../../config.ts'
import type { Blobs } from '../../ports/blobs/blobs.ts'
import { openBlobs } from '../../ports/blobs/open.ts'
import type { DbConnection } from '../../ports/db/connection.ts'
import type { Db, Queryable } from '../../ports/db/db.ts'
import { isCopy, restoreCopy } from '../../ports/db/embedded/daily-copy.ts'
import { lockHolder } from '../../ports/db/embedded/lock.ts'
import { migrate } from '../../ports/db/migrate.ts'
import { readMigrations } from '../../ports/db/migrations.ts'
import { openDb } from '../../ports/db/postgres.ts'
import { useNetwork } from '../../ports/outbound/network.ts'
import { lockDirectory, lockFile, startEngine } from '../../processes/engine.ts'
import { progressTo } from '../connect.ts'
import { type Output, silentLog } from '../output.ts'
import { onlyFolder } from './arguments.ts'

export const RESTORE_USAGE = `Usage: kenning restore FOLDER

Fills an empty database (DATABASE_URL, or the embedded one of KENNING_DATA_DIR) and data folder from a backup made by kenning
backup. A backup of the embedded database can be restored to a PostgreSQL, and the other way round. The backup is verified first.
The service must not be running. Start it afterwards: it applies the migrations that came since the backup.
A FOLDER in KENNING_DATA_DIR/copies is an automatic copy of the embedded database: it takes the database's place, which is kept beside
it. Documents deleted since the copy are listed again, without their files.
Exit code: 0 when all was restored, 1 when nothing was, 2 for wrong use.
`

type RestoreSettings = Pick<Config, 'databaseUrl' | 'dataDir' | 'blobs' | 'network'>

export async function restore(
  config: RestoreSettings,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const folder = onlyFolder(args)
  if (folder === undefined) {
    output.complain(RESTORE_USAGE)
    return 2
  }
  if (isCopy(folder)) return await restoreAutomaticCopy(folder, config, output)
  const problems = await problemsOf(folder)
  if (problems.length > 0) {
    output.complain(
      `The backup is not whole, nothing was restored. kenning verify ${folder} says more.\n${problems[0]}\n`,
    )
    return 1
  }
  const manifest = await readManifest(folder)
  const { connection, close } = await openEmpty(config, manifest, output)
  const db = openDb(connection, {
    max: 1,
    applicationName: 'kenning restore',
    connectTimeoutMs: config.databaseUrl ? 60_000 : 0,
  })
  try {
    useNetwork(config.network)
    const blobs = await openBlobs(config.blobs, config.dataDir)
    await readBackup(db, { blobs, dataDir: config.dataDir }, folder, manifest)
    output.print(
      `Restored ${manifest.blobs.length.toLocaleString('en')} files and the rows of ${manifest.made_at}.\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof BadBackup)) throw error
    output.complain(`${error.message}\n`)
    return 1
  } finally {
    await db.close()
    await close()
  }
}

/** Puts an automatic copy in the place of the embedded database. */
async function restoreAutomaticCopy(
  copy: string,
  { databaseUrl, dataDir }: RestoreSettings,
  output: Output,
): Promise<number> {
  if (databaseUrl) {
    output.complain(`${copy} is a copy of the embedded database. Restore it without DATABASE_URL.\n`)
    return 1
  }
  const lock = lockDirectory(dataDir)
  try {
    const replacedFolder = await restoreCopy(copy, dataDir)
    output.print(`Restored the copy ${copy}.\n`)
    if (replacedFolder)
      output.print(`The database that was there is in ${replacedFolder}: remove it when all is well.\n`)
    return 0
  } finally {
    lock.release()
  }
}

/**
 * Restores into an empty database.
 * @throws BadBackup, before any row is written, if the database is not empty or the backup is of a later version
 */
export async function readBackup(
  db: Db,
  { blobs, dataDir }: Files,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  await migrateAs(db, manifest)
  const tables = await selectTables(db)
  const nonEmptyTable = await findFirstNonEmptyTable(db, tables)
  if (nonEmptyTable !== undefined)
    throw new BadBackup(
      `The database is in use: its table ${nonEmptyTable} has rows. Restore into an empty one: another DATABASE_URL, or without one ` +
        'another KENNING_DATA_DIR.',
    )
  // The files come first, so that rows never refer to a missing file.
  for (const name of manifest.blobs) await restoreBlob(blobs, folder, name)
  await restoreKey(dataDir, folder)
  const isDistributed = await hasDistributedTables(db)
  await db.tx((tx) => fillTables(tx, folder, manifest, { tables, isDistributed }))
  await analyse(db)
}

async function openEmpty(
  { databaseUrl, dataDir }: RestoreSettings,
  manifest: Manifest,
  output: Output,
): Promise<{ connection: DbConnection; close: () => Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (databaseUrl) return { connection: { url: databaseUrl }, close: async () => {} }
  if (lockHolder(lockFile(dataDir))) throw new Error(`Kenning is running on ${dataDir}. Stop it first.`)
  const withoutArchive = !isOfThisVersion(manifest)
  const engine = await startEngine({
    dataDir,
    log: silentLog,
    withoutArchive,
    onProgress: progressTo(output),
  })
  return { connection: { socketDir: engine.socketDir }, close: engine.stop }
}

/** Whether the backup has exactly the migrations of this version. */
function isOfThisVersion({ migrations }: Manifest): boolean {
  const ownMigrations = readMigrations()
  return (
    ownMigrations.length === migrations.length &&
    ownMigrations.every(({ checksum }, index) => checksum === migrations[index]?.checksum)
  )
}

/** Brings an empty database to the migrations of the backup, which must all be in this version. */
async function migrateAs(db: Db, { migrations }: Manifest): Promise<void> {
  const ownMigrations = readMigrations()
  const migrationsOfBackup = migrations.map(({ name, checksum }) => {
    const match = ownMigrations.find(
      (migration) => migration.name === name && migration.checksum === checksum,
    )
    if (!match)
      throw new BadBackup(
        `The backup was made by a later version of Kenning: this one does not know its migration ${name}. Restore it with that version.`,
      )
    return match
  })
  await migrate(db, migrationsOfBackup)
}

async function fillTables(
  tx: Queryable,
  folder: string,
  manifest: Manifest,
  { tables, isDistributed }: { tables: readonly Table[]; isDistributed: boolean },
): Promise<void> {
  const manifestTables = new Map(manifest.tables.map((table) => [table.name, table]))
  await withoutTriggers(tx, tables, isDistributed, async () => {
    await clearInstallation(tx)
    for (const table of tables) if (manifestTables.has(table.name)) await fillTable(tx, folder, table)
  })
  await setSequences(tx, tables)
}

// The limits of one statement. A row has about 10 kB.
const MAX_BATCH_ROWS = 200
const MAX_BATCH_CHARACTERS = 8_000_000

async function fillTable(tx: Queryable, folder: string, table: Table): Promise<void> {
  let batch: string[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await insertRows(tx, table, batch)
    batch = []
    size = 0
  }
  for await (const line of linesOf(join(folder, tableFile(table.name)))) {
    batch.push(line)
    size += line.length
    if (batch.length >= MAX_BATCH_ROWS || size >= MAX_BATCH_CHARACTERS) await flush()
  }
  await flush()
}

async function restoreBlob(blobs: Blobs, folder: string, name: string): Promise<void> {
  // An earlier restore that was killed may have stored it.
  if (await blobs.size(name).catch(() => undefined)) return
  const staged = await blobs.stage(createReadStream(join(folder, blobFile(name))), Number.POSITIVE_INFINITY)
  try {
    await blobs.keep(staged)
  } finally {
    await blobs.discard(staged)
  }
}

/** Writes the key unless it is already there, since its file may be read-only, such as a secret of Kubernetes. */
async function restoreKey(dataDir: string, folder: string): Promise<void> {
  const key = await readFile(join(folder, KEY_FILE)).catch(() => undefined)
  const currentKey = await readFile(join(dataDir, KEY_FILE)).catch(() => undefined)
  if (key && !currentKey?.equals(key)) await writeFile(join(dataDir, KEY_FILE), key, { mode: 0o600 })
}
