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

/** The database; statements of usage wait until they are let go, and their number can be waited for. */
function held(db: Db) {
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
      if (/generate_series/.test(statement.text)) {
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
  const { db, letGo, until } = held(app.deps.db)
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
