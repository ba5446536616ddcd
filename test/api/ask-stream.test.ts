// The ask stream over a socket, read like a browser does: when steps arrive, what ends it early, what is left behind.
// A gate in the search lets each test decide what happens while the agent works.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { EventSource } from 'eventsource'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Thread } from '../../src/contract/conversations.ts'
import type { Answer, Page, Step } from '../../src/contract/resources.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { publish } from '../support/publish.ts'
import { expireTokens, removeMember, revokeGrant } from '../support/rows.sql.ts'

let app: TestApp
let server: TestApp['server']
let base: string
let workspace: string
let person: Person
let token: string
let grantId: string
let open: () => void
let gate: Promise<void>

beforeAll(async () => {
  app = await testApp({ askPerHour: 1000 })
  const { db } = app.deps
  // On a server requests ask in somebody's name: without that, who was faster decided, the answer or the revocation.
  const gated = (inner: Db): Db => ({
    ...inner,
    rows: async (statement) => {
      if (statement.sql.includes('sparsevec')) await gate
      return inner.rows(statement)
    },
    as: (actor) => gated(inner.as(actor)),
  })
  server = await buildServer({ ...app.deps, db: gated(db) })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
  workspace = await app.workspace(await app.person())
  await publish(db, workspace, randomUUID(), ['The slipway crane lifts twelve tonnes.'])
})
beforeEach(async () => {
  gate = new Promise((resolve) => {
    open = resolve
  })
  person = await app.person()
  await app.member(workspace, person, 'viewer')
  grantId = randomUUID()
  token = await app.token(person, { grantId })
})
afterAll(async () => {
  await server?.close()
  await app?.close()
})

interface Event {
  event: string | undefined
  data: unknown
}

/** Asks, and gives the events as they arrive. */
async function* stream(signal?: AbortSignal): AsyncGenerator<Event> {
  const answer = await fetch(`${base}/v1/workspaces/${workspace}/ask`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'What does the slipway crane lift?', stream: true }),
    ...(signal ? { signal } : {}),
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const came: Event[] = []
  const parser = createParser({ onEvent: ({ event, data }) => came.push({ event, data: JSON.parse(data) }) })
  for await (const piece of Readable.fromWeb(answer.body as never)) {
    parser.feed(Buffer.from(piece).toString())
    yield* came.splice(0)
  }
}

async function rest(events: AsyncGenerator<Event>): Promise<Event[]> {
  const found: Event[] = []
  for await (const event of events) found.push(event)
  return found
}

/** Read with a token of its own, since the test's may be revoked. */
async function threads(): Promise<number> {
  await app.member(workspace, person, 'viewer')
  const answer = await app.send('GET', `/v1/workspaces/${workspace}/threads`, await app.token(person))
  return bodyOf<Page<Thread>>(answer).data.length
}

test('the first step is sent before the search; then steps in order and one answer', async () => {
  const events = stream()
  const first = (await events.next()).value as Event
  expect(first).toMatchObject({ event: 'step', data: { index: 0, type: 'think' } })
  open()
  const found = await rest(events)
  expect(found.map(({ event }) => event)).toEqual([...found.slice(1).map(() => 'step'), 'answer'])
  expect(found.slice(0, -1).map(({ data }) => (data as Step).index)).toEqual(
    found.slice(1).map((_, i) => i + 1),
  )
  expect(found.at(-1)?.data).toMatchObject({ citations: [{ number: 1 }] })
  expect(await threads()).toBe(1)
})

/** As a browser's page would listen, but for the method: an EventSource of the platform only sends GET. */
function eventSource(question: string, bearer = token): { source: EventSource; asked: () => number } {
  let asked = 0
  const source = new EventSource(`${base}/v1/workspaces/${workspace}/ask`, {
    fetch: (url, init) => {
      asked++
      return fetch(url, {
        ...init,
        method: 'POST',
        headers: { ...init.headers, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ question, stream: true }),
      })
    },
  })
  return { source, asked: () => asked }
}

test('a real EventSource receives steps in order as they happen, then one answer; it does not reconnect', async () => {
  const { source, asked } = eventSource('What does the slipway crane lift?')
  const steps: Step[] = []
  const heard = await new Promise<{ answer: Answer; whileSearching: number }>((resolve, reject) => {
    let whileSearching = 0
    source.addEventListener('step', ({ data }) => {
      steps.push(JSON.parse(data))
      // The search still waits: what was heard by now was not kept back until the end.
      if (steps.length > 1) return
      whileSearching = steps.length
      open()
    })
    source.addEventListener('answer', ({ data }) => resolve({ answer: JSON.parse(data), whileSearching }))
    source.addEventListener('error', ({ message }) => reject(new Error(message)))
  }).finally(() => source.close())
  expect(heard.whileSearching).toBe(1)
  expect(steps.map(({ index }) => index)).toEqual(steps.map((_, i) => i))
  expect(steps.map(({ elapsed_ms }) => elapsed_ms)).toEqual(
    steps.map(({ elapsed_ms }) => elapsed_ms).sort((a, b) => a - b),
  )
  expect([steps[0]?.type, steps.at(-1)?.type]).toEqual(['think', 'answer'])
  expect(heard.answer.citations.map(({ number }) => number)).toEqual([1])
  expect(asked()).toBe(1)
  expect(await threads()).toBe(1)
})

test('an error response is not a stream: a real EventSource gives up without retrying', async () => {
  const { source, asked } = eventSource('Who?', 'ken_at_nobody')
  const code = await new Promise((resolve) =>
    source.addEventListener('error', (event) => resolve(event.code)),
  )
  expect([code, source.readyState, asked()]).toEqual([401, EventSource.CLOSED, 1])
})

test.each([
  ['the token is revoked', 'unauthorized', () => revokeGrant(app.deps.db, grantId)],
  ['the role is lost', 'not_found', () => removeMember(app.deps.db, workspace, person.id)],
])('when %s, the stream ends with one error and nothing is stored', async (_what, type, happen) => {
  const events = stream()
  await events.next()
  await happen()
  open()
  const found = await rest(events)
  expect(found.filter(({ event }) => event === 'answer')).toEqual([])
  expect(found.at(-1)).toMatchObject({ event: 'error', data: { error: { type } } })
  expect(await threads()).toBe(0)
})

test('a token that expires during an answer does not stop it, but cannot be used again', async () => {
  const events = stream()
  await events.next()
  await expireTokens(app.deps.db, grantId)
  open()
  expect((await rest(events)).at(-1)?.event).toBe('answer')
  expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
  expect(await threads()).toBe(1)
})

const LEAVERS = 25
test(`F-14: clients that leave before or at the first event, ${LEAVERS} times: the work stops, nothing is stored, and none is an error of ours`, async () => {
  for (let no = 0; no < LEAVERS; no++) {
    const leaving = new AbortController()
    const asked = once(server.server, 'request') as Promise<[unknown, ServerResponse]>
    const events = stream(leaving.signal)
    const first = events.next()
    const [, response] = await asked
    const left = once(response, 'close')
    if (no % 2 === 0) await first
    leaving.abort()
    await expect(no % 2 === 0 ? events.next() : first).rejects.toThrow()
    await left
  }
  open()
  expect((await rest(stream())).at(-1)?.event).toBe('answer')
  expect(await threads()).toBe(1)
  expect(app.errors).toEqual([])
})
