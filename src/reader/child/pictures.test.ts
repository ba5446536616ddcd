// Pictures inside documents: found in every kind that holds some, read where they hold words; photographs, bombs and
// what is damaged say nothing.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { floodPng } from '../../../test/support/files/bad.ts'
import { inFolder, parseBytes } from '../../../test/support/files/parse.ts'
import {
  makePng,
  photograph,
  picturedDocx,
  picturedEpub,
  picturedHtml,
  picturedMail,
  picturedPdf,
  picturedPptx,
  screenshot,
} from '../../../test/support/files/pictured.ts'
import type { Block, DocumentKind, ParsedDocument, UnreadableFile } from '../block.ts'
import { hasLargePicture } from '../formats/pdf/pictures.ts'
import { readableBlocks } from '../shared/pictures/recognise-picture.ts'
import type { PictureCandidate, PicturesRequest } from '../task.ts'
import { toUnreadable } from './parse-file.ts'
import { runPicturesTask } from './pictures.ts'

const shot = await screenshot(['Valve K7 closes', 'above 42 bar', 'Alarm Foxglove'])
const png = makePng(shot)

const onPictures = (kind: DocumentKind, bytes: Buffer, pictures: PicturesRequest) =>
  inFolder(async (folder) => {
    const path = join(folder, 'upload')
    await writeFile(path, bytes)
    const task = { id: 1, path, bytes: bytes.length, filename: '', kind, folder, resultPath: '', pictures }
    return runPicturesTask(task, () => undefined)
  })

async function find(kind: DocumentKind, bytes: Buffer): Promise<PictureCandidate[]> {
  const { pictures }: ParsedDocument = await parseBytes(kind, bytes)
  return pictures === undefined
    ? []
    : ((await onPictures(kind, bytes, { find: pictures })) as PictureCandidate[])
}

async function read(kind: DocumentKind, bytes: Buffer): Promise<string[]> {
  const texts: string[] = []
  for (const picture of await find(kind, bytes)) {
    const blocks = (await onPictures(kind, bytes, { read: picture, language: 'en' })) as Block[]
    texts.push(blocks.map(({ text }) => text).join(' '))
  }
  return texts
}

const words = /Valve K7 closes.*above 42 bar.*Alarm Foxglove/s

test('a PDF: found by page and box, read as its page shows it', async () => {
  const pdf = picturedPdf([{ lines: ['The first page.'] }, { lines: ['The second page.'], picture: shot }])
  const [found, ...more] = await find('pdf', pdf)
  expect(more).toEqual([])
  expect(found).toMatchObject({ page: 2, width: shot.width, height: shot.height })
  expect(found?.bbox?.map(Math.round)).toEqual([72, 126, 72 + shot.width, 126 + shot.height])
  expect((await read('pdf', pdf)).join()).toMatch(words)
})

test('Word, PowerPoint, a book and a page: found where they stand, the same bytes as one picture', async () => {
  const html = Buffer.from(picturedHtml('A page.', png))
  const files: [DocumentKind, Buffer][] = [
    ['docx', await picturedDocx(['Before.', 0, 'Between.', 0], [png])],
    ['pptx', await picturedPptx([{ line: 'First slide', picture: 0 }, { line: 'Second' }], [png])],
    ['epub', await picturedEpub('A chapter.', png)],
    ['html', html],
  ]
  const found = await Promise.all(files.map(([kind, bytes]) => find(kind, bytes)))
  expect(found.map((pictures) => pictures.map(({ at, page }) => ({ at, page })))).toEqual([
    [
      { at: 1, page: undefined },
      { at: 2, page: undefined },
    ],
    [{ at: 1, page: 1 }],
    [{ at: 1, page: undefined }],
    [{ at: 1, page: undefined }],
  ])
  expect(new Set(found.flat().map(({ hash }) => hash)).size).toBe(1)
  expect((await read('html', html))[0]).toMatch(words)
})

test('a mail: in its text, and in what is attached to it', async () => {
  const docx = await picturedDocx(['Attached.', 0], [png])
  const mail = picturedMail('<p>See below.</p><img src="cid:p@x" alt="image001.png"><p>Yours</p>', png, docx)
  const found = await find('email', mail)
  expect(found.map(({ name, at }) => [name, at])).toEqual([
    ['part 1', 3],
    ['part 2/word/media/image0.png', 6],
  ])
  const { blocks, warnings } = await parseBytes('email', mail)
  expect(blocks.map(({ text }) => text)).toEqual([
    'Valves',
    'From: a@b.example',
    'See below.',
    'Yours',
    'Attachment: notes.docx',
    'Attached.',
  ])
  expect(warnings).toBeUndefined()
  const [first, second] = found
  for (const picture of [first, second]) {
    if (!picture) throw new Error('not found')
    const said = (await onPictures('email', mail, { read: picture, language: 'en' })) as Block[]
    expect(said.map(({ text }) => text).join(' ')).toMatch(words)
  }
})

test('a description is the caption; a picture in a list does not part it', async () => {
  const described = await parseBytes('docx', await picturedDocx(['Before.', 0], [png], 'The alarm table'))
  expect(described.blocks.at(-1)).toEqual({ kind: 'figure', text: 'The alarm table' })
  expect(described.pictures).toEqual([{ name: 'word/media/image0.png', at: 2, captioned: true }])
})

test('a photograph, a flood of pixels, a damaged picture and a small one say nothing', async () => {
  const quiet = [
    makePng(photograph(7)),
    floodPng(65_535, 65_535),
    png.subarray(0, png.length >> 1),
    makePng({ width: 30, height: 30, pixels: new Uint8Array(900) }),
    makePng({ width: 300, height: 200, pixels: new Uint8Array(60_000).fill(90) }),
    Buffer.from('no picture'),
  ]
  const docx = await picturedDocx(['Text.', ...quiet.keys()], quiet)
  const found = await find('docx', docx)
  expect(found.map(({ name }) => name)).toEqual([0, 1, 2, 4].map((no) => `word/media/image${no}.png`))
  for (const picture of found) {
    const said = await onPictures('docx', docx, { read: picture, language: 'en' }).catch(
      (error) => (toUnreadable(error) as UnreadableFile).reason,
    )
    expect([[], 'too_large_unpacked', 'damaged']).toContainEqual(said)
  }
})

test('a PDF without pictures is not asked for any', async () => {
  const holds = (pdf: Buffer): Promise<boolean> =>
    inFolder(async (folder) => {
      const path = join(folder, 'a.pdf')
      await writeFile(path, pdf)
      return hasLargePicture(path)
    })
  expect(await holds(picturedPdf([{ lines: ['Text about /Image and /Subtype /Image alone.'] }]))).toBe(false)
  expect(await holds(picturedPdf([{ lines: [], picture: shot }]))).toBe(true)
  // Across the steps in which it is read.
  const far = [Buffer.from('%PDF-1.4\n'), Buffer.alloc(2 ** 20 - 40, 32)]
  const dictionary = Buffer.from('<< /Subtype /Image /Width 640 /Height 480 >>')
  expect(await holds(Buffer.concat([...far, dictionary]))).toBe(true)
})

test.each([
  ['Total cost of ownership 2024', 0.93, true],
  ['APPROVED FOR PROCESSING', 0.96, true],
  ['| Net sales | $4,885 | 12 % |', 0.81, true],
  ['Umsatz je Mitarbeiter', 0.9, true],
  ['How many days were vou unable', 0.68, false],
  ['da bcd xk qq rtz', 0.9, false],
  ['[= / o § 8&8 ~ __ |\\', 0.9, false],
  ['Total cost of ownership', 0.5, false],
])('%s at %d reads as words: %s', (text, confidence, expected) => {
  expect(readableBlocks([{ kind: 'paragraph', text, confidence }]).length > 0).toBe(expected)
})

test('two words are no text, nor are years alone; the numbers of an axis go, those of a sum stay', () => {
  const block = (text: string): Block => ({ kind: 'paragraph', text, confidence: 0.95 })
  expect(readableBlocks([block('Zava Auto')])).toEqual([])
  expect(readableBlocks([block('2021 2022 2023 2024 2025')])).toEqual([])
  const label = block('Sales in a year')
  expect(readableBlocks([label, block('10'), block('$4.2')])).toEqual([label, block('$4.2')])
  expect(readableBlocks([block('Sales in a year\n5 8&8 8 8\n1,200 kg')])).toEqual([
    block('Sales in a year\n1,200 kg'),
  ])
})
