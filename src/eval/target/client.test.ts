import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenSource } from '../../temporary.ts'
import { asFailure } from '../error.ts'
import { openClient } from './client.ts'

// What the server answers to the next requests, and what it was sent.
let answers: { status: number; body: string; headers?: Record<string, string> }[] = []
let requests: { authorization: string | undefined; url: string | undefined }[] = []
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push({ authorization: request.headers.authorization, url: request.url })
    const answer = answers.shift() ?? { status: 200, body: '{"ok":true}' }
    request.resume().on('end', () => response.writeHead(answer.status, answer.headers).end(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
})
afterAll(() => {
  server.close()
})

const SECRET = 'ken_at_secret'
const always: TokenSource = async () => SECRET
const answering = (...given: typeof answers): void => {
  answers = given
  requests = []
}

test('a refused token is renewed once, and the request sent again', async () => {
  answering({ status: 401, body: '{}' })
  const client = openClient(base, async (renew) => (renew ? 'fresh' : 'stale'))
  expect(await client.getMe()).toEqual({ ok: true })
  expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer stale', 'Bearer fresh'])
})

const BUSY = { status: 503, body: '{}', headers: { 'retry-after': '1' } }
const LIMITED = { status: 429, body: '{}' }

test('429 and 503 are retried, as often as it takes', async () => {
  answering(BUSY, LIMITED, LIMITED, LIMITED)
  expect(await openClient(base, always).getMe()).toEqual({ ok: true })
  expect(requests).toHaveLength(5)
})

test('so is what another client does not repeat: a question', async () => {
  const answer = 'event: answer\ndata: {"answer":"Yes."}\n\n'
  answering(LIMITED, { status: 200, body: answer, headers: { 'content-type': 'text/event-stream' } })
  const events = []
  const client = openClient(base, always)
  for await (const event of client.askEvents({ workspace_id: 'w', question: 'Is it?' })) events.push(event)
  expect(events).toEqual([{ event: 'answer', data: { answer: 'Yes.' } }])
})

describe('errors say what was refused, and not the token', () => {
  const failure = async (given: (typeof answers)[number], at = base): Promise<string> => {
    answering(given, given)
    const error = await openClient(at, always)
      .getMe()
      .catch((thrown: unknown) => thrown)
    const message = asFailure(error)?.message ?? ''
    expect(message).not.toContain(SECRET)
    return message
  }

  test("the service's own message", async () => {
    const body = '{"error":{"type":"invalid_request","message":"The name is too long"}}'
    expect(await failure({ status: 422, body })).toBe('The service answered 422: The name is too long')
  })

  test('a limit that lasts longer than anybody waits', async () => {
    const body = '{"error":{"type":"rate_limited","message":"Ask again in an hour"}}'
    const refusal = { status: 429, body, headers: { 'retry-after': '3600' } }
    expect(await failure(refusal)).toBe('The service answered 429: Ask again in an hour')
    expect(requests).toHaveLength(1)
  })

  test('a token that stays refused', async () => {
    expect(await failure({ status: 401, body: '{"error":{"message":"not valid"}}' })).toMatch(
      /401.*--token-file/,
    )
  })

  test('the page of a proxy', async () => {
    expect(await failure({ status: 502, body: '<h1>Bad gateway</h1>' })).toContain('answered 502')
    expect(requests).toHaveLength(1)
  })

  test('another address: the token is not sent there', async () => {
    const answer = { status: 302, body: '', headers: { location: `${base}/elsewhere` } }
    expect(await failure(answer)).toMatch(/cannot be reached/)
    expect(requests.map(({ url }) => url)).toEqual(['/v1/me'])
  })

  test('no server at the address', async () => {
    // The port of a closed server, which no other program has got in the meantime.
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const address = gone.address()
    await new Promise((resolve) => gone.close(resolve))
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
    expect(await failure({ status: 200, body: '' }, at)).toMatch(/cannot be reached.*ECONNREFUSED/)
  })

  test('an error of our own is none of these', () => {
    expect(asFailure(new TypeError('a bug'))).toBeUndefined()
  })
})

test('a client is stopped by its signal, and no other one', async () => {
  answering()
  const stop = new AbortController()
  const client = openClient(base, always, stop.signal)
  stop.abort()
  await expect(client.getMe()).rejects.toThrow()
  expect(requests).toEqual([])
  expect(await openClient(base, always).getMe()).toEqual({ ok: true })
})
