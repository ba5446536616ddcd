// The interface of embedders, which turn texts into vectors. An embedder may be the sentence model of the package, another model
// on this machine, or a model behind an `/embeddings` server. There may also be none. A model is loaded at its first use, so that
// it does not delay the start.

/**
 * The id of the sentence model of the package. Its number is raised when the model's vectors change, so that every workspace is
 * embedded again.
 */
export const SENTENCE_MODEL = 'sentence-1'

export interface EmbeddingModel {
  /** Identifies the model and the form of its input. Vectors of different ids are never compared. */
  readonly id: string
  /** The languages that the model reads. Undefined if it reads all languages. Texts in other languages get no vector. */
  readonly languages?: readonly string[]
  /** The best number of texts in one call. */
  readonly batch: number
  /**
   * The number of numbers in a vector. Computes one vector if it is not known yet, or if the model has changed. @throws
   * EmbeddingFailed
   */
  dimensions(signal?: AbortSignal): Promise<number>
  /**
   * One vector for each text, in the same order, with `dimensions()` numbers. Its length is 1, or less for a query of which the
   * model knows few words. Undefined for a text that the model refuses even if it is shortened. Requests for passages are retried
   * and may take minutes. A query has one attempt of 2 seconds.
   * @throws EmbeddingFailed, or the signal's reason
   */
  embed(
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
  ): Promise<(Float32Array | undefined)[]>
}

/** What the text is. Some models need a different prefix for each purpose. */
export type Purpose = 'passage' | 'query'

/**
 * Finds a model by the id of a vector space, if the model can still be used. Old models are needed, because searches use the old
 * space until the next one is filled.
 */
export type FindModel = (id: string) => EmbeddingModel | undefined

export type Embedder =
  | { kind: 'none' }
  | { kind: 'builtin'; model: EmbeddingModel; find: FindModel }
  | { kind: 'model'; model: EmbeddingModel; find: FindModel }

/** The current embedder. Every workspace gets the vectors of its space. It may change while the service runs. */
export type CurrentEmbedder = () => Promise<Embedder>

/** The model of a vector space, if it can still be used. */
export const modelOf = (embedder: Embedder, id: string): EmbeddingModel | undefined =>
  embedder.kind === 'none' ? undefined : embedder.find(id)

/** The model or its server failed. The message contains neither the texts nor a key. */
export class EmbeddingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddingFailed'
  }
}

/** The vector scaled to length 1. Undefined if a number is not finite or all are 0. */
export function unit(numbers: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += (numbers[i] ?? 0) ** 2
  if (!(sum > 0) || !Number.isFinite(sum)) return undefined
  const length = Math.sqrt(sum)
  return Float32Array.from(numbers, (number) => number / length)
}
