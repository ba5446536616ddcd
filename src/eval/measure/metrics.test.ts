import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure, measureDeep, measureFacts } from './metrics.ts'

const grades = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['not', 0],
])

describe('measure', () => {
  // By hand, linear gains: DCG = 2/log2(2) + 0/log2(3) + 3/log2(4) = 3.5; ideal = 3 + 2/log2(3) + 1/log2(4) = 4.76186.
  test('equals values computed by hand', () => {
    const scores = measure(['b', 'x', 'a'], grades)
    expect(scores['nDCG@10']).toBeCloseTo(3.5 / (3 + 2 / Math.log2(3) + 0.5), 12)
    expect(scores['nDCG@10']).toBeCloseTo(0.73501, 4)
    expect(scores['recall@5']).toBeCloseTo(2 / 3, 12)
    expect(scores['MRR@10']).toBe(1)
  })

  // A document of grade 0 is judged and not relevant: no gain, not counted in recall, no reciprocal rank.
  test('a grade of 0 is not relevant', () => {
    expect(measure(['not', 'x', 'c'], grades)['MRR@10']).toBeCloseTo(1 / 3, 12)
    expect(measure(['not'], grades)).toEqual({ 'nDCG@10': 0, 'recall@5': 0, 'recall@10': 0, 'MRR@10': 0 })
  })

  test('what comes after the cut counts nothing', () => {
    const ranked = [...'123456789'].concat('x', 'a')
    expect(measure(ranked, grades)).toEqual({ 'nDCG@10': 0, 'recall@5': 0, 'recall@10': 0, 'MRR@10': 0 })
    expect(measure(['1', '2', '3', '4', '5', 'a'], grades)['recall@5']).toBe(0)
    expect(measure(['1', '2', '3', '4', '5', 'a'], grades)['recall@10']).toBeCloseTo(1 / 3, 12)
  })

  // As in trec_eval the ideal ranking is cut at 10 as well: 12 relevant documents can still be ranked perfectly.
  test('the ideal is cut where the ranking is', () => {
    const many = new Map(Array.from({ length: 12 }, (_, i) => [`d${i}`, 1]))
    const scores = measure([...many.keys()], many)
    expect(scores['nDCG@10']).toBeCloseTo(1, 12)
    expect(scores['recall@10']).toBeCloseTo(10 / 12, 12)
    expect(measureDeep([...many.keys()], many)['recall@100']).toBe(1)
  })

  test('nothing found and nothing relevant are 0', () => {
    expect(measure([], grades)['nDCG@10']).toBe(0)
    expect(measure(['a'], new Map())).toEqual({ 'nDCG@10': 0, 'recall@5': 0, 'recall@10': 0, 'MRR@10': 0 })
  })

  test('scores lie between 0 and 1, and a relevant document moved up never lowers them', () => {
    const ids = fc.uniqueArray(fc.nat(30).map(String), { minLength: 2, maxLength: 20 })
    const judged = fc.dictionary(fc.nat(30).map(String), fc.nat(3), { minKeys: 1 })
    fc.assert(
      fc.property(ids, judged, fc.nat(), (ranked, grades, pick) => {
        const judgments = new Map(Object.entries(grades))
        const at = 1 + (pick % (ranked.length - 1))
        const up = [...ranked]
        up.splice(at - 1, 2, ranked[at] ?? '', ranked[at - 1] ?? '')
        const [before, after] = [measure(ranked, judgments), measure(up, judgments)]
        for (const score of Object.values(before)) expect(score).toBeGreaterThanOrEqual(0)
        for (const score of Object.values(before)) expect(score).toBeLessThanOrEqual(1 + 1e-12)
        const [mine, other] = [judgments.get(ranked[at] ?? '') ?? 0, judgments.get(ranked[at - 1] ?? '') ?? 0]
        if (mine >= other) expect(after['nDCG@10']).toBeGreaterThanOrEqual((before['nDCG@10'] ?? 0) - 1e-12)
      }),
    )
  })
})

describe('measureFacts', () => {
  test('finds a sentence whatever its white space, once', () => {
    const chunks = ['The  yard was\nsold in 1987.', 'Nothing here.', ...Array(9).fill('x'), 'It rained.']
    expect(measureFacts(chunks, ['The yard was sold in 1987.', 'It rained.'])).toEqual({
      'facts@10': 0.5,
      'facts@20': 1,
    })
    expect(measureFacts(chunks, ['It rained.', 'It  rained.'])['facts@20']).toBe(1)
  })

  test('measures nothing without facts', () => expect(measureFacts(['x'], [])).toEqual({}))
})
