// A pool of connections to a server or to the embedded engine.

import pg from 'pg'
import type { DbConnection, DbOptions } from './connection.ts'
import { getTypeParser } from './parsers.ts'

const CONNECT_TIMEOUT_MS = 10_000

export function openPool(
  connection: DbConnection,
  options: DbOptions,
  onConnectionLost: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...address(connection),
    // An actor's statement is sent together with BEGIN and COMMIT: one round trip instead of three.
    pipeline: 'url' in connection,
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'kenning',
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(options.answerMs && { query_timeout: options.answerMs }),
    keepAlive: true,
    types: { getTypeParser },
  })
  pool.on('error', onConnectionLost)
  // If a connection is lost between two statements of a transaction, the client reports it only here.
  pool.on('connect', (client) => client.on('error', onConnectionLost))
  return pool
}

function address(connection: DbConnection): pg.PoolConfig {
  if ('url' in connection) return { connectionString: connection.url }
  return { host: connection.socketDir, port: 5432, user: 'postgres', database: 'postgres' }
}
