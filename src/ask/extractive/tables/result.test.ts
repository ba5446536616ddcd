import { expect, test } from 'vitest'
import type { Language } from '../../../language/language.ts'
import { writtenLikeCells } from './result.ts'

test.each<[string, string[], string, Language, string]>([
  ['7.5', ['£4.00', '£3.50'], '£', 'en', '£7.50'],
  ['2590.5', ['1.250,50 EUR', '1.340,00 EUR'], 'EUR', 'de', '2.590,50 EUR'],
  ['12.25', ['4.5', '7.75'], '', 'en', '12.25'],
  ['8', ['3 h', '5 h'], 'h', 'en', '8 h'],
  ['1234567', ['1,000,000', '234,567'], '', 'en', '1,234,567'],
  ['3.67', ['4', '3', '4'], 'h', 'en', '3.67 h'],
  ['-7.5', ['$-4.00', '$3.50'], '$', 'en', '-$7.50'],
])('%s of %j, unit “%s”, in %s is written %s', (amount, cells, unit, language, expected) => {
  expect(writtenLikeCells(amount, { cells, unit, language })).toBe(expected)
})
