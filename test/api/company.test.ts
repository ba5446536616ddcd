// Company sign-in against an OpenID provider over HTTP (docs/decisions/0016-accounts.md).

import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import { openCompany } from '../../src/ports/company/company.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { companyOf, companyServer, cookiesOf, ORIGIN } from '../support/company.ts'
import { oidcProvider, type Provider } from '../support/oidc-provider.ts'
import { activityOf, backdateSessions, makeAdmin, setStatus } from '../support/rows.sql.ts'

let app: TestApp
let provider: Provider
let server: Awaited<ReturnType<typeof buildServer>>
let first: Person
beforeAll(async () => {
  app = await testApp()
  provider = await oidcProvider()
  server = await serverFor([])
  first = await app.person()
  await makeAdmin(app.deps.db, first.id)
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await app.close()
})
afterEach(() => {
  Object.assign(provider, { wrong: {}, userinfo: {}, forged: false, metadata: {}, refusedScopes: [] })
})

const person = (name: string, more: object = {}) => ({
  sub: `sub-${name}`,
  email: `${name}@company.example`,
  email_verified: true,
  ...more,
})

async function serverFor(groups: string[], groupsClaim = 'groups', { deps } = app) {
  const company = companyOf(provider, { groups, groupsClaim })
  return buildServer({ ...deps, company: openCompany(company), settings: { ...deps.settings, company } })
}

/** To the provider and back, as a browser goes. */
async function begin(at = server, next = '/keys') {
  const away = await at.inject({ method: 'GET', url: `/sign-in/company?next=${encodeURIComponent(next)}` })
  const [cookie = ''] = cookiesOf(away)
  return { cookie, to: String(away.headers.location) }
}
async function signIn(at = server, next?: string) {
  const { cookie, to } = await begin(at, next)
  const back = (await provider.visit(to)).slice(ORIGIN.length)
  return { back, cookie, answer: await at.inject({ method: 'GET', url: back, headers: { cookie } }) }
}
async function emailOf(answer: { headers: Record<string, unknown> }): Promise<string> {
  const cookie = cookiesOf(answer).find((pair) => /^ken_session=./.test(pair)) ?? ''
  const headers = { cookie, origin: ORIGIN }
  const traded = await server.inject({ method: 'POST', url: '/session/token', headers })
  const { access_token } = traded.json() as { access_token?: string }
  if (!access_token) return ''
  const authorization = `Bearer ${access_token}`
  return (await server.inject({ method: 'GET', url: '/v1/me', headers: { authorization } })).json().email
}

test('the provider gets state, nonce and PKCE, and the browser a cookie with the state', async () => {
  const { cookie, to } = await begin()
  const asked = new URL(to).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: 'kenning',
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${ORIGIN}/sign-in/company/return`,
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThan(40)
  for (const name of ['state', 'nonce']) expect(cookie).not.toContain(asked.get(name))
  const far = await server.inject({ method: 'GET', url: `/sign-in/company?next=/${'x'.repeat(3000)}` })
  expect([far.statusCode, far.body]).toEqual([422, expect.stringContaining('sign in first')])
})

test('an account is created for a verified address, found again by its subject, and redirected to where it was going', async () => {
  provider.person = person('ada')
  const { answer } = await signIn()
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `${ORIGIN}/keys`])
  expect(await emailOf(answer)).toBe('ada@company.example')
  // The provider gave her another address: she stays who she is here.
  provider.person = { ...person('ada'), email: 'ada.new@company.example' }
  expect(await emailOf((await signIn()).answer)).toBe('ada@company.example')
  const acts = await activityOf(app.deps.db, null)
  expect(acts.filter(({ action }) => action === 'sign_in').at(-1)?.detail).toEqual({ by: 'company' })
  const elsewhere = await signIn(server, '//evil.example/')
  expect(elsewhere.answer.headers.location).toBe(`${ORIGIN}/`)
})

test('ten concurrent sign-ins of a new user create one account and ten sessions', async () => {
  provider.person = person('grace')
  const all = await Promise.all(Array.from({ length: 10 }, () => signIn()))
  const emails = await Promise.all(all.map(({ answer }) => emailOf(answer)))
  expect(new Set(emails)).toEqual(new Set(['grace@company.example']))
})

test('credentials of an account created earlier under that address are revoked', async () => {
  const squatter = await app.person()
  const cookie = await app.cookie(squatter)
  const token = await app.token(squatter)
  provider.person = { ...person('victim'), email: squatter.email }
  expect(await emailOf((await signIn()).answer)).toBe(squatter.email)
  expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
  expect((await app.send('GET', '/account/keys', undefined, { headers: { cookie } })).status).toBe(401)
  const body = { email: squatter.email, password: 'four words and a pear' }
  expect((await app.send('POST', '/session', undefined, { body })).status).toBe(401)
})

test('an address finds only the account with exactly that address, and for one identity only', async () => {
  const owner = await app.person()
  const cookie = await app.cookie(owner)
  // The same account when folded (NFKC), and another mailbox: a letter of full width, one that is not seen.
  for (const like of ['ｅxample', 'ex\u00adample', 'exa\u200bmple']) {
    provider.person = { ...person(`like-${like}`), email: owner.email.replace('example', like) }
    expect((await signIn()).answer.statusCode, like).toBe(403)
  }
  expect((await app.send('GET', '/account/keys', undefined, { headers: { cookie } })).status).toBe(200)
  // An address that the company gave to the next person is not the account of the last.
  provider.person = { ...person('last'), email: owner.email.toUpperCase() }
  expect(await emailOf((await signIn()).answer)).toBe(owner.email)
  const linked = (await activityOf(app.deps.db, null)).filter(({ action }) => action === 'account_linked')
  expect(linked.at(-1)?.subject).toBe(owner.id)
  provider.person = { ...person('next'), email: owner.email }
  expect((await signIn()).answer.statusCode).toBe(403)
})

test('an account without a password is deleted after a recent sign-in', async () => {
  provider.person = person('leaver')
  const { answer } = await signIn(server, '/settings')
  const cookie = cookiesOf(answer).find((pair) => pair.startsWith('ken_session=')) ?? ''
  const me = await server.inject({ method: 'GET', url: '/account', headers: { cookie } })
  expect(me.json()).toMatchObject({ has_password: false, company: expect.any(String) })
  const close = () => {
    const headers = { cookie, origin: ORIGIN, 'content-type': 'application/json' }
    return server.inject({ method: 'DELETE', url: '/account', headers, payload: '{}' })
  }
  await backdateSessions(app.deps.db, 601)
  const late = await close()
  expect([late.statusCode, late.body]).toEqual([403, expect.stringContaining('within ten minutes')])
  const fresh = (await signIn(server, '/settings')).answer
  const headers = { cookie: cookiesOf(fresh).at(-1) ?? '', origin: ORIGIN }
  const type = { 'content-type': 'application/json' }
  const gone = await server.inject({
    method: 'DELETE',
    url: '/account',
    headers: { ...headers, ...type },
    payload: '{}',
  })
  expect(gone.statusCode).toBe(204)
  expect((await server.inject({ method: 'GET', url: '/account/keys', headers })).statusCode).toBe(401)
})

/** The session that a one-time link makes, of a session on this server. */
async function throughLink(cookie: string): Promise<string> {
  const headers = { cookie, origin: ORIGIN }
  const url = '/account/sign-in-link'
  const made = await server.inject({ method: 'POST', url, headers, payload: {} })
  const token = new URL((made.json() as { link: string }).link).searchParams.get('token') ?? ''
  const opened = await server.inject({
    method: 'POST',
    url: '/sign-in/link',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  })
  return cookiesOf(opened).find((pair) => /^ken_session=./.test(pair)) ?? ''
}

test('a sign-in link does not stand for a recent sign-in, since only a session made it', async () => {
  provider.person = person('linked-old')
  const old = cookiesOf((await signIn()).answer).find((pair) => /^ken_session=./.test(pair)) ?? ''
  const close = (cookie: string) =>
    server.inject({ method: 'DELETE', url: '/account', headers: { cookie, origin: ORIGIN }, payload: {} })
  await backdateSessions(app.deps.db, 601)
  const cookie = await throughLink(old)
  const again = await throughLink(cookie)
  for (const one of [cookie, again]) {
    const me = await server.inject({ method: 'GET', url: '/account', headers: { cookie: one } })
    expect([me.statusCode, (await close(one)).statusCode]).toEqual([200, 403])
  }
  const recent = cookiesOf((await signIn()).answer).find((pair) => /^ken_session=./.test(pair)) ?? ''
  expect((await close(await throughLink(recent))).statusCode).toBe(204)
})

test('a session of an account without a password ends 14 days after the sign-in with the company, used or not', async () => {
  provider.person = person('fortnight')
  const cookie = cookiesOf((await signIn()).answer).find((pair) => /^ken_session=./.test(pair)) ?? ''
  const member = await app.person()
  const password = await app.cookie(member)
  const DAY = 24 * 3600
  const use = async (session: string) => {
    const headers = { cookie: session, origin: ORIGIN }
    return (await server.inject({ method: 'POST', url: '/session/token', headers })).statusCode
  }
  await backdateSessions(app.deps.db, 8 * DAY)
  const linked = await throughLink(cookie)
  expect([await use(cookie), await use(linked), await use(password)]).toEqual([200, 200, 200])
  const ends = await app.deps.db.rows<{ email: string; days: number }>(sql`
    SELECT a.email, round(extract(epoch FROM s.expires_at - now()) / 86400)::int AS days
    FROM session s JOIN account a ON a.id = s.account_id
    WHERE a.email IN ('fortnight@company.example', ${member.email}) ORDER BY days`)
  expect(ends.map(({ days }) => days)).toEqual([6, 6, 14])
  await backdateSessions(app.deps.db, 7 * DAY)
  expect([await use(cookie), await use(linked), await use(password)]).toEqual([401, 401, 200])
})

describe('scopes', () => {
  const askedAt = async (settings: Parameters<typeof companyServer>[2]) => {
    const at = await companyServer(app, provider, settings)
    await provider.visit((await at.begin()).to)
    await at.close()
    return provider.scopes
  }
  const basic = ['openid', 'email', 'profile']
  const roles = [{ group: 'staff', gives: 'administrator' as const }]

  test('groups are asked for where the provider has that scope and groups decide something', async () => {
    expect(await askedAt({ groups: ['staff'] })).toEqual(basic)
    provider.metadata = { scopes_supported: ['openid', 'email', 'groups'] }
    expect(await askedAt({ groups: ['staff'] })).toEqual([...basic, 'groups'])
    expect(await askedAt({ roles })).toEqual([...basic, 'groups'])
    expect(await askedAt({})).toEqual(basic)
    provider.metadata = { scopes_supported: 'groups' }
    expect(await askedAt({ roles })).toEqual(basic)
  })

  test('the setting decides alone, and a refusal of the provider is in the log with its code', async () => {
    provider.metadata = { scopes_supported: ['groups'] }
    expect(await askedAt({ roles, scopes: ['openid', 'email', 'User.Read'] })).toEqual([
      'openid',
      'email',
      'User.Read',
    ])
    provider.refusedScopes = ['groups']
    const at = await companyServer(app, provider, { roles })
    const { status, page } = await at.enter(person('scoped'))
    expect([status, page]).toEqual([403, expect.stringContaining('identity provider refused the sign-in')])
    expect(at.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        fields: expect.objectContaining({
          by: 'company',
          reason: 'invalid_scope',
          clientAddress: '127.0.0.1',
          requestId: expect.any(String),
        }),
        message: 'a sign-in was refused',
      },
    ])
    expect(JSON.stringify(at.lines)).not.toContain('no log may have')
    await at.close()
  })
})

describe('an address that the provider does not call verified', () => {
  const refusals = ({ lines }: Awaited<ReturnType<typeof companyServer>>) =>
    lines.flatMap(({ level, fields }) => (level === 'warn' ? [fields.reason] : []))

  test('is accepted by the setting, for a new account and for one that exists', async () => {
    const at = await companyServer(app, provider, { acceptsUnverifiedEmail: true })
    const { email_verified: _, ...unverified } = person('una')
    expect((await at.enter(unverified)).me?.email).toBe('una@company.example')
    const member = await app.person()
    const existing = person('uno', { email: member.email, email_verified: undefined })
    expect((await at.enter(existing)).me?.email).toBe(member.email)
    for (const email of [undefined, 'no address', 7])
      expect((await at.enter(person('unb', { email, email_verified: undefined }))).status).toBe(403)
    await at.close()
  })

  test('is refused in spite of the setting if the provider says that it is not verified', async () => {
    const at = await companyServer(app, provider, { acceptsUnverifiedEmail: true, groups: ['staff'] })
    const member = await app.person()
    for (const said of [false, 'false', 'no', 0, null]) {
      const explicit = person('denied', { email: member.email, email_verified: said, groups: ['staff'] })
      expect((await at.enter(explicit)).status, String(said)).toBe(403)
    }
    // The other answer of the provider says it, of the same address.
    const { email_verified: _, ...unstated } = person('denied', { email: member.email })
    provider.userinfo = { email: member.email, email_verified: false, groups: ['staff'] }
    expect((await at.enter(unstated)).status).toBe(403)
    expect(refusals(at)).toEqual(Array(6).fill('email_address_not_verified'))
    await at.close()
  })

  test('never leads to the account of an administrator', async () => {
    const at = await companyServer(app, provider, { acceptsUnverifiedEmail: true })
    const boss = await app.person()
    const cookie = await app.cookie(boss)
    await makeAdmin(app.deps.db, boss.id)
    const unstated = person('boss', { email: boss.email.toUpperCase(), email_verified: undefined })
    const { status, page } = await at.enter(unstated)
    expect([status, page]).toEqual([403, expect.stringContaining('does not confirm your email address')])
    expect(refusals(at)).toEqual(['unverified_address_of_an_administrator'])
    expect((await app.send('GET', '/account/keys', undefined, { headers: { cookie } })).status).toBe(200)
    // Verified, it does; and the next time the address no longer matters.
    expect((await at.enter({ ...unstated, email_verified: true })).me).toMatchObject({ admin: true })
    expect((await at.enter(unstated)).me).toMatchObject({ id: boss.id, admin: true })
    await at.close()
  })

  test('is not verified by what userinfo says of another address', async () => {
    const grouped = await companyServer(app, provider, { groups: ['staff'] })
    const { email_verified: _, ...unverified } = person('mixed')
    provider.userinfo = { email: 'mine@company.example', email_verified: true, groups: ['staff'] }
    expect((await grouped.enter(unverified)).status).toBe(403)
    provider.userinfo = { email: unverified.email, email_verified: true, groups: ['staff'] }
    expect((await grouped.enter(unverified)).me?.email).toBe(unverified.email)
    await grouped.close()
  })
})

test('the log has the reason of each refusal and who signed in, without address, token or name', async () => {
  const at = await companyServer(app, provider, { groups: ['staff'] })
  const ada = person('logged', { groups: ['staff', 'other'] })
  const reasonOf = async (claims: object, sentence = /Ask your administrator/) => {
    const lineCount = at.lines.length
    const { status, page } = await at.enter({ ...ada, ...claims })
    expect([status, page]).toEqual([403, expect.stringMatching(sentence)])
    return at.lines.slice(lineCount).flatMap(({ level, fields }) => (level === 'warn' ? [fields.reason] : []))
  }
  expect(await reasonOf({ email_verified: false }, /does not confirm your email address/)).toEqual([
    'email_address_not_verified',
  ])
  expect(await reasonOf({ email: undefined }, /does not send a valid email address/)).toEqual([
    'no_email_address',
  ])
  expect(await reasonOf({ email: 'none' }, /does not send a valid email address/)).toEqual([
    'email_address_not_valid',
  ])
  const { me } = await at.enter(ada)
  expect(at.lines.find(({ message }) => message === 'signed in')).toMatchObject({
    level: 'info',
    fields: { by: 'company', account: me?.id, clientAddress: '127.0.0.1' },
  })
  expect(await reasonOf({ groups: ['other'] })).toEqual(['not_in_an_allowed_group'])
  expect(at.lines.at(-2)?.fields).toMatchObject({ account: me?.id, groups: 1 })
  expect(await reasonOf({ sub: 'another', email: ada.email })).toEqual(['address_of_another_company_user'])
  await setStatus(app.deps.db, me?.id ?? '', 'suspended')
  expect(await reasonOf({})).toEqual(['suspended'])
  const acts = await activityOf(app.deps.db, null)
  expect(acts.at(-1)?.detail).toEqual({ by: 'company', reason: 'suspended' })
  const text = JSON.stringify(at.lines)
  for (const unsaid of ['company.example', 'sub-logged', 'an-access-token', 'a-secret-of-the-client'])
    expect(text).not.toContain(unsaid)
  await at.close()
})

describe('is refused', () => {
  const refused = async (at = server) => {
    const { answer } = await signIn(at)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(cookiesOf(answer).some((pair) => pair.startsWith('ken_session='))).toBe(false)
    return answer.statusCode
  }

  test('without a verified address', async () => {
    for (const more of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      provider.person = person('unknown', more)
      expect(await refused()).toBe(403)
    }
    provider.person = person('odd', { email: 'no address' })
    expect(await refused()).toBe(403)
  })

  test('when suspended, however the account was found', async () => {
    const suspended = await app.person()
    await setStatus(app.deps.db, suspended.id, 'suspended')
    provider.person = { ...person('gone'), email: suspended.email }
    expect(await refused()).toBe(403)
    provider.person = person('left')
    await signIn()
    const last = (await activityOf(app.deps.db, null)).at(-1)
    await setStatus(app.deps.db, last?.subject ?? '', 'suspended')
    expect(await refused()).toBe(403)
  })

  test('for a response that another browser requested, that is repeated, or that was altered', async () => {
    provider.person = person('mallory')
    const { back, cookie } = await signIn()
    const at = (url: string, cookie?: string) =>
      server.inject({ method: 'GET', url, ...(cookie ? { headers: { cookie } } : {}) })
    expect((await at(back, cookie)).statusCode).toBe(403)
    const one = await begin()
    const returned = (await provider.visit(one.to)).slice(ORIGIN.length)
    expect((await at(returned)).statusCode).toBe(403)
    expect((await at(returned, (await begin()).cookie)).statusCode).toBe(403)
    expect((await at('/sign-in/company/return', one.cookie)).statusCode).toBe(403)
    expect((await at(returned.replace(/code=\w+/, 'code=x'), one.cookie)).statusCode).toBe(403)
    const denied = await begin()
    const state = new URL(denied.to).searchParams.get('state')
    const error = `/sign-in/company/return?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
    expect((await at(error, denied.cookie)).statusCode).toBe(403)
  })

  test('when the token is from another issuer, for another audience or nonce, or expired', async () => {
    provider.person = person('mallory')
    for (const wrong of [
      { aud: 'somebody-else' },
      { iss: 'https://evil.example' },
      { nonce: 'another' },
      { sub: '' },
    ]) {
      provider.wrong = wrong
      expect(await refused(), JSON.stringify(wrong)).toBe(503)
    }
    provider.wrong = {}
    provider.forged = true
    expect(await refused()).toBe(503)
  })

  test('outside the allowed groups, which are checked at each sign-in', async () => {
    const grouped = await serverFor(['staff', 'board'])
    provider.person = person('bob', { groups: ['staff', 'other'] })
    expect((await signIn(grouped)).answer.statusCode).toBe(303)
    for (const groups of [['other'], [], 'other', undefined, ['STAFF']]) {
      provider.person = person('bob', { groups })
      expect(await refused(grouped), String(groups)).toBe(403)
    }
    provider.userinfo = { groups: ['board'] }
    provider.person = person('bob')
    expect((await signIn(grouped)).answer.statusCode).toBe(303)
    await grouped.close()
    const hosted = await serverFor(['company.example'], 'hd')
    provider.person = person('eve', { hd: 'company.example' })
    expect((await signIn(hosted)).answer.statusCode).toBe(303)
    await hosted.close()
  })

  test('where it is not configured, and for the first account', async () => {
    const plain = await app.server.inject({ method: 'GET', url: '/sign-in/company' })
    expect(plain.statusCode).toBe(403)
    const empty = await testApp()
    const fresh = await serverFor([], 'groups', empty)
    provider.person = person('early')
    expect(await refused(fresh)).toBe(403)
    await fresh.close()
    await empty.close()
  })
})
