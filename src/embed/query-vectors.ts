
import type { Deps } from '../ports/deps.ts'
import type { EmbeddingModel } from '../ports/embedder/embedder.ts'

// 1,000 vectors of 1,536 numbers are 6 MB.
const REMEMBERED = 1000
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
  const known = memory.vectors.get(text)
  if (!known && Date.now() < memory.awayUntil) return undefined
  const vector = known ?? model.embed([text], 'query').then(([first]) => first)
  remember(memory, text, vector)
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
function remember({ vectors }: Memory, text: string, vector: Promise<Float32Array | undefined>): void {
  vectors.delete(text)
  vectors.set(text, vector)
  const [oldest] = vectors.keys()
  if (vectors.size > REMEMBERED && oldest !== undefined) vectors.delete(oldest)
}
