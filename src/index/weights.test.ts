import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/support/full.ts'
import { analyse } from '../language/analyse.ts'
import { analysedText } from '../language/analysed-text.ts'
import { guessLanguage } from '../language/guess.ts'
import {
  bagOf,
  documentVectorBuilder,
  idf,
  isPair,
  PAIR_SAMPLE,
  pairFrequency,
  queryWeights,
  type Sparse,
  sparseText,
  termHash,
  toLexicalVector,
} from './weights.ts'

const byTerm = ({ terms, weights }: Sparse): Map<number, number | undefined> =>
  new Map(terms.map((term, i) => [term, weights[i]]))

describe('lexicalSide', () => {
  test('is BM25 with k1 1.2, b .75 and the constant length 120', () => {
    const side = toLexicalVector({ title: '', heading: '', text: 'pump pump valve', language: 'en' })
    const norm = 1.2 * (0.25 + (0.75 * 3) / 120)
    const weights = byTerm(side)
    expect(weights.get(termHash('pump'))).toBeCloseTo((2 * 2.2) / (2 + norm), 4)
    expect(weights.get(termHash('valv'))).toBeCloseTo(2.2 / (1 + norm), 4)
  })

  test('terms ascend, are unique and match their words, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.lorem({ maxCount: 40 }),
        (odd, plain) => {
          const { terms, weights, indexed, pairs } = toLexicalVector({
            title: plain,
            heading: odd,
            text: `${odd} ${plain}`,
            language: 'en',
          })
          expect([...terms].sort((a, b) => a - b)).toEqual(terms)
          expect(new Set(terms).size).toBe(terms.length)
          expect(indexed.words.map(termHash)).toEqual(indexed.terms)
          expect(terms).toEqual(expect.arrayContaining(indexed.terms))
          if (pairs > 0) expect(indexed.terms).toEqual(terms)
          else expect(indexed.words.filter(isPair)).toEqual([])
          expect(weights.length).toBe(terms.length)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test('a sentence in another language also has the terms of that language, without counting for the length', () => {
    const german = 'Die Häuser am Fluss haben neue Dächer.'
    const mixed = bagOf(`${german} Les travaux des journaux sont finis.`, 'de')
    expect(mixed.counts.get('travail')).toBe(1)
    expect(mixed.counts.get('journal')).toBe(1)
    expect(mixed.length).toBe(bagOf(german, 'de').length + 5)
    // One foreign stop word may be a name.
    expect(bagOf('Die Straße nach Los Travaux ist gesperrt.', 'de').counts.has('travail')).toBe(false)
  })

  test('a title that is also the first heading counts once, as title', () => {
    const side = (heading: string): string =>
      sparseText(toLexicalVector({ title: 'Pump care', heading, text: 'oil the seal', language: 'en' }))
    expect(side('Pump care')).toBe(side(''))
    expect(side('Pump care > Seals')).toBe(side('Seals'))
    expect(side('Seals')).not.toBe(side(''))
  })

  test('never holds more than a sparse vector can', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `token${i}x`).join(' ')
    const side = toLexicalVector({ title: '', heading: '', text, language: 'xx' })
    expect(side.terms.length).toBe(16_000)
    expect(side.dropped).toBeGreaterThan(0)
  })
})

test('documentSide is BM25 of all chunks as one text, the title once; nothing for a single chunk', () => {
  const texts = ['pump pump valve', 'valve seal']
  const whole = documentVectorBuilder('Motor')
  for (const text of texts) {
    whole.add(toLexicalVector({ title: 'Motor', heading: '', text, language: 'en' }).body, 'en')
  }
  const norm = 1.2 * (0.25 + (0.75 * 7) / 1000)
  const single = documentVectorBuilder('Motor')
  single.add(toLexicalVector({ title: 'Motor', heading: '', text: 'pump', language: 'en' }).body, 'en')
  expect(single.vector()).toBeNull()
  const weights = byTerm(whole.vector() ?? { terms: [], weights: [] })
  expect(weights.size).toBe(3 + 1 + 3)
  expect(weights.get(termHash('valv'))).toBeCloseTo((2 * 2.2) / (2 + norm), 4)
  expect(weights.get(termHash('motor'))).toBeCloseTo((2 * 2.2) / (2 + norm), 4)
  expect(weights.get(termHash('seal'))).toBeCloseTo(2.2 / (1 + norm), 4)
})
test('pairs are counted in about one text of eight, and estimated between one and their rarer word', () => {
  const sides = Array.from({ length: 4000 }, (_, i) =>
    toLexicalVector({ title: '', heading: '', text: `pump valve number ${i}`, language: 'en' }),
  )
  const counted = sides.filter(({ indexed }) => indexed.words.includes('pump valv'))
  expect(counted.map(({ pairs }) => pairs)).toEqual(counted.map(() => PAIR_SAMPLE))
  const estimate = sides.reduce((sum, { pairs }) => sum + pairs, 0)
  expect(estimate / 4000).toBeGreaterThan(0.9)
  expect(estimate / 4000).toBeLessThan(1.1)
  expect(pairFrequency(estimate, 4000, 4000)).toBe(Math.min(estimate, 4000))
  expect([pairFrequency(0, 9, 9), pairFrequency(16, 9, 30), pairFrequency(16, 0, 30)]).toEqual([1, 9, 0])
})

const lettersOf = (number: number): string =>
  [...String(number).padStart(4, '0')].map((digit) => 'bcdfghjlmn'.charAt(Number(digit))).join('')

test('a long document keeps the terms that queries gain most from: words before pairs, frequent ones before others', () => {
  const whole = documentVectorBuilder('Long')
  const words = Array.from({ length: 1500 }, (_, i) => `k${lettersOf(i)}`)
  whole.add(bagOf(`${words.join(' ')} often often often often`, 'xx'), 'xx')
  whole.add(bagOf('motor pump. motor pump. motor pump. motor pump. motor pump', 'xx'), 'xx')
  const { terms } = whole.vector() ?? { terms: [] }
  const kept = new Set(terms)
  expect(terms).toHaveLength(2000)
  expect(terms).toEqual([...terms].sort((a, b) => a - b))
  expect([...words, 'often', 'motor pump'].filter((word) => !kept.has(termHash(word)))).toEqual([])
})

test('of a document of endless words the frequent ones are kept, and the count of terms stays bounded', () => {
  const whole = documentVectorBuilder('Long', undefined, 3000)
  const often = ['harbour', 'basin', 'gauge']
  for (let part = 0; part < 200; part++) {
    const junk = Array.from({ length: 100 }, (_, i) => `k${lettersOf(part * 50 + i)}x${lettersOf(i)}`)
    whole.add(bagOf(`${junk.join(' ')} ${often.join(' ')}`, 'xx'), 'xx')
    expect(whole.termCount()).toBeLessThanOrEqual(3000)
  }
  const weights = byTerm(whole.vector() ?? { terms: [], weights: [] })
  expect(weights.size).toBeLessThanOrEqual(2000)
  const heaviest = [...weights].sort(([, a = 0], [, b = 0]) => b - a).map(([term]) => term)
  for (const word of often) expect(heaviest.slice(0, 10)).toContain(termHash(word))
})

describe('queryWeights', () => {
  test('words 1, unstemmed names .5, pairs .3; stop words out', () => {
    const weights = queryWeights(analysedText('Who are the Walters brothers?'), ['en'])
    expect(Object.fromEntries(weights)).toEqual({
      walter: 1,
      walters: 0.5,
      brother: 1,
      'walter brother': 0.3,
    })
  })

  test('an English question searches no stop words in a workspace of several languages', () => {
    const weights = queryWeights(analysedText('Who was the first president of the association?'), [
      'en',
      'de',
      'fr',
    ])
    for (const word of ['who', 'was', 'the', 'of']) expect(weights.has(word)).toBe(false)
  })

  test('a word is searched even if it is a stop word in another language of the workspace', () => {
    for (const query of [
      'war crimes',
      'sea level',
      'door handle',
      'war on terror',
      'pour point',
      'Man overboard',
    ])
      for (const { term } of analyse(query, 'en'))
        expect([...queryWeights(analysedText(query), ['en', 'de']).keys()]).toContain(term)
    expect([...queryWeights(analysedText('Wann war die Wahl?'), ['en', 'de']).keys()]).toEqual(['wahl'])
  })

  test('every term of a text is found by the same text as a query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        fc.pre(guessLanguage(text, 'de') === 'de')
        const asked = queryWeights(analysedText(text), ['de'])
        for (const { term } of analyse(text, 'de')) expect(asked.has(term)).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })
})

test('idf falls with frequency and is never negative', () => {
  expect(idf(1, 1000)).toBeGreaterThan(idf(10, 1000))
  expect(idf(1000, 1000)).toBeGreaterThan(0)
  // Counted while documents go.
  for (const [df, chunks] of [
    [7, 3],
    [-2, 0],
    [2, -4],
  ] as const)
    expect(idf(df, chunks)).toBeGreaterThan(0)
})

test('termHash stays within what an int4 and a sparsevec index hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (term) => {
      const hash = termHash(term)
      expect(Number.isInteger(hash) && hash >= 1 && hash <= 999_999_999).toBe(true)
    }),
  )
})
