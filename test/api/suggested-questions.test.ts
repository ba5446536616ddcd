// GET /workspaces/{id}/suggested-questions: made by a task when somebody asks, each answered by the documents, kept until they change.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SuggestedQuestions } from '../../src/contract/conversations.ts'
import type { Answer } from '../../src/contract/resources.ts'
import { openPool } from '../../src/reader/pool.ts'
import { bodyOf, type TestApp, testApp } from '../support/app.ts'
import { drain, upload } from '../support/ingest.ts'

const FILES = {
  'lease.md':
    '# Lease of Unit 4\n\n## Rent\n\nThe rent is £38,400 a year.\n\n## Subletting\n\nThe Tenant may not sublet the Premises without written consent.\n',
  'faq.md':
    '# Questions\n\n## May I bring a guest?\n\nGuests are welcome on Sundays.\n\n## Is it worth it?\n\nYes.\n',
  'people.csv': 'Name,Role\nHarriet Bowes,Secretary\nColm Feeney,Caretaker\nIdris Vaughan,Gardener\n',
}

let app: TestApp
let owner: Awaited<ReturnType<TestApp['person']>>
let token: string
let id: string
let deps: Parameters<typeof drain>[0]
let parser: ReturnType<typeof openPool>
beforeAll(async () => {
  app = await testApp({ askPerHour: 1000 })
  owner = await app.person()
  token = await app.token(owner)
  id = await app.workspace(owner, 'Papers')
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser }
})
afterAll(async () => {
  await parser.close()
  await app.close()
})

const read = async (by = token): Promise<SuggestedQuestions> => {
  const reply = await app.send('GET', `/v1/workspaces/${id}/suggested-questions`, by)
  expect(reply.status).toBe(200)
  return bodyOf<SuggestedQuestions>(reply)
}

test('an empty workspace has none, and nothing is queued for it', async () => {
  expect(await read()).toEqual({ data: [], pending: false, answers: 'quotations' })
  expect(await drain(deps)).toBe(0)
})

test('the first reader begins it, every reader gets the same questions, and each is answered with a citation', async () => {
  await upload(deps, owner, id, FILES)
  await drain(deps)
  expect(await read()).toMatchObject({ data: [], pending: true })
  expect(await read()).toMatchObject({ data: [], pending: true })
  expect(await drain(deps)).toBe(1)
  const { data, pending } = await read()
  expect(pending).toBe(false)
  expect(data).toHaveLength(3)
  expect(new Set(data.map(({ document_id }) => document_id)).size).toBe(3)
  expect(data.map(({ question }) => question)).toContain('May I bring a guest?')
  for (const { question, document_id } of data) {
    const answer = bodyOf<Answer>(
      await app.send('POST', `/v1/workspaces/${id}/ask`, token, { body: { question } }),
    )
    expect(answer.citations[0]).toMatchObject({ document_id })
  }
  const viewer = await app.person()
  await app.member(id, viewer, 'viewer')
  expect(await read(await app.token(viewer))).toMatchObject({ data, pending: false })
  expect(await drain(deps)).toBe(0)
})

test('it is not told to whoever cannot read the workspace', async () => {
  const stranger = await app.token(await app.person())
  const reply = await app.send('GET', `/v1/workspaces/${id}/suggested-questions`, stranger)
  expect(reply.status).toBe(404)
})

test('a question goes with its document, and new ones are made', async () => {
  const { data } = await read()
  const [gone] = data
  await app.send('DELETE', `/v1/workspaces/${id}/documents/${gone?.document_id}`, token)
  const after = await read()
  expect(after.pending).toBe(true)
  expect(after.data).toEqual(data.slice(1))
  await drain(deps)
  const anew = await read()
  expect(anew.pending).toBe(false)
  expect(anew.data.map(({ document_id }) => document_id)).not.toContain(gone?.document_id)
})
