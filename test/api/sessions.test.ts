// Accounts and sessions over HTTP.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectAccount } from '../../src/accounts/accounts.sql.ts'
import { createAccount, seedAccounts } from '../../src/accounts/accounts.ts'
import { emailKey } from '../../src/accounts/email-key.ts'
import { updatePassword } from '../../src/accounts/passwords.sql.ts'
import { createSession, deleteExpiredSignIns, sessionUser } from '../../src/accounts/sessions.ts'
import { insertFailures } from '../../src/accounts/throttle.sql.ts'
import { cursorKey } from '../../src/auth/cursor.ts'
import type { Session } from '../../src/contract/account.ts'
import type { Me } from '../../src/contract/resources.ts'
import { buildServer } from '../../src/http/server.ts'
import { PASSWORD, type TestApp, testApp } from '../support/app.ts'
import { heardLog, type LogLine } from '../support/company.ts'
import type { Answered } from '../support/contract.ts'
import { ageFailures, ageSessions, countOf, setStatus } from '../support/rows.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const ORIGIN = 'http://127.0.0.1:8484'
const sameOrigin = { origin: ORIGIN }
const cookieOf = (answer: Answered): string => String(answer.headers['set-cookie']).split(';')[0] ?? ''
const signIn = (email: string, password = PASSWORD) =>
  app.send('POST', '/session', undefined, { body: { email, password } })
const trade = (cookie: string, headers: Record<string, string> = sameOrigin) =>
  app.send('POST', '/session/token', undefined, { headers: { cookie, ...headers } })
const make = (body: unknown) => app.send('POST', '/account', undefined, { body })
const typeOf = (answer: Answered) => (answer.body as { error?: { type: string } }).error?.type

describe('the first account', () => {
  test('requires the setup token of the last start, which works once, also for two concurrent requests', async () => {
    const old = (await seedAccounts(app.deps, undefined)).setupToken
    const token = (await seedAccounts(app.deps, undefined)).setupToken
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const setup_token of [undefined, '', 'wrong', old]) {
      const answer = await make({ email: 'a@example.org', password: PASSWORD, setup_token })
      expect([answer.status, typeOf(answer)]).toEqual([403, 'forbidden'])
    }
    const weak = await make({ email: 'a@example.org', password: 'short', setup_token: token })
    expect(weak.body).toMatchObject({ detail: [{ loc: ['body', 'password'] }] })
    const both = await Promise.all(
      ['first@example.org', 'second@example.org'].map((email) =>
        make({ email, password: PASSWORD, setup_token: token }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
    expect(await countOf(app.deps.db, 'account')).toBe(1)
    expect(await seedAccounts(app.deps, undefined)).toEqual({})
  })

  test('later accounts require open sign-up; an address in any letter case is one account', async () => {
    const body = { email: 'Later@Example.org', password: PASSWORD }
    expect((await make(body)).status).toBe(403)
    const open = await buildServer({ ...app.deps, settings: { ...app.deps.settings, signup: 'open' } })
    const send = (payload: object) => open.inject({ method: 'POST', url: '/account', payload })
    const made = await send(body)
    expect([made.statusCode, made.json()]).toEqual([
      201,
      { id: expect.any(String), email: 'Later@Example.org' },
    ])
    for (const email of ['later@example.org', 'LATER@EXAMPLE.ORG', 'ｌater@example.org']) {
      expect((await send({ ...body, email })).statusCode, email).toBe(422)
    }
    for (const email of [
      '',
      'x',
      '@',
      'a@',
      '@b',
      'a b@c.de',
      'a@b@c',
      `${'x'.repeat(300)}@y.org`,
      'a\u0000@b.c',
      'unseen\u200b@b.c',
      'turned\u202e@b.c',
      'ｗide@b.c',
    ]) {
      expect((await send({ ...body, email })).statusCode, email).toBe(422)
    }
    const weak = [
      'short',
      '12345678901',
      'aaaaaaaaaaaaaaa',
      'password1234',
      'Password1234',
      'QWERTYUIOP123',
      'abababababab',
    ]
    for (const password of [...weak, 'fresh@example.org', 'FRESH@example.org']) {
      expect((await send({ email: 'fresh@example.org', password })).statusCode, password).toBe(422)
    }
    await open.close()
    expect((await signIn('lAter@eXample.org')).status).toBe(204)
  })
})

test('open sign-up is limited per network, separately from sign-ins', async () => {
  const open = await buildServer({ ...app.deps, settings: { ...app.deps.settings, signup: 'open' } })
  const from = (remoteAddress: string, url: string, payload: object) =>
    open.inject({ method: 'POST', url, remoteAddress, payload: { password: PASSWORD, ...payload } })
  await insertFailures(app.deps.db, Array(100).fill('sign-up:192.0.2.1'))
  const refused = await from('192.0.2.1', '/account', { email: 'one.more@example.org' })
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  expect((await from('192.0.2.2', '/account', { email: 'one.more@example.org' })).statusCode).toBe(201)
  expect((await from('192.0.2.1', '/session', { email: 'one.more@example.org' })).statusCode).toBe(204)
  await open.close()
})

describe('a session', () => {
  test('signs in with a cookie, exchanges it for an access token, signs out of both', async () => {
    const person = await app.person()
    const signed = await signIn(person.email)
    expect([signed.status, signed.text]).toEqual([204, ''])
    expect(signed.headers['set-cookie']).toMatch(
      /^ken_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const cookie = cookieOf(signed)
    const traded = await trade(cookie)
    const { access_token, expires_in } = traded.body as { access_token: string; expires_in: number }
    expect([traded.status, expires_in, Object.keys(traded.body as object).length]).toEqual([200, 900, 2])
    expect(access_token).toMatch(/^ken_at_[\w-]{43}$/)
    const me = await app.send('GET', '/v1/me', access_token)
    expect(me.body).toMatchObject({ auth: 'session', email: person.email } satisfies Partial<Me>)
    const again = (await trade(cookie)).body as { access_token: string }
    expect(again.access_token).not.toBe(access_token)
    expect((await app.send('GET', '/v1/me', undefined, { headers: { cookie } })).status).toBe(401)
    const out = await app.send('DELETE', '/session', undefined, { headers: { cookie } })
    expect(out.status).toBe(204)
    expect(out.headers['set-cookie']).toMatch(/^ken_session=; Max-Age=0; Path=\//)
    for (const token of [access_token, again.access_token]) {
      expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
    }
    expect((await trade(cookie)).status).toBe(401)
    expect((await app.send('DELETE', '/session')).status).toBe(204)
  })

  test('is not opened with a password that changed while it was being verified', async () => {
    const person = await app.person()
    const old = (await selectAccount(app.deps.db, emailKey(person.email)))?.password_hash ?? ''
    const open = () => createSession(app.deps, person.id, { by: 'password', passwordHash: old })
    expect(await sessionUser(app.deps, await open())).toMatchObject({ id: person.id })
    await updatePassword(app.deps.db, person.id, 'another hash')
    expect(await open()).toBeUndefined()
    expect(await createSession(app.deps, person.id, { by: 'company' })).toBeDefined()
    await setStatus(app.deps.db, person.id, 'suspended')
    expect(await createSession(app.deps, person.id, { by: 'company' })).toBeUndefined()
  })

  test('signing out of one browser leaves the other', async () => {
    const person = await app.person()
    const [one, two] = [cookieOf(await signIn(person.email)), cookieOf(await signIn(person.email))]
    expect(one).not.toBe(two)
    await app.send('DELETE', '/session', undefined, { headers: { cookie: one } })
    expect((await trade(one)).status).toBe(401)
    expect((await trade(two)).status).toBe(200)
  })

  test('is exchanged for a token from the same origin only', async () => {
    const cookie = cookieOf(await signIn((await app.person()).email))
    expect((await trade(cookie, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `${ORIGIN}.evil.example` },
      { origin: 'http://localhost:8484' },
      { origin: 'https://127.0.0.1:8484' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of foreign) {
      const answer = await trade(cookie, headers)
      expect([answer.status, typeOf(answer)], JSON.stringify(headers)).toEqual([403, 'forbidden'])
    }
    expect((await trade(cookie, {})).text).toContain(`Origin: ${ORIGIN}`)
    expect((await trade('', sameOrigin)).status).toBe(401)
    expect((await trade(`${cookie}; ${cookie}`)).status).toBe(401)
    expect((await trade(cookie.replace('ken_session', 'x'))).status).toBe(401)
  })

  test('expires 14 days after its last use, or with its account', async () => {
    const person = await app.person()
    const cookie = cookieOf(await signIn(person.email))
    const day = 24 * 3600
    await ageSessions(app.deps.db, 13 * day)
    expect((await trade(cookie)).status).toBe(200)
    await ageSessions(app.deps.db, 13 * day)
    const { access_token } = (await trade(cookie)).body as { access_token: string }
    await setStatus(app.deps.db, person.id, 'suspended')
    expect((await trade(cookie)).status).toBe(401)
    expect((await signIn(person.email)).status).toBe(401)
    await setStatus(app.deps.db, person.id, 'active')
    expect((await app.send('GET', '/v1/me', access_token)).status).toBe(200)
    await ageSessions(app.deps.db, 14 * day + 1)
    expect((await app.send('GET', '/v1/me', access_token)).status).toBe(401)
    expect((await trade(cookie)).status).toBe(401)
    await deleteExpiredSignIns(app.deps)
    expect(await countOf(app.deps.db, 'session')).toBe(0)
    expect(await countOf(app.deps.db, 'access_token')).toBe(0)
  })

  test('over https the cookie is bound to the host', async () => {
    const origin = 'https://kenning.example'
    const settings = { ...app.deps.settings, origin, siteUrl: origin, baseUrl: `${origin}/v1` }
    const server = await buildServer({ ...app.deps, settings })
    const { email } = await app.person()
    const signed = await server.inject({
      method: 'POST',
      url: '/session',
      payload: { email, password: PASSWORD },
    })
    const cookie = String(signed.headers['set-cookie'])
    expect(cookie).toMatch(
      /^__Host-ken_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const headers = { cookie: cookie.split(';')[0], origin }
    expect((await server.inject({ method: 'POST', url: '/session/token', headers })).statusCode).toBe(200)
    expect(signed.headers['strict-transport-security']).toMatch(/^max-age=\d+$/)
    await server.close()
  })
})

describe('guessing', () => {
  test('is the same 401 for a wrong password and an unknown address', async () => {
    const { email } = await app.person()
    const [wrong, unknown] = [await signIn(email, 'not the password'), await signIn('nobody@example.org')]
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.text).toBe(unknown.text)
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })

  test('is limited per account, also in parallel, for 15 minutes', async () => {
    const { email } = await app.person()
    const all = await Promise.all(Array.from({ length: 30 }, () => signIn(email, 'not the password')))
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBe(10)
    expect(statuses.filter((status) => status === 429).length).toBe(20)
    const limited = await signIn(email)
    expect(limited.status).toBe(429)
    const wait = Number(limited.headers['retry-after'])
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    expect((await signIn((await app.person()).email)).status).toBe(204)
    await ageFailures(app.deps.db, wait)
    expect((await signIn(email)).status).toBe(204)
  })

  test('a correct password clears the failures of the account, so that nine typos a day lock nobody out', async () => {
    const { email } = await app.person()
    for (let day = 0; day < 3; day++) {
      for (let i = 0; i < 9; i++) await signIn(email, `typo number ${i}`)
      expect((await signIn(email)).status).toBe(204)
    }
    await ageFailures(app.deps.db, 3600)
  })

  test('is limited per network, with an IPv6 /64 as one network', async () => {
    const from = (remoteAddress: string, i: number) =>
      app.server.inject({
        method: 'POST',
        url: '/session',
        remoteAddress,
        headers: { 'x-forwarded-for': `10.0.0.${i}` },
        payload: { email: `guess${i}@example.org`, password: PASSWORD },
      })
    const addresses = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8:0:0:1:2:3:4']
    const statuses: number[] = []
    for (let i = 0; i < 101; i++) statuses.push((await from(addresses[i % 3] ?? '', i)).statusCode)
    expect(statuses.filter((status) => status === 401).length).toBe(100)
    expect(statuses.at(-1)).toBe(429)
    expect((await from('2001:db8:0:1::1', 500)).statusCode).toBe(401)
    await ageFailures(app.deps.db, 3600)
  })
})

describe('an installation', () => {
  test('creates the administrator of the settings once, also when two processes start', async () => {
    const fresh = await testApp()
    const admin = { email: 'admin@localhost', password: PASSWORD }
    expect(await Promise.all([seedAccounts(fresh.deps, admin), seedAccounts(fresh.deps, admin)])).toEqual([
      {},
      {},
    ])
    expect(await countOf(fresh.deps.db, 'account')).toBe(1)
    const signed = await fresh.send('POST', '/session', undefined, { body: admin })
    expect(signed.status).toBe(204)
    await expect(createAccount(fresh.deps, { email: 'x@y.z', password: PASSWORD }, '')).rejects.toMatchObject(
      {
        status: 403,
      },
    )
    const keys = await Promise.all(Array.from({ length: 8 }, () => cursorKey(fresh.deps.db)))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]?.length).toBe(32)
    await fresh.close()
  })

  test('rejects a weak password and names the setting', async () => {
    const fresh = await testApp()
    const weak = { email: 'admin@example.org', password: 'password1234' }
    await expect(seedAccounts(fresh.deps, weak)).rejects.toThrow(/^KENNING_ADMIN_PASSWORD: /)
    await fresh.close()
  })
})

test('no secret is stored in clear text', async () => {
  const person = await app.person()
  const cookie = cookieOf(await signIn(person.email))
  const { access_token } = (await trade(cookie)).body as { access_token: string }
  expect(cookie).not.toBe('')
  const { default: sql } = await import('sql-template-tag')
  const rows = await app.deps.db.rows(sql`
    SELECT encode(hash, 'escape') AS text FROM session UNION ALL SELECT encode(hash, 'escape') FROM access_token
    UNION ALL SELECT password_hash FROM account UNION ALL SELECT value FROM installation`)
  const dump = JSON.stringify(rows)
  for (const secret of [access_token, access_token.slice(7), cookie.split('=')[1] ?? '', PASSWORD]) {
    expect(dump).not.toContain(secret)
  }
})

describe('the list of sessions', () => {
  const list = async (cookie: string) =>
    (await app.send('GET', '/account/sessions', undefined, { headers: { cookie } })).body as {
      data: Session[]
    }
  const end = (cookie: string, id: string, origin = ORIGIN) =>
    app.send('DELETE', `/account/sessions/${id}`, undefined, { headers: { cookie, origin } })

  test('names the browsers, the latest used first, and ends one with its tokens', async () => {
    const person = await app.person()
    const [here, there] = [cookieOf(await signIn(person.email)), cookieOf(await signIn(person.email))]
    expect((await list(here)).data.map(({ user_agent }) => user_agent)).toEqual([null, null])
    const traded = await trade(there, { ...sameOrigin, 'user-agent': 'x'.repeat(1000) })
    const token = (traded.body as { access_token: string }).access_token
    await trade(here, { ...sameOrigin, 'user-agent': 'Firefox/143.0' })
    const { data } = await list(here)
    expect(data.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
      ['Firefox/143.0', true],
      ['x'.repeat(400), false],
    ])
    expect(JSON.stringify(data)).not.toContain(here.split('=')[1])
    const other = data[1]?.id ?? ''
    const stranger = cookieOf(await signIn((await app.person()).email))
    expect((await end(stranger, other)).status).toBe(404)
    expect((await end(here, other, 'https://evil.example')).status).toBe(403)
    expect((await app.send('GET', '/v1/me', token)).status).toBe(200)
    expect((await end(here, other)).status).toBe(204)
    expect((await end(here, other)).status).toBe(404)
    expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
    expect((await trade(there)).status).toBe(401)
    expect((await list(here)).data).toHaveLength(1)
    expect((await end(here, 'x')).status).toBe(404)
    expect((await end('', other)).status).toBe(401)
  })
})

test('the log has each sign-in with the address of the client, and nothing that was typed', async () => {
  const lines: LogLine[] = []
  const settings = { ...app.deps.settings, trustedProxies: ['127.0.0.1'] }
  const server = await buildServer({ ...app.deps, settings, log: heardLog(app.deps.log, lines) })
  const person = await app.person()
  const enter = (email: string, password: string) =>
    server.inject({
      method: 'POST',
      url: '/session',
      payload: { email, password },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
  expect((await enter(person.email, PASSWORD)).statusCode).toBe(204)
  expect((await enter(person.email, 'a wrong password')).statusCode).toBe(401)
  expect((await enter('nobody@example.org', 'a wrong password')).statusCode).toBe(401)
  const common = { by: 'password', clientAddress: '203.0.113.9', requestId: expect.any(String) }
  const refused = { level: 'warn', message: 'a sign-in was refused' }
  const reason = 'wrong_address_or_password'
  expect(lines.filter(({ message }) => message.includes('sign'))).toEqual([
    { level: 'info', message: 'signed in', fields: { ...common, account: person.id } },
    { ...refused, fields: { ...common, reason, account: person.id } },
    { ...refused, fields: { ...common, reason, account: undefined } },
  ])
  for (const typed of [person.email, 'nobody@example.org', 'a wrong password'])
    expect(JSON.stringify(lines)).not.toContain(typed)
  await server.close()
})
