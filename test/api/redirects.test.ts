// Redirect URLs contain untrusted input: however long it is, response headers stay within what HTTP clients accept.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import { countOf } from '../support/rows.sql.ts'

let app: TestApp
let person: Person
let cookie: string
const consoleDir = mkdtempSync(join(tmpdir(), 'kenning-console-'))
beforeAll(async () => {
  writeFileSync(join(consoleDir, 'index.html'), '<!doctype html>')
  app = await testApp({ consoleDir })
  person = await app.person()
  cookie = await app.cookie(person)
})
afterAll(async () => {
  await app.close()
  rmSync(consoleDir, { recursive: true })
})

const ORIGIN = 'http://127.0.0.1:8484'
const READ = 16 * 1024

async function ask(method: 'GET' | 'POST', url: string, form?: Record<string, string>, as?: string) {
  const { statusCode, headers, body } = await app.server.inject({
    method,
    url,
    headers: {
      origin: ORIGIN,
      ...(as && { cookie: as }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })
  const size = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length + 4,
    0,
  )
  expect(size, url.slice(0, 60)).toBeLessThan(READ)
  return { status: statusCode, to: headers.location, body }
}

test('a sign-in with a `next` that is too long is rejected, or redirects to the start page', async () => {
  for (const url of [`/oauth/authorize?state=${'('.repeat(7_900)}`, `/settings?x=${'%25'.repeat(10_000)}`]) {
    const answer = await ask('GET', url)
    expect([answer.status, answer.to]).toEqual([400, undefined])
    expect(answer.body).toContain('too long')
  }
  const form = { email: person.email, password: PASSWORD, next: `/settings?x=${'a'.repeat(28_000)}` }
  expect(await ask('POST', '/sign-in', form)).toMatchObject({ status: 303, to: `${ORIGIN}/` })
})

test('a state that is too long to be returned is rejected before consent', async () => {
  const registered = await app.server.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { client_name: 'Long', redirect_uris: ['http://127.0.0.1:7777/cb'] },
  })
  const { client_id } = registered.json<{ client_id: string }>()
  const asked = {
    client_id,
    redirect_uri: 'http://127.0.0.1:7777/cb',
    response_type: 'code',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  const page = await ask(
    'GET',
    `/oauth/authorize?${new URLSearchParams({ ...asked, state: 's' })}`,
    undefined,
    cookie,
  )
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const consent = (state: string) =>
    ask('POST', '/oauth/consent', { ...asked, csrf, state, decision: 'allow' }, cookie)
  const before = await countOf(app.deps.db, 'token_grant')
  for (const state of ['s'.repeat(12_000), "'".repeat(5_000), 's'.repeat(50_000)]) {
    const answer = await consent(state)
    expect([answer.status, answer.to]).toEqual([400, undefined])
    expect(answer.body).toContain('are too long')
  }
  expect(await countOf(app.deps.db, 'token_grant')).toBe(before)
  expect((await consent('s'.repeat(11_000))).status).toBe(303)
})
