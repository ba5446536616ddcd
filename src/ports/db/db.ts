// The database port, through which every process uses PostgreSQL, either the embedded engine or a server. It runs single
// statements and short transactions. Inside a transaction nothing may be parsed, sent to a model or fetched from the network.

import type { Sql } from 'sql-template-tag'
import type { Actor } from './actor.ts'

/**
 * The name of connections for background work. The embedded engine serves other connections first, and a server shows the name
 * in pg_stat_activity.
 */
export const BACKGROUND_NAME = 'kenning worker'

/** A row as the database returned it; int8 and numeric are numbers, timestamps are Dates. */
export type Row = Record<string, unknown>

/**
 * Runs statements, on a connection of the pool or in an open transaction. Outside a transaction, a statement is retried like a
 * transaction of `tx`, because Citus refuses a statement while its shard is being split.
 */
export interface Queryable {
  /** Runs one parametrised statement and returns its rows in order. */
  rows<T extends object = Row>(statement: Sql): Promise<T[]>
}

export interface TxOptions {
  /**
   * All statements read the state of the database at the first statement, and cannot change it. On a Citus cluster, an actor's
   * transaction shows each node at the first statement on that node. Without an actor, all nodes are shown at the same moment, and
   * beginning the transaction takes a second connection.
   */
  snapshot?: boolean
}

/** A pool of connections to one database. */
export interface Db extends Queryable {
  /**
   * Runs `work` inside one transaction, which is committed when `work` resolves and rolled back when it throws.
   * Serialization failures (40001) and deadlocks (40P01) are retried up to 3 times, so `work` must be repeatable.
   */
  tx<T>(work: (tx: Queryable) => Promise<T>, options?: TxOptions): Promise<T>
  /**
   * The same database on behalf of one actor. On a server, its statements reach only rows of the workspaces that the actor may
   * use. Each statement is a transaction of its own unless it runs in `tx`. For the embedded engine this returns the database
   * itself, because the engine has only one session, to which no policy applies.
   */
  as(actor: Actor): Db
  /** How many connections are in use, how many are free, and how many callers wait for one. */
  connections(): { used: number; idle: number; waiting: number }
  close(): Promise<void>
}
