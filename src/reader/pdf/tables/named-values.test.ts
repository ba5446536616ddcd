// Names with their values beside an address, and what only looks so, on words put at places.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { findTables } from './find-tables.ts'
import { gridBlock } from './grid.ts'

/** A run of text in letters of 5 points, 10 points high, with its words. */
function item(text: string, x: number, y: number): TextItem {
  let at = 0
  const words = text.split(' ').map((word) => {
    const box = { text: word, x: x + at * 5, y, width: word.length * 5, height: 10 }
    at += word.length + 0.5
    return box
  })
  return { text, x, y, width: (at - 0.5) * 5, height: 10, words }
}

const column = (texts: readonly string[], x: number, top: number, pitch: number): TextItem[] =>
  texts.map((text, i) => item(text, x, top + i * pitch))

function tablesOf(textItems: TextItem[]): (string | undefined)[] {
  const page: ParsedPage = { pageNum: 1, width: 612, height: 792, text: '', markdown: '', textItems }
  return findTables(page, []).map((table) => gridBlock(table)?.text)
}

test('number, date and account at the head of an invoice are a table, the address beside them none', () => {
  const items = [
    ...column(['Harbour office', 'A. Fernsby', 'Mole 7', '88131 Northport'], 72, 60, 14),
    ...column(['Invoice no.', 'Account', 'Date', 'Asked by'], 320, 61, 20),
    ...column(['2031-0447', 'K-20918', '3 March 2031', 'the keeper of'], 420, 61, 20),
    item('the northern pier', 420, 133),
  ]
  expect(tablesOf(items)).toEqual([
    '| Invoice no. | 2031-0447 |\n| --- | --- |\n| Account | K-20918 |\n| Date | 3 March 2031 |\n' +
      '| Asked by | the keeper of the northern pier |',
  ])
})

test('values on one right edge are values too', () => {
  const items = [
    ...column(['For', 'Against', 'Abstained'], 72, 60, 12),
    ...['901,248', '1,110,102', '8,796'].map((text, i) => item(text, 500 - text.length * 5, 60 + i * 12)),
  ]
  expect(tablesOf(items)).toEqual([
    '| For | 901,248 |\n| --- | --- |\n| Against | 1,110,102 |\n| Abstained | 8,796 |',
  ])
})

test('two addresses beside each other are no table', () => {
  const items = [
    ...column(['Harbour office', 'Mole 7', '88131 Northport', 'Old country'], 72, 60, 14),
    ...column(['A. Fernsby', 'Hill lane 12', '88140 Southport', 'Old country'], 320, 60, 14),
  ]
  expect(tablesOf(items)).toEqual([])
})
