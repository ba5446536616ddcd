// Asks a primary and its replica how far each has come in the primary's log.

import sql, { type Sql } from 'sql-template-tag'

const bytes = (position: string): string => `pg_wal_lsn_diff(${position}, '0/0')::float8`
const replayedPosition = bytes('pg_last_wal_replay_lsn()')

export interface Position {
  at: number
}

/** Everything that was acknowledged earlier is before this position. */
export const primaryPosition: Sql = sql([
  `SELECT ${bytes(`
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END`)} AS at`,
])

/** The position of a replica. A server that is not a replica returns no row. */
export const replicaPosition: Sql = sql([`SELECT ${replayedPosition} AS at WHERE pg_is_in_recovery()`])

/**
 * Identifies the database: a replica has its primary's numbers. It reads a file of the server, so it is too slow for each read.
 */
export const databaseIdentity: Sql = sql`
  SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database())::text AS identity`

/** Fails (22012) unless the session belongs to a replica that has reached the position. */
export const requirePosition = (position: number): string =>
  `SELECT 1 / (pg_is_in_recovery() AND ${replayedPosition} >= ${position})::int`

/** Nothing that the session's statements have seen so far is newer than this position. */
export const TELL_POSITION = `SELECT ${replayedPosition} AS at`

// The comments in front are our own marks.
const READ = /^(\s|\/\*[^*]*\*\/)*(SELECT|WITH)\b/i

/** Whether a statement may be one that only reads. If it is not, a replica refuses it (25006). */
export const mayOnlyRead = (text: string): boolean => READ.test(text)
