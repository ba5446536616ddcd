// Title, header and data in the first records of a delimited file.

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

test('names and values above a table of more columns are its title', () => {
  const rows = [
    ['01.01.', '07:00', '412', '', ''],
    ['02.01.', '07:00', '', '998,25', 'guessed', ''],
  ]
  const head = [
    ['Report', 'Gauge at the mill', '', ''],
    ['Period', '01.01. - 31.01.'],
    ['', ''],
  ]
  const header = ['Date', 'Time', 'Level', 'Flow', 'Remark']
  expect(tableRows([...head, header, ...rows])).toEqual({
    title: ['Report Gauge at the mill', 'Period 01.01. - 31.01.'],
    header,
    rows,
  })
  // A table whose first rows are short is one from its first row on.
  expect(tableRows([['a', 'b'], ['c', 'd', 'e', '4'], ...rows]).title).toEqual([])
})
