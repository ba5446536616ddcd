// Internal failures: the caller gets a clear error and a request id, the log gets the cause.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import { serveWorkerHealth } from '../../src/http/worker-health.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { isTimedOut } from '../../src/ports/db/db-errors.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { insertJob } from '../support/rows.sql.ts'
import { freePort } from '../support/service.ts'
import { openWire, statusOf } from '../support/socket.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

/** The same app, its errors logged into a list. */
function withLog(deps: Deps) {
  const logged: { err?: unknown; requestId?: string; route?: string }[] = []
  const log: Deps['log'] = { ...deps.log, error: (fields) => void logged.push(fields) }
  return { deps: { ...deps, log }, logged }
}
const authorization = `Bearer ken_at_${'x'.repeat(43)}`

test('F-04: an unreachable database is 503 with Retry-After, and not ready; the process keeps running', async () => {
  const db = openDb({ socketDir: '/tmp/there-is-no-such-folder' })
  const { deps, logged } = withLog({ ...app.deps, db })
  const server = await buildServer(deps)
  for (const url of ['/readyz', '/v1/me']) {
    const answer = await server.inject({ url, headers: { authorization } })
    expect([answer.statusCode, answer.json().error.type, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ])
  }
  const signedIn = await server.inject({
    method: 'POST',
    url: '/session',
    payload: { email: 'a@b.c', password: 'x' },
  })
  expect(signedIn.statusCode).toBe(503)
  expect((await server.inject('/healthz')).statusCode).toBe(200)
  expect(logged.length).toBe(3)
  await server.close()
  await db.close()
})

test('F-04: nor is a worker by itself, which answers nevertheless', async () => {
  const port = await freePort()
  const db = openDb({ socketDir: '/tmp/there-is-no-such-folder' })
  const health = await serveWorkerHealth(db, { host: '127.0.0.1', port })
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toEqual({ error: { type: 'unavailable', message: expect.any(String) } })
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  await health.close()
  await db.close()
})

test('F-06: a full disk is 503 unavailable, with what to do', async () => {
  const db: Db = {
    ...app.deps.db,
    tx: () => app.deps.db.rows(raw("DO $$ BEGIN RAISE SQLSTATE '53100'; END $$")) as never,
    as: () => db,
  }
  const { deps, logged } = withLog({ ...app.deps, db })
  const server = await buildServer(deps)
  const token = await app.token(await app.person())
  const answer = await server.inject({
    method: 'POST',
    url: '/v1/workspaces',
    headers: { authorization: `Bearer ${token}` },
    payload: { name: 'No room' },
  })
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60'])
  expect(answer.json().error.type).toBe('unavailable')
  expect(answer.json().error.message).toMatch(/disk is full/)
  expect(logged.length).toBe(1)
  await server.close()
})

test.runIf(process.env.DATABASE_URL)(
  'F-04: a request whose statement waits for a lock is 503 with Retry-After, leaves no connection behind, and works again',
  async () => {
    if (!('url' in app.connection)) throw new Error('a server is needed')
    const db = openDb(app.connection, { max: 1, actorStatementMs: 300 })
    const { deps, logged } = withLog({ ...app.deps, db })
    const server = await buildServer(deps)
    const person = await app.person()
    const [token, id] = [await app.token(person), await app.workspace(person)]
    const rename = () =>
      server.inject({
        method: 'PATCH',
        url: `/v1/workspaces/${id}`,
        headers: { authorization: `Bearer ${token}` },
        payload: { name: 'Renamed' },
      })
    // Not by the pool, which ends a transaction that does nothing for ten seconds.
    const other = new pg.Client({ connectionString: app.connection.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM workspace WHERE id = $1 FOR UPDATE', [id])
    for (let tries = 0; tries < 2; tries++) {
      const answer = await rename()
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
      expect(answer.json().error).toMatchObject({ type: 'unavailable' })
    }
    expect(logged.map(({ err }) => isTimedOut(err))).toEqual([true, true])
    await other.query('ROLLBACK')
    await other.end()
    expect((await rename()).statusCode).toBe(200)
    await server.close()
    await db.close()
  },
)

test('a bug is internal_error: the message hidden, the cause logged under the request id', async () => {
  const rows = () => Promise.reject(new Error('secret detail of ken_at_token'))
  const { deps, logged } = withLog({ ...app.deps, db: { ...app.deps.db, rows } })
  const server = await buildServer(deps)
  const answer = await server.inject({ url: '/v1/me', headers: { authorization } })
  expect([answer.statusCode, answer.json().error.type]).toEqual([500, 'internal_error'])
  expect(answer.body).not.toContain('secret')
  expect(answer.body).toContain(String(answer.headers['x-request-id']))
  expect(logged).toMatchObject([{ requestId: answer.headers['x-request-id'], route: '/v1/me' }])
  await server.close()
})

test('a response that violates the contract is not sent; the log names the field, not its value', async () => {
  const owner = await app.person()
  const token = await app.token(owner)
  const { db } = app.deps
  const bent: Deps['db'] = {
    ...db,
    rows: async <T extends object>(statement: Parameters<typeof db.rows>[0]) => {
      const found = await db.rows<T>(statement)
      return found.map((row) =>
        'workspace_count' in row ? { ...row, workspace_count: 'private text' } : row,
      )
    },
  }
  const { deps, logged } = withLog({ ...app.deps, db: bent })
  const server = await buildServer(deps)
  const answer = await server.inject({ url: '/v1/me', headers: { authorization: `Bearer ${token}` } })
  expect(answer.statusCode).toBe(500)
  expect(String(logged[0]?.err)).toContain('workspace_count')
  expect(JSON.stringify(logged)).not.toContain('private text')
  await server.close()
})

test('F-16: a stopping service refuses new requests with 503 and ends running streams with an error event', async () => {
  const owner = await app.person()
  const token = await app.token(owner)
  const workspaceId = await app.workspace(owner)
  const jobId = randomUUID()
  await insertJob(app.deps.db, {
    workspaceId,
    id: jobId,
    createdBy: owner.id,
    documentId: randomUUID(),
    status: 'running',
  })
  const server = await buildServer(app.deps)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(server.listeningOrigin).port)
  const [stream, busy] = [await openWire(port), await openWire(port)]
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  stream.write(get(`/v1/jobs/${jobId}/events`))
  await stream.read((got) => got.includes('event: progress'))
  busy.write(get('/v1/me').slice(0, -2))
  await sleep(100)
  const closed = server.close()
  await sleep(100)
  busy.write('\r\n')
  const text = await busy.read((got) => got.endsWith('}'))
  expect([statusOf(text), text.includes('"unavailable"')]).toEqual([503, true])
  const ended = await stream.read((got) => got.includes('event: error'), 15_000)
  expect(ended).toContain('{"error":{"type":"unavailable"')
  await closed
})
