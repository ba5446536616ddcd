// BAD-21, BAD-25, BAD-27 and BAD-31 with real parser children: every content under every name, damage to every kind,
// oversized tables and words. The kind of a file follows from its bytes; a mismatch with its name has a reason.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDamage } from '../../test/support/files/bad.ts'
import { makeDoc } from '../../test/support/files/doc.ts'
import { makeDocx, makeWorkbook, wordParagraph } from '../../test/support/files/office.ts'
import { inFolder } from '../../test/support/files/parse.ts'
import { makePdf, prose } from '../../test/support/files/pdf.ts'
import { makePptx } from '../../test/support/files/slides.ts'
import { thorough } from '../../test/support/full.ts'
import { chunksOf } from '../ingest/chunk/chunk.ts'
import type { Block, ParsedDocument } from './block.ts'
import { sniff } from './identify/sniff.ts'
import { openPool, type ParserPool } from './pool.ts'

let close: () => Promise<void>
let folder: string
let pool: ParserPool

beforeAll(async () => {
  // The folder lives until the last test is done.
  await new Promise<void>((ready) => {
    const kept = inFolder(async (path) => {
      folder = path
      const log = { info: () => undefined, warn: () => undefined }
      pool = openPool({ size: 2, cacheDir: path, log })
      ready()
      await new Promise<void>((done) => {
        close = async () => {
          await pool.close()
          done()
          await kept
        }
      })
    })
  })
})
afterAll(() => close())

const TEXT = 'Buoys of the outer channel'

async function contents(): Promise<Record<string, Buffer>> {
  return {
    pdf: makePdf([prose([TEXT])]),
    docx: await makeDocx(wordParagraph(TEXT)),
    doc: makeDoc([{ text: TEXT }]),
    pptx: await makePptx([{ title: TEXT }]),
    xlsx: makeWorkbook({
      Buoys: [
        ['name', 'depth'],
        [TEXT, 4],
      ],
    }),
    rtf: Buffer.from(`{\\rtf1\\ansi ${TEXT}\\par}`),
    csv: Buffer.from(`name,depth\n${TEXT},4\n`),
    md: Buffer.from(`# Buoys\n\n${TEXT}\n`),
    txt: Buffer.from(`${TEXT}\n`),
    html: Buffer.from(`<!doctype html><html><body><p>${TEXT}</p></body></html>`),
    json: Buffer.from(JSON.stringify({ title: TEXT })),
    eml: Buffer.from(`From: a@example.org\nMessage-ID: <1@example.org>\nSubject: Buoys\n\n${TEXT}\n`),
  }
}

async function read(name: string, bytes: Buffer): Promise<ParsedDocument | string> {
  const path = join(folder, 'upload')
  await writeFile(path, bytes)
  const found = await sniff(path, name)
  if ('unsupported' in found) return 'refused'
  return pool
    .parse({ path, filename: name, kind: found.kind })
    .catch((error: { reason?: string }) => error.reason ?? String(error))
}

// A hundred megabytes and a million rows took 11 and 24 s at a load of 12, of a minute that a test has.
const SLOW_MS = 240_000
/** The most that an upload may hold. */
const MAX_BYTES = 100 * 2 ** 20
const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('\n')

thorough(
  'BAD-21: twelve contents under twelve names: read when the bytes say what they are, else damaged',
  async () => {
    const all = await contents()
    const asText = new Set(['csv', 'md', 'txt', 'html', 'json', 'eml'])
    for (const [content, bytes] of Object.entries(all)) {
      for (const name of Object.keys(all)) {
        const found = await read(`file.${name}`, bytes)
        const end = typeof found === 'string' ? found : textOf(found.blocks).includes(TEXT) ? 'read' : 'other'
        const where = `${content} as .${name}`
        // Readers of these may take a text for one without marks.
        if (asText.has(content) && ['json', 'rtf', 'eml'].includes(name))
          expect(['read', 'damaged'], where).toContain(end)
        else if (asText.has(content) && !asText.has(name)) expect(end, where).toBe('damaged')
        else expect(end, where).toBe('read')
      }
    }
  },
)

test('BAD-21: two kinds in one file, and nothing known under an unknown name', async () => {
  const { pdf, docx, txt } = await contents()
  const polyglots = [
    ['a.pdf', Buffer.concat([pdf ?? Buffer.alloc(0), docx ?? Buffer.alloc(0)])],
    ['a.docx', Buffer.concat([Buffer.from('%PDF-1.7\n'), docx ?? Buffer.alloc(0)])],
    ['a.html', Buffer.concat([Buffer.from('<!-- '), pdf ?? Buffer.alloc(0)])],
  ] as const
  for (const [name, bytes] of polyglots) {
    const found = await read(name, bytes)
    expect(typeof found === 'string' ? found : 'read', name).toMatch(/^(read|damaged|no_text)$/)
  }
  expect(await read('a.exe', Buffer.from('4d5a900003000000', 'hex'))).toBe('refused')
  expect(await read('song.mp3', Buffer.from('494433030000000000', 'hex'))).toBe('refused')
  expect(await read('a.unknown', txt ?? Buffer.alloc(0))).toMatchObject({ blocks: [{ text: TEXT }] })
})

thorough('BAD-25: damage to every kind of container ends with its text or a reason', async () => {
  const { csv: _, md: __, txt: ___, ...binary } = await contents()
  for (const [kind, bytes] of Object.entries(binary)) {
    for (let seed = 0; seed < 6; seed++) {
      const found = await read(`broken.${kind}`, withDamage(bytes, seed))
      const end = typeof found === 'string' ? found : 'read'
      expect(end, `${kind}, seed ${seed}`).toMatch(
        /^(read|refused|damaged|empty|no_text|encrypted|too_large_unpacked)$/,
      )
    }
  }
})

thorough(
  'BAD-27: a line of a hundred megabytes, 100,000 columns: bounded, nothing cut silently',
  async () => {
    const line = await read(
      'line.csv',
      Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(MAX_BYTES - 4, 'tide,')]),
    )
    if (typeof line === 'string') expect(line).toBe('too_large_unpacked')
    else expect(textOf(line.blocks).match(/tide/g)?.length).toBe(Math.ceil((MAX_BYTES - 4) / 5))
    const header = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',')
    const wide = await read('wide.csv', Buffer.from(`${header}\n${header.replaceAll('c', 'v')}\n`))
    if (typeof wide === 'string') expect(wide).toBe('too_large_unpacked')
    else {
      expect(textOf(wide.blocks)).toContain('v99999')
      expectSmall(wide)
    }
  },
  SLOW_MS,
)

thorough(
  'BAD-31: a word of 1 MB, 300,000 distinct words, 1,000,000 rows: chunks within their bounds, nothing lost',
  async () => {
    const word = await read('word.txt', Buffer.from('x'.repeat(2 ** 20)))
    const words = Array.from({ length: 300_000 }, (_, i) => `w${i.toString(36)}`)
    const distinct = await read('words.txt', Buffer.from(words.join(' ')))
    const rows = Array.from({ length: 1_000_000 }, (_, i) => `${i},gauge ${i % 97}`)
    const table = await read('rows.csv', Buffer.from(`no,name\n${rows.join('\n')}\n`))
    for (const found of [word, distinct, table]) {
      if (typeof found === 'string') throw new Error(found)
      expectSmall(found)
    }
    const written = [...chunksOf(ID, distinct as ParsedDocument)].map(({ text }) => text)
    expect(written.join(' ').split(/\s+/)).toEqual(words)
    expect(textOf((table as ParsedDocument).blocks).match(/gauge/g)).toHaveLength(rows.length)
  },
  SLOW_MS,
)

const ID = '7f1a3b52-5d0c-4d3e-9a57-3f6a0d5f1c11'
// chunk.ts: a table's part with its header; sentence or word, no chunk is larger.
const MAX_CHARACTERS = 12_500

function expectSmall(document: ParsedDocument): void {
  const largest = [...chunksOf(ID, document)].reduce((most, { text }) => Math.max(most, text.length), 0)
  expect(largest).toBeGreaterThan(0)
  expect(largest).toBeLessThanOrEqual(MAX_CHARACTERS)
}
