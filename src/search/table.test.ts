import { expect, test } from 'vitest'
import { analysedText } from '../language/analysed-text.ts'
import type { Passage } from './passage.ts'
import { trimTable, withMatchingTableFirst } from './table.ts'

const rows = Array.from({ length: 40 }, (_, i) => `| Cleat C-${100 + i} | ${i} kg |`)
const table = ['Prices', '', '| Part | Weight |', '| --- | ---: |', ...rows].join('\n')

test('shows header and matching rows in their order, and says how many are hidden', () => {
  expect(trimTable(table, analysedText('weight of C-117 and C-103'), 'en').split('\n')).toEqual([
    'Prices',
    '',
    '| Part | Weight |',
    '| --- | ---: |',
    ...[3, 17].map((i) => rows[i]),
    '… 38 more rows in the document',
  ])
})

test('a small table and text that is no table stay whole', () => {
  const small = table.split('\n').slice(0, 8).join('\n')
  expect(trimTable(small, analysedText('anything'), 'en')).toBe(small)
  expect(trimTable('no table', analysedText('anything'), 'en')).toBe('no table')
})

const hit = (text: string, score: number, type: Passage['type'] = 'table'): Passage => ({
  chunk_id: `c${score}`,
  document_id: 'd',
  document_title: 'Parts',
  document_path: 'a.md',
  chunk_no: 0,
  type,
  text,
  heading: '',
  page: null,
  language: 'en',
  score,
})
const codes = hit('| Version | Range |\n| --- | --- |\n| BW-10 | 4 m |\n| BW-50 | 10 m |', 9)
const list = hit('| part | lead_time_days |\n| --- | --- |\n| BW-10 | 42 |\n| MF-2 | 7 |', 7)

test('a table with a row that has every word of the query comes first; nothing else moves', () => {
  const order = (query: string, ...hits: Passage[]) =>
    withMatchingTableFirst(hits, analysedText(query)).map(({ chunk_id }) => chunk_id)
  expect(order('BW-10 lead time', codes, hit('Other words.', 8, 'text'), list)).toEqual(['c7', 'c9', 'c8'])
  // Two rows of one table are not one row; a passage before it that says it all stays; one word is in many rows.
  expect(order('BW-50 lead time', codes, list)).toEqual(['c9', 'c7'])
  expect(order('BW-10 lead time', hit('The lead time of BW-10 is long.', 8, 'text'), list)).toEqual([
    'c8',
    'c7',
  ])
  expect(order('part', codes, list)).toEqual(['c9', 'c7'])
  expect(withMatchingTableFirst([codes, list], analysedText('BW-10 lead time'))[0]?.score).toBe(9)
  expect(withMatchingTableFirst([], analysedText('BW-10 lead time'))).toEqual([])
})
