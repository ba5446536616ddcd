// What a start refuses of a server, and how a role that is started by itself says that it is well, as the built service does: the
// message is all that its operator has.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDeps, startApi } from '../../src/app.ts'
import { childEnvironment, readConfig } from '../../src/config.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { testDatabase } from '../support/database.ts'
import { FULL } from '../support/full.ts'
import { endWithUs } from '../support/leftovers.ts'
import { watchedLog } from '../support/log.ts'
import { closeNow, listenOnLoopback } from '../support/loopback.ts'
import { childEnvironmentOf, freePort, MAIN } from '../support/service.ts'

const SERVER = process.env.DATABASE_URL

interface Started {
  child: ChildProcess
  ended: Promise<{ code: number | null; said: string }>
}

/** The built service on this database. */
function start(url: string, settings: Record<string, string>): Started {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-start-'))
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: childEnvironmentOf({ DATABASE_URL: url, KENNING_DATA_DIR: dataDir, ...settings }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const forget = endWithUs({
    pid: () => (child.exitCode === null ? child.pid : undefined),
    folders: [dataDir],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once('close', (code) => {
      forget()
      rmSync(dataDir, { recursive: true, force: true })
      resolve({ code, said })
    }),
  )
  return { child, ended }
}

/** How a start on this database ends. */
const started = async (url: string, role: string): Promise<{ code: number | null; said: string }> =>
  start(url, { KENNING_ROLE: role, KENNING_PORT: String(await freePort()) }).ended

/** What `kenning doctor` says of this database. */
async function examined(url: string): Promise<{ status: string; message: string } | undefined> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-start-'))
  const child = spawn(process.execPath, [MAIN, 'doctor', '--json'], {
    env: childEnvironmentOf({ DATABASE_URL: url, KENNING_DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const report = JSON.parse(await text(child.stdout)) as {
    checks: { check: string; status: string; message: string }[]
  }
  rmSync(dataDir, { recursive: true, force: true })
  const { check: _, ...finding } = report.checks.find(({ check }) => check === 'database') ?? {
    check: '',
    status: 'none',
    message: '',
  }
  return finding
}

/** Of the image: the very command that Docker runs in the container. @returns its exit code */
function imageCheck(port: number): Promise<number | null> {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const [, command] = /^HEALTHCHECK .*\\\n\s+CMD (\[.+\])$/m.exec(dockerfile) ?? []
  const [, ...args] = JSON.parse(command ?? '[]') as string[]
  expect(args.length).toBeGreaterThan(0)
  const child = spawn(process.execPath, args, { env: { KENNING_PORT: String(port) }, stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', resolve))
}

describe.runIf(SERVER)('a start is refused', () => {
  let server: Db
  beforeAll(() => {
    server = openDb({ url: SERVER ?? '' }, { max: 1 })
  })
  afterAll(() => server.close())

  test('by a server without pgvector, before anything is written', async () => {
    const name = `kenning_test_${randomBytes(6).toString('hex')}`
    await server.rows(raw(`CREATE DATABASE ${name}`))
    await server.rows(raw(`ALTER DATABASE ${name} SET extension_control_path TO '/nowhere'`))
    const own = new URL(SERVER ?? '')
    own.pathname = `/${name}`
    expect(await started(own.href, 'all')).toEqual({
      code: 1,
      said: 'Kenning cannot use this database: pgvector is missing: install it on the server, then start again.\n',
    })
    const inside = openDb({ url: own.href }, { max: 1 })
    expect(await inside.rows(raw("SELECT 1 FROM pg_tables WHERE schemaname = 'public'"))).toEqual([])
    await inside.close()
    await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
  })

  test('to a user who lacks rights, with the statements that help, and the doctor says so before', async () => {
    const name = `kenning_test_${randomBytes(6).toString('hex')}`
    await server.rows(raw(`CREATE ROLE ${name} LOGIN PASSWORD 'a-password'`))
    await server.rows(raw(`CREATE DATABASE ${name}`))
    const own = new URL(SERVER ?? '')
    own.pathname = `/${name}`
    const asAdministrator = openDb({ url: own.href }, { max: 1 })
    Object.assign(own, { username: name, password: 'a-password' })
    const statements = `CREATE EXTENSION vector; GRANT CREATE ON SCHEMA public TO ${name}`
    const problem = `the user ${name} may not install pgvector and create tables: have an administrator of the server run "${statements}" in this database`
    expect(await examined(own.href)).toEqual({ status: 'problem', message: problem })
    expect(await started(own.href, 'all')).toEqual({
      code: 1,
      said: `Kenning cannot use this database: ${problem}.\n`,
    })
    for (const statement of statements.split('; ')) await asAdministrator.rows(raw(statement))
    const [role] = await server.rows(raw("SELECT 1 FROM pg_roles WHERE rolname = 'kenning_app'"))
    const grant = `${role ? '' : 'CREATE ROLE kenning_app; '}GRANT kenning_app TO ${name}`
    expect(await examined(own.href)).toEqual({
      status: 'problem',
      message: `the user ${name} may not take the role kenning_app of requests: have an administrator of the server run "${grant}"`,
    })
    for (const statement of grant.split('; ')) await asAdministrator.rows(raw(statement))
    expect(await examined(own.href)).toMatchObject({ status: 'ok' })
    await asAdministrator.close()
    await server.rows(raw(`DROP DATABASE ${name} WITH (FORCE)`))
    await server.rows(raw(`DROP ROLE ${name}`))
  })

  test.each(FULL ? (['api', 'worker'] as const) : (['api'] as const))(
    'where a policy does not bind requests: %s',
    async (role) => {
      const database = await testDatabase()
      if (!('url' in database.connection)) throw new Error('a server is needed')
      const inside = openDb(database.connection, { max: 1 })
      await inside.rows(raw('ALTER TABLE edge DISABLE ROW LEVEL SECURITY'))
      await inside.close()
      const { code, said } = await started(database.connection.url, role)
      expect(said).toMatch(/Row-level security does not bind the role kenning_app on edge:.*NOBYPASSRLS/s)
      expect(code).toBe(1)
      await database.close()
    },
  )
})

test('a start that fails leaves nothing open', async () => {
  const { connection, close } = await testDatabase()
  const other = createServer()
  const port = new URL(await listenOnLoopback(other)).port
  const dataDir = mkdtempSync(join(tmpdir(), 'kenning-start-'))
  const ended = vi.spyOn(pg.Pool.prototype, 'end')
  try {
    const where =
      'url' in connection ? { DATABASE_URL: connection.url } : childEnvironment('api', connection.socketDir)
    const config = readConfig({ ...where, KENNING_DATA_DIR: dataDir, KENNING_METRICS_PORT: port })
    await expect(openDeps(config, watchedLog())).rejects.toThrow(/in use. Set KENNING_METRICS_PORT/)
    // The pool of the migration, and the one that everything else would have used.
    expect(ended).toHaveBeenCalledTimes(2)
    const weak = { KENNING_ADMIN_EMAIL: 'a@example.org', KENNING_ADMIN_PASSWORD: 'aaaaaaaaaaaaaaaa' }
    const withWeak = readConfig({ ...where, KENNING_DATA_DIR: dataDir, KENNING_LOG_LEVEL: 'silent', ...weak })
    await expect(startApi(withWeak)).rejects.toThrow(/^KENNING_ADMIN_PASSWORD: /)
    expect(ended).toHaveBeenCalledTimes(4)
  } finally {
    ended.mockRestore()
    await closeNow(other)
    rmSync(dataDir, { recursive: true, force: true })
    await close()
  }
})

describe.runIf(SERVER)('told to stop while another process migrates', () => {
  test.each(FULL ? (['api', 'worker', 'all'] as const) : (['worker'] as const))('%s ends', async (role) => {
    const database = await testDatabase()
    if (!('url' in database.connection)) throw new Error('a server is needed')
    const { url } = database.connection
    const migrating = new pg.Client({ connectionString: url })
    await migrating.connect()
    await migrating.query('BEGIN; LOCK TABLE schema_migration')
    const { child, ended } = start(url, { KENNING_ROLE: role, KENNING_PORT: String(await freePort()) })
    // In a transaction the view would stay as it was first seen.
    const beside = openDb(database.connection, { max: 1 })
    const waiting = () =>
      beside.rows(
        raw("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
      )
    await expect.poll(waiting).toHaveLength(role === 'all' ? 2 : 1)
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, said: '' })
    await migrating.end()
    await beside.close()
    await database.close()
  })
})

describe.runIf(SERVER)('a role by itself', () => {
  const roles = [
    ['worker', 'api'],
    ['api', 'worker'],
  ] as const
  test.each(FULL ? roles : roles.slice(0, 1))(
    'the %s says that it is well, to the image too; a %s on its port ends (full)',
    async (role, other) => {
      const database = await testDatabase()
      if (!('url' in database.connection)) throw new Error('a server is needed')
      const { url } = database.connection
      const port = await freePort()
      const settings = { KENNING_PORT: String(port), KENNING_METRICS_PORT: String(await freePort()) }
      const ask = (path: string, method = 'GET'): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}${path}`, { method })
      const { child, ended } = start(url, { ...settings, KENNING_ROLE: role })
      // As long as the process lives it may still become ready: how long that takes is the machine's affair.
      while ((await ask('/readyz').catch(() => undefined))?.status !== 200) {
        if (child.exitCode !== null) throw new Error(`it ended: ${(await ended).said}`)
        await setTimeout(50)
      }
      expect(await (await ask('/readyz')).json()).toEqual({ status: 'ready' })
      expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' })
      expect((await ask('/healthz', 'HEAD')).status).toBe(200)
      expect((await ask('/healthz', 'POST')).status).toBe(405)
      expect((await ask('/nothing')).status).toBe(404)
      expect(await imageCheck(port)).toBe(0)

      if (FULL) {
        // Its own figures are on another port, which must not keep it alive.
        const metrics = { KENNING_METRICS_PORT: String(await freePort()) }
        expect(await start(url, { ...settings, ...metrics, KENNING_ROLE: other }).ended).toEqual({
          code: 1,
          said: `Port ${port} on 127.0.0.1 is in use. Set KENNING_PORT to another one.\n`,
        })
        const figures = {
          KENNING_PORT: String(await freePort()),
          KENNING_METRICS_PORT: String(other === 'api' ? port : port - 1),
        }
        expect(await start(url, { ...figures, KENNING_ROLE: other }).ended).toEqual({
          code: 1,
          said: `Port ${port} on 127.0.0.1 is in use. Set KENNING_METRICS_PORT to another one.\n`,
        })
      }

      child.kill('SIGTERM')
      expect(await ended).toEqual({ code: 0, said: '' })
      expect(await imageCheck(port)).toBe(1)
      await database.close()
    },
  )
})
