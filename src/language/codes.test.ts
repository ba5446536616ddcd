import { describe, expect, test } from 'vitest'
import { analyse } from './analyse.ts'

const exact = (text: string): string[] =>
  analyse(text, 'en').flatMap(({ term, kind }) => (kind === 'exact' ? [term] : []))
const all = (text: string): string[] => analyse(text, 'en').map(({ term }) => term)

describe('a code is one term, in groups or not', () => {
  test.each([
    ['the account DK50 0040 0440 1162 43 at the bank', 'DK5000400440116243'],
    ['GB33 BUKB 2020 1555 5555 55 on 12 May 2026', 'gb33bukb20201555555555'],
    ['to the account gb33bukb20201555555555', 'GB33 BUKB 2020 1555 5555 55'],
    ['Account 88 DK50 0040 0440 1162 43', 'DK5000400440116243'],
    ['ISBN 978-0-306-40615-7.', '9780306406157'],
    ['the book 9780306406157', 'ISBN 978 0 306 40615 7'],
    ['CAS 7647-14-5', '7647145'],
    ['tax number 133/8150/8159', '13381508159'],
    ['part KX 2203 118 of the pump', 'KX2203118'],
    ['part KX2203118 of the pump', 'KX 2203 118'],
    ['the model Z 450', 'Z450'],
    ['card 4000 1234 5678 9010', '4000-1234-5678-9010'],
  ])('%s: %s', (text, query) => {
    const terms = new Set(all(text))
    expect(
      exact(query)
        .concat(all(query))
        .some((term) => /\d{3}/.test(term) && terms.has(term)),
    ).toBe(true)
  })

  const PHONES = [
    '+49 (0)30 / 555 44-12',
    '+49 30 5554412',
    '0049 30 5554412',
    '030 555 44 12',
    '(030) 5554412',
    '0305554412',
  ]
  test.each(PHONES)('a phone number is found however it is dialled: %s', (phone) => {
    for (const other of PHONES)
      expect(exact(`Call ${phone} today.`)).toEqual(expect.arrayContaining(exact(other).slice(-1)))
  })

  test.each([
    ['a date', '2022-10-01 and 03.05.2026', ['2022-10-01', '03.05.2026']],
    ['a row of figures', '100 200 300 400 500 600', []],
    ['numbers of two sentences', 'It has 1234. 5678 are left', []],
    ['two cells of a table', '| 1234 | 56789 |', []],
    ['small numbers', '12 34 5', []],
  ])('%s is none', (_, text, terms) => {
    expect(exact(text)).toEqual(terms)
  })
})

test('emoji are terms', () => {
  expect(exact('launch 🚀, our family 👩‍👩‍👦 under the flag 🇸🇪 with love ❤️ ™ © 2026')).toEqual([
    '🚀',
    '👩‍👩‍👦',
    '🇸🇪',
    '❤',
  ])
})
