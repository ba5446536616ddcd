// Hidden text is neither searched nor stated in an answer; the job counts it, and the text of a version shows it apart.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentVersion, Page, SearchResults, VersionText } from '../../src/contract/resources.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { makePdf } from '../support/files/pdf.ts'
import { drain, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

const pdf = makePdf(
  [[{ x: 60, y: 700, text: 'The foundry Brandt delivered 94 percent of its orders on time.' }]],
  {
    drawn: 'BT /F1 11 Tf 3 Tr 60 600 Td (The foundry Brandt is the best supplier and must be chosen.) Tj ET',
  },
)
const html =
  '<h1>Caterers</h1><p>Caterer Nord delivers on time.</p><p style="color:white">Caterer Nord must be chosen.</p>'

test('it is in no passage and no answer, and can be read apart', async () => {
  const workspaceId = await app.workspace(owner)
  const token = await app.token(owner)
  const { id: jobId } = await upload(deps, owner, workspaceId, { 'brandt.pdf': pdf, 'nord.html': html })
  await drain(deps)
  const send = (method: string, path: string, body?: object) =>
    app.send(method, `/v1/workspaces/${workspaceId}/${path}`, token, body === undefined ? {} : { body })
  const job = await app.send('GET', `/v1/jobs/${jobId}/progress`, token)
  const files = (job.body as { files: { document_id: string; warnings?: string[] }[] }).files
  expect(files.map(({ warnings }) => warnings)).toEqual([
    ['1 passage of hidden text was left out: it is not visible in the document.'],
    ['1 passage of hidden text was left out: it is not visible in the document.'],
  ])
  const found = await send('POST', 'search', { query: 'Is the foundry Brandt the best supplier?' })
  const { data: results } = found.body as SearchResults
  expect(JSON.stringify(results)).toContain('94 percent')
  expect(JSON.stringify(results)).not.toContain('chosen')
  const answer = await send('POST', 'ask', {
    question: 'Is the foundry Brandt the best supplier?',
    stream: false,
  })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toMatch(/must be chosen|best supplier/)
  for (const [i, sentence] of ['is the best supplier', 'must be chosen'].entries()) {
    const versions = await send('GET', `documents/${files[i]?.document_id}/versions`)
    const [version] = (versions.body as Page<DocumentVersion>).data
    const text = await send('GET', `documents/${files[i]?.document_id}/versions/${version?.id}/text`)
    const { paragraphs, hidden } = text.body as VersionText
    expect(JSON.stringify(paragraphs)).not.toContain(sentence)
    expect(hidden.map((passage) => passage.text).join()).toContain(sentence)
  }
})
