// Members of a workspace and its activity.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { record } from '../../src/audit/activity.sql.ts'
import { nobody } from '../../src/audit/activity.ts'
import type { Activity, Member } from '../../src/contract/people.ts'
import type { Page } from '../../src/contract/resources.ts'
import { purgeBatch } from '../../src/workspaces/purge.sql.ts'
import { ABSENT, bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import {
  activityOf,
  changesOfActivity,
  removeAccount,
  setStatus,
  untilSomeoneWaits,
} from '../support/rows.sql.ts'
import { furnish, multipart } from '../support/world.ts'

let app: TestApp
let owner: Person
let token: string
beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
})
afterAll(() => app.close())

const at = (id: string, rest = '') => `/v1/workspaces/${id}/members${rest}`
const put = (id: string, email: string, role: string, as = token) =>
  app.send('PUT', at(id), as, { body: { email, role } })
const remove = (id: string, userId: string, as = token) => app.send('DELETE', at(id, `/${userId}`), as)
const list = async (id: string, as = token): Promise<Member[]> =>
  bodyOf<Page<Member>>(await app.send('GET', at(id), as)).data
const typeOf = (answer: Answered) => (answer.body as { detail?: { type: string }[] }).detail?.[0]?.type

test('owners add members, change their roles and remove them, effective with the next request', async () => {
  const id = await app.workspace(owner)
  const person = await app.person()
  const theirs = await app.token(person)
  const rename = async () =>
    (await app.send('PATCH', `/v1/workspaces/${id}`, theirs, { body: { name: 'New' } })).status
  expect(await rename()).toBe(404)
  const added = await put(id, person.email.toUpperCase(), 'viewer')
  expect([added.status, added.body]).toEqual([
    200,
    { user_id: person.id, email: person.email, role: 'viewer' },
  ])
  expect(await rename()).toBe(403)
  await put(id, person.email, 'editor')
  expect(await rename()).toBe(200)
  const members = await list(id)
  expect(members.toSorted((a, b) => a.role.localeCompare(b.role))).toEqual([
    { user_id: person.id, email: person.email, role: 'editor' },
    { user_id: owner.id, email: owner.email, role: 'owner' },
  ])
  expect((await remove(id, person.id)).status).toBe(204)
  expect(await rename()).toBe(404)
  expect((await remove(id, person.id)).status).toBe(404)
})

test('of a suspended account nothing is changed, and it is said why', async () => {
  const id = await app.workspace(owner)
  const suspended = await app.person()
  await put(id, suspended.email, 'viewer')
  await setStatus(app.deps.db, suspended.id, 'suspended')
  const answer = await put(id, suspended.email, 'editor')
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('restore it first')])
  expect((await remove(id, suspended.id)).status).toBe(204)
})

test('only users with an account', async () => {
  const id = await app.workspace(owner)
  const answer = await put(id, 'nobody@example.org', 'viewer')
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('invite this person first')])
  const nowhere = await put(ABSENT, 'nobody@example.org', 'viewer')
  expect([nowhere.status, nowhere.text]).toEqual([404, expect.not.stringContaining('invite')])
  for (const [email, role] of [
    ['x', 'viewer'],
    ['', 'viewer'],
    ['a\u0000@b.c', 'viewer'],
    [owner.email, 'admin'],
    [owner.email, 'OWNER'],
  ] as const)
    expect((await put(id, email, role)).status, `${email} ${role}`).toBe(422)
  expect((await remove(id, 'nonsense')).status).toBe(422)
  expect((await remove(id, ABSENT)).status).toBe(404)
})

test('a user who deletes their account at that moment is not added', async () => {
  const id = await app.workspace(owner)
  const leaving = await app.person()
  let added: Promise<Answered> | undefined
  // Their row is gone, not yet for good: on a server adding them has found it and waits.
  await app.deps.db.tx(async (tx) => {
    await removeAccount(tx, leaving.id)
    added = put(id, leaving.email, 'viewer')
    await untilSomeoneWaits(tx, 500)
  })
  const answer = await added
  expect([answer?.status, answer?.text]).toEqual([404, expect.stringContaining('invite this person first')])
})

test('a member of another workspace is unknown here, and cannot be removed from there', async () => {
  const [here, there] = [await app.workspace(owner), await app.workspace(owner)]
  const [one, two] = [await app.person(), await app.person()]
  await app.member(here, one, 'editor')
  await app.member(there, two, 'viewer')
  const [foreign, nowhere] = [await remove(here, two.id), await remove(here, ABSENT)]
  expect([foreign.status, foreign.text]).toEqual([404, nowhere.text])
  const theirs = await app.token(one)
  for (const userId of [owner.id, two.id, ABSENT])
    expect((await remove(here, userId, theirs)).status).toBe(403)
  expect((await put(here, one.email, 'owner', theirs)).status).toBe(403)
  expect(await list(there)).toHaveLength(2)
})

test('pages of the list contain each member once', async () => {
  const id = await app.workspace(owner)
  for (let i = 0; i < 4; i++) await app.member(id, await app.person(), 'viewer')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page<Member> = bodyOf(
      await app.send('GET', at(id, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`), token),
    )
    seen.push(...page.data.map(({ email }) => email))
    cursor = page.next_cursor
  }
  expect(seen).toEqual([...new Set(seen)].sort())
  expect(seen).toHaveLength(5)
})

describe('the last owner', () => {
  test('cannot leave, step down or be removed; with a second one they can', async () => {
    const id = await app.workspace(owner)
    for (const answer of [await remove(id, owner.id), await put(id, owner.email, 'viewer')])
      expect([answer.status, typeOf(answer)]).toEqual([422, 'last_owner'])
    expect((await put(id, owner.email, 'owner')).status).toBe(200)
    const second = await app.person()
    await app.member(id, second, 'owner')
    expect((await put(id, owner.email, 'editor')).status).toBe(200)
    expect((await put(id, owner.email, 'owner')).status).toBe(403)
    expect((await remove(id, owner.id)).status).toBe(204)
    expect(await list(id, await app.token(second))).toHaveLength(1)
  })

  test('a suspended one does not count', async () => {
    const id = await app.workspace(owner)
    const second = await app.person()
    await app.member(id, second, 'owner')
    await setStatus(app.deps.db, second.id, 'suspended')
    expect((await remove(id, owner.id)).status).toBe(422)
  })

  test('remains when two leave or remove each other at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await app.workspace(owner)
      const second = await app.person()
      await app.member(id, second, 'owner')
      const theirs = await app.token(second)
      const both =
        round % 2
          ? [remove(id, owner.id), remove(id, second.id, theirs)]
          : [remove(id, second.id), remove(id, owner.id, theirs)]
      const statuses = (await Promise.all(both)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      const left = statuses.includes(422) || statuses.includes(404)
      expect(left, String(statuses)).toBe(true)
    }
  })
})

test('everybody may leave', async () => {
  const id = await app.workspace(owner)
  for (const role of ['viewer', 'editor'] as const) {
    const person = await app.person()
    await app.member(id, person, role)
    const theirs = await app.token(person)
    expect((await remove(id, person.id, theirs)).status).toBe(204)
    expect((await remove(id, person.id, theirs)).status).toBe(404)
  }
})

test('the activity is shown to owners, newest first, in pages', async () => {
  const id = bodyOf<{ id: string }>(
    await app.send('POST', '/v1/workspaces', token, { body: { name: 'Told' } }),
  ).id
  const person = await app.person()
  await put(id, person.email, 'viewer')
  await put(id, person.email, 'viewer')
  await put(id, person.email, 'editor')
  await remove(id, person.id)
  const url = `/v1/workspaces/${id}/activity`
  const all = bodyOf<Page<Activity>>(await app.send('GET', url, token))
  const by = { type: 'user', id: owner.id, name: owner.email }
  expect(all.data.map(({ action, actor, subject, detail }) => ({ action, actor, subject, detail }))).toEqual([
    { action: 'member_removed', actor: by, subject: person.id, detail: {} },
    { action: 'member_set', actor: by, subject: person.id, detail: { role: 'editor' } },
    { action: 'member_set', actor: by, subject: person.id, detail: { role: 'viewer' } },
    { action: 'workspace_made', actor: by, subject: id, detail: {} },
  ])
  const first = bodyOf<Page<Activity>>(await app.send('GET', `${url}?limit=3`, token))
  expect(first.has_more).toBe(true)
  const second = bodyOf<Page<Activity>>(await app.send('GET', `${url}?cursor=${first.next_cursor}`, token))
  expect([...first.data, ...second.data]).toEqual(all.data)
  const other = await app.workspace(owner)
  expect(
    (await app.send('GET', `/v1/workspaces/${other}/activity?cursor=${first.next_cursor}`, token)).status,
  ).toBe(422)
})

test('uploads, questions and deletions are logged by id, without any of their text', async () => {
  const asked = 'Who keeps the lighthouse of Aldermouth?'
  const here = await furnish(app, owner)
  const id = here.workspace_id
  const upload = multipart([
    { name: 'one.md', text: '# A secret title\n' },
    { name: 'two.md', text: 'Some text.\n' },
  ])
  const job = bodyOf<{ id: string }>(await app.send('POST', `/v1/workspaces/${id}/files`, token, upload))
  await app.send('POST', `/v1/workspaces/${id}/ask`, token, { body: { question: asked } })
  await app.send('DELETE', `/v1/workspaces/${id}/documents/${here.document_id}`, token)
  const told = await app.send('GET', `/v1/workspaces/${id}/activity`, token)
  expect(
    bodyOf<Page<Activity>>(told).data.map(({ action, subject, detail }) => [action, subject, detail]),
  ).toEqual([
    ['document_deleted', here.document_id, {}],
    ['question_asked', null, {}],
    ['files_uploaded', job.id, { files: 2 }],
  ])
  expect(told.text).not.toMatch(/secret|one\.md|lighthouse/)
})

test('renaming, scopes, merges and reindexing are logged with the user', async () => {
  const here = await furnish(app, owner)
  const id = here.workspace_id
  const at = `/v1/workspaces/${id}`
  const merges = `${at}/entities/${here.entity_id}/merges`
  const scope = { folders: ['a'], document_ids: [] }
  await app.send('PATCH', at, token, { body: { name: 'Another name' } })
  await app.send('PATCH', at, token, { body: {} })
  await app.send('PUT', `${at}/scopes/mine`, token, { body: scope })
  await app.send('DELETE', `${at}/scopes/mine`, token)
  const undone = await app.send('DELETE', `${merges}/${here.merged_id}`, token)
  expect(undone.status).toBe(204)
  const job = bodyOf<{ id: string }>(await app.send('POST', `${at}/reindex`, token))
  const told = bodyOf<Page<Activity>>(await app.send('GET', `${at}/activity`, token))
  expect(told.data.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
    ['reindex_started', job.id, { files: 1 }],
    ['merge_undone', here.entity_id, { merged: here.merged_id }],
    ['scope_deleted', 'mine', {}],
    ['scope_set', 'mine', {}],
    ['workspace_changed', id, {}],
  ])
})

test('log entries cannot be changed, and are deleted with their workspace', async () => {
  const { db } = app.deps
  const id = bodyOf<{ id: string }>(
    await app.send('POST', '/v1/workspaces', token, { body: { name: 'Kept' } }),
  ).id
  // One of the installation, too.
  await record(db, { action: 'sign_in', actor: nobody })
  for (const change of changesOfActivity(id))
    await expect(db.rows(change)).rejects.toThrow('activity is append-only')
  expect(await activityOf(db, id)).toHaveLength(1)
  await app.send('DELETE', `/v1/workspaces/${id}`, token)
  expect(await purgeBatch(db, id)).toBe(false)
  while (!(await purgeBatch(db, id))) {}
  expect(await activityOf(db, id)).toEqual([])
  const kept = (await activityOf(db, null)).at(-1)
  expect(kept).toMatchObject({ action: 'workspace_deleted', actor_id: owner.id, subject: id })
})
