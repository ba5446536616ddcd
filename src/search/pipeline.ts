// Runs a search in stages. The output of each stage is an input of the next ones, and all outputs together are the trace that the
// inspector shows. The stages run again if too many passages are near-duplicates, or if no passage contains a quoted phrase.

import type { Deps } from '../ports/deps.ts'
import { span } from '../ports/trace/trace.ts'
import type { Candidate } from './candidates/candidates.sql.ts'
import type { PassageQuery } from './passage-query.ts'
import { type Candidates, gatherCandidates, MAX_CANDIDATES } from './stages/candidates.ts'
import { type Excerpts, excerpt } from './stages/excerpt.ts'
import { type Fusion, fuse } from './stages/fuse.ts'
import { type ParsedQuery, parse } from './stages/parse.ts'
import type { Order } from './stages/passages.ts'
import { rerank } from './stages/rerank.ts'
import { raiseTables } from './stages/rows.ts'
import { score } from './stages/score.ts'
import { type SecondHop, secondHop } from './stages/second-hop.ts'

// The number of candidates if too many of the first are near-duplicates.
const MAX_CANDIDATES_WITH_DUPLICATES = 400

export type SearchNeeds = Pick<Deps, 'db' | 'log' | 'embedder'> & Partial<Pick<Deps, 'reranker' | 'memory'>>

/** The output of each stage, in the order of the stages. */
export interface SearchTrace {
  query: ParsedQuery
  candidates: Candidates
  scored: readonly Candidate[]
  fusion: Fusion
  /** Undefined if the query cannot have several steps. */
  hop: SecondHop | undefined
  rows: Order
  /** Undefined without a reranker. */
  reranking: Order | undefined
  excerpts: Excerpts
}

/** `missing`: the quoted phrases that no passage contains. Their words were searched like any others. */
export type SearchOutcome = SearchTrace & { missing: string[] }

/** Runs a search. Does not check access. @throws ApiError 404 for an unknown scope */
export const runSearch = (
  deps: SearchNeeds,
  workspaceId: string,
  request: PassageQuery,
): Promise<SearchOutcome> =>
  span('search', {}, async (span) => {
    const outcome = await searchWithPhraseFallback(deps, workspaceId, await parse(deps, workspaceId, request))
    const { query, excerpts } = outcome
    span.set({ 'kenning.terms': query.terms.length, 'kenning.passages': excerpts.passages.length })
    return outcome
  })

/** If no passage contains the quoted phrases, searches their words like any others. */
async function searchWithPhraseFallback(
  deps: SearchNeeds,
  workspaceId: string,
  query: ParsedQuery,
): Promise<SearchOutcome> {
  const trace = await searchDistinct(deps, workspaceId, query)
  const { phrases, filter } = query.required
  if (trace.excerpts.passages.length > 0 || phrases.length === 0) return { ...trace, missing: [] }
  const withoutPhrases = { ...query, required: { filter, phrases: [] } }
  return {
    ...(await searchDistinct(deps, workspaceId, withoutPhrases)),
    missing: phrases.map(({ text }) => text),
  }
}

/** If too few passages are left without near-duplicates, searches again with more candidates. */
async function searchDistinct(
  deps: SearchNeeds,
  workspaceId: string,
  query: ParsedQuery,
): Promise<SearchTrace> {
  const { limit } = query.request
  const maxCandidates = Math.max(MAX_CANDIDATES, limit)
  const trace = await runStages(deps, workspaceId, query, maxCandidates)
  const isEnough = trace.excerpts.passages.length >= limit || trace.candidates.all.length < maxCandidates
  if (isEnough || maxCandidates >= MAX_CANDIDATES_WITH_DUPLICATES) return trace
  return runStages(deps, workspaceId, query, MAX_CANDIDATES_WITH_DUPLICATES)
}

async function runStages(
  deps: SearchNeeds,
  workspaceId: string,
  query: ParsedQuery,
  maxCandidates: number,
): Promise<SearchTrace> {
  const { db } = deps
  const candidates = await gatherCandidates(db, workspaceId, query, maxCandidates)
  const scored = score(query, candidates)
  const fusion = fuse(query, scored)
  const fused = { ranked: fusion.ranked, hits: candidates.hits }
  const hop = await secondHop(db, workspaceId, query, fused)
  const rows = await raiseTables(db, workspaceId, query, hop ?? fused)
  const reranking = await rerank(deps, workspaceId, query, rows)
  const order = { ...(reranking ?? rows), isReranked: reranking !== undefined }
  const excerpts = await excerpt(db, workspaceId, query, order)
  return { query, candidates, scored, fusion, hop, rows, reranking, excerpts }
}
