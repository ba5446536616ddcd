// Each step of the check, against a server that does everything right but one thing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../../test/support/loopback.ts'
import { freePort } from '../../../test/support/service.ts'
import type { Finding } from '../../health/finding.ts'
import { publicChecks } from './public.ts'

type Routes = Record<
  string,
  (origin: string) => { status?: number; headers?: Record<string, string>; body?: unknown }
>

const right: Routes = {
  '/healthz': () => ({ body: { status: 'ok' } }),
  '/v1/mcp': (origin) => ({
    status: 401,
    headers: { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/x", scope="a"` },
  }),
  '/.well-known/x': (origin) => ({
    body: { resource: `${origin}/v1/mcp`, authorization_servers: [origin] },
  }),
  '/.well-known/oauth-authorization-server': (origin) => ({ body: server(origin) }),
  '/oauth/register': () => ({ status: 400, body: { error: 'invalid_redirect_uri' } }),
  '/oauth/authorize': () => ({ status: 400, headers: { 'content-type': 'text/html' } }),
}

const server = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  code_challenge_methods_supported: ['S256'],
  grant_types_supported: ['authorization_code'],
  response_types_supported: ['code'],
  client_id_metadata_document_supported: true,
})

const servers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of servers.splice(0)) await close()
})

async function findings(address: string): Promise<Finding[]> {
  const found: Finding[] = []
  for await (const finding of publicChecks(address)) found.push(finding)
  return found
}

async function examined(routes: Routes, path = ''): Promise<Finding[]> {
  let origin = ''
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume()
    const { status = 200, headers = {}, body } = routes[request.url ?? '']?.(origin) ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body ?? {}))
  }
  const service = createServer(answer)
  origin = await listenOnLoopback(service)
  servers.push(() => closeNow(service))
  return findings(`${origin}${path}`)
}

test.each(['', '/', '/v1', '/v1/mcp'])(
  'everything right, with an address of this machine, given as origin%s',
  async (path) => {
    const found = await examined(right, path)
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'address warning',
      'address warning',
      'service ok',
      'challenge ok',
      'resource ok',
      'authorization ok',
      'registration ok',
      'consent page ok',
    ])
    expect(found[0]?.message).toMatch(/^127\.0\.0\.1 is an address of this machine/)
    expect(found[1]?.message).toMatch(/only connect by https/)
  },
)

const elsewhere = 'https://other.example'
test.each<[check: string, wrong: Routes, message: RegExp]>([
  ['service', { '/healthz': () => ({ status: 502 }) }, /does not answer as Kenning \(502\).*proxy/],
  ['challenge', { '/v1/mcp': () => ({ status: 404 }) }, /answers 404 instead of 401/],
  ['challenge', { '/v1/mcp': () => ({ status: 403 }) }, /KENNING_BASE_URL/],
  ['challenge', { '/v1/mcp': () => ({ status: 401 }) }, /no WWW-Authenticate header/],
  [
    'challenge',
    {
      '/v1/mcp': () => ({
        status: 401,
        headers: { 'www-authenticate': `Bearer resource_metadata="${elsewhere}/x"` },
      }),
    },
    /names https:\/\/other\.example, another address: set KENNING_BASE_URL/,
  ],
  ['resource', { '/.well-known/x': () => ({ status: 404 }) }, /answers 404/],
  [
    'resource',
    { '/.well-known/x': () => ({ body: { resource: `${elsewhere}/v1/mcp` } }) },
    /describes https:\/\/other\.example/,
  ],
  [
    'authorization',
    {
      '/.well-known/oauth-authorization-server': (origin) => ({
        body: { ...server(origin), code_challenge_methods_supported: ['plain'] },
      }),
    },
    /lacks S256/,
  ],
  [
    'authorization',
    {
      '/.well-known/oauth-authorization-server': (origin) => ({
        body: { ...server(origin), issuer: elsewhere, registration_endpoint: undefined },
      }),
    },
    /issuer is https:\/\/other\.example.*registration_endpoint is missing/,
  ],
  ['registration', { '/oauth/register': () => ({ status: 405 }) }, /answers 405 instead of checking/],
  ['consent page', { '/oauth/authorize': () => ({ status: 404 }) }, /answers 404 instead of a page/],
  [
    'consent page',
    { '/oauth/authorize': () => ({ status: 303, headers: { location: `${elsewhere}/sign-in` } }) },
    /answers 303 instead of a page/,
  ],
])('%s: the step that fails is the last one and says what to do', async (check, wrong, message) => {
  const found = await examined({ ...right, ...wrong })
  expect(found.at(-1)).toEqual({ check, status: 'problem', message: expect.stringMatching(message) })
  expect(found.filter(({ status }) => status === 'problem')).toHaveLength(1)
})

test('nothing at the address, and no address at all', async () => {
  const gone = await findings(`http://127.0.0.1:${await freePort()}`)
  expect(gone.at(-1)?.message).toMatch(/nothing answers there/)
  for (const given of ['kenning.example.org', 'https://kenning.example.org/?elsewhere', 'ftp://x'])
    expect(await findings(given)).toMatchObject([{ check: 'address', status: 'problem' }])
})
