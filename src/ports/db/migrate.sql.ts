// The ledger of applied migrations.

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

/** Makes other starting processes wait until this transaction ends, also those that only read the ledger. */
export const lockLedger: Sql = sql`LOCK TABLE schema_migration IN ACCESS EXCLUSIVE MODE`

/** A statement of this transaction fails rather than wait longer for a table. Longer than the second after which autovacuum yields. */
export const limitLockWaits: Sql = sql`SET LOCAL lock_timeout = '2s'`

export const appliedMigrations: Sql = sql`SELECT version, name, checksum FROM schema_migration ORDER BY version`

export const recordMigration = (applied: AppliedMigration): Sql => sql`
  INSERT INTO schema_migration (version, name, checksum)
  VALUES (${applied.version}, ${applied.name}, ${applied.checksum})`

/** The text of a migration file: several statements without parameters. */
export const migrationText = (text: string): Sql => raw(text)
