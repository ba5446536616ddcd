import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOf, narrowest, periodsIn, placedPeriods, startOf } from './periods.ts'

describe('periods', () => {
  test.each([
    ['2022 Q3 AAPL.pdf', ['2022-Q3']],
    ['report_2023-Q1', ['2023-Q1']],
    ['in the third quarter of 2023', ['2023-Q3']],
    ['Q2 of fiscal year 2023', ['2023-Q2']],
    ['second fiscal quarter of 2024', ['2024-Q2']],
    ['im dritten Quartal 2023', ['2023-Q3']],
    ['3. Quartal 2023', ['2023-Q3']],
    ['troisième trimestre 2023', ['2023-Q3']],
    ['tercer trimestre de 2023', ['2023-Q3']],
    ['T4 2021', ['2021-Q4']],
    ['for the quarterly period ended July 1, 2023', ['2023-07-01']],
    ['vom 12. März 2026', ['2026-03-12']],
    ['board-minutes-2026-03-12.docx', ['2026-03-12']],
    ['10-Q - 10/28/2022 - Corporation', ['2022-10-28']],
    ['28.10.2022', ['2022-10-28']],
    ['le 1er juin 2022', ['2022-06-01']],
    ['junio de 2022', ['2022-06']],
    ['newsletter_april_2026.txt', ['2026-04']],
    ['rundbrief-maerz-2026', ['2026-03']],
    ['FY2023', ['2023']],
    ['2021 and 2022', ['2021', '2022']],
    ['4/5/2022 is the fourth or the fifth', ['2022']],
    ['page 2023a, 12,023 and 2023.5', []],
    ['2023-13-45', ['2023']],
  ])('of %s are %j', (text, expected) => {
    expect(narrowest(periodsIn(text)).sort()).toEqual(expected)
  })

  test('end on their last day', () => {
    expect(['2023', '2023-Q1', '2024-02', '2023-07-01', '2023-02-31'].map(endOf)).toEqual([
      '2023-12-31',
      '2023-03-31',
      '2024-02-29',
      '2023-07-01',
      '2023-02-28',
    ])
  })

  test('of any text have a form that ends on a day', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789/-._ QTq', 'March', 'third quarter of ') }),
        (text) => {
          for (const period of periodsIn(text))
            expect(new Date(endOf(period)).toISOString().slice(0, 10)).toBe(endOf(period))
        },
      ),
    )
  })
})

test('periods with their places, the narrowest of those that overlap', () => {
  const text = 'between March 2024 and Q3 2025, not 2023'
  expect(placedPeriods(text).map(({ period, start, end }) => [period, text.slice(start, end)])).toEqual([
    ['2024-03', 'March 2024'],
    ['2025-Q3', 'Q3 2025'],
    ['2023', '2023'],
  ])
  expect([startOf('2025-Q3'), startOf('2024'), startOf('2024-03')]).toEqual([
    '2025-07-01',
    '2024-01-01',
    '2024-03-01',
  ])
})
