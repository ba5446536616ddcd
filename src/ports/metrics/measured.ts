// Wraps models so that their calls are counted and traced. The wrappers have the same interfaces.

import type { Embedder, EmbeddingModel } from '../embedder/embedder.ts'
import type { ChatModel } from '../llm/llm.ts'
import type { RecogniseImage } from '../ocr/ocr-server.ts'
import type { Reranker } from '../rerank/rerank.ts'
import { span } from '../trace/trace.ts'
import type { Metrics, ModelRole } from './metrics.ts'

/** Undefined if only traces are collected. */
type Counts = Metrics | undefined

interface CountedCall<T> {
  call: () => Promise<T>
  outcomeOf?: (result: T) => { failed?: boolean; tokens?: number | undefined }
  signal?: AbortSignal | undefined
}

/** Runs a call and counts it. A call that its signal aborted does not count as failed. */
function countCall<T>(
  metrics: Counts,
  model: ModelRole,
  { call, outcomeOf = () => ({}), signal }: CountedCall<T>,
): Promise<T> {
  const from = performance.now()
  const seconds = (): number => (performance.now() - from) / 1000
  return span(
    model,
    {},
    async (span) => {
      try {
        const result = await call()
        const { failed = false, tokens } = outcomeOf(result)
        metrics?.model(model, { outcome: failed ? 'failed' : 'ok', seconds: seconds(), tokens })
        span.set({ 'gen_ai.usage.total_tokens': tokens })
        if (failed) span.fail('no result')
        return result
      } catch (error) {
        if (!signal?.aborted) metrics?.model(model, { outcome: 'failed', seconds: seconds() })
        throw error
      }
    },
    { kind: 'client' },
  )
}

export const measuredChat = (llm: ChatModel, metrics: Counts): ChatModel => ({
  model: llm.model,
  context: llm.context,
  complete: (request, signal, onAnswer) =>
    countCall(metrics, 'language model', {
      call: () => llm.complete(request, signal, onAnswer),
      outcomeOf: ({ tokens }) => ({ tokens }),
      signal,
    }),
  converse: (conversation, signal, onText, onAnswer) =>
    countCall(metrics, 'language model', {
      call: () => llm.converse(conversation, signal, onText, onAnswer),
      outcomeOf: ({ tokens }) => ({ tokens }),
      signal,
    }),
})

export function measuredEmbedder(embedder: Embedder, metrics: Counts): Embedder {
  if (!('model' in embedder)) return embedder
  // One wrapper for each model, because embed/embed.ts caches the vectors of queries by model.
  const measuredModels = new WeakMap<EmbeddingModel, EmbeddingModel>()
  const measuredModel = (model: EmbeddingModel): EmbeddingModel => {
    const wrapper = measuredModels.get(model) ?? countedModel(model)
    measuredModels.set(model, wrapper)
    return wrapper
  }
  const countedModel = (model: EmbeddingModel): EmbeddingModel => ({
    id: model.id,
    batch: model.batch,
    ...(model.languages && { languages: model.languages }),
    dimensions: (signal) => model.dimensions(signal),
    embed: (texts, as, signal) =>
      countCall(metrics, 'embedder', { call: () => model.embed(texts, as, signal), signal }),
  })
  return {
    ...embedder,
    model: measuredModel(embedder.model),
    find: (id) => {
      const model = embedder.find(id)
      return model && measuredModel(model)
    },
  }
}

export const measuredReranker = (reranker: Reranker, metrics: Counts): Reranker => ({
  score: (query, texts) =>
    countCall(metrics, 'reranker', {
      call: () => reranker.score(query, texts),
      outcomeOf: (scores) => ({ failed: !scores }),
    }),
})

export const measuredOcr =
  (recognise: RecogniseImage, metrics: Counts): RecogniseImage =>
  (image, language, signal) =>
    countCall(metrics, 'text recognition', { call: () => recognise(image, language, signal), signal })
