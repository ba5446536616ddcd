// The one adapter: `pg` on a PostgreSQL server, or on the embedded engine's Unix socket. On the latter all clients
// share one session, so nothing here or above may rely on session state: no SET, no temp tables; statements are named on
// a server only, and done without names where those do not last.

import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Actor, settingOf } from './actor.ts'
import type { Db, Queryable } from './db.ts'
import { isForgotten, keptName } from './kept.sql.ts'

/** Where the database is: a server's URL, or the folder of the embedded engine's socket. */
export type DbConnection = { url: string } | { socketDir: string }

export interface DbOptions {
  /** Connections at most (default 10). */
  max?: number
  /** Shown in pg_stat_activity (default `kenning`). */
  applicationName?: string
  /** For a new connection, and for a free one of the pool (default 10 s); 0: as long as it takes. */
  connectTimeoutMs?: number
  /** Told when a connection fails while nobody waits for it; the pool replaces it. */
  onConnectionLost?: (error: Error) => void
}

const CONNECT_TIMEOUT_MS = 10_000
// A process that stalls inside a transaction must not hold its locks: it is rolled back, as the embedded engine does by
// itself. For the transaction only, since poolers refuse or forget what is set for the session.
const BEGIN_ON_SERVER = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'"
const attempts = 4 // the first and 3 more
const retryable = new Set(['40001', '40P01']) // serialization failure, deadlock

/** Opens a pool; connects with the first statement, so a database that is away is told by that one. */
export function openDb(connection: DbConnection, options: DbOptions = {}): Db {
  const isServer = 'url' in connection
  const pool = new pg.Pool({
    ...address(connection),
    // What is known beforehand is sent at once: an actor's statement is one round trip, not three.
    pipeline: isServer,
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'kenning',
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  const names = { last: isServer }
  const begin = isServer ? BEGIN_ON_SERVER : 'BEGIN'
  const lost = options.onConnectionLost ?? (() => {})
  pool.on('error', lost)
  // A checked-out client that dies between two statements of a transaction reports it here only.
  pool.on('connect', (client) => client.on('error', lost))
  const db: Db = {
    rows: (statement) => whileNamesLast(names, () => run(pool, statement, names)),
    tx: (work) => transaction({ pool, begin, names }, work),
    as: (actor) => (isServer ? actingFor(pool, actor, names, () => db) : db),
    close: () => pool.end(),
  }
  return db
}

function actingFor(pool: pg.Pool, actor: Actor, names: Names, whole: () => Db): Db {
  const setting = settingOf(actor)
  return {
    rows: (statement) => whileNamesLast(names, () => runAs(pool, setting, statement, names)),
    tx: (work) => transaction({ pool, begin: `${BEGIN_ON_SERVER}; ${setting}`, names }, work),
    as: (other) => whole().as(other),
    close: () => whole().close(),
  }
}

function address(connection: DbConnection): pg.PoolConfig {
  if ('url' in connection) return { connectionString: connection.url }
  return { host: connection.socketDir, port: 5432, user: 'postgres', database: 'postgres' }
}

/** Whether a statement's name is still known when it is asked again: for all of a pool, until one was not. */
interface Names {
  last: boolean
}

/** Again without names where they were forgotten: such a statement has done nothing. */
async function whileNamesLast<T>(names: Names, work: () => Promise<T>): Promise<T> {
  const { last } = names
  try {
    return await work()
  } catch (error) {
    if (!last || !isForgotten(error)) throw error
    names.last = false
    return await work()
  }
}

async function run<T extends object>(
  client: pg.Pool | pg.PoolClient,
  { text, values }: Sql,
  names: Names,
): Promise<T[]> {
  const name = names.last ? keptName(text) : undefined
  // Without values `pg` sends a simple query, which may hold several statements: then there are several results.
  const result: pg.QueryResult<T> | pg.QueryResult<T>[] = await client.query<T>({
    text,
    values,
    ...(name && { name }),
  })
  return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows
}

/** One statement between the actor's setting and COMMIT, all three sent together. */
async function runAs<T extends object>(
  pool: pg.Pool,
  setting: string,
  statement: Sql,
  names: Names,
): Promise<T[]> {
  const client: pg.PoolClient & { connection?: pg.Connection } = await pool.connect()
  const stream = client.connection?.stream
  // In one write of the three: half the time of Node in a search were writes.
  stream?.cork()
  const answers = Promise.allSettled([
    client.query(`BEGIN; ${setting}`),
    run<T>(client, statement, names),
    client.query('COMMIT'),
  ])
  stream?.uncork()
  const [opened, result, ended] = await answers
  client.release(ended.status === 'rejected')
  // The first failure is the cause of those behind it.
  if (opened.status === 'rejected') throw opened.reason
  if (result.status === 'rejected') throw result.reason
  if (ended.status === 'rejected') throw ended.reason
  return result.value
}

interface Place {
  pool: pg.Pool
  begin: string
  names: Names
}

async function transaction<T>(place: Place, work: (tx: Queryable) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await whileNamesLast(place.names, () => once(place, work))
    } catch (error) {
      if (attempt >= attempts || !retryable.has((error as { code?: string }).code ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

async function once<T>({ pool, begin, names }: Place, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query(begin)
    const result = await work({ rows: (statement) => run(client, statement, names) })
    const end = await client.query('COMMIT')
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK: a statement's error was swallowed in `work`.
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

// Counts and sums as numbers, on this pool only. Exact up to 2^53; no column of ours holds more.
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

// connection refused or cut, the embedded engine's socket not there, a name that cannot be resolved, a timeout
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

const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']) // and not `open`: a missing file is another matter

// class 08, admin or crash shutdown, starting up, too many connections, transaction idle for too long
const sqlStates = /^(08...|57P0[1235]|53300|25P03)$/

const pgMessages =
  /^(connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout|cannot use a pool after)/i

/** True when the disk has no room for what was to be written: of the database (53100), or of the files. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && ['53100', 'ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code))

/** True when what a row was to refer to is not there (any more). */
export const isReferenceToNothing = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '23503'

/** True when a statement failed because the database is away, starting, stopping, full, or full of connections. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isDiskFull(error)) return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnavailable)
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    if (systemCodes.has(code)) return networkCalls.has(String(syscall))
    if (sqlStates.test(code)) return true
  }
  return pgMessages.test(error.message)
}
