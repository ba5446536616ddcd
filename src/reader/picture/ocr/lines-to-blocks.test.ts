import { expect, test } from 'vitest'
import { blocksOfLines } from './lines-to-blocks.ts'
import type { Line } from './recognised.ts'

const line = (text: string, x0: number, y0: number, width = 400): Line => {
  const bbox = { x0, y0, x1: x0 + width, y1: y0 + 20 }
  return { text, bbox, words: [{ text, confidence: 90, bbox }] }
}

const texts = (lines: readonly Line[]): string[][][] =>
  blocksOfLines(lines).map(({ paragraphs }) =>
    paragraphs.map((paragraph) => paragraph.lines.map(({ text = '' }) => text)),
  )

test('a title, two columns below it and a line at the foot, given in any order', () => {
  const lines = [
    line('right 2', 500, 130),
    line('foot', 100, 300, 700),
    line('left 1', 50, 100),
    line('title', 100, 20, 700),
    line('left 2', 50, 130),
    line('right 1', 500, 100),
  ]
  expect(texts(lines)).toEqual([[['title']], [['left 1', 'left 2']], [['right 1', 'right 2']], [['foot']]])
})

test('a gap between lines begins a paragraph', () => {
  expect(texts([line('a', 0, 0), line('b', 0, 25), line('c', 0, 75)])).toEqual([[['a', 'b'], ['c']]])
})

test('nothing gives nothing', () => {
  expect(blocksOfLines([])).toEqual([])
  expect(blocksOfLines([{ words: [], bbox: { x0: 0, y0: 0, x1: 1, y1: 1 } }])).toEqual([])
})
