// The table of applied migrations, called the ledger.

import sql, { raw, type Sql } from 'sql-template-tag'

export interface AppliedMigration {
  version: number
  name: string
  checksum: string
}

export const createLedger: Sql = sql`
  CREATE TABLE IF NOT EXISTS schema_migration (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`

/** Makes other starting processes wait until this transaction ends, even those that only read the ledger. */
export const lockLedger: Sql = sql`LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE`

/** Every later statement of this transaction fails if it waits longer than `ms` for one lock of a table or row. 0: no limit. */
export const limitLockWaits = (ms: number): Sql => raw(`SET LOCAL lock_timeout = ${ms}`)

/** Every later statement of this transaction fails if it takes longer than `ms` in all, however many locks it waits for. */
export const limitStatement = (ms: number): Sql => raw(`SET LOCAL statement_timeout = ${ms}`)

/** Removes the limit of `limitStatement`. The limit that the server or its operator has set applies again. */
export const unlimitStatement: Sql = sql`SET LOCAL statement_timeout TO DEFAULT`

export const appliedMigrations: Sql = sql`SELECT version, name, checksum FROM schema_migration ORDER BY version`

export const recordMigration = (migration: AppliedMigration): Sql => sql`
  INSERT INTO schema_migration (version, name, checksum)
  VALUES (${migration.version}, ${migration.name}, ${migration.checksum})`

/** The text of a migration file: several statements without parameters. */
export const migrationText = (text: string): Sql => raw(text)
