// What the first records of a delimited file are.

import { expect, test } from 'vitest'
import { tableRows } from './opening.ts'

test('a title with a remark below its table is a title', () => {
  const table = [
    ['Year', 'Catch'],
    ['2023', '4'],
    ['2024', '5'],
  ]
  expect(tableRows([['Catch of herring'], ...table, ['Source: the bureau']])).toEqual({
    title: ['Catch of herring'],
    header: ['Year', 'Catch'],
    rows: [...table.slice(1), ['Source: the bureau']],
  })
  // Lone lines between rows: who knows which is a title.
  expect(tableRows([['a'], ['b', 'c'], ['d'], ['e', 'f']]).title).toEqual([])
})
