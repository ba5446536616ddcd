// The authorization server in the real app: discovery, registration, consent, tokens, revocation.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpiredSignIns } from '../../src/accounts/sessions.ts'
import { resourceMetadataUrl } from '../../src/http/response/error.ts'
import { buildServer } from '../../src/http/server.ts'
import { deleteExpiredGrants } from '../../src/oauth/tokens.ts'
import { PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import {
  challengeOf,
  consent,
  cookieOf,
  encoded,
  type Fields,
  hiddenOf,
  makeVerifier,
  openTab,
  REDIRECT,
  redeem,
  refreshed,
  register,
  request,
  signInByPage,
} from '../support/oauth.ts'
import {
  ageAccessTokens,
  ageClients,
  ageCodes,
  ageGrants,
  ageRefreshTokens,
  everythingStored,
  insertClients,
  selectGrantState,
} from '../support/oauth-rows.sql.ts'
import { setStatus } from '../support/rows.sql.ts'

const ORIGIN = 'http://127.0.0.1:8484'
const BASE = `${ORIGIN}/v1`

let app: TestApp
let person: Person
let cookie: string
let clientId: string
beforeAll(async () => {
  app = await testApp()
  person = await app.person()
  cookie = await signInByPage(app, person)
  clientId = await register(app)
})
afterAll(() => app.close())

const whoAmI = async (accessToken: string) => (await app.send('GET', '/v1/me', accessToken)).status
const authorize = (fields: Fields | string, withCookie: string | undefined = cookie) =>
  openTab(app, withCookie).get(`/oauth/authorize?${typeof fields === 'string' ? fields : encoded(fields)}`)
const answered = (location: unknown) => Object.fromEntries(new URL(String(location)).searchParams)

describe('discovery', () => {
  const read = async (url: string) => {
    const answer = await app.server.inject({ method: 'GET', url })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
    return answer.json() as Record<string, unknown>
  }

  test('protected resource metadata, also for MCP and at the root', async () => {
    const well = '/.well-known/oauth-protected-resource'
    const expected = {
      resource: BASE,
      authorization_servers: [ORIGIN],
      scopes_supported: ['knowledge:read', 'knowledge:write'],
      bearer_methods_supported: ['header'],
    }
    expect(await read(`${well}/v1`)).toMatchObject(expected)
    expect(await read(well)).toMatchObject(expected)
    expect(await read(`${well}/v1/mcp`)).toMatchObject({ ...expected, resource: `${BASE}/mcp` })
  })

  test('authorization server metadata, with everything that the MCP specification requires', async () => {
    const found = await read('/.well-known/oauth-authorization-server')
    expect(found).toMatchObject({
      issuer: ORIGIN,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
    })
    expect(found.scopes_supported).not.toContain('offline_access')
  })

  test.each(['/.well-known/oauth-authorization-server', '/oauth/register', '/oauth/token', '/oauth/revoke'])(
    '%s may be asked from pages of any origin',
    async (url) => {
      const answer = await app.server.inject({ method: 'OPTIONS', url })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([204, '*'])
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  test('a 401 has the metadata URL of the requested resource', async () => {
    const answer = await app.send('GET', '/v1/me')
    expect(answer.headers['www-authenticate']).toContain(
      `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/v1", scope="knowledge:read knowledge:write"`,
    )
    expect(resourceMetadataUrl({ origin: ORIGIN, siteUrl: ORIGIN }, '/v1/mcp')).toBe(
      `${ORIGIN}/.well-known/oauth-protected-resource/v1/mcp`,
    )
  })
})

describe('registration', () => {
  const send = async (payload: object | string, headers = {}) => {
    const answer = await app.server.inject({
      method: 'POST',
      url: '/oauth/register',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
  }

  test('returns an id and no secret, whatever authentication method was requested', async () => {
    const { status, body } = await send({
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/callback'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token', 'urn:something'],
      scope: 'openid profile',
      software_id: 'x',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      client_name: 'Cursor',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(body.client_id).toMatch(/^ken_client_[\w-]{22}$/)
    expect(body).not.toHaveProperty('client_secret')
  })

  test.each([
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://example.org/cb'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) },
      'invalid_redirect_uri',
    ],
    [{ redirect_uris: [REDIRECT], grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [REDIRECT], client_name: 7 }, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    ['{', 'invalid_request'],
    ['', 'invalid_request'],
  ])('rejects %j as %s', async (payload, error) => {
    const { status, body } = await send(payload)
    expect([status, body.error]).toEqual([400, error])
  })

  test('rejects more than 64 KiB and other content types', async () => {
    expect((await send({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(65 * 1024) })).status).toBe(413)
    expect((await send('a=b', { 'content-type': 'text/plain' })).status).toBe(400)
  })

  test('is limited per network address', async () => {
    await app.deps.db.tx((tx) => insertClients(tx, 100, '203.0.113.0'))
    const from = (remoteAddress: string) =>
      app.server.inject({
        method: 'POST',
        url: '/oauth/register',
        payload: { redirect_uris: [REDIRECT] },
        remoteAddress,
      })
    const refused = await from('203.0.113.0')
    expect([refused.statusCode, refused.json().error]).toEqual([429, 'temporarily_unavailable'])
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect((await from('203.0.113.1')).statusCode).toBe(201)
  })
})

describe('the authorization request', () => {
  test('redirects to the sign-in page and back', async () => {
    const fields = request(clientId, makeVerifier(), { state: 'a&b="c' })
    const first = await authorize(fields, '')
    expect(first.status).toBe(303)
    const at = new URL(String(first.headers.location), ORIGIN)
    expect(at.pathname).toBe('/sign-in')
    const page = await openTab(app).get(at.pathname + at.search)
    const wrong = await openTab(app).post('/sign-in', {
      ...hiddenOf(page.text),
      email: person.email,
      password: 'x',
    })
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('role="alert"')])
    const right = await openTab(app).post('/sign-in', {
      ...hiddenOf(wrong.text),
      email: person.email,
      password: PASSWORD,
    })
    expect(right.status).toBe(303)
    const back = new URL(String(right.headers.location))
    expect(back.origin).toBe(ORIGIN)
    const consentPage = await openTab(app, cookieOf(right)).get(back.pathname + back.search)
    expect(consentPage.status).toBe(200)
    expect(hiddenOf(consentPage.text)).toMatchObject(fields)
  })

  test.each([
    ['an unknown client', { client_id: 'ken_client_nobody' }],
    ['no client', { client_id: undefined }],
    ['an unregistered address', { redirect_uri: 'https://evil.example/' }],
    ['another path', { redirect_uri: `${REDIRECT}/x` }],
    ['localhost for 127.0.0.1', { redirect_uri: 'http://localhost:3000/callback' }],
  ])('%s is an error page, never a redirect', async (_, more) => {
    const answer = await authorize(request(clientId, makeVerifier(), more))
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
    expect(answer.headers['content-type']).toContain('text/html')
  })

  test.each(['client_id', 'redirect_uri'])('repeated %s is an error page, never a redirect', async (name) => {
    const fields = encoded(request(clientId, makeVerifier()))
    const answer = await authorize(
      `${fields}&${name}=${encodeURIComponent(name === 'client_id' ? clientId : REDIRECT)}`,
    )
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
  })

  test.each([
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['no method, which means plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: 'knowledge:read admin' }, 'invalid_scope'],
    ['write alone', { scope: 'knowledge:write' }, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example/v1' }, 'invalid_target'],
    ['a resource below', { resource: `${BASE}/me` }, 'invalid_target'],
  ])('%s is an error for the client', async (_, more: Fields, error) => {
    const answer = await authorize(request(clientId, makeVerifier(), more))
    expect(answer.status).toBe(303)
    expect(String(answer.headers.location)).toMatch(`${REDIRECT}?`)
    expect(answered(answer.headers.location)).toMatchObject({ error, state: 'the state', iss: ORIGIN })
  })

  test.each(['scope', 'state', 'code_challenge', 'response_type'])(
    'repeated %s is an error for the client',
    async (name) => {
      const answer = await authorize(`${encoded(request(clientId, makeVerifier()))}&${name}=x`)
      expect(answered(answer.headers.location)).toMatchObject({ error: 'invalid_request', iss: ORIGIN })
    },
  )

  test('two resources are an error for the client', async () => {
    const answer = await authorize(`${encoded(request(clientId, makeVerifier()))}&resource=${BASE}`)
    expect(answered(answer.headers.location)).toMatchObject({ error: 'invalid_target' })
  })

  test.each([BASE, `${BASE}/`, 'HTTP://127.0.0.1:8484/v1', `${BASE}/mcp`, undefined])(
    'resource %s means this API',
    async (resource) => {
      const answer = await authorize(request(clientId, makeVerifier(), { resource }))
      expect(answer.status).toBe(200)
    },
  )

  test('a loopback redirect may have any port', async () => {
    const answer = await authorize(
      request(clientId, makeVerifier(), { redirect_uri: 'http://127.0.0.1:61234/callback' }),
    )
    expect(answer.status).toBe(200)
    expect(hiddenOf(answer.text).redirect_uri).toBe('http://127.0.0.1:61234/callback')
  })

  test('a request that is too long is an error page', async () => {
    const answer = await authorize(request(clientId, makeVerifier(), { state: 'x'.repeat(9000) }))
    expect(answer.status).toBe(400)
  })
})

describe('the consent page', () => {
  const pageFor = async (more: Fields = {}) => authorize(request(clientId, makeVerifier(), more))

  test('shows client, redirect host and scopes, and cannot be framed or scripted', async () => {
    const id = await register(app, { client_name: '<img src=x onerror=alert(1)>\u202eTool' })
    const { text, headers } = await authorize(request(id, makeVerifier()))
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;Tool')
    expect(text).not.toContain('<img')
    expect(text).toContain('127.0.0.1:3000')
    expect(text).toContain(person.email)
    expect(text).toContain('Any program on this computer')
    expect(text).toContain('Create, change and delete')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  test('quotes the name of a client, which cannot end the quotation', async () => {
    const id = await register(app, { client_name: 'Tool” to read? No, “all»' })
    const { text } = await authorize(request(id, makeVerifier()))
    expect(text).toContain('“Tool&#39; to read? No, &#39;all&#39;”')
  })

  test('and the sign-in page keep their opener, which waits for the result', async () => {
    const opener = 'cross-origin-opener-policy'
    expect((await pageFor()).headers[opener]).toBe('unsafe-none')
    expect((await openTab(app).get('/sign-in')).headers[opener]).toBe('unsafe-none')
    expect((await openTab(app, cookie).get('/reset')).headers[opener]).toBe('same-origin')
  })

  test('the default scope is read-only', async () => {
    const { text } = await pageFor({ scope: 'offline_access' })
    expect(text).not.toContain('Create, change and delete')
    expect(text).toContain('Read, search and ask')
  })

  test('deny sends an error, allow sends a code, both with the issuer', async () => {
    const tab = openTab(app, cookie)
    const hidden = hiddenOf((await pageFor()).text)
    const denied = await tab.post('/oauth/consent', { ...hidden, decision: 'deny' })
    expect(answered(denied.headers.location)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
      iss: ORIGIN,
    })
    const allowed = await tab.post('/oauth/consent', { ...hidden, decision: 'allow' })
    expect(allowed.status).toBe(303)
    expect(answered(allowed.headers.location)).toEqual({
      code: expect.stringMatching(/^ken_ac_[\w-]{43}$/),
      state: 'the state',
      iss: ORIGIN,
    })
    for (const decision of [undefined, 'yes', '']) {
      expect((await tab.post('/oauth/consent', { ...hidden, decision })).status).toBe(400)
    }
  })

  test('a user may grant read-only access, and never more than was requested', async () => {
    const tab = openTab(app, cookie)
    const scopeOf = async (scope: string, write: string | undefined) => {
      const verifier = makeVerifier()
      const page = await authorize(request(clientId, verifier, { scope }))
      const fields = { ...hiddenOf(page.text), write, decision: 'allow' }
      const { code = '' } = answered((await tab.post('/oauth/consent', fields)).headers.location)
      return (await redeem(app, { code, verifier, clientId, cookie })).body.scope
    }
    const both = 'knowledge:read knowledge:write'
    expect(await scopeOf(both, 'yes')).toBe(both)
    expect(await scopeOf(both, undefined)).toBe('knowledge:read')
    expect(await scopeOf('knowledge:read', 'yes')).toBe('knowledge:read')
  })

  test('consent is rejected from another origin, without the page, or with the page of another session', async () => {
    const hidden = hiddenOf((await pageFor()).text)
    const fields = { ...hidden, decision: 'allow' }
    const tab = openTab(app, cookie)
    const refused = await Promise.all([
      tab.post('/oauth/consent', fields, { origin: 'https://evil.example' }),
      tab.post('/oauth/consent', fields, { origin: 'null' }),
      tab.post('/oauth/consent', { ...fields, csrf: undefined }),
      tab.post('/oauth/consent', { ...fields, csrf: `${hidden.csrf}x` }),
      openTab(app, await signInByPage(app, person)).post('/oauth/consent', fields),
    ])
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(refused.map(({ headers }) => headers.location)).toEqual(Array(5).fill(undefined))
    const signedOut = await openTab(app).post('/oauth/consent', fields)
    expect(String(signedOut.headers.location)).toMatch(/^\/sign-in\?next=%2Foauth%2Fauthorize/)
  })

  test('the submitted parameters are validated again', async () => {
    const fields = { ...hiddenOf((await pageFor()).text), decision: 'allow' }
    const tab = openTab(app, cookie)
    const elsewhere = await tab.post('/oauth/consent', { ...fields, redirect_uri: 'https://evil.example/' })
    expect([elsewhere.status, elsewhere.headers.location]).toEqual([400, undefined])
    const plain = await tab.post('/oauth/consent', { ...fields, code_challenge_method: 'plain' })
    expect(answered(plain.headers.location)).toMatchObject({ error: 'invalid_request' })
  })
})

describe('signing in by the page', () => {
  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/.//evil.example',
    '\\\\evil.example',
    '',
  ])('stays on this origin for %j', async (next) => {
    const answer = await openTab(app).post('/sign-in', { email: person.email, password: PASSWORD, next })
    expect(answer.status).toBe(303)
    expect(new URL(String(answer.headers.location), ORIGIN).origin).toBe(ORIGIN)
    expect(String(answer.headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:8484\//)
    const already = await openTab(app, cookie).get(`/sign-in?${encoded({ next })}`)
    expect(String(already.headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:8484\//)
  })

  test('never continues a session that the browser sent', async () => {
    const old = await signInByPage(app, person)
    const answer = await openTab(app, old).post('/sign-in', { email: person.email, password: PASSWORD })
    expect(cookieOf(answer)).not.toBe(old)
    expect((await authorize(request(clientId, makeVerifier()), old)).status).toBe(303)
    const planted = await openTab(app, 'ken_session=planted').post('/sign-in', {
      email: person.email,
      password: PASSWORD,
    })
    expect(cookieOf(planted)).toMatch(/^ken_session=[\w-]{43}$/)
    expect((await authorize(request(clientId, makeVerifier()), 'ken_session=planted')).status).toBe(303)
  })

  test('accepts forms of the same origin only', async () => {
    const fields = { email: person.email, password: PASSWORD }
    const answer = await openTab(app).post('/sign-in', fields, { origin: 'https://evil.example' })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  })

  test('an empty form is an error message', async () => {
    const answer = await openTab(app).post('/sign-in', {})
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Enter your email address')])
  })
})

describe('a code', () => {
  test('gives tokens that act as the user, within the scopes', async () => {
    const both = await redeem(app, await consent(app, person))
    expect(both.status).toBe(200)
    expect(both.body).toEqual({
      access_token: expect.stringMatching(/^ken_at_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^ken_rt_[\w-]{43}$/),
      scope: 'knowledge:read knowledge:write',
    })
    expect(both.headers['cache-control']).toBe('no-store')
    const me = await app.send('GET', '/v1/me', both.body.access_token)
    expect(me.body).toMatchObject({ id: person.id, auth: 'oauth' })
    const reads = await redeem(app, await consent(app, person, { more: { scope: 'knowledge:read' } }))
    const write = await app.send('POST', '/v1/workspaces', reads.body.access_token, { body: { name: 'W' } })
    expect(write.status).toBe(403)
    expect(write.headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="knowledge:read knowledge:write", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/v1"`,
    )
  })

  test('used a second time revokes its family', async () => {
    const consented = await consent(app, person)
    const first = await redeem(app, consented)
    expect(await whoAmI(first.body.access_token)).toBe(200)
    const second = await redeem(app, consented)
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
    expect(await whoAmI(first.body.access_token)).toBe(401)
    const later = await refreshed(app, consented.clientId, first.body.refresh_token)
    expect(later.body.error).toBe('invalid_grant')
  })

  test('is rejected for another client or with any wrong parameter, and stays valid', async () => {
    const consented = await consent(app, person)
    const other = await register(app)
    const wrong: [Fields, string][] = [
      [{ client_id: other }, 'invalid_grant'],
      [{ client_id: undefined }, 'invalid_client'],
      [{ client_id: 'ken_client_nobody' }, 'invalid_client'],
      [{ code_verifier: makeVerifier() }, 'invalid_grant'],
      [{ code_verifier: undefined }, 'invalid_request'],
      [{ code_verifier: challengeOf(consented.verifier) }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:3001/callback' }, 'invalid_grant'],
      [{ resource: 'https://other.example/v1' }, 'invalid_target'],
      [{ code: `${consented.code.slice(0, -1)}_` }, 'invalid_grant'],
      [{ code: undefined }, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: undefined }, 'invalid_request'],
      [{ client_secret: 'x' }, 'invalid_client'],
    ]
    for (const [more, error] of wrong) {
      const answer = await redeem(app, consented, more)
      expect([answer.status, answer.body.error], JSON.stringify(more)).toEqual([400, error])
    }
    expect((await redeem(app, consented, { redirect_uri: undefined })).status).toBe(200)
  })

  test('expires after a minute', async () => {
    const consented = await consent(app, person)
    await ageCodes(app.deps.db, 61)
    expect((await redeem(app, consented)).body.error).toBe('invalid_grant')
  })

  test('and a refresh token are not accepted as access tokens', async () => {
    const consented = await consent(app, person)
    expect(await whoAmI(consented.code)).toBe(401)
    const { body } = await redeem(app, consented)
    expect(await whoAmI(body.refresh_token)).toBe(401)
  })

  test('repeated parameters and bodies that are not forms are rejected', async () => {
    const twice = await openTab(app).post('/oauth/token', `grant_type=refresh_token&grant_type=refresh_token`)
    expect([twice.status, JSON.parse(twice.text).error]).toEqual([400, 'invalid_request'])
    const json = await app.server.inject({
      method: 'POST',
      url: '/oauth/token',
      payload: { grant_type: 'x' },
    })
    expect([json.statusCode, json.json().error]).toEqual([400, 'invalid_request'])
    const basic = await openTab(app).post('/oauth/token', 'grant_type=refresh_token', {
      authorization: 'Basic eDp5',
    })
    expect([basic.status, basic.headers['www-authenticate']]).toEqual([401, 'Basic realm="Kenning"'])
    expect(JSON.parse(basic.text).error).toBe('invalid_client')
  })
})

describe('a refresh token', () => {
  test('rotates; repeated at once it gives the same successor', async () => {
    const { body, clientId: id } = await freshTokens()
    const next = await refreshed(app, id, body.refresh_token)
    expect(next.body.refresh_token).not.toBe(body.refresh_token)
    expect(await whoAmI(next.body.access_token)).toBe(200)
    const again = await refreshed(app, id, body.refresh_token)
    expect(again.body.refresh_token).toBe(next.body.refresh_token)
    expect((await refreshed(app, id, next.body.refresh_token)).status).toBe(200)
  })

  test('used again after its successor was used revokes the family', async () => {
    const { body, clientId: id } = await freshTokens()
    const second = await refreshed(app, id, body.refresh_token)
    const third = await refreshed(app, id, second.body.refresh_token)
    expect((await refreshed(app, id, body.refresh_token)).body.error).toBe('invalid_grant')
    for (const { access_token } of [body, second.body, third.body])
      expect(await whoAmI(access_token)).toBe(401)
    expect((await refreshed(app, id, third.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('used again after the grace time revokes the family', async () => {
    const { body, clientId: id } = await freshTokens()
    const next = await refreshed(app, id, body.refresh_token)
    await ageRefreshTokens(app.deps.db, 31)
    expect((await refreshed(app, id, body.refresh_token)).body.error).toBe('invalid_grant')
    expect(await whoAmI(next.body.access_token)).toBe(401)
  })

  test('with the wrong client, resource or scope is rejected and stays valid', async () => {
    const { body, clientId: id } = await freshTokens({ scope: 'knowledge:read' })
    const other = await register(app)
    const wrong: [string, Fields, string][] = [
      [other, {}, 'invalid_grant'],
      ['ken_client_nobody', {}, 'invalid_client'],
      [id, { resource: 'https://other.example/' }, 'invalid_target'],
      [id, { scope: 'knowledge:read knowledge:write' }, 'invalid_scope'],
      [id, { scope: 'everything' }, 'invalid_scope'],
    ]
    for (const [as, more, error] of wrong) {
      expect((await refreshed(app, as, body.refresh_token, more)).body.error).toBe(error)
    }
    expect((await refreshed(app, id, body.refresh_token)).status).toBe(200)
  })

  test('may request fewer scopes, and the next one all of them again', async () => {
    const { body, clientId: id } = await freshTokens()
    const less = await refreshed(app, id, body.refresh_token, { scope: 'knowledge:read offline_access' })
    expect(less.body.scope).toBe('knowledge:read')
    expect(await creates(less.body.access_token)).toBe(403)
    const all = await refreshed(app, id, less.body.refresh_token)
    expect(await creates(all.body.access_token)).toBe(201)
  })

  test('expires after 30 days without use, and with its family after 180 days', async () => {
    const rested = await freshTokens()
    await ageRefreshTokens(app.deps.db, 30 * 86_400 + 1)
    expect((await refreshed(app, rested.clientId, rested.body.refresh_token)).body.error).toBe(
      'invalid_grant',
    )
    const old = await freshTokens()
    await ageGrants(app.deps.db, 180 * 86_400 - 100)
    const last = await refreshed(app, old.clientId, old.body.refresh_token)
    expect(last.body.expires_in).toBeLessThanOrEqual(100)
    await ageGrants(app.deps.db, 101)
    expect((await refreshed(app, old.clientId, last.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('of a suspended user is rejected', async () => {
    const { body, clientId: id } = await freshTokens()
    await setStatus(app.deps.db, person.id, 'suspended')
    expect((await refreshed(app, id, body.refresh_token)).body.error).toBe('invalid_grant')
    await setStatus(app.deps.db, person.id, 'active')
    expect((await refreshed(app, id, body.refresh_token)).status).toBe(200)
  })

  const creates = async (accessToken: string) =>
    (await app.send('POST', '/v1/workspaces', accessToken, { body: { name: 'W' } })).status
})

const freshTokens = async (more: Fields = {}) => {
  const consented = await consent(app, person, { clientId, more })
  return { ...(await redeem(app, consented)), clientId }
}

describe('revocation', () => {
  const revoke = (as: string | undefined, secret: string | undefined) =>
    openTab(app).post('/oauth/revoke', { token: secret, client_id: as })

  test.each(['access_token', 'refresh_token'] as const)('by its %s revokes the family', async (which) => {
    const { body } = await freshTokens()
    expect((await revoke(clientId, body[which])).status).toBe(200)
    expect(await whoAmI(body.access_token)).toBe(401)
    expect((await refreshed(app, clientId, body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await revoke(clientId, body[which])).status).toBe(200)
  })

  test('by another client is rejected; an unknown token is no error', async () => {
    const { body } = await freshTokens()
    const other = await revoke(await register(app), body.refresh_token)
    expect([other.status, JSON.parse(other.text).error]).toEqual([400, 'invalid_grant'])
    expect(await whoAmI(body.access_token)).toBe(200)
    expect((await revoke(clientId, 'ken_rt_unknown')).status).toBe(200)
    expect((await revoke(clientId, makeVerifier())).status).toBe(200)
    expect((await revoke(undefined, body.refresh_token)).status).toBe(400)
    expect((await revoke(clientId, undefined)).status).toBe(400)
  })
})

test('a token for another resource is rejected', async () => {
  const elsewhere = await app.token(person, { resource: 'https://other.example/v1' })
  expect(await whoAmI(elsewhere)).toBe(401)
})

test('expired rows are deleted, active ones stay', async () => {
  const { db } = app.deps
  const someone = await app.person()
  const id = await register(app)
  const unused = await register(app)
  const { body } = await redeem(app, await consent(app, someone, { clientId: id }))
  await deleteExpiredGrants(app.deps)
  expect(await selectGrantState(db, { clientId: id, accountId: someone.id })).toMatchObject({
    grants: 1,
    client: true,
  })
  await ageClients(db, 8 * 86_400)
  await deleteExpiredGrants(app.deps)
  expect(await selectGrantState(db, { clientId: unused, accountId: someone.id })).toMatchObject({
    client: false,
  })
  expect((await refreshed(app, id, body.refresh_token)).status).toBe(200)
  for (const age of [ageCodes, ageGrants, ageRefreshTokens, ageClients]) await age(db, 31 * 86_400)
  await ageAccessTokens(db, 31 * 86_400)
  await deleteExpiredSignIns(app.deps)
  await deleteExpiredGrants(app.deps)
  expect(await selectGrantState(db, { clientId: id, accountId: someone.id })).toEqual({
    grants: 0,
    client: false,
    alive: 0,
  })
  clientId = await register(app)
})

test('no secret is stored or logged', async () => {
  const lines: string[] = []
  const note = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)
  const log = { debug: note, info: note, warn: note, error: note }
  const listened = { ...app, server: await buildServer({ ...app.deps, log }) }
  const consented = await consent(listened, person, { clientId })
  const { body } = await redeem(listened, consented)
  const next = await refreshed(listened, clientId, body.refresh_token)
  await refreshed(listened, clientId, `${body.refresh_token}x`)
  await listened.server.close()
  const logged = lines.join('\n')
  const secrets = [
    consented.code,
    consented.cookie.split('=')[1] ?? '',
    body.access_token,
    body.refresh_token,
  ]
  const stored = await everythingStored(app.deps.db)
  for (const secret of [...secrets, next.body.access_token, next.body.refresh_token]) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    expect(logged).not.toContain(secret)
  }
  expect(logged).toContain('/oauth/token')
})
