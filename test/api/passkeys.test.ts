// Passkeys as second factors over HTTP and on the pages, at a service under a path: adding, signing in, proving, removing, and what
// is refused.

import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openMail } from '../../src/ports/mail/mail.ts'
import { bodyOf, PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import { type Authenticator, authenticator, type Site } from '../support/authenticator.ts'
import type { Answered } from '../support/contract.ts'
import { type MailServer, mailServer } from '../support/mail-server.ts'
import { ageChallenges, ageFailures, makeAdmin } from '../support/rows.sql.ts'

const ORIGIN = 'https://kenning.example.org'
const SITE_URL = `${ORIGIN}/kenning`
const SITE: Site = { origin: ORIGIN, rpId: 'kenning.example.org' }

let app: TestApp
let admin: Person
let post: MailServer
beforeAll(async () => {
  app = await testApp({ origin: ORIGIN, siteUrl: SITE_URL, baseUrl: `${SITE_URL}/v1` })
  post = await mailServer()
  app.deps.mail = await openMail(post.url, 'Kenning <kenning@example.org>')
  admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
})
afterAll(async () => {
  await app.close()
  await post.close()
})
beforeEach(() => ageFailures(app.deps.db, 25 * 3600))

const call = (method: string, path: string, cookie?: string, body?: unknown) =>
  app.send(method, `/kenning${path}`, undefined, {
    ...(body === undefined ? {} : { body }),
    headers: { origin: ORIGIN, ...(cookie === undefined ? {} : { cookie }) },
  })
function cookieIn(answer: { headers: Answered['headers'] }, name: string): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String)
  return lines.find((line) => line.startsWith(`__Secure-${name}=`))?.split(';')[0] ?? ''
}
const sessionIn = (answer: { headers: Answered['headers'] }) => cookieIn(answer, 'ken_session')
const pendingIn = (answer: { headers: Answered['headers'] }) => cookieIn(answer, 'ken_second_step')
const signIn = (email: string) => call('POST', '/session', undefined, { email, password: PASSWORD })
const sessionOf = async ({ email }: Person) => sessionIn(await signIn(email))
/** The next letter to the person with these words. Others are passed over. */
async function letterTo({ email }: Person, words: string): Promise<string> {
  for (;;) {
    const { to, subject, text } = await post.next()
    if (to.includes(email) && `${subject}\n${text}`.includes(words)) return text
  }
}
const isIn = async (cookie: string) => (await call('GET', '/account/keys', cookie)).status === 200
const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

type Options = { challenge: string; rp?: { id: string }; rpId?: string; allowCredentials?: { id: string }[] }
const begin = (cookie: string, proof: object = {}) =>
  call('POST', '/account/second-factor/passkeys', cookie, { password: PASSWORD, ...proof })
const confirm = (cookie: string, response: object, name = 'My key') =>
  call('POST', '/account/second-factor/passkeys/confirm', cookie, { name, response })
const stateOf = async (cookie: string) =>
  bodyOf<{
    confirmed_at: string | null
    recovery_codes: number
    app: boolean
    passkeys: { id: string; name: string; used_on: string | null }[]
  }>(await call('GET', '/account/second-factor', cookie))

interface Protected {
  person: Person
  cookie: string
  key: Authenticator
  recovery: string[]
}

/** Somebody whose only second factor is a passkey. */
async function protectedPerson(key = authenticator()): Promise<Protected> {
  const person = await app.person()
  const before = await sessionOf(person)
  const options = bodyOf<Options>(await begin(before))
  const added = await confirm(before, key.register(options, SITE))
  expect(added.status).toBe(201)
  const { recovery_codes: recovery } = bodyOf<{ recovery_codes: string[] }>(added)
  return { person, cookie: sessionIn(added), key, recovery }
}

/** A sign-in that waits for the second step, and what its browser is asked for. */
async function secondStep({ person }: Protected): Promise<{ pending: string; options: Options }> {
  const answer = await signIn(person.email)
  expect([answer.status, sessionIn(answer)]).toEqual([202, ''])
  const pending = pendingIn(answer)
  const asked = await call('POST', '/session/passkey', pending)
  expect(asked.status).toBe(200)
  return { pending, options: bodyOf<Options>(asked) }
}
const finish = (pending: string, passkey: object) => call('POST', '/session/code', pending, { passkey })
const answeredStep = async (guarded: Protected): Promise<[pending: string, passkey: object]> => {
  const { pending, options } = await secondStep(guarded)
  return [pending, guarded.key.answer(options, SITE)]
}
/** The own challenge of a session, answered. */
const proofOf = async ({ cookie, key }: Protected): Promise<{ passkey: object }> => {
  const asked = await call('POST', '/account/second-factor/challenge', cookie)
  return { passkey: key.answer(bodyOf<Options>(asked), SITE) }
}

describe('adding', () => {
  test('a passkey alone is a second factor, with recovery codes; the session gets a new secret', async () => {
    const person = await app.person()
    const [here, elsewhere] = [await sessionOf(person), await sessionOf(person)]
    const key = authenticator()
    const wrong = await call('POST', '/account/second-factor/passkeys', here, {
      password: 'not the password',
    })
    expect(wrong.status).toBe(403)
    const options = bodyOf<Options>(await begin(here))
    expect(options).toMatchObject({
      rp: { id: 'kenning.example.org' },
      attestation: 'none',
      authenticatorSelection: { userVerification: 'preferred' },
    })
    expect(JSON.stringify(options)).not.toContain(person.id)
    expect((await signIn(person.email)).status).toBe(204)
    const added = await confirm(here, key.register(options, SITE), '  Phone ')
    const { recovery_codes: recovery } = bodyOf<{ recovery_codes: string[] }>(added)
    expect([added.status, recovery.length]).toEqual([201, 10])
    const cookie = sessionIn(added)
    expect([await isIn(cookie), await isIn(here), await isIn(elsewhere)]).toEqual([true, false, false])
    expect(await stateOf(cookie)).toMatchObject({
      confirmed_at: expect.stringMatching(/Z$/),
      recovery_codes: 10,
      app: false,
      passkeys: [{ name: 'Phone', used_on: null }],
    })
    expect((await signIn(person.email)).status).toBe(202)
    await letterTo(person, 'The second factor of your Kenning account is on')
  })

  test('another one takes a proof; it brings no new recovery codes, and the same key is refused', async () => {
    const guarded = await protectedPerson()
    const { cookie, key, recovery } = guarded
    expect((await begin(cookie)).status).toBe(422)
    expect((await begin(cookie, { code: '123456' })).status).toBe(403)
    const options = bodyOf<Options & { excludeCredentials: { id: string }[] }>(
      await begin(cookie, await proofOf(guarded)),
    )
    expect(options.excludeCredentials.map(({ id }) => id)).toEqual([key.id])
    expect((await confirm(cookie, key.register(options, SITE))).status).toBe(422)
    const next = bodyOf<Options>(await begin(cookie, { code: recovery[0] }))
    const added = await confirm(cookie, authenticator().register(next, SITE), 'Second')
    expect([added.status, bodyOf(added)]).toEqual([201, { recovery_codes: [] }])
    expect((await stateOf(sessionIn(added))).passkeys.map(({ name }) => name)).toEqual(['My key', 'Second'])
    expect(await letterTo(guarded.person, 'A passkey was added')).toContain('the passkey “Second”')
  })

  test('an answer for another challenge, origin, host, session or time is refused, and each challenge works once', async () => {
    const person = await app.person()
    const cookie = await sessionOf(person)
    const key = authenticator()
    const options = async () => bodyOf<Options>(await begin(cookie))
    const refused = async (response: object) => expect((await confirm(cookie, response)).status).toBe(403)
    await options()
    await refused(key.register({ challenge: 'AAAA' }, SITE))
    await refused(key.register(await options(), { ...SITE, origin: 'https://evil.example' }))
    await refused(key.register(await options(), { ...SITE, rpId: 'evil.example' }))
    const used = await options()
    await refused(key.register({ challenge: 'AAAA' }, SITE))
    // The wrong answer has used the challenge up.
    expect((await confirm(cookie, key.register(used, SITE))).status).toBe(422)
    const other = await sessionOf(person)
    const foreign = await options()
    expect((await confirm(other, key.register(foreign, SITE))).status).toBe(422)
    const late = await options()
    await ageChallenges(app.deps.db, 601)
    expect((await confirm(cookie, key.register(late, SITE))).status).toBe(422)
    expect((await stateOf(cookie)).passkeys).toEqual([])
    expect((await signIn(person.email)).status).toBe(204)
  })

  test('with a certificate it is refused, and nobody is asked about it', async () => {
    const cookie = await sessionOf(await app.person())
    const key = authenticator()
    const options = bodyOf<Options>(await begin(cookie))
    const certified = key.register(options, SITE, Buffer.from('a certificate'))
    expect((await confirm(cookie, certified)).status).toBe(403)
    expect((await stateOf(cookie)).passkeys).toEqual([])
  })

  test('that was begun ends with a new password, and with a reset by an administrator', async () => {
    const person = await app.person()
    const cookie = await sessionOf(person)
    const key = authenticator()
    const begun = bodyOf<Options>(await begin(cookie))
    const change = { password: PASSWORD, new_password: 'five other words for a pear' }
    expect((await call('POST', '/account/password', cookie, change)).status).toBe(204)
    expect((await confirm(cookie, key.register(begun, SITE))).status).toBe(422)

    const guarded = await protectedPerson()
    const second = bodyOf<Options>(await begin(guarded.cookie, await proofOf(guarded)))
    const path = `/account/users/${guarded.person.id}/second-factor`
    expect((await call('DELETE', path, await sessionOf(admin))).status).toBe(204)
    expect((await confirm(guarded.cookie, key.register(second, SITE))).status).toBe(422)
    expect((await signIn(guarded.person.email)).status).toBe(204)
  })

  test('that was begun ends when a factor is removed or codes are renewed, and so do other sessions', async () => {
    const guarded = await protectedPerson()
    const { cookie, recovery } = guarded
    const thief = sessionIn(await finish(...(await answeredStep(guarded))))
    const options = bodyOf<Options>(await begin(thief, { code: recovery[0] }))
    const renewed = await call('POST', '/account/second-factor/recovery-codes', cookie, {
      password: PASSWORD,
      ...(await proofOf(guarded)),
    })
    expect(renewed.status).toBe(200)
    expect((await confirm(thief, authenticator().register(options, SITE))).status).toBe(422)
    const app = bodyOf<{ secret: string }>(
      await call('POST', '/account/second-factor', cookie, {
        password: PASSWORD,
        ...(await proofOf(guarded)),
      }),
    )
    const confirmed = await call('POST', '/account/second-factor/confirm', cookie, {
      code: codeOf(app.secret),
    })
    const owner = sessionIn(confirmed)
    const again = sessionIn(await finish(...(await answeredStep(guarded))))
    const [passkey] = (await stateOf(owner)).passkeys
    const removed = await call('DELETE', `/account/second-factor/passkeys/${passkey?.id}`, owner, {
      password: PASSWORD,
      ...(await proofOf({ ...guarded, cookie: owner })),
    })
    expect(removed.status).toBe(204)
    expect([await isIn(owner), await isIn(again)]).toEqual([true, false])
  })

  test('ten at most', async () => {
    const guarded = await protectedPerson()
    let { cookie } = guarded
    const { key } = guarded
    for (let no = 2; no <= 10; no++) {
      const options = bodyOf<Options>(await begin(cookie, await proofOf({ ...guarded, cookie, key })))
      cookie = sessionIn(await confirm(cookie, authenticator().register(options, SITE), `Key ${no}`))
    }
    expect((await stateOf(cookie)).passkeys).toHaveLength(10)
    expect((await begin(cookie, await proofOf({ ...guarded, cookie, key }))).status).toBe(422)
  })
})

describe('signing in', () => {
  test('with a passkey, which works once', async () => {
    const guarded = await protectedPerson()
    const { key } = guarded
    const { pending, options } = await secondStep(guarded)
    expect(options).toMatchObject({ rpId: 'kenning.example.org', allowCredentials: [{ id: key.id }] })
    const answer = key.answer(options, SITE)
    const opened = await finish(pending, answer)
    expect([opened.status, await isIn(sessionIn(opened))]).toEqual([204, true])
    expect((await stateOf(sessionIn(opened))).passkeys[0]?.used_on).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect((await finish(pending, answer)).status).toBe(401)
    const again = await secondStep(guarded)
    expect((await finish(again.pending, answer)).status).toBe(401)
  })

  test('with a recovery code instead', async () => {
    const guarded = await protectedPerson()
    const { pending } = await secondStep(guarded)
    const opened = await call('POST', '/session/code', pending, { code: guarded.recovery[0] })
    expect(opened.status).toBe(204)
  })

  test.each<[string, (guarded: Protected) => Promise<[string, object]>]>([
    [
      'another origin',
      async (guarded) => {
        const { pending, options } = await secondStep(guarded)
        return [pending, guarded.key.answer(options, { ...SITE, origin: 'https://evil.example' })]
      },
    ],
    [
      'another host',
      async (guarded) => {
        const { pending, options } = await secondStep(guarded)
        return [pending, guarded.key.answer(options, { ...SITE, rpId: 'evil.example' })]
      },
    ],
    [
      'the challenge of another sign-in of the same person',
      async (guarded) => {
        const first = await secondStep(guarded)
        const second = await secondStep(guarded)
        return [first.pending, guarded.key.answer(second.options, SITE)]
      },
    ],
    [
      'the challenge of a session',
      async (guarded) => {
        const asked = await call('POST', '/account/second-factor/challenge', guarded.cookie)
        const { pending } = await secondStep(guarded)
        return [pending, guarded.key.answer(bodyOf<Options>(asked), SITE)]
      },
    ],
    [
      'the key of another account',
      async (guarded) => {
        const other = await protectedPerson()
        const { pending, options } = await secondStep(guarded)
        return [pending, other.key.answer(options, SITE)]
      },
    ],
    [
      'another private key with the id of this one',
      async (guarded) => {
        const { pending, options } = await secondStep(guarded)
        const { privateKey } = authenticator()
        guarded.key.privateKey = privateKey
        return [pending, guarded.key.answer(options, SITE)]
      },
    ],
    [
      'a challenge of eleven minutes ago',
      async (guarded) => {
        const { pending, options } = await secondStep(guarded)
        await ageChallenges(app.deps.db, 601)
        return [pending, guarded.key.answer(options, SITE)]
      },
    ],
  ])('is refused with %s', async (_, attempt) => {
    const [pending, answer] = await attempt(await protectedPerson())
    const refused = await finish(pending, answer)
    expect([refused.status, sessionIn(refused)]).toEqual([401, ''])
  })

  test('a wrong answer uses the challenge up', async () => {
    const guarded = await protectedPerson()
    const { pending, options } = await secondStep(guarded)
    const evil = { ...SITE, origin: 'https://evil.example' }
    expect((await finish(pending, guarded.key.answer(options, evil))).status).toBe(401)
    expect((await finish(pending, guarded.key.answer(options, SITE))).status).toBe(401)
    const asked = await call('POST', '/session/passkey', pending)
    expect((await finish(pending, guarded.key.answer(bodyOf<Options>(asked), SITE))).status).toBe(204)
  })

  test('a counter that goes back is refused, one that stays at 0 is none', async () => {
    const guarded = await protectedPerson()
    for (const [counter, status] of [
      [5, 204],
      [4, 401],
      [5, 401],
      [0, 401],
      [6, 204],
    ] as const) {
      const { pending, options } = await secondStep(guarded)
      guarded.key.counter = counter - 1
      expect((await finish(pending, guarded.key.answer(options, SITE))).status, String(counter)).toBe(status)
    }
    const without = await protectedPerson(authenticator({ counts: false }))
    for (let round = 0; round < 2; round++) {
      const { pending, options } = await secondStep(without)
      expect((await finish(pending, without.key.answer(options, SITE))).status).toBe(204)
    }
  })

  test('once, also when the answer is sent five times at once', async () => {
    const guarded = await protectedPerson()
    const { pending, options } = await secondStep(guarded)
    const answer = guarded.key.answer(options, SITE)
    const sent = await Promise.all(Array.from({ length: 5 }, () => finish(pending, answer)))
    expect(sent.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401, 401])
  })

  test('the form of the page takes the answer as well', async () => {
    const guarded = await protectedPerson()
    const { pending, options } = await secondStep(guarded)
    const answer = JSON.stringify(guarded.key.answer(options, SITE))
    const send = (fields: Record<string, string>) =>
      app.server.inject({
        method: 'POST',
        url: '/kenning/sign-in/code',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, cookie: pending },
        payload: new URLSearchParams(fields).toString(),
      })
    const wrong = await send({
      next: '/settings',
      passkey: answer.replace('"signature":"M', '"signature":"N'),
    })
    expect([wrong.statusCode, wrong.body.includes('class="problem"')]).toEqual([401, true])
    const asked = bodyOf<Options>(await call('POST', '/session/passkey', pending))
    const passkey = JSON.stringify(guarded.key.answer(asked, SITE))
    const opened = await send({ next: '/settings', passkey })
    expect([opened.statusCode, opened.headers.location]).toEqual([303, `${SITE_URL}/settings`])
    expect(await isIn(sessionIn(opened))).toBe(true)
  })

  test('the page works without script; the console is not built here, so it asks for a code only', async () => {
    const guarded = await protectedPerson()
    const { pending } = await secondStep(guarded)
    const page = await app.server.inject({ url: '/kenning/sign-in/code', headers: { cookie: pending } })
    expect(page.body).not.toMatch(/<script|javascript:| style=| on\w+=/)
    expect(page.headers['content-security-policy']).not.toContain('script-src')
  })
})

describe('within a session', () => {
  test('a passkey proves what a code proves, once, in its own session', async () => {
    const guarded = await protectedPerson()
    const { cookie, person } = guarded
    const proof = await proofOf(guarded)
    const renew = (body: object) =>
      call('POST', '/account/second-factor/recovery-codes', cookie, { password: PASSWORD, ...body })
    expect((await renew(proof)).status).toBe(200)
    expect((await renew(proof)).status).toBe(403)
    const change = { password: PASSWORD, new_password: 'five other words for a pear' }
    expect((await call('POST', '/account/password', cookie, change)).status).toBe(422)
    const other = await protectedPerson()
    const foreign = await proofOf(other)
    expect((await call('POST', '/account/password', cookie, { ...change, ...foreign })).status).toBe(403)
    const changed = await call('POST', '/account/password', cookie, {
      ...change,
      ...(await proofOf(guarded)),
    })
    expect(changed.status).toBe(204)
    const close = { password: change.new_password, ...(await proofOf(guarded)) }
    expect((await call('DELETE', '/account', cookie, close)).status).toBe(204)
    expect((await signIn(person.email)).status).toBe(401)
  })

  test('removing the last factor turns it off; one of two leaves it on', async () => {
    const guarded = await protectedPerson()
    const begun = await call('POST', '/account/second-factor', guarded.cookie, {
      password: PASSWORD,
      ...(await proofOf(guarded)),
    })
    expect(begun.status).toBe(201)
    const { secret } = bodyOf<{ secret: string }>(begun)
    // The app that is being set up proves nothing yet.
    const { pending } = await secondStep(guarded)
    expect((await call('POST', '/session/code', pending, { code: codeOf(secret) })).status).toBe(401)
    const confirmed = await call('POST', '/account/second-factor/confirm', guarded.cookie, {
      code: codeOf(secret),
    })
    expect([confirmed.status, bodyOf(confirmed)]).toEqual([200, { recovery_codes: [] }])
    await letterTo(guarded.person, 'An authenticator app was added')
    const cookie = sessionIn(confirmed)
    const state = await stateOf(cookie)
    expect(state).toMatchObject({ app: true, recovery_codes: 10 })
    const remove = (path: string, proof: object) =>
      call('DELETE', `/account/second-factor${path}`, cookie, { password: PASSWORD, ...proof })
    const passkey = `/passkeys/${state.passkeys[0]?.id}`
    expect((await remove(passkey, {})).status).toBe(422)
    const other = await protectedPerson()
    const theirs = (await stateOf(other.cookie)).passkeys[0]?.id
    const proof = await proofOf({ ...guarded, cookie })
    expect((await remove(`/passkeys/${theirs}`, proof)).status).toBe(404)
    expect((await remove(passkey, await proofOf({ ...guarded, cookie }))).status).toBe(204)
    expect(await letterTo(guarded.person, 'A passkey was removed')).toContain('“My key”')
    expect((await signIn(guarded.person.email)).status).toBe(202)
    expect((await remove('/app', { code: guarded.recovery[0] })).status).toBe(204)
    await letterTo(guarded.person, 'You turned off your second factor')
    expect(await stateOf(cookie)).toMatchObject({
      confirmed_at: null,
      recovery_codes: 0,
      app: false,
      passkeys: [],
    })
    expect((await signIn(guarded.person.email)).status).toBe(204)
  })
})

test('the reset by an administrator removes passkeys', async () => {
  const guarded = await protectedPerson()
  const path = `/account/users/${guarded.person.id}/second-factor`
  expect((await call('DELETE', path, await sessionOf(admin))).status).toBe(204)
  expect((await stateOf(await sessionOf(guarded.person))).passkeys).toEqual([])
})

test('at an IP address there are no passkeys', async () => {
  const person = await app.person()
  const cookie = await sessionOf(person)
  const { settings } = app.deps
  app.deps.settings = { ...settings, siteUrl: 'https://192.0.2.1/kenning' }
  try {
    expect(await stateOf(cookie)).toMatchObject({ allows_passkeys: false })
    expect((await begin(cookie)).status).toBe(403)
  } finally {
    app.deps.settings = settings
  }
})
