// Two pages on a sheet and the columns of brochures, on real PDFs: each part is read to its end before the next one.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { grid, makePdf, type PdfText, prose } from '../../../../../test/support/files/pdf.ts'
import type { Block } from '../../../block.ts'
import { pageWords, textLines } from '../tables/lines.ts'
import type { PlacedBlock } from './boxes.ts'
import { panelBlocks } from './panels.ts'

const nouns = 'harbour ledger copper meadow signal timber vessel granite lantern orchard'.split(' ')
const SIZE = 10

/** Paragraphs below each other, each of so many lines; every line names its part and its number. */
function column(part: string, x: number, top: number, words: number, ...paragraphs: number[]): PdfText[] {
  let [y, n] = [top, 0]
  return paragraphs.flatMap((count, p) => {
    const lines = Array.from({ length: count }, (_, i): PdfText => {
      const length = i === count - 1 ? words >> 1 : words
      const line = Array.from({ length }, (_, k) => nouns[(n * 7 + p * 5 + k * 3) % 10]).join(' ')
      return { x, y: y - i * 12, text: `${part}${++n} ${line}${i === count - 1 ? '.' : ''}`, size: SIZE }
    })
    y -= count * 12 + 6
    return lines
  })
}

const title = (text: string, x: number, y: number): PdfText => ({ x, y, text, size: 14, bold: true })
/** As most programs write a page: line by line, whatever stands on the line. */
const byRows = (texts: readonly PdfText[]): PdfText[] => [...texts].sort((a, b) => b.y - a.y || a.x - b.x)
const blocksOf = async (texts: readonly PdfText[], size: readonly [number, number]): Promise<Block[]> =>
  (await parseBytes('pdf', makePdf([byRows(texts)], { size }))).blocks

/** The lines' names in the order they are read, and in the order they are drawn. */
const named = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.match(/\b[A-D]\d+\b/g) ?? [])
const read = (blocks: readonly Block[]): string[] => named(blocks.map(({ text }) => text))
const drawn = (texts: readonly PdfText[]): string[] => named(texts.map(({ text }) => text))

const table = (x: number, top: number): PdfText[] =>
  grid(
    [
      ['Item', '2024', '2025'],
      ['Revenue', '1,147', '1,284'],
      ['Costs', '987', '1,188'],
      ['Surplus', '60', '96'],
    ],
    [x, x + 120, x + 200],
    top,
  ).map((text) => ({ ...text, size: SIZE }))

test('two pages on a sheet, a table on the left one beside the text of the right one', async () => {
  const texts = [
    title('The harbour', 50, 545),
    ...column('A', 50, 520, 7, 6, 5),
    ...table(50, 360),
    ...column('B', 50, 270, 7, 5, 6),
    ...column('C', 465, 545, 7, 6, 8),
    title('Repairs of the pier', 465, 360),
    ...column('D', 465, 340, 7, 7, 4),
  ]
  const blocks = await blocksOf(texts, [842, 595])
  expect(read(blocks)).toEqual(drawn(texts))
  expect(blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => text)).toEqual([
    'The harbour',
    'Repairs of the pier',
  ])
  const rows = blocks.find(({ kind }) => kind === 'table')?.text.split('\n')
  expect(rows?.at(-1)).toBe('| Surplus | 60 | 96 |')
})

test('a brochure of three columns close to each other, their titles at different heights', async () => {
  const texts = [
    title('One', 30, 580),
    ...column('A', 30, 558, 5, 6, 5, 6, 6),
    ...column('B', 242, 580, 5, 5, 3),
    title('Two', 242, 472),
    ...column('C', 242, 450, 5, 6, 6),
    ...column('D', 454, 580, 5, 6, 5, 6, 5),
  ]
  expect(read(await blocksOf(texts, [680, 612]))).toEqual(drawn(texts))
})

test('a table of texts is no page of columns', async () => {
  const row = (n: number): PdfText[] => {
    const y = 660 - n * 34
    return [
      { x: 60, y, text: `Pier ${n}`, size: SIZE },
      { x: 150, y, text: 'keeps a gauge and a lantern of copper, the ledger', size: SIZE },
      { x: 150, y: y - 12, text: 'of the vessels and the signals of the harbour', size: SIZE },
      { x: 400, y, text: 'read by the keeper of the pier', size: SIZE },
      { x: 400, y: y - 12, text: 'each morning and each night', size: SIZE },
    ]
  }
  const head = ['Place', 'What it keeps', 'Who reads it'].map(
    (text, i): PdfText => ({ x: [60, 150, 400][i] ?? 0, y: 680, text, size: SIZE, bold: true }),
  )
  const blocks = await blocksOf([...head, ...[0, 1, 2, 3, 4].flatMap(row)], [612, 792])
  expect(blocks.map(({ kind }) => kind)).toEqual(['table'])
})

test('two pages on a sheet of short entries with indents of their own, some of them on one line', () => {
  const entries = (part: string, x: number, step: number): TextItem[] =>
    Array.from({ length: 16 }, (_, i) => ({
      text: `${part}${i + 1} keepers of the northern pier`,
      x: x + (i % 7) * 14,
      y: 50 + (i < 6 ? i * 15 : i * 15 + step),
      width: 160,
      height: 10,
    }))
  const textItems = [...entries('A', 70, 0), ...entries('B', 480, 8)]
  // Each line of the page is a block, whatever stands on it.
  const byLine = (part: ParsedPage): PlacedBlock[] =>
    textLines(pageWords(part.textItems)).map(({ segments, bbox }) => ({
      kind: 'paragraph',
      text: segments.map(({ text }) => text).join(' '),
      bbox,
    }))
  const page = { pageNum: 1, width: 842, height: 595, text: '', markdown: '', textItems }
  expect(read(panelBlocks(page, byLine))).toEqual(named(textItems.map(({ text }) => text)))
})

test('two columns of two lines are one text, labels with values are not cut apart', async () => {
  const columns = [
    ...prose(['The rowing club looked at the costs of the', 'winter and'], 640, 60),
    ...prose(['agreed to raise the fee of its boats by', 'four per cent from May.'], 640, 330),
  ]
  const read = async (texts: PdfText[]): Promise<string[]> =>
    (await parseBytes('pdf', makePdf([texts]))).blocks.map(({ text }) => text)
  expect(await read(columns)).toEqual([
    'The rowing club looked at the costs of the winter and agreed to raise the fee of its boats by four per cent from May.',
  ])
  const pairs = [
    ...prose(['Name of the applicant and of the boat', 'Date of birth as in the passport'], 640, 60),
    ...prose(['Ottilie Brandvold, boat Merle', '12 April 1988, in Tromsø'], 640, 330),
  ]
  const values = (await read(pairs)).join(' ')
  expect(values.indexOf('Ottilie')).toBeLessThan(values.indexOf('12 April'))
})

test('columns end at white across the page, and a sentence goes on in the next one', async () => {
  const story = [
    [
      'The ferry to the isle will stop for six',
      'weeks from Tuesday because its engine',
      'has to be taken out. The company has',
      'hired a boat that takes thirty people',
      'and leaves each hour from seven in the',
    ],
    [
      'morning until nine at night. Residents',
      'travel free of charge with their pass.',
      'Lorries must use the bridge, whose toll',
      'they pay themselves. The captain said',
      'that a second stop was not planned.',
    ],
  ]
  const page = [
    { x: 60, y: 740, text: 'Ferry stops for six weeks', size: 18, bold: true },
    ...story.flatMap((lines, i) => prose(lines, 700, 60 + i * 250)),
    { x: 60, y: 520, text: 'Weather', size: 14, bold: true },
    ...prose(['Cold and bright, frost in the valleys.', 'Six degrees at most.'], 500, 60),
    { x: 310, y: 520, text: 'Tides', size: 14, bold: true },
    ...prose(['High water at four, low water at ten', 'and at half past ten.'], 500, 310),
  ]
  const text = (await parseBytes('pdf', makePdf([page]))).blocks.map((block) => block.text).join('\n')
  const at = [
    'six weeks',
    'seven in the morning until',
    'not planned',
    'Weather',
    'Six degrees',
    'Tides',
    'High water',
  ].map((phrase) => text.indexOf(phrase))
  expect(at).toEqual([...at].sort((a, b) => a - b))
  expect(at.every((place) => place >= 0)).toBe(true)
})
