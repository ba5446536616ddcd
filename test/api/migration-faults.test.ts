// A database that dies at the end of a migration, before its commit (F-18 in docs/decisions/0038-faults-and-limits.md): it is as
// it was after the file before, and the next start goes on with the same file.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { expect } from 'vitest'
import type { Db } from '../../src/ports/db/db.ts'
import { appliedMigrations } from '../../src/ports/db/migrate.sql.ts'
import { migrate } from '../../src/ports/db/migrate.ts'
import { readMigrations } from '../../src/ports/db/migrations.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { startEngine } from '../../src/processes/engine.ts'
import { thorough } from '../support/full.ts'
import { endWithUs } from '../support/leftovers.ts'
import { allRows, schemaOf } from '../support/refill.sql.ts'

interface Mortal {
  db: Db
  /** A statement that never ends. */
  endless: string
  /** Once that statement runs, whoever runs it is killed; resolves when the database answers again. */
  kill(): Promise<void>
  close(): Promise<void>
}

const own = readMigrations()
const quiet = { info() {}, warn() {}, error() {} }

/** Empty, on the server: the session that migrates is ended. */
async function onServer(url: string): Promise<Mortal> {
  const name = `kenning_test_${randomBytes(6).toString('hex')}`
  const server = openDb({ url }, { max: 1 })
  await server.rows(raw(`CREATE DATABASE ${name}`))
  const own = new URL(url)
  own.pathname = `/${name}`
  const db = openDb({ url: own.href }, { max: 2 })
  const ended = sql`
    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = ${name} AND wait_event = 'PgSleep'`
  return {
    db,
    endless: 'SELECT pg_sleep(1e6)',
    kill: async () => {
      while ((await server.rows(ended)).length === 0) await sleep(20)
    },
    close: async () => {
      await db.close()
      await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
      await server.close()
    },
  }
}

/** User and system time. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** New, in a process of its own, which is killed. */
async function onEngine(): Promise<Mortal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-test-'))
  const engine = await startEngine({ dataDir, log: quiet })
  const forget = endWithUs({ pid: () => engine.pid(), folders: [dataDir, engine.socketDir] })
  engine.setMigrating(true)
  const db = openDb({ socketDir: engine.socketDir }, { max: 1 })
  return {
    db,
    endless: 'DO $$ BEGIN LOOP END LOOP; END $$',
    kill: async () => {
      const pid = engine.pid() ?? 0
      const restarts = engine.restarts()
      // Nobody else can ask it meanwhile. A file takes a fourth of that.
      for (const begun = ticksOf(pid); ticksOf(pid) - begun < 50; ) await sleep(20)
      process.kill(pid, 'SIGKILL')
      while (engine.restarts() === restarts || engine.pid() === undefined) await sleep(20)
    },
    close: async () => {
      await db.close()
      await engine.stop()
      forget()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

thorough(
  'F-18: killed before the commit of a migration: nothing of it is there, and it is applied next',
  async () => {
    const url = process.env.KENNING_DIRECT_DATABASE_URL ?? process.env.DATABASE_URL
    const { db, endless, kill, close } = url === undefined ? await onEngine() : await onServer(url)
    const state = async () => [await schemaOf(db), await allRows(db)]
    try {
      await migrate(db, [])
      for (const [no, file] of own.entries()) {
        const before = own.slice(0, no)
        const wanted = await state()
        const dying = migrate(db, [...before, { ...file, text: `${file.text};\n${endless}` }])
        const [ended] = await Promise.allSettled([dying, kill()])
        expect(ended.status, file.name).toBe('rejected')
        await expect
          .poll(() => db.rows(appliedMigrations).catch(() => 'away'), { message: file.name })
          .toMatchObject(before.map(({ name }) => ({ name })))
        expect(await state(), file.name).toEqual(wanted)
        expect(await migrate(db, [...before, file])).toEqual([file.name])
      }
      expect(await migrate(db)).toEqual([])
    } finally {
      await close()
    }
  },
)
