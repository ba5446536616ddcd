import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddingsServer, embeddingsServer } from '../../../test/support/embeddings-server.ts'
import { send } from '../outbound/send.ts'
import { EmbeddingFailed, type EmbeddingModel } from './embedder.ts'
import { openaiModel } from './openai.ts'

let server: EmbeddingsServer
let model: EmbeddingModel
beforeAll(async () => {
  server = await embeddingsServer(4)
})
afterAll(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.next.length = 0
  server.dimensions = 4
  model = modelWith({})
})

// Timeouts are long where silence is not tested, so that a busy machine does not look like a silent server.
const modelWith = (times: { passageTimeoutMs?: number; queryTimeoutMs?: number }): EmbeddingModel =>
  openaiModel({
    url: server.url,
    model: 'm',
    key: 'a-secret',
    firstDelayMs: 1,
    queryTimeoutMs: 30_000,
    ...times,
  })

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
const length = (vector: Float32Array | undefined): number => Math.hypot(...(vector ?? []))

test('sends the texts with model and key, and returns their vectors at length 1', async () => {
  const vectors = await model.embed(['one', 'two'], 'passage')
  expect(server.requests).toEqual([{ model: 'm', input: ['one', 'two'], authorization: 'Bearer a-secret' }])
  expect(vectors.map(length).map((each) => Math.round(each * 1e6) / 1e6)).toEqual([1, 1])
  expect(await model.dimensions()).toBe(4)
  expect(server.requests).toHaveLength(1)
})

test('orders vectors by their index, or by position without one', async () => {
  const [one, two] = await model.embed(['one', 'two'], 'passage')
  server.next = [{ change: (body) => ({ ...body, data: body.data.toReversed() }) }]
  expect(await model.embed(['one', 'two'], 'passage')).toEqual([one, two])
  const bare = (body: { data: { embedding: unknown }[] }) => ({
    data: body.data.map(({ embedding }) => ({ embedding })),
  })
  server.next = [{ change: bare }]
  expect(await model.embed(['one', 'two'], 'passage')).toEqual([one, two])
})

test('adds the prefix of the model’s family', async () => {
  const e5 = openaiModel({ url: `${server.url}/embeddings`, model: 'intfloat/e5-small-v2', key: undefined })
  await e5.embed(['x'], 'passage')
  await e5.embed(['x'], 'query')
  expect(server.requests.map(({ input }) => input[0])).toEqual(['passage: x', 'query: x'])
  expect(server.requests[0]?.authorization).toBeUndefined()
})

describe('F-17: a busy or broken server', () => {
  test.each([
    ['429 that says when to come again', { status: 429, headers: { 'retry-after': '0' } }],
    ['429 that does not', { status: 429 }],
    ['503', { status: 503, body: '<html>' }],
    ['a cut connection', 'cut'],
  ] as const)('%s: passages are tried again', async (_, script) => {
    server.next = [script, script]
    expect(await model.embed(['x'], 'passage')).toHaveLength(1)
    expect(server.requests).toHaveLength(3)
  })

  test.each(['cut', { status: 429 }] as const)('a query is asked once (%o)', async (script) => {
    // A kept connection that is cut may have been idle for too long: only a new one tells that the server cuts (send.ts).
    server.next = [script, script]
    expect(await failure(model.embed(['x'], 'query'))).toBeInstanceOf(EmbeddingFailed)
    expect(server.requests.length).toBeLessThanOrEqual(script === 'cut' ? 2 : 1)
  })

  test('silence ends an attempt', async () => {
    server.next = ['silence', 'silence']
    const hasty = modelWith({ passageTimeoutMs: 200, queryTimeoutMs: 200 })
    expect(String(await failure(hasty.embed(['x'], 'query')))).toMatch(/did not answer within 200 ms/)
    expect(await hasty.embed(['x'], 'passage')).toHaveLength(1)
  })

  test('that asks to wait for an hour fails at once', async () => {
    server.next = [{ status: 429, headers: { 'retry-after': '3600' } }]
    expect(await failure(model.embed(['x'], 'passage'))).toBeInstanceOf(EmbeddingFailed)
    expect(server.requests).toHaveLength(1)
  })

  test.each([401, 403, 404, 302])('%i is not tried again, and tells neither key nor text', async (status) => {
    server.next = [
      { status, headers: { location: 'http://127.0.0.1:1/' }, body: 'a-secret is wrong for confidential' },
    ]
    const error = await failure(model.embed(['confidential'], 'passage'))
    expect(error).toBeInstanceOf(EmbeddingFailed)
    expect(String(error) + String((error as Error).cause)).not.toMatch(/a-secret|confidential/)
    expect(server.requests).toHaveLength(1)
  })

  test('an endless answer is cut', async () => {
    server.next = [{ status: 200, body: `[${'1,'.repeat(17_000_000)}1]` }]
    expect(String(await failure(model.embed(['x'], 'passage')))).toMatch(/bytes/)
  })

  test('stops with the signal, also while it waits to retry', async () => {
    server.next = [{ status: 429, headers: { 'retry-after': '30' } }]
    const stop = new AbortController()
    const asked = failure(model.embed(['x'], 'passage', stop.signal))
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    stop.abort(new Error('enough'))
    expect(String(await asked)).toBe('Error: enough')
  })
})

describe('F-17: wrong answers', () => {
  const dropLast = { change: (body: { data: unknown[] }) => ({ ...body, data: body.data.slice(0, -1) }) }
  const withNull = {
    change: (body: { data: { embedding: unknown[] }[] }) => ({
      ...body,
      data: body.data.map((each) => ({ ...each, embedding: [null, ...each.embedding.slice(1)] })),
    }),
  }
  const zeros = {
    change: (body: { data: { embedding: unknown[] }[] }) => ({
      ...body,
      data: body.data.map((each) => ({ ...each, embedding: each.embedding.map(() => 0) })),
    }),
  }

  test.each([
    ['a short batch', dropLast],
    ['no number', withNull],
    ['zeros', zeros],
    ['400', { status: 400 }],
  ])('%s: the texts are asked for in smaller batches', async (_, script) => {
    server.next = [script]
    const vectors = await model.embed(['a', 'b', 'c'], 'passage')
    expect(vectors.every((vector) => vector?.length === 4)).toBe(true)
    expect(server.requests.map(({ input }) => input.length)).toEqual([3, 1, 2])
  })

  test('a text that is too long is halved until it fits, and the other texts are not cut', async () => {
    const long = 'long '.repeat(100)
    server.next = [{ status: 413 }, { status: 413 }, { status: 413 }]
    const [first] = await model.embed([long], 'passage')
    expect(length(first)).toBeCloseTo(1, 5)
    expect(server.requests.map(({ input }) => input[0]?.length)).toEqual([500, 250, 125, 62])
  })

  test('a text refused at any length has no vector; a model that refuses everything fails', async () => {
    server.next = Array.from({ length: 5 }, () => ({ status: 400 }))
    expect(await model.embed(['x'.repeat(100)], 'passage')).toEqual([undefined])
    server.next = Array.from({ length: 6 }, () => ({ status: 400 }))
    expect(await failure(model.embed(['x'.repeat(100)], 'passage'))).toBeInstanceOf(EmbeddingFailed)
  })

  test.each(['<html>', '{}', '{"data":[{"embedding":"AAAA"}]}', 'null'])('%s is no answer', async (body) => {
    server.next = Array.from({ length: 20 }, () => ({ status: 200, body }))
    expect(await failure(model.embed(['x'], 'passage'))).toBeInstanceOf(EmbeddingFailed)
  })

  test('vectors of another size than before are refused, then accepted', async () => {
    await model.embed(['x'], 'passage')
    server.dimensions = 6
    expect(await failure(model.embed(['x'], 'passage'))).toBeInstanceOf(EmbeddingFailed)
    expect(await model.dimensions()).toBe(6)
  })

  test('without texts there is no request', async () => {
    expect(await model.embed([], 'passage')).toEqual([])
    expect(server.requests).toEqual([])
  })
})

test("Azure's address keeps its version behind the path, and its key goes into a header of its own", async () => {
  const requests: { address: string; headers: unknown }[] = []
  const azure = openaiModel({
    url: 'https://harbour.openai.azure.com/openai/deployments/e5?api-version=2024-10-21',
    model: 'e5',
    key: 'a-secret',
    queryTimeoutMs: 30_000,
    fetch: (address, options) => {
      requests.push({ address: String(address), headers: options.headers })
      return send(`${server.url}/embeddings`, options)
    },
  })
  expect(await azure.embed(['one'], 'query')).toHaveLength(1)
  expect(requests).toMatchObject([
    {
      address: 'https://harbour.openai.azure.com/openai/deployments/e5/embeddings?api-version=2024-10-21',
      headers: { 'api-key': 'a-secret' },
    },
  ])
})
