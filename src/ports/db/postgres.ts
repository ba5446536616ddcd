// The only adapter: `pg`, connected to a PostgreSQL server or to the embedded engine's Unix socket. The engine has one
// session for all clients, so nothing here or in the rooms may rely on session state: no SET, no temporary tables.
// Statements are named on a server only, and sent without names where a connection forgets them.

import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Actor, settingOf } from './actor.ts'
import { beginOnNodes, forCitus, isDistributed, stopWrites } from './citus.sql.ts'
import type { Db, Queryable, Row, TxOptions } from './db.ts'
import { isRefusedByNode, type KeptOnNodes, keepOnNodes } from './kept-on-nodes.ts'
import { isForgotten, preparedName } from './prepared.sql.ts'
import { databaseIdentity, type Position, primaryPosition, replicaPosition } from './replica.sql.ts'
import { openReplica, type Reader, type Replica, type ReplicaSettings } from './replica.ts'

/** The URL of a server, or the folder of the embedded engine's socket. */
export type DbConnection = { url: string } | { socketDir: string }

export interface DbOptions {
  /** The most connections (default 10). */
  max?: number
  /** Shown in pg_stat_activity (default `kenning`). */
  applicationName?: string
  /** How long to wait for a new connection, or a free one of the pool (default 10 s); 0: for ever. */
  connectTimeoutMs?: number
  /** How long a statement may take before it fails (default: for ever). */
  answerMs?: number
  /** How long a server works on a statement of an actor before it ends it (default 30 s): one that waits for a lock, too. */
  actorStatementMs?: number
  /** Called when a connection fails that no statement is using; the pool replaces it. */
  onConnectionLost?: (error: Error) => void
  /** A streaming replica, to which reads of requests may go. */
  replica?: ReplicaSettings | undefined
}

const CONNECT_TIMEOUT_MS = 10_000
// The primary answers instead: a replica is not waited for.
const REPLICA_CONNECT_MS = 1000
const REPLICA_ANSWER_MS = 10_000
// Whoever asked has given up by then, and a connection is one of ten. Work of the service itself takes as long as it takes.
const ACTOR_STATEMENT_MS = 30_000
// The transaction of a process that stalls is rolled back, so that it does not hold its locks; the embedded engine does that
// by itself. Set for the transaction only, since poolers refuse or forget what is set for the session.
const LIMITS_ON_SERVER = "SET LOCAL idle_in_transaction_session_timeout = '10s'"
const SNAPSHOT = ' ISOLATION LEVEL REPEATABLE READ READ ONLY'
const ATTEMPTS = 4
// How often a snapshot of several nodes asks for a moment in which nobody writes.
const STOPS = 30
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const RETRYABLE = new Set(['40001', DEADLOCK]) // serialization failure
// Of Citus, with the code of an internal error: the connection that a session kept to a node had ended, as after a restart of the
// node. The next one is new.
const LOST_WITH_NODE = /^failure on connection marked as essential/

/** Opens a pool. It connects with the first statement, which fails if the database cannot be reached. */
export function openDb(connection: DbConnection, options: DbOptions = {}): Db {
  const isServer = 'url' in connection
  const onConnectionLost = options.onConnectionLost ?? (() => {})
  const pool = openPool(connection, options, onConnectionLost)
  const names: Names = { usable: isServer, distributed: isServer ? undefined : false }
  const opening = isServer ? LIMITS_ON_SERVER : undefined
  const limit = `SET LOCAL statement_timeout = ${options.actorStatementMs ?? ACTOR_STATEMENT_MS}`
  const replica = options.replica && replicaOf(pool, options.replica, options)
  const db: Db = {
    rows: async (statement) => {
      if (names.distributed === undefined) await askOnce(pool, names)
      return noting(replica, statement.text, () => repeating(names, () => run(pool, statement, names)))
    },
    tx: async (work, options) => {
      if (names.distributed === undefined) await askOnce(pool, names)
      const begin = beginning(opening, options)
      const isOfAllNodes = options?.snapshot === true && names.distributed
      const enter = isOfAllNodes ? enterOneMoment : undefined
      return noting(replica, undefined, () => transaction({ pool, begin, enter, names }, work))
    },
    as: (actor) => (isServer ? actingFor({ pool, names, replica, limit }, actor, () => db) : db),
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

function openPool(
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
  // A client that is lost between two statements of a transaction reports it here only.
  pool.on('connect', (client) => client.on('error', onConnectionLost))
  return pool
}

/** Its lost connections are no news: what is lost with them, the primary answers. */
function replicaOf(
  primary: pg.Pool,
  { url, onChange = () => {} }: ReplicaSettings,
  options: DbOptions,
): Replica & { close(): Promise<void> } {
  const limits = { connectTimeoutMs: REPLICA_CONNECT_MS, answerMs: REPLICA_ANSWER_MS }
  const pool = openPool({ url }, { ...options, ...limits }, () => {})
  const names: Names = { usable: true, distributed: false }
  return {
    ...openReplica({
      primary: async () => first((await primary.query<Position>(primaryPosition.text)).rows).at,
      replica: async () => (await pool.query<Position>(replicaPosition.text)).rows[0]?.at,
      isSame: async () => {
        const identities = await Promise.all([primary, pool].map((one) => one.query(databaseIdentity.text)))
        return new Set(identities.map(({ rows }) => first(rows).identity)).size === 1
      },
      run: <T extends object>(opening: string, statement: Sql, telling: string) =>
        retryWithoutNames(names, async () => {
          const { rows, told: answered } = await runAs<T>(pool, { opening, telling }, statement, names)
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
async function noting<T>(
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

interface Shared {
  pool: pg.Pool
  names: Names
  replica: Replica | undefined
  /** The setting that ends its statements. */
  limit: string
}

function actingFor({ pool, names, replica, limit }: Shared, actor: Actor, whole: () => Db): Db {
  const setting = `${limit}; ${settingOf(actor)}`
  const reader = replica?.reader()
  return {
    rows: async <T extends object>(statement: Sql) => {
      if (names.distributed === undefined) await askOnce(pool, names)
      const replicaRows = names.distributed ? undefined : await reader?.rows<T>(setting, statement)
      if (replicaRows) return replicaRows
      return noting(replica, statement.text, () =>
        withReplicaInvalidation(reader, () =>
          repeating(names, () => runOnNode<T>(pool, setting, statement, names)),
        ),
      )
    },
    tx: async (work, options) => {
      if (names.distributed === undefined) await askOnce(pool, names)
      const begin = beginning(`${LIMITS_ON_SERVER}; ${setting}`, options)
      return noting(replica, undefined, () =>
        withReplicaInvalidation(reader, () => transaction({ pool, begin, names }, work)),
      )
    },
    as: (other) => whole().as(other),
    connections: () => whole().connections(),
    close: () => whole().close(),
  }
}

/** What a request has seen on the primary, its next read sees too. */
async function withReplicaInvalidation<T>(reader: Reader | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    reader?.leave()
  }
}

function address(connection: DbConnection): pg.PoolConfig {
  if ('url' in connection) return { connectionString: connection.url }
  return { host: connection.socketDir, port: 5432, user: 'postgres', database: 'postgres' }
}

interface Names {
  /** Whether the pool's connections remember the names of statements: assumed until one has not. */
  usable: boolean
  /** Whether the server is a Citus; undefined: not asked yet. */
  distributed: boolean | undefined
  /** Where the server is a Citus. */
  kept?: KeptOnNodes
}

async function askOnce(pool: pg.Pool, names: Names): Promise<void> {
  const { rows } = await pool.query<{ distributed: boolean }>(isDistributed.text)
  names.distributed = rows[0]?.distributed === true
  if (names.distributed) names.kept = keepOnNodes((typeId) => getTypeParser(typeId))
}

/** Runs `work` again without names if a name was forgotten: the statement that failed has done nothing. */
async function retryWithoutNames<T>(names: Names, work: () => Promise<T>): Promise<T> {
  const { usable } = names
  try {
    return await work()
  } catch (error) {
    if (!usable || !isForgotten(error)) throw error
    names.usable = false
    return await work()
  }
}

async function run<T extends object>(
  client: pg.Pool | pg.PoolClient,
  { text: statementText, values }: Sql,
  names: Names,
  nodeSettings?: KeptOnNodes,
): Promise<T[]> {
  const text = names.distributed ? forCitus(statementText) : statementText
  const name = names.usable ? preparedName(text) : undefined
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
async function runOnNode<T extends object>(
  pool: pg.Pool,
  opening: string,
  statement: Sql,
  names: Names,
): Promise<T[]> {
  const call = names.kept?.callOf<T>(statement)
  if (call) {
    try {
      return call.rows((await runAs<{ cells: string[] }>(pool, { opening }, call.statement, names)).rows)
    } catch (error) {
      if (!isRefusedByNode(error)) throw error
      names.kept?.refuse(statement.text)
    }
  }
  return (await runAs<T>(pool, { opening }, statement, names)).rows
}

/**
 * Sends BEGIN with the actor's setting, the statement and COMMIT together; with `telling` one more statement before COMMIT, whose
 * rows are `told`.
 */
async function runAs<T extends object>(
  pool: pg.Pool,
  { opening, telling }: { opening: string; telling?: string },
  statement: Sql,
  names: Names,
): Promise<{ rows: T[]; told: Row[] }> {
  const client: pg.PoolClient & { connection?: pg.Connection } = await pool.connect()
  const stream = client.connection?.stream
  // One write instead of three: writes were half of what a search cost Node.
  stream?.cork()
  const answers = Promise.allSettled([
    client.query(`BEGIN; ${opening}`),
    run<T>(client, statement, names, names.kept),
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

const beginning = (opening: string | undefined, { snapshot = false }: TxOptions = {}): string =>
  `BEGIN${snapshot ? SNAPSHOT : ''}${opening === undefined ? '' : `; ${opening}`}`

interface TransactionContext {
  pool: pg.Pool
  begin: string
  /** Sends `begin` and what else begins it. */
  enter?: ((pool: pg.Pool, client: pg.PoolClient, begin: string) => Promise<void>) | undefined
  names: Names
}

const transaction = <T>(context: TransactionContext, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  repeating(context.names, () => once(context, work))

/** Runs again what has done nothing: PostgreSQL refused it for what others did meanwhile. */
async function repeating<T>(names: Names, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryWithoutNames(names, work)
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRepeatable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

function isRepeatable(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return RETRYABLE.has(code) || LOST_WITH_NODE.test(message)
}

async function once<T>(
  { pool, begin, enter, names }: TransactionContext,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await (enter ? enter(pool, client, begin) : client.query(begin))
    const result = await work({ rows: (statement) => run(client, statement, names) })
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
async function enterOneMoment(pool: pg.Pool, client: pg.PoolClient, begin: string): Promise<void> {
  const stopping = await pool.connect()
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await stopping.query(stopWrites(Math.min(400 + 100 * attempt, 900)))
        break
      } catch (error) {
        await stopping.query('ROLLBACK')
        const { code = '' } = error as { code?: string }
        if (attempt >= STOPS || ![LOCK_NOT_AVAILABLE, DEADLOCK].includes(code)) throw error
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
    await client.query(`${begin}; ${beginOnNodes}`)
  } finally {
    // Its locks end with it.
    stopping.release(true)
  }
}

// int8 and numeric become numbers, on this pool only. Exact up to 2^53; no column holds more.
const int8Array = 1016
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [int8Array, parseInt8Array],
])

function parseInt8Array(value: string): (number | null)[] {
  const texts: (string | null)[] = pg.types.getTypeParser(int8Array as number)(value)
  return texts.map((text) => (text === null ? null : Number(text)))
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = format === 'binary' ? undefined : parsers.get(oid)
  return own ?? pg.types.getTypeParser(oid, format)
}

// connection refused or closed, no socket of the embedded engine, a host name that cannot be resolved, a timeout
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']) // not `open`: that is a missing file

// class 08, admin or crash shutdown, starting up, too many connections, transaction idle for too long
const sqlStates = /^(08...|57P0[1235]|53300|25P03)$/

const pgMessages =
  /^(connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|cannot use a pool after)/i

/** True when the disk is full: that of the database (53100), or that of the files. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['53100', 'ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code))

/**
 * True when a server that answers cannot reach another one that has the rows: a node of a Citus is away, the coordinator is not.
 * Of a connection of its own the client knows without being told by a statement that fails.
 */
export function isNodeAway(error: unknown): boolean {
  const { code, severity, message } = Object(error) as {
    code?: unknown
    severity?: unknown
    message?: unknown
  }
  return severity === 'ERROR' && (/^080(?!P01)/.test(String(code)) || LOST_WITH_NODE.test(String(message)))
}

/** True when the server ended a statement that took too long, or waited too long for a lock. */
export const isTimedOut = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014'

/** True when the pool gave up waiting for a connection: the database is away, or it and this process wait for a processor. */
export const isConnectTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  /^(timeout exceeded when trying to connect|connection terminated due to connection timeout)/i.test(
    error.message,
  )

/** True when a foreign key refers to a row that does not exist. */
export const isReferenceToNothing = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '23503'

/** True when a statement failed because the database is unreachable, starting, stopping, or out of disk or connections. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isDiskFull(error) || LOST_WITH_NODE.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnavailable)
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    if (systemCodes.has(code)) return networkCalls.has(String(syscall))
    if (sqlStates.test(code)) return true
  }
  return pgMessages.test(error.message)
}
