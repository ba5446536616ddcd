// Which specks are looked at as figures, and what is believed of them.

import { expect, test } from 'vitest'
import type { BBox } from '../../block.ts'
import type { OcrBlock, Word } from '../ocr/recognised.ts'
import { agreedDigit, digitCandidates } from './single-digits.ts'

const wordAt = (text: string, x: number, y: number): Word =>
  ({ text, confidence: 95, bbox: { x0: x, y0: y, x1: x + 20 * text.length, y1: y + 30 } }) as Word

const pageOf = (...words: Word[]): OcrBlock[] =>
  words.map(
    (word) => ({ paragraphs: [{ lines: [{ words: [word], bbox: word.bbox }] }] }) as unknown as OcrBlock,
  )

const speck = (x: number, y: number): BBox => [x, y, x + 20, y + 30]

test('a speck behind words is looked at where a figure or two of its kind stand in its column', () => {
  const names = [wordAt('Rope', 0, 0), wordAt('Oil', 0, 50), wordAt('Paint', 0, 100)]
  const below = [speck(420, 50), speck(420, 100)]
  expect(digitCandidates(below, pageOf(...names, wordAt('12', 400, 0)), 30)).toEqual(below)
  const three = [speck(420, 0), ...below]
  expect(digitCandidates(three, pageOf(...names), 30)).toEqual(three)
  expect(digitCandidates(below, pageOf(...names), 30)).toEqual([])
  // Marks before their entries, dust beside no line, a drawing.
  const marks = [0, 50, 100].map((y) => speck(-60, y))
  expect(digitCandidates(marks, pageOf(...names), 30)).toEqual([])
  expect(digitCandidates([speck(420, 400)], pageOf(...names, wordAt('12', 400, 0)), 30)).toEqual([])
  const dots = Array.from({ length: 31 }, (_, i) => speck(420, 50 * i))
  const lines = dots.map(([, y]) => wordAt('Line', 0, y))
  expect(digitCandidates(dots, pageOf(...lines), 30)).toEqual([])
})

test('a digit is believed that two readings agree on; a box and a ring read as none', () => {
  const read = (text: string, confidence = 95) => [
    { text, confidence, left: 0, top: 0, right: 20, bottom: 30 },
  ]
  expect(agreedDigit([read('3'), read('3')])).toEqual(read('3'))
  for (const [one, other] of [
    [read('3'), read('8')],
    [read('3'), read('3', 80)],
    [read('0'), read('0')],
    [read('o'), read('o')],
    [read('3'), []],
    [[...read('3'), ...read('4')], read('3')],
  ])
    expect(agreedDigit([one ?? [], other ?? []])).toEqual([])
})
