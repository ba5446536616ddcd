// Computes how near passages and their sentences are to a question, with the sentence model of the package.

import type { Language } from '../language/language.ts'
import { type EmbeddingModel, modelOf, SENTENCE_MODEL, unit } from '../ports/embedder/embedder.ts'
import { type Needs, queryVector } from './embed.ts'
import { selectMeanSimilarity, selectSimilarities } from './nearest.sql.ts'
import { selectServing } from './spaces.sql.ts'
import { vectorText } from './writers.ts'

export interface LanguageText {
  text: string
  language: Language
}

/** Cosines with a question. Chunks without a vector, and texts in a language that the model does not support, have none. */
export interface Cosines {
  chunks: ReadonlyMap<string, number>
  /** The mean cosine of the chunks of the workspace. */
  mean: number
  texts: (number | undefined)[]
}

/**
 * How near chunks and texts are to a question, by the sentence model of the package, the only one whose cosines were measured.
 * Undefined if another space serves the workspace, if the model does not support the language of the question, or if the model
 * is not available.
 */
export async function cosinesWith(
  deps: Needs,
  workspaceId: string,
  question: LanguageText,
  { chunkIds, texts }: { chunkIds: readonly string[]; texts: readonly LanguageText[] },
): Promise<Cosines | undefined> {
  const space = await selectServing(deps.db, workspaceId)
  const model =
    space?.embedder === SENTENCE_MODEL ? modelOf(await deps.embedder(), space.embedder) : undefined
  const isSupported = ({ language }: LanguageText): boolean => model?.languages?.includes(language) !== false
  if (!space || !model || !isSupported(question)) return undefined
  const query = await queryVector(deps, model, question.text)
  const direction = query && unit(query)
  if (!direction) return undefined
  const passages = texts.filter(isSupported).map(({ text }) => text)
  const queryInSpace = { spaceId: space.id, vector: vectorText(direction) }
  const [chunks, mean, vectors] = await Promise.all([
    selectSimilarities(deps.db, workspaceId, { ...queryInSpace, chunkIds }),
    selectMeanSimilarity(deps.db, workspaceId, queryInSpace),
    embedOnce(deps, model, passages),
  ])
  return {
    chunks: new Map(chunks.map(({ chunk_id, similarity }) => [chunk_id, similarity])),
    mean: mean ?? 0,
    texts: texts.map((text) => {
      const vector = isSupported(text) ? vectors.shift() : undefined
      return vector && direction.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0)
    }),
  }
}

/** The vectors of texts, which are not stored. Empty if the model is not available. */
async function embedOnce(
  { log }: Pick<Needs, 'log'>,
  model: EmbeddingModel,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  try {
    return await model.embed(texts, 'passage')
  } catch (error) {
    log.warn({ err: error, model: model.id }, 'passages were compared by their words alone')
    return []
  }
}
