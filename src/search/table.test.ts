import { expect, test } from 'vitest'
import { trimTable } from './table.ts'

const rows = Array.from({ length: 40 }, (_, i) => `| Cleat C-${100 + i} | ${i} kg |`)
const table = ['Prices', '', '| Part | Weight |', '| --- | ---: |', ...rows].join('\n')

test('shows header and matching rows in their order, and says how many are hidden', () => {
  expect(trimTable(table, 'weight of C-117 and C-103', 'en').split('\n')).toEqual([
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
  expect(trimTable(small, 'anything', 'en')).toBe(small)
  expect(trimTable('no table', 'anything', 'en')).toBe('no table')
})
