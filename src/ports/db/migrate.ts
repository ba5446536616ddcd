// Brings a database to the schema of this code. Migrations are SQL files `NNNN_name.sql`, and none can be undone. Each runs in one
// transaction, which also writes its row in the ledger. So after a failure the database has the schema of the previous file.

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

interface MigrationOptions {
  /** Called when the database has answered. */
  onReached?(): void
  /** Called when a migration begins, or begins again after waiting. */
  onApply?(name: string): void
  /** Called when a lock was not granted in time. Until the next attempt, other transactions can use the table. */
  onWait?(name: string): void
  /** Ends the wait for a lock and the pause between two attempts. A running migration is not interrupted. */
  signal?: AbortSignal
  lockWaits?: LockWaitLimits
}

interface LockWaitLimits {
  /** The longest wait for a lock. */
  lockMs: number
  /** The pause before the second attempt. It doubles each time, up to `maxPauseMs`. */
  firstPauseMs: number
  maxPauseMs: number
}

// `lockMs` is longer than one second (deadlock_timeout), because after that time autovacuum gives up its lock.
const DEFAULT_LOCK_WAITS: LockWaitLimits = { lockMs: 2000, firstPauseMs: 1000, maxPauseMs: 30_000 }

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
 * Retries while another transaction (an export, a long task of a worker) has a lock on one of the migration's tables. Waiting for
 * the lock without a limit would block all later users of the table, searches included. If the ledger itself is locked, the
 * migration is retried without a pause, because only starting processes use the ledger.
 */
async function applyWithRetries(db: Db, migration: Migration, options: MigrationOptions): Promise<boolean> {
  const { signal, lockWaits = DEFAULT_LOCK_WAITS } = options
  let pauseMs = lockWaits.firstPauseMs
  let hasLedger = false
  const work = (tx: Queryable): Promise<boolean> => {
    hasLedger = false
    return apply(tx, migration, lockWaits.lockMs, () => {
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
      await sleep(pauseMs, undefined, { signal })
      pauseMs = Math.min(2 * pauseMs, lockWaits.maxPauseMs)
    },
  )
}

/** Reads the ledger. Waits for a process that is migrating. */
const readLedger = (
  db: Db,
  { signal, lockWaits: { lockMs } = DEFAULT_LOCK_WAITS }: MigrationOptions,
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

// If two processes start at the same time, both may find no table. The creation then fails in the slower one (23505, 42P07), and
// its second attempt finds the table.
async function createLedgerOnce(db: Db): Promise<void> {
  await db.rows(createLedger).catch(async (error: { code?: string }) => {
    if (error.code !== '23505' && error.code !== '42P07') throw error
    await db.rows(createLedger)
  })
}

/**
 * The names of the migrations that the next start will apply. @throws MigrationFailed when the database has migrations that this
 * code lacks
 */
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

/** @throws MigrationFailed if a migration was applied to the database that `migrations` lacks or has with another text */
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
    if (isRetriedByTx(error) || isLockHeld(error) || isUnavailable(error)) throw error
    throw new MigrationFailed(`${migration.name} could not be applied: ${(error as Error).message}`, {
      cause: error,
    })
  }
  await tx.rows(recordMigration(migration))
  return true
}

/**
 * Takes all locks of the migration within `lockMs` in all, because the first lock blocks others while the transaction waits for the
 * next. Later statements wait for rows without a limit: the migration may have worked for minutes by then, and starting again would
 * lose that work.
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

const isRetriedByTx = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

const isLockHeld = (error: unknown): boolean =>
  error instanceof LockHeld || (error as { code?: string }).code === '55P03'
