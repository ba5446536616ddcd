import { expect, test } from 'vitest'
import { compareText } from './compare.ts'

test('words count once each, in any case and without Markdown', () => {
  const score = compareText(
    '# The *pier*\n\n[opens](https://example.org) at 9 <!-- image -->',
    'the Pier opens now',
  )
  expect(score.found).toBeCloseTo(3 / 5)
  expect(score.right).toBeCloseTo(3 / 4)
  expect(score.cells).toBeUndefined()
})

test('order counts the longest runs of the same words', () => {
  const truth = 'a b c d e f'
  expect(compareText(truth, truth).order).toBe(1)
  // "a b c" stays, and of what moved before it nothing matches.
  expect(compareText(truth, 'd e f a b c').order).toBeCloseTo(6 / 12)
  expect(compareText(truth, 'x a b c y d e f').order).toBeCloseTo(12 / 14)
})

test('cells are compared by their words, whatever their place', () => {
  const truth = '| Year | Tons |\n| - | - |\n| 2024 | 1\\|2 |'
  expect(compareText(truth, truth).cells).toBe(1)
  expect(compareText(truth, '| Year | Tons |\n| --- | --- |\n| 2024 | 13 |').cells).toBeCloseTo(6 / 8)
  expect(compareText(truth, 'Year Tons 2024 1 2').cells).toBe(0)
})
