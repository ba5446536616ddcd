// Parts of a page whose lines run up or down it, and vertical writing, each at its place.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, prose } from '../../../../test/support/files/pdf.ts'
import type { PlacedBlock } from '../../shared/page/layout/boxes.ts'
import { readSidewaysParts } from './sideways-parts.ts'

const rows = [
  ['Fluid', 'Capacity', 'Grade', 'Interval'],
  ['Motor oil', '9.5 litres', '10W-30', '250 hours'],
  ['Coolant', '14.0 litres', 'G13', '1,000 hours'],
  ['Axle oil', '6.2 litres', 'GL-4', '1,500 hours'],
  ['Brake fluid', '0.9 litres', 'DOT 5', 'two years'],
]
/** Operators that draw the rows from the lower edge of the page to the upper one. */
const rising = rows
  .flatMap((row, r) =>
    row.map((text, c) => `BT /F1 10 Tf 0 1 -1 0 ${300 + r * 18} ${80 + c * 90} Tm (${text}) Tj ET`),
  )
  .join('\n')

test('a table that runs up an upright page has its rows, at its place', async () => {
  const text = Array.from({ length: 12 }, (_, i) => `Line ${i} of the manual says how fluids are changed.`)
  for (const lines of [text, text.slice(0, 1)]) {
    const { blocks } = await parseBytes('pdf', makePdf([prose(lines, 740)], { drawn: rising }))
    const table = blocks.find(({ kind }) => kind === 'table')
    expect(table?.text.split('\n').filter((_, i) => i !== 1)).toEqual(
      rows.map((row) => `| ${row.join(' | ')} |`),
    )
    const [left = 0, top = 0, right = 0, bottom = 0] = table?.bbox ?? []
    expect([left > 280, top > 300, right < 400, bottom < 720]).toEqual([true, true, true, true])
    expect(blocks[0]?.text).toBe(lines.join(' '))
  }
})

test('names of an axis that run up the page stay where they are', async () => {
  const names = ['Tons', 'Fees', 'Calls'].map(
    (name, i) => `BT /F1 10 Tf 0 1 -1 0 ${100 + i * 120} 300 Tm (${name}) Tj ET`,
  )
  const { blocks } = await parseBytes(
    'pdf',
    makePdf([prose(['Three charts of the harbour.'])], { drawn: names.join('\n') }),
  )
  expect(blocks.map(({ text }) => text).join(' ')).toContain('Tons')
  expect(blocks.filter(({ kind }) => kind === 'table')).toEqual([])
})

test('vertical writing, which the library reads across, is read down its columns from right to left', () => {
  const columns = ['本館は月曜日に休みます。', '入場料は大人五百円です。', '子供は無料で入れます。']
  const textItems = Array.from(columns[0] ?? '', (_, row): TextItem => {
    const y = 80 + row * 14
    const words = columns
      .flatMap((column, c) => {
        const text = column[row]
        return text === undefined ? [] : [{ text, x: 460 - c * 26, y, width: 28, height: 14 }]
      })
      .reverse()
    const text = words.map((word) => word.text).join('')
    return { text, x: words[0]?.x ?? 0, y, width: 80, height: 14, words }
  })
  const page: ParsedPage = { pageNum: 1, width: 595, height: 842, text: '', markdown: '', textItems }
  const read = ({ textItems: items }: ParsedPage): PlacedBlock[] =>
    items.map(({ text, x, y, width, height }) => ({
      kind: 'paragraph',
      text,
      bbox: [x, y, x + width, y + height],
    }))
  const blocks = readSidewaysParts(page, read) ?? []
  expect(blocks.map(({ text }) => text)).toEqual(columns)
  expect(blocks[0]?.bbox?.map(Math.round)).toEqual([460, 80, 480, 248])
})
