// One statement: by name where the server remembers names, through Citus, and together with an actor's setting.

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { forCitus, isDistributed } from './citus.sql.ts'
import type { Row } from './db.ts'
import { isRefusedByNode, type KeptOnNodes, keepOnNodes } from './kept-on-nodes.ts'
import { getTypeParser } from './parsers.ts'
import { preparedName } from './prepared.sql.ts'

export interface ServerCapabilities {
  /** Whether the pool's connections remember the names of statements: assumed until one has not. */
  remembersNames: boolean
  /** Whether the server is a Citus; undefined: not asked yet. */
  distributed: boolean | undefined
  /** Where the server is a Citus. */
  nodeStatements?: KeptOnNodes
}

export async function detectCitus(pool: pg.Pool, capabilities: ServerCapabilities): Promise<void> {
  const { rows } = await pool.query<{ distributed: boolean }>(isDistributed.text)
  capabilities.distributed = rows[0]?.distributed === true
  if (capabilities.distributed) capabilities.nodeStatements = keepOnNodes((typeId) => getTypeParser(typeId))
}

export async function runStatement<T extends object>(
  client: pg.Pool | pg.PoolClient,
  { text: statementText, values }: Sql,
  capabilities: ServerCapabilities,
  nodeSettings?: KeptOnNodes,
): Promise<T[]> {
  const text = capabilities.distributed ? forCitus(statementText) : statementText
  const name = capabilities.remembersNames ? preparedName(text) : undefined
  // Without values `pg` sends a simple query, which may have several statements and then gives several results.
  const result: pg.QueryResult<T> | pg.QueryResult<T>[] = await client.query<T>({
    text,
    values,
    ...(name && { name }),
  })
  const last = Array.isArray(result) ? result.at(-1) : result
  if (last) nodeSettings?.learn(statementText, last.fields)
  return last?.rows ?? []
}

/** The same through what the node of its workspace keeps, where it can be. */
export async function runOnNode<T extends object>(
  pool: pg.Pool,
  opening: string,
  statement: Sql,
  capabilities: ServerCapabilities,
): Promise<T[]> {
  const call = capabilities.nodeStatements?.callOf<T>(statement)
  if (call) {
    try {
      return call.rows(
        (await runAs<{ cells: string[] }>(pool, { opening }, call.statement, capabilities)).rows,
      )
    } catch (error) {
      if (!isRefusedByNode(error)) throw error
      capabilities.nodeStatements?.refuse(statement.text)
    }
  }
  return (await runAs<T>(pool, { opening }, statement, capabilities)).rows
}

/**
 * Sends BEGIN with the actor's setting, the statement and COMMIT together; with `telling` one more statement before COMMIT, whose
 * rows are `told`.
 */
export async function runAs<T extends object>(
  pool: pg.Pool,
  { opening, telling }: { opening: string; telling?: string },
  statement: Sql,
  capabilities: ServerCapabilities,
): Promise<{ rows: T[]; told: Row[] }> {
  const client: pg.PoolClient & { connection?: pg.Connection } = await pool.connect()
  const stream = client.connection?.stream
  // One write instead of three: writes were half of what a search cost Node.
  stream?.cork()
  const answers = Promise.allSettled([
    client.query(`BEGIN; ${opening}`),
    runStatement<T>(client, statement, capabilities, capabilities.nodeStatements),
    telling === undefined ? { rows: [] } : client.query<Row>(telling),
    client.query('COMMIT'),
  ])
  stream?.uncork()
  const [opened, result, toldResult, ended] = await answers
  client.release(ended.status === 'rejected')
  // The first failure causes the later ones.
  if (opened.status === 'rejected') throw opened.reason
  if (result.status === 'rejected') throw result.reason
  if (toldResult.status === 'rejected') throw toldResult.reason
  if (ended.status === 'rejected') throw ended.reason
  return { rows: result.value, told: toldResult.value.rows }
}
