// The connections to a streaming replica, and what tells it that the primary has been written to.

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import type { DbOptions } from './connection.ts'
import { isUnavailable } from './db-errors.ts'
import { openPool } from './pool.ts'
import { databaseIdentity, type Position, primaryPosition, replicaPosition } from './replica.sql.ts'
import { openReplica, type Reader, type Replica, type ReplicaSettings } from './replica.ts'
import { retryWithoutNames } from './retries.ts'
import { runAs, type ServerCapabilities } from './statements.ts'

// The primary answers instead: a replica is not waited for.
const REPLICA_CONNECT_MS = 1000
const REPLICA_ANSWER_MS = 10_000

/** Its lost connections are no news: what is lost with them, the primary answers. */
export function replicaOf(
  primary: pg.Pool,
  { url, onChange = () => {} }: ReplicaSettings,
  options: DbOptions,
): Replica & { close(): Promise<void> } {
  const limits = { connectTimeoutMs: REPLICA_CONNECT_MS, answerMs: REPLICA_ANSWER_MS }
  const pool = openPool({ url }, { ...options, ...limits }, () => {})
  const capabilities: ServerCapabilities = { remembersNames: true, distributed: false }
  return {
    ...openReplica({
      primary: async () => first((await primary.query<Position>(primaryPosition.text)).rows).at,
      replica: async () => (await pool.query<Position>(replicaPosition.text)).rows[0]?.at,
      isSame: async () => {
        const identities = await Promise.all([primary, pool].map((one) => one.query(databaseIdentity.text)))
        return new Set(identities.map(({ rows }) => first(rows).identity)).size === 1
      },
      run: <T extends object>(opening: string, statement: Sql, telling: string) =>
        retryWithoutNames(capabilities, async () => {
          const { rows, told: answered } = await runAs<T>(pool, { opening, telling }, statement, capabilities)
          return { rows, at: Number(first(answered).at) }
        }),
      isAway: isUnavailable,
      onChange,
    }),
    close: () => pool.end(),
  }
}

function first<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no row')
  return row
}

/** Runs what may write, or a statement that does not look like a read, and tells the replica's side. */
export async function withWritesReported<T>(
  replica: Replica | undefined,
  text: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    if (replica && !(text !== undefined && replica.mayOnlyRead(text))) replica.written()
  }
}

/** What a request has seen on the primary, its next read sees too. */
export async function withReplicaInvalidation<T>(
  reader: Reader | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } finally {
    reader?.leave()
  }
}
