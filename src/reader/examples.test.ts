// The fidelity suite over examples/: what another reader finds in each file (pdf.js, the XML itself, SheetJS, a reader
// of old Word files, our own eyes) is in our blocks, in order and on its page; titles are headings, cells are cells.

import { readFile } from 'node:fs/promises'
import * as XLSX from '@e965/xlsx'
import { expect, test } from 'vitest'
import { partsOf } from '../../test/support/files/bad.ts'
import { tableText, wordsInOrder } from '../../test/support/files/model.ts'
import { parseBytes } from '../../test/support/files/parse.ts'
import { thorough } from '../../test/support/full.ts'
import type { Block, DocumentKind } from './block.ts'

const words = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
const textOf = (blocks: readonly Block[]): string => words(blocks.map(({ text }) => text).join('\n'))
const headingsOf = (blocks: readonly Block[]): string[] =>
  blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text)

async function example(name: string, kind: DocumentKind): Promise<{ bytes: Buffer; blocks: Block[] }> {
  const bytes = await readFile(`examples/${name}`)
  return { bytes, blocks: (await parseBytes(kind, bytes)).blocks }
}

/** The words of all pages in order, and each page's on that page. */
function expectPages(blocks: readonly Block[], pages: readonly string[]): void {
  const read = pages.map((_, i) => textOf(blocks.filter(({ page }) => page === i + 1)))
  expect(wordsInOrder(words(pages.join(' ')), read.join(' '))).toBeGreaterThanOrEqual(0.99)
  const sorted = (text: string): string => words(text).split(' ').sort().join(' ')
  pages.forEach((text, i) => {
    const share = wordsInOrder(sorted(text), sorted(read[i] ?? ''))
    expect(share, `page ${i + 1}`).toBeGreaterThanOrEqual(0.99)
  })
  expect(Math.max(...blocks.map(({ page = 0 }) => page))).toBe(pages.length)
}

/** Without the lines that come on most pages but for their numbers. */
function withoutRunningLines(pages: readonly string[]): string[] {
  const shape = (line: string): string => line.replace(/\d+/g, '0').trim()
  const pagesOf = (line: string): number =>
    pages.filter((page) => page.split('\n').some((other) => shape(other) === shape(line))).length
  const isOwn = (line: string): boolean => pagesOf(line) < 2 || pagesOf(line) <= pages.length / 2
  return pages.map((page) => page.split('\n').filter(isOwn).join('\n'))
}

test.each(['annual-report-2025', 'lease-ropewalk-yard', 'tg-40-data-sheet'])('%s.pdf', async (name) => {
  const { bytes, blocks } = await example(`${name}.pdf`, 'pdf')
  const { extractText, getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  expectPages(blocks, withoutRunningLines((await extractText(pdf, { mergePages: false })).text))
})

const plain = (xml: string): string =>
  xml
    .replace(/<(w:br|w:tab|a:br)\/>|<\/(w|a):p>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

test.each(['board-minutes-2026-03-12', 'lease-amendment-1'])('%s.docx', async (name) => {
  const { bytes, blocks } = await example(`${name}.docx`, 'docx')
  const xml = partsOf(bytes)['word/document.xml']?.toString() ?? ''
  expect(wordsInOrder(words(plain(xml)), textOf(blocks))).toBeGreaterThanOrEqual(0.99)
  const titles = xml.split('</w:p>').filter((paragraph) => /<w:pStyle w:val="(Heading|Title)/.test(paragraph))
  expect(titles.length).toBeGreaterThan(0)
  expect(headingsOf(blocks)).toEqual(titles.map((paragraph) => plain(paragraph).trim()))
})

test('general-meeting-2026.pptx', async () => {
  const { bytes, blocks } = await example('general-meeting-2026.pptx', 'pptx')
  const parts = partsOf(bytes)
  // Slide numbers are no text.
  const read = (part: string): string =>
    parts[part]?.toString().replace(/<a:fld [^>]*type="slidenum".*?<\/a:fld>/g, '') ?? ''
  const count = Object.keys(parts).filter((part) => /^ppt\/slides\/slide\d+\.xml$/.test(part)).length
  const slides = Array.from({ length: count }, (_, i) => read(`ppt/slides/slide${i + 1}.xml`))
  expect(count).toBe(7)
  expectPages(
    blocks,
    slides.map((slide, i) => `${plain(slide)} ${plain(read(`ppt/notesSlides/notesSlide${i + 1}.xml`))}`),
  )
  const titles = slides.map((slide) =>
    slide.split('</p:sp>').find((shape) => /type="(ctrT|t)itle"/.test(shape)),
  )
  expect(headingsOf(blocks)).toEqual(titles.map((shape) => plain(shape ?? '').trim()))
})

test.each([
  ['budget-2026.xlsx', 'xlsx'],
  ['price-list-2026.xls', 'xls'],
] as const)('%s', async (name, kind) => {
  const { bytes, blocks } = await example(name, kind)
  const { SheetNames: names, Sheets: sheets } = XLSX.read(bytes, { cellDates: true })
  names.forEach((sheet, i) => {
    const wanted = Object.entries(sheets[sheet] ?? {}).flatMap(([at, cell]: [string, XLSX.CellObject]) => {
      if (at.startsWith('!') || cell.v === undefined) return []
      return [cell.v instanceof Date ? cell.v.toISOString().slice(0, 10) : String(cell.w ?? cell.v).trim()]
    })
    const own = blocks.filter(({ page }) => page === i + 1)
    expect(own[0]).toMatchObject({ kind: 'heading', text: sheet })
    const found = own.flatMap(({ kind: of, text }) =>
      text.split('\n').flatMap((line) => (of === 'table' ? line.slice(2, -2).split(' | ') : [line])),
    )
    expect(found).toEqual(expect.arrayContaining(wanted))
  })
  expect(blocks.at(-1)?.page).toBe(names.length)
})

test('service-agreement-port.doc', async () => {
  const { bytes, blocks } = await example('service-agreement-port.doc', 'doc')
  // The second reader takes its words from another library.
  const second = await parseBytes('doc', bytes, true)
  expect(wordsInOrder(textOf(second.blocks), textOf(blocks))).toBeGreaterThanOrEqual(0.99)
})

test.each([
  ['staff-handbook.md', 'markdown'],
  ['suppliers.csv', 'csv'],
  ['move-planning-mail.txt', 'text'],
] as const)('%s', async (name, kind) => {
  const { bytes, blocks } = await example(name, kind)
  expect(wordsInOrder(words(bytes.toString()), textOf(blocks))).toBeGreaterThanOrEqual(0.99)
  const titles = bytes.toString().matchAll(/^#+ (.*)$/gm)
  expect(headingsOf(blocks)).toEqual(kind === 'markdown' ? [...titles].map(([, title]) => title) : [])
})

// What stands on the scans and the photograph, as one reads them; the signatures are written out again below themselves.
const LETTER = `CORRIGAN ESTATES LIMITED 9 Custom House Street, Aldermouth AM1 2DL · Telephone 01632 960 205
Tidewick Instruments Co-operative Limited Ms Hannah Birch Unit 4, Ropewalk Yard Aldermouth AM2 6QT 2 April 2026
Our reference: RY4 / LM Unit 4, Ropewalk Yard: your notice of 31 March 2026 Dear Ms Birch,
We confirm that we received your notice by recorded delivery on 31 March 2026. The lease of Unit 4, Ropewalk Yard
therefore ends on 30 June 2026, as the amendment of 8 September 2023 provides. The last quarterly rent of £10,300 is due
on 1 May 2026. For July we will refund the part that reaches beyond the end of the lease, that is £3,433.33. Our property
manager, Lydia Marsh, will inspect the premises together with Mr Quintero on Monday 29 June 2026 at 10:00. Please have all
eighteen keys ready on the following day. The deposit of £9,600 will be returned within 28 days after the keys are handed
back, less the cost of repairs, if any. We ask you to repaint the offices and to repair the damaged frame of the workshop
door. The foundation of the calibration bath may remain. Thank you for seven good years. We wish you every success at
Quayside Works. Yours sincerely, Lydia Marsh Lydia Marsh Property manager, Corrigan Estates Limited Page 1 of 1`

thorough('landlord-letter-scan.png', async () => {
  const { blocks } = await example('landlord-letter-scan.png', 'image')
  expect(wordsInOrder(words(LETTER), textOf(blocks))).toBeGreaterThanOrEqual(0.99)
  expect(headingsOf(blocks)).toContain('Unit 4, Ropewalk Yard: your notice of 31 March 2026')
})

thorough('calibration-certificate-scan.pdf', async () => {
  const { blocks } = await example('calibration-certificate-scan.pdf', 'pdf')
  const tables = blocks.filter(({ kind }) => kind === 'table').map(({ text }) => text)
  expect(tables).toEqual([
    tableText([
      ['Customer', 'Port of Aldermouth Authority'],
      ['Instrument', 'Tide gauge TG-40/10, serial number 40-1187'],
      ['Station', 'North Pier'],
      ['Agreement', 'SA-2024-07'],
      ['Date of calibration', '18 April 2026'],
      ['Next calibration', '18 April 2027'],
      ['Water temperature', '14.2 °C'],
      ['Air pressure', '1016 hPa'],
    ]),
    tableText([
      ['Reference depth (m)', 'Reading (m)', 'Deviation (mm)'],
      ['0.500', '0.501', '+1'],
      ['2.000', '2.001', '+1'],
      ['4.000', '4.002', '+2'],
      ['6.000', '6.002', '+2'],
      ['8.000', '8.003', '+3'],
      ['9.500', '9.502', '+2'],
    ]),
  ])
  expect(headingsOf(blocks)).toEqual(expect.arrayContaining(['Calibration certificate', 'Results']))
  expect(blocks.map(({ text }) => text).join('\n')).toContain(
    'It lies within the permitted deviation of 4 mm',
  )
})

// The white numbers in their dark circles are not read.
const NOTICE = `BATTERY STORE Lithium battery packs LB-D19 Keep no more than 40 packs here. Charge and test only at bench 5,
under the extractor. Never work with packs alone. Hot, swollen or damaged pack: into the sand box, then outdoors. Never use
water on a burning pack. IN CASE OF FIRE Leave the workshop. Call 999. Meet at assembly point B, yard gate. First aiders:
Rafael Quintero (ext. 21) and Adaeze Bell (ext. 34) Tidewick Instruments · decision 2026-10 · 1 April 2026`

thorough('battery-notice-photo.jpg', async () => {
  const { blocks } = await example('battery-notice-photo.jpg', 'image')
  expect(wordsInOrder(words(NOTICE), textOf(blocks))).toBeGreaterThanOrEqual(0.99)
  expect(headingsOf(blocks)).toEqual(expect.arrayContaining(['BATTERY STORE', 'IN CASE OF FIRE']))
})
