import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { type WeightedTerm, weightOf } from '../query/query.ts'
import type { TermFilter } from './candidates.sql.ts'
import { filterByPhrase, LIMITS, type SearchedChunks, selectCombinations } from './narrow.ts'

const WORDS = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima'.split(' ')
const term = (hash: number, df: number, word = WORDS[hash] ?? `word${hash}`): WeightedTerm => ({
  term: word,
  hash,
  df,
  idf: Math.log(1_000_000 / (df + 1)),
  weight: 1,
})
const whole = { chunks: 600_000, share: 0.6 }
const holdingOf = (terms: WeightedTerm[], workspace: SearchedChunks = whole): TermFilter | undefined =>
  selectCombinations(terms, workspace)?.termFilter

describe('narrow', () => {
  test('a small workspace is scored whole', () => {
    expect(selectCombinations([term(1, 5)], { chunks: 2999, share: 1 })).toBeUndefined()
  })

  test('rare words give all chunks with one of them; words of no chunk give none', () => {
    const found = selectCombinations([term(1, 10), term(2, 700), term(3, 0)], whole)
    expect(found).toMatchObject({ termFilter: { oneOf: [1, 2], allOf: [] }, maxOtherScore: null })
  })

  test('common words give chunks with several of them, with as many sets as give at most 1,000 chunks', () => {
    const found = selectCombinations([term(1, 3), term(2, 12_000), term(3, 30_000), term(4, 18_000)], whole)
    // Two of three: 360, 600 and 900 chunks; with the first two there are 963 of the wished for 1,000.
    expect(found?.termFilter).toEqual({
      oneOf: [1],
      allOf: [
        [2, 4],
        [2, 3],
      ],
    })
  })

  test('sets of three where sets of two give too many', () => {
    const common = [2, 3, 4].map((hash) => term(hash, 60_000))
    expect(holdingOf(common)).toEqual({ oneOf: [], allOf: [[2, 3, 4]] })
  })

  test('a pair is found by its words, and adds to what they weigh together', () => {
    const pair = { ...term(9, 400, 'charlie delta'), weight: 0.3 }
    const common = [2, 3, 4].map((hash) => term(hash, 20_000))
    // Any two of the three are expected in 667 chunks; the two of the pair weigh most.
    expect(holdingOf([...common, pair])).toEqual({ oneOf: [], allOf: [[2, 3]] })
    // Beyond the heaviest six only what is a pair is looked for together.
    const many = [...WORDS.keys()].map((hash) => term(hash, 20_000 + hash))
    const last = { ...term(99, 400, 'kilo lima'), weight: 3 }
    expect(holdingOf([...many, last])?.allOf).toContainEqual([10, 11])
  })

  test('forms of one word occur together', () => {
    // By chance 833 would hold two such words.
    expect(holdingOf([term(1, 20_000), term(2, 25_000)])?.allOf).toEqual([[1, 2]])
    const forms = selectCombinations([term(1, 20_000, 'commit'), term(2, 25_000, 'committe')], whole)
    expect(forms?.termFilter).toEqual({ oneOf: [], allOf: [[1, 2]] })
    // They are expected in 20,000 chunks.
    expect(
      selectCombinations([term(1, 20_000, 'commit'), term(2, 25_000, 'committe'), term(3, 500)], whole)
        ?.termFilter,
    ).toEqual({
      oneOf: [3],
      allOf: [],
    })
  })

  test('candidates suffice only above the bound; else those that can score as much are added', () => {
    const found = selectCombinations([term(1, 3), term(2, 20_000)], whole)
    expect(found?.termFilter).toEqual({ oneOf: [1], allOf: [] })
    expect(found?.maxOtherScore).toBeCloseTo(2.2 * weightOf(term(2, 20_000)))
    expect(found?.widen(0)).toMatchObject({ termFilter: { oneOf: [1, 2], allOf: [] }, maxOtherScore: null })
    // Two of three words that weigh nearly the same: with both most of 1,000 are taken, but the third alone can score as much.
    const alike = [term(1, 400), term(2, 410), term(3, 420)]
    const first = selectCombinations(alike, whole)
    expect(first?.termFilter.oneOf).toEqual([1, 2])
    expect(first?.maxOtherScore).toBeCloseTo(2.2 * weightOf(term(3, 420)))
    expect(first?.widen(weightOf(term(1, 400)))).toMatchObject({
      termFilter: { oneOf: [1, 2, 3] },
      maxOtherScore: null,
    })
  })

  test('many candidates suffice where to be sure would take more than five times as many', () => {
    const found = selectCombinations([term(1, 900), term(2, 4200)], whole)
    expect(found?.termFilter.oneOf).toEqual([1])
    expect(found?.widen(0)).toBe('enough')
    expect(selectCombinations([term(1, 900), term(2, 4000)], whole)?.widen(0)).toMatchObject({
      maxOtherScore: null,
    })
    // Too few are not enough, whatever it takes.
    expect(selectCombinations([term(1, 3), term(2, 60_000)], whole)?.widen(0)).toMatchObject({
      maxOtherScore: null,
    })
    expect(selectCombinations([term(1, 3), term(2, 200_000)], whole)?.widen(0)).toBe('all')
    // Nor are many that were expected, if not even those to be shown were found.
    expect(selectCombinations([term(1, 900), term(2, 4200)], whole)?.widen(undefined)).toMatchObject({
      maxOtherScore: null,
    })
    expect(selectCombinations([term(1, 900), term(2, 200_000)], whole)?.widen(undefined)).toBe('all')
  })

  test('a long question takes many candidates where to be sure would take every chunk', () => {
    // Words of which none is a form of another.
    const name = (i: number): string => String.fromCharCode(97 + (i % 26), 97 + ((i * 7) % 26), 97 + i / 26)
    const long = [term(1, 100), ...Array.from({ length: 60 }, (_, i) => term(100 + i, 950 + i, name(i)))]
    const first = selectCombinations(long, whole)
    expect(first?.termFilter.oneOf).toEqual([1])
    const filled = first?.widen(1)
    if (!filled || typeof filled === 'string') throw new Error(`${filled}`)
    expect(filled.termFilter.oneOf).toEqual([1, 100])
    expect(filled.widen(1)).toBe('enough')
    // Unless fewer were found than needed.
    expect(filled.widen(undefined)).toBe('all')
    // Where all chunks cost less than five times the usual number of candidates, they are scored at once.
    expect(selectCombinations(long, { chunks: 19_000, share: 1 })?.widen(1)).toBe('all')
  })

  test('a pair that hardly any chunk has does not displace words that weigh more', () => {
    // The sample knows no chunk with it, so that it counts as being in one: it weighs more than the rare word.
    const pair = { ...term(9, 1, 'charlie delta'), weight: 0.6 }
    const found = holdingOf([term(1, 800), term(2, 15_000), term(3, 15_000), pair])
    expect(found).toEqual({ oneOf: [1], allOf: [[2, 3]] })
  })

  test('a workspace is scored whole if that is cheaper than its candidates', () => {
    const asked = [term(1, 600), term(2, 300)]
    expect(selectCombinations(asked, { chunks: 3500, share: 1 })).toBeUndefined()
    expect(holdingOf(asked, { chunks: 3700, share: 1 })?.oneOf).toEqual([2, 1])
    // A hundredth of the table, whose words bring a hundred times as many.
    expect(selectCombinations(asked, { chunks: 100_000, share: 0.01 })).toBeUndefined()
    expect(selectCombinations([term(2, 300_000)], whole)).toBeUndefined()
  })

  test('within a scope: all of a small one, else so many candidates that enough are inside', () => {
    const asked = [term(1, 500), term(2, 12_000), term(3, 30_000)]
    expect(selectCombinations(asked, { ...whole, matchingChunks: 2999 })).toBeUndefined()
    // As in the workspace where the scope holds all of it.
    expect(holdingOf(asked, { ...whole, matchingChunks: 600_000 })).toEqual(holdingOf(asked))
    expect(holdingOf(asked)).toEqual({ oneOf: [1], allOf: [] })
    // A fifth of it: 2,500 of the 5,000 candidates wished for; one word more would be 14,500.
    const fifth = { ...whole, matchingChunks: 120_000 }
    expect(holdingOf([term(1, 2500), term(2, 12_000)], fifth)).toEqual({ oneOf: [1], allOf: [] })
    // 2,500 looks behind each other's workspaces cost more than 6,000 chunks.
    expect(selectCombinations([term(1, 2500)], { ...whole, matchingChunks: 6000 })).toBeUndefined()
  })

  test('a chunk with none of the sets scores below the bound, and the expected number stays within the limit', () => {
    const asked = fc
      .uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 12 })
      .chain((hashes) =>
        fc.tuple(...hashes.map((hash) => fc.integer({ min: 1, max: 400_000 }).map((df) => term(hash, df)))),
      )
    fc.assert(
      fc.property(asked, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (words, holds) => {
        const pairs = words.slice(1).map(({ term: second, df }, i) => {
          const first = words[i]
          return { ...term(100 + i, Math.ceil(df / 50), `${first?.term} ${second}`), weight: 0.3 }
        })
        const found = selectCombinations([...words, ...pairs], whole, { ...LIMITS, cost: 0 })
        if (!found) return
        const own = words.filter((_, i) => holds[i])
        // All neighbours in it stand side by side.
        const isHeld = (word: string) => own.some((one) => one.term === word)
        const held = [...own, ...pairs.filter((pair) => pair.term.split(' ').every(isHeld))]
        const has = (hash: number) => held.some((one) => one.hash === hash)
        const { oneOf, allOf } = found.termFilter
        if (oneOf.some(has) || allOf.some((set) => set.every(has))) return
        const weight = held.reduce((sum, one) => sum + weightOf(one), 0)
        if (found.maxOtherScore === null) expect(held).toEqual([])
        else expect(2.2 * weight).toBeLessThanOrEqual(found.maxOtherScore + 1e-9)
      }),
      { numRuns: runs(500) },
    )
  })

  test('at most twenty sets each with and without pairs, and a long question is narrowed within a few milliseconds', () => {
    const terms = Array.from({ length: 400 }, (_, i) =>
      term(i, 2000 + i * 37, `word${i} `.trim() + 'abcdefghij'[i % 10]),
    )
    const found = selectCombinations(terms, whole)
    expect((found?.termFilter.oneOf.length ?? 0) + (found?.termFilter.allOf.length ?? 0)).toBeLessThanOrEqual(
      40,
    )
    expect(found?.maxOtherScore).not.toBeNull()
  })

  test.each([1, 500])(
    'what is to be added is sought no further than to what is too much (%i chunks)',
    (df) => {
      let reads = 0
      const counted = (one: WeightedTerm): WeightedTerm => ({
        ...one,
        get weight() {
          reads++
          return one.weight
        },
      })
      const words = Array.from({ length: 600 }, (_, i) => term(i, df * (1 + i / 10), `${i}word`))
      const pairs = words.slice(1).map(({ term: second }, i) => ({
        ...term(1000 + i, 50 + i, `${words[i]?.term} ${second}`),
        weight: 0.3,
      }))
      const found = selectCombinations([...words, ...pairs].map(counted), whole)
      reads = 0
      expect(found?.widen(30)).toBe('all')
      // Each of the 1,199 for each set that is added, not once for each of the others.
      expect(reads).toBeLessThan(100_000)
    },
  )
})

test('a phrase gives chunks with its words, as each language reads them; the longest of several phrases', () => {
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
  expect(filterByPhrase(phrases, 5000)).toEqual({
    oneOf: [],
    allOf: [
      [1, 2],
      [1, 3],
    ],
  })
  expect(filterByPhrase(phrases, 2000)).toBeUndefined()
  expect(filterByPhrase([{ text: 'of the', terms: [] }], 5000)).toBeUndefined()
})
