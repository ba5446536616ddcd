// Titles of documents: every file is found by its name, no two documents have the same title, and titles do not change because
// of other documents.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Document, Job, Page, SearchResults } from '../../src/contract/resources.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { drain, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let pool: ParserPool
let deps: WorkDeps

beforeAll(async () => {
  app = await testApp()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

async function workspace() {
  const person = await app.person()
  const token = await app.token(person)
  const id = await app.workspace(person)
  const add = async (files: Record<string, string>): Promise<Job> => {
    const job = await upload(deps, person, id, files)
    await drain(deps)
    return (await app.send('GET', `/v1/jobs/${job.id}`, token)).body as Job
  }
  const titles = async (): Promise<string[]> => {
    const { body } = await app.send('GET', `/v1/workspaces/${id}/documents`, token)
    return (body as Page<Document>).data.map(({ title }) => title)
  }
  const find = async (query: string): Promise<string[]> => {
    const { body } = await app.send('POST', `/v1/workspaces/${id}/search`, token, { body: { query } })
    return (body as SearchResults).data.map(({ document_title }) => document_title ?? '')
  }
  return { add, titles, find }
}

const report = (harbour: string): string =>
  `# Annual report\n\nThe gauge of ${harbour} was read every morning.\n\n## Outlook\n\nNo change is planned.\n`

test('a document is found by the words of its file’s name, whatever its own title is', async () => {
  const { add, find } = await workspace()
  await add({ 'Meyer_Lease-2021.md': report('Aldermouth'), 'other.md': '# Rates\n\nThe gauge was sold.\n' })
  for (const query of ['Meyer', 'meyer lease', 'Meyer_Lease-2021', 'which lease of 2021'])
    expect((await find(query))[0], query).toBe('Annual report')
})

test('documents of the same title are told apart by their files’ names, and the first keeps its own', async () => {
  const { add, titles, find } = await workspace()
  await add({ '2021/north.md': report('Aldermouth') })
  await add({ '2022/north.md': report('Brackhaven'), '2022/south.md': report('Calder') })
  const all = ['Annual report', 'Annual report – north', 'Annual report – south']
  expect(await titles()).toEqual(all)
  await add({ '2023/north.md': report('Drumlin'), 'x/notes.txt': 'one gauge', 'y/notes.txt': 'two gauges' })
  expect(await titles()).toEqual(
    [...all.slice(0, 2), 'Annual report – 2023/north.md', all[2], 'notes', 'y/notes.txt'].sort(byFold),
  )
  expect((await find('gauge of Calder'))[0]).toBe('Annual report – south')
})

const byFold = (a = '', b = ''): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)

test('a new version keeps the title that distinguishes its document', async () => {
  const { add, titles } = await workspace()
  await add({ 'a.md': report('Aldermouth') })
  await add({ 'b.md': report('Brackhaven') })
  await add({ 'b.md': `${report('Brackhaven')}\nIt was read twice on Sundays.\n` })
  await add({ 'a.md': `${report('Aldermouth')}\nIt was read twice on Sundays.\n` })
  expect(await titles()).toEqual(['Annual report', 'Annual report – b'])
})

test('generic section headings are not titles: the next heading is, or the file’s name', async () => {
  const { add, titles } = await workspace()
  await add({
    'a.md': '# Table of Contents\n\nRates, 3\n\n# Rates of the harbour\n\nEach boat pays.\n',
    '10-Q Acme 2022.md': '# FORM 10-Q\n\nThe gauge was read.\n',
  })
  expect(await titles()).toEqual(['10-Q Acme 2022', 'Rates of the harbour'])
})
