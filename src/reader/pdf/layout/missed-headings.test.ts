import type { TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import type { BBox, Block } from '../../block.ts'
import { withSameType } from './missed-headings.ts'

const item = (text: string, y: number, fontName: string): TextItem => {
  const place = { x: 20, y, width: text.length * 5, height: 10 }
  return { text, ...place, fontName, words: [{ text, ...place }] }
}
const blockOf = (kind: Block['kind'], items: readonly TextItem[]): Block => {
  const bbox: BBox = [20, items[0]?.y ?? 0, 300, (items.at(-1)?.y ?? 0) + 10]
  return { kind, text: items.map(({ text }) => text).join('\n'), page: 1, bbox }
}

const named = item('Other terms', 200, 'ABCDEF+Gothic780')
const lost = [
  item('Terms of service', 100, 'GHIJKL+Gothic780'),
  item('From the first day to the last', 112, 'ABCDEF+Gothic740'),
]
const heading: Block = { ...blockOf('heading', [named]), level: 2 }

test('a lost line in the type of the page’s headings is one of them, what follows it is text', () => {
  const read = withSameType([blockOf('paragraph', lost)], [heading], [named, ...lost])
  expect(read.map(({ kind, level, text }) => [kind, level, text])).toEqual([
    ['heading', 2, 'Terms of service'],
    ['paragraph', undefined, 'From the first day to the last'],
  ])
})

test('where sentences are set in that type it says nothing', () => {
  const sentence = item('They are sent by the first of the month.', 300, 'ABCDEF+Gothic780')
  const block = blockOf('paragraph', lost)
  expect(withSameType([block], [heading], [named, ...lost, sentence])).toEqual([block])
})
