// The second factor over HTTP and on the pages: setting it up, signing in with it, recovery codes, and what does not get around it.

import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSession, deleteExpiredSignIns } from '../../src/accounts/sessions.ts'
import { openMail } from '../../src/ports/mail/mail.ts'
import { ABSENT, bodyOf, PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { everyRow } from '../support/every-row.ts'
import { type MailServer, mailServer } from '../support/mail-server.ts'
import {
  activityOf,
  ageFailures,
  agePending,
  forgetLastCode,
  makeAdmin,
  setStatus,
} from '../support/rows.sql.ts'

let app: TestApp
let admin: Person
let boss: string
let post: MailServer
beforeAll(async () => {
  app = await testApp()
  post = await mailServer()
  app.deps.mail = await openMail(post.url, 'Kenning <kenning@example.org>')
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  boss = await app.cookie(admin)
})
afterAll(async () => {
  await app.close()
  await post.close()
})
beforeEach(() => ageFailures(app.deps.db, 25 * 3600))

const ORIGIN = 'http://127.0.0.1:8484'
const NEW = 'five other words for a pear'
const call = (method: string, path: string, cookie?: string, body?: unknown) =>
  app.send(method, path, undefined, {
    ...(body === undefined ? {} : { body }),
    headers: { origin: ORIGIN, ...(cookie === undefined ? {} : { cookie }) },
  })
const form = (url: string, fields: Record<string, string>, cookie?: string, origin = ORIGIN) =>
  app.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...(cookie ? { cookie } : {}) },
    payload: new URLSearchParams(fields).toString(),
  })
const page = (url: string, cookie = '') => app.server.inject({ method: 'GET', url, headers: { cookie } })
const signIn = (email: string, password = PASSWORD) =>
  call('POST', '/session', undefined, { email, password })
const isIn = async (cookie: string) => (await call('GET', '/account/keys', cookie)).status === 200
/** The code of the app now, or so many half minutes later. */
const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
const WRONG = (secret: string): string =>
  String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0')
/** The cookie of this name that an answer sets. */
function cookieIn(answer: { headers: Answered['headers'] }, name: string): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String)
  return lines.find((line) => line.startsWith(`${name}=`))?.split(';')[0] ?? ''
}
const sessionIn = (answer: { headers: Answered['headers'] }) => cookieIn(answer, 'ken_session')
const pendingIn = (answer: { headers: Answered['headers'] }) => cookieIn(answer, 'ken_second_step')

/** What the activity log says about the person. */
const actionsOf = async ({ id }: Person): Promise<string[]> =>
  (await activityOf(app.deps.db, null)).filter(({ subject }) => subject === id).map(({ action }) => action)

/** The next letter to the person with these words. Letters to others, and about something else, are passed over. */
async function letterTo({ email }: Person, words: string): Promise<string> {
  for (;;) {
    const { to, subject, text } = await post.next()
    if (to.includes(email) && `${subject}\n${text}`.includes(words)) return text
  }
}

interface Protected {
  person: Person
  cookie: string
  secret: string
  recovery: string[]
}

/** Somebody with a second factor, none of whose codes has been used. */
async function protectedPerson(): Promise<Protected> {
  const person = await app.person()
  const cookie = await app.cookie(person)
  const begun = await call('POST', '/account/second-factor', cookie, { password: PASSWORD })
  const { secret } = bodyOf<{ secret: string }>(begun)
  const confirmed = await call('POST', '/account/second-factor/confirm', cookie, { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  await forgetLastCode(app.deps.db, person.id)
  const { recovery_codes: recovery } = bodyOf<{ recovery_codes: string[] }>(confirmed)
  return { person, cookie: sessionIn(confirmed), secret, recovery }
}

/** The cookie that waits for the second step. */
async function passwordOnly({ person }: Protected): Promise<string> {
  const answer = await signIn(person.email)
  expect([answer.status, sessionIn(answer)]).toEqual([202, ''])
  return pendingIn(answer)
}
const finish = (pending: string, code: string) => call('POST', '/session/code', pending, { code })

describe('setting up', () => {
  test('takes the password and a code, and until then nothing is asked for', async () => {
    const person = await app.person()
    const [cookie, elsewhere] = [await app.cookie(person), await app.cookie(person)]
    const begin = (password: string) => call('POST', '/account/second-factor', cookie, { password })
    const confirm = (code: string) => call('POST', '/account/second-factor/confirm', cookie, { code })
    expect((await confirm('123456')).status).toBe(422)
    expect((await begin('not the password')).status).toBe(403)
    const first = bodyOf<{ secret: string; uri: string }>(await begin(PASSWORD))
    const { secret, uri } = bodyOf<{ secret: string; uri: string }>(await begin(PASSWORD))
    expect(uri).toContain(`secret=${secret}`)
    expect((await signIn(person.email)).status).toBe(204)
    expect((await confirm(codeOf(first.secret))).status).toBe(403)
    expect(bodyOf(await call('GET', '/account/second-factor', cookie))).toEqual({
      confirmed_at: null,
      recovery_codes: 0,
      app: false,
      passkeys: [],
      allows_passkeys: false,
    })
    const code = codeOf(secret)
    const confirmed = await confirm(` ${code.slice(0, 3)} ${code.slice(3)}`)
    const { recovery_codes: codes } = bodyOf<{ recovery_codes: string[] }>(confirmed)
    expect(codes).toHaveLength(10)
    for (const one of codes) expect(one).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    const here = sessionIn(confirmed)
    expect(bodyOf(await call('GET', '/account/second-factor', here))).toMatchObject({
      confirmed_at: expect.stringMatching(/Z$/),
      recovery_codes: 10,
    })
    // Sessions that were opened without the second factor end. This one goes on with a new secret.
    expect([await isIn(here), await isIn(cookie), await isIn(elsewhere)]).toEqual([true, false, false])
    expect(await letterTo(person, 'The second factor of your Kenning account is on')).toContain(
      `signing in with your password at ${ORIGIN} also asks`,
    )
    expect((await signIn(person.email)).status).toBe(202)
    // The code that confirmed it counts as used.
    const pending = pendingIn(await signIn(person.email))
    expect((await finish(pending, code)).status).toBe(401)
    const again = await call('POST', '/account/second-factor', here, { password: PASSWORD })
    expect(again.status).toBe(422)
    const twice = await call('POST', '/account/second-factor/confirm', here, { code: codeOf(secret, 1) })
    expect(twice.status).toBe(422)
  })

  test('stores neither secret nor recovery code as text, and logs none', async () => {
    const { secret, recovery } = await protectedPerson()
    const rows = JSON.stringify(await everyRow(app.deps.db))
    const bytes = Buffer.from(secret).toString('hex')
    for (const text of [secret, bytes, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(text)
  })

  test('is not for an account that signs in with the company only', async () => {
    const person = await app.person()
    const cookie = await app.cookie(person)
    const { db } = app.deps
    await db.tx(async (tx) =>
      (await import('../../src/accounts/company.sql.ts')).revokeAllAccess(tx, person.id),
    )
    const again = await app.cookie(person)
    expect((await call('POST', '/account/second-factor', cookie, { password: PASSWORD })).status).toBe(401)
    expect((await call('POST', '/account/second-factor', again, { password: PASSWORD })).status).toBe(403)
  })
})

describe('signing in', () => {
  test('the password alone opens no session, and what it gives opens nothing else', async () => {
    const guarded = await protectedPerson()
    const pending = await passwordOnly(guarded)
    expect(pending).toMatch(/^ken_second_step=[\w-]{43}$/)
    const stolen = pending.replace('ken_second_step', 'ken_session')
    expect(await isIn(pending)).toBe(false)
    expect(await isIn(stolen)).toBe(false)
    for (const cookie of [pending, stolen])
      expect((await call('POST', '/session/token', cookie)).status).toBe(401)
    const secret = pending.split('=')[1]
    const bearer = { headers: { authorization: `Bearer ken_at_${secret}` } }
    expect((await app.send('GET', '/v1/me', undefined, bearer)).status).toBe(401)
    const opened = await finish(pending, codeOf(guarded.secret))
    expect(opened.status).toBe(204)
    expect(await isIn(sessionIn(opened))).toBe(true)
    expect((await call('POST', '/session/token', sessionIn(opened))).status).toBe(200)
    // It worked once.
    expect((await finish(pending, codeOf(guarded.secret, 1))).status).toBe(401)
  })

  test('a code works once, also when eight sign-ins use it at the same time', async () => {
    const guarded = await protectedPerson()
    // With ten, the failures that are recorded after the success and the one below may reach the limit of ten.
    const pending = await Promise.all(Array.from({ length: 8 }, () => passwordOnly(guarded)))
    const code = codeOf(guarded.secret)
    const answers = await Promise.all(pending.map((cookie) => finish(cookie, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(401)])
    // Nor does one of an earlier half minute that was not used.
    const late = await passwordOnly(guarded)
    expect((await finish(late, codeOf(guarded.secret, -1))).status).toBe(401)
    expect((await finish(late, codeOf(guarded.secret, 1))).status).toBe(204)
  })

  test('a recovery code works once, also when ten use it at the same time, however it is typed', async () => {
    const guarded = await protectedPerson()
    const [first = '', second = ''] = guarded.recovery
    const pending = await Promise.all(Array.from({ length: 10 }, () => passwordOnly(guarded)))
    const answers = await Promise.all(pending.map((cookie) => finish(cookie, first)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(401)])
    const typed = second.replaceAll('-', ' ').toUpperCase()
    expect((await finish(await passwordOnly(guarded), typed)).status).toBe(204)
    expect(
      bodyOf(
        await call(
          'GET',
          '/account/second-factor',
          sessionIn(answers.find(({ status }) => status === 204) as Answered),
        ),
      ),
    ).toMatchObject({ recovery_codes: 8 })
    const letter = await letterTo(guarded.person, 'A recovery code of your Kenning account was used')
    expect(letter).toContain('9 recovery codes are left.')
    // It is of this person only.
    const other = await protectedPerson()
    expect((await finish(await passwordOnly(other), guarded.recovery[3] ?? '')).status).toBe(401)
  })

  test('expires after ten minutes, and with a new password, a suspension and signing out everywhere', async () => {
    const guarded = await protectedPerson()
    const { person, cookie, secret } = guarded
    const code = () => codeOf(secret)
    const old = await passwordOnly(guarded)
    await agePending(app.deps.db, 601)
    expect((await finish(old, code())).status).toBe(401)
    await deleteExpiredSignIns(app.deps)
    const before = await passwordOnly(guarded)
    const change = { password: PASSWORD, new_password: NEW, code: guarded.recovery[0] }
    expect((await call('POST', '/account/password', cookie, change)).status).toBe(204)
    expect((await finish(before, code())).status).toBe(401)
    const pending = pendingIn(await signIn(person.email, NEW))
    expect((await call('DELETE', '/account/sessions', cookie)).status).toBe(204)
    expect((await finish(pending, code())).status).toBe(401)
    const last = pendingIn(await signIn(person.email, NEW))
    await call('PATCH', `/account/users/${person.id}`, boss, { status: 'suspended' })
    await setStatus(app.deps.db, person.id, 'active')
    expect((await finish(last, code())).status).toBe(401)
    // A restored account still has its second factor.
    expect((await signIn(person.email, NEW)).status).toBe(202)
  })

  test('wrong codes are limited, and a right password does not clear them', async () => {
    const guarded = await protectedPerson()
    const wrong = WRONG(guarded.secret)
    for (let round = 0; round < 10; round++)
      expect((await finish(await passwordOnly(guarded), wrong)).status).toBe(401)
    const limited = await finish(await passwordOnly(guarded), codeOf(guarded.secret))
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    await ageFailures(app.deps.db, 16 * 60)
    // From networks in which the account has never signed in, 20 in a day.
    const from = async (no: number) =>
      app.server.inject({
        method: 'POST',
        url: '/session/code',
        remoteAddress: `198.51.${no}.7`,
        headers: { origin: ORIGIN, cookie: await passwordOnly(guarded), 'content-type': 'application/json' },
        payload: JSON.stringify({ code: wrong }),
      })
    for (let no = 0; no < 10; no++) expect((await from(no)).statusCode).toBe(401)
    expect((await from(11)).statusCode).toBe(429)
  })

  test('needs the origin of the service, and a code of a sensible length', async () => {
    const guarded = await protectedPerson()
    const pending = await passwordOnly(guarded)
    const body = { code: codeOf(guarded.secret) }
    const foreign = { body, headers: { cookie: pending, origin: 'https://evil.example' } }
    expect((await app.send('POST', '/session/code', undefined, foreign)).status).toBe(403)
    expect((await finish(pending, '')).status).toBe(422)
    expect((await finish(pending, '1'.repeat(101))).status).toBe(422)
    expect((await call('POST', '/session/code', undefined, body)).status).toBe(401)
  })

  test('with another key in the data folder, recovery codes still work', async () => {
    const guarded = await protectedPerson()
    const { seal } = app.deps
    const { sealWith } = await import('../../src/ports/seal.ts')
    app.deps.seal = sealWith(Buffer.alloc(32, 7))
    try {
      const pending = await passwordOnly(guarded)
      expect((await finish(pending, codeOf(guarded.secret))).status).toBe(503)
      expect((await finish(pending, guarded.recovery[0] ?? '')).status).toBe(204)
    } finally {
      app.deps.seal = seal
      app.errors.length = 0
    }
  })
})

describe('the pages', () => {
  test('ask for the code after the password, and lead to where the user was going', async () => {
    const guarded = await protectedPerson()
    const credentials = { email: guarded.person.email, password: PASSWORD, next: '/w/x?a=1' }
    const first = await form('/sign-in', credentials)
    expect([first.statusCode, first.headers.location]).toEqual([303, '/sign-in/code?next=%2Fw%2Fx%3Fa%3D1'])
    expect(sessionIn(first)).toBe('')
    const pending = pendingIn(first)
    const asked = await page('/sign-in/code?next=%2Fw%2Fx%3Fa%3D1', pending)
    expect(asked.body).toContain('autocomplete="one-time-code"')
    expect(asked.body).not.toMatch(/<script|javascript:| style=| on\w+=/)
    expect(asked.headers['content-security-policy']).toContain("default-src 'none'")
    const wrong = await form('/sign-in/code', { code: WRONG(guarded.secret), next: '/w/x?a=1' }, pending)
    expect([wrong.statusCode, sessionIn(wrong)]).toEqual([401, ''])
    expect(wrong.body).toContain('role="alert"')
    const foreign = await form(
      '/sign-in/code',
      { code: codeOf(guarded.secret) },
      pending,
      'https://evil.example',
    )
    expect(foreign.statusCode).toBe(403)
    const done = await form('/sign-in/code', { code: codeOf(guarded.secret), next: '/w/x?a=1' }, pending)
    expect([done.statusCode, done.headers.location]).toEqual([303, `${ORIGIN}/w/x?a=1`])
    expect(await isIn(sessionIn(done))).toBe(true)
    expect([done.headers['set-cookie']].flat().join()).toContain('ken_second_step=; Max-Age=0')
    // Without a password that was right, the page leads to the sign-in page.
    for (const answer of [await page('/sign-in/code'), await form('/sign-in/code', { code: '123456' })])
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in?next=%2F'])
  })

  test('an OAuth client gets nothing before the second step', async () => {
    const guarded = await protectedPerson()
    const answer = await page('/oauth/authorize?client_id=x', await passwordOnly(guarded))
    expect([answer.statusCode, String(answer.headers.location).startsWith('/sign-in?')]).toEqual([303, true])
  })
})

describe('turning off and renewing', () => {
  test('take password and code; a recovery code is enough', async () => {
    const guarded = await protectedPerson()
    const { person, cookie, secret, recovery } = guarded
    const off = (body: object) => call('DELETE', '/account/second-factor', cookie, body)
    const renew = (body: object) => call('POST', '/account/second-factor/recovery-codes', cookie, body)
    for (const change of [off, renew]) {
      expect((await change({ password: PASSWORD })).status).toBe(422)
      expect((await change({ password: 'not the password', code: codeOf(secret) })).status).toBe(403)
      expect((await change({ password: PASSWORD, code: WRONG(secret) })).status).toBe(403)
    }
    const code = codeOf(secret)
    const renewed = await renew({ password: PASSWORD, code })
    const { recovery_codes: next } = bodyOf<{ recovery_codes: string[] }>(renewed)
    expect(next).toHaveLength(10)
    expect((await off({ password: PASSWORD, code: recovery[0] })).status).toBe(403)
    // The same code is not accepted for something else.
    expect((await off({ password: PASSWORD, code })).status).toBe(403)
    expect((await off({ password: PASSWORD, code: next[0] })).status).toBe(204)
    await letterTo(person, 'New recovery codes for your Kenning account')
    await letterTo(person, 'You turned off your second factor')
    expect((await signIn(person.email)).status).toBe(204)
    expect((await off({ password: PASSWORD, code: next[1] })).status).toBe(422)
    expect((await renew({ password: PASSWORD, code: next[1] })).status).toBe(422)
    const actions = await actionsOf(person)
    expect(actions).toEqual(
      expect.arrayContaining(['second_factor_on', 'recovery_codes_made', 'second_factor_off']),
    )
  })
})

describe('changing the password and closing the account', () => {
  test('take a code as well', async () => {
    const guarded = await protectedPerson()
    const { person, cookie, secret, recovery } = guarded
    const change = (code?: string) =>
      call('POST', '/account/password', cookie, { password: PASSWORD, new_password: NEW, code })
    const missing = await change()
    expect([missing.status, bodyOf<{ detail: object[] }>(missing).detail]).toEqual([
      422,
      [{ loc: ['body', 'code'], msg: 'Field required', type: 'missing', input: null, ctx: {} }],
    ])
    expect((await change(WRONG(secret))).status).toBe(403)
    expect((await signIn(person.email, NEW)).status).toBe(401)
    // A new password that is refused uses no code up.
    const weak = { password: PASSWORD, new_password: 'short', code: recovery[0] }
    expect((await call('POST', '/account/password', cookie, weak)).status).toBe(422)
    expect((await change(recovery[0])).status).toBe(204)
    expect((await signIn(person.email, NEW)).status).toBe(202)
    const close = (body: object) => call('DELETE', '/account', cookie, body)
    expect((await close({ password: NEW })).status).toBe(422)
    expect((await close({ password: NEW, code: recovery[0] })).status).toBe(403)
    expect((await signIn(person.email, NEW)).status).toBe(202)
    expect((await close({ password: NEW, code: recovery[1] })).status).toBe(204)
    expect((await signIn(person.email, NEW)).status).toBe(401)
  })

  test('take none without a second factor', async () => {
    const cookie = await app.cookie(await app.person())
    const body = { password: PASSWORD, new_password: NEW, code: '123456' }
    expect((await call('POST', '/account/password', cookie, body)).status).toBe(204)
    expect((await call('DELETE', '/account', cookie, { password: NEW })).status).toBe(204)
  })

  test('codes cannot be guessed with a stolen session: 10 in 15 minutes, 20 in a day', async () => {
    const { person, cookie, secret, recovery } = await protectedPerson()
    const guess = (code = WRONG(secret)) =>
      call('POST', '/account/password', cookie, { password: PASSWORD, new_password: NEW, code })
    const tenTimes = async () => {
      for (let round = 0; round < 10; round++) expect((await guess()).status).toBe(403)
      expect((await guess(recovery[0])).status).toBe(429)
    }
    await tenTimes()
    await ageFailures(app.deps.db, 16 * 60)
    // A right code clears no failure of the day.
    const renewed = { password: PASSWORD, code: recovery[0] }
    const renewal = await call('POST', '/account/second-factor/recovery-codes', cookie, renewed)
    const { recovery_codes: next } = bodyOf<{ recovery_codes: string[] }>(renewal)
    recovery.splice(0, 10, ...next)
    await tenTimes()
    await ageFailures(app.deps.db, 16 * 60)
    expect((await guess(recovery[0])).status).toBe(429)
    // The owner signs in all the same.
    const pending = pendingIn(await signIn(person.email))
    expect((await finish(pending, codeOf(secret))).status).toBe(204)
    await ageFailures(app.deps.db, 24 * 3600)
    expect((await guess(recovery[0])).status).toBe(204)
  })
})

test('codes for setting up are counted apart, so that a session alone does not stop its owner', async () => {
  const { person, cookie, secret, recovery } = await protectedPerson()
  const confirm = (session: string, code: string) =>
    call('POST', '/account/second-factor/confirm', session, { code })
  for (let round = 0; round < 12; round++) expect((await confirm(cookie, WRONG(secret))).status).toBe(422)
  const off = { password: PASSWORD, code: recovery[0] }
  expect((await call('DELETE', '/account/second-factor', cookie, off)).status).toBe(204)
  // The attempts with nothing to confirm do not count; wrong codes of a setup do.
  const begun = await call('POST', '/account/second-factor', cookie, { password: PASSWORD })
  const next = bodyOf<{ secret: string }>(begun).secret
  for (let round = 0; round < 10; round++) expect((await confirm(cookie, WRONG(next))).status).toBe(403)
  expect((await confirm(cookie, codeOf(next))).status).toBe(429)
  await ageFailures(app.deps.db, 16 * 60)
  const confirmed = await confirm(cookie, codeOf(next))
  expect(confirmed.status).toBe(200)
  const { recovery_codes: codes } = bodyOf<{ recovery_codes: string[] }>(confirmed)
  const change = { password: PASSWORD, new_password: NEW, code: codes[0] }
  expect((await call('POST', '/account/password', sessionIn(confirmed), change)).status).toBe(204)
  expect((await signIn(person.email, NEW)).status).toBe(202)
})

test('the letters are in the language of the account', async () => {
  const person = await app.person()
  const cookie = await app.cookie(person)
  expect((await call('PATCH', '/account', cookie, { language: 'de' })).status).toBe(200)
  const begun = await call('POST', '/account/second-factor', cookie, { password: PASSWORD })
  const { secret } = bodyOf<{ secret: string }>(begun)
  const confirmed = await call('POST', '/account/second-factor/confirm', cookie, { code: codeOf(secret) })
  await letterTo(person, 'Der zweite Faktor Ihres Kenning-Kontos ist eingeschaltet')
  const { recovery_codes: codes } = bodyOf<{ recovery_codes: string[] }>(confirmed)
  expect((await finish(pendingIn(await signIn(person.email)), codes[0] ?? '')).status).toBe(204)
  expect(await letterTo(person, 'Ein Wiederherstellungscode')).toContain(
    '9 Wiederherstellungscodes sind noch übrig.',
  )
})

describe('what does not get around it', () => {
  test('a password reset leaves the second factor as it is', async () => {
    const guarded = await protectedPerson()
    const made = await call('POST', `/account/users/${guarded.person.id}/reset`, boss)
    const token = new URL(bodyOf<{ link: string }>(made).link).searchParams.get('token')
    expect((await call('POST', '/account/reset', undefined, { token, password: NEW })).status).toBe(204)
    const answer = await signIn(guarded.person.email, NEW)
    expect([answer.status, sessionIn(answer)]).toEqual([202, ''])
    expect((await finish(pendingIn(answer), codeOf(guarded.secret))).status).toBe(204)
  })

  test('company sign-in and sign-in links do not ask for it, and API keys go on', async () => {
    const guarded = await protectedPerson()
    for (const by of ['company', 'link'] as const)
      expect(await createSession(app.deps, guarded.person.id, { by })).toBeDefined()
    const workspace_ids = [await app.workspace(guarded.person)]
    const key = await call('POST', '/account/keys', guarded.cookie, { name: 'x', workspace_ids })
    const headers = { authorization: `Bearer ${bodyOf<{ key: string }>(key).key}` }
    expect((await app.send('GET', '/v1/me', undefined, { headers })).status).toBe(200)
  })
})

describe('an administrator', () => {
  const reset = (id: string, cookie?: string) => call('DELETE', `/account/users/${id}/second-factor`, cookie)

  test('sees who has a second factor, resets it, and the person is told by mail', async () => {
    const { person } = await protectedPerson()
    const listed = async () =>
      bodyOf<{ data: { id: string; second_factor: boolean }[] }>(
        await call('GET', '/account/users', boss),
      ).data.find(({ id }) => id === person.id)?.second_factor
    expect(await listed()).toBe(true)
    expect((await reset(person.id, boss)).status).toBe(204)
    await letterTo(person, 'An administrator turned off your second factor')
    expect(await listed()).toBe(false)
    expect((await signIn(person.email)).status).toBe(204)
    expect((await reset(person.id, boss)).status).toBe(404)
    expect(await actionsOf(person)).toContain('second_factor_reset')
  })

  test('cannot reset the own one, and nobody else can reset any', async () => {
    const { person, cookie } = await protectedPerson()
    const second = await app.person()
    await makeAdmin(app.deps.db, second.id)
    expect((await reset(second.id, await app.cookie(second))).status).toBe(403)
    expect((await reset(ABSENT, boss)).status).toBe(404)
    expect((await reset(person.id, cookie)).status).toBe(403)
    expect((await reset(person.id)).status).toBe(401)
    const foreign = { headers: { cookie: boss, origin: 'https://evil.example' } }
    const path = `/account/users/${person.id}/second-factor`
    expect((await app.send('DELETE', path, undefined, foreign)).status).toBe(403)
  })
})

test('the routes of the own second factor need a session and the origin of the service', async () => {
  const cookie = await app.cookie(await app.person())
  const routes: [string, string, object?][] = [
    ['GET', '/account/second-factor'],
    ['POST', '/account/second-factor', { password: PASSWORD }],
    ['POST', '/account/second-factor/confirm', { code: '123456' }],
    ['POST', '/account/second-factor/recovery-codes', { password: PASSWORD, code: '123456' }],
    ['DELETE', '/account/second-factor', { password: PASSWORD, code: '123456' }],
  ]
  for (const [method, path, body] of routes) {
    expect((await call(method, path, undefined, body)).status, path).toBe(401)
    const foreign = { headers: { cookie, origin: 'https://evil.example' }, ...(body ? { body } : {}) }
    if (method !== 'GET') expect((await app.send(method, path, undefined, foreign)).status, path).toBe(403)
  }
})
