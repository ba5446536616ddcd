// Wraps ports so that their calls are counted and traced. Their users do not notice.

import type { Embedder, EmbeddingModel } from '../embedder/embedder.ts'
import type { ChatModel } from '../llm/llm.ts'
import type { RecogniseImage } from '../ocr/ocr-server.ts'
import type { Reranker } from '../rerank/rerank.ts'
import { span } from '../trace/trace.ts'
import type { Metrics, ModelRole } from './metrics.ts'

/** Undefined where only traces are collected. */
type Counts = Metrics | undefined

/** Runs a call and counts it. A call that its signal aborted does not count as failed. */
function countCall<T>(
  metrics: Counts,
  model: ModelRole,
  call: () => Promise<T>,
  outcomeOf: (result: T) => { failed?: boolean; tokens?: number | undefined } = () => ({}),
  signal?: AbortSignal,
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
  complete: (request, signal) =>
    countCall(
      metrics,
      'language model',
      () => llm.complete(request, signal),
      ({ tokens }) => ({ tokens }),
      signal,
    ),
  converse: (conversation, signal) =>
    countCall(
      metrics,
      'language model',
      () => llm.converse(conversation, signal),
      ({ tokens }) => ({ tokens }),
      signal,
    ),
})

export function measuredEmbedder(embedder: Embedder, metrics: Counts): Embedder {
  if (!('model' in embedder)) return embedder
  const measured = (model: EmbeddingModel): EmbeddingModel => ({
    id: model.id,
    batch: model.batch,
    ...(model.languages && { languages: model.languages }),
    dimensions: (signal) => model.dimensions(signal),
    embed: (texts, as, signal) =>
      countCall(metrics, 'embedder', () => model.embed(texts, as, signal), undefined, signal),
  })
  return {
    ...embedder,
    model: measured(embedder.model),
    find: (id) => {
      const model = embedder.find(id)
      return model && measured(model)
    },
  }
}

export const measuredReranker = (reranker: Reranker, metrics: Counts): Reranker => ({
  score: (query, texts) =>
    countCall(
      metrics,
      'reranker',
      () => reranker.score(query, texts),
      (scores) => ({ failed: !scores }),
    ),
})

export const measuredOcr =
  (recognise: RecogniseImage, metrics: Counts): RecogniseImage =>
  (image, language, signal) =>
    countCall(metrics, 'text recognition', () => recognise(image, language, signal), undefined, signal)
