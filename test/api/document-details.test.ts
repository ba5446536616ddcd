// What a reader of documents needs beside their text: lists with kind, pages and state in any order, where chunks stand,
// which entities a page names, and the files of earlier versions.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  ChunkPlace,
  Document,
  DocumentDetails,
  DocumentEntity,
  DocumentVersion,
  Page,
  SearchResults,
  VersionText,
} from '../../src/contract/resources.ts'
import { countUse } from '../../src/documents/use.ts'
import { inAnyCase } from '../../src/language/letter-case.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { drain, type Files, upload, uploaded, type WorkDeps } from '../support/ingest.ts'
import { pages, putDocument } from '../support/put.sql.ts'
import { keyOf } from '../support/world.ts'

let app: TestApp
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string

const RULES = '# Rules\n\n## Berths\n\nHalden Harbour has twelve berths.\n\n## Pumps\n\nThe pumps run.\n'
const FILES: Files = {
  'Port/rules.md': RULES,
  'Port/report.pdf': makePdf([
    prose(['Halden Harbour AS tells of Maria Lind and of Halden Harbour AS.']),
    prose(['The second page tells of Maria Lind.']),
  ]),
  'prices.csv': 'item,price\nberth,12\n',
}
let ids: Map<string, string>

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  workspaceId = await app.workspace(owner)
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
  ids = await uploaded(deps, owner, workspaceId, FILES)
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

async function get<T>(path: string): Promise<T> {
  const answer = await app.send('GET', `/v1/workspaces/${workspaceId}/${path}`, token)
  expect([answer.status, path]).toEqual([200, path])
  return answer.body as T
}
const list = (query: string): Promise<Page<DocumentDetails>> => get(`document-details?${query}`)
const names = async (query: string): Promise<string[]> =>
  (await list(query)).data.map(({ filename }) => filename)
const at = (name: string, rest: string): string => `documents/${ids.get(name)}/${rest}`

test('a list has what a person tells files apart by', async () => {
  const { data } = await list('')
  expect(data.map(({ filename, kind, pages, page_images }) => [filename, kind, pages, page_images])).toEqual([
    ['prices.csv', 'csv', null, false],
    ['Port/report.pdf', 'pdf', 2, true],
    ['Port/rules.md', 'markdown', null, false],
  ])
  for (const { state, uploaded_at } of data) {
    expect(state).toBe('complete')
    expect(Math.abs(Date.now() - Date.parse(uploaded_at))).toBeLessThan(3_600_000)
  }
})

test('it has the size of the file and who uploaded it; the list by title has path, size and date, too', async () => {
  const bytes = (name: string): number => Buffer.byteLength(FILES[name] ?? '')
  const { data } = await list('')
  expect(data.map((document) => [document.filename, document.bytes, document.uploaded_by])).toEqual(
    ['prices.csv', 'Port/report.pdf', 'Port/rules.md'].map((name) => [name, bytes(name), owner.id]),
  )
  const byTitle = await get<Page<Document>>('documents')
  expect(byTitle.data.map(({ id, path, bytes, uploaded_at }) => ({ id, path, bytes, uploaded_at }))).toEqual(
    data.map(({ id, filename, bytes, uploaded_at }) => ({ id, path: filename, bytes, uploaded_at })),
  )
})

test('it has the day on which the reader opened each document, and no other person’s', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const use = countUse({ db: app.deps.db, log: app.log })
  use.opened(workspaceId, ids.get('Port/rules.md') ?? '', owner.id)
  await use.close()
  const opened = async (bearer: string) => {
    const path = `/v1/workspaces/${workspaceId}/document-details?sort=opened_on&order=desc`
    const { data } = (await app.send('GET', path, bearer)).body as Page<DocumentDetails>
    return data.map(({ filename, opened_on }) => [filename, opened_on])
  }
  expect((await opened(token))[0]).toEqual(['Port/rules.md', today])
  const editor = await app.person()
  await app.member(workspaceId, editor, 'editor')
  const nobodys = [null, null, null]
  expect((await opened(await app.token(editor))).map(([, day]) => day)).toEqual(nobodys)
  expect((await opened(await keyOf(app, owner, [workspaceId]))).map(([, day]) => day)).toEqual(nobodys)
})

test('every order goes through all pages, in both directions', async () => {
  for (const sort of ['title', 'kind', 'pages', 'chunk_count', 'bytes', 'uploaded_at', 'opened_on']) {
    const forward: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, next_cursor }: Page<DocumentDetails> = await list(
        `sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`,
      )
      forward.push(...data.map(({ filename }) => filename))
      cursor = next_cursor
    }
    expect(new Set(forward).size, sort).toBe(3)
    expect(await names(`sort=${sort}`), sort).toEqual(forward)
    expect(await names(`sort=${sort}&order=desc`), sort).toEqual(forward.toReversed())
  }
  expect((await names('sort=pages&order=desc'))[0]).toBe('Port/report.pdf')
})

test('a filter ignores the letter case of all letters, those with two letters as their capital too', async () => {
  const letters = await app.workspace(owner)
  const put = (title: string, path: string) =>
    putDocument(app.deps.db, letters, randomUUID(), pages(['The office is open.']), { title, path })
  await put('İstanbul', 'a/ÉTÉ.txt')
  await put('Plan', 'b/Straße.txt')
  const titles = async (list: string, q: string) => {
    const path = `/v1/workspaces/${letters}/${list}?q=${encodeURIComponent(q)}`
    const { data } = bodyOf<Page<{ title: string }>>(await app.send('GET', path, token))
    return data.map(({ title }) => title)
  }
  for (const q of ['été', 'ÉTÉ', 'istanbul', 'ISTANBUL', 'İSTANBUL'])
    expect(await titles('document-details', q), q).toEqual(['İstanbul'])
  for (const q of ['strasse', 'STRASSE', 'straße', 'STRAẞE'])
    expect(await titles('document-details', q), q).toEqual(['Plan'])
  for (const q of ['istanbul', 'ISTANBUL', 'İSTANBUL'])
    expect(await titles('documents', q), q).toEqual(['İstanbul'])
  // A database with the locale C does not know that É is the capital of é.
  const [row] = await app.deps.db.rows(sql`SELECT 'ÉTÉ' COLLATE "C" ~ ${inAnyCase('été')} AS matches`)
  expect(row).toEqual({ matches: true })
})

test('it is filtered by title or path and by scope; an unknown scope or order is refused', async () => {
  expect(await names('q=RULE')).toEqual(['Port/rules.md'])
  expect(await names('q=Port/RULE')).toEqual(['Port/rules.md'])
  expect(await names('q=rule+port')).toEqual(['Port/rules.md'])
  expect(await names('q=rule+zebra')).toEqual([])
  expect(await names('q=%25')).toEqual([])
  expect(await names('scope=folder:Port&sort=kind')).toEqual(['Port/rules.md', 'Port/report.pdf'])
  expect(await names('scope=kind:csv')).toEqual(['prices.csv'])
  const path = `/v1/workspaces/${workspaceId}/document-details`
  expect((await app.send('GET', `${path}?scope=nothing`, token)).status).toBe(404)
  expect((await app.send('GET', `${path}?sort=size`, token)).status).toBe(422)
  const { next_cursor } = await list('limit=1')
  expect((await app.send('GET', `${path}?sort=kind&limit=1&cursor=${next_cursor}`, token)).status).toBe(422)
})

test('one document has the same', async () => {
  const { data } = await list('scope=kind:csv')
  expect(await get<DocumentDetails>(at('prices.csv', 'details'))).toEqual(data[0])
})

test('the layout has the headings and boxes of every chunk, in reading order', async () => {
  const rules: ChunkPlace[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<ChunkPlace> = await get(
      at('Port/rules.md', `layout?limit=1${cursor && `&cursor=${cursor}`}`),
    )
    rules.push(...page.data)
    cursor = page.next_cursor
  }
  const headings = [...new Set(rules.map(({ heading }) => heading))]
  expect(headings).toEqual(['Rules > Berths', 'Rules > Pumps'])
  const { data } = await get<Page<ChunkPlace>>(at('Port/report.pdf', 'layout'))
  const read = await get<{ chunks: { id: string }[] }>(`documents/${ids.get('Port/report.pdf')}`)
  expect(data.map(({ chunk_id }) => chunk_id)).toEqual(read.chunks.map(({ id }) => id))
  expect(data.map(({ boxes }) => boxes.map(({ page }) => page))).toEqual([[1], [2]])
})

test('the entities of a document, and of one of its pages, by how often it names them', async () => {
  const whole = await get<Page<DocumentEntity>>(at('Port/report.pdf', 'entities'))
  const counts = new Map(whole.data.map(({ name, mentions }) => [name, mentions]))
  expect(counts.get('Maria Lind')).toBe(2)
  const second = await get<Page<DocumentEntity>>(at('Port/report.pdf', 'entities?page=2'))
  expect(second.data.map(({ name, mentions }) => [name, mentions])).toEqual([['Maria Lind', 1]])
  expect((await get<Page<DocumentEntity>>(at('Port/report.pdf', 'entities?page=9'))).data).toEqual([])
  const one: DocumentEntity[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<DocumentEntity> = await get(
      at('Port/report.pdf', `entities?limit=1${cursor && `&cursor=${cursor}`}`),
    )
    one.push(...page.data)
    cursor = page.next_cursor
  }
  expect(one).toEqual(whole.data)
})

test('where the chunks stand that a search found, and no others', async () => {
  const found = await app.send('POST', `/v1/workspaces/${workspaceId}/search`, token, {
    body: { query: 'twelve berths' },
  })
  const [first] = (found.body as SearchResults).data
  const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  const places = (workspace: string) =>
    app.send('POST', `/v1/workspaces/${workspace}/chunk-places`, token, {
      body: { chunk_ids: [first?.id, unknown] },
    })
  expect((await places(workspaceId)).body).toEqual({
    data: [{ chunk_id: first?.id, heading: 'Rules > Berths', page: null, boxes: [] }],
  })
  expect((await places(await app.workspace(owner))).body).toEqual({ data: [] })
})

test('the file of a replaced version can be opened, and no other', async () => {
  const next = RULES.replace('twelve', 'thirteen')
  await upload(deps, owner, workspaceId, { 'Port/rules.md': next })
  await drain(deps)
  const { data } = await get<Page<DocumentVersion>>(at('Port/rules.md', 'versions'))
  expect(data.map(({ current }) => current)).toEqual([true, false])
  const bytes = (id: string | undefined) =>
    app.send('GET', `/v1/workspaces/${workspaceId}/${at('Port/rules.md', `versions/${id}/original`)}`, token)
  expect((await bytes(data[0]?.id)).text).toBe(next)
  expect((await bytes(data[1]?.id)).text).toBe(RULES)
  // The same for their text, in paragraphs.
  const textOf = (id: string | undefined) =>
    get<VersionText>(at('Port/rules.md', `versions/${id}/text`)).then(({ paragraphs }) =>
      paragraphs.map(({ text }) => text).filter((text) => text.includes('berths')),
    )
  for (const _ of ['read', 'kept']) {
    expect(await textOf(data[0]?.id)).toEqual(['Halden Harbour has thirteen berths.'])
    expect(await textOf(data[1]?.id)).toEqual(['Halden Harbour has twelve berths.'])
  }
  const foreign = await get<Page<DocumentVersion>>(at('prices.csv', 'versions'))
  expect((await bytes(foreign.data[0]?.id)).status).toBe(404)
  const elsewhere = `/v1/workspaces/${workspaceId}/${at('Port/rules.md', `versions/${foreign.data[0]?.id}/text`)}`
  expect((await app.send('GET', elsewhere, token)).status).toBe(404)
})
