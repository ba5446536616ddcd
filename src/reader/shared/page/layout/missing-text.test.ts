// Lines that the layout pass left out: which of them run on, and which are rows.

import { expect, test } from 'vitest'
import { missingBlocks } from './missing-text.ts'

const item = (text: string, y: number) => ({ text, x: 20, y, width: text.length * 5, height: 10 })

const texts = (...lines: string[]): string[] =>
  missingBlocks(
    lines.map((line, i) => item(line, 100 + i * 11)),
    1,
  ).flatMap(({ text }) => text.split('\n'))

test('a line runs on in capitals or figures where its first word had no room above', () => {
  const [first, second] = [
    'The sales of the harbour grew in the year to December',
    '31, 2022, by as much as they did before.',
  ]
  expect(texts(first, second)).toEqual([`${first} ${second}`])
  const notes = [
    '(a) Gauges that are read by their keepers, by day and by night.',
    '(b) Gauges that nobody reads.',
  ]
  expect(texts(...notes)).toEqual(notes)
})

test('nothing runs into a row, which ends early and in no sentence’s end', () => {
  const rows = ['Repairs of the piers and of the locks beside them', 'Wages of the keepers', 'Ships']
  expect(texts(...rows)).toEqual(rows)
})

test('the longest of rows does not run into the next one', () => {
  const rows = [
    'Cost of the harbour, including:',
    'Wages of the keepers',
    'Repairs of the piers and of the locks beside them, and rents',
    'Freight of the stones that the piers are built of',
    'Ropes and chains',
    'Lamps',
    'Oil',
  ]
  expect(texts(...rows)).toEqual(rows)
})

test('a word that the end of a line broke is whole again', () => {
  expect(
    texts('The sales of the harbour grew in the year by its meas-', 'ures, as much as they did before.'),
  ).toEqual(['The sales of the harbour grew in the year by its measures, as much as they did before.'])
})
