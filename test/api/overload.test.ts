// More requests than are answered at once: what is too much is refused at once, others are not kept out, and all is as before
// when it is over.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

/** The database; these statements wait until they are let go, and their number can be waited for. */
function held(db: Db, which: RegExp) {
  let letGo = (): void => {}
  const gone = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let waiting = 0
  let arrived: (() => void) | undefined
  const own = (inner: Db): Db => ({
    ...inner,
    as: (actor) => own(inner.as(actor)),
    rows: async (statement) => {
      if (which.test(statement.text)) {
        waiting++
        arrived?.()
        await gone
      }
      return inner.rows(statement)
    },
  })
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      arrived = () => waiting >= count && resolve()
      arrived()
    })
  return { db: own(db), letGo, until }
}

test('of one caller 64 wait, of all 128; the rest is refused at once without a statement, and then all goes on', async () => {
  const { db, letGo, until } = held(app.deps.db, /generate_series/)
  const server = await buildServer({ ...app.deps, db })
  try {
    const asking = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const person = await app.person()
        const headers = { authorization: `Bearer ${await app.token(person)}` }
        return { usage: `/v1/workspaces/${await app.workspace(person)}/usage`, headers }
      }),
    )
    const [one, other, third] = asking
    if (!one || !other || !third) throw new Error('nobody asks')
    const get = (url: string, { headers }: typeof one) => server.inject({ url, headers })
    const many = (who: typeof one) => Array.from({ length: 64 }, () => get(who.usage, who))
    const waiting = many(one)
    await until(64)
    const tooMany = await get(one.usage, one)
    expect([tooMany.statusCode, tooMany.headers['retry-after']]).toEqual([503, '1'])
    expect(tooMany.json().error.message).toContain('More than 64 of your requests')
    expect((await get('/v1/me', third)).statusCode).toBe(200)
    waiting.push(...many(other))
    await until(128)
    const full = await get('/v1/me', third)
    expect([full.statusCode, full.headers['retry-after']]).toEqual([503, '1'])
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200)
    letGo()
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    for (const who of asking) expect((await get(who.usage, who)).statusCode).toBe(200)
  } finally {
    letGo()
    await server.close()
  }
})

test('calls of tools have these places too, a question has not', async () => {
  const { db, letGo, until } = held(app.deps.db, /FROM workspace w JOIN member/)
  const server = await buildServer({ ...app.deps, db })
  try {
    const person = await app.person()
    const authorization = `Bearer ${await app.token(person)}`
    const call = (name: string, args = {}) =>
      server.inject({
        method: 'POST',
        url: '/v1/mcp',
        headers: { authorization, accept: 'application/json, text/event-stream', host: 'localhost' },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
    const waiting = Array.from({ length: 64 }, () => call('list_workspaces'))
    await until(64)
    const tooMany = await call('list_workspaces')
    expect([tooMany.statusCode, tooMany.headers['retry-after']]).toEqual([503, '1'])
    const read = await server.inject({ url: '/v1/me', headers: { authorization } })
    expect([read.statusCode, read.headers['retry-after']]).toEqual([503, '1'])
    // Of its own it says that it lacks the question, and is not refused for want of a place.
    expect((await call('ask')).statusCode).toBe(200)
    letGo()
    expect(new Set((await Promise.all(waiting)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await call('list_workspaces')).statusCode).toBe(200)
  } finally {
    letGo()
    await server.close()
  }
})

test('the place of a client that left while its token was looked up is free again', async () => {
  const { db, letGo, until } = held(app.deps.db, /bearer_of_token/)
  const server = await buildServer({ ...app.deps, db })
  try {
    const person = await app.person()
    const headers = { authorization: `Bearer ${await app.token(person)}` }
    const site = await server.listen({ host: '127.0.0.1', port: 0 })
    const client = new AbortController()
    let connections = 0
    const allClosed = new Promise<void>((resolve) => {
      server.server.on('connection', (socket) => {
        connections++
        socket.once('close', () => --connections === 0 && resolve())
      })
    })
    const requests = Array.from({ length: 64 }, () =>
      fetch(`${site}/v1/me`, { headers, signal: client.signal }),
    )
    await until(64)
    client.abort()
    expect(new Set((await Promise.allSettled(requests)).map(({ status }) => status))).toEqual(
      new Set(['rejected']),
    )
    await allClosed
    letGo()
    expect((await server.inject({ url: '/v1/me', headers })).statusCode).toBe(200)
  } finally {
    letGo()
    await server.close()
  }
})
