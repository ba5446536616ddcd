import { describe, expect, test } from 'vitest'
import { narrow, narrowToPhrase } from './candidates.ts'
import type { WeighedTerm } from './query/query.ts'

const term = (hash: number, df: number, word = `w${hash}`): WeighedTerm => ({
  term: word,
  hash,
  df,
  idf: Math.log(1_000_000 / (df + 1)),
  weight: 1,
})
const whole = { chunks: 600_000, share: 0.6 }

describe('narrow', () => {
  test('a small workspace is scored whole', () => {
    expect(narrow([term(1, 5)], { chunks: 2999, share: 1 })).toBeUndefined()
  })

  test('the rarest terms first, until they bring 3,000 chunks; what no chunk holds brings none', () => {
    const found = narrow([term(1, 2500), term(2, 10), term(3, 700), term(4, 0)], whole)
    expect(found).toEqual({ holding: { oneOf: [2, 3], allOf: [] }, outside: 0 })
  })

  test('a hundredth of the table is scored whole where its terms would bring too many of others', () => {
    const asked = [term(1, 2000), term(2, 900)]
    expect(narrow(asked, { chunks: 10_000, share: 0.01 })).toBeUndefined()
    expect(narrow(asked, { chunks: 10_000, share: 0.2 })?.holding.oneOf).toEqual([2, 1])
    expect(narrow([term(1, 60)], { chunks: 10_000, share: 0.01 })?.holding.oneOf).toEqual([1])
  })

  test('common words alone bring what holds two of them, beside the rare ones', () => {
    const found = narrow([term(1, 3), term(2, 20_000), term(3, 30_000), term(4, 40_000)], whole)
    expect(found?.holding).toEqual({
      oneOf: [1],
      allOf: [
        [2, 3],
        [2, 4],
        [3, 4],
      ],
    })
    // One that holds the heaviest alone stays below 2.2 times its weight.
    expect(found?.outside).toBeCloseTo(2.2 * Math.log(1_000_000 / 20_001) ** 1.5)
  })

  test('three of them where two bring too many; a pair of words is no third word', () => {
    const common = [2, 3, 4].map((hash) => term(hash, 300_000))
    const found = narrow([...common, term(9, 150_000, 'w2 w3')], whole)
    expect(found?.holding.allOf).toEqual([[2, 3, 4]])
    expect(found?.outside).toBeGreaterThan(2.2 * 2 * Math.log(1_000_000 / 300_001) ** 1.5)
  })

  test('one common word alone leaves all to be scored', () => {
    expect(narrow([term(2, 300_000)], whole)).toBeUndefined()
  })
})

test('a phrase brings what holds its words, however each language reads them; the longest of several', () => {
  const phrases = [
    { text: 'lease', terms: [[1]] },
    {
      text: 'the end of leases',
      terms: [
        [1, 2],
        [1, 3],
      ],
    },
  ]
  expect(narrowToPhrase(phrases, 5000)).toEqual({
    oneOf: [],
    allOf: [
      [1, 2],
      [1, 3],
    ],
  })
  expect(narrowToPhrase(phrases, 2000)).toBeUndefined()
  expect(narrowToPhrase([{ text: 'of the', terms: [] }], 5000)).toBeUndefined()
})
