import { expect, it } from 'vitest'
import type { Passage } from '../../../search/passage.ts'
import { tableRows } from '../../markdown-table.ts'
import type { SourceTable } from '../../tools/tools.ts'
import { calculationsIn } from './calculation.ts'
import { readCells } from './grid.ts'

const PASSAGE = { language: 'en' } as Passage

function tableOf(lines: string, of: Partial<SourceTable> = {}): SourceTable {
  const [head = '', ...others] = lines.trim().split('\n')
  const text = [head, head.replace(/[^|]+/g, ' --- '), ...others].join('\n')
  const rows = tableRows(text).rows.map((row) => ({ ...row, passage: PASSAGE }))
  return { rows, title: 'Report', heading: '', file: 'report.html', isPartial: false, ...of }
}

const ask = (question: string, table: SourceTable) => {
  const reading = readCells(table, calculationsIn(question, 'en'), 'en')
  return (
    reading && {
      said: reading.results
        .map(
          ({ of, text, isInPoints }) =>
            `${of === undefined ? '' : `${of}: `}${text}${isInPoints ? ' points' : ''}`,
        )
        .join('; '),
      formula: reading.formula,
      scale: reading.scale,
    }
  )
}
const said = (question: string, table: SourceTable): string | undefined => ask(question, table)?.said

const RESULTS = tableOf(`
|  | December 31, 2019 | December 31, 2018 | December 31, 2017 |
| (in thousands) |  |  |  |
| Ticket sales | $1,200 | $1,000 | $800 |
| Other sales | 300 | 500 | — |
| Total sales | $1,500 | $1,500 | $800 |
| Costs: |  |  |  |
| Energy | (400) | (320) | (200) |
| Staff, net of grants | (600) | (500) | (450) |
| Margin | 12.5% | 10.5% | 9% |
| Average age of a bus | 4.5 | 5.5 | 6 |`)

it('calculates a change of the amounts that row and years name', () => {
  expect(ask('What was the percentage change in ticket sales from 2018 to 2019?', RESULTS)).toEqual({
    said: '20 %',
    formula: '(1,200 − 1,000) / 1,000',
    scale: '',
  })
  expect(ask('How much did energy costs change between 2017 and 2019?', RESULTS)).toEqual({
    said: '-200',
    formula: '(-400) − (-200)',
    scale: 'in thousands',
  })
  expect(said('What was the increase in ticket sales in 2019?', RESULTS)).toBe('$200')
})

it('a change of percentages is told in points', () => {
  expect(said('What was the percentage change in the margin between 2018 and 2019?', RESULTS)).toBe(
    '2 points',
  )
  expect(said('What was the increase in the margin in 2019?', RESULTS)).toBe('2 points')
  expect(said('What was the margin in 2019?', RESULTS)).toBe('12.5%')
})

it('a small result keeps its significant digits', () => {
  const table = tableOf(`
|  | 2020 | 2019 |
| Faults | 3 | 5 |
| Trips | 1,000 | 1,000 |
| Delay per trip | 0.004 | 0.007 |`)
  expect(said('What is the ratio of faults to trips in 2020?', table)).toBe('0.003')
  expect(said('What is the ratio of trips to faults in 2020?', table)).toBe('333.33')
  expect(said('What is the average of faults for 2019 and 2020?', table)).toBe('4')
  expect(said('What is the average of the delay per trip for 2019 and 2020?', table)).toBe('0.0055')
})

it('calculates mean and sum over the years that are named, or from the first to the last', () => {
  expect(said('What is the average of other sales from 2017 to 2019?', RESULTS)).toBe('266.67')
  expect(said('What is the average of other sales for 2018 and 2019?', RESULTS)).toBe('400')
  expect(said('What is the average of other sales for the 3 years?', RESULTS)).toBe('266.67')
  expect(said('What is the average of other sales for the two years?', RESULTS)).toBeUndefined()
  expect(said('What is the sum of other sales in 2018 and 2019?', RESULTS)).toBe('800')
})

it('a row that is called by the operation is read both ways', () => {
  expect(said('What are the total sales in 2018 and 2019?', RESULTS)).toBe(
    '2018: $1,500; 2019: $1,500; sum: $3,000',
  )
  expect(said('What are the total sales in 2018 and 2019, respectively?', RESULTS)).toBe(
    '2018: $1,500; 2019: $1,500',
  )
  expect(said('What was the average age of a bus in 2018 and 2019?', RESULTS)).toBe(
    '2018: 5.5; 2019: 4.5; mean: 5',
  )
})

it('of a row whose own name begins with the word for a sum each value is told', () => {
  const assets = tableOf(`
|  | 2019 | 2020 |
| Cash | 400 | 500 |
| Total assets | 1,000 | 1,200 |`)
  const each = '2019: 1,000; 2020: 1,200; sum: 2,200'
  expect(said('What were the total assets in 2019 and 2020?', assets)).toBe(each)
  expect(said('What were the total assets in 2019 and 2020, respectively?', assets)).toBe(
    '2019: 1,000; 2020: 1,200',
  )
  expect(said('What was the total cash in 2019 and 2020?', assets)).toBe('900')
  const summer = tableOf(`
|  | 2019 | 2020 |
| Summer tickets | 40 | 50 |
| Cash | 4 | 5 |`)
  expect(said('What is the sum of summer tickets in 2019 and 2020?', summer)).toBe('90')
  const both = tableOf(`
|  | 2018 | 2019 | 2020 |
| Assets | 1 | 2 | 3 |
| Total assets | 900 | 1,000 | 1,200 |`)
  expect(said('What were the total assets in 2019 and 2020?', both)).toBe(each)
  expect(said('What were the total assets from 2018 to 2020?', both)).toBe(
    '2018: 900; 2019: 1,000; 2020: 1,200; sum: 3,100',
  )
  expect(said('What is the sum of assets in 2019 and 2020?', both)).toBe('5')
})

it('calculates a share, a ratio and a difference of two rows', () => {
  expect(said('What percentage of total sales were other sales in 2019?', RESULTS)).toBe('20 %')
  expect(said('What are other sales as a percentage of total sales in 2018?', RESULTS)).toBe('33.33 %')
  expect(said('What is the ratio of ticket sales to other sales in 2019?', RESULTS)).toBe('4')
  expect(said('What was the difference between ticket sales and other sales in 2019?', RESULTS)).toBe('$900')
})

it('an amount is told as it is written, of the row that is called so', () => {
  const table = tableOf(`
|  | 2019 | 2018 |
| Moved from stock | (2,068) | 4,400 |
| Moved to stock | 713 | 900 |
| Less than 1 year | 5 | 6 |
| 1-3 years | 7 | 9 |`)
  expect(said('What was moved to stock in 2019?', table)).toBe('713')
  expect(said('What was moved from stock in 2019?', table)).toBe('(2,068)')
  expect(said('What is the difference between less than 1 year and 1-3 years in 2019?', table)).toBe('-2')
})

it('columns that have names are compared as well', () => {
  const table = tableOf(`
| Depot | Buses | Trams | Total |
| North | 12 | 4 | 16 |
| South | 20 | 6 | 26 |`)
  expect(said('What is the difference in buses between South and North?', table)).toBe('8')
  expect(said('What is the ratio of buses to trams in North?', table)).toBe('3')
})

it('tells the years of the most, and in bounds', () => {
  expect(said('In which year were ticket sales highest?', RESULTS)).toBe('2019')
  expect(said('In which year were total sales highest?', RESULTS)).toBeUndefined()
  expect(said('How many years did ticket sales exceed 900 thousand?', RESULTS)).toBe('2')
  // Of the table's thousands, or of dollars?
  expect(said('In which years did ticket sales exceed 900?', RESULTS)).toBeUndefined()
})

it.each([
  'What was the percentage change in ticket sales of Oslo from 2018 to 2019?',
  'What was the percentage change in sales from 2018 to 2019?',
  'What was the percentage change in ticket sales from 2016 to 2019?',
  'What was the percentage change in other sales from 2017 to 2018?',
  'What is the average of other sales from 2016 to 2019?',
  'What were the total sales from 2016 to 2019?',
  'What is the ratio of margin to ticket sales in 2019?',
  'Why did ticket sales increase from 2018 to 2019?',
  'What was the percentage change in energy from 2018 to 2019?',
])('states nothing where a word, a row, a year or a divisor is missing: %s', (question) => {
  expect(said(question, RESULTS)).toBeUndefined()
})

it('a name with other words between two that stand together in the question is another name', () => {
  const table = tableOf(`
|  | 2019 | 2018 |
| Total deferred tax assets | $1,112 | $1,219 |
| Net interest income | 70 | 60 |
| Net cash provided by operating activities | 25 | 20 |`)
  expect(said('What are the total assets in 2019?', table)).toBeUndefined()
  expect(said('What was the net income in 2019?', table)).toBeUndefined()
  expect(said('What was the net interest income in 2019?', table)).toBe('70')
  // In the question the words do not stand together either.
  expect(said('What was the net cash from operating activities in 2019?', table)).toBe('25')
})
