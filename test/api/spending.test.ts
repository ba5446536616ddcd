// What the language models take by person and model, what it costs, and the limits of a month, which are asked before a model is
// called.

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SessionUser } from '../../src/accounts/sessions.sql.ts'
import type { MonthlySpending, SpendingLimits } from '../../src/contract/spending.ts'
import { buildServer } from '../../src/http/server.ts'
import { openChatModel } from '../../src/ports/llm/llm.ts'
import { meteredModel, modelOfNobody } from '../../src/spending/metered-model.ts'
import { insertCall } from '../../src/spending/spending.sql.ts'
import { setModelPrice } from '../../src/spending/spending.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { type ChatServer, chatServer, type ScriptedReply, STANDARD } from '../support/chat-server.ts'
import { putDocument, settle } from '../support/put.sql.ts'
import { makeAdmin } from '../support/rows.sql.ts'

let app: TestApp
let admin: Person
let cookie: string
let workspace: string
let chat: ChatServer
let server: FastifyInstance
beforeAll(async () => {
  app = await testApp({ askPerHour: 1000 })
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  cookie = await app.cookie(admin)
  workspace = await app.workspace(admin)
  const rules = { kind: 'paragraph', text: 'Ilse Brandt wrote the harbour rules in 1911.', page: 1 } as const
  await putDocument(app.deps.db, workspace, randomUUID(), [rules], { title: 'Harbour rules' })
  await settle(app.deps.db, workspace)
  chat = await chatServer({ ...STANDARD, usage: 'always' })
  server = await open('extractive')
})
afterAll(async () => {
  await server.close()
  await chat.close()
  await app.close()
})
beforeEach(() => {
  chat.requests.length = 0
  chat.answer = () => ANSWER
})
afterEach(async () => {
  for (const table of [
    sql`model_spending`,
    sql`model_call`,
    sql`model_price`,
    sql`spending_limit`,
    sql`person_limit`,
  ])
    await app.deps.db.rows(sql`DELETE FROM ${table}`)
})

const ANSWER: ScriptedReply = { text: 'I do not know.', tokens: 9000 }
const NO_LIMITS: SpendingLimits = {
  currency: 'EUR',
  service_tokens: null,
  service_cost: null,
  person_tokens: null,
  person_cost: null,
}

const modelAt = (url: string) => openChatModel({ url, model: 'heron', key: 'k', firstDelayMs: 1 })

function open(llmFallback: 'extractive' | 'none'): Promise<FastifyInstance> {
  const model = modelAt(chat.url)
  return buildServer({
    ...app.deps,
    llm: async () => model,
    settings: { ...app.deps.settings, llmFallback },
  })
}

async function call<T>(
  method: 'GET' | 'PUT',
  path: string,
  body?: object,
  headers: Record<string, string> = { cookie },
): Promise<{ status: number; body: T }> {
  const answer = await server.inject({
    method,
    url: `/account/spending${path}`,
    headers: { origin: app.deps.settings.origin, 'sec-fetch-site': 'same-origin', ...headers },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json<T>() }
}

const spending = async (): Promise<MonthlySpending> => (await call<MonthlySpending>('GET', '')).body
const limit = async (limits: Partial<SpendingLimits>): Promise<void> => {
  expect((await call('PUT', '/limits', { ...NO_LIMITS, ...limits })).status).toBe(200)
}

async function ask(token: string, at = server) {
  const answer = await at.inject({
    method: 'POST',
    url: `/v1/workspaces/${workspace}/ask`,
    headers: { authorization: `Bearer ${token}` },
    payload: { question: 'Who wrote the harbour rules?' },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

const member = async (): Promise<Person> => {
  const person = await app.person()
  await app.member(workspace, person, 'viewer')
  return person
}

test('tokens are counted by person and model as the server reports them; a key counts for its person', async () => {
  const person = await member()
  const token = await app.token(person)
  expect((await ask(token)).status).toBe(200)
  const calls = chat.requests.length
  const headers = {
    cookie: await app.cookie(person),
    origin: app.deps.settings.origin,
    'sec-fetch-site': 'same-origin',
  }
  const key = await app.send('POST', '/account/keys', undefined, {
    body: { name: 'a program', workspace_ids: [workspace] },
    headers,
  })
  expect((await ask((key.body as { key: string }).key)).status).toBe(200)
  const { rows, total, month, months } = await spending()
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    person: { id: person.id, email: person.email },
    model: 'heron',
    questions: 2,
    estimated_tokens: 0,
    cost: 0,
  })
  expect(chat.requests.length).toBe(2 * calls)
  expect(total.answer_tokens).toBeGreaterThan(0)
  expect(total.prompt_tokens).toBeGreaterThan(0)
  expect(total.prompt_tokens + total.answer_tokens).toBe(2 * calls * 9000)
  expect(total.unpriced_tokens).toBe(total.prompt_tokens + total.answer_tokens)
  expect(months).toEqual([month])
  expect((await call<MonthlySpending>('GET', '?month=2020-01')).body).toMatchObject({
    rows: [],
    month: '2020-01',
    // A list without it would have the page name another month.
    months: [month, '2020-01'],
  })
})

test('what the server does not report is estimated, and marked as an estimate', async () => {
  const silent = await chatServer()
  silent.answer = () => ({ text: 'One two three four five.' })
  const llm = meteredModel(app.deps, modelAt(silent.url), admin.id)
  const conversation = {
    messages: [{ role: 'user' as const, content: 'How many?' }],
    tools: [],
    mayCall: true,
    maxTokens: 50,
  }
  await llm.converse(conversation, new AbortController().signal)
  await llm.converse(conversation, new AbortController().signal)
  await silent.close()
  const { total } = await spending()
  expect(total.questions).toBe(1)
  expect(total.prompt_tokens).toBeGreaterThan(0)
  expect(total.answer_tokens).toBeGreaterThan(0)
  expect(total.estimated_tokens).toBe(total.prompt_tokens + total.answer_tokens)
})

test('a call that fails costs nothing; one that is stopped is counted, and both end their booking', async () => {
  await limit({ service_tokens: 1_000_000 })
  const llm = meteredModel(app.deps, modelAt(chat.url), admin.id)
  const conversation = {
    messages: [{ role: 'user' as const, content: 'How many?' }],
    tools: [],
    mayCall: true,
    maxTokens: 50,
  }
  chat.answer = () => ({ status: 401, body: '{}' })
  await expect(llm.converse(conversation, new AbortController().signal)).rejects.toThrow('401')
  expect((await spending()).total).toMatchObject({ questions: 0, prompt_tokens: 0 })
  chat.answer = () => ({ text: 'One two three four five six seven eight', ends: 'stuck' })
  const stop = new AbortController()
  const stopped = llm.converse(conversation, stop.signal, () => stop.abort(new Error('the reader went')))
  await expect(stopped).rejects.toThrow('the reader went')
  const { total } = await spending()
  expect(total.questions).toBe(1)
  expect(total.estimated_tokens).toBe(total.prompt_tokens + total.answer_tokens)
  expect(total.answer_tokens).toBeGreaterThan(0)
  expect(await app.deps.db.rows(sql`SELECT 1 FROM model_call`)).toEqual([])
})

const HOW_MANY = {
  messages: [{ role: 'user' as const, content: 'How many?' }],
  tools: [],
  mayCall: true,
  maxTokens: 50,
}

test('a call that is stopped while the model thinks is counted as it was booked', async () => {
  const llm = meteredModel(app.deps, modelAt(chat.url), admin.id)
  chat.answer = () => ({ text: '<think>One two three four five six seven eight', ends: 'stuck' })
  const stop = new AbortController()
  const stopped = llm.converse(HOW_MANY, stop.signal, () => stop.abort(new Error('the reader went')))
  await expect(stopped).rejects.toThrow('the reader went')
  const { total } = await spending()
  expect(total).toMatchObject({ questions: 1, answer_tokens: 50 })
  expect(total.prompt_tokens).toBeGreaterThan(0)
  expect(total.estimated_tokens).toBe(total.prompt_tokens + total.answer_tokens)
})

test('a call that breaks off after its answer began is counted, each attempt of it', async () => {
  await limit({ service_tokens: 1_000_000 })
  const llm = meteredModel(app.deps, modelAt(chat.url), admin.id)
  let arrived: () => void = () => {}
  const cut = (): ScriptedReply => {
    const after = new Promise<void>((resolve) => {
      arrived = resolve
    })
    return { text: '<think>One two three four five six', further: { text: '', after }, ends: 'cut' }
  }
  chat.answer = cut
  const { signal } = new AbortController()
  await expect(llm.converse(HOW_MANY, signal, () => arrived())).rejects.toThrow()
  expect(chat.requests.length).toBeGreaterThan(1)
  expect((await spending()).total).toMatchObject({ questions: 1, answer_tokens: 50 * chat.requests.length })
  // The attempt before the one that succeeds took tokens too.
  let attempt = 0
  chat.answer = () => (++attempt === 1 ? cut() : ANSWER)
  const before = (await spending()).total
  await llm.converse(HOW_MANY, signal, () => arrived())
  const { total } = await spending()
  const amountOf = (spent: typeof total): number => spent.prompt_tokens + spent.answer_tokens
  expect(amountOf(total) - amountOf(before)).toBeGreaterThan(9000 + 50)
  expect(await app.deps.db.rows(sql`SELECT 1 FROM model_call`)).toEqual([])
})

test('an answer of the server that it refuses the prompt is not counted', async () => {
  const llm = meteredModel(app.deps, modelAt(chat.url), admin.id)
  chat.answer = () => ({ body: JSON.stringify({ error: { message: 'context_length_exceeded' } }) })
  await expect(llm.converse(HOW_MANY, new AbortController().signal)).rejects.toThrow('context')
  expect((await spending()).rows).toEqual([])
})

test('a call whose counting fails is not counted twice', async () => {
  const { db } = app.deps
  let hasFailed = false
  const rows: typeof db.rows = async (statement) => {
    const result = await db.rows(statement)
    if (statement.sql.includes('INSERT INTO model_spending') && !hasFailed) {
      hasFailed = true
      throw new Error('the acknowledgement was lost')
    }
    return result as never
  }
  const llm = meteredModel({ db: { ...db, rows } as typeof db }, modelAt(chat.url), admin.id)
  await expect(llm.converse(HOW_MANY, new AbortController().signal)).rejects.toThrow('acknowledgement')
  const { total } = await spending()
  expect(total.prompt_tokens + total.answer_tokens).toBe(9000)
})

test('a sum that the server does not divide is divided as the estimates are, and marked', async () => {
  const summing = await chatServer()
  summing.answer = () => ({ text: 'word '.repeat(20), tokens: 1000 })
  const llm = meteredModel(app.deps, modelAt(summing.url), admin.id)
  const messages = [{ role: 'user' as const, content: 'word '.repeat(5000) }]
  await llm.converse({ ...HOW_MANY, messages }, new AbortController().signal)
  await summing.close()
  const { total } = await spending()
  expect(total.prompt_tokens + total.answer_tokens).toBe(1000)
  expect(total.answer_tokens).toBeGreaterThan(0)
  expect(total.answer_tokens).toBeLessThan(100)
  expect(total.estimated_tokens).toBe(1000)
})

test('a price gives the cost of what is asked from then on', async () => {
  const token = await app.token(await member())
  await ask(token)
  const before = (await spending()).total
  expect((await call('PUT', '/price', { model: 'heron', price: { prompt: 2, answer: 8 } })).status).toBe(200)
  await ask(token)
  const { total, prices } = await spending()
  expect(prices).toEqual([{ model: 'heron', prompt: 2, answer: 8 }])
  expect(total.unpriced_tokens).toBe(before.unpriced_tokens)
  const [prompt, answer] = [
    total.prompt_tokens - before.prompt_tokens,
    total.answer_tokens - before.answer_tokens,
  ]
  expect(total.cost).toBeCloseTo((2 * prompt + 8 * answer) / 1_000_000, 9)
  expect((await call<MonthlySpending>('PUT', '/price', { model: 'heron', price: null })).body.prices).toEqual(
    [],
  )
})

test('at the limit of a person Kenning quotes and says why; others go on', async () => {
  const [one, other] = [await app.token(await member()), await app.token(await member())]
  await limit({ person_tokens: 1 })
  await ask(one)
  const sent = chat.requests.length
  expect(sent).toBeGreaterThan(0)
  const { status, body } = await ask(one)
  expect(status).toBe(200)
  expect(body.answer).toMatch(
    /^Your monthly limit for the language model is reached, so I only quote the documents\./,
  )
  expect(body.citations.length).toBeGreaterThan(0)
  expect(chat.requests).toHaveLength(sent)
  await ask(other)
  expect(chat.requests.length).toBeGreaterThan(sent)
  await limit({ person_tokens: null })
  expect((await ask(one)).body.answer).not.toContain('monthly limit')
})

test('a limit of one person holds in place of the one for each person, as more, as less and as none', async () => {
  const person = await member()
  const token = await app.token(person)
  const isQuoted = async (): Promise<boolean> => (await ask(token)).body.answer.includes('monthly limit')
  const setOwn = (own: object | null, email = person.email) =>
    call<MonthlySpending>('PUT', '/limits/person', { email, limit: own })
  await limit({ person_tokens: 1 })
  await ask(token)
  expect(await isQuoted()).toBe(true)
  const { body } = await setOwn({ tokens: 1_000_000, cost: null }, person.email.toUpperCase())
  expect(body.person_limits).toEqual([
    { person: { id: person.id, email: person.email }, tokens: 1_000_000, cost: null },
  ])
  expect(await isQuoted()).toBe(false)
  await setOwn({ tokens: 2, cost: null })
  expect(await isQuoted()).toBe(true)
  await setOwn({ tokens: null, cost: null })
  expect(await isQuoted()).toBe(false)
  expect((await setOwn(null)).body.person_limits).toEqual([])
  expect(await isQuoted()).toBe(true)
})

test('a limit of one person alone holds too, and needs an account and an administrator', async () => {
  const person = await member()
  const token = await app.token(person)
  const body = { email: person.email, limit: { tokens: 1, cost: null } }
  expect((await call('PUT', '/limits/person', body)).status).toBe(200)
  await ask(token)
  expect((await ask(token)).body.answer).toContain('Your monthly limit')
  const sent = chat.requests.length
  await ask(await app.token(await member()))
  expect(chat.requests.length).toBeGreaterThan(sent)
  expect((await call('PUT', '/limits/person', { ...body, email: 'nobody@example.org' })).status).toBe(422)
  const own = { cookie: await app.cookie(person) }
  expect((await call('PUT', '/limits/person', { ...body, limit: null }, own)).status).toBe(403)
})

test('at the limit of the service, of money too, nobody is answered by the model, and the graph is not read by it', async () => {
  await call('PUT', '/price', { model: 'heron', price: { prompt: 5, answer: 5 } })
  await limit({ service_cost: 0.000001 })
  await ask(await app.token(await member()))
  const sent = chat.requests.length
  const { body } = await ask(await app.token(await member()))
  expect(body.answer).toMatch(/^The language model’s monthly limit for this service is reached/)
  const graph = modelOfNobody(app.deps, modelAt(chat.url))
  const request = { system: 's', user: 'u', schema: { name: 'x', schema: {} }, maxTokens: 10 }
  await expect(graph.complete(request)).rejects.toMatchObject({ name: 'LimitReached', scope: 'service' })
  await expect(graph.context.window(new AbortController().signal)).rejects.toMatchObject({ scope: 'service' })
  expect(chat.requests).toHaveLength(sent)
  expect(chat.others.length).toBeGreaterThan(0)
})

test('a limit of one person does not decide the currency of the costs', async () => {
  const person = await member()
  const setOwn = (own: object | null) =>
    call<MonthlySpending>('PUT', '/limits/person', { email: person.email, limit: own })
  await setOwn(null)
  expect(await app.deps.db.rows(sql`SELECT 1 FROM spending_limit`)).toEqual([])
  await setOwn({ tokens: 1_000_000, cost: null })
  expect((await call('PUT', '/price', { model: 'heron', price: { prompt: 2, answer: 8 } })).status).toBe(200)
  await ask(await app.token(person))
  expect((await spending()).total.cost).toBeGreaterThan(0)
  await limit({ currency: 'EUR', service_cost: 100 })
})

test('the graph counts for nobody: no limit of a person holds for it', async () => {
  await limit({ person_tokens: 0 })
  chat.answer = () => ({ content: {}, tokens: 100 })
  const graph = modelOfNobody(app.deps, modelAt(chat.url))
  await graph.complete({ system: 's', user: 'u', schema: { name: 'x', schema: {} }, maxTokens: 10 })
  const { rows } = await spending()
  expect(rows).toMatchObject([{ person: null, questions: 0 }])
})

test('where quotations are not allowed, the error says why and when', async () => {
  const strict = await open('none')
  await limit({ service_tokens: 0 })
  const { status, headers, body } = await ask(await app.token(await member()), strict)
  await strict.close()
  expect(status).toBe(429)
  expect(body.error).toMatchObject({
    type: 'rate_limited',
    message: expect.stringContaining('The monthly limit of this service for the language model is reached.'),
  })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(31 * 86_400)
})

test('questions at the same moment pass a limit by one call at most', async () => {
  const LIMIT = 30_000
  const TOKENS = 4000
  const QUESTIONS = 12
  await limit({ service_tokens: LIMIT })
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // Every call that is let through stays under way until all others were refused.
  chat.answer = () => ({ text: 'I do not', further: { text: ' know.', after: held }, tokens: TOKENS })
  const tokens = await Promise.all(Array.from({ length: QUESTIONS }, async () => app.token(await member())))
  let ended = 0
  const answers = tokens.map((token) =>
    ask(token).finally(() => {
      ended++
    }),
  )
  while (ended + chat.requests.length < QUESTIONS) await new Promise((resolve) => setTimeout(resolve, 20))
  const accepted = chat.requests.length
  release?.()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect(accepted).toBeGreaterThan(0)
  expect(accepted).toBeLessThan(QUESTIONS)
  const { total } = await spending()
  expect(total.prompt_tokens + total.answer_tokens).toBeGreaterThan(0)
  // Each call is booked with the longest answer, 4,000 tokens, and its prompt: all but the last were below the limit together.
  expect((accepted - 1) * TOKENS).toBeLessThan(LIMIT)
  expect(await app.deps.db.rows(sql`SELECT 1 FROM model_call`)).toEqual([])
})

test('a booking counts until its process must have died', async () => {
  await limit({ service_tokens: 100 })
  const booking = { accountId: admin.id, model: 'heron', prompt: 50, answer: 50 }
  await insertCall(app.deps.db, '3f2504e0-4f89-41d3-9a0c-0305e82c3301', booking, 900)
  const token = await app.token(await member())
  await ask(token)
  expect(chat.requests).toHaveLength(0)
  await app.deps.db.rows(sql`UPDATE model_call SET expires_at = now() - interval '1 second'`)
  await ask(token)
  expect(chat.requests.length).toBeGreaterThan(0)
})

test('whoever is no administrator any more removes no price', async () => {
  const former = { id: (await member()).id, admin: true } as unknown as SessionUser
  await call('PUT', '/price', { model: 'heron', price: { prompt: 2, answer: 8 } })
  await expect(setModelPrice(app.deps, former, { model: 'heron', price: null })).rejects.toMatchObject({
    status: 403,
  })
  expect((await spending()).prices).toHaveLength(1)
})

test('the currency does not change while the month has costs in it', async () => {
  await limit({ currency: 'USD', service_cost: 100 })
  await limit({ currency: 'EUR', service_cost: 100 })
  await call('PUT', '/price', { model: 'heron', price: { prompt: 2, answer: 8 } })
  await ask(await app.token(await member()))
  expect((await call('PUT', '/limits', { ...NO_LIMITS, currency: 'USD' })).status).toBe(422)
  await limit({ currency: 'EUR', service_cost: 50 })
})

test('administrators alone: no member, no viewer, no token or key, nobody of another site', async () => {
  const viewer = await app.cookie(await member())
  const owner = await app.person()
  await app.workspace(owner)
  const headers = [
    [{ cookie: viewer }, 403],
    [{ cookie: await app.cookie(owner) }, 403],
    [{ authorization: `Bearer ${await app.token(admin)}` }, 401],
    [{ authorization: `Bearer ${await app.token(admin, { scopes: [] })}` }, 401],
    [{ cookie, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }, 403],
  ] as const
  const price = { model: 'heron', price: { prompt: 1, answer: 1 } }
  for (const [sent, status] of headers) {
    const isElsewhere = 'origin' in sent
    if (!isElsewhere) expect((await call('GET', '', undefined, { ...sent })).status).toBe(status)
    expect((await call('PUT', '/limits', NO_LIMITS, { ...sent })).status).toBe(status)
    expect((await call('PUT', '/price', price, { ...sent })).status).toBe(status)
  }
  expect(await spending()).toMatchObject({ prices: [], limits: { ...NO_LIMITS, currency: 'USD' } })
})

test.each([
  ['/limits', { ...NO_LIMITS, currency: 'euro' }],
  ['/limits', { ...NO_LIMITS, service_tokens: -1 }],
  ['/limits', { currency: 'EUR' }],
  ['/price', { model: '', price: null }],
  ['/price', { model: 'm', price: { prompt: -1, answer: 0 } }],
])('%s refuses %j', async (path, body) => {
  expect((await call('PUT', path, body)).status).toBe(422)
})
