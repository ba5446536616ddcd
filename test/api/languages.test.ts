// The language of an account: chosen by its person alone.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/messages/messages.ts'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const ORIGIN = 'http://127.0.0.1:8484'
const call = (method: string, path: string, cookie: string | undefined, body?: unknown) =>
  app.send(method, path, undefined, {
    ...(body === undefined ? {} : { body }),
    headers: { origin: ORIGIN, ...(cookie === undefined ? {} : { cookie }) },
  })

test('the account has the language that its person chose, or that of the browser', async () => {
  const cookie = await app.cookie(await app.person())
  const other = await app.cookie(await app.person())
  for (const language of [...LANGUAGES, null]) {
    const changed = await call('PATCH', '/account', cookie, { language })
    expect([changed.status, changed.body]).toMatchObject([200, { language }])
    expect((await call('GET', '/account', cookie)).body).toEqual(changed.body)
    expect((await call('GET', '/account', other)).body).toMatchObject({ language: null })
  }
})

test('a language without texts is refused, and so are strangers and pages of other origins', async () => {
  const cookie = await app.cookie(await app.person())
  for (const body of [{ language: 'it' }, { language: '' }, {}])
    expect((await call('PATCH', '/account', cookie, body)).status).toBe(422)
  expect((await call('PATCH', '/account', undefined, { language: 'de' })).status).toBe(401)
  const foreign = { headers: { cookie, origin: 'https://evil.example' }, body: { language: 'de' } }
  expect((await app.send('PATCH', '/account', undefined, foreign)).status).toBe(403)
  expect((await call('GET', '/account', cookie)).body).toMatchObject({ language: null })
})
