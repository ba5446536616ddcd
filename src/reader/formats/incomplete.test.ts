// Incomplete, damaged or missing parts in a sound container: the rest is read with a warning, or the file fails as
// damaged; a partial document is never reported as complete.

import { expect, test } from 'vitest'
import { partsOf } from '../../../test/support/files/bad.ts'
import { asEpub } from '../../../test/support/files/model-writers.ts'
import { makeDocx, makeWorkbook, noteReference, wordParagraph } from '../../../test/support/files/office.ts'
import { makeOdp, makeOdt, odfParagraph } from '../../../test/support/files/opendocument.ts'
import { parseBytes } from '../../../test/support/files/parse.ts'
import { makePptx } from '../../../test/support/files/slides.ts'
import { makeZip } from '../../../test/support/files/zip.ts'
import type { DocumentKind, ParsedDocument } from '../block.ts'

const INCOMPLETE = 'Parts of the file are cut off, damaged or missing: not all of it was read.'
const rows = [
  ['Buoy', 'Depth'],
  ['North', 'four fathoms'],
  ['South', 'nine fathoms'],
]

const slide = (text: string): string =>
  `<draw:page><draw:frame><draw:text-box>${odfParagraph(text)}</draw:text-box></draw:frame></draw:page>`

const makers: Partial<Record<DocumentKind, () => Promise<Buffer> | Buffer>> = {
  docx: () =>
    makeDocx(
      `${wordParagraph('North has four fathoms.')}<w:p><w:r><w:t>South</w:t></w:r>${noteReference('1')}</w:p>`,
      { notes: { 1: 'nine fathoms' } },
    ),
  pptx: () =>
    makePptx([
      { title: 'North', lines: ['four fathoms'], notes: 'By the chart.' },
      { title: 'South', lines: ['nine'] },
    ]),
  xlsx: () => makeWorkbook({ North: rows, South: rows }),
  odt: () => makeOdt(`${odfParagraph('North has four fathoms.')}${odfParagraph('South has nine.')}`),
  odp: () => makeOdp(slide('North has four fathoms.') + slide('South has nine.')),
  ods: () => makeWorkbook({ North: rows, South: rows }, 'ods'),
  epub: () =>
    asEpub([
      { type: 'heading', text: 'North', level: 1 },
      { type: 'paragraph', text: 'Four fathoms.' },
      { type: 'paragraph', text: 'South has nine.' },
    ]),
}

type Change = (part: Buffer) => Buffer | undefined

/** The file with each part that `name` fits changed, or left out. */
async function read(kind: DocumentKind, name: RegExp, change: Change): Promise<ParsedDocument> {
  const parts = Object.entries(partsOf((await makers[kind]?.()) ?? Buffer.alloc(0)))
  const changed = parts.flatMap(([part, bytes]) => {
    const now = name.test(part) ? change(bytes) : bytes
    return now === undefined ? [] : [[part, now] as const]
  })
  expect(parts.some(([part]) => name.test(part))).toBe(true)
  return parseBytes(kind, await makeZip(Object.fromEntries(changed)))
}

const cutAt =
  (share: number): Change =>
  (part) =>
    part.subarray(0, Math.floor(part.length * share))
const missing: Change = () => undefined

test.each([
  ['docx', /word\/document/],
  ['docx', /word\/footnotes/],
  ['pptx', /slides\/slide2\.xml/],
  ['pptx', /notesSlide1\.xml/],
  ['xlsx', /worksheets\/sheet2\.xml/],
  ['odt', /content\.xml/],
  ['odp', /content\.xml/],
  ['ods', /content\.xml/],
  ['epub', /\.xhtml/],
] as const)('%s with %s cut off says so', async (kind, name) => {
  expect((await read(kind, name, (part) => part)).warnings).toBeUndefined()
  expect((await read(kind, name, cutAt(0.95))).warnings).toEqual([INCOMPLETE])
})

test.each([
  ['pptx', /slides\/slide1\.xml/],
  ['xlsx', /worksheets\/sheet1\.xml/],
] as const)('%s without %s says so, and what is behind it keeps its page', async (kind, name) => {
  const { blocks, warnings, pages } = await read(kind, name, missing)
  expect(warnings).toEqual([INCOMPLETE])
  expect([pages, blocks[0]?.text, blocks[0]?.page]).toEqual([2, 'South', 2])
})

test.each([
  ['docx', /word\/document/],
  ['pptx', /slides\/slide\d\.xml|notesSlide/],
  ['xlsx', /worksheets\/sheet\d\.xml/],
  ['odt', /content\.xml/],
  ['odp', /content\.xml/],
  ['ods', /content\.xml/],
  ['epub', /\.xhtml/],
] as const)('%s with nothing left of its text is damaged, not without text', async (kind, name) => {
  await expect(read(kind, name, cutAt(0))).rejects.toMatchObject({ reason: 'damaged' })
})

test('a page of a book that is a drawing is whole', async () => {
  const cover = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>North</text></svg>\n')
  expect((await read('epub', /c0\.xhtml/, () => cover)).warnings).toBeUndefined()
})
