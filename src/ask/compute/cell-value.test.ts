import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Language } from '../../language/language.ts'
import { isoDate, notationOf, readValue } from './cell-value.ts'

const read = (cell: string, language: Language = 'en', column: string[] = [cell]): string | undefined => {
  const value = readValue(cell, notationOf(column, column, language))
  if (!value) return undefined
  return value.kind === 'date' ? isoDate(value.day) : `${value.amount.toFixed()} ${value.unit}`.trim()
}

describe('numbers', () => {
  it.each<[string, Language, string | undefined]>([
    ['1,234', 'en', '1234'],
    ['1,234', 'de', '1.234'],
    ['1.234', 'de', '1234'],
    ['1.234', 'en', '1.234'],
    ['1.234,56', 'en', '1234.56'],
    ['1,234.56', 'de', '1234.56'],
    ['1 234,5', 'fr', '1234.5'],
    ['1\u202f234\u00a0567', 'fr', '1234567'],
    ['1’234.50', 'de', '1234.5'],
    ['1,23,45,678', 'en', '12345678'],
    ['.5', 'en', '0.5'],
    ['1.234.567', 'en', '1234567'],
    ['£38,400', 'en', '38400 £'],
    ['€14.50', 'en', '14.5 €'],
    ['14,50 €', 'de', '14.5 €'],
    ['EUR 14.50', 'en', '14.5 €'],
    ['US$3.5M', 'en', '3500000 $'],
    ['$2.1bn', 'en', '2100000000 $'],
    ['3,2 Mio. €', 'de', '3200000 €'],
    ["3 millions d'euros", 'fr', '3000000 €'],
    ['5 m', 'en', '5 m'],
    ['12.5 %', 'en', '12.5 %'],
    ['12 percent', 'en', '12 %'],
    ['(1,234)', 'en', '-1234'],
    ['$(1,234)', 'en', '-1234 $'],
    ['(3.2)%', 'en', '-3.2 %'],
    ['−5', 'en', '-5'],
    ['-€5', 'en', '-5 €'],
    ['1,234-', 'en', '-1234'],
    ['12 kg', 'en', '12 kg'],
    ['3.5 m²', 'en', '3.5 m²'],
    ['20 °C', 'en', '20 °C'],
    ['€14.50 per metre', 'en', '14.5 € per metre'],
    ['1,234¹', 'en', '1234'],
    ['2,557.2⁸', 'en', '2557.2'],
    ['€1,250.00¹', 'en', '1250 €'],
    ['12.34¹²', 'en', '12.34'],
    ['(2,557.2)⁸', 'en', '-2557.2'],
    ['12.5 %²', 'en', '12.5 %'],
    ['1.250,00 €³', 'de', '1250 €'],
    ['1,234 [a]', 'en', '1234'],
    ['1,234*', 'en', '1234'],
    ['１２３', 'xx', '123'],
  ])('%s in %s is %s', (cell, language, expected) => {
    expect(read(cell, language)).toBe(expected)
  })

  it.each([
    '',
    '–',
    'n/a',
    'MF-204',
    'No. 5',
    '~10',
    '<5',
    '3 to 7',
    '3–7',
    '1/2',
    '10:30',
    '4.1.2',
    '12,34,5',
    '5 people were hurt in it',
    '10²',
    '10⁶',
    '2.5 × 10⁶',
    '$9⁹⁹',
    '1,299⁰⁰',
    '9⁹⁹ €',
    '1,250² €',
    'approx. 5',
    'A5',
    '1.2.3.4',
    '9'.repeat(31),
    '1,234.5.6',
    '3 (of 5)',
  ])('%j is no clear number', (cell) => {
    expect(read(cell)).toBeUndefined()
  })

  it('prefers the notation of the column to that of the language', () => {
    expect(read('1.234', 'en', ['1.234', '12,5'])).toBe('1234')
    expect(read('1,234', 'de', ['1,234', '0.75'])).toBe('1234')
  })

  it('reads back what a language writes', () => {
    const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'fi', 'ru'] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...languages),
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.integer({ min: 0, max: 3 }),
        (language, cents, digits) => {
          const shown = (cents / 10 ** digits).toLocaleString(language, {
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
            useGrouping: 'always',
          } as Intl.NumberFormatOptions)
          expect(Number(read(shown, language))).toBe(Number((cents / 10 ** digits).toFixed(digits)) + 0)
        },
      ),
    )
  })

  it('never throws, whatever a cell holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789.,-–()€$%kgM² [a]'), maxLength: 60 }),
        (cell) => void read(cell),
      ),
    )
  })
})

describe('dates', () => {
  it.each<[string, Language, string | undefined]>([
    ['2024-03-01', 'en', '2024-03-01'],
    ['2024-03-01T10:00:00Z', 'en', '2024-03-01'],
    ['1.3.2024', 'de', '2024-03-01'],
    ['01.03.24', 'de', '2024-03-01'],
    ['1 March 2024', 'en', '2024-03-01'],
    ['March 1, 2024', 'en', '2024-03-01'],
    ['Mar 1st, 2024', 'en', '2024-03-01'],
    ['1. März 2024', 'de', '2024-03-01'],
    ['1er mars 2024', 'fr', '2024-03-01'],
    ['1 de marzo de 2024', 'es', '2024-03-01'],
    ['1 марта 2024', 'ru', '2024-03-01'],
    ['25/12/2024', 'en', '2024-12-25'],
    ['12/25/2024', 'en', '2024-12-25'],
    ['03/03/2024', 'en', '2024-03-03'],
    ['03/04/2024', 'fr', '2024-04-03'],
    ['03/04/2024', 'en', undefined],
    ['31/04/2024', 'fr', undefined],
    ['30.02.2024', 'de', undefined],
  ])('%s in %s is %s', (cell, language, expected) => {
    expect(read(cell, language)).toBe(expected)
  })

  it('tells day from month by the other dates of the column', () => {
    expect(read('03/04/2024', 'en', ['03/04/2024', '25/04/2024'])).toBe('2024-04-03')
    expect(read('03/04/2024', 'en', ['03/04/2024', '04/25/2024'])).toBe('2024-03-04')
  })
})
