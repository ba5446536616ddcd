import { expect, test } from 'vitest'
import { figuresOf, sampled } from './answers/sets.ts'

test('a sample is the same on every run, in order, and part of a larger one', () => {
  const items = Array.from({ length: 500 }, (_, i) => i)
  const [small, large] = [sampled(items, 50), sampled(items, 200)]
  expect(sampled(items, 50)).toEqual(small)
  expect(small).toHaveLength(50)
  expect(small).toEqual([...small].sort((a, b) => a - b))
  expect(small.every((item) => large.includes(item))).toBe(true)
  expect(sampled(items, undefined)).toEqual(items)
})

test('the figures of an answer, years and single digits aside', () => {
  expect(figuresOf('$1,577.00 in FY2018, up 3 points from 2017')).toEqual(['1577.00', '1577'])
  expect(figuresOf('No, it fell from 36.8% to 34.6%')).toEqual(['36.8', '36.8', '34.6', '34.6'])
  expect(figuresOf('It grew by 120')).toEqual(['120', '120'])
})
