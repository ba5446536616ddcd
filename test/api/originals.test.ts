// Downloading the original file, whole and in ranges, in a form that no browser executes, and its pages as images.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { type Files, uploaded, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let owner: Person
let token: string
let pool: ParserPool
let deps: WorkDeps
let workspaceId: string

const TEXT = 'The harbour of Halden has twelve berths.\n'
const PAGE = '<script>document.title = "run"</script><h1>Berths</h1><p>Twelve of them.</p>'
const FILES: Files = {
  'Über/Häfen "1".txt': TEXT,
  'page.html': PAGE,
  'report.pdf': makePdf([prose(['The first page tells of berths.']), prose(['The second of pumps.'])]),
}
let documents: Map<string, string>

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  token = await app.token(owner)
  workspaceId = await app.workspace(owner)
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
  documents = await uploaded(deps, owner, workspaceId, FILES)
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

const at = (name: string, rest: string): string =>
  `/v1/workspaces/${workspaceId}/documents/${documents.get(name)}/${rest}`

const original = (name: string, headers: Record<string, string> = {}) =>
  app.server.inject({
    url: at(name, 'original'),
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('every original comes back byte for byte, under its name', async () => {
  for (const [name, bytes] of Object.entries(FILES)) {
    const answer = await original(name)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.equals(Buffer.from(bytes))).toBe(true)
    expect(answer.headers['content-length']).toBe(String(Buffer.from(bytes).length))
  }
  const answer = await original('Über/Häfen "1".txt')
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="H_fen _1_.txt"; filename*=UTF-8\'\'H%C3%A4fen%20%221%22.txt',
  )
})

test('HEAD has the headers of GET, whole or in part', async () => {
  const [name = '', bytes = ''] = Object.entries(FILES)[0] ?? []
  const url = `/v1/workspaces/${workspaceId}/documents/${documents.get(name)}/original`
  const headers = { authorization: `Bearer ${token}` }
  const whole = await app.server.inject({ method: 'HEAD', url, headers })
  expect([whole.statusCode, whole.headers['content-length'], whole.body]).toEqual([
    200,
    String(Buffer.from(bytes).length),
    '',
  ])
  const part = await app.server.inject({ method: 'HEAD', url, headers: { ...headers, range: 'bytes=1-3' } })
  expect([part.statusCode, part.headers['content-length'], part.body]).toEqual([206, '3', ''])
  expect((await app.server.inject({ method: 'HEAD', url })).statusCode).toBe(401)
})

test('uploaded files are never executed: attachment, no sniffing, sandbox, private cache only', async () => {
  const { headers } = await original('page.html')
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'private, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers['content-disposition']).toMatch(/^attachment;/)
  expect(headers['content-type']).toBe('text/html')
})

test('ranges: 206 with the requested bytes, 416 with the size, 304 if not modified', async () => {
  const name = 'Über/Häfen "1".txt'
  const part = await original(name, { range: 'bytes=4-10' })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
    206,
    TEXT.slice(4, 11),
    `bytes 4-10/${TEXT.length}`,
  ])
  const beyond = await original(name, { range: 'bytes=1000-' })
  expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${TEXT.length}`])
  expect(beyond.json().error.type).toBe('invalid_request')
  const etag = String(part.headers.etag)
  const known = await original(name, { 'if-none-match': `"other", ${etag}` })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  const fresh = await original(name, { range: 'bytes=0-3', 'if-range': etag })
  const stale = await original(name, { range: 'bytes=0-3', 'if-range': '"other"' })
  expect([fresh.statusCode, stale.statusCode, stale.body]).toEqual([206, 200, TEXT])
})

test('a file assembled from ranges is identical', async () => {
  const bytes = Buffer.from(FILES['report.pdf'] ?? '')
  const pieces: Buffer[] = []
  for (let from = 0; from < bytes.length; from += 97)
    pieces.push((await original('report.pdf', { range: `bytes=${from}-${from + 96}` })).rawPayload)
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
})

const picture = (name: string, page: string, query = '') =>
  app.server.inject({
    url: at(name, `pages/${page}.png${query}`),
    headers: { authorization: `Bearer ${token}` },
  })

test('page images: rendered once, 404 after the last page and for files without pages', async () => {
  const [first, second] = [await picture('report.pdf', '1'), await picture('report.pdf', '2')]
  for (const { statusCode, headers, rawPayload } of [first, second]) {
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
    expect(rawPayload.subarray(1, 4).toString()).toBe('PNG')
  }
  expect(first.rawPayload.equals(second.rawPayload)).toBe(false)
  // From the cache: the second time nothing is drawn.
  const drawing = app.deps.pages
  const idle = { ...drawing, renderPage: () => Promise.reject(new Error('drawn twice')) }
  app.deps.pages = idle
  expect((await picture('report.pdf', '1')).rawPayload.equals(first.rawPayload)).toBe(true)
  app.deps.pages = drawing
  for (const [name, page] of [
    ['report.pdf', '3'],
    ['page.html', '1'],
  ] as const)
    expect((await picture(name, page)).statusCode).toBe(404)
})

test('page images in a small width: few widths, each drawn once and stored beside the large image', async () => {
  const widthOf = (png: Buffer): number => png.readUInt32BE(16)
  const large = await picture('report.pdf', '1')
  const small = await picture('report.pdf', '1', '?width=64')
  expect([small.statusCode, Math.abs(widthOf(small.rawPayload) - 64) <= 1]).toEqual([200, true])
  expect(widthOf(large.rawPayload)).toBeGreaterThan(1000)
  expect(small.headers.etag).not.toBe(large.headers.etag)
  const drawing = app.deps.pages
  app.deps.pages = { ...drawing, renderPage: () => Promise.reject(new Error('drawn twice')) }
  expect((await picture('report.pdf', '1', '?width=64')).rawPayload.equals(small.rawPayload)).toBe(true)
  expect((await picture('report.pdf', '1')).rawPayload.equals(large.rawPayload)).toBe(true)
  app.deps.pages = drawing
  expect((await picture('report.pdf', '1', '?width=65')).statusCode).toBe(422)
  expect((await picture('page.html', '1', '?width=64')).statusCode).toBe(404)
})

test('chunks of a PDF have boxes on their pages', async () => {
  const rows = await deps.db.rows<{ page: number; boxes: { page: number; bbox: number[] }[] }>(sql`
    SELECT page, boxes FROM chunk WHERE document_id = ${documents.get('report.pdf')} ORDER BY chunk_no`)
  expect(rows.map(({ page }) => page)).toEqual([1, 2])
  for (const { page, boxes } of rows) {
    expect(boxes.map((box) => box.page)).toEqual([page])
    const [left = 0, top = 0, right = 0, bottom = 0] = boxes[0]?.bbox ?? []
    // Its line stands 700 points above the foot of a page of 792, in letters of 11.
    expect([Math.round(left), top < 92, bottom > 92, bottom - top < 16, right < 300]).toEqual([
      72,
      true,
      true,
      true,
      true,
    ])
  }
})

test('a deleted document takes its original and its pictures with it', async () => {
  expect((await app.send('DELETE', at('report.pdf', '').slice(0, -1), token)).status).toBe(204)
  expect((await original('report.pdf')).statusCode).toBe(404)
  expect((await picture('report.pdf', '1')).statusCode).toBe(404)
})
