// First run: the setup link leads to an account, signed in; one-time links open the console elsewhere; the example library
// is an upload like any other.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedAccounts } from '../../src/accounts/accounts.ts'
import { redeemSignInLink } from '../../src/accounts/sign-in-links.ts'
import { examplesFolder } from '../../src/ingest/examples.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { bodyOf, PASSWORD, type TestApp, testApp } from '../support/app.ts'
import { cookieOf, hiddenOf, openTab } from '../support/oauth.ts'
import { countOf } from '../support/rows.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const ORIGIN = 'http://127.0.0.1:8484'
const FIRST = 'first@example.org'

test('the setup link creates the first account, which is the administrator, and signs in', async () => {
  const tab = openTab(app)
  expect((await tab.get('/sign-in')).text).toContain('not set up yet')
  const old = (await seedAccounts(app.deps, undefined)).setupToken
  const token = (await seedAccounts(app.deps, undefined)).setupToken ?? ''
  for (const url of ['/setup', '/setup?token=x', `/setup?token=${old}`])
    expect((await tab.get(url)).status, url).toBe(404)
  const page = await tab.get(`/setup?token=${token}`)
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/<script|javascript:| style=| on\w+=/)
  const set = (fields: Record<string, string>, headers?: Record<string, string>) =>
    tab.post(
      '/setup',
      { ...hiddenOf(page.text), email: FIRST, repeated: fields.password, ...fields },
      headers,
    )
  expect((await set({ password: PASSWORD }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await set({ password: PASSWORD, repeated: 'another' })).status).toBe(422)
  const weak = await set({ password: 'short' })
  expect([weak.status, weak.text.includes('role="alert"'), weak.text.includes(FIRST)]).toEqual([
    422,
    true,
    true,
  ])
  expect((await set({ password: PASSWORD, token: 'x' })).status).toBe(404)
  const done = await set({ password: PASSWORD })
  expect([done.status, done.headers.location]).toEqual([303, '/'])
  const users = await openTab(app, cookieOf(done)).get('/account/users')
  expect(JSON.parse(users.text)).toMatchObject({ data: [{ email: FIRST, admin: true }] })
  // Once.
  expect((await set({ password: PASSWORD, email: 'second@example.org' })).status).toBe(404)
  expect((await tab.get(`/setup?token=${token}`)).status).toBe(404)
  expect(await countOf(app.deps.db, 'account')).toBe(1)
  expect((await tab.get('/sign-in')).text).not.toContain('not set up yet')
})

test('a one-time link signs in by its button, once, and opens its page of this origin', async () => {
  const person = await app.person()
  const cookie = await app.cookie(person)
  const make = (next: string, as = cookie, origin = ORIGIN) =>
    app.send('POST', '/account/sign-in-link', undefined, { body: { next }, headers: { cookie: as, origin } })
  for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '/a\nb', 'w'])
    expect((await make(next)).status, next).toBe(422)
  expect((await make('/', cookie, 'https://evil.example')).status).toBe(403)
  expect((await make('/', '')).status).toBe(401)
  const { link, expires_in } = bodyOf<{ link: string; expires_in: number }>(await make('/w/some?thread=1'))
  expect(expires_in).toBe(900)
  const path = link.slice(ORIGIN.length)
  const token = new URL(link).searchParams.get('token') ?? ''
  const [row] = await app.deps.db.rows<{ kept: string }>(
    sql`SELECT string_agg(l::text, ' ') AS kept FROM sign_in_link l`,
  )
  expect(row?.kept).not.toContain(token)
  const tab = openTab(app)
  // Previews open links, more than once: that uses nothing up.
  const pages = [await tab.get(path), await tab.get(path)]
  for (const page of pages) {
    expect([page.status, page.text.includes(person.email)]).toEqual([200, true])
    expect(page.headers['set-cookie']).toBeUndefined()
  }
  const fields = hiddenOf(pages[1]?.text ?? '')
  expect((await tab.post('/sign-in/link', fields, { origin: 'https://evil.example' })).status).toBe(403)
  const both = await Promise.all([tab.post('/sign-in/link', fields), tab.post('/sign-in/link', fields)])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 404])
  const opened = both.find(({ status }) => status === 303)
  expect(opened?.headers.location).toBe(`${ORIGIN}/w/some?thread=1`)
  const theirs = openTab(app, opened && cookieOf(opened))
  expect((await theirs.get('/account/keys')).status).toBe(200)
  for (const url of [path, '/sign-in/link', '/sign-in/link?token=x'])
    expect((await tab.get(url)).status).toBe(404)
})

test('a one-time link ends with the session that made it, when the account is suspended, and with time', async () => {
  const person = await app.person()
  const linkOf = async (cookie: string): Promise<string> => {
    const headers = { cookie, origin: ORIGIN }
    const answer = await app.send('POST', '/account/sign-in-link', undefined, { body: {}, headers })
    return bodyOf<{ link: string }>(answer).link.slice(ORIGIN.length)
  }
  const status = async (link: string): Promise<number> => (await openTab(app).get(link)).status
  const cookie = await app.cookie(person)
  const ended = await linkOf(cookie)
  expect(await status(ended)).toBe(200)
  await app.send('DELETE', '/session', undefined, { headers: { cookie, origin: ORIGIN } })
  expect(await status(ended)).toBe(404)
  const other = await linkOf(await app.cookie(person))
  await app.deps.db.rows(sql`UPDATE account SET status = 'suspended' WHERE id = ${person.id}`)
  expect(await status(other)).toBe(404)
  await app.deps.db.rows(sql`UPDATE account SET status = 'active' WHERE id = ${person.id}`)
  expect(await status(other)).toBe(200)
  await app.deps.db.rows(sql`UPDATE sign_in_link SET expires_at = now() - interval '1 second'`)
  expect(await status(other)).toBe(404)
  expect((await openTab(app).post('/sign-in/link', { token: other.split('=')[1] })).status).toBe(404)
})

test('a one-time link is not used up by a sign-in that fails', async () => {
  const headers = { cookie: await app.cookie(await app.person()), origin: ORIGIN }
  const answer = await app.send('POST', '/account/sign-in-link', undefined, { body: {}, headers })
  const token = new URL(bodyOf<{ link: string }>(answer).link).searchParams.get('token') ?? ''
  const { db, log } = app.deps
  const redeem = (deps: { db: Db; log: typeof log }) => redeemSignInLink(deps, token, '192.0.2.1')
  const breaking = (tx: Queryable): Queryable => ({
    ...tx,
    rows: (statement) =>
      statement.text.includes('INSERT INTO session')
        ? Promise.reject(new Error('the connection broke'))
        : tx.rows(statement),
  })
  const broken: Db = { ...db, tx: (work) => db.tx((tx) => work(breaking(tx))) }
  await expect(redeem({ db: broken, log })).rejects.toThrow('the connection broke')
  expect(await redeem({ db, log })).toMatchObject({ next: '/' })
  expect(await redeem({ db, log })).toBeUndefined()
})

test('the example library is one job of files, for those who may write', async () => {
  const owner = await app.person()
  const viewer = await app.person()
  const id = await app.workspace(owner)
  await app.member(id, viewer, 'viewer')
  const add = async (who: typeof owner, headers: Record<string, string> = {}) =>
    app.send('POST', `/v1/workspaces/${id}/examples`, await app.token(who), { headers })
  expect((await add(viewer)).status).toBe(403)
  const first = await add(owner, { 'idempotency-key': 'once' })
  expect(first.status).toBe(202)
  const job = bodyOf<{ id: string; files: { filename: string }[] }>(first)
  expect(job.files.map(({ filename }) => filename)).toContain('lease-ropewalk-yard.pdf')
  expect(job.files.map(({ filename }) => filename)).not.toContain('README.md')
  expect(job.files.length).toBe(15)
  expect(examplesFolder()).toMatch(/examples$/)
  expect(bodyOf<{ id: string }>(await add(owner, { 'idempotency-key': 'once' })).id).toBe(job.id)
})
