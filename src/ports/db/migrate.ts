// Brings a database to the schema of this code. Migrations are SQL files `NNNN_name.sql` and only go forward. Each runs in one
// transaction with its row in the ledger, so that a failure leaves the database at the previous file.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Queryable } from './db.ts'
import { isTimedOut, isUnavailable } from './db-errors.ts'
import {
  type AppliedMigration,
  appliedMigrations,
  createLedger,
  limitLockWaits,
  limitStatement,
  lockLedger,
  migrationText,
  recordMigration,
  unlimitStatement,
} from './migrate.sql.ts'
import { type Migration, MigrationFailed, readMigrations, splitLocks } from './migrations.ts'
import { requireFit } from './requirements.ts'

/** Callbacks for what takes long, and limits for it. */
interface MigrationOptions {
  /** Called when the database has answered. */
  onReached?(): void
  /** Called when a migration begins, or begins again after waiting. */
  onApply?(name: string): void
  /** Called when it waits for a lock that another transaction has held for long. Others may use the table before the next try. */
  onWait?(name: string): void
  /** Ends the wait for a lock and the pause between two tries. A running migration is not interrupted. */
  signal?: AbortSignal
  patience?: LockWaitLimits
}

interface LockWaitLimits {
  /** The longest wait for a lock. */
  lockMs: number
  /** The pause before the second try, which doubles each time up to `maxRestMs`. */
  firstRestMs: number
  maxRestMs: number
}

// Longer than the second after which autovacuum yields.
const DEFAULT_LOCK_WAITS: LockWaitLimits = { lockMs: 2000, firstRestMs: 1000, maxRestMs: 30_000 }

/**
 * Applies the missing migrations and returns their names. Processes that start at the same time wait for each other. Processes
 * of the previous version may keep running.
 * @throws MigrationFailed when a migration fails, or when the database has other migrations than this code
 * @throws DatabaseUnfit when the server is too old or lacks an extension; nothing was written then
 * @throws the reason of the signal, or an AbortError, when it is stopped
 */
export async function migrate(
  db: Db,
  migrations: Migration[] = readMigrations(),
  options: MigrationOptions = {},
): Promise<string[]> {
  await requireFit(db)
  options.onReached?.()
  await createLedgerOnce(db)
  requireKnownMigrations(await readLedger(db, options), migrations)
  const appliedNames: string[] = []
  for (const migration of migrations) {
    if (await applyWithRetries(db, migration, options)) appliedNames.push(migration.name)
  }
  return appliedNames
}

/**
 * Retries while another transaction holds one of its tables: an export, a long task of a worker, an operator's session. Waiting
 * for the lock would block all later users of the table, searches included, for as long as that takes. Only starting processes
 * use the ledger, so a lock on it is retried at once.
 */
async function applyWithRetries(db: Db, migration: Migration, options: MigrationOptions): Promise<boolean> {
  const { signal, patience = DEFAULT_LOCK_WAITS } = options
  let restMs = patience.firstRestMs
  let hasLedger = false
  const work = (tx: Queryable): Promise<boolean> => {
    hasLedger = false
    return apply(tx, migration, patience.lockMs, () => {
      hasLedger = true
      options.onApply?.(migration.name)
    })
  }
  return retryWhileLocked(
    signal,
    () => db.tx(work),
    async () => {
      if (!hasLedger) return
      options.onWait?.(migration.name)
      await sleep(restMs, undefined, { signal })
      restMs = Math.min(2 * restMs, patience.maxRestMs)
    },
  )
}

/** Waits for the process that is migrating. */
const readLedger = (
  db: Db,
  { signal, patience: { lockMs } = DEFAULT_LOCK_WAITS }: MigrationOptions,
): Promise<AppliedMigration[]> =>
  retryWhileLocked(signal, () =>
    db.tx(async (tx) => {
      await tx.rows(limitLockWaits(lockMs))
      return tx.rows<AppliedMigration>(appliedMigrations)
    }),
  )

/** Retries while another transaction holds a lock. */
async function retryWhileLocked<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  pause = async (): Promise<void> => {},
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isLockHeld(error)) throw error
      await pause()
    }
  }
}

// Of two processes that start at once, both may find no table. The second one then fails because its type exists (23505).
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
  const appliedRows = await db.rows<AppliedMigration>(appliedMigrations).catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return []
    throw error
  })
  requireKnownMigrations(appliedRows, migrations)
  const appliedVersions = new Set(appliedRows.map(({ version }) => version))
  return migrations.filter(({ version }) => !appliedVersions.has(version)).map(({ name }) => name)
}

const UNDEFINED_TABLE = '42P01'

/** Refuses a database whose applied migrations are not the first of these. */
function requireKnownMigrations(appliedMigrations: AppliedMigration[], migrations: Migration[]): void {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]))
  const newestVersion = migrations.at(-1)?.version ?? 0
  for (const { version, name, checksum } of appliedMigrations) {
    const migration = byVersion.get(version)
    if (version > newestVersion) {
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

async function apply(
  tx: Queryable,
  migration: Migration,
  lockMs: number,
  onApply: () => void,
): Promise<boolean> {
  await tx.rows(limitLockWaits(lockMs))
  await tx.rows(lockLedger)
  const appliedRows = await tx.rows<AppliedMigration>(appliedMigrations)
  if (appliedRows.some((entry) => entry.version === migration.version)) return false
  onApply()
  const { locks, otherStatements } = splitLocks(migration.text)
  try {
    if (locks !== undefined) await lockTables(tx, locks, lockMs)
    await tx.rows(migrationText(otherStatements))
  } catch (error) {
    if (isRetried(error) || isLockHeld(error) || isUnavailable(error)) throw error
    throw new MigrationFailed(`${migration.name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    })
  }
  await tx.rows(recordMigration(migration))
  return true
}

/**
 * Takes all locks within the time of one wait, since the first is held while the transaction waits for the others. Later
 * statements may have worked for minutes, so they wait as long as necessary, for example for a row that a worker is writing.
 * Starting again would lose that work.
 */
async function lockTables(tx: Queryable, locks: string, lockMs: number): Promise<void> {
  await tx.rows(limitStatement(lockMs))
  await tx.rows(migrationText(locks)).catch((error: unknown) => {
    throw isTimedOut(error) ? new LockHeld('the tables are in use', { cause: error }) : error
  })
  await tx.rows(unlimitStatement)
  await tx.rows(limitLockWaits(0))
}

class LockHeld extends Error {}

const isRetried = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

const isLockHeld = (error: unknown): boolean =>
  error instanceof LockHeld || (error as { code?: string }).code === '55P03'
