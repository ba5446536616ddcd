import { expect, test } from 'vitest'
import { Decimal } from './cell-value.ts'
import { inUnit } from './units.ts'

const converted = (amount: number, from: string, to: string): string | undefined =>
  inUnit(new Decimal(amount), from, to)?.toFixed()

test('Units of one dimension are converted exactly', () => {
  expect(converted(20, 'g', 'kg')).toBe('0.02')
  expect(converted(2, 'tonnes', 'kg')).toBe('2000')
  expect(converted(1.5, 'Stunden', 'min')).toBe('90')
  expect(converted(2, 'weeks', 'Tage')).toBe('14')
})

test('Units of two dimensions are not', () => {
  expect(converted(5, 'm', 'min')).toBeUndefined()
  expect(converted(5, 'Mg', 'kg')).toBeUndefined()
  expect(converted(5, 'm²', 'm')).toBeUndefined()
})
