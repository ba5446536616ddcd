// Accents as TeX draws them: apart from their letters, before or over them.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { withDrawnAccents } from './accents.ts'

const item = (text: string, fontName = 'Times-Roman'): TextItem => ({
  text,
  x: 70,
  y: 100,
  width: text.length * 5,
  height: 10,
  fontName,
})

const pageOf = (textItems: TextItem[]): ParsedPage => ({
  pageNum: 1,
  width: 600,
  height: 800,
  markdown: '',
  text: '',
  textItems,
  blocks: textItems.map(({ text }) => ({ kind: 'paragraph', text })),
})

const read = (...items: TextItem[]): (string | undefined)[] =>
  withDrawnAccents(pageOf(items)).blocks?.map(({ text }) => text) ?? []

test('an accent before its letter is on it', () => {
  expect(read(item('Der M¨uller, Dvoˇr´ak und Garc´ıa in S˜ao Paulo'))).toEqual([
    'Der Müller, Dvořák und García in São Paulo',
  ])
  expect(read(item('¨Uber d´ej`a vu', 'ABCDEF+CMR10'))).toEqual(['Über déjà vu'])
})

test('what is no accent stays: apostrophes, quotation marks, the tilde of an address', () => {
  const plain = ['it´s l´eau', 'run `apples` or a`b', 'example.org/˜anna', '5 ˆ 3, ¨ and ˚C']
  for (const text of plain) expect(read(item(text))).toEqual([text])
  expect(read(item('it´s M¨uller', 'CMR10'))).toEqual(['it´s Müller'])
})

test('an accent that came as a word of its own is on the letter below it', () => {
  const words = [
    { text: 'Barlas', x: 251, y: 107, width: 33, height: 11 },
    { text: 'Oguz', x: 287.4, y: 107, width: 27.2, height: 11 },
    { text: '˘', x: 297.7, y: 107, width: 4, height: 11 },
  ]
  const page = withDrawnAccents(pageOf([{ ...item('Barlas Oguz ˘'), words }]))
  expect(page.blocks?.[0]?.text).toBe('Barlas Oğuz')
  expect(page.textItems[0]?.words?.map(({ text }) => text)).toEqual(['Barlas', 'Oğuz'])
})
