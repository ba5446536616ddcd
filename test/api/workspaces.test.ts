// Workspaces over HTTP: what the specification says of each, paging, delete (spec, "Rules for the workspace endpoints").

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Me, Page, Workspace } from '../../src/contract/resources.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { backdateWorkspace, insertDocument, insertJob, taskKinds } from '../support/rows.sql.ts'

let app: TestApp
let owner: Person
let token: string

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
})
afterAll(() => app.close())

const create = async (body: unknown) =>
  bodyOf<Workspace>(await app.send('POST', '/v1/workspaces', token, { body }))

test('created with trimmed name; unknown fields change nothing', async () => {
  const made = await create({
    name: '  Legal \n',
    description: 'a\u0000b',
    id: 'x',
    ready: false,
    document_count: 9,
  })
  expect(made).toMatchObject({ name: 'Legal', description: 'ab', ready: true, document_count: 0 })
  expect(made.id).toMatch(/^[0-9a-f-]{36}$/)
  expect(made.created_at).toBe(made.updated_at)
  expect(Math.abs(Date.parse(made.created_at) - Date.now())).toBeLessThan(60_000)
  const read = bodyOf<Workspace>(await app.send('GET', `/v1/workspaces/${made.id}`, token))
  expect(read).toEqual(made)
  const upper = await app.send('GET', `/v1/workspaces/${made.id.toUpperCase()}`, token)
  expect(upper.body).toEqual(made)
})

test('prototype keys in a body are ordinary unknown fields', async () => {
  const payload = '{"name":"Safe","__proto__":{"description":"bad"},"constructor":{"prototype":{"x":1}}}'
  const answer = await app.send('POST', '/v1/workspaces', token, {
    payload,
    headers: { 'content-type': 'application/json' },
  })
  expect(bodyOf<Workspace>(answer).description).toBe('')
  expect(({} as { x?: number }).x).toBeUndefined()
})

test('renamed, described, and unchanged by an empty update', async () => {
  const made = await create({ name: 'Before' })
  const path = `/v1/workspaces/${made.id}`
  const same = bodyOf<Workspace>(await app.send('PATCH', path, token, { body: {} }))
  expect(same).toEqual(made)
  const named = bodyOf<Workspace>(await app.send('PATCH', path, token, { body: { name: 'After' } }))
  expect(named).toMatchObject({ name: 'After', description: '', created_at: made.created_at })
  expect(Date.parse(named.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at))
  const described = await app.send('PATCH', path, token, { body: { description: 'Text' } })
  expect(described.body).toMatchObject({ name: 'After', description: 'Text' })
  expect((await app.send('PATCH', path, token, { body: { name: null } })).status).toBe(422)
})

test('pages contain every workspace once, in order of creation', async () => {
  const person = await app.person()
  const own = await app.token(person)
  const ids: string[] = []
  for (let i = 0; i < 7; i++) {
    const id = await app.workspace(person, `n${i}`)
    await backdateWorkspace(app.deps.db, id, 70 - 10 * i)
    ids.push(id)
  }
  for (const limit of [1, 2, 3, 7, 8, 200]) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const page: Page<Workspace> = bodyOf(await app.send('GET', `/v1/workspaces?limit=${limit}${more}`, own))
      expect(page.data.length).toBeLessThanOrEqual(limit)
      expect(page.has_more).toBe(page.next_cursor !== null)
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor)
    expect(seen).toEqual(ids)
  }
  expect(bodyOf<Me>(await app.send('GET', '/v1/me', own)).workspace_count).toBe(7)
})

test('ready is false while a file of it is queued or running; documents are counted', async () => {
  const made = await create({ name: 'Busy' })
  const job = { workspaceId: made.id, createdBy: owner.id, documentId: randomUUID() }
  await insertJob(app.deps.db, { ...job, id: randomUUID(), status: 'done' })
  await insertJob(app.deps.db, { ...job, id: randomUUID(), status: 'failed' })
  const document = { workspaceId: made.id, id: randomUUID(), versionId: randomUUID(), title: 'One' }
  await insertDocument(app.deps.db, document)
  const read = async () => bodyOf<Workspace>(await app.send('GET', `/v1/workspaces/${made.id}`, token))
  expect(await read()).toMatchObject({ ready: true, document_count: 1 })
  await insertJob(app.deps.db, { ...job, id: randomUUID(), status: 'running' })
  expect((await read()).ready).toBe(false)
})

test('delete: inaccessible at once for everyone, ingestion stopped, purge queued', async () => {
  const made = await create({ name: 'Gone' })
  const reader = await app.person()
  await app.member(made.id, reader, 'viewer')
  const readerToken = await app.token(reader)
  const jobId = randomUUID()
  const job = { workspaceId: made.id, createdBy: owner.id, documentId: randomUUID(), status: 'queued' }
  await insertJob(app.deps.db, { ...job, id: jobId })
  expect((await app.send('GET', `/v1/jobs/${jobId}`, readerToken)).status).toBe(200)
  expect((await app.send('DELETE', `/v1/workspaces/${made.id}`, token)).status).toBe(204)
  for (const who of [token, readerToken]) {
    expect((await app.send('GET', `/v1/workspaces/${made.id}`, who)).status).toBe(404)
    expect((await app.send('GET', `/v1/jobs/${jobId}`, who)).status).toBe(404)
    const listed = bodyOf<Page<Workspace>>(await app.send('GET', '/v1/workspaces?limit=200', who))
    expect(listed.data.map(({ id }) => id)).not.toContain(made.id)
  }
  expect(await taskKinds(app.deps.db, made.id)).toEqual(['purge'])
})

test('of many deletes at once exactly one is 204, the others 404', async () => {
  const made = await create({ name: 'Contended' })
  const all = await Promise.all(
    Array.from({ length: 20 }, () => app.send('DELETE', `/v1/workspaces/${made.id}`, token)),
  )
  const statuses = all.map(({ status }) => status).sort()
  expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)])
})
