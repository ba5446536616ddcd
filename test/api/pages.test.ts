// The plain pages: behind links, and where there is nothing; used like a browser without JavaScript does.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { makeAdmin } from '../support/rows.sql.ts'

let app: TestApp
let admin: Person
let cookie: string
beforeAll(async () => {
  app = await testApp()
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  cookie = await app.cookie(admin)
})
afterAll(() => app.close())

const ORIGIN = 'http://127.0.0.1:8484'
const NEW = 'five other words for a pear'

const open = (url: string, as: string | undefined = cookie) =>
  app.server.inject({ method: 'GET', url, headers: as ? { cookie: as } : {} })
const post = (url: string, fields: [string, string][], as: string | undefined, origin = ORIGIN) =>
  app.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...(as ? { cookie: as } : {}) },
    payload: new URLSearchParams(fields).toString(),
  })
/** What an administrator makes by a JSON route. */
async function created(url: string, body?: object): Promise<{ link: string }> {
  const headers = { cookie, origin: ORIGIN }
  const answer = await app.send('POST', url, undefined, { headers, ...(body ? { body } : {}) })
  expect(answer.status).toBe(201)
  return bodyOf(answer)
}
const tokenIn = (page: string): string => /\?token=([\w-]{43})/.exec(page)?.[1] ?? ''

describe('every page', () => {
  test('contains no script, and cannot be framed', async () => {
    const { link } = await created('/account/invitations', {})
    const { id: other } = await app.person()
    const { link: reset } = await created(`/account/users/${other}/reset`)
    for (const url of ['/sign-in', '/reset', '/setup', '/', link, reset]) {
      const page = await open(url.replace(ORIGIN, ''), '')
      expect(page.headers['content-type'], url).toBe('text/html; charset=utf-8')
      expect(page.body).not.toMatch(/<script|javascript:| style=| on\w+=/)
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })

  test('that does not exist is an HTML page for browsers and JSON for programs', async () => {
    const at = (url: string, accept: string) => app.server.inject({ method: 'GET', url, headers: { accept } })
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['/settings/keys', '/nowhere?x=1']) {
      const page = await at(url, browser)
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.body).toContain('href="/"')
      expect((await at(url, '*/*')).json()).toMatchObject({ error: { type: 'not_found' } })
    }
    for (const url of ['/v1', '/v1/nothing', '/v1?x=1'])
      expect((await at(url, browser)).json()).toMatchObject({ error: { type: 'not_found' } })
  })
})

test('an invitation is created, opened and accepted, and signs in', async () => {
  const token = tokenIn((await created('/account/invitations', {})).link)
  expect((await open('/account/invitations')).body).not.toContain(token)
  expect((await open(`/invitation?token=${token}`, '')).statusCode).toBe(200)
  const accept = (fields: Record<string, string>, origin = ORIGIN) =>
    post('/invitation', Object.entries({ token, email: 'new@example.org', ...fields }), undefined, origin)
  expect((await accept({ password: NEW, repeated: NEW }, 'https://evil.example')).statusCode).toBe(403)
  const wrong = [
    { password: NEW, repeated: `${NEW}!` },
    { password: 'short', repeated: 'short' },
    { password: NEW, repeated: NEW, email: 'x' },
    { password: NEW, repeated: NEW, email: admin.email },
  ]
  for (const fields of wrong) {
    const answer = await accept(fields)
    expect([answer.statusCode, answer.body.includes('role="alert"')], JSON.stringify(fields)).toEqual([
      422,
      true,
    ])
    expect(answer.body).not.toContain(NEW)
  }
  const good = await accept({ password: NEW, repeated: NEW })
  expect([good.statusCode, good.headers.location]).toEqual([303, '/'])
  const theirs = String(good.headers['set-cookie']).split(';')[0]
  expect((await open('/account', theirs)).json()).toMatchObject({ email: 'new@example.org', admin: false })
  for (const url of [`/invitation?token=${token}`, '/invitation?token=x', '/invitation'])
    expect((await open(url, '')).statusCode).toBe(404)
})

test('an invitation says who invites and to what, and does not ask for an address that it has', async () => {
  const workspace_id = await app.workspace(admin, 'Harbour <b>papers</b>')
  const email = 'guest@example.org'
  const token = tokenIn((await created('/account/invitations', { email, workspace_id, role: 'editor' })).link)
  const page = (await open(`/invitation?token=${token}`, '')).body
  expect(page).toContain(`${admin.email} invites you to the workspace “Harbour &lt;b&gt;papers&lt;/b&gt;”`)
  expect(page).toContain('add, change and delete documents')
  expect(page).toContain('Kenning searches documents')
  expect(page).toContain(`<strong>${email}</strong>`)
  expect(page).not.toContain('type="email"')
  // Whatever address is sent, the account is of the invited one.
  const fields: [string, string][] = [
    ['token', token],
    ['email', 'other@example.org'],
    ['password', NEW],
    ['repeated', NEW],
  ]
  const done = await post('/invitation', fields, undefined)
  expect(done.statusCode).toBe(303)
  const theirs = String(done.headers['set-cookie']).split(';')[0]
  expect((await open('/account', theirs)).json()).toMatchObject({ email })
  // The workspace is not named to whoever would not join it.
  const orphan = tokenIn((await created('/account/invitations', { workspace_id })).link)
  await app.member(workspace_id, admin, 'viewer')
  expect((await open(`/invitation?token=${orphan}`, '')).body).not.toContain('Harbour')
})

test('a password reset link works on its page, once', async () => {
  const person = await app.person()
  const token = tokenIn((await created(`/account/users/${person.id}/reset`)).link)
  expect((await open(`/reset?token=${token}`, '')).statusCode).toBe(200)
  const set = (fields: Record<string, string>) =>
    post('/reset', Object.entries({ token, ...fields }), undefined)
  expect((await set({ password: NEW, repeated: 'another' })).statusCode).toBe(422)
  const done = await set({ password: NEW, repeated: NEW })
  expect([done.statusCode, done.headers.location]).toEqual([303, '/sign-in'])
  expect((await set({ password: NEW, repeated: NEW })).statusCode).toBe(404)
  const body = { email: person.email, password: NEW }
  expect((await app.send('POST', '/session', undefined, { body })).status).toBe(204)
  expect((await open('/reset', '')).body).toContain('Ask the administrator')
})

test('the account says who is signed in and how this server is reached, and nothing to strangers', async () => {
  expect((await open('/account')).json()).toEqual({
    id: admin.id,
    email: admin.email,
    admin: true,
    language: null,
    has_password: true,
    company: null,
    sends_mail: false,
    api_url: `${ORIGIN}/v1`,
    mcp_url: `${ORIGIN}/v1/mcp`,
  })
  expect((await open('/account', '')).statusCode).toBe(401)
})

describe('requests that no browser sends', () => {
  const NUL = '\0'

  test.each([
    ['/sign-in', 'email', 422],
    ['/reset', 'email', 422],
    ['/invitation', 'token', 422],
    ['/oauth/token', 'client_id', 400],
    ['/oauth/revoke', 'client_id', 400],
  ])('%s with a NUL in %s is rejected', async (url, field, status) => {
    const fields: [string, string][] = [
      ['grant_type', 'refresh_token'],
      ['token', 'x'],
      ['password', 'x'],
    ]
    const sent = [...fields.filter(([name]) => name !== field), [field, `a${NUL}b`] as [string, string]]
    expect((await post(url, sent, undefined)).statusCode).toBe(status)
  })

  test.each([
    ['/session', 401],
    ['/account/reset', 403], // there is no mail server
  ])('%s with a NUL in the email address finds nobody', async (url, status) => {
    const answer = await app.send('POST', url, undefined, { body: { email: `a${NUL}b`, password: 'x' } })
    expect(answer.status).toBe(status)
  })
})
