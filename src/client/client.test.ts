// The client against a real HTTP server that answers as told: what is sent, what is sent again, what comes back.

import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest'
import type { ErrorType as ContractErrorType } from '../errors.ts'
import { type ClientOptions, createClient, type ErrorType, KenningError } from './client.ts'

interface Sent {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  at: number
}

type Answer = (response: ServerResponse, request: Sent) => void

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (status: number, type: string, headers: Record<string, string> = {}): Answer =>
  json({ error: { type, message: `no: ${type}` } }, status, headers)
const cut: Answer = (response) => void response.socket?.destroy()

/** A client of a server that gives these answers one after the other, the last one for ever. */
async function against(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const started = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(pieces).toString(), at: performance.now() }
      sent.push(one)
      answers[Math.min(sent.length, answers.length) - 1]?.(response, one)
    })
  })
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/v1/`, token: 'secret', ...options })
  return { client, sent }
}

const failure = async (work: Promise<unknown>): Promise<KenningError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(KenningError)
  return error as KenningError
}

test('every type of error in the contract is known', () => {
  // By the compiler.
  expectTypeOf<ContractErrorType>().toExtend<ErrorType>()
})

describe('requests', () => {
  test('path, query and body are taken from one object', async () => {
    const { client, sent } = await against([json({ data: [], has_more: false, next_cursor: null })])
    await client.listDocuments({ workspace_id: 'a/b', q: 'x&y', cursor: null, limit: 3 })
    await client.search({ workspace_id: 'w', query: 'berths', limit: 2 })
    await client.putScope({ workspace_id: 'w', scope_name: 'Ä ö', folders: ['Port'] })
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/workspaces/a%2Fb/documents?q=x%26y&limit=3', ''],
      ['POST', '/v1/workspaces/w/search', '{"query":"berths","limit":2}'],
      ['PUT', '/v1/workspaces/w/scopes/%C3%84%20%C3%B6', '{"folders":["Port"]}'],
    ])
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill('Bearer secret'))
  })

  test('204 is undefined; an error has status, type, message and what is wrong with each field', async () => {
    const detail = [{ loc: ['query', 'limit'], msg: 'too much', type: 'less_than_equal', input: 9, ctx: {} }]
    const { client } = await against([
      (response) => void response.writeHead(204).end(),
      json({ error: { type: 'invalid_request', message: 'limit' }, detail }, 422),
      (response) => void response.writeHead(404).end('not JSON'),
    ])
    expect(await client.deleteWorkspace({ workspace_id: 'w' })).toBeUndefined()
    expect(await failure(client.listWorkspaces({ limit: 9 }))).toMatchObject({
      status: 422,
      type: 'invalid_request',
      message: 'limit',
      detail,
    })
    expect(await failure(client.getMe({}))).toMatchObject({ status: 404, type: 'http_error' })
  })
})

describe('retries', () => {
  test('wait as long as Retry-After says, in seconds or until a date', async () => {
    const soon = new Date(Date.now() + 2000).toUTCString()
    const { client, sent } = await against([
      refusal(503, 'unavailable', { 'retry-after': '1' }),
      refusal(429, 'rate_limited', { 'retry-after': soon }),
      json({ id: 'me' }),
    ])
    expect(await client.getMe({})).toEqual({ id: 'me' })
    const [first, second, third] = sent.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(950)
    // Sooner than without the header only where the date is already over.
    expect(sent.length).toBe(3)
    expect(third).toBeGreaterThanOrEqual(second ?? 0)
  })

  test('happen also after a lost connection, as often as is set, and then say so', async () => {
    const { client, sent } = await against([cut], { retries: 1 })
    expect(await failure(client.getMe({}))).toMatchObject({ status: 0, type: 'unreachable' })
    expect(sent.length).toBe(2)
  })

  test('a POST is sent again only with a key, the same each time, or where it changes nothing', async () => {
    const busy = refusal(503, 'unavailable', { 'retry-after': '0' })
    const plain = await against([busy])
    expect((await failure(plain.client.createWorkspace({ name: 'w' }))).retryAfter).toBe(0)
    expect(plain.sent.length).toBe(1)
    await failure(plain.client.search({ workspace_id: 'w', query: 'q' }))
    expect(plain.sent.length).toBe(4)
    await failure(plain.client.createWorkspace({ name: 'w' }, { idempotencyKey: 'once' }))
    expect(plain.sent.slice(4).map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(3).fill('once'),
    )
  })

  test('what was refused is not asked again', async () => {
    const { client, sent } = await against([refusal(403, 'forbidden')])
    await failure(client.getMe({}))
    expect(sent.length).toBe(1)
  })

  test('leaving ends the wait with the reason given, and a wait that is over listens no longer', async () => {
    const { client } = await against(
      [
        refusal(503, 'unavailable', { 'retry-after': '0' }),
        json({ id: 'me' }),
        refusal(503, 'unavailable', { 'retry-after': '50' }),
      ],
      // Node's own fetch listens until its garbage is collected.
      { fetch: (url, init) => fetch(url, { ...init, signal: null }) },
    )
    const leaving = new AbortController()
    await client.getMe({}, { signal: leaving.signal })
    expect(getEventListeners(leaving.signal, 'abort').length).toBe(0)
    const waiting = client.getMe({}, { signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('gone home')), 50)
    await expect(waiting).rejects.toThrow('gone home')
  })
})

describe('tokens', () => {
  test('one that ended is renewed once; retries after that keep the new one', async () => {
    const asked: boolean[] = []
    const token = async (renew: boolean): Promise<string> => {
      asked.push(renew)
      return `token ${asked.filter(Boolean).length}`
    }
    const { client, sent } = await against(
      [
        refusal(401, 'unauthorized'),
        refusal(503, 'unavailable', { 'retry-after': '0' }),
        refusal(503, 'unavailable', { 'retry-after': '0' }),
        json({ id: 'me' }),
      ],
      { token },
    )
    await client.getMe({})
    expect(asked).toEqual([false, true, false, false])
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token 0',
      'Bearer token 1',
      'Bearer token 1',
      'Bearer token 1',
    ])
  })

  test('a second refusal, or a token that cannot be renewed, is an error', async () => {
    const { client, sent } = await against([refusal(401, 'unauthorized')], { token: async () => 'old' })
    expect((await failure(client.getMe({}))).status).toBe(401)
    expect(sent.length).toBe(2)
    const fixed = await against([refusal(401, 'unauthorized')])
    await failure(fixed.client.getMe({}))
    expect(fixed.sent.length).toBe(1)
  })
})

describe('lists', () => {
  test('all items come, page after page, and no page that nobody reads', async () => {
    const { client, sent } = await against([
      json({ data: [{ id: 1 }, { id: 2 }], has_more: true, next_cursor: 'two' }),
      json({ data: [{ id: 3 }], has_more: false, next_cursor: null }),
    ])
    const found: unknown[] = []
    for await (const { id } of client.all('listWorkspaces', { limit: 2 })) found.push(id)
    expect(found).toEqual([1, 2, 3])
    expect(sent.map(({ url }) => url)).toEqual([
      '/v1/workspaces?limit=2',
      '/v1/workspaces?limit=2&cursor=two',
    ])
    for await (const _ of client.all('listWorkspaces', {})) break
    expect(sent.length).toBe(3)
  })
})

describe('events', () => {
  const stream =
    (pieces: string[], end: 'end' | 'cut' | 'open'): Answer =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const write = (at: number): void => {
        const piece = pieces[at]
        if (piece !== undefined) response.write(piece, () => setImmediate(write, at + 1))
        else if (end === 'end') response.end()
        else if (end === 'cut') response.socket?.destroy()
      }
      write(0)
    }
  const ask = async (client: ReturnType<typeof createClient>, signal?: AbortSignal): Promise<unknown[]> => {
    const events: unknown[] = []
    const question = { workspace_id: 'w', question: 'Where?' }
    for await (const event of client.askEvents(question, signal ? { signal } : {})) events.push(event)
    return events
  }
  const ANSWER = 'event: answer\ndata: {"answer":"Häfen"}\n\n'

  test('come one by one, however they are cut on the way', async () => {
    const bytes = [...'event: step\ndata: {"index":0}\n\n: still here\n\n', ...ANSWER]
    const { client, sent } = await against([stream(bytes, 'end')])
    expect(await ask(client)).toEqual([
      { event: 'step', data: { index: 0 } },
      { event: 'answer', data: { answer: 'Häfen' } },
    ])
    expect(sent[0]?.headers.accept).toBe('text/event-stream')
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ question: 'Where?', stream: true })
  })

  test('an error event is an error; so is an end before the answer', async () => {
    const failed = 'event: error\ndata: {"error":{"type":"agent_error","message":"no model"}}\n\n'
    const { client } = await against([
      stream([failed], 'end'),
      stream(['event: step\ndata: {}\n\n'], 'end'),
      stream(['event: step\ndata: {}\n\n'], 'cut'),
    ])
    expect(await failure(ask(client))).toMatchObject({ type: 'agent_error', message: 'no model' })
    expect((await failure(ask(client))).type).toBe('unreachable')
    expect((await failure(ask(client))).type).toBe('unreachable')
  })

  test('whoever leaves ends the stream, by breaking off or by a signal', async () => {
    let closed = 0
    const open: Answer = (response, request) => {
      response.on('close', () => closed++)
      stream([ANSWER], 'open')(response, request)
    }
    const { client } = await against([open])
    for await (const _ of client.askEvents({ workspace_id: 'w', question: 'Where?' })) break
    await expect.poll(() => closed).toBe(1)
    const leaving = new AbortController()
    const asking = ask(client, leaving.signal)
    setTimeout(() => leaving.abort(), 50)
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => closed).toBe(2)
  })
})

describe('uploads', () => {
  const files = [{ name: 'Port/lease.txt', content: new Blob(['six months']) }]

  test('files keep their folders, and the key makes them safe to send again', async () => {
    const { client, sent } = await against([cut, json({ id: 'job', status: 'queued', files: [] }, 202)])
    expect(await client.upload({ workspace_id: 'w', files, on_conflict: 'replace' })).toMatchObject({
      id: 'job',
    })
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill('/v1/workspaces/w/files?on_conflict=replace'))
    expect(sent[1]?.body).toContain('name="files"; filename="Port/lease.txt"')
    expect(sent[1]?.body).toContain('six months')
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
    expect(sent[1]?.headers['idempotency-key']).toBe(sent[0]?.headers['idempotency-key'])
  })

  test('tell how much has left, each time they are sent; the key makes them safe to send again', async () => {
    const { client, sent } = await against([
      refusal(503, 'unavailable', { 'retry-after': '0' }),
      json({ id: 'job', status: 'queued', files: [] }, 202),
    ])
    const shares: number[] = []
    const content = new Blob(['x'.repeat(1_000_000)])
    const job = await client.upload(
      { workspace_id: 'w', files: [{ name: 'Port/big.txt', content }] },
      { onProgress: (share) => shares.push(share) },
    )
    expect(job.id).toBe('job')
    expect(shares.length).toBeGreaterThan(4)
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
    expect(shares.filter((share) => share === 1).length).toBeGreaterThanOrEqual(2)
    expect(sent.map(({ body }) => body.length)).toEqual(Array(2).fill(sent[0]?.body.length))
    expect(sent[1]?.body).toContain('name="files"; filename="Port/big.txt"')
    expect(sent[1]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': expect.stringContaining('multipart/form-data; boundary='),
      'idempotency-key': sent[0]?.headers['idempotency-key'],
    })
  })
})

test('bytes are the response, for the caller to read', async () => {
  const { client } = await against([(response) => void response.writeHead(200).end('PNG')])
  const response = await client.bytes('getPageImage', { workspace_id: 'w', document_id: 'd', page: '1' })
  expect(await response.text()).toBe('PNG')
})
