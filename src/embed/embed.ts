// Turns a query into a vector, for search. A workspace is searched in its one serving space, also while another space is
// filled. If `semanticQuery` returns a vector, `selectNearest` (nearest.sql.ts) finds candidates by it, and `similarity` scores
// the candidates that were found by words. Both scores are added in `withMeaning` (search/fusion.ts). A new chunk that has no
// vector yet gets the mean similarity of the others there.

import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Deps } from '../ports/deps.ts'
import { type EmbeddingModel, modelOf, SENTENCE_MODEL } from '../ports/embedder/embedder.ts'
import { type Space, selectServing } from './spaces.sql.ts'
import { vectorText } from './writers.ts'

/** A query in the serving space of its workspace. */
export interface SemanticQuery {
  /** What an inner product of 1 adds to the score, as a share of the highest possible score by words. */
  weight: number
  space: Pick<Space, 'id' | 'dimensions' | 'index'>
  /** The vector in pgvector's text form. Its length is 1, or less if the model has vectors for few of the query's words. */
  vector: string
}

// Fitted on MuSiQue, scifact and questions in other words than their texts (docs/decisions/0049-sentence-model.md).
const SENTENCE_WEIGHT = 1.6
// The weight for models that were not measured. Most have cosines that are larger and closer together.
const MODEL_WEIGHT = 0.5

export interface QueryText {
  text: AnalysedText
  /** The languages in which the query is analysed, those with the most chunks first. */
  languages: readonly Language[]
}

export type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>

/**
 * The query's vector in the serving space. Undefined if the search is by words alone: there is no serving space, the model is
 * not available, or it does not support the query's language. @param serving the serving space, or null if there is none; it is
 * read from the database if the caller does not pass it
 */
export async function semanticQuery(
  deps: Needs,
  workspaceId: string,
  query: QueryText,
  serving?: Space | null,
): Promise<SemanticQuery | undefined> {
  const space = serving === undefined ? await selectServing(deps.db, workspaceId) : serving
  if (!space) return undefined
  const vector = await embedQuery(deps, space, query)
  const weight = space.embedder === SENTENCE_MODEL ? SENTENCE_WEIGHT : MODEL_WEIGHT
  return vector && { weight, space, vector: vectorText(vector) }
}

async function embedQuery(
  deps: Needs,
  space: Space,
  { text, languages }: QueryText,
): Promise<Float32Array | undefined> {
  const model = modelOf(await deps.embedder(), space.embedder)
  if (model?.languages?.includes(text.languageAmong(languages)) === false) return undefined
  const vector = model && (await queryVector(deps, model, text.text))
  return vector?.length === space.dimensions ? vector : undefined
}

// 1,000 vectors of 1,536 numbers are 6 MB.
const MAX_CACHED_VECTORS = 1000
const PAUSE_AFTER_FAILURE_MS = 10_000

interface QueryVectorCache {
  vectors: Map<string, Promise<Float32Array | undefined>>
  pausedUntil: number
}

const caches = new WeakMap<EmbeddingModel, QueryVectorCache>()

/**
 * A query's vector from a model, from a cache if possible. After a failure the model gets no requests for
 * PAUSE_AFTER_FAILURE_MS, so that a dead server delays one search and not every search. Undefined if the model is not available
 * or refuses the text.
 */
export async function queryVector(
  { log }: Pick<Deps, 'log'>,
  model: EmbeddingModel,
  text: string,
): Promise<Float32Array | undefined> {
  const cache = caches.get(model) ?? { vectors: new Map(), pausedUntil: 0 }
  caches.set(model, cache)
  const cachedVector = cache.vectors.get(text)
  if (!cachedVector && Date.now() < cache.pausedUntil) return undefined
  const vector = cachedVector ?? model.embed([text], 'query').then(([first]) => first)
  addToCache(cache, text, vector)
  try {
    return await vector
  } catch (error) {
    cache.vectors.delete(text)
    cache.pausedUntil = Date.now() + PAUSE_AFTER_FAILURE_MS
    log.warn({ err: error, model: model.id }, 'a query was searched by its words alone')
    return undefined
  }
}

/** Adds the newest query and removes the oldest one if the cache is full. */
function addToCache(
  { vectors }: QueryVectorCache,
  text: string,
  vector: Promise<Float32Array | undefined>,
): void {
  vectors.delete(text)
  vectors.set(text, vector)
  const [oldest] = vectors.keys()
  if (vectors.size > MAX_CACHED_VECTORS && oldest !== undefined) vectors.delete(oldest)
}
