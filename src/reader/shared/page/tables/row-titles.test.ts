// Tables read from whole pages: a sentence that is the title of rows, and pairs that stand above another table.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../../test/support/files/parse.ts'
import { grid, makePdf } from '../../../../../test/support/files/pdf.ts'
import type { Block } from '../../../block.ts'

const tablesOf = (blocks: readonly Block[]): string[][] =>
  blocks.filter(({ kind }) => kind === 'table').map(({ text }) => text.split('\n'))

test('one sentence below the names of columns is the title of rows; the names stay the header', async () => {
  const columns = [60, 130, 220, 320, 400, 480]
  const names = ['Day', 'Vessel', 'Cargo', 'Berth', 'Tons', 'Fee']
  const title = 'Agent 4471 Halvard Shipping - calls of the second quarter, fees before rebate of members'
  const bytes = makePdf([
    [
      ...grid([names], columns, 700),
      { x: 66, y: 682, text: title, size: 9 },
      ...grid(
        [
          ['02/04', 'Merle', 'Timber', 'North', '1,204', '310.00'],
          ['09/04', 'Ysolde', 'Gravel', 'North', '880', '245.50'],
          ['17/05', 'Tern', 'Wheat', 'Inner', '2,310', '580.25'],
        ],
        columns,
        664,
      ),
    ],
  ])
  const [table] = tablesOf((await parseBytes('pdf', bytes)).blocks)
  expect(table?.[0]).toBe(`| ${names.join(' | ')} |`)
  expect(table?.[2]).toContain(`| ${title} |`)
  expect(table?.[3]).toBe('| 02/04 | Merle | Timber | North | 1,204 | 310.00 |')
})

test('names with values above the items of an invoice are no rows of its table', async () => {
  const head = [
    ['Deliver to', 'Order', 'SO-7718'],
    ['Fjord Bakery', 'Order date', '3 May 2026'],
    ['8 Quay Road', 'Delivery', '11 May 2026'],
    ['Bergen 5003', 'Terms', '30 days'],
    ['', 'Your contact', 'E. Sollid'],
  ]
  const items = [
    ['No', 'Article', 'Pieces', 'Price', 'Sum'],
    ['1', 'Proofing basket, round, one kilogram', '12', '9.50', '114.00'],
    ['2', 'Dough scraper of steel', '6', '4.20', '25.20'],
    ['3', 'Carriage', '1', '18.00', '18.00'],
  ]
  const place = (rows: string[][], columns: number[], top: number, pitch: number) =>
    rows.flatMap((row, r) =>
      row.flatMap((text, c) =>
        text === '' ? [] : [{ x: columns[c] ?? 0, y: top - r * pitch, text, size: 9 }],
      ),
    )
  const bytes = makePdf([
    [...place(head, [50, 330, 440], 700, 14), ...place(items, [50, 90, 370, 420, 480], 600, 15)],
  ])
  const tables = tablesOf((await parseBytes('pdf', bytes)).blocks)
  expect(tables.at(-1)?.[0]).toBe('| No | Article | Pieces | Price | Sum |')
  expect(tables.flat().some((row) => row.includes('| Terms | 30 days |'))).toBe(true)
  expect(tables.flat().some((row) => row.includes('| Your contact | E. Sollid |'))).toBe(true)
})
