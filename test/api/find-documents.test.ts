// GET /workspaces/{id}/find: documents by words of title, path and headings, as the console's search box asks.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentMatches } from '../../src/contract/resources.ts'
import type { Block } from '../../src/reader/block.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { pages, putDocument, settle } from '../support/put.sql.ts'

let app: TestApp
let id: string
let token: string
beforeAll(async () => {
  app = await testApp()
  const owner = await app.person()
  token = await app.token(owner)
  id = await app.workspace(owner)
  const put = (title: string, path: string, blocks: readonly Block[]) =>
    putDocument(app.deps.db, id, randomUUID(), blocks, { title, path })
  await put(
    'outage of the harbour crane',
    'reports/2026/outage.pdf',
    pages(['The crane stood still for two days.']),
  )
  await put(
    'third quarter results',
    'filings/NVDA-2026-Q3.pdf',
    pages(['Revenue grew in the harbour segment.']),
  )
  await put('minutes of the board', 'board/2026-march/minutes.docx', pages(['The board met.']))
  await put('staff handbook', 'handbook.md', [
    { kind: 'heading', level: 1, text: 'Parental leave', page: 1 },
    { kind: 'paragraph', text: 'Ten weeks are paid.', page: 1 },
  ])
  await put('change of the Öl', 'cars/WARTUNG.txt', pages(['The car stands in the yard.']))
  await settle(app.deps.db, id)
})
afterAll(async () => {
  await app.close()
})

const find = async (q: string): Promise<DocumentMatches['data']> => {
  const answer = await app.send('GET', `/v1/workspaces/${id}/find?q=${encodeURIComponent(q)}`, token)
  expect(answer.status).toBe(200)
  return (answer.body as DocumentMatches).data
}

test.each([
  ['harbour outage', 'outage of the harbour crane'],
  ['crane outa', 'outage of the harbour crane'],
  ['harbuor outage', 'outage of the harbour crane'],
  ['NVDA Q3', 'third quarter results'],
  ['minutes march', 'minutes of the board'],
  ['leave parental', 'staff handbook'],
  ['handbook leave', 'staff handbook'],
  ['öl', 'change of the Öl'],
  ['wartung', 'change of the Öl'],
])('%s finds %s', async (q, title) => {
  expect((await find(q)).map((match) => match.title)).toEqual([title])
})

test('the heading that was found is told; marks of a pattern are letters; nothing finds nothing', async () => {
  expect((await find('parental'))[0]).toMatchObject({ path: 'handbook.md', heading: 'Parental leave' })
  expect(await find('100%')).toEqual([])
  expect(await find('_')).toEqual([])
  expect(await find('zebra')).toEqual([])
  expect((await app.send('GET', `/v1/workspaces/${randomUUID()}/find?q=a`, token)).status).toBe(404)
})
