// The database port: every process talks to PostgreSQL, embedded or a server, through it. It offers a statement and a short
// transaction; nothing may be parsed, sent to a model or fetched from the network inside a transaction.

import type { Sql } from 'sql-template-tag'
import type { Actor } from './actor.ts'

/**
 * The name of connections that work for no one who waits: the embedded engine serves others before them. A server shows it in
 * pg_stat_activity.
 */
export const BACKGROUND_NAME = 'kenning worker'

/** A row as the database returned it; int8 and numeric are numbers, timestamps are Dates. */
export type Row = Record<string, unknown>

/**
 * Runs statements: the pool itself or an open transaction. Outside of one a statement is repeated as a transaction is (`tx`): a
 * Citus refuses one whose shard was split just then.
 */
export interface Queryable {
  /** Runs one parametrised statement and returns its rows in order. */
  rows<T extends object = Row>(statement: Sql): Promise<T[]>
}

export interface TxOptions {
  /**
   * All statements read the state at the first of them, whatever is written meanwhile, and change nothing. Where the database is
   * on several nodes it takes a second connection to begin, and the state is that of one moment on all of them; on behalf of an
   * actor each node has the state at its own first statement.
   */
  snapshot?: boolean
}

/** A pool of connections to one database. */
export interface Db extends Queryable {
  /**
   * Runs `work` inside one transaction: committed when it resolves, rolled back when it throws.
   * Serialization failures (40001) and deadlocks (40P01) are retried up to 3 times, so `work` must be repeatable.
   */
  tx<T>(work: (tx: Queryable) => Promise<T>, options?: TxOptions): Promise<T>
  /**
   * The same database on behalf of one actor: on a server its statements read and write only rows of the workspaces it may
   * touch, and each is a transaction of its own unless it runs in `tx`. The embedded engine has one session, which no
   * policy binds, and returns itself.
   */
  as(actor: Actor): Db
  /** How many connections are in use, free, and waited for. */
  connections(): { used: number; idle: number; waiting: number }
  close(): Promise<void>
}
