import { expect, test } from 'vitest'
import { compareValues, valuesIn } from './values.ts'

const contentsOf = (text: string, language: 'en' | 'de' = 'en'): unknown[] =>
  valuesIn(text, language).map(({ content }) => content)

test('reads amounts with their units, bounds and scales', () => {
  expect(contentsOf('up to £250')).toMatchObject([{ amount: 250, unit: '£', bound: 'most' }])
  expect(contentsOf('at least six months')).toMatchObject([{ amount: 6, unit: 'months', bound: 'least' }])
  expect(contentsOf('11,9 % von 1.284.000 Euro', 'de')).toMatchObject([
    { amount: 11.9, unit: '%' },
    { amount: 1_284_000, unit: '€' },
  ])
  expect(contentsOf('£1.28 million')).toMatchObject([{ amount: 1_280_000, unit: '£' }])
  expect(contentsOf('It costs CHF 40.')).toMatchObject([{ amount: 40, unit: 'CHF' }])
  expect(contentsOf('three working days')).toMatchObject([{ amount: 3, unit: 'days' }])
})

test('reads dates without a year, times, ordinals and numbers that name things', () => {
  expect(contentsOf('on 12 June at bench 5, from 9:30.')).toMatchObject([
    { kind: 'date', date: '--06-12' },
    { kind: 'label', of: 'bench', number: '5' },
    { kind: 'time', time: '09:30' },
  ])
  expect(contentsOf('the 25th member')).toMatchObject([{ kind: 'ordinal', number: 25 }])
})

test('takes neither codes nor the numbers of clauses for amounts', () => {
  expect(contentsOf('4.1 The TG-40/5 is of steel 316L.')).toEqual([])
})

const compared = (claimed: string, stated: string): string | undefined => {
  const [one, other] = [valuesIn(claimed, 'en')[0], valuesIn(stated, 'en')[0]]
  return one && other && compareValues(one, other)
}

test('compares values of one kind, and no others', () => {
  expect(compared('12 June', '12 June 2026')).toBe('same')
  expect(compared('12 June 2026', '10 June 2026')).toBe('other')
  expect(compared('30 June 2026', '2026')).toBe('vaguer')
  expect(compared('in 2026', '30 June 2026')).toBe('same')
  expect(compared('two weeks', '14 days')).toBe('same')
  expect(compared('£1.28 million', '£1,284,000')).toBe('same')
  expect(compared('£1,280,000', '£1,284,000')).toBe('other')
  expect(compared('at least 5 days', 'up to 5 days')).toBe('vaguer')
  expect(compared('5 days', '5 members')).toBe('unrelated')
  expect(compared('bench 3', 'bench 5')).toBe('other')
})

test('a month lies in its quarter, and contradicts no other one, which may be of a fiscal year', () => {
  expect(compared('in August 2026', 'in Q3 2026')).toBe('vaguer')
  expect(compared('in Q3 2026', 'in August 2026')).toBe('same')
  expect(compared('in Q3 2026', '30 June 2026')).toBe('unrelated')
  expect(compared('in Q3 2026', 'in 2025')).toBe('unrelated')
})

test('"may" and "march" behind a number are verbs if they are written small', () => {
  expect(contentsOf('Under clause 12 may follow.')).not.toContainEqual({ kind: 'date', date: '--05-12' })
  expect(contentsOf('on 12 May')).toEqual([{ kind: 'date', date: '--05-12' }])
})

test('"not less than" is a least bound, although "less than" is in it', () => {
  expect(compared('at least six months', 'not less than six months')).toBe('same')
  expect(compared('up to six months', 'not less than six months')).toBe('vaguer')
  expect(contentsOf('nicht weniger als 6 Monate', 'de')).toMatchObject([{ bound: 'least' }])
})

test('a bound is seen before a currency in letters, and "less than" is one', () => {
  expect(contentsOf('up to EUR 500')).toMatchObject([{ amount: 500, bound: 'most' }])
  expect(compared('less than £250', '£240')).toBe('vaguer')
})
