// Two tables that the layout pass took for one, on words put at places.

import type { TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { findTables } from './find-tables.ts'
import { gridBlock } from './grid.ts'

/** A text of one word in letters of 5 points, 11 points high. */
const word = (text: string, x: number, y: number): TextItem => {
  const width = text.length * 5
  return { text, x, y, width, height: 11, words: [{ text, x, y, width, height: 11 }] }
}

const at = (xs: readonly number[], y: number, cells: readonly string[]): TextItem[] =>
  cells.flatMap((text, c) => (text === '' ? [] : [word(text, xs[c] ?? 0, y)]))

test('a text with a blank line above and below parts tables whose columns do not agree', () => {
  const readings = [62, 159, 218, 271, 310]
  const sums = [62, 242, 298, 394]
  const textItems = [
    ...at(readings, 147, ['Meter', 'Before', 'Now', 'Units', 'Type']),
    ...at(readings, 164, ['E14-day', '48120', '48963', '843', 'read']),
    ...at(readings, 180, ['E14-night', '20117', '20480', '363', 'read']),
    word('Costs', 57, 207),
    ...at(sums, 234, ['Name', 'Counted', 'At', 'Sum']),
    ...at(sums, 250, ['Units', '1,206-kWh', '28.41', '390.39']),
    ...at(sums, 267, ['Standing', '92-days', '53.60', '49.31']),
    ...at(sums, 283, ['Subtotal', '', '', '439.70']),
    ...at(sums, 300, ['Tax', '', '', '21.99']),
  ]
  const page = { pageNum: 1, width: 612, height: 792, text: '', markdown: '', textItems }
  expect(
    findTables(page, [[57, 147, 438, 312]]).map((table) => gridBlock(table)?.text.split('\n').at(-1)),
  ).toEqual(['| E14-night | 20117 | 20480 | 363 | read |', '| Tax |  |  | 21.99 |'])
})

test('entries with one sign each are no table', () => {
  const textItems = ['harbour', 'ledger', 'copper', 'meadow'].flatMap((text, i) => [
    word('\u201e', 60, 100 + i * 16),
    word(text, 90, 100 + i * 16),
  ])
  const page = { pageNum: 1, width: 612, height: 792, text: '', markdown: '', textItems }
  expect(findTables(page, [[55, 95, 140, 165]])).toEqual([])
})
