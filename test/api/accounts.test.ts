// Accounts over HTTP: invitations, passwords, reset links, user management, deleting an account.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword, createResetLink, resetPassword } from '../../src/accounts/passwords.ts'
import { deleteExpiredSignIns } from '../../src/accounts/sessions.ts'
import type { NewInvitation } from '../../src/contract/account.ts'
import { buildServer } from '../../src/http/server.ts'
import { openMail } from '../../src/ports/mail/mail.ts'
import { ABSENT, bodyOf, PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { type MailServer, mailServer } from '../support/mail-server.ts'
import { activityOf, ageActivity, ageFailures, ageLinks, makeAdmin, setStatus } from '../support/rows.sql.ts'

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

const ORIGIN = 'http://127.0.0.1:8484'
const NEW = 'five other words for a pear'
const call = (method: string, path: string, cookie: string | undefined, body?: unknown) =>
  app.send(method, path, undefined, {
    ...(body === undefined ? {} : { body }),
    headers: { origin: ORIGIN, ...(cookie === undefined ? {} : { cookie }) },
  })
const invite = (body: object = {}, cookie = boss) => call('POST', '/account/invitations', cookie, body)
const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''
const make = (body: object) => call('POST', '/account', undefined, { password: PASSWORD, ...body })
const signIn = (email: string, password = PASSWORD) =>
  call('POST', '/session', undefined, { email, password })
const isIn = async (cookie: string) => (await call('GET', '/account/keys', cookie)).status === 200
const typeOf = (answer: Answered) => (answer.body as { detail?: { type: string }[] }).detail?.[0]?.type
let count = 0
const fresh = (): string => `person${++count}@example.org`

describe('an invitation', () => {
  test('creates one account, also when ten use it at the same time', async () => {
    const made = bodyOf<NewInvitation>(await invite())
    expect(made.link).toMatch(/^http:\/\/127\.0\.0\.1:8484\/invitation\?token=[\w-]{43}$/)
    const invitation = tokenOf(made.link)
    expect((await make({ email: fresh(), password: 'short', invitation })).status).toBe(422)
    expect((await make({ email: admin.email, invitation })).status).toBe(422)
    const all = await Promise.all(Array.from({ length: 10 }, () => make({ email: fresh(), invitation })))
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(403)])
    expect((await make({ email: fresh(), invitation })).status).toBe(403)
    const listed = await call('GET', '/account/invitations', boss)
    expect(listed.text).not.toContain(made.id)
  })

  test('is emailed to its address, and valid for that address only', async () => {
    const email = `Guest.${fresh()}`
    const made = bodyOf<NewInvitation>(await invite({ email }))
    const letter = await post.next()
    expect(letter.to).toEqual([email])
    expect(letter.text).toContain(made.link)
    expect(letter.text).toContain(`${admin.email} invites you to Kenning.`)
    expect(letter.html).toContain(`href="${made.link}"`)
    const invitation = tokenOf(made.link)
    expect((await make({ email: fresh(), invitation })).status).toBe(403)
    expect((await make({ email: email.toLowerCase(), invitation })).status).toBe(201)
  })

  test('with a workspace makes its user a member, if the inviter still owns it', async () => {
    const id = await app.workspace(admin)
    const enter = async () => {
      const email = fresh()
      const made = bodyOf<NewInvitation>(await invite({ workspace_id: id, role: 'editor' }))
      expect(made).toMatchObject({ workspace_id: id, role: 'editor' })
      return async () => {
        const { id } = bodyOf<Person>(await make({ email, invitation: tokenOf(made.link) }))
        return app.token({ id, email })
      }
    }
    const [early, late] = [await enter(), await enter()]
    expect((await app.send('GET', `/v1/workspaces/${id}`, await early())).status).toBe(200)
    await app.member(id, admin, 'viewer')
    expect((await app.send('GET', `/v1/workspaces/${id}`, await late())).status).toBe(404)
    expect((await invite({ workspace_id: id })).status).toBe(403)
    const foreign = await app.workspace(await app.person())
    const answers = [await invite({ workspace_id: foreign }), await invite({ workspace_id: ABSENT })]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  test('expires after seven days, when it is revoked, or when the inviter is no longer an administrator', async () => {
    const second = await app.person()
    await makeAdmin(app.deps.db, second.id)
    const [old, revoked, orphan] = [
      bodyOf<NewInvitation>(await invite()),
      bodyOf<NewInvitation>(await invite()),
      bodyOf<NewInvitation>(await invite({}, await app.cookie(second))),
    ]
    await setStatus(app.deps.db, second.id, 'suspended')
    await ageLinks(app.deps.db, old.id, 7 * 24 * 3600 + 1)
    expect((await call('DELETE', `/account/invitations/${revoked.id}`, boss)).status).toBe(204)
    expect((await call('DELETE', `/account/invitations/${revoked.id}`, boss)).status).toBe(404)
    for (const { link } of [old, revoked, orphan])
      expect((await make({ email: fresh(), invitation: tokenOf(link) })).status).toBe(403)
    for (const invitation of ['', 'x', 'x'.repeat(200)])
      expect((await make({ email: fresh(), invitation })).status).toBe(403)
  })

  test('with invalid input is a validation error', async () => {
    for (const body of [
      { email: 'x' },
      { role: 'editor' },
      { workspace_id: 'x' },
      { workspace_id: ABSENT, role: 'king' },
      { email: 'a@b.c\r\nBcc: d@e.f' },
    ])
      expect((await invite(body)).status, JSON.stringify(body)).toBe(422)
  })
})

test('administrator routes are 403 for other users, 401 without a session, and rejected from other origins', async () => {
  const cookie = await app.cookie(await app.person())
  const routes: [string, string, object?][] = [
    ['GET', '/account/users'],
    ['GET', '/account/activity'],
    ['PATCH', `/account/users/${ABSENT}`, { status: 'active' }],
    ['POST', `/account/users/${ABSENT}/reset`],
    ['GET', '/account/invitations'],
    ['POST', '/account/invitations', {}],
    ['DELETE', `/account/invitations/${ABSENT}`],
  ]
  for (const [method, path, body] of routes) {
    expect((await call(method, path, cookie, body)).status, path).toBe(403)
    expect((await call(method, path, undefined, body)).status, path).toBe(401)
    const foreign = { headers: { cookie: boss, origin: 'https://evil.example' }, ...(body ? { body } : {}) }
    if (method !== 'GET') expect((await app.send(method, path, undefined, foreign)).status).toBe(403)
  }
})

describe('a password', () => {
  const change = (cookie: string, body: object) => call('POST', '/account/password', cookie, body)

  test('is changed with the old one; other browsers are signed out, this one is not', async () => {
    const person = await app.person()
    const [here, there] = [await app.cookie(person), await app.cookie(person)]
    expect((await change(here, { password: 'not the password', new_password: NEW })).status).toBe(403)
    expect((await change(here, { password: PASSWORD, new_password: 'short' })).status).toBe(422)
    expect((await change(here, { password: PASSWORD, new_password: person.email })).status).toBe(422)
    expect((await change(here, { password: PASSWORD })).status).toBe(422)
    expect(await isIn(there)).toBe(true)
    expect((await change(here, { password: PASSWORD, new_password: NEW })).status).toBe(204)
    expect([await isIn(here), await isIn(there)]).toEqual([true, false])
    expect((await signIn(person.email)).status).toBe(401)
    expect((await signIn(person.email, NEW)).status).toBe(204)
  })

  test('changed during sign-ins with the old one: none of them stays signed in', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await app.person()
      const here = await app.cookie(person)
      const [changed, ...signedIn] = await Promise.all([
        change(here, { password: PASSWORD, new_password: NEW }),
        ...Array.from({ length: 4 }, () => signIn(person.email)),
      ])
      expect(changed.status).toBe(204)
      for (const { status, headers } of signedIn) {
        const cookie = String(headers['set-cookie'] ?? '').split(';')[0] ?? ''
        expect([status === 204 ? 204 : 401, await isIn(cookie)]).toEqual([status, false])
      }
    }
  })

  test('that was replaced while another change was on its way stays', async () => {
    const person = await app.person()
    const secret = (await app.cookie(person)).split('=')[1] ?? ''
    const { link } = await createResetLink(app.deps, { id: person.id }, 'operator')
    const token = tokenOf(link)
    const { db, seal, passwords, settings } = app.deps
    // The owner's new password is set after the old one was verified for the change.
    const hash: typeof passwords.hash = async (password) => {
      await resetPassword(app.deps, { token, password: NEW })
      return passwords.hash(password)
    }
    const user = { ...person, admin: false, language: null }
    const body = { password: PASSWORD, new_password: 'the words of a thief, five' }
    const session = { secret, remoteAddress: '192.0.2.7' }
    await expect(
      changePassword({ db, seal, settings, passwords: { ...passwords, hash } }, user, body, session),
    ).rejects.toMatchObject({ status: 401 })
    expect((await signIn(person.email, NEW)).status).toBe(204)
  })

  test('cannot be guessed with a stolen session, and its owner is not locked out by trying', async () => {
    const person = await app.person()
    const cookie = await app.cookie(person)
    const guess = () => change(cookie, { password: 'not the password', new_password: NEW })
    const statuses = (await Promise.all(Array.from({ length: 15 }, guess))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(10).fill(403), ...Array(5).fill(429)])
    expect((await signIn(person.email)).status).toBe(204)
    await ageFailures(app.deps.db, 3600)
  })

  test('signing out everywhere ends every session', async () => {
    const person = await app.person()
    const [here, there] = [await app.cookie(person), await app.cookie(person)]
    expect((await call('DELETE', '/account/sessions', here)).status).toBe(204)
    expect([await isIn(here), await isIn(there)]).toEqual([false, false])
  })
})

describe('a reset link', () => {
  const ask = (email: string) => call('POST', '/account/reset', undefined, { email })
  const redeem = (token: string, password = NEW) =>
    call('POST', '/account/reset', undefined, { token, password })
  const linkIn = (text: string) => /http:\S+/.exec(text)?.[0] ?? ''

  test('is emailed, works once within an hour, and signs out everywhere', async () => {
    const person = await app.person()
    const cookie = await app.cookie(person)
    expect((await ask(person.email.toUpperCase())).status).toBe(204)
    const letter = await post.next()
    expect(letter.to).toEqual([person.email])
    const token = tokenOf(linkIn(letter.text))
    expect(letter.html).toContain(`href="${linkIn(letter.text)}"`)
    expect((await redeem(token, 'short')).status).toBe(422)
    const all = await Promise.all(Array.from({ length: 5 }, () => redeem(token)))
    expect(all.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403, 403])
    expect(await isIn(cookie)).toBe(false)
    expect((await signIn(person.email, NEW)).status).toBe(204)
  })

  test('an unknown or suspended address gets the same answer and no mail', async () => {
    const [known, suspended] = [await app.person(), await app.person()]
    await setStatus(app.deps.db, suspended.id, 'suspended')
    const answers = [await ask('nobody@example.org'), await ask(suspended.email), await ask(known.email)]
    const seen = answers.map(({ status, text, headers }) => [status, text, Object.keys(headers).sort()])
    expect(seen[0]).toEqual(seen[2])
    expect(seen[1]).toEqual(seen[2])
    expect((await post.next()).to).toEqual([known.email])
    expect(post.received).toEqual([])
  })

  test('requests are limited alike for known and unknown addresses', async () => {
    for (const email of [(await app.person()).email, 'nobody.at.all@example.org']) {
      const all = await Promise.all(Array.from({ length: 12 }, () => ask(email)))
      expect(all.map(({ status }) => status).sort()).toEqual([...Array(10).fill(204), 429, 429])
    }
    for (let i = 0; i < 10; i++) await post.next()
    await ageFailures(app.deps.db, 3600)
  })

  test('expires after an hour or when another one is used, and can be created by an administrator', async () => {
    const person = await app.person()
    const give = async () =>
      bodyOf<{ link: string; expires_in: number }>(
        await call('POST', `/account/users/${person.id}/reset`, boss),
      )
    const [old, used, other] = [await give(), await give(), await give()]
    expect(used.expires_in).toBe(3600)
    await ageLinks(app.deps.db, tokenOf(old.link), 3601)
    expect((await redeem(tokenOf(old.link))).status).toBe(403)
    expect((await redeem(tokenOf(used.link))).status).toBe(204)
    expect((await redeem(tokenOf(other.link), 'one more password')).status).toBe(403)
    expect((await call('POST', `/account/users/${ABSENT}/reset`, boss)).status).toBe(404)
    await setStatus(app.deps.db, person.id, 'suspended')
    expect((await call('POST', `/account/users/${person.id}/reset`, boss)).status).toBe(404)
  })

  test('without a mail server the page refers to the administrator; one that fails is no error', async () => {
    const { mail } = app.deps
    app.deps.mail = undefined
    for (const email of ['nobody@example.org', admin.email]) expect((await ask(email)).status).toBe(403)
    const refusing = await mailServer('no such mailbox here')
    app.deps.mail = await openMail(refusing.url, 'kenning@example.org')
    expect((await ask((await app.person()).email)).status).toBe(204)
    await refusing.close()
    app.deps.mail = mail
  })
})

describe('users', () => {
  interface Users {
    data: { id: string; email: string; admin: boolean; status: string }[]
    has_more: boolean
  }
  const patch = (id: string, body: object, cookie = boss) =>
    call('PATCH', `/account/users/${id}`, cookie, body)

  test('are listed by email address, without secrets', async () => {
    const listed = await call('GET', '/account/users', boss)
    const { data, has_more } = bodyOf<Users>(listed)
    expect(has_more).toBe(false)
    expect(data.map(({ email }) => email)).toEqual(data.map(({ email }) => email).toSorted())
    expect(Object.keys(data[0] ?? {}).sort()).toEqual([
      'admin',
      'admin_by_group',
      'created_at',
      'email',
      'id',
      'second_factor',
      'status',
    ])
    const after = bodyOf<Users>(await call('GET', `/account/users?after=${data[0]?.id}`, boss))
    expect(after.data).toEqual(data.slice(1))
    expect((await call('GET', '/account/users?after=x', boss)).status).toBe(422)
  })

  test('are suspended and restored at once; sessions, tokens and keys end for good', async () => {
    const person = await app.person()
    const workspace = await app.workspace(person)
    const [cookie, token] = [await app.cookie(person), await app.token(person)]
    const { key } = bodyOf<{ key: string }>(
      await call('POST', '/account/keys', cookie, { name: 'x', workspace_ids: [workspace] }),
    )
    const seen = async () => [
      await isIn(cookie),
      (await app.send('GET', '/v1/me', token)).status,
      (await app.send('GET', '/v1/me', key)).status,
      (await signIn(person.email)).status,
    ]
    expect(await seen()).toEqual([true, 200, 200, 204])
    expect((await patch(person.id, { status: 'suspended' })).body).toMatchObject({ status: 'suspended' })
    expect(await seen()).toEqual([false, 401, 401, 401])
    expect((await patch(person.id, { status: 'active' })).status).toBe(200)
    expect(await seen()).toEqual([false, 401, 401, 204])
    expect(
      (await activityOf(app.deps.db, null)).findLast(({ action }) => action === 'account_suspended'),
    ).toMatchObject({ subject: person.id, detail: { keys: 1, programs: 1 } })
    expect((await patch(ABSENT, { status: 'active' })).status).toBe(404)
    expect((await patch(person.id, { status: 'gone' })).status).toBe(422)
  })

  test('one administrator remains, also when two remove each other at the same time', async () => {
    const other = await testApp()
    const [one, two] = [await other.person(), await other.person()]
    for (const { id } of [one, two]) await makeAdmin(other.deps.db, id)
    const send = async (as: Person, id: string, body: object) =>
      other.send('PATCH', `/account/users/${id}`, undefined, {
        body,
        headers: { origin: ORIGIN, cookie: await other.cookie(as) },
      })
    const both = await Promise.all([send(one, two.id, { admin: false }), send(two, one.id, { admin: false })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    const left = both[0]?.status === 200 ? one : two
    for (const body of [{ admin: false }, { status: 'suspended' }])
      expect(typeOf(await send(left, left.id, body))).toBe('last_admin')
    await other.close()
  })
})

describe('deleting an account', () => {
  const close = (cookie: string, password = PASSWORD) => call('DELETE', '/account', cookie, { password })

  test('deletes what belongs to the user alone, keeps shared workspaces, and requires the password', async () => {
    const [person, friend] = [await app.person(), await app.person()]
    const [alone, shared] = [await app.workspace(person), await app.workspace(person)]
    await app.member(shared, friend, 'editor')
    const [cookie, token] = [await app.cookie(person), await app.token(person)]
    expect((await close(cookie, 'not the password')).status).toBe(403)
    expect((await call('DELETE', '/account', cookie, {})).status).toBe(422)
    const refused = await close(cookie)
    expect([refused.status, typeOf(refused)]).toEqual([422, 'last_owner'])
    expect((await app.send('GET', `/v1/workspaces/${alone}`, token)).status).toBe(200)
    await app.member(shared, friend, 'owner')
    const gone = await close(cookie)
    expect([gone.status, gone.headers['set-cookie']]).toEqual([
      204,
      expect.stringMatching(/^ken_session=; Max-Age=0/),
    ])
    expect((await app.send('GET', '/v1/me', token)).status).toBe(401)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await app.send('GET', `/v1/workspaces/${shared}`, await app.token(friend))).status).toBe(200)
    const acts = (await activityOf(app.deps.db, null)).filter(({ actor_id }) => actor_id === person.id)
    expect(acts.map(({ action, subject }) => [action, subject]).slice(-2)).toEqual([
      ['workspace_deleted', alone],
      ['account_deleted', person.id],
    ])
  })

  test('two owners who leave at the same time do not leave a workspace without an owner', async () => {
    const [one, two, third] = [await app.person(), await app.person(), await app.person()]
    const id = await app.workspace(one)
    await app.member(id, two, 'owner')
    await app.member(id, third, 'viewer')
    const both = await Promise.all([close(await app.cookie(one)), close(await app.cookie(two))])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
  })
})

test('administrators read the activity of the installation in pages, without email addresses of failed sign-ins', async () => {
  const person = await app.person()
  await signIn('stranger.to.all@example.org')
  await signIn(person.email, 'not the password')
  await signIn(person.email)
  interface Told {
    data: { id: string; action: string; subject: string | null; actor: { name: string | null } }[]
    has_more: boolean
  }
  const told = await call('GET', '/account/activity', boss)
  const { data } = bodyOf<Told>(told)
  const by = data.slice(0, 3).map(({ action, subject, actor }) => [action, subject, actor.name])
  expect(by).toEqual([
    ['sign_in', person.id, person.email],
    ['sign_in_failed', person.id, null],
    ['sign_in_failed', null, null],
  ])
  expect(told.text).not.toMatch(/stranger|not the/)
  const after = bodyOf<Told>(await call('GET', `/account/activity?before=${data[1]?.id}`, boss))
  expect(after.data[0]).toEqual(data[2])
  expect((await call('GET', '/account/activity?before=0x1', boss)).status).toBe(422)
})

test('failed sign-ins, and nothing else, are deleted after 90 days', async () => {
  const { db } = app.deps
  await signIn('nobody@example.org')
  const before = await activityOf(db, null)
  expect(before.some(({ action }) => action === 'sign_in_failed')).toBe(true)
  await ageActivity(db, 89)
  await deleteExpiredSignIns(app.deps)
  expect(await activityOf(db, null)).toHaveLength(before.length)
  await ageActivity(db, 2)
  await deleteExpiredSignIns(app.deps)
  const kept = (await activityOf(db, null)).map(({ action }) => action)
  expect(kept).toEqual(before.map(({ action }) => action).filter((action) => action !== 'sign_in_failed'))
})

test('X-Forwarded-For is trusted from trusted proxies only', async () => {
  const settings = { ...app.deps.settings, trustedProxies: ['10.0.0.0/8'] }
  const server = await buildServer({ ...app.deps, settings })
  const from = async (remoteAddress: string, forwarded: string, i: number) =>
    (
      await server.inject({
        method: 'POST',
        url: '/session',
        remoteAddress,
        headers: { 'x-forwarded-for': forwarded },
        payload: { email: `nobody${i}@example.org`, password: PASSWORD },
      })
    ).statusCode
  for (let i = 0; i < 100; i++) await from('10.1.2.3', `198.51.100.7, 192.0.2.1`, i)
  expect(await from('10.1.2.3', '192.0.2.1', 200)).toBe(429)
  expect(await from('10.1.2.3', '192.0.2.2', 201)).toBe(401)
  expect(await from('192.0.2.1', '192.0.2.9', 202)).toBe(429)
  await server.close()
  await ageFailures(app.deps.db, 3600)
})
