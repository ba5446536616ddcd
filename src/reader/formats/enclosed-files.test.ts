// Files inside of documents are read as the attachments of a mail are.

import { expect, test } from 'vitest'
import { rawPdf } from '../../../test/support/files/bad.ts'
import { makeCompound, makeDocx, makeWorkbook, wordParagraph } from '../../../test/support/files/office.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makePptx } from '../../../test/support/files/slides.ts'
import type { ParsedDocument } from '../block.ts'

const textsOf = ({ blocks }: ParsedDocument): string[] => blocks.map(({ text }) => text)

/** What Windows packs a file into. */
function packed(name: string, content: string): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const path = `C:\\temp\\${name}\0`
  const body = Buffer.concat([
    Buffer.from(`\x02\0${name}\0C:\\docs\\${name}\0`, 'latin1'),
    number(0x30000),
    number(path.length),
    Buffer.from(path),
    number(content.length),
    Buffer.from(content),
  ])
  return makeCompound({ '\u0001Ole10Native': Buffer.concat([number(body.length), body]) })
}

const workbook = makeWorkbook({
  Levels: [
    ['Gauge', 'Level'],
    ['North', 4],
  ],
})
const old = makeWorkbook(
  {
    Levels: [
      ['Gauge', 'Level'],
      ['South', 7],
    ],
  },
  'biff8',
)
const equation = makeCompound({ 'Equation Native': Buffer.alloc(600) })

test('files put into Word and slides: a workbook, an old one, one packed by Windows, no equation', async () => {
  const objects: Record<string, [string, Buffer, string]> = {
    e1: ['package', workbook, 'sheet1.xlsx'],
    e2: ['oleObject', old, 'object1.bin'],
    e3: ['oleObject', packed('notes.txt', 'High at noon.'), 'object2.bin'],
    e4: ['oleObject', equation, 'object3.bin'],
    e5: ['oleObject', packed('tool.exe', '\x7fELF\x02\x01\x01\0\0\0'), 'object4.bin'],
  }
  const relations = Object.fromEntries(
    Object.entries(objects).map(([id, [type, , name]]) => [
      id,
      [type, `embeddings/${name}`] as [string, string],
    ]),
  )
  const parts = (folder: string) =>
    Object.fromEntries(
      Object.values(objects).map(([, bytes, name]) => [`${folder}/embeddings/${name}`, bytes]),
    )
  const attachments = [
    'Attachment: sheet1.xlsx',
    'Levels',
    '| Gauge | Level |\n| --- | --- |\n| North | 4 |',
    'Attachment: object1.bin',
    'Levels',
    '| Gauge | Level |\n| --- | --- |\n| South | 7 |',
    'Attachment: notes.txt',
    'High at noon.',
    'Attachment: tool.exe',
  ]
  const word = await parseBytes(
    'docx',
    await makeDocx(wordParagraph('See below.'), { relations, parts: parts('word') }),
  )
  expect(textsOf(word)).toEqual(['See below.', ...attachments])
  expect(word.warnings).toEqual(['tool.exe: This kind of attachment is not read.'])
  const upward = Object.fromEntries(
    Object.entries(relations).map(([id, [type, target]]) => [id, [type, `../${target}`] as [string, string]]),
  )
  const slide = { title: 'Gauges', lines: ['See below.'], relations: upward }
  expect(textsOf(await parseBytes('pptx', await makePptx([slide, slide], parts('ppt')))).slice(4)).toEqual(
    attachments,
  )
})

test('files in the list of a PDF, one pinned to a page, and one in both places', async () => {
  const text = 'BT /F1 12 Tf 72 700 Td (See the files.) Tj ET'
  const stream = (content: string): { dictionary: string; bytes: Buffer } => ({
    dictionary: `/Type /EmbeddedFile /Length ${content.length}`,
    bytes: Buffer.from(content),
  })
  const pdf = rawPdf([
    '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [8 0 R 11 0 R] >>',
    { dictionary: `/Length ${text.length}`, bytes: Buffer.from(text) },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Filespec /F (list.csv) /UF (list.csv) /EF << /F 7 0 R >> >>',
    stream('Pier;Tons\nNorth;4\n'),
    '<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 30 30] /FS 9 0 R >>',
    '<< /Type /Filespec /F (notes.txt) /EF << /F 10 0 R >> >>',
    stream('High at noon.'),
    '<< /Type /Annot /Subtype /FileAttachment /Rect [50 10 70 30] /FS 6 0 R >>',
  ])
  expect(textsOf(await parseBytes('pdf', pdf))).toEqual([
    'See the files.',
    'Attachment: list.csv',
    '| Pier | Tons |\n| --- | --- |\n| North | 4 |',
    'Attachment: notes.txt',
    'High at noon.',
  ])
})

test('more files than are read, and a document in itself', async () => {
  const relations = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`e${i}`, ['package', `embeddings/${i}.txt`] as [string, string]]),
  )
  const parts = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`word/embeddings/${i}.txt`, Buffer.from(`Text ${i}.`)]),
  )
  let bytes = await makeDocx(wordParagraph('Innermost.'), { relations, parts })
  const { warnings } = await parseBytes('docx', bytes)
  expect(warnings).toEqual(['10 of its 60 attachments were not read.'])
  for (let depth = 0; depth < 6; depth++)
    bytes = await makeDocx(wordParagraph(`Level ${depth}.`), {
      relations: { e1: ['package', 'embeddings/inner.docx'] },
      parts: { 'word/embeddings/inner.docx': bytes },
    })
  expect(textsOf(await parseBytes('docx', bytes)).filter((text) => text.startsWith('Level'))).toEqual([
    'Level 5.',
    'Level 4.',
    'Level 3.',
    'Level 2.',
  ])
})
