// Search, for POST /search and the ask room: the query's terms, exact scores of the candidates, one order by words, documents
// and meaning, without duplicates, with excerpts of large tables.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Chunk, SearchRequest, SearchResults } from '../contract/resources.ts'
import { type Linking, passageUrl } from '../documents/passage-url.ts'
import { semanticQuery } from '../embed/embed.ts'
import { type Nearest, selectNearest } from '../embed/nearest.sql.ts'
import { ApiError } from '../errors.ts'
import { type AnalysedText, analysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Deps } from '../ports/deps.ts'
import { span } from '../ports/trace/trace.ts'
import type { Candidate, WeighedMeaning } from './candidates/candidates.sql.ts'
import { type Wanted as CandidateQuery, findCandidates } from './candidates/candidates.ts'
import { conditionsOnAll, type Filter, type Required } from './candidates/filter.sql.ts'
import {
  distinct,
  inOrder,
  type Ranked,
  spread,
  withDocument,
  withMeaning,
  withPreference,
} from './fusion.ts'
import { rankingOf } from './memory/memory.ts'
import type { Ranking } from './memory/ranking.ts'
import { type Hit, selectPassages } from './passage.sql.ts'
import type { Passage, QueryTerm } from './passage.ts'
import { phrasesOf } from './query/phrases.ts'
import { isLong, reachOf, sideOf, type Understood, understand, type WeighedTerm } from './query/query.ts'
import { RERANKED, reranked } from './rerank.ts'
import { ROWS_AMONG, withRows } from './rows.ts'
import { HOP_STARTS, mayHaveSteps, withSecondHop } from './second-hop.ts'
import { findMeant, type Meant, NOTHING_MEANT } from './subject.ts'
import { rowsFirst, trimTable } from './table.ts'
import { startAgain, type Trace } from './trace.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
// Candidates that are ranked: with 100, 200, 400 and 1,000 scifact, MuSiQue, MultiHop-RAG and FinanceBench have the same figures
// (±.001), and 200 took 2 ms more on a server, since the document of each is scored. More when too many of them are near-duplicates.
export const RANKED = 100
const RANKED_AMONG_COPIES = 400
// What has none of the words is a result only if it is as near as this. Of 88 passages of a handbook with 60 questions half have a cosine
// of less than .07, and nine of ten that answer in other words one of more than .13; half of the queries have a length of .55 or more.
const MIN_SIMILARITY = 0.06
// A table whose row matches is searched among at least so many.
const LOOKED_AT = 10

const NO_SUCH_SCOPE =
  'This workspace has no scope of that name: GET /workspaces/{workspace_id}/scopes lists them.'
// So many more passages are read than shown, to replace near-duplicates; more only if that is not enough.
const SPARE = 5

type Needs = Pick<Deps, 'db' | 'log' | 'embedder'> & Partial<Pick<Deps, 'reranker' | 'memory'>>

/** The most relevant chunks, best first (spec, "SearchRequest body"). @throws ApiError 404 for an unknown scope. */
export async function search(
  deps: Needs & Linking & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  workspaceId: string,
  request: SearchRequest,
): Promise<SearchResults> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return (await searchWithDiagnostics(deps, workspaceId, request)).results
}

/** The same, with the quoted phrases that no passage has: their words were searched for like any others. */
export async function searchTold(
  deps: Needs & Linking & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  workspaceId: string,
  request: SearchRequest,
): Promise<Told> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return searchWithDiagnostics(deps, workspaceId, request)
}

interface Told {
  results: SearchResults
  missing: string[]
}

async function searchWithDiagnostics(
  deps: Needs & Linking & Partial<Pick<Deps, 'use'>>,
  workspaceId: string,
  request: SearchRequest,
): Promise<Told> {
  const { shown: results, text, terms, missing } = await find(deps, workspaceId, queryOf(request))
  const understood = new Map(terms.map(({ term, weight }) => [term, weight]))
  deps.use?.found(
    workspaceId,
    results.map(({ document_id }) => document_id),
  )
  const data = results.map((passage) => ({
    ...asChunk(passage, text, understood),
    source_url: passageUrl(deps, workspaceId, passage),
  }))
  return { results: { query: request.query, data }, missing }
}

export const queryOf = ({ query, limit, scope, entity_ids: entityIds }: SearchRequest): PassageQuery => ({
  query,
  limit,
  ...(scope == null ? {} : { scope }),
  ...(entityIds?.length ? { entityIds } : {}),
})

/** What search does beyond exact BM25 of every chunk; `lab/quality` turns each off to measure its effect. */
export type SearchPart =
  | 'emphasis'
  | 'subjects'
  | 'rows'
  | 'documents'
  | 'meaning'
  | 'second hop'
  | 'correction'
  | 'candidates'
  | 'reranker'

export interface PassageQuery extends Filter {
  query: string
  limit: number
  without?: readonly SearchPart[]
}

/** Passages with their scores and whole texts, best first; ties by chunk id. @throws ApiError 404 */
export async function findPassages(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: PassageQuery,
): Promise<Passage[]> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return (await find(deps, workspaceId, query)).shown
}

/** What was found, with the terms that were searched for and the quoted phrases that no passage has. */
export interface Found {
  shown: Passage[]
  /** The query. */
  text: AnalysedText
  terms: readonly WeighedTerm[]
  missing: string[]
}

/**
 * For whoever has asked for access. Quoted phrases that nothing has become words like others.
 * @param trace notes what each step did
 */
export const find = (deps: Needs, workspaceId: string, query: PassageQuery, trace?: Trace): Promise<Found> =>
  span('search', {}, async (span) => {
    const outcome = await findNow(deps, workspaceId, query, trace)
    span.set({ 'kenning.terms': outcome.terms.length, 'kenning.passages': outcome.shown.length })
    return outcome
  })

async function findNow(deps: Needs, workspaceId: string, query: PassageQuery, trace?: Trace): Promise<Found> {
  const has = (part: SearchPart): boolean => !query.without?.includes(part)
  const text = analysedText(query.query)
  const isEmphasized = has('emphasis')
  const isMeaningDocuments = has('subjects') && query.documents === undefined
  const reading = { scope: query.scope, isCorrecting: has('correction'), isEmphasized, isMeaningDocuments }
  const known = await span('search: understand', {}, () => understand(deps.db, workspaceId, text, reading))
  if (!known) throw new ApiError(404, 'not_found', NO_SUCH_SCOPE)
  const required = requiredOf(query, text)
  const meaning = has('meaning') ? await weighedMeaning(deps, workspaceId, text, known) : undefined
  // A long question names everything it is about, other things than documents too: MultiHop-RAG nDCG@10 .793 without this
  // preference, .704 with it (300 questions).
  const meant =
    isMeaningDocuments && !isLong(known.terms)
      ? await span('search: documents meant', {}, () => findMeant(deps.db, workspaceId, text, known))
      : NOTHING_MEANT
  const ranking = await span('search: memory', {}, () => rankingOf(deps, workspaceId, known))
  const asked = { query, text, known, required, has, meaning, meant, ranking, trace }
  const shown = await allOf(deps, workspaceId, asked)
  if (shown.length > 0 || required.phrases.length === 0)
    return { shown, text, terms: known.terms, missing: [] }
  const preferred = { ...asked, required: { ...required, phrases: [] } }
  const missing = required.phrases.map(({ text }) => text)
  return { shown: await allOf(deps, workspaceId, preferred), text, terms: known.terms, missing }
}

/** Undefined where the query has no vector, or no words to compare its meaning with. */
async function weighedMeaning(
  deps: Needs,
  workspaceId: string,
  text: AnalysedText,
  { terms, languages, basis, space }: Understood,
): Promise<WeighedMeaning | undefined> {
  const reach = reachOf(terms)
  if (reach <= 0) return undefined
  const query = await span('search: meaning', {}, () =>
    semanticQuery(deps, workspaceId, { text, languages, terms, basis }, space),
  )
  return query && { query, factor: query.weight * reach }
}

/** As many passages as are wanted, among more candidates where many are near-duplicates. */
async function allOf(deps: Needs, workspaceId: string, asked: Asked): Promise<Passage[]> {
  const { query, known, required, meaning, trace } = asked
  if (trace) Object.assign(trace, { known, required, meaning: meaning?.query })
  const ranked = Math.max(RANKED, query.limit)
  const { shown, isCut } = await bestOf(deps, workspaceId, asked, ranked)
  if (shown.length >= query.limit || !isCut || ranked >= RANKED_AMONG_COPIES) return shown
  return (await bestOf(deps, workspaceId, asked, RANKED_AMONG_COPIES)).shown
}

/** The best passages among so many candidates. `isCut`: there are more candidates. */
async function bestOf(
  deps: Needs,
  workspaceId: string,
  asked: Asked,
  candidates: number,
): Promise<{ shown: Passage[]; isCut: boolean }> {
  const { query, text, known, has, meant, trace } = asked
  startAgain(trace)
  const byWords = await rank(deps, workspaceId, asked, candidates)
  const ranked = spread(byWords.ranked, isLong(known.terms), meant.foremost)
  trace?.steps.push({ step: 'spread', ranking: ranked })
  const bySpread = { ...byWords, ranked }
  const found = await withHops(deps, workspaceId, asked, bySpread)
  const raised = await raiseRows(deps, workspaceId, asked, found)
  const last = has('reranker') ? await rerank(deps, workspaceId, asked, raised) : raised
  const shown = await passages(
    deps,
    workspaceId,
    { ...last, chunks: known.chunks, limit: Math.max(query.limit, LOOKED_AT) },
    trace,
  )
  // A reranking model has read the tables itself.
  const ordered = deps.reranker && has('reranker') ? shown : rowsFirst(shown, text)
  trace?.steps.push({ step: 'rows', ranking: ordered })
  return {
    shown: ordered.slice(0, query.limit).map((passage) => withMeant(passage, meant)),
    isCut: byWords.ranked.length >= candidates,
  }
}

function withMeant<One extends Passage>(passage: One, { factors, foremost: [best = ''] }: Meant): One {
  const preference = (id: string): number => (factors.get(id) ?? 1) - 1
  const most = preference(best)
  return most > 0 ? { ...passage, meant: preference(passage.document_id) / most } : passage
}

/** Chunks in order, and those of their passages that were read already. */
interface Order {
  ranked: readonly Ranked[]
  read: readonly Hit[]
}

/** For a question of several steps, the ranking with the results of the second hop. */
async function withHops(
  deps: Needs,
  workspaceId: string,
  { query, text, known: parsedQuery, required, has, trace }: Asked,
  order: Order,
): Promise<Order> {
  const steps = has('second hop') && required.phrases.length === 0 && !query.entityIds
  if (!steps || !mayHaveSteps(text, parsedQuery.terms)) return order
  const { terms, documents } = parsedQuery
  // At least the passages that the hop starts from, so that three results are the first three of twenty.
  const hits = await passages(deps, workspaceId, {
    ...order,
    chunks: parsedQuery.chunks,
    limit: Math.max(query.limit, HOP_STARTS),
  })
  const hop = { ...required, shown: hits, terms, side: sideOf(terms), documents }
  if (trace) trace.mayHop = true
  const note = trace && ((hops: Trace['hops']) => Object.assign(trace, { hops }))
  const ranked = await span('search: second hop', {}, () =>
    withSecondHop(deps.db, workspaceId, order.ranked, hop, note),
  )
  trace?.steps.push({ step: 'second_hop', ranking: ranked })
  return { ranked, read: [...order.read, ...hits] }
}

/** Within documents that are meant, tables with a row that says what is asked. */
async function raiseRows(deps: Needs, workspaceId: string, asked: Asked, found: Order): Promise<Order> {
  const { has, meant } = asked
  if (!has('rows') || meant.foremost.length === 0) return found
  return span('search: rows', {}, () => rowsRaised(deps, workspaceId, asked, found))
}

async function rowsRaised(
  { db }: Needs,
  workspaceId: string,
  { known: parsedQuery, meant: targets }: Asked,
  order: Order,
): Promise<Order> {
  const first = order.ranked
    .slice(0, ROWS_AMONG)
    .filter((item) => targets.foremost.includes(item.document_id))
  const read = new Map(order.read.map((hit) => [hit.chunk_id, hit]))
  const missing = first.map(({ chunk_id }) => chunk_id).filter((id) => !read.has(id))
  if (missing.length)
    for (const hit of await selectPassages(db, workspaceId, missing, parsedQuery.chunks))
      read.set(hit.chunk_id, hit)
  const texts = new Map(
    first.flatMap(({ chunk_id }) => {
      const hit = read.get(chunk_id)
      return hit ? [[chunk_id, { ...hit, score: 0 }] as const] : []
    }),
  )
  return {
    ranked: withRows(order.ranked, texts, { ...targets, terms: parsedQuery.terms }),
    read: [...read.values()],
  }
}

async function rerank(
  deps: Needs,
  workspaceId: string,
  { query: { query }, known: parsedQuery, trace }: Asked,
  order: Order,
): Promise<Order> {
  if (!deps.reranker || order.ranked.length === 0) return order
  const read = await passages(deps, workspaceId, { ...order, chunks: parsedQuery.chunks, limit: RERANKED })
  const ranked = await reranked(deps.reranker, query, order.ranked, read)
  trace?.steps.push({ step: 'reranker', ranking: ranked })
  return { ranked, read }
}

// All that a query has beside these three is its filter, so that a new field of `Filter` is not forgotten here.
function requiredOf(
  { query: _query, limit: _limit, without: _without, ...filter }: PassageQuery,
  text: AnalysedText,
): Required {
  const { entityIds, ...others } = filter
  // No entity has an id of another form.
  const ids = entityIds && { entityIds: entityIds.filter((id) => UUID.test(id)) }
  return { filter: { ...others, ...ids }, phrases: phrasesOf(text) }
}

interface Asked {
  query: PassageQuery
  text: AnalysedText
  known: Understood
  required: Required
  has: (part: SearchPart) => boolean
  meaning: WeighedMeaning | undefined
  /** The documents that the query names. */
  meant: Meant
  /** The workspace's chunks, where they are kept in memory. */
  ranking: Ranking | undefined
  trace: Trace | undefined
}

/** Chunks ordered by words, documents and meaning. */
async function rank(deps: Needs, workspaceId: string, asked: Asked, limit: number): Promise<Order> {
  const { known, required, query, text, has, meaning, meant, ranking, trace } = asked
  const shown = Math.max(query.limit, LOOKED_AT) + SPARE
  const isNarrowed = has('candidates')
  const wanted = { known, required, query: text, meaning, limit, shown, isNarrowed, ranking }
  const { found, read, source } = await span('search: candidates', {}, () =>
    candidatesOf(deps, workspaceId, wanted, meant),
  )
  const candidates = await withNearest(deps, workspaceId, found, asked)
  const byDocument = inOrder(
    candidates.map((candidate) => ({
      ...candidate,
      score: has('documents') ? withDocument(candidate.score, candidate.document_score) : candidate.score,
    })),
  )
  const byMeaning = meaning ? withMeaning(byDocument, meaning.factor) : byDocument
  const ranked = withPreference(byMeaning, meant.factors)
  if (trace) {
    Object.assign(trace, { candidates: found, source })
    trace.steps.push({ step: 'words', ranking: found }, { step: 'document', ranking: byDocument })
    if (meaning) trace.steps.push({ step: 'meaning', ranking: byMeaning })
    if (meant.factors.size) trace.steps.push({ step: 'subject', ranking: ranked })
  }
  return { ranked, read }
}

/** The candidates, and those of the documents that are meant most. */
async function candidatesOf(
  { db }: Needs,
  workspaceId: string,
  request: CandidateQuery,
  { foremost }: Meant,
): ReturnType<typeof findCandidates> {
  const all = await findCandidates(db, workspaceId, request)
  if (foremost.length === 0) return all
  const { required } = request
  const within = { ...required, filter: { ...required.filter, documents: foremost } }
  const more = await findCandidates(db, workspaceId, { ...request, required: within })
  const firstIds = new Set(all.found.map(({ chunk_id }) => chunk_id))
  const candidates = [...all.found, ...more.found.filter(({ chunk_id }) => !firstIds.has(chunk_id))]
  return { ...all, found: inOrder(candidates), read: [...all.read, ...more.read] }
}

/** Those found by words, and those that a model finds by meaning behind the same filter. */
async function withNearest(
  { db }: Needs,
  workspaceId: string,
  byWords: readonly Candidate[],
  { known: { terms, chunks }, required, meaning, trace }: Asked,
): Promise<Candidate[]> {
  if (meaning?.query.strength !== 'strong') return [...byWords]
  const conditions = conditionsOnAll(workspaceId, required)
  const wanted = { limit: RANKED, side: sideOf(terms), chunks, conditions }
  const nearest = await span('search: nearest', {}, () =>
    selectNearest(db, workspaceId, meaning.query, wanted),
  )
  if (trace) trace.nearest = nearest
  const known = new Set(byWords.map(({ chunk_id }) => chunk_id))
  const isNew = ({ chunk_id, score, similarity }: Nearest): boolean =>
    !known.has(chunk_id) && (score > 0 || similarity >= MIN_SIMILARITY)
  return [...byWords, ...nearest.filter(isNew)]
}

/** The first `limit` passages that are not near-duplicates. Among many duplicates, more and more are read. */
async function passages(
  { db }: Needs,
  workspaceId: string,
  {
    ranked,
    read,
    chunks,
    limit,
  }: Pick<Order, 'ranked' | 'read'> & Pick<Understood, 'chunks'> & { limit: number },
  trace?: Trace,
): Promise<(Passage & Hit)[]> {
  const hitById = new Map(read.map((hit) => [hit.chunk_id, hit]))
  const unread = ranked.findIndex(({ chunk_id }) => !hitById.has(chunk_id))
  for (const deep of [unread < 0 ? ranked.length : unread, limit + SPARE, limit * 2 + 10, ranked.length]) {
    const considered = ranked.slice(0, deep)
    const missing = considered
      .filter(({ chunk_id }) => !hitById.has(chunk_id))
      .map(({ chunk_id }) => chunk_id)
    if (missing.length)
      for (const hit of await span('search: passages', {}, () =>
        selectPassages(db, workspaceId, missing, chunks),
      ))
        hitById.set(hit.chunk_id, hit)
    const hits = considered.flatMap(({ chunk_id, score }) => {
      const hit = hitById.get(chunk_id)
      return hit ? [{ ...hit, score }] : []
    })
    const distinctHits = distinct(hits)
    if (trace) trace.nearDuplicates = hits.length - distinctHits.length
    if (distinctHits.length >= limit || deep >= ranked.length) return distinctHits.slice(0, limit)
  }
  return []
}

/** A text's terms with their frequencies in the workspace, for assessing how far passages cover a question. @throws ApiError 404 */
/** The terms of a text with their frequencies in a workspace. */
export interface QueryTerms {
  terms: QueryTerm[]
  /** The likeliest term for each word that no chunk has and that is probably mistyped. */
  corrections: ReadonlyMap<string, string>
  chunks: number
  /** The languages of the workspace that the text is read in. */
  languages: readonly Language[]
}

export async function queryTerms(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  text: string,
): Promise<QueryTerms> {
  await requireWorkspace({ db }, caller, workspaceId, 'read')
  const parsedQuery = await understand(db, workspaceId, analysedText(text), { isCorrecting: true })
  const corrections = (parsedQuery?.explain().corrections ?? []).flatMap(({ typed, terms: [likeliest] }) =>
    likeliest === undefined ? [] : [[typed, likeliest] as const],
  )
  const corrected = new Set(corrections.map(([, term]) => term))
  return {
    terms: (parsedQuery?.terms ?? [])
      .filter(({ term, weight }) => weight === 1 || corrected.has(term))
      .map(({ term, df, idf }) => ({ term, df, idf })),
    corrections: new Map(corrections),
    chunks: parsedQuery?.chunks ?? 0,
    languages: parsedQuery?.languages ?? [],
  }
}

export function asChunk(
  passage: Passage,
  query: AnalysedText,
  understood: ReadonlyMap<string, number>,
): Chunk {
  const { chunk_id: id, document_id, document_title, type, page, language, text: whole } = passage
  const text = type === 'table' ? trimTable(whole, query, language, understood) : whole
  return { id, text, document_id, document_title, type, page }
}
