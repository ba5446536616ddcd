// A migrated database of its own for each test file: on the server of DATABASE_URL where that is set, else on an
// embedded engine over a copy of a template directory (made once per state of the migrations, then 0.5 s a copy).

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
import { raw } from 'sql-template-tag'
import { LockHeld, takeLock } from '../../src/ports/db/embedded/lock.ts'
import { migrate, readMigrations } from '../../src/ports/db/migrate.ts'
import { type DbConnection, openDb } from '../../src/ports/db/postgres.ts'
import { prepareRequestRole } from '../../src/ports/db/request-role.ts'
import { startEngine } from '../../src/processes/engine.ts'
import type { Log } from '../../src/processes/log.ts'

export interface TestDatabase {
  connection: DbConnection
  /** Drops the database, or stops the engine and removes its directory. */
  close(): Promise<void>
}

/** Shows what goes wrong, keeps quiet about the rest. */
export const testLog: Log = {
  info: () => {},
  warn: () => {},
  error: (fields, text) => console.error(text, fields),
}

/**
 * For a pool that hundreds ask at once: in the service whoever waits 10 s for a connection is told 503, which on a busy
 * machine is another answer than the one under test.
 */
export const PATIENT = { connectTimeoutMs: 60_000 }

/** A fresh, migrated, empty database. Close every pool on it before `close()`. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = process.env.DATABASE_URL
  return url ? await onServer(url) : await onEngine()
}

async function onServer(url: string): Promise<TestDatabase> {
  const name = `kenning_test_${randomBytes(6).toString('hex')}`
  const server = openDb({ url }, { max: 1 })
  await server.rows(raw(`CREATE DATABASE ${name}`))
  const own = new URL(url)
  own.pathname = `/${name}`
  const connection = { url: own.href }
  await migrateOnce(connection)
  return {
    connection,
    async close() {
      await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
      await server.close()
    },
  }
}

/** A data directory whose database is made and migrated: for a test that is not about a first start (8 s of work). */
export async function migratedDirectory(): Promise<string> {
  const template = await templateDirectory()
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-test-'))
  cpSync(template, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return dataDir
}

async function onEngine(): Promise<TestDatabase> {
  const dataDir = await migratedDirectory()
  const engine = await startEngine({ dataDir, log: testLog })
  return {
    connection: { socketDir: engine.socketDir },
    async close() {
      await engine.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function migrateOnce(connection: DbConnection) {
  const db = openDb(connection, { max: 1 })
  await migrate(db)
  if ('url' in connection) await prepareRequestRole(db)
  await db.close()
}

/** The data directory to copy from, made by the first who asks; test files in other processes wait for it. */
async function templateDirectory(): Promise<string> {
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

// Whatever shapes the directory's content: the migrations, PGlite's version and the engine's settings.
function templateKey(): string {
  const hash = createHash('sha256')
  for (const migration of readMigrations()) hash.update(migration.checksum)
  for (const file of ['../../package-lock.json', '../../src/ports/db/embedded/cluster.ts']) {
    hash.update(readFileSync(new URL(file, import.meta.url)))
  }
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
