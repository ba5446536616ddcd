// Invalid credentials on every endpoint of the contract, and the order of checks.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertSession } from '../../src/accounts/sessions.sql.ts'
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import { ABSENT, type Person, type Sending, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { removeAccount, revokeGrant, setStatus } from '../support/rows.sql.ts'
import { absent, pathOf, validBody } from '../support/world.ts'

let app: TestApp
let person: Person
let good: string
const METADATA = 'resource_metadata="http://127.0.0.1:8484/.well-known/oauth-protected-resource/v1"'
const SCOPE = 'scope="knowledge:read knowledge:write"'
const ids = Object.keys(endpoints) as EndpointId[]

beforeAll(async () => {
  app = await testApp()
  person = await app.person()
  good = await app.token(person)
})
afterAll(() => app.close())

const random = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`
const bearer = (token: string): Sending => ({ headers: { authorization: `Bearer ${token}` } })

/** Every kind that must be refused; each is made anew, from a token that works until something is done to it. */
const odd: Record<string, () => Promise<Sending & { query?: string }>> = {
  'no header': async () => ({}),
  'an empty header': async () => ({ headers: { authorization: '' } }),
  'Bearer alone': async () => ({ headers: { authorization: 'Bearer' } }),
  'Bearer and a space': async () => ({ headers: { authorization: 'Bearer ' } }),
  'the token without a scheme': async () => ({ headers: { authorization: good } }),
  Basic: async () => ({ headers: { authorization: `Basic ${Buffer.from(`x:${good}`).toString('base64')}` } }),
  'another scheme': async () => ({ headers: { authorization: `Token ${good}` } }),
  'two tokens in one header': async () => bearer(`${good}, Bearer ${good}`),
  'two spaces': async () => ({ headers: { authorization: `Bearer  ${good}` } }),
  'a tab': async () => ({ headers: { authorization: `Bearer\t${good}` } }),
  'the token in the query': async () => ({
    query: `access_token=${good}&token=${good}&authorization=${good}`,
  }),
  'the token in a cookie': async () => ({ headers: { cookie: `ken_session=${good}; access_token=${good}` } }),
  'the right prefix and random bytes': async () => bearer(random('ken_at_')),
  'the prefix alone': async () => bearer('ken_at_'),
  'case changed': async () =>
    // The first letter after the prefix: the last character may be a digit, and then nothing changes.
    bearer(
      good.replace(/(?<=^ken_at_[^a-z]*)[a-z]/i, (c) =>
        c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
      ),
    ),
  'upper-case prefix': async () => bearer(good.replace('ken_at_', 'KEN_AT_')),
  'one character more': async () => bearer(`${good}A`),
  'one character less': async () => bearer(good.slice(0, -1)),
  'percent-encoded': async () => bearer(good.replace('_', '%5F')),
  'an unknown API key': async () => bearer(random('ken_mcp_')),
  'a refresh token': async () => bearer(random('ken_rt_')),
  'an authorization code': async () => bearer(random('ken_ac_')),
  expired: async () => bearer(await app.token(person, { expiresIn: -1 })),
  'for another audience': async () =>
    bearer(await app.token(person, { resource: 'https://other.example/v1' })),
  'for this audience in another spelling': async () =>
    bearer(await app.token(person, { resource: 'http://127.0.0.1:8484/v1/' })),
  'of a revoked grant': async () => {
    const grantId = randomUUID()
    const token = await app.token(person, { grantId })
    await revokeGrant(app.deps.db, grantId)
    return bearer(token)
  },
  'of a suspended account': async () => {
    const suspended = await app.person()
    const token = await app.token(suspended)
    await setStatus(app.deps.db, suspended.id, 'suspended')
    return bearer(token)
  },
  'of a deleted account': async () => {
    const deleted = await app.person()
    const token = await app.token(deleted)
    await removeAccount(app.deps.db, deleted.id)
    return bearer(token)
  },
  'of a session that ended': async () => {
    const sessionHash = createHash('sha256').update(randomBytes(32)).digest()
    await insertSession(app.deps.db, { hash: sessionHash, accountId: person.id, seconds: -1 })
    return bearer(await app.token(person, { clientId: null, sessionHash }))
  },
}

const challengeOf = (answer: Answered) => answer.headers['www-authenticate']

describe.each(Object.entries(odd))('%s', (name, make) => {
  test('is 401 on every endpoint, whatever else the request contains', async () => {
    const sent = await make()
    const expected =
      name === 'no header' || name.startsWith('the token in')
        ? `Bearer ${METADATA}, ${SCOPE}`
        : `Bearer ${METADATA}, ${SCOPE}, error="invalid_token"`
    for (const id of ids) {
      const body = validBody(id)
      const url = `${pathOf(id, absent)}${sent.query ? `?${sent.query}` : ''}`
      const more = { ...body, headers: { ...body.headers, ...sent.headers } }
      const answer = await app.send(endpoints[id].method, url, undefined, more)
      expect(answer.status, id).toBe(401)
      expect(challengeOf(answer)).toBe(expected)
    }
  })
})

test('the scheme may be written in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const answer = await app.send('GET', '/v1/me', undefined, {
      headers: { authorization: `${scheme} ${good}` },
    })
    expect(answer.status).toBe(200)
  }
})

describe('the order of checks', () => {
  const read = () => app.token(person, { scopes: ['knowledge:read'] })
  const typeOf = (answer: Answered) => (answer.body as { error: { type: string } }).error.type

  test('1 unknown paths are 404 without a credential, known ones with another method 405 with Allow', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v2/me',
      '/v1/me/',
      '/v1//me',
      '/V1/me',
      '/oauth/nothing',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await app.send(method, path)
        expect([answer.status, typeOf(answer)], `${method} ${path}`).toEqual([404, 'not_found'])
      }
    }
    const allowed: Record<string, string> = {
      '/v1/me': 'GET',
      '/v1/workspaces': 'GET, POST',
      [`/v1/workspaces/${ABSENT}`]: 'GET, PATCH, DELETE',
      '/v1/workspaces/not-a-uuid/search': 'POST',
      [`/v1/workspaces/${ABSENT}/documents/${ABSENT}`]: 'GET, DELETE',
      '/session': 'POST, DELETE',
      '/session/token': 'POST',
    }
    for (const [path, allow] of Object.entries(allowed)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        if (allow.split(', ').includes(method)) continue
        const answer = await app.server.inject({ method: method as 'GET', url: path, payload: '{' })
        expect([answer.statusCode, answer.headers.allow], `${method} ${path}`).toEqual([405, allow])
      }
    }
  })

  test('a malformed address is 400 before anything else', async () => {
    for (const url of [
      '/v1/%zz',
      '/v1/me?x=%',
      '/v1/me?%00=1',
      '/v1/workspaces/%00',
      '/v1/jobs/%c0%80',
      '/v1/me?a=%ff',
    ]) {
      expect((await app.send('GET', url)).status, url).toBe(400)
    }
    expect((await app.send('GET', `/v1/me?x=${'y'.repeat(40_000)}`)).status).toBe(414)
    expect((await app.send('GET', '/v1/me', undefined, { headers: { x: 'y'.repeat(17_000) } })).status).toBe(
      431,
    )
  })

  test('2 the credential comes before ability, syntax and existence', async () => {
    const broken = { payload: '{', headers: { 'content-type': 'application/json' } }
    for (const path of ['/v1/workspaces', '/v1/workspaces/x/search', `/v1/workspaces/${ABSENT}/ask`]) {
      expect((await app.send('POST', path, undefined, broken)).status).toBe(401)
    }
  })

  test('3 ability comes before syntax and existence', async () => {
    const token = await read()
    const broken = { payload: '{', headers: { 'content-type': 'nonsense' } }
    const requests: [string, string][] = [
      ['POST', '/v1/workspaces'],
      ['PATCH', '/v1/workspaces/x'],
      ['DELETE', '/v1/workspaces/x'],
      ['POST', '/v1/workspaces/x/files'],
      ['DELETE', '/v1/workspaces/x/documents/y'],
    ]
    for (const [method, path] of requests) {
      const answer = await app.send(method, path, token, broken)
      expect([answer.status, typeOf(answer)], `${method} ${path}`).toEqual([403, 'insufficient_scope'])
      const scope = 'scope="knowledge:read knowledge:write"'
      expect(challengeOf(answer)).toBe(`Bearer error="insufficient_scope", ${scope}, ${METADATA}`)
    }
  })

  test('4 syntax comes before existence', async () => {
    for (const [path, body] of [
      [`/v1/workspaces/${ABSENT}/search`, { query: '' }],
      [`/v1/workspaces/${ABSENT}/ask`, {}],
    ] as const) {
      expect((await app.send('POST', path, good, { body })).status).toBe(422)
    }
    expect((await app.send('GET', `/v1/workspaces/${ABSENT}/entities?limit=0`, good)).status).toBe(422)
    expect((await app.send('GET', `/v1/workspaces/${ABSENT}/search`, good)).status).toBe(405)
  })
})

test('a cursor is valid for its list, filters and caller only', async () => {
  const list = async (token: string, query: string) => app.send('GET', `/v1/workspaces?${query}`, token)
  for (let i = 0; i < 3; i++) await app.workspace(person, `w${i}`)
  const other = await app.person()
  const otherToken = await app.token(other)
  const page = await list(good, 'limit=1')
  const cursor = String((page.body as { next_cursor: string }).next_cursor)
  expect((await list(good, `limit=2&cursor=${cursor}`)).status).toBe(200)
  expect((await list(await app.token(person), `cursor=${cursor}`)).status).toBe(200)
  const refused = [
    await list(otherToken, `cursor=${cursor}`),
    await list(good, `cursor=${cursor.slice(0, -1)}`),
    await list(good, `cursor=${cursor}A`),
    await list(good, `cursor=${cursor.slice(1)}`),
    await list(good, 'cursor=null'),
    await app.send('GET', `/v1/workspaces/${await app.workspace(person)}/documents?cursor=${cursor}`, good),
  ]
  for (const answer of refused) {
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ detail: [{ loc: ['query', 'cursor'] }] })
  }
})

test('public routes need no credential and reveal nothing', async () => {
  for (const path of ['/v1/openapi.json', '/healthz', '/readyz']) {
    const answer = await app.send('GET', path)
    expect([answer.status, answer.headers['content-type']], path).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  }
})
