import { expect, test } from 'vitest'
import { analysedText } from '../../language/analysed-text.ts'
import type { Db } from '../../ports/db/db.ts'
import type { WeightedTerm } from '../query/query.ts'
import { findCandidates, type Source } from './candidates.ts'

const CHUNKS = 600_000

test('words of many chunks that are never together are found alone, though many were expected with both', async () => {
  const rare = ['alpha', 'bravo'].map((word, i) => term(i, 20_000, word))
  expect(await search(rare, { together: 0, alone: 60 })).toEqual({
    source: 'index',
    found: 60,
    statements: 2,
  })
})

test('every chunk is scored if fewer candidates than are shown are found, and those of one word would be too many', async () => {
  const common = ['alpha', 'bravo', 'charlie'].map((word, i) => term(i, 200_000, word))
  for (const together of [0, 14])
    expect(await search(common, { together, all: 150 })).toEqual({ source: 'all', found: 150, statements: 2 })
  const few = { source: 'index', found: 15, statements: 1 }
  expect(await search(common.slice(0, 2), { together: 15 })).toEqual(few)
})

/** With so many chunks for each way of asking, all of the lowest score. */
async function search(
  terms: WeightedTerm[],
  { together, alone = 0, all = 0 }: { together: number; alone?: number; all?: number },
): Promise<{ source: Source; found: number; statements: number }> {
  let statements = 0
  const rows = async ({ text, values }: { text: string; values: unknown[] }): Promise<unknown[]> => {
    statements++
    const isAlone = values.some((value) => Array.isArray(value) && typeof value[0] === 'number')
    const many = text.includes('chunks_scored') ? (isAlone ? alone : together) : all
    return Array.from({ length: many }, (_, i) => ({ chunk_id: `${i}`, score: 0.1, text: null }))
  }
  const { source, candidates } = await findCandidates({ rows } as unknown as Db, 'workspace', {
    text: analysedText('query'),
    terms,
    chunks: CHUNKS,
    share: 1,
    required: { filter: {}, phrases: [] },
    meaning: undefined,
    mayUseIndex: true,
    ranking: undefined,
    limit: 100,
    resultCount: 15,
  })
  return { source, found: candidates.length, statements }
}

const term = (hash: number, df: number, word: string): WeightedTerm => ({
  term: word,
  hash,
  df,
  idf: Math.log(CHUNKS / df),
  weight: 1,
})
