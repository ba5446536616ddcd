import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RerankingServer, rerankingServer, type Script } from '../../../test/support/rerank-server.ts'
import { type Reranker, type RerankServer, rerankServer } from './rerank.ts'

let server: RerankingServer
const warnings: object[] = []
const log = { debug() {}, info() {}, warn: (fields: object) => void warnings.push(fields), error() {} }

beforeAll(async () => {
  server = await rerankingServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.next.length = 0
  warnings.length = 0
})

const reranker = (more: Partial<RerankServer> = {}): Reranker =>
  rerankServer({ url: server.url, model: undefined, key: undefined, timeoutMs: 30_000, ...more }, log)

test('without a model: requests of Text Embeddings Inference, with 32 texts each', async () => {
  const texts = Array.from({ length: 50 }, (_, i) => 'best '.repeat(i % 7))
  expect(await reranker().score('q', texts)).toEqual(texts.map((_, i) => i % 7))
  expect(server.requests.map(({ path, body }) => [path, body.texts?.length])).toEqual([
    ['/rerank', 32],
    ['/rerank', 18],
  ])
})

test('with a model: one request in the form of Cohere and Jina, with the key', async () => {
  const url = `${server.url}/v1/rerank`
  const scores = await reranker({ url, model: 'm', key: 'secret' }).score('q', ['best best', '', 'best'])
  expect(scores).toEqual([2, 0, 1])
  expect(server.requests).toMatchObject([
    { path: '/v1/rerank', authorization: 'Bearer secret', body: { model: 'm', query: 'q' } },
  ])
})

test('a long text is cut, but not within a character', async () => {
  await reranker().score('q', [`${'x'.repeat(3999)}😀${'y'.repeat(100_000)}`])
  const [sent] = server.requests[0]?.body.texts ?? []
  expect(sent?.length).toBe(4000)
  expect(sent?.isWellFormed()).toBe(true)
})

const bodyOf = (scores: unknown): string => JSON.stringify(scores)

const wrong: [string, Script][] = [
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['a redirect', { status: 302 }],
  ['silence', 'silence'],
  ['too few', { answer: () => bodyOf([{ index: 0, score: 1 }]) }],
  ['one twice', { answer: () => bodyOf([1, 2].map((score) => ({ index: 0, score }))) }],
  ['an index beyond', { answer: () => bodyOf([0, 2].map((index) => ({ index, score: 1 }))) }],
  ['a null, as servers write NaN', { answer: () => bodyOf([0, 1].map((index) => ({ index, score: null }))) }],
  ['NaN', { answer: () => '[{"index":0,"score":NaN},{"index":1,"score":1}]' }],
  ['infinity', { answer: () => '[{"index":0,"score":1e999},{"index":1,"score":1}]' }],
  ['no scores', { answer: () => bodyOf([{ index: 0 }, { index: 1 }]) }],
  ['an error with 200', { answer: () => bodyOf({ error: 'overloaded' }) }],
]

test.each(wrong)('F-17: %s: no scores, and the log says so without the texts', async (_, script) => {
  server.next.push(script)
  const asked = reranker({ timeoutMs: 100, key: 'hidden-key' })
  expect(await asked.score('hidden query', ['hidden text', 'b'])).toBeUndefined()
  expect(warnings).toHaveLength(1)
  const [{ err }] = warnings as [{ err: Error }]
  expect(`${err.message} ${err.stack}`).not.toMatch(/hidden/)
})

test('after a failure no request is sent for a while, then the server is asked again', async () => {
  server.next.push({ status: 503 })
  const waiting = reranker({ pauseMs: 60_000 })
  expect(await waiting.score('q', ['a'])).toBeUndefined()
  expect(await waiting.score('q', ['best'])).toBeUndefined()
  expect(server.requests).toHaveLength(1)
  server.next.push({ status: 503 })
  const asking = reranker({ pauseMs: 0 })
  expect(await asking.score('q', ['best'])).toBeUndefined()
  expect(await asking.score('q', ['best'])).toEqual([1])
})
