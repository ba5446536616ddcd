// Words that nobody knows, as two readings of each alone have them, and words that their form tells.

import { expect, test } from 'vitest'
import type { LineWord } from '../ocr/engine.ts'
import type { Line, Word } from '../ocr/recognised.ts'
import { correctConfusions, correctUnit } from './confusable-characters.ts'
import { isSuspect, resolveWord } from './unknown-words.ts'
import { addWords, vocabularyOf } from './vocabulary.ts'

const known = vocabularyOf(new Set(['Quill', 'QX-CNN', 'CNN', 'QX', 'lp']))

/** "word" is sure, "word(12)" has that confidence. */
const words = (text: string): Word[] =>
  text.split(' ').map((part, i) => {
    const [, word = '', confidence = '95'] = /^(.+?)(?:\((\d+)\))?$/.exec(part) ?? []
    const bbox = { x0: i * 100, y0: 0, x1: i * 100 + 90, y1: 20 }
    return { text: word, confidence: Number(confidence), bbox } as Word
  })
const word = (text: string): Word => words(text)[0] as Word
const read = (text: string): LineWord[] => words(text) as unknown as LineWord[]
const settled = (before: string, one: string, other = one): string =>
  resolveWord(word(before), [read(one), read(other)], known)
    .map(({ text }) => text)
    .join(' ')
const formed = (text: string): string =>
  correctConfusions({ words: words(text) } as Line, known)
    .words.map((one) => one.text)
    .join(' ')

test('a word nobody knows becomes the known one that both readings of it alone have', () => {
  expect(settled('midiine(84)', 'midline(30)', 'midline(60)')).toBe('midline')
  expect(settled('QX-CNX(62)', 'QX-CNN')).toBe('QX-CNN')
  expect(settled('//example.con/Quill(50)', '//example.com/Quill')).toBe('//example.com/Quill')
  expect(settled('mU/L(30)', 'mIU/L')).toBe('mIU/L')
  expect(settled('achartiof(53)', 'a chart of')).toBe('a chart of')
  expect(settled('(¢)(40)', '(c)')).toBe('(c)')
  expect(settled('QUILL)](65)', 'QUILL]')).toBe('QUILL]')
})

test('it stays where the readings differ, where what they say is no more known, and where letters would be lost', () => {
  expect(settled('midiine(84)', 'midline', 'midlive')).toBe('midiine')
  expect(settled('Quiil(80)', 'Qwiil')).toBe('Quiil')
  expect(settled('Quiil(80)', 'Qu')).toBe('Quiil')
  expect(settled('Quill*,(80)', 'Quill",')).toBe('Quill*,')
  expect(settled('oe(40)', '')).toBe('oe')
  expect(settled('CF(49)', 'OF')).toBe('CF')
})

test('figures stay as they are', () => {
  expect(settled('13,x(57)', 'ny,x')).toBe('13,x')
  expect(settled('[31]st(50)', '(81)st')).toBe('[31]st')
})

test('signs at its ends stay where one of the readings has them', () => {
  expect(settled('Moder](59)', 'Model|', "Model'|")).toBe('Model')
  expect(settled('lq.Quill(65)', 'lp.Quill (', 'lp.Quill(')).toBe('lp.Quill')
})

test('words are looked at that nobody knows, sure ones where the picture ends', () => {
  const isLooked = (text: string, atEdge = false): boolean => isSuspect(word(text), known, atEdge)
  expect(['midiine(84)', '(¢)(40)', 'mU/L(30)'].map((text) => isLooked(text))).toEqual([true, true, true])
  expect(
    ['midiine(95)', 'model(40)', '3.5(40)', 'Quill(40)', 'mg/dL(70)'].map((text) => isLooked(text)),
  ).toEqual(Array(5).fill(false))
  expect(isLooked('vou(95)', true)).toBe(true)
})

test('the page knows what it surely says', () => {
  const written = new Set<string>()
  addWords(written, { words: words('Zorblat Quiil(80)') } as Line)
  expect([...written]).toEqual(['Zorblat'])
})

test('a unit behind a figure with one stroke read otherwise', () => {
  expect(formed('2.4 mlU/L')).toBe('2.4 mIU/L')
  expect(formed('0.4-4.0 miU/L')).toBe('0.4-4.0 mIU/L')
  expect(formed('70-100 mgidL')).toBe('70-100 mg/dL')
  expect(formed('2.4 miu/L')).toBe('2.4 mIU/L')
  expect(correctUnit('12mlU/L')).toBe('12mIU/L')
  for (const text of ['2.4 mU/L', 'of mlU/L', '82 mL/min', '5 ill', '5 miles'])
    expect(formed(text)).toBe(text)
})

test('Roman numerals that are not sure', () => {
  expect(formed('nerves |I-XIl(37) intact')).toBe('nerves II-XII intact')
  expect(formed('Type Il(70) and Rect VIl(60)')).toBe('Type II and Rect VII')
  expect(formed('size Xl ill(40) | I(40)')).toBe('size Xl ill | I')
})

test('a page and how many there are; a scheme of an address', () => {
  expect(formed('Page 30f(84) 3')).toBe('Page 3 of 3')
  expect(formed('Page 10of(84) 3')).toBe('Page 1 of 3')
  expect(formed('Page 10of(84) 12')).toBe('Page 10 of 12')
  expect(formed('Page 9of(84) 3')).toBe('Page 9of 3')
  expect(formed('was 30f(84) 3')).toBe('was 30f 3')
  expect(formed('name 1p://x/y(74) and https: //example.com')).toBe('name lp://x/y and https://example.com')
})
