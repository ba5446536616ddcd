import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import { meantIn, piecesOf } from './unspaced.ts'

const termsOf = (text: string, language: 'zh' | 'ja' | 'th'): Set<string> =>
  new Set(analyse(text, language).map(({ term }) => term))

test.each([
  ['他是NFL的24次冠军', 'zh', ['nfl', '24', '冠军']],
  ['契約は2024年3月に終了', 'ja', ['2024', '3', '契約']],
  ['รุ่นBR-1102ราคา500บาท', 'th', ['br1102', '500']],
] as const)('numbers, codes and Latin names inside %s are words', (text, language, expected) => {
  expect(expected.filter((term) => !termsOf(text, language).has(term))).toEqual([])
})

test('Thai is parted by a dictionary, and its function words are left out', () => {
  const terms = termsOf('สัญญาเช่าของผู้เช่าเริ่มวันที่หนึ่งเมษายน', 'th')
  expect(terms.has('สัญญา')).toBe(true)
  expect(terms.has('ของ')).toBe(false)
})

test('of a Chinese question the words that carry meaning', () => {
  expect([...meantIn('黑豹队的防守丢了多少分', 'zh')]).toEqual(['黑豹队', '防守'])
  expect([...meantIn('纽卡斯尔的第一个室内市场是何时开放的', 'zh')]).toContain('室内')
})

test('pieces have all letters and digits of a word, in order', () => {
  const letters = fc.constantFrom('黑', '豹', 'か', 'ナ', 'ー', '한', 'ก', 'า', 'ຣ', 'A', 'b', '1', '-', '.')
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 20 }), (all) => {
      const plain = (text: string): string => text.replace(/[-.]/g, '')
      const raw = all.join('')
      const pieces = [...piecesOf(raw)].filter(({ kind }) => kind !== 'parted run')
      expect(plain(pieces.map((piece) => piece.raw).join(''))).toBe(plain(raw))
    }),
  )
})
