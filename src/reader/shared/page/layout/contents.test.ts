// Tables of contents on real PDFs: an entry a line, indented, with its page; and what only looks like one.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../../test/support/files/pdf.ts'

const sentence = 'The gauges of the northern harbours are read each hour by their keepers, day and night.'
const title = (text: string): PdfText => ({ x: 72, y: 740, text, size: 18, bold: true })
const chapter: PdfText[] = [title('1 Introduction'), ...prose(Array(12).fill(sentence), 700)]
const entry = (x: number, y: number, text: string, page: number | undefined, dots = false): PdfText[] => [
  { x, y, text: dots ? `${text} ${'.'.repeat(40)}` : text, bold: x === 72 && !dots },
  ...(page === undefined ? [] : [{ x: 510, y, text: String(page) }]),
]

const contents = (dots: boolean): PdfText[] => [
  ...entry(72, 700, '1 Introduction', 2, dots),
  ...entry(90, 684, '1.1 Harbours', 2, dots),
  ...entry(
    90,
    668,
    '1.2 Gauges of the north and of the south, of all piers, basins, locks and gates',
    undefined,
  ),
  ...entry(104, 655, 'that the office keeps', 7, dots),
  ...entry(72, 639, '2 Readings', 11, dots),
  ...entry(72, 623, '3 Costs', 12, dots),
  ...entry(72, 607, 'Annex', 14, dots),
]

const expected = [
  '- 1 Introduction 2',
  '  - 1.1 Harbours 2',
  '  - 1.2 Gauges of the north and of the south, of all piers, basins, locks and gates that the office keeps 7',
  '- 2 Readings 11',
  '- 3 Costs 12',
  '- Annex 14',
].join('\n')

test.each([
  ['a title', [title('Contents'), ...contents(false)]],
  ['dots', [title('Year of the harbour'), ...contents(true)]],
])('a table of contents known by %s is a list with its page numbers', async (_, page) => {
  const { blocks } = await parseBytes('pdf', makePdf([page, chapter]))
  const own = blocks.filter((block) => block.page === 1)
  expect(own.map(({ kind }) => kind)).toEqual(['heading', 'list'])
  expect(own[1]?.text).toBe(expected)
})

test('a table under a heading that is called Index is a table', async () => {
  const rows = [
    ['Harbour', 'Gauges', 'Keepers'],
    ['North', '12', '4'],
    ['South', '15', '5'],
    ['Basin', '17', '7'],
    ['Lock', '21', '9'],
    ['Old town', '24', '11'],
    ['Pier', '31', '12'],
  ]
  const cells = rows.flatMap((row, r) =>
    row.map((text, c): PdfText => ({ x: [72, 250, 350][c] ?? 0, y: 700 - r * 18, text })),
  )
  const { blocks } = await parseBytes('pdf', makePdf([[title('Index'), ...cells]]))
  expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'table'])
})
