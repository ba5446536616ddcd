// Wrong passwords from strangers do not lock users out of networks that they have signed in from, guessing from many networks is
// limited, and nothing reveals whether an account exists.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteExpiredSignIns } from '../../src/accounts/sessions.ts'
import { PASSWORD, type TestApp, testApp } from '../support/app.ts'
import { ageFailures, ageNetworks } from '../support/rows.sql.ts'

let app: TestApp
let origin: string
beforeAll(async () => {
  app = await testApp({ trustedProxies: ['127.0.0.0/8'] })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  origin = app.server.listeningOrigin
})
afterAll(() => app.close())

async function signIn(
  email: string,
  from: string,
  password = PASSWORD,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password }),
  })
  return { status: answer.status, text: (await answer.text()).replace(/in \d+ seconds/, 'in N seconds') }
}

/** Ten wrong passwords from each of six networks; what was said to them, in turn. */
async function besiege(email: string, from: (no: number) => string): Promise<string[]> {
  const said: string[] = []
  for (let no = 0; no < 6; no++) {
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => signIn(email, from(no), 'not the password')),
    )
    said.push(...answers.map(({ status, text }) => `${status} ${text}`).sort())
  }
  return said
}

const counted = (said: string[]) => said.filter((one) => one.startsWith('401')).length

test('strangers with wrong passwords lock nobody out of where they have signed in before', async () => {
  const { email } = await app.person()
  for (const home of ['198.51.100.7', '2001:db8:1::1']) expect((await signIn(email, home)).status).toBe(204)
  expect(counted(await besiege(email, (no) => `203.0.${no}.1`))).toBe(50)
  // From elsewhere the account is closed for a while, with the right password too.
  expect((await signIn(email, '192.0.2.1')).status).toBe(429)
  for (const home of ['198.51.100.7', '198.51.100.99', '2001:db8:1:ff::9'])
    expect((await signIn(email, home)).status, home).toBe(204)
  await ageFailures(app.deps.db, 900)
  expect((await signIn(email, '192.0.2.1')).status).toBe(204)
})

test('ten failures from one network block that network and no other', async () => {
  const { email } = await app.person()
  for (let no = 0; no < 10; no++) await signIn(email, `203.0.113.${no}`, 'not the password')
  expect((await signIn(email, '203.0.113.200')).status).toBe(429)
  expect((await signIn(email, '192.0.2.7')).status).toBe(204)
})

test('responses are the same for an account and for none', async () => {
  const { email } = await app.person()
  await signIn(email, '198.51.100.7')
  const known = await besiege(email, (no) => `203.1.${no}.1`)
  expect(await besiege('nobody-here@example.org', (no) => `203.1.${no}.2`)).toEqual(known)
})

test('networks are stored without addresses, twenty per user, for 90 days', async () => {
  const { email } = await app.person()
  await ageNetworks(app.deps.db, 91)
  await deleteExpiredSignIns(app.deps)
  expect(await ageNetworks(app.deps.db, 0)).toEqual([])
  for (let no = 0; no < 22; no++) expect((await signIn(email, `198.18.${no}.1`)).status).toBe(204)
  const kept = await ageNetworks(app.deps.db, 0)
  expect(kept.map(({ network }) => network.length)).toEqual(Array.from({ length: 20 }, () => 32))
  expect(new Set(kept.map(({ network }) => network.toString('hex'))).size).toBe(20)
})
