// How meaning becomes vectors: nothing, the workspace's own words (LSA, fitted in src/embed), or a model that runs here
// or behind an `/embeddings` server. A model is loaded when it is first asked, so that it never holds up a start.

export interface EmbeddingModel {
  /** Names the model and the form of its input: vectors of different ids are never compared. */
  readonly id: string
  /** Texts it takes at a time with good use of its machine. */
  readonly batch: number
  /** Asks for one vector where it must; forgotten when the model changes behind its name. @throws EmbeddingFailed */
  dimensions(signal?: AbortSignal): Promise<number>
  /**
   * One vector a text, in the same order, of length 1 and of `dimensions()` numbers; undefined for a text that the model
   * refuses in any length. `passage`s may take minutes and are tried again; a `query` has 2 seconds and one attempt.
   * @throws EmbeddingFailed, or the signal's reason
   */
  embed(texts: readonly string[], as: Purpose, signal?: AbortSignal): Promise<(Float32Array | undefined)[]>
}

/** Some models put a different prefix before each. */
export type Purpose = 'passage' | 'query'

/** The model of another id where it can still be asked: a space keeps serving while the next one fills. */
export type FindModel = (id: string) => EmbeddingModel | undefined

export type Embedder =
  | { kind: 'none' }
  | { kind: 'lexical'; find?: FindModel }
  | { kind: 'model'; model: EmbeddingModel; find: FindModel }

/** The model whose vectors a space holds, as long as it can be asked. */
export const modelOf = (embedder: Embedder, id: string): EmbeddingModel | undefined =>
  embedder.kind === 'none' ? undefined : embedder.find?.(id)

/** The model or its server gave no vectors. The message holds neither text that was to be embedded nor a key. */
export class EmbeddingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddingFailed'
  }
}

/** Scaled to length 1; undefined when a number is not finite or all are 0. */
export function unit(numbers: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += (numbers[i] ?? 0) ** 2
  if (!(sum > 0) || !Number.isFinite(sum)) return undefined
  const length = Math.sqrt(sum)
  return Float32Array.from(numbers, (number) => number / length)
}
