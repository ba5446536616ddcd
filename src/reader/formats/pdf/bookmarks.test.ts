// Bookmarks of PDFs made here: what they name on their page is a heading on their level; what they name elsewhere,
// or name wrongly, changes nothing.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'
import type { Block } from '../../block.ts'

const sentence = 'The gauges of the northern harbours are read each hour by their keepers, day and night.'
const text = (count: number, top: number): PdfText[] => prose(Array(count).fill(sentence), top)
const line = (words: string, y: number, size = 11): PdfText => ({ x: 72, y, text: words, size })

const headings = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.kind === 'heading' ? [`p${block.page} ${block.level} ${block.text}`] : []))

const pages = [
  [line('Contents', 740), line('Gauges', 700), line('Northern pier', 670), line('Costs', 640)],
  [line('1. Gauges', 740), ...text(3, 715), line('Northern pier', 640), ...text(3, 615)],
  [line('COSTS', 740), ...text(4, 715), line('Costs', 600), ...text(3, 575)],
]

test('plain lines that bookmarks name are headings on their levels, and only on their page', async () => {
  const bookmarks = [
    {
      title: 'Gauges',
      page: 2,
      y: 752,
      below: [
        { title: 'Northern  Pier', page: 2, y: 652 },
        { title: 'Nowhere', page: 2, y: 300 },
      ],
    },
    { title: 'Costs', page: 3, y: 752 },
  ]
  const { blocks } = await parseBytes('pdf', makePdf(pages, { bookmarks }))
  expect(headings(blocks)).toEqual(['p1 1 Contents', 'p2 1 1. Gauges', 'p2 2 Northern pier', 'p3 1 COSTS'])
})

test('no line is a heading or lost for bookmarks that name none', async () => {
  const plain = await parseBytes('pdf', makePdf(pages))
  const bookmarks = [
    { title: 'Somewhere else', page: 1, y: 700 },
    { title: '', page: 2, y: 700 },
  ]
  expect((await parseBytes('pdf', makePdf(pages, { bookmarks }))).blocks).toEqual(plain.blocks)
})

test('a title above all bookmarks in larger type stays above them', async () => {
  const titled = [
    [
      { ...line('The year of the harbour', 740, 24), bold: true },
      { ...line('Gauges', 690, 16), bold: true },
      ...text(3, 660),
    ],
    [{ ...line('Costs', 740, 16), bold: true }, ...text(4, 715)],
  ]
  const bookmarks = [
    { title: 'Gauges', page: 1, y: 700 },
    { title: 'Costs', page: 2, y: 750 },
  ]
  const { blocks } = await parseBytes('pdf', makePdf(titled, { bookmarks }))
  expect(headings(blocks)).toEqual(['p1 1 The year of the harbour', 'p1 2 Gauges', 'p2 2 Costs'])
})
