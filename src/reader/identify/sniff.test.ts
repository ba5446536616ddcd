// The kind of a file, by its bytes first and its name second: every accepted kind, every mismatch that must not be
// refused.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCompound, makeDocx, makeWorkbook, wordParagraph } from '../../../test/support/files/office.ts'
import { makeOdp, makeOdt } from '../../../test/support/files/opendocument.ts'
import { makeOutlookItem } from '../../../test/support/files/outlook.ts'
import { inFolder } from '../../../test/support/files/parse.ts'
import { makePdf } from '../../../test/support/files/pdf.ts'
import { makePptx } from '../../../test/support/files/slides.ts'
import { makeZip } from '../../../test/support/files/zip.ts'
import { reasonSentence } from '../reasons.ts'
import { hasHeicDecoder } from '../shared/rasters/heic.ts'
import { sniff } from './sniff.ts'

function kindOf(bytes: Buffer | string, name: string): Promise<unknown> {
  return inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    const found = await sniff(path, name)
    return 'kind' in found ? found.kind : 'unsupported'
  })
}

const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000000000', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')

const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(64)])

test('the bytes tell the kind whatever the name says', async () => {
  for (const name of ['report', 'report.bin', 'report.docx', 'report.txt']) {
    expect(await kindOf(makePdf([[{ x: 72, y: 700, text: 'hello' }]]), name)).toBe('pdf')
    expect(await kindOf(await makeDocx(wordParagraph('hello')), name)).toBe('docx')
    expect(await kindOf(await makePptx([{ title: 'a', lines: [] }]), name)).toBe('pptx')
    expect(await kindOf(makeWorkbook({ a: [[1]] }), name)).toBe('xlsx')
    expect(await kindOf(makeWorkbook({ a: [[1]] }, 'biff8'), name)).toBe('xls')
    expect(await kindOf(makeCompound({ WordDocument: Buffer.alloc(600) }), name)).toBe('doc')
    expect(await kindOf(makeCompound({ 'PowerPoint Document': Buffer.alloc(600) }), name)).toBe('ppt')
    expect(await kindOf(makeOutlookItem({ subject: 'a' }), name)).toBe('msg')
    expect(await kindOf(png, name)).toBe('image')
    expect(await kindOf(jpeg, name)).toBe('image')
  }
})

test('HEIC is a picture where its decoder is installed, else refused with what to do', async () => {
  const found = await inFolder(async (folder) => {
    const path = join(folder, 'a')
    await writeFile(path, heic)
    return sniff(path, 'photo.jpg')
  })
  expect(found).toEqual(hasHeicDecoder() ? { kind: 'image' } : { unsupported: reasonSentence.no_heic })
})

test('a PDF behind a few bytes of rubbish is a PDF', async () => {
  expect(await kindOf(Buffer.concat([Buffer.from('\r\n\0junk'), makePdf([[]])]), 'a')).toBe('pdf')
})

test('an object inside an old Office file does not tell its kind', async () => {
  const workbook = makeCompound({
    'MBD0001/WordDocument': Buffer.alloc(600),
    'MBD0002/PowerPoint Document': Buffer.alloc(600),
    'MBD0003/EncryptedPackage': Buffer.alloc(600),
    Workbook: Buffer.alloc(600),
  })
  expect(await kindOf(workbook, 'report')).toBe('xls')
  const letter = makeCompound({
    'ObjectPool/_1/Workbook': Buffer.alloc(600),
    WordDocument: Buffer.alloc(600),
  })
  expect(await kindOf(letter, 'report')).toBe('doc')
})

test('where nothing of the directory hangs on its root, all names in it tell the kind', async () => {
  const letter = makeCompound({ WordDocument: Buffer.alloc(600) })
  const root = letter.indexOf(Buffer.from('Root Entry', 'utf16le'))
  for (const top of [0xffffffff, 9999]) {
    letter.writeUInt32LE(top, root + 76)
    expect(await kindOf(letter, 'report')).toBe('doc')
  }
})

test('an encrypted Office file is the kind its name says', async () => {
  const locked = makeCompound({ EncryptedPackage: Buffer.alloc(5000), EncryptionInfo: Buffer.alloc(200) })
  expect(await kindOf(locked, 'secret.xlsx')).toBe('xlsx')
  expect(await kindOf(locked, 'secret.pptx')).toBe('pptx')
  expect(await kindOf(locked, 'secret')).toBe('docx')
  // Names are compared without case.
  expect(await kindOf(makeCompound({ WORDDOCUMENT: Buffer.alloc(600) }), 'letter')).toBe('doc')
})

test('text is told apart by its name, and text under no known name is text', async () => {
  expect(await kindOf('a,b\n1,2\n', 'a.csv')).toBe('csv')
  expect(await kindOf('# a\n', 'a.md')).toBe('markdown')
  expect(await kindOf('hello', 'a.txt')).toBe('text')
  expect(await kindOf('hello', 'LICENSE')).toBe('text')
  expect(await kindOf(Buffer.from('\ufeffhello', 'utf16le'), 'notes')).toBe('text')
  expect(await kindOf(Buffer.from('hello world, no mark', 'utf16le'), 'notes')).toBe('text')
  expect(await kindOf('BMW supplies parts.', 'notes')).toBe('text')
  expect(await kindOf(Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x0a]), 'notes')).toBe('text')
})

test('RTF, pages, mails, books and JSON', async () => {
  for (const name of ['letter.rtf', 'letter.doc', 'letter'])
    expect(await kindOf('{\\rtf1\\ansi hello}', name)).toBe('rtf')
  for (const name of ['page.html', 'page.htm', 'page.txt', 'page']) {
    expect(await kindOf('\ufeff<!doctype html><html><body>a</body></html>', name)).toBe('html')
  }
  expect(await kindOf('<p>part</p>', 'part.html')).toBe('html')
  const mail = 'Received: from x\r\nFrom: a@b.example\r\nMIME-Version: 1.0\r\n\r\nhello'
  for (const name of ['a.eml', 'a']) expect(await kindOf(mail, name)).toBe('email')
  expect(await kindOf(mail, 'a.txt')).toBe('text')
  for (const name of ['a.json', 'a.jsonl', 'a.ndjson']) expect(await kindOf('{"a":1}', name)).toBe('json')
  const book = await makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': 'x',
    'book.opf': 'x',
  })
  for (const name of ['a.epub', 'a', 'a.zip']) expect(await kindOf(book, name)).toBe('epub')
  for (const name of ['a.odt', 'a'])
    expect(await kindOf(await makeOdt('<text:p>hello</text:p>'), name)).toBe('odt')
  for (const name of ['a.odp', 'a']) expect(await kindOf(await makeOdp('<draw:page/>'), name)).toBe('odp')
  for (const name of ['a.ods', 'a']) expect(await kindOf(makeWorkbook({ a: [[1]] }, 'ods'), name)).toBe('ods')
})

test('an accepted name is enough: what is wrong inside is told after the upload', async () => {
  expect(await kindOf('not a document', 'a.pdf')).toBe('pdf')
  expect(await kindOf(await makeZip({ 'readme.txt': 'no office file' }), 'a.docx')).toBe('docx')
  expect(await kindOf(Buffer.alloc(64), 'a.xlsx')).toBe('xlsx')
  expect(await kindOf('', 'a.md')).toBe('markdown')
})

test('pages and delimited text under the name of Excel or Word are what they are', async () => {
  expect(await kindOf('<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>', 'a.xls')).toBe('html')
  expect(await kindOf('<table><tr><td>1', 'a.xls')).toBe('html')
  expect(await kindOf(Buffer.from('\ufeff<html><table>', 'utf16le'), 'a.xls')).toBe('html')
  expect(await kindOf(Buffer.from('\ufeffCode\tName\r\n001\ta', 'utf16le'), 'a.xls')).toBe('csv')
  expect(await kindOf('<!doctype html><html><p>a', 'a.doc')).toBe('html')
  for (const text of ['Code;Name\n001;a', 'Code\tName\r\n001\ta'])
    expect(await kindOf(text, 'a.xls')).toBe('csv')
  for (const text of ['<?xml version="1.0"?><Workbook/>', 'ID;PWXL;N;E\r\n', 'TABLE\r\n0,1'])
    expect(await kindOf(text, 'a.xls')).toBe('xls')
})

test('mailboxes, calendars, saved pages and what Outlook packs', async () => {
  const mailbox = 'From k@example.org Mon Jun  1 10:00:00 2026\nFrom: k@example.org\n\nhello\n'
  for (const name of ['a.mbox', 'Inbox']) expect(await kindOf(mailbox, name)).toBe('mbox')
  for (const name of ['a.ics', 'a'])
    expect(await kindOf('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n', name)).toBe('calendar')
  const page =
    'From: <Saved by Blink>\r\nContent-Type: multipart/related;\r\n\ttype="text/html"; boundary="b"\r\n\r\n--b'
  for (const name of ['a.mht', 'a.mhtml', 'a.xls', 'a.doc']) expect(await kindOf(page, name)).toBe('mhtml')
  for (const name of ['winmail.dat', 'a.txt'])
    expect(await kindOf(Buffer.from('789f3e220100', 'hex'), name)).toBe('msg')
  expect(await kindOf('From Monday at 10:00 on.\nNo mail.\n', 'note')).toBe('text')
})

test('neither name nor bytes: refused with a sentence', async () => {
  expect(await kindOf(await makeZip({ 'readme.txt': 'no office file' }), 'a.zip')).toBe('unsupported')
  expect(await kindOf(Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0', 'latin1'), 'program')).toBe('unsupported')
  expect(await kindOf(Buffer.from('00000018667479706d703432', 'hex'), 'film.mp4')).toBe('unsupported')
  expect(await kindOf('', 'nothing')).toBe('unsupported')
})
