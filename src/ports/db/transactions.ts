// Transactions, and consistent snapshots of all nodes of a Citus cluster.

import type pg from 'pg'
import { beginOnNodes, stopWrites } from './citus.sql.ts'
import type { Queryable, TxOptions } from './db.ts'
import { isLockRefused } from './db-errors.ts'
import { withRetries } from './retries.ts'
import { runStatement, type ServerCapabilities } from './statements.ts'

const SNAPSHOT = ' ISOLATION LEVEL REPEATABLE READ READ ONLY'
// How often a snapshot of several nodes tries to get the locks that stop all writes.
const MAX_LOCK_ATTEMPTS = 30

export const beginStatement = (
  beginStatements: string | undefined,
  { snapshot = false }: TxOptions = {},
): string => `BEGIN${snapshot ? SNAPSHOT : ''}${beginStatements === undefined ? '' : `; ${beginStatements}`}`

interface TransactionContext {
  pool: pg.Pool
  beginText: string
  /** Sends `beginText`, and the other statements that begin the transaction. Default: sends only `beginText`. */
  beginWith?: ((pool: pg.Pool, client: pg.PoolClient, beginText: string) => Promise<void>) | undefined
  capabilities: ServerCapabilities
}

export const transaction = <T>(
  context: TransactionContext,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> => withRetries(context.capabilities, () => runTransaction(context, work))

async function runTransaction<T>(
  { pool, beginText, beginWith, capabilities }: TransactionContext,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let isConnectionBroken = false
  try {
    await (beginWith ? beginWith(pool, client, beginText) : client.query(beginText))
    const result = await work({ rows: (statement) => runStatement(client, statement, capabilities) })
    const end = await client.query('COMMIT')
    // PostgreSQL answers COMMIT with ROLLBACK if a statement has failed, whose error `work` then ignored.
    if (end.command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement in it had failed')
    return result
  } catch (error) {
    isConnectionBroken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.release(isConnectionBroken)
  }
}

/**
 * Begins a snapshot on all nodes of a Citus cluster, while another connection stops all writes to the coordinator's tables for some
 * milliseconds. So the snapshot shows either everything that a transaction wrote on all nodes, or nothing of it.
 */
export async function beginConsistentSnapshot(
  pool: pg.Pool,
  client: pg.PoolClient,
  beginText: string,
): Promise<void> {
  const lockClient = await pool.connect()
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await lockClient.query(stopWrites(Math.min(400 + 100 * attempt, 900)))
        break
      } catch (error) {
        await lockClient.query('ROLLBACK')
        if (attempt >= MAX_LOCK_ATTEMPTS || !isLockRefused(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
    await client.query(`${beginText}; ${beginOnNodes}`)
  } finally {
    // The locks end with this connection.
    lockClient.release(true)
  }
}
