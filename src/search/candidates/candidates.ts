// Finds the candidates of a query. They come from the index if they certainly include the best chunks, or if there are many and
// certainty would cost too much. Otherwise all chunks are candidates. For a query that has only stop words, the candidates are
// the chunks that contain it literally.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Db } from '../../ports/db/db.ts'
import type { Ranking } from '../memory/ranking.ts'
import { float32Query, queryVectorOf, type WeightedQuery } from '../query/query.ts'
import { type CandidateRows, selectCandidates, selectRanked, type WeightedMeaning } from './candidates.sql.ts'
import type { ResultConditions } from './filter.sql.ts'
import { bestInMemory } from './in-memory.ts'
import { selectLiteral } from './literal.ts'
import { filterByPhrase, selectCombinationsForFilter } from './narrow.ts'

interface CandidateRequest extends Pick<WeightedQuery, 'terms' | 'chunks' | 'share'> {
  text: AnalysedText
  required: ResultConditions
  meaning: WeightedMeaning | undefined
  /** Whether the index may select the chunks to score. If false, every chunk is scored. */
  mayUseIndex: boolean
  /** The workspace's chunks, if they are cached in memory. */
  ranking: Ranking | undefined
  /** The maximum number of candidates. */
  limit: number
  /** The number of candidates that the caller will look at. */
  resultCount: number
}

/**
 * Where the candidates came from: all chunks that pass the filter, the index, a quoted phrase, or the literal text of a query
 * of stop words. 'none' if no chunk has a term.
 */
export type Source = 'all' | 'index' | 'phrase' | 'literal' | 'none'

/** Candidates in the order of their scores by words. */
export type CandidatesByWords = CandidateRows & { source: Source }

export async function findCandidates(
  db: Db,
  workspaceId: string,
  request: CandidateRequest,
): Promise<CandidatesByWords> {
  const { text, terms, chunks, required, limit } = request
  const searchLiterally = async (words: AnalysedText): Promise<CandidatesByWords> => ({
    candidates: await selectLiteral(db, workspaceId, words, { ...required, chunks, limit }),
    hits: [],
    source: 'literal',
  })
  // Stop words in capitals are terms with a weight below 1, because they may be names (IT, WHO). If no chunk has them, the query
  // counts as a query of stop words.
  const hasOnlyStopWords = terms.every(({ weight, df }) => weight < 1 && df === 0)
  if (hasOnlyStopWords) return searchLiterally(text)
  const best = await findByTerms(db, workspaceId, request)
  // If nothing was found, a passage with a quoted phrase of stop words is a result even if it lacks the other words.
  const stopWordPhrase = required.phrases.find((phrase) => phrase.terms.length === 0)
  return best.candidates.length === 0 && stopWordPhrase
    ? searchLiterally(text.part(stopWordPhrase.text))
    : best
}

async function findByTerms(
  db: Db,
  workspaceId: string,
  request: CandidateRequest,
): Promise<CandidatesByWords> {
  const { terms, chunks, required, meaning, mayUseIndex, ranking, limit, resultCount } = request
  if (terms.every(({ df }) => df === 0)) return { candidates: [], hits: [], source: 'none' }
  const scoring = {
    ...required,
    queryVector: queryVectorOf(terms),
    meaning,
    chunks,
    limit,
    resultCount,
  }
  if (ranking && mayUseIndex && required.phrases.length === 0) {
    const query = { query: float32Query(terms), limit, filter: required.filter, chunks }
    const best = await bestInMemory(db, workspaceId, ranking, query)
    if (best) return { ...(await selectRanked(db, workspaceId, best, scoring)), source: 'all' }
  }
  const isFiltered = required.phrases.length > 0 || Object.keys(required.filter).length > 0
  const phraseFilter = filterByPhrase(required.phrases, chunks)
  if (phraseFilter)
    return {
      ...(await selectCandidates(db, workspaceId, { ...scoring, termFilter: phraseFilter })),
      source: 'phrase',
    }
  let step = mayUseIndex
    ? await selectCombinationsForFilter(db, workspaceId, request, required.filter)
    : undefined
  while (step) {
    const best = await selectCandidates(db, workspaceId, { ...scoring, termFilter: step.termFilter })
    // After filtering, few chunks may have the terms. Then all chunks with at least one term are scored.
    const isFull = !isFiltered || best.candidates.length >= limit
    const lastResult = isFull ? best.candidates[Math.min(limit, resultCount) - 1] : undefined
    if (step.maxOtherScore === null || (lastResult && lastResult.score >= step.maxOtherScore))
      return { ...best, source: 'index' }
    const widerStep = step.widen(lastResult?.score)
    if (widerStep === 'enough') return { ...best, source: 'index' }
    step = typeof widerStep === 'string' ? undefined : widerStep
  }
  return {
    ...(await selectCandidates(db, workspaceId, { ...scoring, termFilter: undefined })),
    source: 'all',
  }
}
