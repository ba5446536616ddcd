// Hostile files (BAD-22, 23, 30, 33): each ends quickly with its text or the right reason, and nothing outside the file
// is read. Time limits are the parsers' own; the memory limit of the child is tested with the pool.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeDoc } from '../../test/support/files/doc.ts'
import { makeDocx, makeWorkbook, wordParagraph, wordTable } from '../../test/support/files/office.ts'
import { inFolder, parseBytes } from '../../test/support/files/parse.ts'
import { makePdf, prose } from '../../test/support/files/pdf.ts'
import { makePptx } from '../../test/support/files/slides.ts'
import { makeZip, storedZip } from '../../test/support/files/zip.ts'
import type { DocumentKind } from './block.ts'

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

function wordPart(body: string, doctype = ''): Promise<Buffer> {
  return makeDocx('', {
    parts: {
      'word/document.xml': `<?xml version="1.0"?>${doctype}<w:document ${w}><w:body>${body}</w:body></w:document>`,
    },
  })
}

const run = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

async function outcome(kind: DocumentKind, bytes: Buffer | string): Promise<string> {
  return parseBytes(kind, bytes).then(
    ({ blocks }) => blocks.map(({ text }) => text).join('\n'),
    (error: { reason?: string }) => `failed: ${error.reason ?? String(error)}`,
  )
}

test('BAD-23: external entities are never read, whatever holds them', () =>
  inFolder(async (folder) => {
    const canary = join(folder, 'canary')
    await writeFile(canary, 'CANARY-7f3a')
    const doctype = `<!DOCTYPE x [<!ENTITY e SYSTEM "${pathToFileURL(canary)}"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>`
    const slide = slidePart('slide &e;', doctype)
    const deck = await makePptx([{ title: 'x' }])
    const sheet = sheetPart('sheet &e;', doctype)
    const chapter = `<?xml version="1.0"?>${doctype}<html><body><p>chapter &e;</p></body></html>`
    const files: [DocumentKind, Buffer | string, string][] = [
      ['docx', await wordPart(run('word &e;'), doctype), 'word'],
      ['pptx', await replaced(deck, 'ppt/slides/slide1.xml', slide), 'slide'],
      ['xlsx', await replaced(makeWorkbook({ a: [[1]] }), 'xl/worksheets/sheet1.xml', sheet), 'sheet'],
      ['epub', await book(chapter), 'chapter'],
      ['html', chapter, 'chapter'],
    ]
    for (const [kind, bytes, word] of files) {
      const found = await outcome(kind, bytes)
      expect(found, kind).toContain(word)
      expect(found, kind).not.toContain('CANARY')
    }
  }))

test('BAD-23: entities that multiply and elements without end stay as small as they are', async () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const doctype = `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>`
  expect((await outcome('docx', await wordPart(run('&l9;'), doctype))).length).toBeLessThan(100)
  expect(await outcome('docx', await wordPart(`${'<w:tbl><w:tr><w:tc>'.repeat(30_000)}`))).toBe(
    'failed: damaged',
  )
  expect(
    await outcome('docx', await wordPart(`${'<w:sdt>'.repeat(200)}${run('deep')}${'</w:sdt>'.repeat(200)}`)),
  ).toBe('deep')
})

test('spans that reach ever further stay a table', async () => {
  const rows = Array.from({ length: 20 }, (_, r) =>
    Array.from({ length: 20 }, (_, c) => [`r${r}c${c}`, 1000] as [string, number]),
  )
  expect(await outcome('docx', await makeDocx(wordTable(rows)))).toContain('r19c19')
  const html = `<table>${'<tr><td rowspan=1000 colspan=1000>x<td>y</tr>'.repeat(100)}</table>`
  expect(await outcome('html', html)).toContain('y')
})

test('BAD-22: containers that lie, overlap, hide or are cut', async () => {
  const document = `<w:document ${w}><w:body>${run('text')}</w:body></w:document>`
  const plain = await makeZip({ 'word/document.xml': document })
  expect(await outcome('docx', plain)).toBe('text')

  // The directory promises fewer bytes than the part holds.
  expect(
    await outcome(
      'docx',
      patched(plain, (at) => at.size, 10),
    ),
  ).toBe('failed: damaged')
  // A wrong checksum.
  expect(
    await outcome(
      'docx',
      patched(plain, (at) => at.crc, 12_345),
    ),
  ).toBe('failed: damaged')
  // An entry under a password.
  expect(
    await outcome(
      'docx',
      patched(plain, (at) => at.flags, 1, 2),
    ),
  ).toBe('failed: encrypted')
  // Cut anywhere.
  for (const share of [0.2, 0.5, 0.9]) {
    expect(await outcome('docx', plain.subarray(0, plain.length * share))).toBe('failed: damaged')
  }
  // Two entries over the same bytes.
  const two = await makeZip({ 'word/document.xml': document, 'word/copy.xml': document })
  expect(
    await outcome(
      'docx',
      patched(two, (at) => at.offset, 0, 4, 1),
    ),
  ).toBe('failed: damaged')
  // Names that climb out of a folder; a zip in a zip is a part nobody asked for.
  const climbing = storedZip([
    ['../../evil.txt', 'x'],
    ['word/document.xml', document],
  ])
  expect(await outcome('docx', climbing)).toBe('failed: damaged')
  const nested = storedZip([
    ['inner.zip', plain],
    ['word/document.xml', document],
  ])
  expect(await outcome('docx', nested)).toBe('text')
})

test('BAD-22: 10,001 parts are refused before any is read', async () => {
  const parts = Array.from({ length: 10_001 }, (_, i): [string, string] => [`p${i}`, ''])
  expect(await outcome('xlsx', storedZip(parts))).toBe('failed: too_large_unpacked')
})

test('BAD-30: characters no database takes are gone from every kind', async () => {
  const bad = 'a&#0;b&#x1F;c&#xD800;d&#xFFFE;e'
  const files: [DocumentKind, Buffer | string][] = [
    ['docx', await wordPart(run(bad))],
    ['html', `<p>${bad}</p>`],
    ['markdown', 'a\u0000b\u001fc\ufffed'],
    ['json', '{"a\\u0000b": "c\\ud800d"}'],
    ['csv', 'a\u0000b,c\nd,e\u0001f\n'],
    ['text', 'a\u0000b\u0007c'],
    ['pdf', makePdf([prose(['a\u0000b\u0001c\ufffed of the tide gauge'])])],
    ['pptx', await replaced(await makePptx([{ title: 'x' }]), 'ppt/slides/slide1.xml', slidePart(bad))],
    ['xlsx', await replaced(makeWorkbook({ a: [[1]] }), 'xl/worksheets/sheet1.xml', sheetPart(bad))],
    ['xls', makeWorkbook({ a: [['a\u0000b\u001fc\ufffed']] }, 'biff8')],
    ['ods', await replaced(makeWorkbook({ a: [['x']] }, 'ods'), 'content.xml', odsPart(bad))],
    ['epub', await book(`<html><body><p>${bad}</p></body></html>`)],
    [
      'email',
      `From: a@example.org\nMessage-ID: <1@example.org>\nSubject: a\u0001b\n\na\u0000b\u001fc\ufffed\n`,
    ],
    ['rtf', "{\\rtf1\\ansi a\\u0 ?b\\'01c\\u-2 ?d\\u-10240 ?e\\par}"],
    ['doc', makeDoc([{ text: 'a\u0001b\u001fc\ufffed' }])],
  ]
  for (const [kind, bytes] of files) {
    const text = await outcome(kind, bytes)
    expect(text, kind).toMatch(/a/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(text, kind).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe]|\p{Surrogate}/u)
  }
})

test('BAD-33: patterns take no square of the length of what they look at', async () => {
  const long = 100_000
  for (const piece of [' ', '\t', '-', '#', '|', '\\', '&', '<', '[', '(', '"', '\n ', '> ', '* ']) {
    const text = `${piece.repeat(long / piece.length / 4)}x`
    for (const kind of ['text', 'csv', 'html', 'json'] as const) await outcome(kind, text)
  }
  expect(await outcome('docx', await makeDocx(wordParagraph(`${' '.repeat(long)}x`)))).toBe('x')
})

const slidePart = (text: string, doctype = ''): string =>
  `<?xml version="1.0"?>${doctype}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
const sheetPart = (text: string, doctype = ''): string =>
  `<?xml version="1.0"?>${doctype}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`
const odsPart = (text: string): string =>
  `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet><table:table table:name="a"><table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`

interface Central {
  flags: number
  crc: number
  size: number
  offset: number
}

/** A zip with one field of the n-th directory entry changed, in the local header too where it stands there. */
function patched(zip: Buffer, field: (at: Central) => number, value: number, bytes = 4, entry = 0): Buffer {
  const copy = Buffer.from(zip)
  let at = -1
  for (let i = 0; i <= entry; i++) at = copy.indexOf('PK\u0001\u0002', at + 1, 'latin1')
  const place = field({ flags: at + 8, crc: at + 16, size: at + 24, offset: at + 42 })
  copy.writeUIntLE(value, place, bytes)
  return copy
}

async function replaced(zip: Buffer, name: string, content: string): Promise<Buffer> {
  const { CFB } = await import('@e965/xlsx')
  const container = CFB.read(zip, { type: 'buffer' })
  const parts: Record<string, Buffer | string> = {}
  container.FullPaths.forEach((path: string, i: number) => {
    const part = path.replace(/^Root Entry\//, '')
    const file = container.FileIndex[i]
    if (part !== '' && !part.endsWith('/') && file?.content)
      parts[part] = Buffer.from(file.content as Uint8Array)
  })
  return makeZip({ ...parts, [name]: content })
}

function book(chapter: string): Promise<Buffer> {
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf':
      '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'c.xhtml': chapter,
  })
}
