// Adding documents to a scope and removing them, as a selection of documents does.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page, ScopeChangeResult, ScopeDocument } from '../../src/contract/resources.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { putDocument } from '../support/put.sql.ts'

let app: TestApp
let owner: Person
let token: string
let workspaceId: string
const ids = Object.fromEntries(['a.md', 'b.md', 'Leases/c.md'].map((path) => [path, randomUUID()]))
const [a = '', b = '', c = ''] = Object.values(ids)

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  workspaceId = await app.workspace(owner)
  for (const [path, id] of Object.entries(ids))
    await putDocument(app.deps.db, workspaceId, id, [{ kind: 'paragraph', text: path }], { path })
})
afterAll(() => app.close())

const change = (name: string, body: object, bearer = token) =>
  app.send('POST', `/v1/workspaces/${workspaceId}/scopes/${name}/documents`, bearer, { body })
const documentsOf = async (name: string): Promise<string[]> => {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/scopes/${name}/documents`, token)
  return (answer.body as Page<ScopeDocument>).data.map(({ path }) => path).toSorted()
}

test('a scope is created by the first documents, gets others, loses some; what was so before is not named', async () => {
  const first = await change('Leases', { add: [a, a] })
  expect([first.status, first.body]).toEqual([
    200,
    { created: true, added: [a], removed: [], unknown: [], in_folders: [] },
  ])
  const second = (await change('Leases', { add: [a, b] })).body as ScopeChangeResult
  expect([second.created, second.added]).toEqual([false, [b]])
  expect(await documentsOf('Leases')).toEqual(['a.md', 'b.md'])
  const third = (await change('Leases', { remove: [a, c] })).body as ScopeChangeResult
  expect(third.removed).toEqual([a])
  expect(await documentsOf('Leases')).toEqual(['b.md'])
})

test('documents that do not exist are named and the others are added; those of another workspace do not exist', async () => {
  const other = await app.workspace(owner)
  const foreign = randomUUID()
  await putDocument(app.deps.db, other, foreign, [{ kind: 'paragraph', text: 'x' }])
  const absent = randomUUID()
  const result = (await change('Mixed', { add: [b, absent, foreign] })).body as ScopeChangeResult
  expect(result.added).toEqual([b])
  expect(new Set(result.unknown)).toEqual(new Set([absent, foreign]))
  expect((await change('Nothing', { add: [absent] })).status).toBe(404)
  expect((await change('Nothing', { remove: [a] })).status).toBe(404)
})

test('a document that a folder of the scope contains stays in it, and the result says so', async () => {
  const path = `/v1/workspaces/${workspaceId}/scopes/Both`
  await app.send('PUT', path, token, { body: { folders: ['Leases'], document_ids: [c, b] } })
  const result = (await change('Both', { remove: [b, c] })).body as ScopeChangeResult
  expect(new Set(result.removed)).toEqual(new Set([b, c]))
  expect(result.in_folders).toEqual([c])
  expect(await documentsOf('Both')).toEqual(['Leases/c.md'])
})

test('a change and its opposite leave the scope as it was; two at the same time lose nothing', async () => {
  await change('Undo', { add: [a] })
  const { added, removed } = (await change('Undo', { add: [a, b], remove: [c] })).body as ScopeChangeResult
  await change('Undo', { add: removed, remove: added })
  expect(await documentsOf('Undo')).toEqual(['a.md'])
  await Promise.all([b, c].map((id) => change('Undo', { add: [id] })))
  expect(await documentsOf('Undo')).toEqual(['Leases/c.md', 'a.md', 'b.md'])
})

test('viewers and strangers change no scope, and nobody a built-in one', async () => {
  const viewer = await app.person()
  expect((await change('Leases', { add: [a] }, await app.token(viewer))).status).toBe(404)
  await app.member(workspaceId, viewer, 'viewer')
  expect((await change('Leases', { add: [a] }, await app.token(viewer))).status).toBe(403)
  expect((await change('folder:Leases', { add: [a] })).status).toBe(422)
})
