// The language of an account, of the pages without the console, and of mails.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/messages/messages.ts'
import { openMail } from '../../src/ports/mail/mail.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type MailServer, mailServer } from '../support/mail-server.ts'
import { makeAdmin } from '../support/rows.sql.ts'

let app: TestApp
let post: MailServer
beforeAll(async () => {
  app = await testApp()
  post = await mailServer()
  app.deps.mail = await openMail(post.url, 'Kenning <kenning@example.org>')
})
afterAll(async () => {
  await app.close()
  await post.close()
})

const ORIGIN = 'http://127.0.0.1:8484'
const call = (
  method: string,
  path: string,
  cookie: string | undefined,
  { body, accept = 'en' }: { body?: unknown; accept?: string } = {},
) =>
  app.send(method, path, undefined, {
    ...(body === undefined ? {} : { body }),
    headers: { origin: ORIGIN, 'accept-language': accept, ...(cookie === undefined ? {} : { cookie }) },
  })
const page = (url: string, accept: string | undefined) =>
  app.server.inject({
    method: 'GET',
    url,
    headers: { accept: 'text/html', ...(accept === undefined ? {} : { 'accept-language': accept }) },
  })

test('the account has the language that its person chose, or that of the browser', async () => {
  const cookie = await app.cookie(await app.person())
  const other = await app.cookie(await app.person())
  for (const language of [...LANGUAGES, null]) {
    const changed = await call('PATCH', '/account', cookie, { body: { language } })
    expect([changed.status, changed.body]).toMatchObject([200, { language }])
    expect((await call('GET', '/account', cookie)).body).toEqual(changed.body)
    expect((await call('GET', '/account', other)).body).toMatchObject({ language: null })
  }
})

test('a language without texts is refused, and so are strangers and pages of other origins', async () => {
  const cookie = await app.cookie(await app.person())
  for (const body of [{ language: 'it' }, { language: '' }, {}])
    expect((await call('PATCH', '/account', cookie, { body })).status).toBe(422)
  expect((await call('PATCH', '/account', undefined, { body: { language: 'de' } })).status).toBe(401)
  const foreign = { headers: { cookie, origin: 'https://evil.example' }, body: { language: 'de' } }
  expect((await app.send('PATCH', '/account', undefined, foreign)).status).toBe(403)
  expect((await call('GET', '/account', cookie)).body).toMatchObject({ language: null })
})

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Passwort vergessen?'],
  ['it,fr-CA;q=0.7,en;q=0.2', 'fr', 'Mot de passe oublié\u00a0?'],
  ['en;q=0.1,es', 'es', '¿Ha olvidado su contraseña?'],
  ['ja', 'ja', 'パスワードをお忘れですか？'],
  ['en-GB,de;q=0.9', 'en', 'Forgot your password?'],
  ['it', 'en', 'Forgot your password?'],
  [undefined, 'en', 'Forgot your password?'],
])('a page is in the language that the browser accepts: %s', async (accept, language, text) => {
  const { headers, body } = await page('/sign-in', accept)
  expect(headers).toMatchObject({ 'content-language': language, vary: 'accept-language' })
  expect(body).toContain(`<html lang="${language}">`)
  expect(body).toContain(text)
})

test('what is wrong is said in the language of the page: in a form, behind a link and where nothing is', async () => {
  const submit = (url: string, fields: Record<string, string>) =>
    app.server.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: ORIGIN,
        'accept-language': 'de',
      },
      payload: new URLSearchParams(fields).toString(),
    })
  const { email } = await app.person()
  const wrong = await submit('/sign-in', { email, password: 'not the password' })
  expect([wrong.statusCode, wrong.body]).toEqual([
    401,
    expect.stringContaining('Die E-Mail-Adresse oder das Passwort ist falsch.'),
  ])
  const boss = await app.person()
  await makeAdmin(app.deps.db, boss.id)
  const made = await call('POST', '/account/invitations', await app.cookie(boss), { body: {} })
  const token = new URL((made.body as { link: string }).link).searchParams.get('token') ?? ''
  const invalid = { token, email: 'nobody', password: 'a', repeated: 'a' }
  expect((await submit('/invitation', invalid)).body).toContain(
    'Prüfen Sie „E-Mail-Adresse“: Das ist keine gültige E-Mail-Adresse',
  )
  const short = { token, email: 'somebody@example.org', password: 'a', repeated: 'a' }
  expect((await submit('/invitation', short)).body).toContain('Das Passwort muss mindestens 12 Zeichen haben')
  expect((await page('/invitation?token=x', 'de')).body).toContain('Dieser Link ist nicht mehr gültig')
  expect((await page('/nowhere', 'de')).body).toContain('Unter dieser Adresse gibt es keine Seite.')
  // The waiting time is told as well.
  const all = await Promise.all(
    Array.from({ length: 12 }, () => submit('/sign-in', { email, password: 'not the password' })),
  )
  const limited = all.find(({ statusCode }) => statusCode === 429)
  expect(limited?.body).toMatch(/Versuchen Sie es in [\d.]+ Sekunden noch einmal\./)
})

test('a mail is in the language of its receiver, and one to a stranger in that of its sender', async () => {
  const person = await app.person()
  const reset = async (accept: string): Promise<string> => {
    const body = { email: person.email }
    expect((await call('POST', '/account/reset', undefined, { body, accept })).status).toBe(204)
    return (await post.next()).text
  }
  expect(await reset('fr')).toContain('Le lien fonctionne une seule fois, pendant une heure')
  const language = { body: { language: 'es' } }
  expect((await call('PATCH', '/account', await app.cookie(person), language)).status).toBe(200)
  expect(await reset('fr')).toContain('El enlace funciona una sola vez, durante una hora')

  await makeAdmin(app.deps.db, person.id)
  const cookie = await app.cookie(person)
  const invite = async (accept: string): Promise<string> => {
    const body = { email: `guest-${accept}@example.org` }
    expect((await call('POST', '/account/invitations', cookie, { body, accept })).status).toBe(201)
    return (await post.next()).text
  }
  expect(await invite('de')).toContain('le invita a Kenning')
  const browsers = { body: { language: null } }
  expect((await call('PATCH', '/account', cookie, browsers)).status).toBe(200)
  expect(await invite('fr')).toContain('vous invite à utiliser Kenning')
})
