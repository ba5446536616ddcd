// Codes and refresh tokens redeemed by two processes at once: never two families, never a fork.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { consent, REDIRECT, redeem, refreshed, register, token } from '../support/oauth.ts'
import { ageRefreshTokens, selectGrantState, unusedRefreshTokens } from '../support/oauth-rows.sql.ts'
import { program } from '../support/program.ts'
import type { Ask, Got } from '../support/token-process.ts'

const ROUNDS = 5
const AT_ONCE = 20

let app: TestApp
let person: Person
let clientId: string
let other: ChildProcess
beforeAll(async () => {
  app = await testApp()
  person = await app.person()
  const { connection, deps } = app
  const args = [
    JSON.stringify(connection),
    deps.cursorKey.toString('base64url'),
    JSON.stringify(deps.settings),
  ]
  other = fork(program('token-process'), args, { execArgv: [] })
  await once(other, 'message')
})
afterAll(async () => {
  if (other?.connected) {
    other.disconnect()
    await once(other, 'exit')
  }
  await app?.close()
})

/** The same request, half of the times by this process over HTTP, half by the other. */
async function race(fields: Record<string, string>): Promise<Got[]> {
  const theirs = once(other, 'message') as Promise<[Got[]]>
  other.send({ fields, times: AT_ONCE / 2 } satisfies Ask)
  const ours = await Promise.all(Array.from({ length: AT_ONCE / 2 }, () => token(app, fields)))
  const got = ours.map(
    ({ status, body }): Got =>
      status === 200 ? { refreshToken: body.refresh_token } : { error: body.error ?? `${status}` },
  )
  return [...got, ...(await theirs)[0]]
}

const won = (got: Got[]): string[] => got.flatMap((one) => ('refreshToken' in one ? [one.refreshToken] : []))
const lost = (got: Got[]): string[] => got.flatMap((one) => ('error' in one ? [one.error] : []))
const state = () => selectGrantState(app.deps.db, { clientId, accountId: person.id })

test(`a code redeemed ${AT_ONCE} times at once gives tokens once, and they are revoked`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    clientId = await register(app)
    const { code, verifier } = await consent(app, person, { clientId })
    const got = await race({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id: clientId,
      redirect_uri: REDIRECT,
    })
    const tokens = won(got)
    expect(tokens).toHaveLength(1)
    expect(lost(got)).toEqual(Array(AT_ONCE - 1).fill('invalid_grant'))
    expect(await state()).toMatchObject({ grants: 1, alive: 0 })
    expect((await refreshed(app, clientId, tokens[0] ?? '')).body.error).toBe('invalid_grant')
  }
})

test(`F-02: a refresh token used ${AT_ONCE} times at once has one successor, which works`, async () => {
  clientId = await register(app)
  let { refresh_token: current } = (await redeem(app, await consent(app, person, { clientId }))).body
  for (let round = 0; round < ROUNDS; round++) {
    const got = await race({ grant_type: 'refresh_token', refresh_token: current, client_id: clientId })
    expect(lost(got)).toEqual([])
    const [next = '', ...others] = new Set(won(got))
    expect([others, next === current]).toEqual([[], false])
    expect(await unusedRefreshTokens(app.deps.db, clientId)).toBe(1)
    expect(await state()).toMatchObject({ grants: 1, alive: 1 })
    current = next
  }
})

test(`a stolen refresh token used ${AT_ONCE} times at once after the grace time revokes the family`, async () => {
  clientId = await register(app)
  const first = (await redeem(app, await consent(app, person, { clientId }))).body.refresh_token
  const second = (await refreshed(app, clientId, first)).body.refresh_token
  await ageRefreshTokens(app.deps.db, 31)
  const got = await race({ grant_type: 'refresh_token', refresh_token: first, client_id: clientId })
  expect(lost(got)).toEqual(Array(AT_ONCE).fill('invalid_grant'))
  expect(await state()).toMatchObject({ grants: 1, alive: 0 })
  expect((await refreshed(app, clientId, second)).body.error).toBe('invalid_grant')
})
