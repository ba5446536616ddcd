// The settings pages and the pages behind links, used like a browser without JavaScript does.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { makeAdmin, selectMemberRole } from '../support/rows.sql.ts'

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
const csrfIn = (page: string): string => /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
const post = (url: string, fields: [string, string][], as: string | undefined, origin = ORIGIN) =>
  app.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...(as ? { cookie: as } : {}) },
    payload: new URLSearchParams(fields).toString(),
  })
/** Opens the page and presses a button of it. */
async function press(url: string, fields: Record<string, string | string[]>, as = cookie) {
  const csrf = csrfIn((await open(url, as)).body)
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  return post(url, [['csrf', csrf], ...pairs], as)
}
const tokenIn = (page: string): string => /\?token=([\w-]{43})/.exec(page)?.[1] ?? ''

const PAGES = [
  '/settings',
  '/settings/keys',
  '/settings/connections',
  '/settings/workspaces',
  '/settings/people',
]

describe('every page', () => {
  test('exists, redirects to sign-in and back, and contains no script', async () => {
    const pages = [...PAGES, `/settings/workspaces/${await app.workspace(admin)}`]
    for (const url of pages) {
      const page = await open(url)
      expect([page.statusCode, page.headers['content-type']], url).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.body).not.toMatch(/<script|javascript:| style=| on\w+=/)
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      const stranger = await open(url, '')
      expect([stranger.statusCode, stranger.headers.location]).toEqual([
        303,
        `/sign-in?next=${encodeURIComponent(url)}`,
      ])
    }
    for (const url of ['/', '/account']) expect((await open(url)).headers.location).toBe('/settings')
  })

  test('accepts only forms of this origin and session that name an action', async () => {
    for (const url of PAGES.filter((url) => url !== '/settings/workspaces')) {
      const csrf = csrfIn((await open('/settings')).body)
      const other = csrfIn((await open('/settings', await app.cookie(admin))).body)
      const good: [string, string][] = [
        ['csrf', csrf],
        ['do', 'nothing'],
      ]
      expect((await post(url, good, cookie)).statusCode).toBe(400)
      expect((await post(url, good, cookie, 'https://evil.example')).statusCode).toBe(403)
      expect((await post(url, [['do', 'nothing']], cookie)).statusCode).toBe(403)
      expect((await post(url, [['csrf', other]], cookie)).statusCode).toBe(403)
      expect((await post(url, good, undefined)).statusCode).toBe(303)
    }
  })

  test('that does not exist is an HTML page for browsers and JSON for programs', async () => {
    const at = (url: string, accept: string) => app.server.inject({ method: 'GET', url, headers: { accept } })
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
    for (const url of ['/settings/nothing', '/nowhere?x=1']) {
      const page = await at(url, browser)
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.body).toContain('href="/settings"')
      expect((await at(url, '*/*')).json()).toMatchObject({ error: { type: 'not_found' } })
    }
    for (const url of ['/v1', '/v1/nothing', '/v1?x=1'])
      expect((await at(url, browser)).json()).toMatchObject({ error: { type: 'not_found' } })
  })

  test('for administrators is hidden from other users', async () => {
    const other = await app.cookie(await app.person())
    const refused = await open('/settings/people', other)
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain('href="/settings"')
    expect((await open('/settings', other)).body).not.toContain('/settings/people')
  })
})

test('an API key is created, shown once, listed and revoked', async () => {
  const id = await app.workspace(admin, 'Con<b>tracts')
  const none = await press('/settings/keys', { do: 'make', name: 'Script <1>', days: '30' })
  expect(none.statusCode).toBe(422)
  expect(none.body).toContain('Choose at least one workspace')
  expect(none.body).not.toContain('array')
  // What was filled in stands there still.
  expect(none.body).toContain('value="Script &lt;1&gt;"')
  expect(none.body).toContain('<option value="30" selected>')
  const made = await press('/settings/keys', {
    do: 'make',
    name: '<i>Script',
    workspace: [id],
    days: '30',
  })
  expect(made.statusCode).toBe(200)
  const key = /ken_mcp_[\w-]{43}/.exec(made.body)?.[0] ?? ''
  expect((await app.send('GET', '/v1/me', key)).status).toBe(200)
  const page = (await open('/settings/keys')).body
  expect(page).not.toContain(key)
  expect(page).toContain('&lt;i&gt;Script')
  expect(page).toContain('Con&lt;b&gt;tracts')
  const keyId = /name="id" value="([^"]+)"/.exec(page)?.[1] ?? ''
  expect((await press('/settings/keys', { do: 'revoke', id: keyId })).statusCode).toBe(303)
  expect((await app.send('GET', '/v1/me', key)).status).toBe(401)
  for (const id of [keyId, 'x', ''])
    expect((await press('/settings/keys', { do: 'revoke', id })).statusCode).toBe(404)
})

test('a connection is listed and revoked', async () => {
  const token = await app.token(admin, { clientId: 'client-of-an-assistant' })
  const page = await open('/settings/connections')
  expect(page.body).toContain('client-of-an-assistant')
  const id = /name="id" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const other = await app.cookie(await app.person())
  const csrf = csrfIn((await open('/settings', other)).body)
  const stolen = [
    ['csrf', csrf],
    ['do', 'revoke'],
    ['id', id],
  ] as [string, string][]
  expect((await post('/settings/connections', stolen, other)).statusCode).toBe(404)
  expect((await app.send('GET', '/v1/me', token)).status).toBe(200)
  expect((await press('/settings/connections', { do: 'revoke', id })).statusCode).toBe(303)
  expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
})

test('owners add, change and remove members; others may leave', async () => {
  const id = await app.workspace(admin)
  const url = `/settings/workspaces/${id}`
  const person = await app.person()
  const theirs = await app.cookie(person)
  expect((await open(url, theirs)).statusCode).toBe(404)
  const unknown = await press(url, { do: 'put', email: 'nobody@example.org', role: 'viewer' })
  expect([unknown.statusCode, unknown.body.includes('invite them first')]).toEqual([404, true])
  expect((await press(url, { do: 'put', email: person.email, role: 'editor' })).statusCode).toBe(303)
  expect(await selectMemberRole(app.deps.db, id, person.id)).toBe('editor')
  const seen = await open(url, theirs)
  expect(seen.body).toContain('Leave this workspace')
  expect(seen.body).not.toContain(admin.email)
  expect((await press(url, { do: 'remove', user_id: admin.id })).statusCode).toBe(422)
  const left = await press(url, { do: 'remove', user_id: person.id }, theirs)
  expect(left.headers.location).toBe('/settings/workspaces')
  expect(await selectMemberRole(app.deps.db, id, person.id)).toBeUndefined()
})

test('an invitation is created, opened and accepted, and signs in', async () => {
  const made = await press('/settings/people', { do: 'invite', email: '' })
  const token = tokenIn(made.body)
  expect((await open('/settings/people')).body).not.toContain(token)
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
  expect([good.statusCode, good.headers.location]).toEqual([303, '/account'])
  const theirs = String(good.headers['set-cookie']).split(';')[0]
  expect((await open('/settings', theirs)).body).toContain('new@example.org')
  for (const url of [`/invitation?token=${token}`, '/invitation?token=x', '/invitation'])
    expect((await open(url, '')).statusCode).toBe(404)
})

test('users are suspended and restored, and get a password reset link that works on its page', async () => {
  const person = await app.person()
  const act = (fields: Record<string, string>) => press('/settings/people', { id: person.id, ...fields })
  expect((await act({ do: 'update', status: 'suspended' })).statusCode).toBe(303)
  expect((await act({ do: 'reset' })).statusCode).toBe(404)
  expect((await act({ do: 'update', status: 'active' })).statusCode).toBe(303)
  const last = await press('/settings/people', { do: 'update', id: admin.id, admin: 'false' })
  expect([last.statusCode, last.body.includes('only administrator')]).toEqual([422, true])
  const token = tokenIn((await act({ do: 'reset' })).body)
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

test('own account: changing the password, signing out everywhere, deleting it', async () => {
  const person = await app.person()
  let theirs = await app.cookie(person)
  const password = 'four words and a pear'
  const change = (fields: Record<string, string>) => press('/settings', { do: 'change', ...fields }, theirs)
  expect((await change({ password, new_password: NEW, repeated: 'x' })).statusCode).toBe(422)
  expect((await change({ password: 'wrong', new_password: NEW, repeated: NEW })).statusCode).toBe(403)
  const changed = await change({ password, new_password: NEW, repeated: NEW })
  expect([changed.statusCode, changed.body.includes('Your password has been changed')]).toEqual([200, true])
  const out = await press('/settings', { do: 'sign-out' }, theirs)
  expect([out.headers.location, String(out.headers['set-cookie'])]).toEqual([
    '/sign-in',
    expect.stringContaining('ken_session=; Max-Age=0'),
  ])
  expect((await open('/settings', theirs)).statusCode).toBe(303)
  theirs = await app.cookie(person)
  expect((await press('/settings', { do: 'close', password: 'wrong' }, theirs)).statusCode).toBe(403)
  expect((await press('/settings', { do: 'close', password: NEW }, theirs)).headers.location).toBe('/sign-in')
  expect((await open('/settings', theirs)).statusCode).toBe(303)
})

describe('requests that no browser sends', () => {
  const NUL = '\0'
  const DASHES = '-'.repeat(36)

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

  test.each([
    ['/settings/keys', 'revoke', 'id'],
    ['/settings/connections', 'revoke', 'id'],
    ['/settings/people', 'withdraw', 'id'],
    ['/settings/people', 'update', 'id'],
    ['/settings/people', 'reset', 'id'],
  ])('%s: %s with an invalid id is 404', async (url, act, name) => {
    const csrf = csrfIn((await open('/settings')).body)
    const sent = { csrf, do: act, [name]: DASHES }
    expect((await post(url, Object.entries(sent), cookie)).statusCode).toBe(404)
  })

  test('an invalid member id is 404, and an invalid position in the list is ignored', async () => {
    const url = `/settings/workspaces/${await app.workspace(admin)}`
    expect((await press(url, { do: 'remove', user_id: DASHES })).statusCode).toBe(404)
    expect((await open(`/settings/people?after=${DASHES}`)).statusCode).toBe(200)
  })

  test.each(['__proto__', 'constructor', 'toString'])('there is no action called %s', async (act) => {
    expect((await press('/settings/keys', { do: act })).statusCode).toBe(400)
  })
})
