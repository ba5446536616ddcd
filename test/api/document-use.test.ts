// How documents are used: what is found, cited and opened is counted, by day and reader, for owners alone.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentUse } from '../../src/contract/usage.ts'
import { deleteOldUse } from '../../src/documents/use.sql.ts'
import { countUse, type UseCounter } from '../../src/documents/use.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/reader.ts'
import { ABSENT, type Person, type TestApp, testApp } from '../support/app.ts'
import { uploaded } from '../support/ingest.ts'
import { ageUse, useRows } from '../support/rows.sql.ts'

let app: TestApp
let use: UseCounter
let server: Awaited<ReturnType<typeof buildServer>>
let parser: ParserPool
let owner: Person
let reader: Person
let workspaceId: string
let documents: Map<string, string>

beforeAll(async () => {
  app = await testApp()
  use = countUse({ db: app.deps.db, log: app.log })
  server = await buildServer({ ...app.deps, use })
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.log })
  ;[owner, reader] = [await app.person(), await app.person()]
  workspaceId = await app.workspace(owner)
  await app.member(workspaceId, reader, 'viewer')
  const files = { 'boiler.md': 'The Wolverton boiler leaks.', 'garden.md': 'Roses want lime.' }
  documents = await uploaded({ ...app.deps, parser }, owner, workspaceId, files)
})
afterAll(async () => {
  await server.close()
  await use.close()
  await parser.close()
  await app.close()
})

async function as(person: Person, method: 'GET' | 'POST', path: string, payload?: object) {
  const headers = { authorization: `Bearer ${await app.token(person)}` }
  const url = `/v1/workspaces/${workspaceId}/${path}`
  return server.inject({ method, url, headers, ...(payload && { payload }) })
}
async function useOf(name: string): Promise<DocumentUse> {
  await use.write()
  const answer = await as(owner, 'GET', `documents/${documents.get(name)}/use`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test('a search, an answer, and readers; opening it again at once is one visit', async () => {
  const id = documents.get('boiler.md')
  expect(await useOf('boiler.md')).toMatchObject({ readers: [] })
  await as(reader, 'POST', 'search', { query: 'wolverton' })
  // Somebody is still typing.
  await as(reader, 'POST', 'search', { query: 'wolv boiler', preview: true })
  await as(owner, 'POST', 'search', { query: 'wolverton boiler' })
  await as(reader, 'POST', 'ask', { question: 'What leaks?' })
  for (let again = 0; again < 3; again++) await as(reader, 'GET', `documents/${id}`)
  await as(owner, 'GET', `documents/${id}/original`)
  const { days, readers } = await useOf('boiler.md')
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toMatchObject({ found: 2, cited: 1, opened: 2 })
  expect(days.slice(0, -1).every(({ found, cited, opened }) => found + cited + opened === 0)).toBe(true)
  const last = days.at(-1)?.period
  const one = ({ id: user_id, email }: Person) => ({ user_id, email, opened: 1, last })
  const byEmail = [one(owner), one(reader)].sort((a, b) => (a.email < b.email ? -1 : 1))
  expect(readers).toEqual(byEmail)
  expect((await useOf('garden.md')).days.at(-1)).toMatchObject({ found: 0, cited: 0, opened: 0 })
})

test('what was counted twice adds up, whichever process counts', async () => {
  const other = countUse({ db: app.deps.db, log: app.log })
  const id = documents.get('garden.md') ?? ''
  for (const counter of [use, other, other]) counter.found(workspaceId, [id, id])
  other.opened(workspaceId, id, reader.id)
  other.found(workspaceId, ['00000000-0000-4000-8000-000000000000'])
  await Promise.all([use.write(), other.close()])
  expect((await useOf('garden.md')).days.at(-1)).toMatchObject({ found: 3, opened: 1 })
})

test('while the database is away counts wait, and it is asked once a round; what it refuses is dropped', async () => {
  let failure: Error | undefined
  let calls = 0
  const { db } = app.deps
  const tx: Db['tx'] = (work, options) => {
    calls++
    return failure ? Promise.reject(failure) : db.tx(work, options)
  }
  const counter = countUse({ db: { ...db, tx }, log: app.log })
  const id = documents.get('garden.md') ?? ''
  const counted = async () => (await useOf('garden.md')).days.at(-1) ?? { found: 0, opened: 0 }
  const before = await counted()
  failure = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  counter.found(await app.workspace(owner), [ABSENT])
  counter.found(workspaceId, [id])
  counter.opened(workspaceId, id, owner.id)
  await counter.write()
  expect(calls).toBe(1)
  counter.found(workspaceId, [id])
  await counter.write()
  expect(calls).toBe(2)
  failure = undefined
  await counter.write()
  expect(await counted()).toMatchObject({ found: before.found + 2, opened: before.opened + 1 })
  failure = new Error('it is wrong')
  counter.found(workspaceId, [id])
  await counter.write()
  failure = undefined
  await counter.close()
  expect(await counted()).toMatchObject({ found: before.found + 2, opened: before.opened + 1 })
})

test('nobody but owners; of what does not exist nothing is said', async () => {
  const path = `documents/${documents.get('boiler.md')}/use`
  expect((await as(reader, 'GET', path)).statusCode).toBe(403)
  expect((await as(await app.person(), 'GET', path)).statusCode).toBe(404)
  expect((await as(owner, 'GET', 'documents/00000000-0000-4000-8000-000000000000/use')).statusCode).toBe(404)
})

test('readers are forgotten after 90 days, counts after 400, and all with the document', async () => {
  await ageUse(app.deps.db, workspaceId, 91)
  await deleteOldUse(app.deps.db)
  expect(await useRows(app.deps.db, workspaceId)).toEqual({ counts: 2, readers: 0 })
  await ageUse(app.deps.db, workspaceId, 310)
  await deleteOldUse(app.deps.db)
  expect(await useRows(app.deps.db, workspaceId)).toEqual({ counts: 0, readers: 0 })
  const id = documents.get('boiler.md') ?? ''
  use.opened(workspaceId, id, owner.id)
  use.found(workspaceId, [id])
  await use.write()
  expect(await useRows(app.deps.db, workspaceId)).toMatchObject({ counts: 1 })
  const headers = { authorization: `Bearer ${await app.token(owner)}` }
  await server.inject({ method: 'DELETE', url: `/v1/workspaces/${workspaceId}/documents/${id}`, headers })
  use.found(workspaceId, [id])
  await use.write()
  expect(await useRows(app.deps.db, workspaceId)).toEqual({ counts: 0, readers: 0 })
})
