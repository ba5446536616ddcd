// The hourly question limit over HTTP with two servers: exact for each user and each key in any workspace. Threads do not mix
// under concurrent questions.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertKey } from '../../src/accounts/keys.sql.ts'
import type { Thread } from '../../src/contract/conversations.ts'
import type { Answer, Page } from '../../src/contract/resources.ts'
import { buildServer } from '../../src/http/server.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { PATIENT } from '../support/database.ts'
import { publish } from '../support/publish.ts'

const LIMIT = 60
const ASKED = 100

let app: TestApp
let second: { server: TestApp['server']; close: () => Promise<void> }
let workspaces: string[]
const askers: { name: string; token: string }[] = []

beforeAll(async () => {
  app = await testApp({ askPerHour: LIMIT })
  // A second server with a pool of its own: the two share nothing but the database.
  const db = openDb(app.connection, PATIENT)
  const server = await buildServer({ ...app.deps, db })
  await server.ready()
  const close = async (): Promise<void> => {
    await server.close()
    await db.close()
  }
  second = { server, close }
  const people = await Promise.all([app.person(), app.person()])
  const [one, other] = people
  if (!one || !other) throw new Error('nobody')
  workspaces = [await app.workspace(one, 'First'), await app.workspace(one, 'Second')]
  for (const workspace of workspaces) {
    await app.member(workspace, other, 'viewer')
    await publish(app.deps.db, workspace, randomUUID(), [`The crane of ${workspace} lifts twelve tonnes.`])
  }
  for (const [i, person] of people.entries()) {
    askers.push({ name: `user ${i}`, token: await app.token(person) })
    askers.push({ name: `key ${i}`, token: await keyOf(person) })
  }
})
afterAll(async () => {
  await second?.close()
  await app?.close()
})

async function keyOf(person: Person): Promise<string> {
  const secret = `ken_mcp_${randomBytes(32).toString('base64url')}`
  await insertKey(app.deps.db, {
    id: randomUUID(),
    accountId: person.id,
    hash: createHash('sha256').update(secret).digest(),
    lastFour: secret.slice(-4),
    name: 'a key',
    workspaceIds: workspaces,
    expiresAt: undefined,
  })
  return secret
}

const ask = (n: number, token: string) =>
  (n % 4 < 2 ? app.server : second.server).inject({
    method: 'POST',
    url: `/v1/workspaces/${workspaces[n % 2]}/ask`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ question: `What does the crane lift, for the ${n}th time?` }),
  })

test('of 100 concurrent questions exactly 60 are answered per user and per key; threads do not mix', async () => {
  const asked = await Promise.all(
    askers.map(({ token }) => Promise.all(Array.from({ length: ASKED }, (_, n) => ask(n, token)))),
  )
  const seen = new Set<string>()
  for (const [i, answers] of asked.entries()) {
    const { name, token } = askers[i] ?? { name: '', token: '' }
    const good = answers.filter(({ statusCode }) => statusCode === 200)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect([good.length, refused.length], name).toEqual([LIMIT, ASKED - LIMIT])
    for (const { headers } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(3000)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600)
    }
    const mine = good.map((answer) => (JSON.parse(answer.body) as Answer).thread_id)
    for (const id of mine) expect(seen.has(id)).toBe(false)
    for (const id of mine) seen.add(id)
    const listed = await Promise.all(workspaces.map((workspace) => threadsOf(workspace, token)))
    expect(
      listed
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(mine.sort())
    expect(listed.flat().every(({ turn_count }) => turn_count === 1)).toBe(true)
  }
  expect(seen.size).toBe(LIMIT * askers.length)
})

async function threadsOf(workspace: string, token: string): Promise<Thread[]> {
  const answer = await app.send('GET', `/v1/workspaces/${workspace}/threads?limit=200`, token)
  return bodyOf<Page<Thread>>(answer).data
}
