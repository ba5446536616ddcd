// Usage: counted from what was really done, by day and month, for owners and administrators.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addQuestionTokens } from '../../src/ask/spending.sql.ts'
import type { InstallationUsage, Usage } from '../../src/contract/usage.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { makeAdmin } from '../support/rows.sql.ts'
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

const usageOf = async (id: string): Promise<Usage> =>
  bodyOf<Usage>(await app.send('GET', `/v1/workspaces/${id}/usage`, token))

test('counts questions and files of today and of earlier months, and nothing of other workspaces', async () => {
  const { workspace_id: id } = await furnish(app, owner)
  const other = await furnish(app, owner)
  const before = await usageOf(id)
  expect([before.days.length, before.months.length]).toEqual([30, 12])
  expect(before.documents).toBe(1)
  const files = multipart([
    { name: 'a.md', text: '# A' },
    { name: 'b.md', text: '# B' },
  ])
  expect((await app.send('POST', `/v1/workspaces/${id}/files`, token, files)).status).toBe(202)
  const ask = { body: { question: 'Who wrote the harbour rules?' } }
  expect((await app.send('POST', `/v1/workspaces/${id}/ask`, token, ask)).status).toBe(200)
  for (const [days, detail] of [
    [70, '{}'],
    [500, '{}'],
  ] as const)
    await app.deps.db.rows(sql`
      INSERT INTO activity (workspace_id, at, actor_type, action, detail)
      VALUES (${id}::uuid, now() - make_interval(days => ${days}), 'nobody', 'question_asked', ${detail}::jsonb)`)
  await app.deps.db.rows(sql`INSERT INTO graph_spending (workspace_id, tokens) VALUES (${id}::uuid, 1200)`)
  await addQuestionTokens(app.deps.db, id, 300)
  await addQuestionTokens(app.deps.db, id, 40)
  const usage = await usageOf(id)
  const sum = (of: 'questions' | 'files', periods: Usage['days']) =>
    periods.reduce((total, period) => total + period[of], 0)
  expect([sum('questions', usage.days), sum('files', usage.days)]).toEqual([1, 2])
  expect([sum('questions', usage.months), sum('files', usage.months)]).toEqual([2, 2])
  expect([usage.model_tokens, usage.question_tokens]).toEqual([1200, 340])
  expect(usage.days.map(({ period }) => period)).toEqual([...usage.days.map(({ period }) => period)].sort())
  const there = await usageOf(other.workspace_id)
  expect([sum('questions', there.months), there.model_tokens, there.question_tokens]).toEqual([0, 0, 0])
})

test('a stored file counts once, however many documents have it', async () => {
  const id = await app.workspace(owner)
  const version = (document: string, hash: string, size: number | null) =>
    app.deps.db.rows(sql`
      INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at)
      VALUES (${id}::uuid, ${document}::uuid, ${hash}, 'x.md', 'md', ${size}, now())`)
  await version(crypto.randomUUID(), 'one', 1000)
  await version(crypto.randomUUID(), 'one', 1000)
  await version(crypto.randomUUID(), 'two', 500)
  await version(crypto.randomUUID(), 'unknown', null)
  expect((await usageOf(id)).storage_bytes).toBe(1500)
})

test('administrators see the sums of the whole service, and others do not', async () => {
  const admin = await app.person()
  const get = async (who: Person) =>
    app.send('GET', '/account/usage', undefined, { headers: { cookie: await app.cookie(who) } })
  expect((await get(admin)).status).toBe(403)
  await makeAdmin(app.deps.db, admin.id)
  const all = bodyOf<InstallationUsage>(await get(admin))
  expect(all.documents).toBe(2)
  expect(all.workspaces).toBe(3)
  expect(all.accounts).toBeGreaterThan(1)
  expect(all.storage_bytes).toBeGreaterThanOrEqual(1500)
  expect((await app.send('GET', '/account/usage')).status).toBe(401)
})

test('people are told whose usage they may see: that of the workspaces that they own', async () => {
  const [person, viewed] = [await app.person(), await app.workspace(owner)]
  await app.member(viewed, person, 'viewer')
  const owned = async (who: Person): Promise<string[]> => {
    const cookie = await app.cookie(who)
    return bodyOf<{ data: string[] }>(
      await app.send('GET', '/account/owned-workspaces', undefined, { headers: { cookie } }),
    ).data
  }
  expect(await owned(person)).toEqual([])
  const own = await app.workspace(person)
  expect(await owned(person)).toEqual([own])
  expect(await owned(owner)).toContain(viewed)
  expect((await app.send('GET', '/account/owned-workspaces')).status).toBe(401)
})
