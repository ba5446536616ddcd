// Lists on real PDFs: entries with their marks, text before and after them.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { makePdf, type PdfText, prose } from '../../../../test/support/files/pdf.ts'
import { entryEdges, withLists } from './lists.ts'

const at = (x: number, y: number, text: string): PdfText => ({ x, y, text })

test('entries marked by stars are a list, what wraps stays in its entry, what follows is text', async () => {
  const page = [
    ...prose(Array(3).fill('The gauges of the northern harbours are read each hour by their keepers.'), 740),
    at(90, 680, '* The pier of the north, with its gauge and the keeper who'),
    at(100, 667, 'reads it each day of the year'),
    at(90, 654, '* The basin'),
    at(90, 641, '* The lock and its two gates'),
    at(72, 628, 'All of them are kept by the office of the harbour, whose seat is in the old town.'),
  ]
  const { blocks } = await parseBytes('pdf', makePdf([page]))
  expect(blocks.slice(1).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'list: - The pier of the north, with its gauge and the keeper who reads it each day of the year\n- The basin\n- The lock and its two gates',
    'paragraph: All of them are kept by the office of the harbour, whose seat is in the old town.',
  ])
})

test('lines before bullets are text of their own', () => {
  const text = 'Market research\nWho keeps the gauges\n● The pier\n● The basin'
  expect(withLists({ kind: 'paragraph', text, page: 1 })).toEqual([
    { kind: 'paragraph', text: 'Market research\nWho keeps the gauges', page: 1 },
    { kind: 'list', text: '- The pier\n- The basin', page: 1 },
  ])
})

test('one line with a dash, or dashes at different places, are no list', () => {
  const line = (text: string, x: number, i: number) => ({
    text,
    bbox: [x, i * 12, 300, i * 12 + 10] as [number, number, number, number],
  })
  expect(entryEdges([line('the year', 72, 0), line('- or less', 72, 1)])).toEqual([])
  expect(entryEdges([line('- 12.4', 72, 0), line('- 7.1', 140, 1)])).toEqual([])
  expect(entryEdges([line('As told:', 72, 0), line('- one', 80, 1), line('- two', 80, 2)])).toEqual([1, 2])
})
