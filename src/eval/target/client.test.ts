import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeClient, type TokenSource } from './client.ts'

// What the server answers to the next requests, and what it was sent.
let answers: { status: number; body: string; headers?: Record<string, string> }[] = []
let seen: { authorization: string | undefined; url: string | undefined }[] = []
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ authorization: request.headers.authorization, url: request.url })
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
const clean = (): void => {
  answers = []
  seen = []
}

test('a refused token is renewed once, and the request sent again', async () => {
  clean()
  answers = [{ status: 401, body: '{}' }]
  const client = makeClient(base, async (renew) => (renew ? 'fresh' : 'stale'))
  expect(await client.json('GET', '/me')).toEqual({ ok: true })
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer stale', 'Bearer fresh'])
})

test('429 and 503 are retried', async () => {
  clean()
  answers = [
    { status: 503, body: '{}', headers: { 'retry-after': '1' } },
    { status: 429, body: '{}' },
  ]
  expect(await makeClient(base, always).json('GET', '/me')).toEqual({ ok: true })
  expect(seen).toHaveLength(3)
})

describe('errors name what was refused, and not the token', () => {
  const refused = async (answer: (typeof answers)[number], at = base): Promise<string> => {
    clean()
    answers = [answer, answer]
    const error = await makeClient(at, always)
      .json('GET', '/me')
      .catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).not.toContain(SECRET)
    return message
  }

  test("the service's own message", async () => {
    const body = '{"error":{"type":"invalid_request","message":"The name is too long"}}'
    expect(await refused({ status: 422, body })).toBe('GET /me answered 422: The name is too long')
  })

  test('a token that stays refused', async () => {
    expect(await refused({ status: 401, body: '{"error":{"message":"not valid"}}' })).toMatch(
      /401.*--token-file/,
    )
  })

  test('the page of a proxy', async () => {
    expect(await refused({ status: 502, body: '<h1>Bad gateway</h1>' })).toMatch(/502: <h1>Bad gateway/)
  })

  test('another address: the token is not sent there', async () => {
    const answer = { status: 302, body: '', headers: { location: `${base}/elsewhere` } }
    expect(await refused(answer)).toMatch(/cannot be reached/)
    expect(seen.map(({ url }) => url)).toEqual(['/v1/me'])
  })

  test('no server at the address', async () => {
    // The port of a closed server, which no other program has got in the meantime.
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const address = gone.address()
    await new Promise((resolve) => gone.close(resolve))
    const at = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
    expect(await refused({ status: 200, body: '' }, at)).toMatch(/cannot be reached: ECONNREFUSED/)
  })
})

test('an aborted client stops, but cleaning up goes on', async () => {
  clean()
  const stop = new AbortController()
  const client = makeClient(base, always, stop.signal)
  stop.abort()
  await expect(client.json('GET', '/me')).rejects.toThrow(/abort/i)
  expect(await client.unstoppable().json('GET', '/me')).toEqual({ ok: true })
})
