// Entry points of search, for POST /search and for other parts of the code: they check access and run the pipeline.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { SearchRequest, SearchResults } from '../contract/resources.ts'
import { type LinkDeps, passageUrl } from '../documents/passage-url.ts'
import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Deps } from '../ports/deps.ts'
import type { Passage, QueryTerm } from './passage.ts'
import { type PassageQuery, queryOf, type RoomSearch } from './passage-query.ts'
import { runSearch, type SearchNeeds } from './pipeline.ts'
import { weighQuery } from './query/query.ts'
import { excerptOf } from './stages/excerpt.ts'

type Needs = SearchNeeds & LinkDeps & Partial<Pick<Deps, 'use'>>

/** The most relevant chunks, best first (spec, "SearchRequest body"). @throws ApiError 404 for an unknown scope. */
export async function search(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  request: SearchRequest,
): Promise<SearchResults> {
  return (await searchWithMissing(deps, caller, workspaceId, request)).results
}

/** As `search`, and also returns the quoted phrases that no passage contains. Their words were searched like any others. */
export async function searchWithMissing(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  request: RoomSearch,
): Promise<{ results: SearchResults; missing: string[] }> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const { query, excerpts, missing } = await runSearch(deps, workspaceId, queryOf(request))
  const { passages } = excerpts
  if (!request.preview)
    deps.use?.found(
      workspaceId,
      passages.map(({ document_id }) => document_id),
    )
  const chunkOf = excerptOf(query)
  const data = passages.map((passage) => ({
    ...chunkOf(passage),
    source_url: passageUrl(deps, workspaceId, passage),
  }))
  return { results: { query: request.query, data }, missing }
}

/** Passages with their scores and whole texts, best first; ties by chunk id. @throws ApiError 404 */
export async function findPassages(
  deps: SearchNeeds,
  caller: Caller,
  workspaceId: string,
  query: PassageQuery,
): Promise<Passage[]> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return (await runSearch(deps, workspaceId, query)).excerpts.passages
}

/** The terms of a text with their frequencies in a workspace, by which callers measure how much of a question passages cover. */
export interface QueryTerms {
  terms: QueryTerm[]
  /** The likeliest term for each word that no chunk has and that is probably mistyped. */
  corrections: ReadonlyMap<string, string>
  /** The words of the text, as written, that compounds of the workspace contain: "Öl" if it has "Ölwechsel". */
  wordsInCompounds: ReadonlySet<string>
  /** Terms of words that the documents write as one with their neighbour, by each of the two words, folded. */
  joinedTerms: ReadonlyMap<string, readonly string[]>
  chunks: number
  /** The languages of the workspace in which the text is read. */
  languages: readonly Language[]
}

/** @throws ApiError 404 */
export async function queryTerms(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  text: string | AnalysedText,
): Promise<QueryTerms> {
  await requireWorkspace({ db }, caller, workspaceId, 'read')
  const query = await weighQuery(db, workspaceId, analysedText(text), { isCorrecting: true })
  const explanation = query?.explain()
  const corrections = (explanation?.corrections ?? []).flatMap(({ typed: typedWord, terms: [likeliest] }) =>
    likeliest === undefined ? [] : [[typedWord, likeliest] as const],
  )
  const corrected = new Set(corrections.map(([, term]) => term))
  const terms = query?.terms ?? []
  const wordsInCompounds = terms.flatMap(({ term }) => {
    const word = explanation?.originOf(term) === 'compound' ? explanation.typedWordFor(term) : undefined
    // A shorter term is a part of the word.
    return word !== undefined && word.length < term.length ? [word] : []
  })
  return {
    terms: terms
      .filter(({ term, weight }) => weight === 1 || corrected.has(term))
      .map(({ term, df, idf }) => ({ term, df, idf })),
    corrections: new Map(corrections),
    wordsInCompounds: new Set(wordsInCompounds),
    joinedTerms: explanation?.joinedTerms ?? new Map(),
    chunks: query?.chunks ?? 0,
    languages: query?.languages ?? [],
  }
}
