import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { analyse } from './analyse.ts'
import { contentWordsIn, piecesOf, wordsOf } from './unspaced.ts'

const termsOf = (text: string, language: 'zh' | 'ja' | 'th'): Set<string> =>
  new Set(analyse(text, language).map(({ term }) => term))

test.each([
  ['这台泵有BX的24个接口', 'zh', ['bx', '24', '接口']],
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

// A dictionary knows more words from one version to the next.
const meantOf = (text: string, language: 'zh' | 'ja'): string => [...contentWordsIn(text, language)].join(' ')

// A small ICU has none.
const hasDictionary =
  [...new Intl.Segmenter('zh', { granularity: 'word' }).segment('港口起重机')][0]?.segment === '港口'

test.skipIf(!hasDictionary)('of a Chinese question the words that carry meaning', () => {
  const meant = meantOf('港口的起重机可以提升多少吨', 'zh')
  expect(meant).toContain('港口')
  expect(meant).not.toMatch(/的|多少/)
})

test.each([
  ['猫とは何ですか', 'ja', '猫'],
  ['犬の料金はいくらですか', 'ja', '犬の'],
  ['水是什么', 'zh', '水'],
  ['泵的价格是多少', 'zh', '泵的'],
  ['哪里有水', 'zh', '水'],
  ['猫', 'ja', '猫'],
] as const)(
  '%s: a character that is all of a question or says whose it is carries meaning',
  (text, language, one) => {
    expect(meantOf(text, language)).toContain(one)
  },
)

test.skipIf(!hasDictionary)('a character behind a word is its ending and no word', () => {
  expect(meantOf('港口区的水泵多少钱', 'zh')).not.toContain('区的')
})

test('a dictionary is given long runs in slices, between characters, and no letter is lost', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
  const text = 'ที่จอดเรือ'.repeat(1000)
  const parted = wordsOf(text)
  const slices = segment.mock.calls.map(([slice]) => slice ?? '')
  segment.mockRestore()
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(3000)
  expect(slices.filter((slice) => /^\p{M}/u.test(slice))).toEqual([])
  expect(parted.join('')).toBe(text)
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
