import { expect, it } from 'vitest'
import { inRange, tableRows } from './markdown-table.ts'

const holds = (text: string, number: number): boolean => inRange([{ header: 'x', text }], [number])

it.each([
  ['3 to 7', 5],
  ['8 bis 14', 10],
  ['10–20', 10],
  ['up to £250', 120],
  ['15 and more', 20],
])('a range holds a number: %s, %i', (text, number) => expect(holds(text, number)).toBe(true))

it.each([
  ['3 to 7', 8],
  ['1 February 2024 to the end of the term', 4],
  ['1. Februar 2024 bis 31. Januar 2026', 4],
  ['01.02.2024 to 31.01.2026', 4],
  ['2024-02-01 to 2026-01-31', 4],
  ['a quarter', 4],
])('and not another, and a time is none: %s, %i', (text, number) => expect(holds(text, number)).toBe(false))

const headersOf = (...lines: string[]): string[] => {
  const [first = '', ...others] = lines
  const rule = first.replace(/[^|]+/g, ' --- ')
  return tableRows([first, rule, ...others].join('\n')).rows[0]?.cells.map(({ header }) => header) ?? []
}

it('a column is named by the header that spans it and by its own name', () => {
  expect(
    headersOf(
      '|  | Three months |  | Six months |  |',
      '|  | 2023 | 2022 | 2023 | 2022 |',
      '| Trains | 1 | 2 | 3 | 4 |',
    ),
  ).toEqual(['', 'Three months 2023', 'Three months 2022', 'Six months 2023', 'Six months 2022'])
  expect(
    headersOf(
      '| (Millions) | Group |  |  | Total |',
      '|  | 2023 | 2022 |  |  |',
      '|  |  | Restated | Change |  |',
      '| Trains | 1 | 2 | 50 % | 4 |',
    ),
  ).toEqual(['(Millions)', 'Group 2023', 'Group 2022 Restated', 'Group 2022 Change', 'Total'])
})

it('rows under a complete header are data, even without a label', () => {
  expect(headersOf('| Line | 2023 | 2022 |', '|  | May | June |', '| Trains | 1 | 2 |')).toEqual([
    '2023',
    '2022',
  ])
  expect(headersOf('|  | 2023 |  |', '| Trains | 1 | 2 |', '|  | 3 | 4 |')).toEqual(['', '2023', ''])
})

it('a row with a label is kept, even if it names columns', () => {
  const { rows } = tableRows(
    '|  | Plan | Size | Kind |  |\n| --- | --- | --- | --- | --- |\n| Storage | small | large | full | none |\n| Price | 10 | 20 | 30 | 40 |',
  )
  expect(rows.map(({ cells: [, first] }) => [first?.header, first?.text])).toEqual([
    ['Plan small', 'small'],
    ['Plan small', '10'],
  ])
})
