// A server in place of Tesseract, asked by the pool for its children, which have no network.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LiteParse } from '@llamaindex/liteparse'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { grid, makePdf, prose } from '../../../../test/support/files/pdf.ts'
import { FULL, thorough } from '../../../../test/support/full.ts'
import { type RecognisingServer, recognisingServer } from '../../../../test/support/ocr-server.ts'
import { ocrServer } from '../../../ports/ocr/ocr-server.ts'
import type { ParsedDocument } from '../../block.ts'
import { openPool, type ParserPool } from '../../pool.ts'

let server: RecognisingServer
let pool: ParserPool
let folder: string
let letter: Buffer
const silent = { info() {}, warn() {} }

beforeAll(async () => {
  server = await recognisingServer()
  folder = await mkdtemp(join(tmpdir(), 'kenning-ocr-server-'))
  pool = openPool({
    size: 1,
    cacheDir: folder,
    log: silent,
    ocr: { languages: ['eng'], server: server.url },
    recognise: ocrServer({ url: server.url, key: 'secret', attempts: 1 }),
  })
  letter = await draw()
})
afterEach(() => {
  server.requests.length = 0
  server.linesOnly = false
})
afterAll(async () => {
  await pool.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const CELLS = [
  ['Depth', 'Reading', 'Deviation'],
  ['0.500', '0.501', '+1'],
  ['2.000', '2.001', '+1'],
  ['4.000', '4.002', '+2'],
]

async function draw(): Promise<Buffer> {
  const path = join(folder, 'letter.pdf')
  const lines = [
    'The lease of Unit 4 ends on 30 June 2026 (188 days from now), and the',
    'deposit is returned.',
  ]
  await writeFile(path, makePdf([[...prose(lines, 700), ...grid(CELLS, [72, 250, 400], 600)]]))
  const parser = new LiteParse({ dpi: 150, quiet: true, ocrEnabled: false })
  const [shot] = await parser.screenshot(path, [1])
  if (!shot) throw new Error('nothing drawn')
  return shot.imageBuffer
}

async function parse(bytes: Buffer): Promise<ParsedDocument> {
  const path = join(folder, 'scan.png')
  await writeFile(path, bytes)
  return pool.parse({ path, filename: 'scan.png', kind: 'image' })
}

const textOf = ({ blocks }: ParsedDocument): string => blocks.map(({ text }) => text).join('\n')

test('the page is read by the server, laid out as a page of Tesseract is', async () => {
  const document = await parse(letter)
  expect(textOf(document)).toContain('30 June 2026 (188 days from now)')
  expect(document.blocks.find(({ kind }) => kind === 'table')?.text).toContain('| 4.000 | 4.002 | +2 |')
  expect(document.blocks.every(({ bbox, page }) => bbox?.length === 4 && page === 1)).toBe(true)
  expect(server.requests[0]).toMatchObject({ authorization: 'Bearer secret', languages: ['eng'] })
})

thorough('a server that gives lines without their words is enough for the text', async () => {
  server.linesOnly = true
  expect(textOf(await parse(letter))).toContain('30 June 2026 (188 days from now)')
})

test('a server that fails is no fault of the file: it is tried again later', async () => {
  server.next.push({ status: 500 })
  await expect(parse(letter)).rejects.toThrow(/answered 500/)
  server.next.push({ body: { texts: ['a'] } })
  await expect(parse(letter)).rejects.toThrow(/in another form than docs\/text-recognition\.md: lines/)
  if (FULL) expect(textOf(await parse(letter))).toContain('30 June 2026')
})

test('results of a server and of Tesseract are kept apart', () => {
  expect(pool.settings).toBe(`eng+${server.url}`)
})
