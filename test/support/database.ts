// A migrated database for each test file, copied from a template that is made once for each state of the migrations: on the
// server of DATABASE_URL if that is set (KENNING_CITUS_PORTS: a Citus), else a directory with an embedded engine. Test files run
// one after the other in one process, and starting an engine takes 2 s of processor time: the next file gets the engine of the
// last one, emptied, unless that one changed more than rows.

import { createHash, randomBytes } from 'node:crypto'
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { raw } from 'sql-template-tag'
import { applySettingsOnNodes } from '../../src/operator/distribute/distribute.sql.ts'
import type { DbConnection, DbOptions } from '../../src/ports/db/connection.ts'
import { LockHeld, readLock, takeLock } from '../../src/ports/db/embedded/lock.ts'
import { migrate } from '../../src/ports/db/migrate.ts'
import { readMigrations } from '../../src/ports/db/migrations.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { prepareRequestRole } from '../../src/ports/db/request-role.ts'
import type { ChildLog } from '../../src/processes/child.ts'
import { type Engine, lockFile, startEngine } from '../../src/processes/engine.ts'
import { makeDistributed, onNodes } from './citus-nodes.ts'
import { endWithUs } from './leftovers.ts'
import { allRows, refill, schemaOf } from './refill.sql.ts'

/** Where the database is a Citus of several nodes (docs/decisions/0039-citus.md). */
export const ON_CITUS = Boolean(process.env.KENNING_CITUS_PORTS)

export interface TestDatabase {
  connection: DbConnection
  /** The same past a pooler, for what a test asks of one session. */
  session: DbConnection
  /** Drops the database, or stops the engine and removes its directory. */
  close(): Promise<void>
}

/** Prints errors only. */
export const testLog: ChildLog = {
  info: () => {},
  warn: () => {},
  error: (fields, text) => console.error(text, fields),
}

/**
 * For a pool that gets hundreds of statements at once: in the service a request that waits 10 s for a connection gets a 503,
 * which on a busy machine would hide the answer under test.
 */
export const PATIENT = { connectTimeoutMs: 60_000 }

/** Where `npm run test:replica` has a replica of the server: the same database there, for reads of requests. */
export function withReplica(connection: DbConnection): Pick<DbOptions, 'replica'> {
  const replica = process.env.KENNING_READ_DATABASE_URL
  if (replica === undefined || !('url' in connection)) return {}
  const ownUrl = new URL(replica)
  ownUrl.pathname = new URL(connection.url).pathname
  return { replica: { url: ownUrl.href } }
}

/** A fresh, migrated, empty database. Close every pool on it before `close()`. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = process.env.DATABASE_URL
  if (url === undefined) return await onEngine()
  const ports = process.env.KENNING_CITUS_PORTS
  return ports ? await onCitus(url, ports.split(',').map(Number)) : await onServer(url)
}

/** A copy of a migrated database: a third of what migrating it takes. */
async function onServer(url: string): Promise<TestDatabase> {
  const template = await templateDatabase(process.env.KENNING_DIRECT_DATABASE_URL ?? url, makeServerTemplate)
  const name = `kenning_test_${randomBytes(6).toString('hex')}`
  const server = openDb({ url }, { max: 1 })
  await server.rows(raw(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  await untilOnReplica(name)
  const at = (address: string): DbConnection => {
    const ownUrl = new URL(address)
    ownUrl.pathname = `/${name}`
    return { url: ownUrl.href }
  }
  return {
    connection: at(url),
    session: at(process.env.KENNING_DIRECT_DATABASE_URL ?? url),
    async close() {
      await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
      await server.close()
    },
  }
}

/** On each node a copy of a distributed database, which is made once. */
async function onCitus(url: string, ports: number[]): Promise<TestDatabase> {
  const template = await templateDatabase(url, (name) => makeCitusTemplate(url, ports, name))
  const name = `kenning_test_${randomBytes(6).toString('hex')}`
  await onNodes(ports, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const ownUrl = new URL(url)
  ownUrl.pathname = `/${name}`
  const connection = { url: ownUrl.href }
  // Settings of a database are not copied with it.
  const db = openDb(connection, { max: 1 })
  await applySettingsOnNodes(db).finally(() => db.close())
  return {
    connection,
    session: connection,
    close: () => onNodes(ports, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** A database that was made just now may not be on the replica yet, and what connects there would find none. */
async function untilOnReplica(name: string): Promise<void> {
  const url = process.env.KENNING_READ_DATABASE_URL
  if (url === undefined) return
  const replica = new pg.Client({ connectionString: url })
  await replica.connect()
  try {
    const isThere = async (): Promise<boolean> =>
      (await replica.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).rows.length > 0
    while (!(await isThere())) await delay(20)
  } finally {
    await replica.end()
  }
}

type MakeTemplate = (name: string, url: string, server: pg.Client) => Promise<void>

/** The database to copy from; of several processes one makes it. @param url past a pooler */
async function templateDatabase(url: string, make: MakeTemplate): Promise<string> {
  const template = `kenning_template_${templateKey()}`
  // Not by a pool, which ends a connection that it does not use, and the lock with it.
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  try {
    await server.query('SELECT pg_advisory_lock(8484)')
    const existingRows = await server.query(
      `SELECT 1 FROM pg_database WHERE datname = '${template}' AND NOT datallowconn`,
    )
    if (existingRows.rows.length === 0) await make(template, url, server)
  } finally {
    await server.end()
  }
  return template
}

// Nothing may be connected to what is copied.
const quiet = (template: string): string => `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`

async function makeServerTemplate(template: string, url: string, server: pg.Client): Promise<void> {
  const of = "SELECT datname FROM pg_database WHERE datname ~ '^kenning_template_[0-9a-f]{16}$'"
  for (const { datname } of (await server.query<{ datname: string }>(of)).rows)
    await server.query(`DROP DATABASE ${datname} WITH (FORCE)`) // of old migrations
  await server.query(`CREATE DATABASE ${template}`)
  const ownUrl = new URL(url)
  ownUrl.pathname = `/${template}`
  await migrateOnce({ url: ownUrl.href })
  await server.query(quiet(template))
}

async function makeCitusTemplate(url: string, ports: number[], template: string): Promise<void> {
  await makeDistributed(url, ports, template)
  await onNodes(ports, quiet(template))
  // Citus keeps a process in each database that it was used in.
  await onNodes(
    ports,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${template}'`,
  )
}

/** A data directory with a migrated database, for a test that is not about the first start (8 s of processor time). */
export async function migratedDirectory(): Promise<string> {
  const template = await templateDirectory()
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-test-'))
  cpSync(template, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return dataDir
}

interface Kept {
  engine: Engine
  dataDir: string
  /** A digest of its schema when it was new. */
  schema: string
  /** Once it has ended. */
  forget(): void
  empty(): Promise<void>
}

/** Engines of this process that no test file uses at the moment; several only if a file used several at once. */
const idle: Kept[] = []

async function onEngine(): Promise<TestDatabase> {
  const reusableEngine = idle.pop() ?? (await newEngine())
  const connection = { socketDir: reusableEngine.engine.socketDir }
  return {
    connection,
    session: connection,
    async close() {
      if (await isAsNew(reusableEngine)) {
        await reusableEngine.empty()
        idle.push(reusableEngine)
      } else {
        await reusableEngine.engine.stop()
        reusableEngine.forget()
        rmSync(reusableEngine.dataDir, { recursive: true, force: true })
      }
    },
  }
}

async function newEngine(): Promise<Kept> {
  const dataDir = await migratedDirectory()
  const engine = await startEngine({ dataDir, log: testLog })
  const forget = endWithUs({ pid: () => engine.pid(), folders: [dataDir, engine.socketDir] })
  const db = openDb({ socketDir: engine.socketDir }, { max: 1 })
  const schema = await schemaOf(db)
  const rows = await allRows(db)
  await db.close()
  return { engine, dataDir, schema, forget, empty: () => empty(engine, rows) }
}

/** False if a test killed the engine, or left a table or a trigger behind: then the engine is not used again. */
async function isAsNew({ engine, schema }: Kept): Promise<boolean> {
  if (engine.restarts() > 0) return false
  const db = openDb({ socketDir: engine.socketDir }, { max: 1 })
  try {
    return (await schemaOf(db)) === schema
  } finally {
    await db.close()
  }
}

async function empty({ socketDir }: Engine, rows: Awaited<ReturnType<typeof allRows>>): Promise<void> {
  const db = openDb({ socketDir }, { max: 1 })
  await refill(db, rows)
  await db.close()
}

/** The engine of the service that has this folder. */
export function runningEngine(dataDir: string): DbConnection {
  const { socket_dir: socketDir } = readLock(lockFile(dataDir)) ?? {}
  if (!socketDir) throw new Error('no engine has the folder')
  return { socketDir }
}

async function migrateOnce(connection: DbConnection) {
  const db = openDb(connection, { max: 1 })
  await migrate(db)
  if ('url' in connection) await prepareRequestRole(db)
  await db.close()
}

/** The data directory to copy from, made by the first process that needs it; others wait for it. */
export async function templateDirectory(): Promise<string> {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/kenning/', import.meta.url))
  const template = join(cache, `template-${templateKey()}`)
  mkdirSync(cache, { recursive: true })
  while (!existsSync(template)) {
    try {
      const lock = takeLock(`${template}.lock`)
      try {
        if (!existsSync(template)) await makeTemplate(template)
      } finally {
        lock.release()
      }
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      await delay(100)
    }
  }
  return template
}

// Everything that a template's content depends on: the migrations, PGlite's version, the engine's settings, rights on a server.
function templateKey(): string {
  const hash = createHash('sha256')
  for (const { name, checksum } of readMigrations()) hash.update(`${name} ${checksum}`)
  const files = [
    'package-lock.json',
    'src/ports/db/embedded/cluster.ts',
    'src/ports/db/request-role.sql.ts',
    'src/operator/distribute/distribute.sql.ts',
    'src/operator/distribute/layout.ts',
  ]
  for (const file of files) {
    hash.update(readFileSync(new URL(`../../${file}`, import.meta.url)))
  }
  // The coordinator of a Citus may serve as a plain server, too.
  if (ON_CITUS) hash.update('distributed')
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplate(template: string) {
  const draft = `${template}.draft-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  const engine = await startEngine({ dataDir: draft, log: testLog })
  await migrateOnce({ socketDir: engine.socketDir })
  await engine.stop()
  for (const name of readdirSync(dirname(template))) {
    if (/^template-[0-9a-f]{16}$/.test(name)) rmSync(join(dirname(template), name), { recursive: true }) // of old migrations
  }
  renameSync(draft, template)
}
