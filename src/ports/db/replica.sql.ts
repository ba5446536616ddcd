// Reads the positions of a primary and of its replica in the primary's write-ahead log.

import sql, { type Sql } from 'sql-template-tag'

const bytes = (position: string): string => `pg_wal_lsn_diff(${position}, '0/0')::float8`
const replayedPosition = bytes('pg_last_wal_replay_lsn()')

export interface Position {
  at: number
}

/** Every transaction that was acknowledged before this statement is before this position of the log. */
export const primaryPosition: Sql = sql([
  `SELECT ${bytes(`
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END`)} AS at`,
])

/** The position of a replica. A server that is not a replica returns no row. */
export const replicaPosition: Sql = sql([`SELECT ${replayedPosition} AS at WHERE pg_is_in_recovery()`])

/**
 * Identifies the database: a replica has the same identity as its primary. The statement reads a file of the server, so it is too
 * slow to run with every read.
 */
export const databaseIdentity: Sql = sql`
  SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database())::text AS identity`

/** A statement that fails (22012, division by zero) unless the session belongs to a replica that has reached the position. */
export const requirePosition = (position: number): string =>
  `SELECT 1 / (pg_is_in_recovery() AND ${replayedPosition} >= ${position})::int`

/** A statement that returns the replica's position, at least as new as everything that the session has read so far. */
export const TELL_POSITION = `SELECT ${replayedPosition} AS at`

// Matches a statement that begins with SELECT or WITH, after comments (PREPARED_MARK, ACROSS_MARK).
const READ = /^(\s|\/\*[^*]*\*\/)*(SELECT|WITH)\b/i

/** False for a statement that certainly writes. If a statement writes although this returned true, a replica refuses it (25006). */
export const mayOnlyRead = (text: string): boolean => READ.test(text)
