// The servers of embeddings, reranking and text recognition, and the budget of the graph, as administrators set them: they serve at
// once in every process, the environment wins, and a trial says in plain words what works and what to do.

import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ModelFinding, ModelSettings, ModelTrial, ServerModels } from '../../src/contract/models.ts'
import { semanticQuery } from '../../src/embed/embed.ts'
import { embedRound } from '../../src/embed/round.ts'
import { buildServer } from '../../src/http/server.ts'
import { openParsers } from '../../src/ingest/parsers.ts'
import { analysedText } from '../../src/language/analysed-text.ts'
import {
  openCurrentEmbedder,
  openCurrentOcr,
  openCurrentReranker,
  openGraphTokens,
} from '../../src/models/current.ts'
import { tryReranker } from '../../src/models/server-trials.ts'
import type { Deps } from '../../src/ports/deps.ts'
import { sentenceModel } from '../../src/ports/embedder/sentence/sentence.ts'
import { openPool } from '../../src/reader/reader.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { type EmbeddingsServer, embeddingsServer } from '../support/embeddings-server.ts'
import { type RecognisingServer, recognisingServer } from '../support/ocr-server.ts'
import { publish } from '../support/publish.ts'
import { type RerankingServer, rerankingServer } from '../support/rerank-server.ts'
import { makeAdmin } from '../support/rows.sql.ts'

const KEY = 'sk-harbour-0815'

let app: TestApp
let admin: Person
let cookie: string
let server: FastifyInstance
let embeddings: EmbeddingsServer
let reranker: RerankingServer
let ocr: RecognisingServer
beforeAll(async () => {
  app = await testApp()
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  cookie = await app.cookie(admin)
  embeddings = await embeddingsServer(24)
  reranker = await rerankingServer()
  ocr = await recognisingServer()
  server = await openServer()
})
afterAll(async () => {
  await app.close()
  await embeddings.close()
  await reranker.close()
  await ocr.close()
})
beforeEach(() => {
  Object.assign(embeddings, { models: ['bge-m3', 'nomic-embed-text:latest'], key: undefined })
  embeddings.requests.length = 0
})
afterEach(async () => {
  await app.deps.db.rows(sql`DELETE FROM model_setting`)
  await app.deps.db.rows(sql`DELETE FROM graph_setting`)
})

/** The models of a process, as app.ts opens them. */
function processDeps(): Deps {
  const model = sentenceModel()
  const find = (id: string) => (id === model.id ? model : undefined)
  const localEmbedder = { kind: 'builtin' as const, model, find }
  const settings = { choice: 'auto' as const, server: undefined, onnxModel: undefined, dataDir: '' }
  return {
    ...app.deps,
    localEmbedder,
    embedder: openCurrentEmbedder(app.deps, { embedder: localEmbedder, settings }),
    reranker: openCurrentReranker(app.deps),
    graphTokens: openGraphTokens(app.deps),
  }
}

const openServer = (changes: Partial<Deps> = {}): Promise<FastifyInstance> =>
  buildServer({ ...processDeps(), ...changes })

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
  const text = answer.body
  return { status: answer.statusCode, body: text ? answer.json<T>() : (undefined as T), text }
}

const settings = async (): Promise<ModelSettings> => (await call<ModelSettings>('GET', '')).body
const trial = async (part: string, model?: object | null): Promise<ModelTrial> =>
  (await call<ModelTrial>('POST', `/${part}/try`, model === undefined ? {} : { model })).body
const outcomes = (findings: ModelFinding[]) => findings.map(({ check, outcome }) => `${check} ${outcome}`)

test('an embeddings server serves in every process, all passages get its vectors, and the way back is open', async () => {
  const id = await app.workspace(admin)
  await publish(app.deps.db, id, randomUUID(), ['The quay is closed at night.'], 'Harbour')
  const worker = processDeps()
  const round = () =>
    embedRound(worker, id, { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY })
  await round()
  const servingModels = () =>
    app.deps.db.rows<{ embedder: string }>(sql`
      SELECT s.embedder FROM workspace_space w JOIN vector_space s ON s.id = w.space_id
      WHERE w.workspace_id = ${id} AND w.state = 'serving'`)
  expect(await servingModels()).toEqual([{ embedder: 'sentence-1' }])

  const { status, body } = await call<ModelSettings>('PUT', '/embeddings', {
    url: embeddings.url,
    model: 'bge-m3',
    key: KEY,
  })
  expect(status).toBe(200)
  expect(body.embeddings).toMatchObject({
    source: 'settings',
    model: 'bge-m3',
    has_key: true,
    dimensions: 24,
    local: 'sentence-1',
    chunks: 1,
    embedded: 0,
  })
  expect(JSON.stringify(body)).not.toContain(KEY)
  const queued = await app.deps.db.rows(sql`SELECT 1 FROM task WHERE workspace_id = ${id} AND kind = 'embed'`)
  expect(queued).toHaveLength(1)
  await round()
  expect(await servingModels()).toEqual([{ embedder: 'openai:bge-m3' }])
  expect(embeddings.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  expect((await settings()).embeddings).toMatchObject({ chunks: 1, embedded: 1 })

  expect((await call('DELETE', '/embeddings')).status).toBe(204)
  await round()
  expect(await servingModels()).toEqual([{ embedder: 'sentence-1' }])
})

test('another embeddings server is never asked for the model of the one before, and its vectors come all the same', async () => {
  const other = await embeddingsServer(24)
  const id = await app.workspace(admin)
  const process = processDeps()
  const round = () =>
    embedRound(process, id, { signal: new AbortController().signal, until: Number.POSITIVE_INFINITY })
  await publish(app.deps.db, id, randomUUID(), ['The quay is closed at night.'])
  await call('PUT', '/embeddings', { url: embeddings.url, model: 'bge-m3' })
  await round()
  // One document has no vectors yet when the server is changed.
  await publish(app.deps.db, id, randomUUID(), ['A crane stands at the mole.'])
  const tried = await trial('embeddings', { url: other.url, model: 'e5' })
  expect(tried.data.at(-1)?.message).toContain('Searches go by words meanwhile')
  const left = await trial('embeddings', null)
  expect(left.data.at(-1)?.message).toContain('Searches go by words meanwhile')
  await call('PUT', '/embeddings', { url: other.url, model: 'e5' })
  const query = { text: analysedText('harbour'), languages: ['en'] as const }
  expect(await semanticQuery(process, id, query)).toBeUndefined()
  await round()
  expect(await semanticQuery(process, id, query)).toBeDefined()
  expect(new Set(other.requests.map(({ model }) => model))).toEqual(new Set(['e5']))
  expect(await unembedded(id)).toBe(0)
  expect((await settings()).embeddings.embedded).toBe(2)
  // Only what lacks vectors of this model is refilled, so a new key or address asks for nothing.
  const { chunks } = (await settings()).embeddings
  expect((await trial('embeddings')).refill?.chunks).toBe(chunks - 2)
  await other.close()
})

/** The passages of a workspace whose serving space lacks their document. */
async function unembedded(workspaceId: string): Promise<number> {
  const rows = await app.deps.db.rows(sql`
    SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND NOT EXISTS (
      SELECT 1 FROM version_space f JOIN workspace_space w ON w.workspace_id = f.workspace_id AND w.space_id = f.space_id
      WHERE f.workspace_id = d.workspace_id AND f.version_id = d.version_id AND f.state = 'filled' AND w.state = 'serving')`)
  return rows.length
}

test('a trial of embeddings says what is left to do by this model, and that searches keep their vectors', async () => {
  const id = await app.workspace(admin)
  await publish(app.deps.db, id, randomUUID(), ['The lock is open at noon.'])
  const { chunks, embedded } = (await settings()).embeddings
  const { data, refill } = await trial('embeddings', {
    url: embeddings.url,
    model: 'nomic-embed-text:latest',
  })
  expect(refill?.chunks).toBe(chunks)
  expect(data.at(-1)?.message).toContain('with its present vectors')
  expect((await trial('embeddings', null)).refill?.chunks).toBe(chunks - embedded)
})

test('where nothing makes embeddings, no passage waits for any', async () => {
  const none = { kind: 'none' as const }
  const to = await openServer({ embedder: async () => none, localEmbedder: none })
  const { chunks, embedded } = (await call<ModelSettings>('GET', '', undefined, { to })).body.embeddings
  expect(chunks).toBeGreaterThan(0)
  expect(embedded).toBe(chunks)
})

test('a trial ends when the browser leaves', async () => {
  reranker.next = ['silence']
  const left = new AbortController()
  const model = { url: reranker.url, model: 'm' }
  const user = { id: admin.id, email: admin.email, admin: true, language: null }
  const trying = tryReranker(processDeps(), user, model, left.signal)
  left.abort(new Error('the browser left'))
  await expect(trying).rejects.toThrow('the browser left')
  reranker.next = []
})

test('a trial of embeddings measures dimensions and says how long refilling takes, before it begins', async () => {
  const { data, refill } = await trial('embeddings', { url: embeddings.url, model: 'bge-m3' })
  expect(outcomes(data)).toEqual(['answer ok', 'meaning ok', 'speed ok', 'refill ok'])
  expect(data[0]?.message).toContain('24 numbers')
  const { chunks } = (await settings()).embeddings
  expect(refill?.chunks).toBeLessThanOrEqual(chunks)
  expect(data[3]?.message).toMatch(
    refill?.chunks === 0 ? /nothing/ : /^\d+ passages? needs? new vectors, which takes less than a minute/,
  )
  expect((await settings()).embeddings.source).toBe('none')
  // Of the model on the machine itself, for the way back.
  expect(outcomes((await trial('embeddings', null)).data).slice(0, 1)).toEqual(['answer ok'])
})

test.each([
  ['a wrong key', () => ({ url: embeddings.url, model: 'bge-m3', key: 'wrong' }), 'key', 'enter it again'],
  ['a wrong name', () => ({ url: embeddings.url, model: 'nosuch', key: KEY }), 'model', 'bge-m3'],
  ['a wrong path', () => ({ url: `${embeddings.url}/api`, model: 'bge-m3', key: KEY }), 'url', '/v1'],
  ['nothing there', () => ({ url: 'http://127.0.0.1:9/v1', model: 'bge-m3' }), 'url', 'running'],
])('embeddings with %s: the trial and setting it say what to do', async (_case, body, field, advice) => {
  embeddings.key = KEY
  const { data } = await trial('embeddings', body())
  expect(data).toMatchObject([{ check: 'answer', outcome: 'problem', field }])
  expect(data[0]?.message).toContain(advice)
  const refused = await call('PUT', '/embeddings', body())
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', field], type: 'model_unusable' }] },
  })
  expect((await settings()).embeddings.source).toBe('none')
  expect((await call('PUT', '/embeddings', { ...body(), unchecked: true })).status).toBe(200)
  expect((await settings()).embeddings.source).toBe('settings')
})

test('an address without scheme and /v1 is completed, one that nobody can guess is explained', async () => {
  const bare = embeddings.url.replace(/^http:\/\/(.*)\/v1$/, '$1')
  const { body } = await call<ServerModels>('POST', '/embeddings/list', { url: bare })
  expect(body).toMatchObject({ url: embeddings.url, data: [{ id: 'bge-m3' }, {}], problem: null })
  const saved = await call<ModelSettings>('PUT', '/embeddings', {
    url: bare,
    model: 'nomic-embed-text:latest',
  })
  expect(saved.body.embeddings.url).toBe(embeddings.url)
  const refused = await call<{ error: { message: string } }>('POST', '/embeddings/list', { url: 'my server' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('https://models.example.org/v1')
})

test('a reranker serves at once and is tried; without a model in the form of Text Embeddings Inference', async () => {
  const other = processDeps()
  expect(await other.reranker()).toBeUndefined()
  expect((await call('PUT', '/reranker', { url: reranker.url, model: 'm', key: KEY })).status).toBe(200)
  expect(await (await other.reranker())?.score('q', ['a', 'best'])).toEqual([0, 1])
  expect(reranker.requests.at(-1)).toMatchObject({ body: { model: 'm' }, authorization: `Bearer ${KEY}` })
  await call('PUT', '/reranker', { url: reranker.url, model: null })
  expect((await settings()).reranker).toMatchObject({ source: 'settings', model: null, has_key: true })
  await (await other.reranker())?.score('q', ['a', 'best'])
  expect(reranker.requests.at(-1)?.body.texts).toEqual(['a', 'best'])
  // This server counts a word, which no passage of the trial has.
  expect(outcomes((await trial('reranker')).data)).toEqual(['answer ok', 'order warning', 'speed ok'])
  expect((await call('DELETE', '/reranker')).status).toBe(204)
  expect(await other.reranker()).toBeUndefined()
})

test.each([
  [401, 'key', 'enter it again'],
  [404, 'url', '/rerank'],
  [422, 'url', 'Text Embeddings Inference takes none'],
  [503, null, 'log'],
])('a reranker that answers %s: the trial says what to do', async (status, field, advice) => {
  reranker.next = [{ status }]
  const { data } = await trial('reranker', { url: reranker.url, model: 'm' })
  reranker.next = []
  expect(data).toMatchObject([{ check: 'answer', outcome: 'problem', field }])
  expect(data[0]?.message).toContain(advice)
})

test('an OCR server reads words, and parsers are opened for it at the next file', async () => {
  const { data } = await trial('ocr', { url: ocr.url, key: KEY })
  expect(outcomes(data)).toEqual(['answer ok', 'text ok', 'speed ok'])
  expect(ocr.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  const pool = () => openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  const addresses: (string | undefined)[] = []
  const parsers = openParsers(openCurrentOcr(app.deps), (setting) => {
    addresses.push(setting?.url)
    return { parser: pool(), fairnessParser: pool() }
  })
  const before = await parsers.current()
  expect((await call('PUT', '/ocr', { url: ocr.url })).status).toBe(200)
  const after = await parsers.current()
  expect(after).not.toBe(before)
  expect(await parsers.current()).toBe(after)
  await call('DELETE', '/ocr')
  expect(await parsers.current()).toBe(before)
  expect(addresses).toEqual([undefined, ocr.url])
  await parsers.close()
})

test('an OCR server of another form, or with a wrong key, is told what to do', async () => {
  ocr.next = [{ body: { pages: [] } }]
  const [form] = (await trial('ocr', { url: ocr.url })).data
  expect(form).toMatchObject({ check: 'answer', outcome: 'problem' })
  expect(form?.message).toContain('docs/text-recognition.md')
  ocr.next = [{ status: 401 }]
  expect((await trial('ocr', { url: ocr.url })).data).toMatchObject([{ outcome: 'problem', field: 'key' }])
})

test('a budget of the graph holds in every process from the next document on', async () => {
  const other = processDeps()
  expect(await other.graphTokens()).toBe(0)
  expect((await call('PUT', '/graph', { tokens: -1 })).status).toBe(422)
  expect(await call('PUT', '/graph', { tokens: 2_000_000 })).toMatchObject({
    status: 200,
    body: { source: 'settings', tokens: 2_000_000 },
  })
  expect(await other.graphTokens()).toBe(2_000_000)
  expect((await call('DELETE', '/graph')).status).toBe(204)
  expect(await other.graphTokens()).toBe(0)
})

test('what the environment sets wins, is shown as such, and cannot be changed here', async () => {
  const configured = { url: 'https://models.example.org/v1?key=1', model: 'env', hasKey: true }
  const models = {
    language: undefined,
    embeddings: configured,
    reranker: configured,
    ocr: configured,
    graphTokens: 5,
  }
  const to = await openServer({ settings: { ...app.deps.settings, models } })
  const { body, text } = await call<ModelSettings>('GET', '', undefined, { to })
  for (const part of ['embeddings', 'reranker', 'ocr'] as const) {
    expect(body[part]).toMatchObject({ source: 'environment', url: 'https://models.example.org/v1' })
    const set = await call('PUT', `/${part}`, { url: embeddings.url, model: 'bge-m3' }, { to })
    expect(set.status, part).toBe(422)
    expect(set.text).toContain('KENNING_')
    expect((await call('DELETE', `/${part}`, undefined, { to })).status, part).toBe(422)
  }
  expect(text).not.toContain('key=1')
  expect(body.graph).toMatchObject({ source: 'environment', tokens: 5 })
  expect((await call('PUT', '/graph', { tokens: 1 }, { to })).status).toBe(422)
})

test('only administrators who are signed in may see, set and try them', async () => {
  const as = await app.cookie(await app.person())
  const body = { url: 'http://127.0.0.1:9/v1', model: 'm' }
  for (const part of ['embeddings', 'reranker', 'ocr'])
    for (const [method, path, payload] of [
      ['PUT', `/${part}`, body],
      ['DELETE', `/${part}`],
      ['POST', `/${part}/list`, { url: body.url }],
      ['POST', `/${part}/try`, { model: body }],
      ['PUT', '/graph', { tokens: 1 }],
      ['DELETE', '/graph'],
    ] as const) {
      expect((await call(method, path, payload, { as })).status, path).toBe(403)
      expect((await call(method, path, payload, { as: '' })).status, path).toBe(401)
    }
})
