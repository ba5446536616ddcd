// The one door to the database: every process talks to PostgreSQL (embedded or a server) through this port.
// Two verbs keep it honest: a statement, and a short transaction (no parsing, model call or network inside one).

import type { Sql } from 'sql-template-tag'
import type { Actor } from './actor.ts'

/** A plain object as the database returned it; int8 and numeric counts arrive as numbers, timestamps as Date. */
export type Row = Record<string, unknown>

/** Runs statements: the pool itself or an open transaction. */
export interface Queryable {
  /** Runs one parametrised statement and returns its rows in order. */
  rows<T extends object = Row>(statement: Sql): Promise<T[]>
}

/** A pool of connections to one database. */
export interface Db extends Queryable {
  /**
   * Runs `work` inside one transaction: committed when it resolves, rolled back when it throws.
   * Serialization failures (40001) and deadlocks (40P01) are retried up to 3 times, so `work` must be repeatable.
   */
  tx<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /**
   * The same database for one actor: on a server nothing is read or written but rows of workspaces it may touch, each
   * statement a transaction of its own unless in `tx`. The embedded engine has one session, which no policy binds: itself.
   */
  as(actor: Actor): Db
  close(): Promise<void>
}
