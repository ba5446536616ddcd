// The second stage: selects the chunks that may be results. They are found by the query's words, in all documents and again in
// those that the query names, and by meaning if the query has a vector.

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

// The usual maximum number of candidates by words, and the maximum by meaning. With 100, 200, 400 and 1,000 the quality on four
// collections is the same (±.001), and each hundred takes 2 ms more, because the document of each candidate is scored.
export const MAX_CANDIDATES = 100
// A chunk that has none of the words is a result only if its similarity is at least this. Of 88 passages of a handbook, half have
// less than .07 for a question, but nine of ten that answer it in other words have more than .13.
const MIN_SIMILARITY = 0.06

export interface Candidates {
  source: Source
  /** In the order of their score by words. */
  byWords: readonly Candidate[]
  /** The nearest chunks by meaning. */
  nearest: readonly Nearest[]
  /** All chunks that are ranked: those by words, and those by meaning that are near enough. */
  all: readonly Candidate[]
  /** The passages whose texts were read together with the candidates. */
  hits: readonly Hit[]
}

/** Gathers the candidates. By words there are at most `limit` from all documents, and as many from those that the query names. */
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
  const inTargetDocuments = await findCandidates(db, workspaceId, {
    ...candidateRequest,
    required: inTargets,
  })
  const ids = new Set(all.candidates.map(({ chunk_id }) => chunk_id))
  const added = inTargetDocuments.candidates.filter(({ chunk_id }) => !ids.has(chunk_id))
  return {
    source: all.source,
    candidates: inOrder([...all.candidates, ...added]),
    hits: [...all.hits, ...inTargetDocuments.hits],
  }
}

/** The nearest chunks by meaning that meet the conditions. */
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
