// Transactions, and snapshots of all nodes of a Citus.

import type pg from 'pg'
import { beginOnNodes, stopWrites } from './citus.sql.ts'
import type { Queryable, TxOptions } from './db.ts'
import { isLockRefused } from './db-errors.ts'
import { withRetries } from './retries.ts'
import { runStatement, type ServerCapabilities } from './statements.ts'

const SNAPSHOT = ' ISOLATION LEVEL REPEATABLE READ READ ONLY'
// How often a snapshot of several nodes asks for a moment in which nobody writes.
const STOPS = 30

export const beginStatement = (opening: string | undefined, { snapshot = false }: TxOptions = {}): string =>
  `BEGIN${snapshot ? SNAPSHOT : ''}${opening === undefined ? '' : `; ${opening}`}`

interface TransactionContext {
  pool: pg.Pool
  begin: string
  /** Sends `begin` and what else begins it. */
  enter?: ((pool: pg.Pool, client: pg.PoolClient, begin: string) => Promise<void>) | undefined
  capabilities: ServerCapabilities
}

export const transaction = <T>(
  context: TransactionContext,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> => withRetries(context.capabilities, () => runTransaction(context, work))

async function runTransaction<T>(
  { pool, begin, enter, capabilities }: TransactionContext,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await (enter ? enter(pool, client, begin) : client.query(begin))
    const result = await work({ rows: (statement) => runStatement(client, statement, capabilities) })
    const end = await client.query('COMMIT')
    // PostgreSQL answers COMMIT with ROLLBACK when a statement had failed, whose error `work` then swallowed.
    if (end.command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement in it had failed')
    return result
  } catch (error) {
    broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Begins a snapshot on all nodes of a Citus while nothing is written to a table of the coordinator, by another connection, which
 * takes some milliseconds. What a transaction writes on the coordinator and on nodes is then in it as a whole, or not at all.
 */
export async function beginConsistentSnapshot(
  pool: pg.Pool,
  client: pg.PoolClient,
  begin: string,
): Promise<void> {
  const stopping = await pool.connect()
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await stopping.query(stopWrites(Math.min(400 + 100 * attempt, 900)))
        break
      } catch (error) {
        await stopping.query('ROLLBACK')
        if (attempt >= STOPS || !isLockRefused(error)) throw error
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
    await client.query(`${begin}; ${beginOnNodes}`)
  } finally {
    // Its locks end with it.
    stopping.release(true)
  }
}
