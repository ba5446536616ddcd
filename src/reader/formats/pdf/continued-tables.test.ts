// A table that goes on over the page is one again, spans and all.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { type Cell, markdownTable, splitMergedCells, tableHtml } from '../../shared/blocks/table.ts'
import { joinContinuedTables } from './continued-tables.ts'

const HEIGHT = 792

function tableBlock(rows: Cell[][], page: number): Block {
  const bbox: BBox = page === 1 ? [72, 100, 540, 740] : [72, 60, 540, 700]
  const html = tableHtml(rows)
  const block: Block = { kind: 'table', text: markdownTable(splitMergedCells(rows)), page, bbox }
  return html === undefined ? block : { ...block, html }
}

function joined(first: Cell[][], second: Cell[][]): Block[] {
  const pages = [first, second].map((rows, i) => ({
    number: i + 1,
    height: HEIGHT,
    blocks: [tableBlock(rows, i + 1)],
  }))
  joinContinuedTables(pages)
  return pages.flatMap(({ blocks }) => blocks)
}

const header: Cell[][] = [
  [{ text: 'Region' }, { text: 'Sales | a & b', colSpan: 2 }],
  [{ text: 'Name' }, { text: '2024' }, { text: '2025' }],
]
const row = (n: number, spans: boolean): Cell[] =>
  spans
    ? [{ text: `note ${n} < all`, colSpan: 3 }]
    : [{ text: `Row ${n}` }, { text: `${n} \\| ${n}` }, { text: `${n * 7}` }]

test('wherever the page ends, the parts joined are the table', () => {
  const rows = fc.array(fc.boolean(), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(rows, fc.nat(), fc.boolean(), (spans, at, flat) => {
      const head = flat ? [[{ text: 'Region' }, { text: '2024' }, { text: '2025' }]] : header
      const body = spans.map((isWide, n) => row(n, isWide))
      const end = 1 + (at % (body.length - 1))
      const found = joined([...head, ...body.slice(0, end)], [...head, ...body.slice(end)])
      expect(found).toHaveLength(1)
      const whole = tableBlock([...head, ...body], 1)
      expect([found[0]?.text, found[0]?.html]).toEqual([whole.text, whole.html])
    }),
  )
})

test('a table that is there again whole, as on the pages of a form, stays', () => {
  const form = [...header, row(1, false), row(2, false)]
  expect(joined(form, form)).toHaveLength(2)
})

test('tables of other columns stay apart', () => {
  const other: Cell[][] = [
    [{ text: 'Year' }, { text: 'Cost' }],
    [{ text: '2024' }, { text: '5' }],
  ]
  expect(joined([...header, row(1, false)], other)).toHaveLength(2)
})

test('without its header a part goes on though its words end further left than a centred name', () => {
  const at = (block: Block, right: number): Block => ({
    ...block,
    bbox: [72, block.bbox?.[1] ?? 0, right, block.bbox?.[3] ?? 0],
  })
  const part = (page: number, from: number, right: number): Block => {
    const body = [0, 1].map((n) => row(from + n, false))
    return at(
      tableBlock(page === 1 ? [[{ text: 'Part' }, { text: 'Qty' }, { text: 'Price' }], ...body] : body, page),
      right,
    )
  }
  const rowsOf = (right: number): number[] => {
    const pages = [part(1, 1, 489), part(2, 3, right)].map((block, i) => ({
      number: i + 1,
      height: HEIGHT,
      blocks: [block],
    }))
    joinContinuedTables(pages)
    return pages.flatMap(({ blocks }) => blocks.map(({ text }) => text.split('\n').length))
  }
  expect(rowsOf(446)).toEqual([6])
  expect(rowsOf(300)).toEqual([4, 3])
})

test('other names beside the same first one begin another table', () => {
  const named = (second: string, first: number): Cell[][] => [
    [{ text: 'In millions' }, { text: second }, { text: 'Total' }],
    row(first, false),
    row(first + 1, false),
  ]
  expect(joined(named('June 2024', 1), named('June 2023', 1))).toHaveLength(2)
  expect(joined(named('June 2024', 1), named('June 2024', 3))).toHaveLength(1)
})

test('a line of other names over the same columns begins another table, labels or not', () => {
  const dated = (date: string): Cell[][] => [
    [{ text: '' }, { text: date }, { text: '' }],
    [{ text: 'Cash' }, { text: 'Cost 4' }, { text: 'Value 4' }],
    row(1, false),
  ]
  expect(joined(dated('June 30, 2024'), dated('June 30, 2023'))).toHaveLength(2)
})
