// Words of ink that was read as nothing: ten pixels a letter, twenty high.

import { expect, test } from 'vitest'
import type { LineWord } from '../engine.ts'
import type { Line, WordBox } from '../recognised.ts'
import { withMissedWords, withMissingLines } from './inserted-words.ts'

const boxOf = (text: string, x0: number, y0: number): WordBox => ({
  x0,
  y0,
  x1: x0 + text.length * 10,
  y1: y0 + 20,
})

function lineAt(y: number, ...words: [text: string, x: number][]): Line {
  return {
    words: words.map(([text, x]) => ({ text, confidence: 95, bbox: boxOf(text, x, y) })),
    bbox: { x0: words[0]?.[1] ?? 0, y0: y, x1: 900, y1: y + 20 },
  }
}

function read(text: string, x: number, y: number, confidence = 95): LineWord[] {
  const { x0, y0, x1, y1 } = boxOf(text, x, y)
  return [{ text, confidence, left: x0, top: y0, right: x1, bottom: y1 }]
}

const texts = (lines: readonly Line[]): string[] =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' '))

const rows = [lineAt(100, ['Paint', 50], ['12.00', 300], ['1,450', 700]), lineAt(140, ['Labour', 50])]

test('a figure that was not read is a line of its own, if it is level with another', () => {
  const added = [read('2,100', 500, 102), read('(300)', 300, 140), read('No', 500, 140)]
  expect(texts(withMissedWords(rows, added))).toEqual([...texts(rows), '2,100', '(300)', 'No'])
})

test('of many places a word is one of a cell too', () => {
  const many = Array.from({ length: 20 }, (_, i) => read(i === 0 ? 'None' : 'x', 500, 140 + i * 100))
  expect(texts(withMissedWords(rows, many))).toEqual([...texts(rows), 'None'])
  const far = many.map(([word]) => (word === undefined ? [] : [{ ...word, top: 4000, bottom: 4020 }]))
  expect(texts(withMissedWords(rows, far))).toEqual(texts(rows))
})

test('an unsure figure, a digit alone and one that stands by itself on the page are left', () => {
  const places = [read('2,100', 500, 102, 85), read('1', 500, 102), read('2024', 500, 400)]
  expect(texts(withMissedWords(rows, places))).toEqual(texts(rows))
})

test('a line of sure words is one wherever it stands', () => {
  expect(texts(withMissedWords(rows, [read('Prices', 50, 60)]))).toEqual([...texts(rows), 'Prices'])
  expect(texts(withMissedWords(rows, [read('Prices', 50, 60, 70)]))).toEqual(texts(rows))
})

test('what is read already stands there once: the frame around a stamp is ink without words', () => {
  expect(texts(withMissedWords(rows, [read('Labour', 48, 139)]))).toEqual(texts(rows))
})

test('sure lines of another reading stand where there are no words, without the signs beside them', () => {
  const sign = lineAt(60, ['Prices', 50], ['2026', 150], ['/N', 400])
  for (const word of sign.words.slice(2)) word.confidence = 20
  expect(texts(withMissingLines(rows, [sign, ...rows]))).toEqual([...texts(rows), 'Prices 2026'])
  const noise = lineAt(60, ['Pr', 50], ['jf', 150], ['Lw', 300])
  for (const word of noise.words.slice(1, 2)) word.confidence = 30
  expect(texts(withMissingLines(rows, [noise]))).toEqual(texts(rows))
})
