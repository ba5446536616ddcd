// API keys over HTTP: what they can read, and everything that invalidates them.

import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewKey } from '../../src/contract/account.ts'
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import type { Me, Page, Workspace } from '../../src/contract/resources.ts'
import { ABSENT, bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { activityOf, ageKey, removeAccount, setStatus } from '../support/rows.sql.ts'
import { absent, furnish, pathOf, validBody } from '../support/world.ts'

let app: TestApp
let owner: Person
let cookie: string
beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  cookie = await app.cookie(owner)
})
afterAll(() => app.close())

const headers = (of = cookie) => ({ cookie: of, origin: 'http://127.0.0.1:8484' })
const make = (body: unknown, of = cookie) =>
  app.send('POST', '/account/keys', undefined, { body, headers: headers(of) })
const list = (of = cookie) => app.send('GET', '/account/keys', undefined, { headers: { cookie: of } })
const revoke = (id: string, of = cookie) =>
  app.send('DELETE', `/account/keys/${id}`, undefined, { headers: headers(of) })
const keyFor = async (workspaceIds: string[], more: object = {}, of = cookie): Promise<NewKey> => {
  const answer = await make({ name: 'A key', workspace_ids: workspaceIds, ...more }, of)
  expect(answer.status, answer.text).toBe(201)
  return bodyOf<NewKey>(answer)
}
const me = (key: string) => app.send('GET', '/v1/me', key)
const typeOf = (answer: Answered) => (answer.body as { error?: { type: string } }).error?.type

describe('what a key may read', () => {
  test('the chosen workspaces as a viewer, nothing else, and it does not identify its owner', async () => {
    const chosen = await furnish(app, owner)
    const other = await furnish(app, owner)
    const { key, id } = await keyFor([chosen.workspace_id])
    expect(key).toMatch(/^ken_mcp_[\w-]{43}$/)
    expect(bodyOf<Me>(await me(key))).toEqual({
      id,
      auth: 'api_key',
      scopes: ['knowledge:read'],
      workspace_count: 1,
    })
    const listed = bodyOf<Page<Workspace>>(await app.send('GET', '/v1/workspaces', key))
    expect(listed.data.map((workspace) => workspace.id)).toEqual([chosen.workspace_id])
    for (const id of Object.keys(endpoints) as EndpointId[]) {
      const row = endpoints[id]
      const call = (ids: typeof absent) => app.send(row.method, pathOf(id, ids), key, validBody(id, ids))
      if (row.ability === 'write') {
        for (const at of [chosen, other, absent])
          expect(typeOf(await call(at)), id).toBe('insufficient_scope')
      } else if (row.path.includes('{')) {
        // For those who edit or own: members, activity, usage, exports, sources and webhooks.
        const owned =
          /^(listMembers|listActivity|getUsage|getDocumentUse|exportWorkspace)$|Source|Webhook/.test(id)
        // A thread, an import or an evaluation question is its asker's alone, and a key is another asker than its owner. A shared
        // thread is for all who may read the workspace.
        const isOwn = /{(thread|question|import)_id}/.test(row.path) && id !== 'getSharedThread'
        const answered = isOwn ? 404 : row.status
        expect((await call(chosen)).status, id).toBe(owned ? 403 : answered)
        expect((await call(other)).status, id).toBe(404)
        expect((await call(other)).text).toBe((await call(absent)).text)
      }
    }
  })

  test('never more than its owner can read now, and no workspace created later', async () => {
    const [boss, member] = [await app.person(), await app.person()]
    const shared = await app.workspace(boss)
    await app.member(shared, member, 'editor')
    const of = await app.cookie(member)
    const { key } = await keyFor([shared], {}, of)
    const read = async () => (await app.send('GET', `/v1/workspaces/${shared}`, key)).status
    expect(await read()).toBe(200)
    await app.send('DELETE', `/v1/workspaces/${shared}/members/${member.id}`, await app.token(boss))
    expect(await read()).toBe(404)
    expect(bodyOf<Me>(await me(key)).workspace_count).toBe(0)
    await app.workspace(member)
    expect(bodyOf<Page<Workspace>>(await app.send('GET', '/v1/workspaces', key)).data).toEqual([])
    await app.member(shared, member, 'viewer')
    expect(await read()).toBe(200)
    await app.send('DELETE', `/v1/workspaces/${shared}`, await app.token(boss))
    expect(await read()).toBe(404)
    expect((await me(key)).status).toBe(200)
  })
})

describe('creating and revoking', () => {
  test('is shown once, listed by name and last four, revoked at once', async () => {
    const workspaceId = await app.workspace(owner)
    const made = await keyFor([workspaceId, workspaceId.toUpperCase()], { name: '  My laptop ' })
    expect(made).toMatchObject({
      name: 'My laptop',
      workspace_ids: [workspaceId],
      expires_at: null,
      last_used_at: null,
    })
    expect(made.last_four).toBe(made.key.slice(-4))
    const listed = await list()
    const { key: secret, ...shown } = made
    expect((listed.body as { data: object[] }).data).toContainEqual(shown)
    expect(listed.text).not.toContain(secret.slice(8))
    expect((await me(made.key)).status).toBe(200)
    expect((await revoke(made.id)).status).toBe(204)
    expect((await me(made.key)).status).toBe(401)
    expect((await list()).text).not.toContain(made.id)
    for (const id of [made.id, ABSENT, 'nonsense']) expect((await revoke(id)).status, id).toBe(404)
    const acts = await activityOf(app.deps.db, workspaceId)
    expect(acts.map(({ action, actor_id, subject }) => [action, actor_id, subject])).toEqual([
      ['key_made', owner.id, made.id],
      ['key_revoked', owner.id, made.id],
    ])
  })

  test("another's key is neither seen nor revoked", async () => {
    const made = await keyFor([await app.workspace(owner)])
    const other = await app.cookie(await app.person())
    expect((await list(other)).body).toEqual({ data: [] })
    expect((await revoke(made.id, other)).status).toBe(404)
    expect((await me(made.key)).status).toBe(200)
  })

  test('requires a session and the same origin', async () => {
    const workspace_ids = [await app.workspace(owner)]
    const body = { name: 'x', workspace_ids }
    const send = (headers: Record<string, string>) =>
      app.send('POST', '/account/keys', undefined, { body, headers })
    expect((await send({ cookie })).status).toBe(403)
    expect((await send({ cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await send({ origin: 'http://127.0.0.1:8484' })).status).toBe(401)
    expect((await list('ken_session=nothing')).status).toBe(401)
    const { key } = await keyFor(workspace_ids)
    const bearer = { authorization: `Bearer ${key}`, origin: 'http://127.0.0.1:8484' }
    expect((await send(bearer)).status).toBe(401)
  })

  test('foreign and unknown workspaces are the same 404; invalid input is a validation error', async () => {
    const foreign = await app.workspace(await app.person())
    const own = await app.workspace(owner)
    const answers = [await make({ name: 'x', workspace_ids: [own, foreign] })]
    answers.push(await make({ name: 'x', workspace_ids: [own, ABSENT] }))
    for (const { status } of answers) expect(status).toBe(404)
    expect(answers[0]?.text).toBe(answers[1]?.text)
    const good = { name: 'x', workspace_ids: [own] }
    const bad: Record<string, object> = {
      'no name': { workspace_ids: [own] },
      'a blank name': { ...good, name: ' \u0000 ' },
      'a long name': { ...good, name: 'x'.repeat(101) },
      'no workspace': { ...good, workspace_ids: [] },
      'too many': { ...good, workspace_ids: Array.from({ length: 201 }, () => randomUUID()) },
      'no id': { ...good, workspace_ids: ['all'] },
      'a past end': { ...good, expires_at: '2020-01-01T00:00:00Z' },
      'an end without a zone': { ...good, expires_at: '2100-01-01T00:00:00' },
      'no date': { ...good, expires_at: 'soon' },
    }
    for (const [name, body] of Object.entries(bad)) expect((await make(body)).status, name).toBe(422)
    expect((await make(good)).status).toBe(201)
  })

  test('at most 20 active ones, also of 25 at once', async () => {
    const person = await app.person()
    const of = await app.cookie(person)
    const workspace_ids = [await app.workspace(person)]
    const all = await Promise.all(Array.from({ length: 25 }, () => make({ name: 'x', workspace_ids }, of)))
    const statuses = all.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(422)])
    const [first] = (bodyOf<{ data: NewKey[] }>(await list(of)) as { data: NewKey[] }).data
    await revoke(first?.id ?? '', of)
    expect((await make({ name: 'x', workspace_ids }, of)).status).toBe(201)
  })
})

describe('is 401', () => {
  const odd: Record<string, (key: NewKey, person: Person) => Promise<string | undefined>> = {
    revoked: async ({ id }, person) => void (await revoke(id, await app.cookie(person))),
    expired: async ({ id }) => void (await ageKey(app.deps.db, id, 3601)),
    'of a suspended owner': async (_key, { id }) => void (await setStatus(app.deps.db, id, 'suspended')),
    'of a deleted owner': async (_key, { id }) => void (await removeAccount(app.deps.db, id)),
    'with a letter of another case': async ({ key }) =>
      key.replace(/(?<=^ken_mcp_[^a-z]*)[a-z]/i, (c) =>
        c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
      ),
    'with an upper-case prefix': async ({ key }) => key.replace('ken_mcp_', 'KEN_MCP_'),
    'with one character more': async ({ key }) => `${key}A`,
    'with one character less': async ({ key }) => key.slice(0, -1),
    'under another prefix': async ({ key }) => key.replace('ken_mcp_', 'ken_at_'),
    'of random bytes': async () => `ken_mcp_${randomBytes(32).toString('base64url')}`,
    'with a space behind': async ({ key }) => `${key} x`,
    'with a comma behind': async ({ key }) => `${key},`,
    'percent-encoded': async ({ key }) => key.replace('_', '%5F'),
  }
  test.each(Object.entries(odd))('one %s', async (_name, spoil) => {
    const person = await app.person()
    const made = await keyFor(
      [await app.workspace(person)],
      { expires_at: new Date(Date.now() + 3_600_000).toISOString() },
      await app.cookie(person),
    )
    expect((await me(made.key)).status).toBe(200)
    const sent = (await spoil(made, person)) ?? made.key
    const answer = await me(sent)
    expect(answer.status).toBe(401)
    expect(String(answer.headers['www-authenticate'])).toContain('error="invalid_token"')
  })
})

test('its last use is recorded, at most once a minute', async () => {
  const made = await keyFor([await app.workspace(owner)])
  const lastUse = async () =>
    bodyOf<{ data: NewKey[] }>(await list()).data.find(({ id }) => id === made.id)?.last_used_at
  await me(made.key)
  const first = await lastUse()
  expect(first).toMatch(/^\d{4}-/)
  await me(made.key)
  expect(await lastUse()).toBe(first)
  await ageKey(app.deps.db, made.id, 61)
  const aged = await lastUse()
  await me(made.key)
  expect(await lastUse()).not.toBe(aged)
})

test('no secret is stored in clear text', async () => {
  const { key } = await keyFor([await app.workspace(owner)])
  const { default: sql } = await import('sql-template-tag')
  const rows = await app.deps.db.rows(sql`SELECT api_key::text, encode(hash, 'escape') FROM api_key`)
  expect(JSON.stringify(rows)).not.toContain(key.slice(8, -4))
})
