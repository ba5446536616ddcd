// The recipes of docs/company-sign-in.md, as they stand there, against a provider that sends what each of the four sends.

import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { companyServer } from '../support/company.ts'
import { CLIENT, oidcProvider, type Provider } from '../support/oidc-provider.ts'
import { makeAdmin } from '../support/rows.sql.ts'

type At = Awaited<ReturnType<typeof companyServer>>

let app: TestApp
let provider: Provider
let finance: string
let handbook: string
const servers: At[] = []
beforeAll(async () => {
  app = await testApp()
  provider = await oidcProvider()
  const owner: Person = await app.person()
  await makeAdmin(app.deps.db, owner.id)
  finance = await app.workspace(owner, 'Finance Reports')
  handbook = await app.workspace(owner, 'Handbook')
})
afterEach(async () => {
  Object.assign(provider, { userinfo: {}, metadata: {}, refusedScopes: [], claimScopes: {} })
  for (const at of servers.splice(0)) await at.close()
})
afterAll(async () => {
  await provider.close()
  await app.close()
})

const PAGE = readFileSync('docs/company-sign-in.md', 'utf8')

/** The settings of one block of code under a heading. */
function recipe(heading: string, index = 0): Record<string, string> {
  const chapter = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const block = [...chapter.matchAll(/^```\n(.*?)^```$/gms)][index]?.[1] ?? ''
  const lines = block.trim().split('\n')
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** The service with the settings of the page, for the provider of the test. */
async function serverOf(settings: Record<string, string>): Promise<At> {
  // With the issuer of the page too, since some are refused.
  const { company } = readConfig(settings)
  if (!company) throw new Error('the page has no such recipe')
  const at = await companyServer(app, provider, {
    ...company,
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  })
  servers.push(at)
  return at
}

async function roleIn(workspaceId: string, accountId: string | undefined): Promise<string | undefined> {
  const [row] = await app.deps.db.rows<{ role: string }>(
    sql`SELECT role FROM member WHERE workspace_id = ${workspaceId} AND account_id = ${accountId ?? null}::uuid`,
  )
  return row?.role
}
const reasons = ({ lines }: At) =>
  lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields.reason)

test('Entra: no email_verified, groups as ids, and none where there are too many', async () => {
  const settings = recipe('Microsoft Entra')
  const at = await serverOf(settings)
  const [admins = '', editors = ''] = (settings.KENNING_OIDC_ROLES ?? '').match(/[0-9a-f-]{36}/g) ?? []
  provider.metadata = { scopes_supported: ['openid', 'profile', 'email', 'offline_access'] }
  provider.refusedScopes = ['groups']
  const ada = {
    sub: 'ku5RyXo8c0nUDCyM8nCFmQJPwM1DnRdW9TvD3n6yJgE',
    oid: '6a1c8c57-7d0e-4a39-9a5e-0d1c5a7d9e21',
    tid: '7c1f3c4e-2d0b-4f4e-9f55-0f6b8c3a1d20',
    ver: '2.0',
    name: 'Ada Lovelace',
    preferred_username: 'ada@example.org',
    email: 'ada@example.org',
  }
  const { me } = await at.enter({ ...ada, groups: [admins, editors] })
  expect([me?.email, me?.admin, await roleIn(finance, me?.id)]).toEqual(['ada@example.org', true, 'editor'])
  const overage = {
    ...ada,
    _claim_names: { groups: 'src1' },
    _claim_sources: {
      src1: { endpoint: `https://graph.windows.net/${ada.tid}/users/${ada.oid}/getMemberObjects` },
    },
  }
  const after = await at.enter(overage)
  expect([after.status, after.me?.admin, await roleIn(finance, me?.id)]).toEqual([303, false, undefined])
  expect(reasons(at)).toEqual(['too_many_for_token'])
  // Somebody without the attribute mail: a name to sign in with is not an address.
  const { email: _, ...noMail } = ada
  expect((await at.enter({ ...noMail, sub: 'no-mail' })).status).toBe(403)
  expect(reasons(at)).toContain('no_email_address')
  const strict = await serverOf({ ...settings, KENNING_OIDC_UNVERIFIED_EMAIL: 'refuse' })
  expect((await strict.enter({ ...ada, sub: 'strict', email: 'ben@example.org' })).status).toBe(403)
  expect(reasons(strict)).toContain('email_address_not_verified')
})

test('Okta: groups for the scope of groups, with the address from userinfo', async () => {
  const at = await serverOf(recipe('Okta'))
  provider.metadata = {
    scopes_supported: ['openid', 'email', 'profile', 'address', 'phone', 'offline_access', 'groups'],
  }
  provider.claimScopes = { groups: 'groups', email: 'email', email_verified: 'email' }
  const ada = { sub: '00u1a2b3c4d5e6f7g8h9', ver: 1, amr: ['mfa'], preferred_username: 'ada@okta.example' }
  const infoOf = (groups: string[]) => ({
    email: 'ada@okta.example',
    email_verified: true,
    zoneinfo: 'America/Los_Angeles',
    groups,
  })
  provider.userinfo = infoOf(['Everyone', 'Kenning', 'Kenning Admins', 'Finance'])
  const { me } = await at.enter(ada)
  expect(provider.scopes).toContain('groups')
  expect([me?.email, me?.admin, await roleIn(finance, me?.id)]).toEqual(['ada@okta.example', true, 'editor'])
  provider.userinfo = infoOf(['Everyone', 'Kenning'])
  expect((await at.enter(ada)).me?.admin).toBe(false)
  expect(await roleIn(finance, me?.id)).toBeUndefined()
  provider.userinfo = infoOf(['Everyone'])
  expect((await at.enter(ada)).status).toBe(403)
  expect(reasons(at)).toEqual(['not_in_an_allowed_group'])
})

test('Google: no groups, the domain in hd, and nothing for a private account', async () => {
  const at = await serverOf(recipe('Google'))
  provider.metadata = { scopes_supported: ['openid', 'email', 'profile'] }
  provider.refusedScopes = ['groups']
  const ada = {
    sub: '110169484474386276334',
    azp: CLIENT.id,
    email: 'ada@google.example',
    email_verified: true,
    name: 'Ada Lovelace',
    picture: 'https://lh3.googleusercontent.com/a/x',
  }
  const { me } = await at.enter({ ...ada, hd: 'example.org' })
  expect([me?.email, me?.admin, await roleIn(handbook, me?.id)]).toEqual([
    'ada@google.example',
    false,
    'viewer',
  ])
  expect((await at.enter({ ...ada, hd: 'other.example' })).status).toBe(403)
  expect(await roleIn(handbook, me?.id)).toBeUndefined()
  expect((await at.enter({ ...ada, sub: '2', email: 'eve@gmail.example' })).status).toBe(403)
  expect(reasons(at)).toEqual(['not_in_an_allowed_group', 'no_claim', 'not_in_an_allowed_group'])
})

test('Keycloak: groups with their path', async () => {
  const at = await serverOf(recipe('Keycloak'))
  provider.metadata = {
    scopes_supported: ['openid', 'profile', 'email', 'roles', 'web-origins', 'acr', 'basic'],
  }
  provider.refusedScopes = ['groups']
  const ada = {
    sub: '1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9',
    typ: 'ID',
    azp: CLIENT.id,
    acr: '1',
    preferred_username: 'ada',
    email: 'ada@keycloak.example',
    email_verified: true,
  }
  const { me } = await at.enter({ ...ada, groups: ['/staff', '/staff/kenning-admins', '/finance'] })
  expect([me?.admin, await roleIn(finance, me?.id)]).toEqual([true, 'editor'])
  expect((await at.enter({ ...ada, groups: ['/staff', '/other/finance', 'finance'] })).me?.admin).toBe(false)
  expect(await roleIn(finance, me?.id)).toBeUndefined()
  expect((await at.enter({ ...ada, groups: ['staff'] })).status).toBe(403)
  expect((await at.enter({ ...ada, sub: 'new', email_verified: false, groups: ['/staff'] })).status).toBe(403)
  expect(reasons(at)).toEqual(['not_in_an_allowed_group', 'email_address_not_verified'])
})

test('Keycloak: roles of the realm, inside a claim', async () => {
  const at = await serverOf(recipe('Keycloak', 1))
  const ada = { sub: 'realm', email: 'roles@keycloak.example', email_verified: true }
  const standard = ['default-roles-company', 'offline_access', 'uma_authorization', 'kenning-user']
  expect(
    (await at.enter({ ...ada, realm_access: { roles: [...standard, 'kenning-admin'] } })).me?.admin,
  ).toBe(true)
  expect((await at.enter({ ...ada, realm_access: { roles: standard } })).me?.admin).toBe(false)
  for (const claim of [{ roles: {} }, 'kenning-user', ['kenning-user'], { __proto__: { roles: standard } }])
    expect((await at.enter({ ...ada, realm_access: claim })).status).toBe(403)
})
