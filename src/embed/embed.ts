// A query as a vector, for search. A workspace is searched in the one space that serves, also while another one fills, or by
// words alone if it has none. How search uses it:
//
//   const query = await semanticQuery(deps, workspaceId, { text, languages })
//   undefined → by words alone (a language that the model does not read; no embedder; the model is away)
//   a vector  → selectNearest (nearest.sql.ts) finds candidates of its own, and `similarity` scores those found by words; it is
//               added to their score by words, by its weight (search/fusion.ts, withMeaning)
//
// A chunk that has no vector yet (just uploaded) has no such score and takes part by its words alone.

import type { AnalysedText } from '../language/analysed-text.ts'
import type { Language } from '../language/language.ts'
import type { Deps } from '../ports/deps.ts'
import { type EmbeddingModel, modelOf, SENTENCE_MODEL } from '../ports/embedder/embedder.ts'
import { type Space, selectServing } from './spaces.sql.ts'
import { vectorText } from './writers.ts'

/** A query in the serving space of its workspace. */
export interface SemanticQuery {
  /** What an inner product of 1 is worth, as a share of the most that the words of the query could reach. */
  weight: number
  space: Pick<Space, 'id' | 'dimensions' | 'index'>
  /** pgvector's text form, length 1, or shorter where the model knows few of the query's words. */
  vector: string
}

// Chosen on the gap of words, MuSiQue and scifact (docs/decisions/0049-sentence-model.md).
const SENTENCE_WEIGHT = 1.6
// Of models that were not measured: their cosines are larger and lie closer together.
const MODEL_WEIGHT = 0.5

export interface QueryText {
  text: AnalysedText
  /** Those it is read in, most chunks first. */
  languages: readonly Language[]
}

export type Needs = Pick<Deps, 'db' | 'log' | 'embedder'>

/**
 * The query's vector in the serving space, which is read unless the caller has it; undefined: search by words alone. That a
 * model is away is logged, never thrown.
 */
export async function semanticQuery(
  deps: Needs,
  workspaceId: string,
  query: QueryText,
  serving?: Space | null,
): Promise<SemanticQuery | undefined> {
  const space = serving === undefined ? await selectServing(deps.db, workspaceId) : serving
  if (!space) return undefined
  const vector = await askModel(deps, space, query)
  const weight = space.embedder === SENTENCE_MODEL ? SENTENCE_WEIGHT : MODEL_WEIGHT
  return vector && { weight, space, vector: vectorText(vector) }
}

async function askModel(
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
const AWAY_MS = 10_000

interface Memory {
  vectors: Map<string, Promise<Float32Array | undefined>>
  awayUntil: number
}

const memories = new WeakMap<EmbeddingModel, Memory>()

/**
 * A query's vector from a model, cached for a while. A model known to be away is not asked, so that a dead server costs one
 * search two seconds and not every search. Undefined when the model is away or refuses the text.
 */
export async function queryVector(
  { log }: Pick<Deps, 'log'>,
  model: EmbeddingModel,
  text: string,
): Promise<Float32Array | undefined> {
  const memory = memories.get(model) ?? { vectors: new Map(), awayUntil: 0 }
  memories.set(model, memory)
  const cachedVector = memory.vectors.get(text)
  if (!cachedVector && Date.now() < memory.awayUntil) return undefined
  const vector = cachedVector ?? model.embed([text], 'query').then(([first]) => first)
  cache(memory, text, vector)
  try {
    return await vector
  } catch (error) {
    memory.vectors.delete(text)
    memory.awayUntil = Date.now() + AWAY_MS
    log.warn({ err: error, model: model.id }, 'a query was searched by its words alone')
    return undefined
  }
}

/** Keeps the most recently asked queries. */
function cache({ vectors }: Memory, text: string, vector: Promise<Float32Array | undefined>): void {
  vectors.delete(text)
  vectors.set(text, vector)
  const [oldest] = vectors.keys()
  if (vectors.size > MAX_CACHED_VECTORS && oldest !== undefined) vectors.delete(oldest)
}
