// Brings a database to the schema of this code: forward only, plain SQL files `NNNN_name.sql`, each in one transaction
// with its row in the ledger, so that a failure leaves the database at the file before.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Queryable } from './db.ts'
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
import { isTimedOut, isUnavailable } from './postgres.ts'
import { requireFit } from './requirements.ts'

/** Who is told of what takes long, and how long it may. */
export interface MigrationOptions {
  /** The database has answered. */
  onReached?(): void
  /** A migration begins, also once more after it waited. */
  onApply?(name: string): void
  /** It waits for a lock that somebody else has had for long; others are let at the table before the next try. */
  onWait?(name: string): void
  /** Ends the wait for a lock and the time between two tries; a migration that runs is not broken off by it. */
  signal?: AbortSignal
  patience?: Patience
}

interface Patience {
  /** The longest wait for a lock. */
  lockMs: number
  /** From the first try to the second; then twice as long each time, up to `longestRestMs`. */
  firstRestMs: number
  longestRestMs: number
}

// Longer than the second after which autovacuum yields.
const PATIENCE: Patience = { lockMs: 2000, firstRestMs: 1000, longestRestMs: 30_000 }

/**
 * Applies the missing migrations and returns their names. Processes that start at the same time wait for each other; processes
 * of the version before may go on meanwhile.
 * @throws MigrationFailed when a migration fails, or when what was applied to the database is not what this code has
 * @throws DatabaseUnfit when the server is too old or lacks an extension; then nothing was written
 * @throws the reason of the signal, or an AbortError, when it is told to stop
 */
export async function migrate(
  db: Db,
  migrations: Migration[] = readMigrations(),
  options: MigrationOptions = {},
): Promise<string[]> {
  await requireFit(db)
  options.onReached?.()
  await createLedgerOnce(db)
  check(await readLedger(db, options), migrations)
  const applied: string[] = []
  for (const migration of migrations) {
    if (await applyPatiently(db, migration, options)) applied.push(migration.name)
  }
  return applied
}

/**
 * Tried again for as long as somebody else has one of its tables: an export, a long task of a worker, an operator's session. To
 * wait there in line would keep everybody from the table who comes later, searches too, for as long as that takes. For the ledger,
 * which only processes that start want, it is tried again at once.
 */
async function applyPatiently(db: Db, migration: Migration, options: MigrationOptions): Promise<boolean> {
  const { signal, patience = PATIENCE } = options
  let restMs = patience.firstRestMs
  let hasLedger = false
  const work = (tx: Queryable): Promise<boolean> => {
    hasLedger = false
    return apply(tx, migration, patience.lockMs, () => {
      hasLedger = true
      options.onApply?.(migration.name)
    })
  }
  return untilFree(
    signal,
    () => db.tx(work),
    async () => {
      if (!hasLedger) return
      options.onWait?.(migration.name)
      await sleep(restMs, undefined, { signal })
      restMs = Math.min(2 * restMs, patience.longestRestMs)
    },
  )
}

/** Waits for the process that migrates. */
const readLedger = (
  db: Db,
  { signal, patience: { lockMs } = PATIENCE }: MigrationOptions,
): Promise<AppliedMigration[]> =>
  untilFree(signal, () =>
    db.tx(async (tx) => {
      await tx.rows(limitLockWaits(lockMs))
      return tx.rows<AppliedMigration>(appliedMigrations)
    }),
  )

/** Does it again for as long as somebody else has a lock. */
async function untilFree<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  rest = async (): Promise<void> => {},
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isLockHeld(error)) throw error
      await rest()
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
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]))
  const newest = migrations.at(-1)?.version ?? 0
  for (const { version, name, checksum } of applied) {
    const migration = byVersion.get(version)
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

async function apply(
  tx: Queryable,
  migration: Migration,
  lockMs: number,
  onApply: () => void,
): Promise<boolean> {
  await tx.rows(limitLockWaits(lockMs))
  await tx.rows(lockLedger)
  const applied = await tx.rows<AppliedMigration>(appliedMigrations)
  if (applied.some((entry) => entry.version === migration.version)) return false
  onApply()
  const { locks, rest } = splitLocks(migration.text)
  try {
    if (locks !== undefined) await lockTables(tx, locks, lockMs)
    await tx.rows(migrationText(rest))
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
 * Takes all of them within the time of one wait, since the first is held while it waits for the others. What comes afterwards may
 * have worked for minutes and waits for as long as it must, as for a row that a worker is writing: to begin again would lose that.
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
