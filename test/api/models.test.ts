// The language model that administrators set: it serves at once in every process, its key is never shown and goes to its own server
// only, and a trial says in plain words what works and what to do.

import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type {
  LocalServer,
  ModelFinding,
  ModelSettings,
  ModelTrial,
  ModelTry,
  ServerModels,
} from '../../src/contract/models.ts'
import { buildServer } from '../../src/http/server.ts'
import { openCurrentModel } from '../../src/models/current.ts'
import { listLocalServers } from '../../src/models/servers.ts'
import { setModel } from '../../src/models/settings.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { publicAnd } from '../../src/ports/outbound/guard.ts'
import { ollama, ollamaWithoutTools } from '../models/ollama.ts'
import { trialReply } from '../models/trial-model.ts'
import { vllm } from '../models/vllm.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import {
  type ChatRequest,
  type ChatServer,
  chatServer,
  type ScriptedReply,
  type ServerKind,
  STANDARD,
} from '../support/chat-server.ts'
import { makeAdmin } from '../support/rows.sql.ts'
import { furnish } from '../support/world.ts'

const KEY = 'sk-heron-0815'

let app: TestApp
let admin: Person
let cookie: string
let server: FastifyInstance
let chat: ChatServer | undefined
beforeAll(async () => {
  app = await testApp()
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  cookie = await app.cookie(admin)
  server = await openServer()
})
afterAll(() => app.close())
afterEach(async () => {
  await chat?.close()
  chat = undefined
  await app.deps.db.rows(sql`DELETE FROM model_setting`)
})

/** A process of the service. */
const openServer = (changes: Partial<Deps> = {}): Promise<FastifyInstance> =>
  buildServer({ ...app.deps, llm: openCurrentModel({ ...app.deps, ...changes }), ...changes })

async function open(kind: ServerKind): Promise<ChatServer> {
  chat = await chatServer(kind)
  chat.answer = modelOf
  return chat
}

/** A model that does what it is asked for, as far as it sees it. */
const modelOf = (request: ChatRequest): ScriptedReply =>
  trialReply(request) ?? { calls: [{ name: 'look_up', arguments: { word: 'harbour' } }] }

async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  { to = server, as = cookie }: { to?: FastifyInstance; as?: string } = {},
): Promise<{ status: number; body: T; text: string }> {
  const answer = await to.inject({
    method,
    url: `/account/models${path}`,
    headers: { cookie: as, origin: app.deps.settings.origin, 'sec-fetch-site': 'same-origin' },
    ...(body && { payload: body }),
  })
  return {
    status: answer.statusCode,
    body: answer.body ? answer.json<T>() : (undefined as T),
    text: answer.body,
  }
}

const set = (body: object, to = server) => call<ModelSettings>('PUT', '/language', body, { to })
const trial = async (body: ModelTry): Promise<ModelFinding[]> =>
  (await call<ModelTrial>('POST', '/language/try', body)).body.data
const outcomes = (findings: ModelFinding[]) => findings.map(({ check, outcome }) => `${check} ${outcome}`)

test('a model that is set answers the next question in every process, until it is cleared', async () => {
  const { url, requests } = await open(STANDARD)
  const other = await openServer()
  const { workspace_id: id } = await furnish(app, admin)
  const token = await app.token(admin)
  const ask = async (): Promise<string> => {
    const payload = { question: 'Who wrote the harbour rules?' }
    const headers = { authorization: `Bearer ${token}` }
    const answer = await other.inject({ method: 'POST', url: `/v1/workspaces/${id}/ask`, headers, payload })
    return answer.json<{ answer: string }>().answer
  }
  await ask()
  expect(requests).toHaveLength(0)
  const settings = await set({ url, model: 'm', key: KEY })
  expect(settings).toMatchObject({
    status: 200,
    body: { language: { source: 'settings', url, model: 'm', has_key: true, problem: null } },
  })
  await ask()
  expect(requests.length).toBeGreaterThan(0)
  expect((await call('DELETE', '/language')).status).toBe(204)
  const asked = requests.length
  await ask()
  expect(requests).toHaveLength(asked)
  expect((await call<ModelSettings>('GET', '')).body.language.source).toBe('none')
})

test('a trial says what it took, and what that costs where the model has a price', async () => {
  const { url } = await open({ ...STANDARD, usage: 'always' })
  const model = { url, model: 'm', key: KEY }
  const used = async () =>
    (await call<ModelTrial>('POST', '/language/try', { model, check: 'structure' })).body.used
  const unpriced = await used()
  expect(unpriced).toMatchObject({ cost: null, currency: null })
  const [read, written] = [unpriced?.prompt_tokens ?? 0, unpriced?.answer_tokens ?? 0]
  expect(read + written).toBeGreaterThan(0)
  await app.deps.db.rows(sql`INSERT INTO model_price (model, prompt, answer) VALUES ('m', 2, 8)`)
  expect(await used()).toEqual({
    prompt_tokens: read,
    answer_tokens: written,
    cost: expect.closeTo((2 * read + 8 * written) / 1_000_000, 9),
    currency: 'USD',
  })
  await app.deps.db.rows(sql`DELETE FROM model_price`)
})

test('the key is sealed and never shown, and goes on to its own server only', async () => {
  let sent: string | undefined
  const { url } = await open({
    ...STANDARD,
    refuse: (_request, { authorization }) => {
      sent = authorization
      return undefined
    },
  })
  await set({ url, model: 'm', key: KEY })
  const shown = await call('GET', '')
  expect(shown.text).not.toContain(KEY)
  const [row] = await app.deps.db.rows<{ key: Buffer }>(sql`SELECT key FROM model_setting`)
  expect(row?.key.toString('latin1')).not.toContain(KEY)
  // The model changes, and the key stays.
  await set({ url, model: 'n' })
  await trial({ check: 'structure' })
  expect(sent).toBe(`Bearer ${KEY}`)
  const elsewhere = { url: 'http://127.0.0.1:9/v1', model: 'm' }
  const refused = await set(elsewhere)
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { type: 'invalid_request' }, detail: [{ loc: ['body', 'key'] }] },
  })
  expect((await call('POST', '/language/list', { url: elsewhere.url })).status).toBe(422)
  expect((await call('POST', '/language/try', { model: elsewhere })).status).toBe(422)
  await set({ url, model: 'm', key: null })
  expect((await call<ModelSettings>('GET', '')).body.language.has_key).toBe(false)
})

/** A database in which `change` is made right after the first statement of a transaction, as another process could. */
function changedMeanwhile(db: Db, change: (tx: Queryable) => Promise<unknown>): Db {
  let isChanged = false
  const changing = (tx: Queryable): Queryable => ({
    rows: async (statement) => {
      const rows = await tx.rows<never>(statement)
      if (!isChanged) {
        isChanged = true
        await change(tx)
      }
      return rows
    },
  })
  return { ...db, rows: db.rows, tx: (work, options) => db.tx((tx) => work(changing(tx)), options) }
}

test('a key that is cleared while the model is changed is not stored again', async () => {
  const { url } = await open(STANDARD)
  await set({ url, model: 'm', key: KEY })
  const user = { ...admin, admin: true, language: null }
  const setWhile = (change: (tx: Queryable) => Promise<unknown>) =>
    setModel({ ...app.deps, db: changedMeanwhile(app.deps.db, change) }, user, 'language', {
      url,
      model: 'n',
    })
  await expect(setWhile((tx) => tx.rows(sql`DELETE FROM model_setting`))).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('cleared'),
  })
  const { language } = await setWhile((tx) => tx.rows(sql`UPDATE model_setting SET key = NULL`))
  expect(language).toMatchObject({ model: 'n', has_key: false })
})

test('a key of another installation is asked for again, and no model serves meanwhile', async () => {
  const { url } = await open(STANDARD)
  await set({ url, model: 'm', key: KEY })
  await app.deps.db.rows(sql`UPDATE model_setting SET key = '\\x0102', revision = gen_random_uuid()`)
  expect((await call<ModelSettings>('GET', '')).body.language.problem).toContain('Enter it again')
  expect(await openCurrentModel(app.deps)()).toBeUndefined()
})

test('only administrators who are signed in may see, set and try models', async () => {
  const as = await app.cookie(await app.person())
  const body = { url: 'http://127.0.0.1:9/v1', model: 'm' }
  const routes = [
    ['GET', ''],
    ['GET', '/local'],
    ['PUT', '/language', body],
    ['DELETE', '/language'],
    ['POST', '/language/list', { url: body.url }],
    ['POST', '/language/try', { model: body }],
  ] as const
  for (const [method, path, payload] of routes) {
    expect((await call(method, path, payload, { as })).status, path).toBe(403)
    expect((await call(method, path, payload, { as: '' })).status, path).toBe(401)
  }
})

test.each([
  [{ model: 'm' }, 'url'],
  [{ url: 'ftp://example.org', model: 'm' }, 'url'],
  [{ url: 'https://user:secret@example.org/v1', model: 'm' }, 'url'],
  [{ url: 'https://example.org/v1', model: ' ' }, 'model'],
  [{ url: 'https://example.org/v1', model: 'm', key: 'a b' }, 'key'],
  [{ url: 'https://example.org/v1', model: 'm', context_tokens: 10 }, 'context_tokens'],
])('%j is refused because of its %s', async (body, field) => {
  expect(await set(body)).toMatchObject({
    status: 422,
    body: { error: { type: 'invalid_request' }, detail: [{ loc: ['body', field] }] },
  })
})

test('a model of the environment wins, is shown as such, and cannot be changed here', async () => {
  const { url } = await open(STANDARD)
  await set({ url, model: 'm' })
  const language = {
    url: 'https://models.example.org/v1?key=1',
    model: 'env',
    contextTokens: undefined,
    hasKey: true,
  }
  const to = await openServer({
    settings: { ...app.deps.settings, models: { ...app.deps.settings.models, language } },
  })
  const shown = await call<ModelSettings>('GET', '', undefined, { to })
  expect(shown.body.language).toMatchObject({
    source: 'environment',
    url: 'https://models.example.org/v1',
    model: 'env',
    has_key: true,
  })
  expect((await set({ url, model: 'n' }, to)).status).toBe(422)
  expect((await call('DELETE', '/language', undefined, { to })).status).toBe(422)
})

test('the models of a server are listed by name', async () => {
  const { url } = await open(vllm)
  const { body } = await call<ServerModels>('POST', '/language/list', { url })
  expect(body).toEqual({ url, data: [{ id: 'm' }], problem: null })
})

test('an address inside of the network is not asked unless the operator allows it', async () => {
  const { url, requests } = await open(STANDARD)
  const to = await openServer({ mayConnect: publicAnd([]) })
  const { body } = await call<ServerModels>('POST', '/language/list', { url }, { to })
  expect(body.problem).toMatchObject({ field: 'url' })
  expect(body.problem?.message).toContain('KENNING_PRIVATE_NETWORKS')
  const tried = await call<ModelTrial>('POST', '/language/try', { model: { url, model: 'm' } }, { to })
  expect(outcomes(tried.body.data)).toEqual(['answer problem'])
  expect(requests).toHaveLength(0)
})

test('a server that answers on this machine is offered, whatever else is there is not', async () => {
  const [{ url }, user] = [await open(ollama), { ...admin, admin: true, language: null }]
  const other: LocalServer = { name: 'Another', url: url.replace('/v1', '/v2') }
  const offered = await listLocalServers(app.deps, user, [{ name: 'Ollama', url }, other])
  expect(offered.data).toEqual([{ name: 'Ollama', url }])
})

test('a model that has everything passes', async () => {
  const { url } = await open(STANDARD)
  const findings = await trial({ model: { url, model: 'm' } })
  expect(outcomes(findings)).toEqual(['answer ok', 'tools ok', 'context ok', 'speed ok', 'structure ok'])
  expect(outcomes(await trial({ model: { url, model: 'm' }, check: 'structure' }))).toEqual(['structure ok'])
})

test('a wrong key says that it is not accepted, and nothing else is tried', async () => {
  const { url } = await open({
    ...STANDARD,
    refuse: (_request, { authorization }) =>
      authorization === `Bearer ${KEY}`
        ? undefined
        : { status: 401, body: '{"error":{"message":"bad key"}}' },
  })
  const findings = await trial({ model: { url, model: 'm', key: 'wrong' } })
  expect(findings).toMatchObject([{ check: 'answer', outcome: 'problem', field: 'key' }])
  expect(findings[0]?.message).toContain('enter it again')
})

test('a wrong address says so: nothing listens, a path is missing', async () => {
  const { url } = await open(STANDARD)
  const [closed] = await trial({ model: { url: 'http://127.0.0.1:9/v1', model: 'm' } })
  expect(closed).toMatchObject({ check: 'answer', outcome: 'problem', field: 'url' })
  expect(closed?.message).toContain('running')
  const [wrongPath] = await trial({ model: { url: url.replace('/v1', '/api'), model: 'm' } })
  expect(wrongPath).toMatchObject({ check: 'answer', outcome: 'problem', field: 'url' })
  expect(wrongPath?.message).toContain('/v1')
})

test('a name that the server does not have is told from a wrong address', async () => {
  const { url } = await open({
    ...ollama,
    refuse: () => ({ status: 404, body: '{"error":{"message":"model \\"x\\" not found"}}' }),
  })
  const [finding] = await trial({ model: { url, model: 'x' } })
  expect(finding).toMatchObject({ check: 'answer', outcome: 'problem', field: 'model' })
  expect(finding?.message).toContain('“x”')
})

test('setting a model that the server neither lists nor answers with is refused, unless it is wanted so', async () => {
  const { url } = await open({
    ...ollama,
    refuse: ({ model }) =>
      model === 'nosuch' ? { status: 404, body: '{"error":{"message":"model not found"}}' } : undefined,
  })
  const refused = await set({ url, model: 'nosuch' })
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'model'], type: 'model_unusable' }] },
  })
  expect(refused.text).toContain('The server has no model “nosuch”. Choose one of its list (m).')
  expect((await set({ url, model: 'm:latest' })).status).toBe(200)
  // An alias is not in the list, and answers.
  expect((await set({ url, model: 'alias' })).status).toBe(200)
  expect((await set({ url, model: 'nosuch', unchecked: true })).status).toBe(200)
})

test('an address without scheme and /v1 is completed', async () => {
  const { url } = await open(ollama)
  const bare = new URL(url).host
  const { body } = await call<ServerModels>('POST', '/language/list', { url: bare })
  expect(body).toEqual({ url, data: [{ id: 'm' }], problem: null })
  expect((await set({ url: bare, model: 'm' })).body.language.url).toBe(url)
  const findings = await trial({ model: { url: bare, model: 'm' }, check: 'structure' })
  expect(outcomes(findings)).toEqual(['structure ok'])
})

test('an address of this machine without /v1 is one of the usual ones, whether it answers or not', async () => {
  const to = await openServer({ mayConnect: publicAnd([]) })
  const { body } = await call<ServerModels>('POST', '/language/list', { url: 'localhost:1234' }, { to })
  expect(body.url).toBe('http://localhost:1234/v1')
  expect(body.problem?.message ?? '').not.toContain('private')
})

test('a model without tools and with a short context says what to do', async () => {
  const { url } = await open(ollamaWithoutTools)
  const findings = await trial({ model: { url, model: 'm' } })
  expect(outcomes(findings)).toEqual(['answer ok', 'tools warning', 'context warning', 'structure ok'])
  const [, tools, context] = findings.map(({ message }) => message)
  expect(tools).toContain('Choose a model with tools')
  expect(context).toContain('OLLAMA_CONTEXT_LENGTH')
})

test('a server that drops the beginning without telling its context is found out', async () => {
  const { url } = await open({ ...ollama, pages: {} })
  const findings = await trial({ model: { url, model: 'm' }, check: 'context' })
  expect(outcomes(findings)).toEqual(['context warning', 'speed ok'])
})
