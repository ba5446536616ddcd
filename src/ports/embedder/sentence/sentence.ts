// The sentence model of the package, which is the default. It needs no network and no key, reads English and runs in a thread.

import { startThread } from '../../thread.ts'
import { type EmbeddingModel, SENTENCE_MODEL } from '../embedder.ts'
import { modelThread, vectorsIn } from '../model-thread.ts'
import { PROJECTED_DIMENSIONS } from './projection.ts'

// 16 chunks take about half a second, for which a worker that stops has to wait.
const TEXTS_PER_BATCH = 16

export function sentenceModel(): EmbeddingModel {
  const send = modelThread(() => startThread('./thread', import.meta.url))
  return {
    id: SENTENCE_MODEL,
    batch: TEXTS_PER_BATCH,
    languages: ['en'],
    embed: async (texts, purpose, signal) => {
      signal?.throwIfAborted()
      return texts.length === 0 ? [] : vectorsIn(await send({ texts: [...texts], purpose }))
    },
    dimensions: () => Promise.resolve(PROJECTED_DIMENSIONS),
  }
}
