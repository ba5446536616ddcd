// How meaning becomes vectors: nothing, the workspace's own words (LSA, fitted in src/embed), or a model that runs here
// or behind an `/embeddings` server. A model is loaded when it is first asked, so that it never holds up a start.

export interface EmbeddingModel {
  /** Names the model and the form of its input: vectors of different ids are never compared. */
  readonly id: string
  /** Texts it takes at a time with good use of its machine. */
  readonly batch: number
  /**
   * One vector a text in the same order, each of length 1 and of the same number of dimensions.
   * @throws EmbeddingFailed, or the signal's reason
   */
  embed(texts: readonly string[], as: 'passage' | 'query', signal?: AbortSignal): Promise<Float32Array[]>
}

export type Embedder = { kind: 'none' } | { kind: 'lexical' } | { kind: 'model'; model: EmbeddingModel }

/** The model or its server did not give vectors; never holds text that was to be embedded, nor a key. */
export class EmbeddingFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddingFailed'
  }
}
