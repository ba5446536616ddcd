// Brings a database to the schema of this code: forward only, plain SQL files `NNNN_name.sql`, each in one transaction
// with its row in the ledger, so that a failure leaves the database at the file before.

import type { Db, Queryable } from './db.ts'
import {
  type AppliedMigration,
  appliedMigrations,
  createLedger,
  lockLedger,
  migrationText,
  recordMigration,
} from './migrate.sql.ts'
import { type Migration, MigrationFailed, readMigrations } from './migrations.ts'
import { isUnavailable } from './postgres.ts'
import { requireFit } from './requirements.ts'

/**
 * Applies the missing migrations and returns their names; calls `onApply` with each name before it is applied. Processes that
 * start at the same time wait for each other.
 * @throws MigrationFailed when a migration fails, or when what was applied to the database is not what this code has
 * @throws DatabaseUnfit when the server is too old or lacks an extension; then nothing was written
 */
export async function migrate(
  db: Db,
  migrations: Migration[] = readMigrations(),
  onApply: (name: string) => void = () => {},
): Promise<string[]> {
  await requireFit(db)
  await createLedgerOnce(db)
  check(await db.rows<AppliedMigration>(appliedMigrations), migrations)
  const applied: string[] = []
  for (const migration of migrations) {
    if (await db.tx((tx) => apply(tx, migration, onApply))) applied.push(migration.name)
  }
  return applied
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

async function apply(tx: Queryable, migration: Migration, onApply: (name: string) => void): Promise<boolean> {
  await tx.rows(lockLedger)
  const applied = await tx.rows<AppliedMigration>(appliedMigrations)
  if (applied.some((entry) => entry.version === migration.version)) return false
  onApply(migration.name)
  try {
    await tx.rows(migrationText(migration.text))
  } catch (error) {
    if (isRetried(error) || isUnavailable(error)) throw error
    throw new MigrationFailed(`${migration.name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    })
  }
  await tx.rows(recordMigration(migration))
  return true
}

const isRetried = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
