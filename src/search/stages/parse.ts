// The first stage: splits the query into words, and reads everything about them that depends on the workspace.

import { semanticQuery } from '../../embed/embed.ts'
import { ApiError } from '../../errors.ts'
import { type AnalysedText, analysedText } from '../../language/analysed-text.ts'
import type { Deps } from '../../ports/deps.ts'
import { span } from '../../ports/trace/trace.ts'
import type { WeightedMeaning } from '../candidates/candidates.sql.ts'
import type { ResultConditions } from '../candidates/filter.sql.ts'
import { rankingOf } from '../memory/memory.ts'
import type { Ranking } from '../memory/ranking.ts'
import { hasPart, type PassageQuery } from '../passage-query.ts'
import { phrasesOf } from '../query/phrases.ts'
import { isLong, totalWeightOf, type WeightedQuery, weighQuery } from '../query/query.ts'
import { findTargets, NO_TARGETS, type TargetDocuments } from '../subject.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const NO_SUCH_SCOPE =
  'This workspace has no scope of that name: GET /workspaces/{workspace_id}/scopes lists them.'

export interface ParsedQuery extends WeightedQuery {
  request: PassageQuery
  text: AnalysedText
  required: ResultConditions
  /** Undefined if the query has no vector, or no words with which its meaning can be compared. */
  meaning: WeightedMeaning | undefined
  targets: TargetDocuments
  /** The workspace's chunks, if they are kept in memory. */
  ranking: Ranking | undefined
}

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'> & Partial<Pick<Deps, 'memory'>>

/** @throws ApiError 404 for an unknown scope */
export async function parse(deps: Needs, workspaceId: string, request: PassageQuery): Promise<ParsedQuery> {
  const text = analysedText(request.query)
  const mayNameDocuments = hasPart(request, 'subjects') && request.documents === undefined
  const query = await span('search: understand', {}, () =>
    weighQuery(deps.db, workspaceId, text, {
      scope: request.scope,
      isCorrecting: hasPart(request, 'correction'),
      usesEmphasis: hasPart(request, 'emphasis'),
      mayNameDocuments,
    }),
  )
  if (!query) throw new ApiError(404, 'not_found', NO_SUCH_SCOPE)
  const meaning = hasPart(request, 'meaning') ? await meaningOf(deps, workspaceId, text, query) : undefined
  // A long question names many things that are not the subject of a document. If it preferred documents about them, nDCG@10 of
  // MultiHop-RAG would fall from .793 to .704.
  const targets =
    mayNameDocuments && !isLong(query.terms)
      ? await span('search: documents meant', {}, () => findTargets(deps.db, workspaceId, text, query))
      : NO_TARGETS
  const ranking = await span('search: memory', {}, () => rankingOf(deps, workspaceId, query))
  return { ...query, request, text, required: requiredOf(request, text), meaning, targets, ranking }
}

async function meaningOf(
  deps: Needs,
  workspaceId: string,
  text: AnalysedText,
  { terms, languages, space }: WeightedQuery,
): Promise<WeightedMeaning | undefined> {
  const totalWeight = totalWeightOf(terms)
  if (totalWeight <= 0) return undefined
  const query = await span('search: meaning', {}, () =>
    semanticQuery(deps, workspaceId, { text, languages }, space),
  )
  return query && { query, factor: query.weight * totalWeight }
}

// The filter is all other fields of the request, so that a new field of `Filter` is included without a change here.
function requiredOf(
  { query: _query, limit: _limit, without: _without, ...filter }: PassageQuery,
  text: AnalysedText,
): ResultConditions {
  const { entityIds, ...others } = filter
  // The database would reject an id that is no UUID. No entity has such an id.
  const ids = entityIds && { entityIds: entityIds.filter((id) => UUID.test(id)) }
  return { filter: { ...others, ...ids }, phrases: phrasesOf(text) }
}
