import { expect, it } from 'vitest'
import { tableRows } from './markdown-table.ts'

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

it('days beside an empty corner are the names of columns', () => {
  expect(
    headersOf('|  | December 31, 2019 | 30 June 2018 |', '| Trains | 1 | 2 |', '| Buses | 3 | 4 |'),
  ).toEqual(['', 'December 31, 2019', '30 June 2018'])
})

it('dates under a title or one name are the names of columns', () => {
  expect(
    headersOf('| ($ in millions) |  |  |', '| At December 31: | 2019 | 2018 |', '| Trains | 1 | 2 |'),
  ).toEqual(['($ in millions) At December 31:', '2019', '2018'])
  expect(headersOf('|  | As of | As of |', '|  | 1 May 2019 | 1 May 2018 |', '| Trains | 1 | 2 |')).toEqual([
    '',
    'As of 1 May 2019',
    'As of 1 May 2018',
  ])
  expect(headersOf('| Firm | Alba | Borg |', '| Founded | 1998 | 2001 |', '| Staff | 7 | 9 |')[0]).toBe(
    'Firm',
  )
})
