// Names and values in two columns, on real PDFs: each name with its own value.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'

const left = [
  ['Name:', 'Northern Harbour'],
  ['Contact:', 'Ada Hansen'],
  ['Billing contact:', 'office@harbour.example'],
  ['', '4 Ropewalk Yard'],
  ['', 'Aldermouth'],
]
const right = [
  ['Billing type:', 'Net 30'],
  ['Payment terms:', 'monthly'],
  ['Commission:', '10%'],
]

const column = (rows: readonly (readonly string[])[], x: number, top: number): PdfText[] =>
  rows.flatMap(([name = '', value = ''], i) => [
    { x, y: top - i * 12, text: name, size: 8 },
    { x: x + 100, y: top - i * 12, text: value, size: 8 },
  ])

test('columns of names whose lines stand between each other’s are read one after the other', async () => {
  const page = [
    { x: 50, y: 740, text: 'Booking agency', size: 12, bold: true },
    ...column(left, 50, 700),
    ...column(right, 350, 694),
    ...prose(
      Array(3).fill('The gauges of the northern harbours are read each hour by their keepers.'),
      580,
      50,
    ),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  const tables = blocks.filter(({ kind }) => kind === 'table').map(({ text }) => text.split('\n'))
  expect(tables).toHaveLength(2)
  expect(tables[0]).toEqual([
    '| Name: | Northern Harbour |',
    '| --- | --- |',
    '| Contact: | Ada Hansen |',
    '| Billing contact: | office@harbour.example 4 Ropewalk Yard Aldermouth |',
  ])
  expect(tables[1]?.filter((_, i) => i !== 1)).toEqual(right.map(([name, value]) => `| ${name} | ${value} |`))
})
