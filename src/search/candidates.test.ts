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
    expect(narrow([term(1, 5)], { chunks: 2999, share: 1 })).toEqual([])
  })

  test('the rarest terms first, until they bring 3,000 chunks; what no chunk holds brings none', () => {
    const [light, other] = [
      { ...term(1, 2000), weight: 0.1 },
      { ...term(5, 900), weight: 0.1 },
    ]
    const found = narrow([light, term(2, 10), term(3, 700), term(4, 0), other], whole)
    expect(found.at(-1)).toEqual({ holding: { oneOf: [2, 3, 5], allOf: [] }, outside: 0 })
    // Before, 200 where what the others can score stays below.
    const others = [900, 2000].map((df) => 0.1 * Math.log(1_000_000 / (df + 1)) ** 1.5)
    expect(found[0]?.holding).toEqual({ oneOf: [2, 3], allOf: [] })
    expect(found[0]?.outside).toBeCloseTo(2.2 * others.reduce((sum, weight) => sum + weight, 0))
  })

  test('a hundredth of the table is scored whole where its terms would bring too many of others', () => {
    const asked = [term(1, 2000), term(2, 900)]
    expect(narrow([term(1, 2000)], { chunks: 10_000, share: 0.01 })).toEqual([])
    expect(narrow(asked, { chunks: 100_000, share: 0.2 }).at(-1)?.holding.oneOf).toEqual([2, 1])
    expect(narrow([term(1, 600)], { chunks: 100_000, share: 0.1 })[0]?.holding.oneOf).toEqual([1])
  })

  test('a workspace is scored whole where that reads no more than its candidates', () => {
    // 2,900 chunks anywhere in the table cost as much as 11,600 in order.
    const asked = [term(1, 2000), term(2, 900)]
    expect(narrow(asked, { chunks: 11_500, share: 1 })).toEqual([])
    expect(narrow(asked, { chunks: 11_700, share: 1 }).at(-1)?.holding.oneOf).toEqual([2, 1])
  })

  test('common words alone bring what holds two of them, beside the rare ones', () => {
    const [found, ...more] = narrow([term(1, 3), term(2, 20_000), term(3, 30_000), term(4, 20_000)], whole)
    expect(more.map(({ holding }) => holding)).toEqual([{ oneOf: [1, 2], allOf: [] }])
    expect(found?.holding).toEqual({
      oneOf: [1],
      allOf: [
        [2, 4],
        [2, 3],
        [4, 3],
      ],
    })
    // One that holds the heaviest alone stays below 2.2 times its weight.
    expect(found?.outside).toBeCloseTo(2.2 * Math.log(1_000_000 / 20_001) ** 1.5)
  })

  test('three of them where two bring too many; a pair of words is no third word', () => {
    const common = [2, 3, 4].map((hash) => term(hash, 90_000))
    const [found] = narrow([...common, term(9, 60_000, 'w2 w3')], whole)
    expect(found?.holding.allOf).toEqual([[2, 3, 4]])
    expect(found?.outside).toBeGreaterThan(2.2 * 2 * Math.log(1_000_000 / 90_001) ** 1.5)
    // Where all three stand in every third chunk, all are read for less.
    expect(
      narrow(
        [2, 3, 4].map((hash) => term(hash, 400_000)),
        whole,
      ),
    ).toEqual([])
  })

  test('where those may not do, the common one that brings the fewest', () => {
    const found = narrow([term(1, 3), term(2, 9000), term(3, 30_000)], whole)
    expect(found.map(({ holding }) => holding)).toEqual([
      { oneOf: [1], allOf: [[2, 3]] },
      { oneOf: [1, 2], allOf: [] },
    ])
  })

  test('one common word alone leaves all to be scored', () => {
    expect(narrow([term(2, 300_000)], whole)).toEqual([])
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
