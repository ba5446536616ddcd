import { expect, test } from 'vitest'
import type { Ranked } from '../fusion.ts'
import { reordered } from './rerank.ts'

const ranked: Ranked[] = [9, 7, 5, 3].map((score, i) => ({ chunk_id: `c${i}`, document_id: 'd', score }))

test('reranked passages come first in their new order; each place keeps its score', () => {
  const order = reordered(
    ranked,
    new Map([
      ['c0', -2],
      ['c1', 0.5],
      ['c3', 8],
    ]),
  )
  expect(order.map(({ chunk_id, score }) => [chunk_id, score])).toEqual([
    ['c3', 9],
    ['c1', 7],
    ['c0', 5],
    ['c2', 3],
  ])
})

test('equal scores, no scores, or scores of other passages keep the order', () => {
  for (const given of [{}, { c0: 1, c1: 1 }, { other: 3 }])
    expect(reordered(ranked, new Map(Object.entries(given)))).toEqual(ranked)
})
