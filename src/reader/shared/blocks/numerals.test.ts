// Numbers of list items stay short, whatever number a file states.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numeral } from './numerals.ts'

const formats =
  'decimal lowerLetter upperLetter lowerRoman upperRoman decimalZero none ordinal hebrew1 decimalEnclosedCircle chineseCounting ideographDigital'

test('a number of any size is written in a few signs', () => {
  const number = fc.oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    fc.integer({ min: -5, max: 200 }),
  )
  fc.assert(
    fc.property(number, fc.constantFrom(...formats.split(' ')), (count, format) => {
      expect(numeral(count, format).length).toBeLessThanOrEqual(20)
    }),
  )
})

test('numbers as their formats write them', () => {
  expect([4, 1999].map((count) => numeral(count, 'lowerRoman'))).toEqual(['iv', 'mcmxcix'])
  // The rarest ones are decimals.
  expect(numeral(16, 'hebrew1')).toBe('16')
})
