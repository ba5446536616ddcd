// POST /search and what the ask room searches with: analysed query, exact BM25, duplicates out, tables in part.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Chunk, SearchRequest, SearchResults } from '../contract/resources.ts'
import { scopeExists } from '../documents/scopes.sql.ts'
import { notFound } from '../errors.ts'
import { LANGUAGES } from '../language/language.ts'
import type { Deps } from '../ports/deps.ts'
import type { Passage, QueryTerm } from './passage.ts'
import {
  type Filter,
  type Hit,
  selectFrequencies,
  selectHits,
  selectLanguages,
} from './search.sql.ts'
import { trimTable } from './table.ts'
import { idf, querySide, queryWeights, termHash } from './weights.ts'

// Below this many chunks a scan of the workspace beats candidates by GIN (2.3 against 4.5 ms at 1k, PostgreSQL 18).
const SCAN_BELOW = 3000
// Rarest terms first until their frequencies sum to this: overlap@10 with the full scan .998 at 60k chunks.
const CANDIDATE_SUM = 3000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

type Needs = Pick<Deps, 'db'>

/** The most relevant chunks, best first (spec, "SearchRequest body"). @throws ApiError 404 for an unknown scope. */
export async function search(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  request: SearchRequest,
): Promise<SearchResults> {
  const passages = await findPassages(deps, caller, workspaceId, {
    query: request.query,
    limit: request.limit,
    ...(request.scope == null ? {} : { scope: request.scope }),
    ...(request.entity_ids?.length ? { entityIds: request.entity_ids } : {}),
  })
  return { query: request.query, data: passages.map((passage) => asChunk(passage, request.query)) }
}

export interface PassageQuery extends Filter {
  query: string
  limit: number
}

/** Passages with their scores and whole texts, best first; ties by chunk id. */
export async function findPassages(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: PassageQuery,
): Promise<Passage[]> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  await requireScope(deps, workspaceId, query.scope)
  const filter = {
    ...query,
    ...(query.entityIds && { entityIds: query.entityIds.filter((id) => UUID.test(id)) }),
  }
  const { terms, chunks } = await weigh(deps, workspaceId, query.query)
  const known = terms.filter((term) => term.df > 0)
  if (known.length === 0) return []
  const wanted = {
    side: querySide(known.map(({ hash, weight, idf }) => ({ term: hash, weight: weight * idf }))),
    candidates: chunks < SCAN_BELOW ? undefined : rarest(known),
    filter,
    phrases: quoted(query.query),
  }
  const look = (limit: number): Promise<Hit[]> => selectHits(deps.db, workspaceId, { ...wanted, limit })
  const first = await look(query.limit * 2 + 10)
  const found = distinct(first)
  // In a workspace full of near-duplicates the second look goes deep.
  const enough = found.length >= query.limit || (first.at(-1)?.score ?? 0) <= 0
  const best = enough ? found : distinct(await look(query.limit * 20))
  return best.slice(0, query.limit).map(withoutTerms)
}

/** A text's terms as the workspace knows them, for judging how far passages cover a question. */
export async function queryTerms(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  text: string,
): Promise<{ terms: QueryTerm[]; chunks: number }> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const { terms, chunks } = await weigh(deps, workspaceId, text)
  return {
    terms: terms.filter(({ weight }) => weight === 1).map(({ term, df, idf }) => ({ term, df, idf })),
    chunks,
  }
}

type WeighedTerm = QueryTerm & { hash: number; weight: number }

async function weigh(
  deps: Needs,
  workspaceId: string,
  query: string,
): Promise<{ terms: WeighedTerm[]; chunks: number }> {
  const spoken = await selectLanguages(deps.db, workspaceId)
  const chunks = spoken.reduce((sum, row) => sum + row.chunks, 0)
  const languages = spoken.map((row) => row.language)
  const weights = queryWeights(query, languages.length ? languages : [LANGUAGES[0]])
  const hashes = new Map([...weights.keys()].map((term) => [term, termHash(term)]))
  const rows = weights.size
    ? await selectFrequencies(deps.db, workspaceId, [...new Set(hashes.values())])
    : []
  const frequency = new Map(rows.map((row) => [row.term, row.df]))
  const terms = [...weights].map(([term, weight]) => {
    const hash = hashes.get(term) ?? 0
    const df = Math.max(0, frequency.get(hash) ?? 0)
    return { term, hash, weight, df, idf: idf(df, chunks) }
  })
  return { terms, chunks }
}

/** Which terms to take candidates from; undefined (a scan) when even the rarest is common. */
function rarest(terms: WeighedTerm[]): number[] | undefined {
  const chosen: number[] = []
  let sum = 0
  for (const { hash, df } of [...terms].sort((a, b) => a.df - b.df)) {
    if (sum + df > CANDIDATE_SUM && chosen.length > 0) break
    if (sum + df > CANDIDATE_SUM * 4) return undefined
    chosen.push(hash)
    sum += df
  }
  return chosen
}

async function requireScope(deps: Needs, workspaceId: string, scope: string | undefined): Promise<void> {
  if (scope === undefined) return
  if (!(await scopeExists(deps.db, workspaceId, scope))) throw notFound()
}

/** Phrases in double quotes, in the form that SQL compares: lower case, single spaces. */
const quoted = (query: string): string[] =>
  [...query.matchAll(/["“”«»„]([^"“”«»„]{2,200})["“”«»„]/gu)]
    .map((match) => (match[1] ?? '').toLowerCase().replace(/\s+/g, ' ').trim())
    .filter(Boolean)

// Two chunks that share nine tenths of their terms say the same thing: the better one stays.
const SAME_SHARE = 0.9

/** Without near-duplicates of a better hit, and without chunks that share no term. */
function distinct(hits: Hit[]): Hit[] {
  const kept: { hit: Hit; terms: Set<number> }[] = []
  for (const hit of hits.filter(({ score }) => score > 0)) {
    const terms = new Set(hit.terms)
    if (!kept.some((other) => jaccard(other.terms, terms) >= SAME_SHARE)) kept.push({ hit, terms })
  }
  return kept.map(({ hit }) => hit)
}

function jaccard(a: Set<number>, b: Set<number>): number {
  let shared = 0
  for (const term of a) if (b.has(term)) shared++
  return shared / (a.size + b.size - shared || 1)
}

const withoutTerms = ({ terms: _terms, ...passage }: Hit): Passage => passage

function asChunk(passage: Passage, query: string): Chunk {
  const text = passage.type === 'table' ? trimTable(passage.text, query, passage.language) : passage.text
  const { chunk_id: id, document_id, document_title, type, page } = passage
  return { id, text, document_id, document_title, type, page, source_url: null }
}
