// Runs one statement: as a prepared statement if connections remember its name, rewritten for Citus, and together with an actor's
// setting.

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { forCitus, selectIsDistributed } from './citus.sql.ts'
import type { Row } from './db.ts'
import { isRefusedByNode, type NodeStatements, openNodeStatements } from './node-statements.ts'
import { getTypeParser } from './parsers.ts'
import { preparedName } from './prepared.sql.ts'

export interface ServerCapabilities {
  /** Whether the pool's connections remember the names of prepared statements. True until a connection has forgotten a name. */
  remembersNames: boolean
  /** Whether the server is a Citus; undefined until `detectCitus` has run. */
  isDistributed: boolean | undefined
  /** Set if the server is a Citus. */
  nodeStatements?: NodeStatements
}

export async function detectCitus(pool: pg.Pool, capabilities: ServerCapabilities): Promise<void> {
  const { rows } = await pool.query<{ distributed: boolean }>(selectIsDistributed.text)
  capabilities.isDistributed = rows[0]?.distributed === true
  if (capabilities.isDistributed)
    capabilities.nodeStatements = openNodeStatements((typeId) => getTypeParser(typeId))
}

export async function runStatement<T extends object>(
  client: pg.Pool | pg.PoolClient,
  { text: statementText, values }: Sql,
  capabilities: ServerCapabilities,
  nodeStatements?: NodeStatements,
): Promise<T[]> {
  const text = capabilities.isDistributed ? forCitus(statementText) : statementText
  const name = capabilities.remembersNames ? preparedName(text) : undefined
  // Without values `pg` sends a simple query, which may have several statements and then gives several results.
  const result: pg.QueryResult<T> | pg.QueryResult<T>[] = await client.query<T>({
    text,
    values,
    ...(name && { name }),
  })
  const lastResult = Array.isArray(result) ? result.at(-1) : result
  if (lastResult) nodeStatements?.learn(statementText, lastResult.fields)
  return lastResult?.rows ?? []
}

/** Runs a statement on behalf of an actor, if possible as a statement that the workspace's node keeps prepared. */
export async function runOnNode<T extends object>(
  pool: pg.Pool,
  beginStatements: string,
  statement: Sql,
  capabilities: ServerCapabilities,
): Promise<T[]> {
  const call = capabilities.nodeStatements?.callOf<T>(statement)
  if (call) {
    try {
      return call.rows(
        (await runAs<{ cells: string[] }>(pool, { beginStatements }, call.statement, capabilities)).rows,
      )
    } catch (error) {
      if (!isRefusedByNode(error)) throw error
      capabilities.nodeStatements?.refuse(statement.text)
    }
  }
  return (await runAs<T>(pool, { beginStatements }, statement, capabilities)).rows
}

/**
 * Sends BEGIN with the actor's setting, the statement and COMMIT together. With `positionStatement` it sends one more statement
 * before COMMIT, whose rows are `positionRows`.
 */
export async function runAs<T extends object>(
  pool: pg.Pool,
  { beginStatements, positionStatement }: { beginStatements: string; positionStatement?: string },
  statement: Sql,
  capabilities: ServerCapabilities,
): Promise<{ rows: T[]; positionRows: Row[] }> {
  const client: pg.PoolClient & { connection?: pg.Connection } = await pool.connect()
  const stream = client.connection?.stream
  // Corking combines the messages in one write, because writes took half of the time that Node spent on a search.
  stream?.cork()
  const results = Promise.allSettled([
    client.query(`BEGIN; ${beginStatements}`),
    runStatement<T>(client, statement, capabilities, capabilities.nodeStatements),
    positionStatement === undefined ? { rows: [] } : client.query<Row>(positionStatement),
    client.query('COMMIT'),
  ])
  stream?.uncork()
  const [beginResult, statementResult, positionResult, commitResult] = await results
  client.release(commitResult.status === 'rejected')
  // The first failure causes the later ones.
  if (beginResult.status === 'rejected') throw beginResult.reason
  if (statementResult.status === 'rejected') throw statementResult.reason
  if (positionResult.status === 'rejected') throw positionResult.reason
  if (commitResult.status === 'rejected') throw commitResult.reason
  return { rows: statementResult.value, positionRows: positionResult.value.rows }
}
