// The repairs on a page, on places made here: order, left out lines, lost labels, merged rows, cut paragraphs.

import type { TextItem } from '@llamaindex/liteparse'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { missingBlocks, missingItems } from './missing-text.ts'
import { unmark } from './page-blocks.ts'
import { joinCutParagraphs } from './paragraphs.ts'
import { inReadingOrder } from './reading-order.ts'
import { repairTable } from './table-repair.ts'

const item = (text: string, x: number, y: number, width = text.length * 5): TextItem => ({
  text,
  x,
  y,
  width,
  height: 10,
})
const cell = (text: string, x: number, y: number, height = 10) => ({
  text,
  bbox: { x, y, width: text.length * 5, height },
})
const block = (text: string, bbox: BBox): Block => ({ kind: 'paragraph', text, bbox, page: 1 })

function isAbove(a: BBox | undefined, b: BBox | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const narrow = Math.min(a[2] - a[0], b[2] - b[0])
  return a[3] <= b[1] && Math.min(a[2], b[2]) - Math.max(a[0], b[0]) >= narrow / 2
}

test('reading order keeps every block and puts no block before one above it in its column', () => {
  const box = fc.tuple(
    fc.nat(400),
    fc.nat(700),
    fc.integer({ min: 20, max: 200 }),
    fc.integer({ min: 5, max: 80 }),
  )
  fc.assert(
    fc.property(fc.array(box, { maxLength: 25 }), (boxes) => {
      const blocks = boxes.map(([x, y, width, height], i) => block(String(i), [x, y, x + width, y + height]))
      const ordered = inReadingOrder(blocks)
      expect(ordered.map((each) => each.text).sort()).toEqual(blocks.map((each) => each.text).sort())
      ordered.forEach((later, i) => {
        for (const earlier of ordered.slice(0, i)) {
          expect(isAbove(later.bbox, earlier.bbox)).toBe(false)
        }
      })
    }),
  )
})

test('a centred heading the parser put last comes back to the top; columns stay apart', () => {
  const order = inReadingOrder([
    block('left', [50, 100, 290, 700]),
    block('right', [320, 100, 560, 700]),
    block('title', [200, 40, 400, 60]),
  ])
  expect(order.map((each) => each.text)).toEqual(['title', 'left', 'right'])
})

test('lines the layout left out come back, even when their words stand elsewhere', () => {
  const items = [
    item('net revenues of 991 million', 50, 100),
    item('net revenues of 175 million', 50, 300),
    item('foreign currency, net', 50, 500),
  ]
  const pieces = [
    { text: 'net revenues of 175 million', bbox: [50, 300, 400, 310] as BBox },
    { text: 'a note on foreign currency, net of tax', bbox: [50, 700, 400, 710] as BBox },
  ]
  const missing = missingItems(items, pieces)
  expect([...missing].map((each) => each.text)).toEqual([
    'net revenues of 991 million',
    'foreign currency, net',
  ])
  expect(missingBlocks([...missing], 3).map(({ text, page }) => [text, page])).toEqual([
    ['net revenues of 991 million', 3],
    ['foreign currency, net', 3],
  ])
})

test('a table gets its lost labels back and keeps its numbers', () => {
  const layout = [
    [cell('2023', 300, 100), cell('2022', 400, 100)],
    [cell('20 $', 300, 120), cell('(114)', 400, 120)],
    [cell('25', 300, 140), cell('98', 400, 140)],
  ]
  const labels = [item('Foreign currency', 50, 120), item('Holding gains', 50, 140)]
  const missing = new Set(labels)
  const repaired = repairTable(layout, labels, missing)
  expect(repaired?.rows).toEqual([
    ['', '2023', '2022'],
    ['Foreign currency', '20', '$ (114)'],
    ['Holding gains', '25', '98'],
  ])
  expect(missing.size).toBe(0)
})

test('rows merged into one are parted by their lines, never losing a word', () => {
  const items = [
    item('Balance', 50, 120),
    item('(8,360) $', 300, 120),
    item('(412)', 400, 120),
    item('Other income', 50, 132),
    item('354', 300, 132),
    item('235', 400, 132),
  ]
  const layout = [
    [cell('Item', 50, 100), cell('Currency', 300, 100), cell('Derivative', 400, 100)],
    [
      cell('Balance Other income', 50, 120, 22),
      cell('(8,360) 354', 300, 120, 22),
      cell('$ (412) 235', 400, 120, 22),
    ],
  ]
  expect(repairTable(layout, items, new Set())?.rows.slice(1)).toEqual([
    ['Balance', '(8,360)', '$ (412)'],
    ['Other income', '354', '235'],
  ])
  const other = [
    [cell('Item', 50, 100)],
    [cell('Balance Other income and more', 50, 120, 22), cell('(8,360) 354', 300, 120, 22)],
  ]
  expect(repairTable(other, items, new Set())?.rows[1]).toEqual([
    'Balance Other income and more',
    '(8,360) 354',
  ])
})

test('a paragraph cut in mid-sentence is joined, two paragraphs are not', () => {
  const joined = joinCutParagraphs([
    block('held by the people of', [50, 100, 500, 110]),
    block('the town.', [50, 112, 200, 122]),
    block('another one begins', [50, 124, 500, 134]),
    block('far below', [50, 400, 500, 410]),
  ])
  expect(joined.map((each) => each.text)).toEqual([
    'held by the people of the town.',
    'another one begins',
    'far below',
  ])
})

test('marks of emphasis go, stars of the text stay', () => {
  expect(unmark('**Net sales** of *Adobe* were 5\\_3', false)).toBe('Net sales of Adobe were 5_3')
  expect(unmark('grew **3.9%**\\* by *volume*', true)).toBe('grew 3.9%* by volume')
})
