// The second stage: selects the chunks that may be results. They are found by the query's words, in all documents and in those
// that the query names. They are also found by meaning if a model understands the query.

import { type Nearest, selectNearest } from '../../embed/nearest.sql.ts'
import type { Db } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import type { Candidate } from '../candidates/candidates.sql.ts'
import { type CandidatesByWords, findCandidates, type Source } from '../candidates/candidates.ts'
import { conditionsOnAll } from '../candidates/filter.sql.ts'
import { inOrder } from '../fusion.ts'
import type { Hit } from '../passage.sql.ts'
import { hasPart } from '../passage-query.ts'
import { queryVectorOf } from '../query/query.ts'
import type { ParsedQuery } from './parse.ts'
import { MIN_TABLE_RANGE, SPARE_PASSAGES } from './passages.ts'

// With 100, 200, 400 and 1,000 scifact, MuSiQue, MultiHop-RAG and FinanceBench have the same figures (±.001), and 200 took 2 ms
// more on a server, since the document of each is scored.
export const MAX_CANDIDATES = 100
// A chunk that has none of the words is a result only if its cosine is at least this. Of 88 passages of a handbook with 60
// questions, half have a cosine of less than .07, and nine of ten that answer in other words have more than .13. Half of the
// queries have a length of .55 or more.
const MIN_SIMILARITY = 0.06

export interface Candidates {
  source: Source
  /** In the order of their score by words. */
  byWords: readonly Candidate[]
  /** The nearest chunks by meaning. */
  nearest: readonly Nearest[]
  /** All chunks that are ranked: those by words, and those by meaning that are near enough. */
  all: readonly Candidate[]
  /** The passages that were read together with them. */
  hits: readonly Hit[]
}

/** Gathers the candidates, at most `limit` of them by words. */
export async function gatherCandidates(
  db: Db,
  workspaceId: string,
  query: ParsedQuery,
  limit: number,
): Promise<Candidates> {
  const { source, candidates, hits } = await span('search: candidates', {}, () =>
    candidatesByWords(db, workspaceId, query, limit),
  )
  const nearest = await nearestByMeaning(db, workspaceId, query)
  const ids = new Set(candidates.map(({ chunk_id }) => chunk_id))
  const isNearEnough = ({ chunk_id, score, similarity }: Nearest): boolean =>
    !ids.has(chunk_id) && (score > 0 || similarity >= MIN_SIMILARITY)
  return { source, byWords: candidates, nearest, all: [...candidates, ...nearest.filter(isNearEnough)], hits }
}

/** The best chunks of all documents, and of those that the query clearly names. */
async function candidatesByWords(
  db: Db,
  workspaceId: string,
  query: ParsedQuery,
  limit: number,
): Promise<CandidatesByWords> {
  const { request, required, targets } = query
  const resultCount = Math.max(request.limit, MIN_TABLE_RANGE) + SPARE_PASSAGES
  const candidateRequest = { ...query, limit, resultCount, mayUseIndex: hasPart(request, 'candidates') }
  const all = await findCandidates(db, workspaceId, candidateRequest)
  if (targets.best.length === 0) return all
  const inTargets = { ...required, filter: { ...required.filter, documents: targets.best } }
  const more = await findCandidates(db, workspaceId, { ...candidateRequest, required: inTargets })
  const ids = new Set(all.candidates.map(({ chunk_id }) => chunk_id))
  const added = more.candidates.filter(({ chunk_id }) => !ids.has(chunk_id))
  return {
    source: all.source,
    candidates: inOrder([...all.candidates, ...added]),
    hits: [...all.hits, ...more.hits],
  }
}

/** The nearest chunks by meaning that pass the same filter. */
async function nearestByMeaning(
  db: Db,
  workspaceId: string,
  { terms, chunks, required, meaning }: ParsedQuery,
): Promise<Nearest[]> {
  if (!meaning) return []
  const conditions = conditionsOnAll(workspaceId, required)
  const nearest = { limit: MAX_CANDIDATES, queryVector: queryVectorOf(terms), chunks, conditions }
  return span('search: nearest', {}, () => selectNearest(db, workspaceId, meaning.query, nearest))
}
