import { describe, expect, test } from 'vitest'
import { compareRuns } from './compare.ts'
import { seededRandom } from './random.ts'
import { estimate, meanOf, quantile, randomizationTest } from './statistics.ts'
import { withTypos } from './typos.ts'

const uniform = (count: number, seed: number): number[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

describe('estimate', () => {
  test('of one value for all is that value', () => {
    expect(estimate([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  // The standard error of 400 uniform draws is 0.2887 / 20 = 0.01443: the normal interval is ± 0.0283.
  test('agrees with the normal interval where that holds', () => {
    const values = uniform(400, 7)
    const { mean, low, high } = estimate(values)
    expect(mean).toBe(meanOf(values))
    expect(high - mean).toBeCloseTo(0.0283, 2)
    expect(mean - low).toBeCloseTo(0.0283, 2)
  })

  test('is the same twice', () => expect(estimate([0, 1, 1, 0, 1])).toEqual(estimate([0, 1, 1, 0, 1])))
})

describe('randomizationTest', () => {
  test('no difference is no evidence', () => expect(randomizationTest([0, 0, 0])).toBe(1))

  // Ten differences of one sign: of 2^10 sign patterns two are as far out, so p = 2/1024 = .002.
  test('equals the exact value where that can be counted', () => {
    expect(randomizationTest(Array(10).fill(0.1))).toBeCloseTo(2 / 1024, 2)
  })

  test('differences around 0 are no evidence', () => {
    const values = uniform(200, 3).map((value) => value - 0.5)
    expect(randomizationTest(values)).toBeGreaterThan(0.05)
  })
})

test('quantiles are values of the list', () => {
  expect(quantile([3, 1, 2, 4], 0.5)).toBe(2)
  expect(quantile([3, 1, 2, 4], 0.99)).toBe(4)
  expect(quantile([], 0.5)).toBeNaN()
})

test('runs are compared query by query', () => {
  const pair = (id: string, ours: number, theirs: number) => ({
    id,
    text: id,
    ours: { 'nDCG@10': ours },
    theirs: { 'nDCG@10': theirs },
  })
  const [found, ...more] = compareRuns([pair('a', 1, 0.5), pair('b', 0.2, 0.4), pair('c', 0, 0)])
  expect(more).toEqual([])
  expect(found).toMatchObject({ metric: 'nDCG@10', better: 1, worse: 1, equalCount: 1 })
  expect(found?.difference.mean).toBeCloseTo(0.1, 12)
})

describe('withTypos', () => {
  const text = 'Which harbour office keeps the calibration certificate of gauge TG-40 from 1987?'

  test('changes some words by one edit, the same ones every time', () => {
    const typed = withTypos(text, 1)
    expect(typed).toBe(withTypos(text, 1))
    const [before, after] = [text.split(' '), typed.split(' ')]
    expect(after).toHaveLength(before.length)
    before.forEach((word, i) => {
      const change = Math.abs((after[i] ?? '').length - word.length)
      expect(change).toBeLessThanOrEqual(1)
      expect(after[i] === word).toBe(word.replace(/\W/g, '').length < 4 || /\d/.test(word))
    })
  })

  test('leaves everything at 0, and about the share it is told', () => {
    expect(withTypos(text, 0)).toBe(text)
    const words = Array.from({ length: 2000 }, (_, i) => `word${'abcdefghij'[i % 10]}`).join(' ')
    const typed = withTypos(words, 0.3).split(' ')
    const changed = words.split(' ').filter((word, i) => word !== typed[i]).length
    expect(changed / 2000).toBeGreaterThan(0.26)
    expect(changed / 2000).toBeLessThan(0.34)
  })
})
