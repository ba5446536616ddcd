// The only adapter: `pg`, connected to a PostgreSQL server or to the embedded engine's Unix socket. The engine has one
// session for all clients, so nothing here or in the rooms may rely on session state: no SET, no temporary tables.
// Statements are named on a server only, and sent without names where a connection forgets them.

import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Actor, settingOf } from './actor.ts'
import type { DbConnection, DbOptions } from './connection.ts'
import type { Db } from './db.ts'
import { openPool } from './pool.ts'
import type { Replica } from './replica.ts'
import { replicaOf, withReplicaInvalidation, withWritesReported } from './replica-pool.ts'
import { withRetries } from './retries.ts'
import { detectCitus, runOnNode, runStatement, type ServerCapabilities } from './statements.ts'
import { beginConsistentSnapshot, beginStatement, transaction } from './transactions.ts'

// By then the caller of a request has given up, and a connection is one of ten. The service's own work has no such limit.
const ACTOR_STATEMENT_MS = 30_000
// The transaction of a process that stalls is rolled back, so that it does not hold its locks; the embedded engine does that
// by itself. Set for the transaction only, since poolers refuse or forget what is set for the session.
const LIMITS_ON_SERVER = "SET LOCAL idle_in_transaction_session_timeout = '10s'"

/** Opens a pool. It connects with the first statement, which fails if the database cannot be reached. */
export function openDb(connection: DbConnection, options: DbOptions = {}): Db {
  const isServer = 'url' in connection
  const onConnectionLost = options.onConnectionLost ?? (() => {})
  const pool = openPool(connection, options, onConnectionLost)
  const capabilities: ServerCapabilities = {
    remembersNames: isServer,
    isDistributed: isServer ? undefined : false,
  }
  const limitSettings = isServer ? LIMITS_ON_SERVER : undefined
  const limit = `SET LOCAL statement_timeout = ${options.actorStatementMs ?? ACTOR_STATEMENT_MS}`
  const replica = options.replica && replicaOf(pool, options.replica, options)
  const db: Db = {
    rows: async (statement) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      return withWritesReported(replica, statement.text, () =>
        withRetries(capabilities, () => runStatement(pool, statement, capabilities)),
      )
    },
    tx: async (work, options) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      const beginText = beginStatement(limitSettings, options)
      const isOfAllNodes = options?.snapshot === true && capabilities.isDistributed
      const beginWith = isOfAllNodes ? beginConsistentSnapshot : undefined
      return withWritesReported(replica, undefined, () =>
        transaction({ pool, beginText, beginWith, capabilities }, work),
      )
    },
    as: (actor) => (isServer ? actingFor({ pool, capabilities, replica, limit }, actor, () => db) : db),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([pool.end(), replica?.close()])
    },
  }
  return db
}

interface Shared {
  pool: pg.Pool
  capabilities: ServerCapabilities
  replica: Replica | undefined
  /** The setting that limits the time of its statements. */
  limit: string
}

function actingFor({ pool, capabilities, replica, limit }: Shared, actor: Actor, wholeDb: () => Db): Db {
  const setting = `${limit}; ${settingOf(actor)}`
  const reader = replica?.reader()
  return {
    rows: async <T extends object>(statement: Sql) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      const replicaRows = capabilities.isDistributed ? undefined : await reader?.rows<T>(setting, statement)
      if (replicaRows) return replicaRows
      return withWritesReported(replica, statement.text, () =>
        withReplicaInvalidation(reader, () =>
          withRetries(capabilities, () => runOnNode<T>(pool, setting, statement, capabilities)),
        ),
      )
    },
    tx: async (work, options) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      const beginText = beginStatement(`${LIMITS_ON_SERVER}; ${setting}`, options)
      return withWritesReported(replica, undefined, () =>
        withReplicaInvalidation(reader, () => transaction({ pool, beginText, capabilities }, work)),
      )
    },
    as: (other) => wholeDb().as(other),
    connections: () => wholeDb().connections(),
    close: () => wholeDb().close(),
  }
}
