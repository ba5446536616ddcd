// The connections to a streaming replica, and functions that report writes and reads of the primary to it.

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { DbOptions } from './connection.ts'
import { isUnavailable } from './db-errors.ts'
import { openPool } from './pool.ts'
import { databaseIdentity, type Position, primaryPosition, replicaPosition } from './replica.sql.ts'
import { openReplica, type Reader, type Replica, type ReplicaSettings } from './replica.ts'
import { retryWithoutNames } from './retries.ts'
import { runAs, type ServerCapabilities } from './statements.ts'

// If the replica takes longer, the primary answers.
const REPLICA_CONNECT_MS = 1000
const REPLICA_ANSWER_MS = 10_000

/** Opens the connections to the replica. A lost connection is not reported, because the primary then answers instead. */
export function replicaOf(
  primary: pg.Pool,
  { url, onChange = () => {} }: ReplicaSettings,
  options: DbOptions,
): Replica & { close(): Promise<void> } {
  const limits = { connectTimeoutMs: REPLICA_CONNECT_MS, answerMs: REPLICA_ANSWER_MS }
  const pool = openPool({ url }, { ...options, ...limits }, () => {})
  const capabilities: ServerCapabilities = { remembersNames: true, isDistributed: false }
  return {
    ...openReplica({
      primary: async () => requireFirst((await primary.query<Position>(primaryPosition.text)).rows).at,
      replica: async () => (await pool.query<Position>(replicaPosition.text)).rows[0]?.at,
      isSame: async () => {
        const identities = await Promise.all(
          [primary, pool].map((database) => database.query(databaseIdentity.text)),
        )
        return new Set(identities.map(({ rows }) => requireFirst(rows).identity)).size === 1
      },
      run: <T extends object>(beginStatements: string, statement: Sql, positionStatement: string) =>
        retryWithoutNames(capabilities, async () => {
          const { rows, positionRows } = await runAs<T>(
            pool,
            { beginStatements, positionStatement },
            statement,
            capabilities,
          )
          return { rows, at: Number(requireFirst(positionRows).at) }
        }),
      isUnavailable,
      onChange,
    }),
    close: () => pool.end(),
  }
}

function requireFirst<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

/** Runs a statement on the primary. Unless the statement can only read, later reads from the replica wait for its position. */
export async function withWritesReported<T>(
  replica: Replica | undefined,
  text: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    if (replica && !(text !== undefined && replica.mayOnlyRead(text))) replica.noteWrite()
  }
}

/** Runs a statement on the primary. The next read of the request from the replica then returns a state that is at least as new. */
export async function withReplicaInvalidation<T>(
  reader: Reader | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    reader?.invalidatePosition()
  }
}
