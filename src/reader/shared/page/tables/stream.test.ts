// Tables and lists without rules, on words put at places.

import type { TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { findTables } from './find-tables.ts'

/** A text of one word in letters of 5 points, 11 points high. */
const word = (text: string, x: number, y: number): TextItem => {
  const width = text.length * 5
  return { text, x, y, width, height: 11, words: [{ text, x, y, width, height: 11 }] }
}

test('entries with one sign each are no table', () => {
  const textItems = ['harbour', 'ledger', 'copper', 'meadow'].flatMap((text, i) => [
    word('\u201e', 60, 100 + i * 16),
    word(text, 90, 100 + i * 16),
  ])
  const page = { pageNum: 1, width: 612, height: 792, text: '', markdown: '', textItems }
  expect(findTables(page, [[55, 95, 140, 165]])).toEqual([])
})
