// Brings a database to the schema of this code: forward only, plain SQL files `NNNN_name.sql`, each in one transaction
// with its row in the ledger, so that a failure leaves the database at the file before.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Queryable } from './db.ts'
import {
  type AppliedMigration,
  appliedMigrations,
  createLedger,
  limitLockWaits,
  lockLedger,
  migrationText,
  recordMigration,
} from './migrate.sql.ts'
import { type Migration, MigrationFailed, readMigrations } from './migrations.ts'
import { isUnavailable } from './postgres.ts'
import { requireFit } from './requirements.ts'

/** Told of what takes long. */
export interface MigrationProgress {
  /** A migration begins, also once more after it waited. */
  onApply?(name: string): void
  /** It waits for a table that somebody else has had for long; others are let at it before the next try. */
  onWait?(name: string): void
}

// Between two tries: twice as long each time.
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 30_000

/**
 * Applies the missing migrations and returns their names. Processes that start at the same time wait for each other; processes
 * of the version before may go on meanwhile.
 * @throws MigrationFailed when a migration fails, or when what was applied to the database is not what this code has
 * @throws DatabaseUnfit when the server is too old or lacks an extension; then nothing was written
 */
export async function migrate(
  db: Db,
  migrations: Migration[] = readMigrations(),
  progress: MigrationProgress = {},
): Promise<string[]> {
  await requireFit(db)
  await createLedgerOnce(db)
  check(await db.rows<AppliedMigration>(appliedMigrations), migrations)
  const applied: string[] = []
  for (const migration of migrations) {
    if (await applyPatiently(db, migration, progress)) applied.push(migration.name)
  }
  return applied
}

/**
 * Tried again for as long as somebody else has one of its tables: an export, a long task of a worker, an operator's session. To
 * wait there in line would keep everybody from the table who comes later, searches too, for as long as that takes.
 */
async function applyPatiently(db: Db, migration: Migration, progress: MigrationProgress): Promise<boolean> {
  for (let restMs = FIRST_REST_MS; ; restMs = Math.min(2 * restMs, LONGEST_REST_MS)) {
    try {
      return await db.tx((tx) => apply(tx, migration, progress))
    } catch (error) {
      if (!isLockHeld(error)) throw error
      progress.onWait?.(migration.name)
      await sleep(restMs)
    }
  }
}

// Two processes that start at once may both find no table; the second one then fails because its type exists (23505).
async function createLedgerOnce(db: Db): Promise<void> {
  await db.rows(createLedger).catch(async (error: { code?: string }) => {
    if (error.code !== '23505' && error.code !== '42P07') throw error
    await db.rows(createLedger)
  })
}

/** The migrations that the next start will apply. @throws MigrationFailed when the database is not one of this code */
export async function pendingMigrations(
  db: Db,
  migrations: Migration[] = readMigrations(),
): Promise<string[]> {
  const applied = await db.rows<AppliedMigration>(appliedMigrations).catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return []
    throw error
  })
  check(applied, migrations)
  const done = new Set(applied.map(({ version }) => version))
  return migrations.filter(({ version }) => !done.has(version)).map(({ name }) => name)
}

const UNDEFINED_TABLE = '42P01'

/** Refuses a database to which anything else was applied than the first of these migrations. */
function check(applied: AppliedMigration[], migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  const newest = migrations.at(-1)?.version ?? 0
  for (const { version, name, checksum } of applied) {
    const migration = known.get(version)
    if (version > newest) {
      throw new MigrationFailed(
        `This database was written by a newer Kenning: it has ${name}, which this version does not. ` +
          'Start that version again, or restore a backup from before the upgrade.',
      )
    }
    if (migration?.name !== name) {
      throw new MigrationFailed(
        `This database was made by a Kenning that was never released: it has ${name}, which no release has, and cannot be ` +
          'migrated. Start with another database (KENNING_DATA_DIR or DATABASE_URL) and upload the documents again.',
      )
    }
    if (migration.checksum !== checksum) {
      throw new MigrationFailed(
        `${name} was changed after it had been applied to this database. Restore the file as it was, and put the change ` +
          'into a new migration.',
      )
    }
  }
}

async function apply(tx: Queryable, migration: Migration, { onApply }: MigrationProgress): Promise<boolean> {
  await tx.rows(lockLedger)
  const applied = await tx.rows<AppliedMigration>(appliedMigrations)
  if (applied.some((entry) => entry.version === migration.version)) return false
  onApply?.(migration.name)
  try {
    // Not for the ledger, which only processes that start want.
    await tx.rows(limitLockWaits)
    await tx.rows(migrationText(migration.text))
  } catch (error) {
    if (isRetried(error) || isLockHeld(error) || isUnavailable(error)) throw error
    throw new MigrationFailed(`${migration.name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    })
  }
  await tx.rows(recordMigration(migration))
  return true
}

const isRetried = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

const isLockHeld = (error: unknown): boolean => (error as { code?: string }).code === '55P03'
