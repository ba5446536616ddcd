// CORS: configured origins may call the API with a token; for all others the browser blocks the request.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import { type TestApp, testApp } from '../support/app.ts'

const OURS = 'https://app.example.org'
let app: TestApp
let server: FastifyInstance
beforeAll(async () => {
  app = await testApp()
  server = await buildServer({ ...app.deps, settings: { ...app.deps.settings, corsOrigins: [OURS] } })
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const corsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const preflight = (origin: string, url = '/v1/workspaces') =>
  server.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    },
  })

test('a configured origin may send requests with a token and read error responses', async () => {
  const asked = await preflight(OURS)
  expect(asked.statusCode).toBe(204)
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': OURS,
    'access-control-allow-headers': expect.stringContaining('authorization'),
    vary: 'origin',
  })
  const refused = await server.inject({ url: '/v1/me', headers: { origin: OURS } })
  expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([401, OURS])
  expect(refused.headers['access-control-expose-headers']).toContain('www-authenticate')
  const authorization = `Bearer ${await app.token(await app.person())}`
  const sent = await server.inject({ url: '/v1/me', headers: { origin: OURS, authorization } })
  expect([sent.statusCode, sent.headers['access-control-allow-origin']]).toEqual([200, OURS])
  expect(sent.headers['access-control-allow-credentials']).toBeUndefined()
})

test('other origins, similar ones and cookie routes get no CORS headers', async () => {
  for (const origin of [
    'https://evil.example',
    `${OURS}.evil.example`,
    'null',
    OURS.toUpperCase(),
    `${OURS}:443`,
  ]) {
    const asked = await preflight(origin)
    expect([asked.statusCode, corsOf(asked.headers)], origin).toEqual([405, []])
    expect(corsOf((await server.inject({ url: '/v1/me', headers: { origin } })).headers)).toEqual([])
  }
  for (const url of ['/session', '/session/token', '/account/keys', '/settings'])
    expect(corsOf((await preflight(OURS, url)).headers), url).toEqual([])
})

test('without the setting no origin is allowed', async () => {
  const answer = await app.server.inject({ url: '/v1/me', headers: { origin: OURS } })
  expect(corsOf(answer.headers)).toEqual([])
  expect(answer.headers.vary).toBeUndefined()
})
