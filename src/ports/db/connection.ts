// Where the database is, and how a pool of connections to it behaves.

import type { ReplicaSettings } from './replica.ts'

/** The URL of a server, or the folder of the embedded engine's socket. */
export type DbConnection = { url: string } | { socketDir: string }

export interface DbOptions {
  /** The maximum number of connections (default 10). */
  max?: number
  /** Shown in pg_stat_activity (default `kenning`). */
  applicationName?: string
  /** The maximum wait for a new connection, or a free one of the pool (default 10 s). 0: no limit. */
  connectTimeoutMs?: number
  /** How long a statement may take before it fails (default: for ever). */
  answerMs?: number
  /** How long a statement of an actor may take on a server, including waits for locks (default 30 s). */
  actorStatementMs?: number
  /** Called when a connection fails while no statement is using it. The pool replaces the connection. */
  onConnectionLost?: (error: Error) => void
  /** A streaming replica, to which reads of requests may go. */
  replica?: ReplicaSettings | undefined
}
