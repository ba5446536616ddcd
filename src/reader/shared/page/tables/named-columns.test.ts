// Tables of words and figures without any rule, as invoices and statements have them, on real PDFs.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../../test/support/files/pdf.ts'

// Helvetica's figures are .556 of the type's size wide, the comma and the point .278.
const width = (text: string): number =>
  Array.from(text).reduce((sum, letter) => sum + (/[.,]/.test(letter) ? 0.278 : 0.556), 0) * 11
const right = (text: string, edge: number, y: number): PdfText => ({ x: edge - width(text), y, text })

const EDGES = [72, 110, 345, 360, 460, 535]
/** A row: texts on the left edges of their columns, figures on the right ones. */
const row = (y: number, cells: readonly string[]): PdfText[] =>
  cells.flatMap((text, c) => {
    if (text === '') return []
    const edge = EDGES[c] ?? 0
    return [/^[\d.,]+$/.test(text) && c > 1 ? right(text, edge, y) : { x: edge, y, text }]
  })

const names: PdfText[] = ['Pos.', 'Goods', 'Count', 'Unit', 'Price', 'Sum'].map((text, c) => ({
  x: [72, 110, 315, 360, 434, 512][c] ?? 0,
  y: 650,
  text,
  bold: true,
}))
const before = prose(
  ['For what we brought to your pier in the month of May we ask', 'you to pay as follows:'],
  690,
)
const after = prose(['To be paid within fourteen days of the day of this letter.'], 440)

test('an invoice without rules is one table: goods in two lines, a title of a group, totals', async () => {
  const rows = [
    ...row(632, ['1', 'Ropes of hemp, 8 to 20 fathoms,', '42.50', 'fm', '18.90', '803.25']),
    { x: 110, y: 618, text: 'tarred and cut' },
    ...row(600, ['2', 'Carriage', '3', 'pcs', '45.00', '135.00']),
    { x: 110, y: 582, text: 'Added on the 21st' },
    ...row(564, ['3', 'Hours of a master rigger', '6.5', 'hrs', '68.00', '442.00']),
    ...row(546, ['4', 'Shackles and thimbles', '1', 'lot', '120.00', '120.00']),
    ...row(526, ['', '', '', 'Net sum of the goods', '', '1,500.25']),
    ...row(508, ['', '', '', 'Discount of the house', '', '45.01']),
    ...row(490, ['', '', '', 'To be paid', '', '1,455.24']),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([[...before, ...names, ...rows, ...after]]))
  expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'table', 'paragraph'])
  expect(blocks[1]?.text.split('\n')).toEqual([
    '| Pos. | Goods | Count | Unit | Price | Sum |',
    '| --- | --- | --- | --- | --- | --- |',
    '| 1 | Ropes of hemp, 8 to 20 fathoms, tarred and cut | 42.50 | fm | 18.90 | 803.25 |',
    '| 2 | Carriage | 3 | pcs | 45.00 | 135.00 |',
    '|  | Added on the 21st |  |  |  |  |',
    '| 3 | Hours of a master rigger | 6.5 | hrs | 68.00 | 442.00 |',
    '| 4 | Shackles and thimbles | 1 | lot | 120.00 | 120.00 |',
    '|  |  |  | Net sum of the goods |  | 1,500.25 |',
    '|  |  |  | Discount of the house |  | 45.01 |',
    '|  |  |  | To be paid |  | 1,455.24 |',
  ])
})

test('a last row whose name runs over all columns but those of its figures is of the table', async () => {
  const edges = [72, 180, 290, 400, 470, 535]
  const line = (y: number, cells: readonly string[]): PdfText[] =>
    cells.map((text, c) => (c > 3 ? right(text, edges[c] ?? 0, y) : { x: edges[c] ?? 0, y, text }))
  const loans = ['North', 'South', 'Basin', 'Lock'].flatMap((name, i) =>
    line(660 - i * 16, [
      `${name} loan`,
      'May 2020',
      'June 2031',
      `${i + 1}.9%`,
      `${i + 1},500`,
      `${i + 2},500`,
    ]),
  )
  const rows = [
    ...line(680, ['Loan', 'Given', 'Due', 'Rate', '2022', '2021']),
    ...loans,
    ...[{ x: 72, y: 596, text: 'All loans, at par' }, right('10,000', 470, 596), right('14,000', 535, 596)],
    { x: 72, y: 580, text: 'What is left of all the loans of the piers, without the costs of giving' },
    right('9,000', 470, 580),
    right('13,000', 535, 580),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([[...rows, ...after]]))
  const [table] = blocks.filter(({ kind }) => kind === 'table')
  expect(table?.text.split('\n').slice(-2)).toEqual([
    '| All loans, at par |  |  |  | 10,000 | 14,000 |',
    '| What is left of all the loans of the piers, without the costs of giving |  |  |  | 9,000 | 13,000 |',
  ])
})

test('three names over three rows are a table too', async () => {
  const rows = [
    ['12.05.', 'Room with breakfast', '96.00'],
    ['13.05.', 'Room with breakfast', '96.00'],
    ['13.05.', 'Tax of the spa', '6.30'],
    ['', 'Sum', '198.30'],
  ]
  const texts = rows.flatMap((cells, r) =>
    cells.flatMap((text, c) => (text === '' ? [] : [{ x: [72, 120, 330][c] ?? 0, y: 630 - r * 15, text }])),
  )
  const heads = ['Date', 'Service', 'EUR'].map((text, c) => ({
    x: [72, 120, 330][c] ?? 0,
    y: 650,
    text,
    bold: true,
  }))
  const { blocks } = await parseBytes('pdf', makePdf([[...before, ...heads, ...texts, ...after]]))
  expect(blocks.flatMap(({ kind, text }) => (kind === 'table' ? text.split('\n').slice(2) : []))).toEqual(
    rows.map((cells) => `| ${cells.join(' | ')} |`),
  )
})
