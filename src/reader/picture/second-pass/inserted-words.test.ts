// Words of ink that was read as nothing: ten pixels a letter, twenty high.

import { expect, test } from 'vitest'
import type { LineWord } from '../ocr/engine.ts'
import type { Bbox, OcrBlock } from '../ocr/recognised.ts'
import { insertMissingLines, insertUnread } from './inserted-words.ts'

const boxOf = (text: string, x0: number, y0: number): Bbox => ({
  x0,
  y0,
  x1: x0 + text.length * 10,
  y1: y0 + 20,
})

/** A block of one line. */
function block(y: number, ...words: [text: string, x: number][]): OcrBlock {
  const line = {
    words: words.map(([text, x]) => ({ text, confidence: 95, bbox: boxOf(text, x, y) })),
    bbox: { x0: words[0]?.[1] ?? 0, y0: y, x1: 900, y1: y + 20 },
  }
  return { bbox: line.bbox, paragraphs: [{ bbox: line.bbox, lines: [line] }] } as unknown as OcrBlock
}

function read(text: string, x: number, y: number, confidence = 95): LineWord[] {
  const { x0, y0, x1, y1 } = boxOf(text, x, y)
  return [{ text, confidence, left: x0, top: y0, right: x1, bottom: y1 }]
}

const lines = (blocks: readonly OcrBlock[]): string[] =>
  blocks.map(({ paragraphs }) => paragraphs[0]?.lines[0]?.words.map(({ text }) => text).join(' ') ?? '')

const rows = [block(100, ['Paint', 50], ['12.00', 300], ['1,450', 700]), block(140, ['Labour', 50])]

test('a figure that was not read is of the line it is level with, at its place', () => {
  expect(
    lines(insertUnread(rows, [read('2,100', 500, 102), read('(300)', 300, 140), read('No', 500, 140)])),
  ).toEqual(['Paint 12.00 2,100 1,450', 'Labour (300) No'])
})

test('of many places a word is one of a cell too', () => {
  const many = Array.from({ length: 20 }, (_, i) => read(i === 0 ? 'None' : 'x', 500, 140 + i * 100))
  expect(lines(insertUnread(rows, many))).toEqual([lines(rows)[0], 'Labour None'])
  expect(lines(insertUnread(rows, many.slice(0, 1)))).toContain('None')
})

test('an unsure figure, a digit alone and one that stands by itself on the page are left', () => {
  const places = [read('2,100', 500, 102, 85), read('1', 500, 102), read('2024', 500, 400)]
  expect(lines(insertUnread(rows, places))).toEqual(lines(rows))
})

test('a line of sure words is a block of its own, before what stands below it', () => {
  expect(lines(insertUnread(rows, [read('Prices', 50, 60)]))).toEqual(['Prices', ...lines(rows)])
  expect(lines(insertUnread(rows, [read('Prices', 50, 60, 70)]))).toEqual(lines(rows))
})

test('what is read already stands there once: the frame around a stamp is ink without words', () => {
  expect(lines(insertUnread(rows, [read('Labour', 48, 139)]))).toEqual(lines(rows))
})

test('sure lines of another reading stand where there are no words, without the signs beside them', () => {
  const sign = block(60, ['Prices', 50], ['2026', 150], ['/N', 400])
  for (const word of sign.paragraphs[0]?.lines[0]?.words.slice(2) ?? []) word.confidence = 20
  expect(lines(insertMissingLines(rows, [sign, ...rows]))).toEqual(['Prices 2026', ...lines(rows)])
  const noise = block(60, ['Pr', 50], ['jf', 150], ['Lw', 300])
  for (const word of noise.paragraphs[0]?.lines[0]?.words.slice(1, 2) ?? []) word.confidence = 30
  expect(lines(insertMissingLines(rows, [noise]))).toEqual(lines(rows))
})
