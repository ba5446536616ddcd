// The only adapter of the database port: `pg`, connected to a PostgreSQL server or to the embedded engine's Unix socket. The engine
// has one session for all clients, so no code may rely on session state: no SET, no temporary tables. Only a server gets named
// (prepared) statements, and only until a connection has forgotten a name.

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

// The time limit of a request's statement. After this time the caller has given up, and the pool has only ten connections.
const ACTOR_STATEMENT_MS = 30_000
// The server rolls back the transaction of a process that stalls, so that its locks are released. (The embedded engine does that by
// itself.) It is set for each transaction, because poolers refuse or forget settings of the session.
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
  const timeLimitSetting = `SET LOCAL statement_timeout = ${options.actorStatementMs ?? ACTOR_STATEMENT_MS}`
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
      const needsConsistentSnapshot = options?.snapshot === true && capabilities.isDistributed
      const beginWith = needsConsistentSnapshot ? beginConsistentSnapshot : undefined
      return withWritesReported(replica, undefined, () =>
        transaction({ pool, beginText, beginWith, capabilities }, work),
      )
    },
    as: (actor) =>
      isServer ? actingFor({ pool, capabilities, replica, timeLimitSetting }, actor, () => db) : db,
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

interface SharedParts {
  pool: pg.Pool
  capabilities: ServerCapabilities
  replica: Replica | undefined
  /** The setting that limits the time of an actor's statements. */
  timeLimitSetting: string
}

function actingFor(
  { pool, capabilities, replica, timeLimitSetting }: SharedParts,
  actor: Actor,
  wholeDb: () => Db,
): Db {
  const setting = `${timeLimitSetting}; ${settingOf(actor)}`
  const replicaReader = replica?.reader()
  return {
    rows: async <T extends object>(statement: Sql) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      const replicaRows = capabilities.isDistributed
        ? undefined
        : await replicaReader?.rows<T>(setting, statement)
      if (replicaRows) return replicaRows
      return withWritesReported(replica, statement.text, () =>
        withReplicaInvalidation(replicaReader, () =>
          withRetries(capabilities, () => runOnNode<T>(pool, setting, statement, capabilities)),
        ),
      )
    },
    tx: async (work, options) => {
      if (capabilities.isDistributed === undefined) await detectCitus(pool, capabilities)
      const beginText = beginStatement(`${LIMITS_ON_SERVER}; ${setting}`, options)
      return withWritesReported(replica, undefined, () =>
        withReplicaInvalidation(replicaReader, () => transaction({ pool, beginText, capabilities }, work)),
      )
    },
    as: (other) => wholeDb().as(other),
    connections: () => wholeDb().connections(),
    close: () => wholeDb().close(),
  }
}
