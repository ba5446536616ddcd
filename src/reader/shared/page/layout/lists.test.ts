// Lists on real PDFs: entries with their marks, text before and after them.

import { expect, test } from 'vitest'
import type { BBox } from '../../../block.ts'
import { listCuts, withLists } from './lists.ts'

test('lines before bullets are text of their own', () => {
  const text = 'Market research\nWho keeps the gauges\n● The pier\n● The basin'
  const bbox: BBox = [50, 100, 300, 160]
  expect(withLists({ kind: 'paragraph', text, bbox })).toEqual([
    { kind: 'paragraph', text: 'Market research\nWho keeps the gauges', bbox },
    { kind: 'list', text: '- The pier\n- The basin', bbox },
  ])
})

test('one line with a dash, or dashes at different places, are no list', () => {
  const line = (text: string, x: number, i: number) => ({
    text,
    bbox: [x, i * 12, 300, i * 12 + 10] as [number, number, number, number],
  })
  expect(listCuts([line('the year', 72, 0), line('- or less', 72, 1)])).toEqual([])
  expect(listCuts([line('- 12.4', 72, 0), line('- 7.1', 140, 1)])).toEqual([])
  expect(listCuts([line('As told:', 72, 0), line('- one', 80, 1), line('- two', 80, 2)])).toEqual([1, 2])
})
