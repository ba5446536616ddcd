import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, foldWord, withoutAccents, words } from './words.ts'

// Each line: one word as it is written in two ways.
test.each([
  ['Greek capitals have no accents', 'ΑΘΗΝΑ', 'Αθήνα'],
  ['nor a final sigma', 'ΟΡΟΣ', 'όρος'],
  ['Greek with both marks', 'Μαΐου', 'ΜΑΪΟΥ'],
  ['Russian leaves out ё', 'ещё', 'еще'],
  ['a Russian stress mark', 'за\u0301мок', 'замок'],
  ['Romanian with commas and cedillas', 'ștință', 'ştinţă'],
  ['Arabic without vowels', 'كِتَابٌ', 'كتاب'],
  ['Arabic with a long line', 'كتـــاب', 'كتاب'],
  ['Arabic alef without hamza', 'أحمد', 'احمد'],
  ['Persian yeh and kaf', 'یک', 'يك'],
  ['Persian with a joiner', 'می\u200cخواهم', 'میخواهم'],
  ['Hebrew without vowels', 'שָׁלוֹם', 'שלום'],
  ['Hindi without dots below', 'काफ़ी', 'काफी'],
  ['a Hindi nasal as a letter or a dot', 'सम्बन्ध', 'संबंध'],
  ['Hindi with a moon', 'हाँ', 'हां'],
  ['Arabic digits', '٢٠٢٤', '2024'],
  ['Persian digits', '۲۰۲۴', '2024'],
  ['digits of Hindi, Thai and Bengali', '१२ ๑๒ ১২', '12 12 12'],
  ['a soft hyphen', 'Kündi\u00adgung', 'kündigung'],
])('%s: %s is %s', (_, one, other) => {
  expect(foldWord(one)).toBe(foldWord(other))
})

// Marks that make another letter or another word of it.
test.each([
  ['й', 'и'],
  ['ї', 'і'],
  ['が', 'か'],
  ['né', 'ne'],
  ['कि', 'क'],
  ['ณ', 'ญ'],
  ['한', '하'],
])('%s is not %s', (one, other) => {
  expect(foldWord(one)).not.toBe(foldWord(other))
})

test('Latin letters lose accents and strokes only where accents are removed', () => {
  expect(foldWord('Łódź')).toBe('łódź')
  expect(['łódź', 'tromsø', 'đắk', 'ısı'].map(withoutAccents)).toEqual(['lodz', 'tromso', 'dak', 'isi'])
})

test('folding a word again changes nothing, and ASCII is folded as elsewhere', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
      expect(foldWord(foldWord(text))).toBe(foldWord(text))
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), (text) => {
      expect(foldWord(text)).toBe(fold(text))
    }),
  )
})

// Marks in an order that few texts have.
test.each(['ё\u0301', 'е\u0301\u0308', 'е\u0308\u0300\u0308', 'е\u0300\u0308\u0301'])(
  'folding %s again changes nothing',
  (word) => {
    expect(foldWord(word)).toBe('е')
    expect(foldWord(foldWord(word))).toBe(foldWord(word))
  },
)

test('each script has ten digits, also where two rows of them stand beside each other', () => {
  const rows = (zero: number): string =>
    String.fromCodePoint(...Array.from({ length: 10 }, (_, n) => zero + n))
  // The second and third are digits since Unicode 16.
  const isKnown = (zero: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(zero))
  for (const zero of [0x660, 0x116d0, 0x116da, 0x1d7d8].filter(isKnown))
    expect(foldWord(rows(zero))).toBe('0123456789')
})

test('joiners and soft hyphens part no word', () => {
  expect([...words('می\u200cخواهم Kündi\u00adgung')].map(({ raw }) => raw)).toEqual([
    'می\u200cخواهم',
    'Kündi\u00adgung',
  ])
})
