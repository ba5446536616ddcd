// A search as stages. The output of each is the input of the next, and together they are the trace that the inspector shows.
// The stages may run again to replace near-duplicates, or if no passage contains a quoted phrase.

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
import { raiseRows } from './stages/rows.ts'
import { score } from './stages/score.ts'
import { type SecondHop, secondHop } from './stages/second-hop.ts'

// The number of candidates if too many of the first are near-duplicates.
const MAX_CANDIDATES_AMONG_COPIES = 400

export type SearchNeeds = Pick<Deps, 'db' | 'log' | 'embedder'> & Partial<Pick<Deps, 'reranker' | 'memory'>>

/** The output of each stage, in their order. */
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
export type Searched = SearchTrace & { missing: string[] }

/** Runs a search. Does not check access. @throws ApiError 404 for an unknown scope */
export const runSearch = (deps: SearchNeeds, workspaceId: string, request: PassageQuery): Promise<Searched> =>
  span('search', {}, async (span) => {
    const searched = await searchPhrases(deps, workspaceId, await parse(deps, workspaceId, request))
    const { query, excerpts } = searched
    span.set({ 'kenning.terms': query.terms.length, 'kenning.passages': excerpts.passages.length })
    return searched
  })

/** Treats quoted phrases that no passage contains as ordinary words. */
async function searchPhrases(deps: SearchNeeds, workspaceId: string, query: ParsedQuery): Promise<Searched> {
  const trace = await searchCopies(deps, workspaceId, query)
  const { phrases, filter } = query.required
  if (trace.excerpts.passages.length > 0 || phrases.length === 0) return { ...trace, missing: [] }
  const withoutPhrases = { ...query, required: { filter, phrases: [] } }
  return {
    ...(await searchCopies(deps, workspaceId, withoutPhrases)),
    missing: phrases.map(({ text }) => text),
  }
}

/** Returns as many passages as requested. If many are near-duplicates, it takes more candidates. */
async function searchCopies(
  deps: SearchNeeds,
  workspaceId: string,
  query: ParsedQuery,
): Promise<SearchTrace> {
  const { limit } = query.request
  const maxCandidates = Math.max(MAX_CANDIDATES, limit)
  const trace = await runStages(deps, workspaceId, query, maxCandidates)
  const isEnough = trace.excerpts.passages.length >= limit || trace.candidates.all.length < maxCandidates
  if (isEnough || maxCandidates >= MAX_CANDIDATES_AMONG_COPIES) return trace
  return runStages(deps, workspaceId, query, MAX_CANDIDATES_AMONG_COPIES)
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
  const rows = await raiseRows(db, workspaceId, query, hop ?? fused)
  const reranking = await rerank(deps, workspaceId, query, rows)
  const order = { ...(reranking ?? rows), isReranked: reranking !== undefined }
  const excerpts = await excerpt(db, workspaceId, query, order)
  return { query, candidates, scored, fusion, hop, rows, reranking, excerpts }
}
