// A reranking model behind a server's `POST /rerank`, in the form of Cohere, Jina, vLLM, Infinity and llama.cpp, or, if no model is
// configured, of Text Embeddings Inference (TEI). If it is slow or fails, a search keeps its own order.

import { z } from 'zod'
import { type Fetch, OutboundFailed, postJson } from '../outbound/outbound.ts'

export interface Reranker {
  /**
   * How well each text answers the query, in the order of the texts. Higher is better, and scores are comparable within one
   * call only. Undefined if the server is down, busy or slow, or does not return one finite number for each text.
   */
  score(query: string, texts: readonly string[]): Promise<number[] | undefined>
}

/** The current reranker. Undefined if none is configured. It may change while the service runs. */
export type CurrentReranker = () => Promise<Reranker | undefined>

export interface RerankServer {
  /** With or without `/rerank` at the end. */
  url: string
  model: string | undefined
  key: string | undefined
  /** Default: a fetch that does not check addresses. */
  fetch?: Fetch | undefined
  /** For tests. */
  timeoutMs?: number
  pauseMs?: number
}

const TIMEOUT_MS = 2000
// After a failure no request is sent for this long, so that not every search waits for a dead server.
const PAUSE_MS = 10_000
// The default limit of Text Embeddings Inference.
const TEXTS_PER_REQUEST = 32
// Texts are cut to this length. Most models read 512 tokens, about 2,000 characters of English, and larger ones somewhat more.
const MAX_CHARACTERS = 4000
// An answer has 50 indexes and scores. Some servers also send the texts back.
const MAX_ANSWER_BYTES = 4_000_000

const ScoreList = z.array(
  z
    .object({ index: z.int().min(0), score: z.number().optional(), relevance_score: z.number().optional() })
    .transform(({ index, score, relevance_score }) => ({ index, score: relevance_score ?? score })),
)
/** The answer is a list of scores (TEI), or has the list in `results` (Cohere, Jina) or `data` (Voyage). */
const Answer = z.union([
  ScoreList,
  z.object({ results: ScoreList }).transform(({ results }) => results),
  z.object({ data: ScoreList }).transform(({ data }) => data),
])

interface WarningLog {
  warn(fields: object, message: string): void
}

export function rerankServer(server: RerankServer, log: WarningLog): Reranker {
  let pausedUntil = 0
  return {
    score: async (query, texts) => {
      if (texts.length === 0 || Date.now() < pausedUntil) return undefined
      try {
        return await scoreTexts(server, query, texts)
      } catch (error) {
        if (!(error instanceof OutboundFailed)) throw error
        pausedUntil = Date.now() + (server.pauseMs ?? PAUSE_MS)
        log.warn({ err: error }, 'search results were not reranked: the rerank server failed')
        return undefined
      }
    },
  }
}

/**
 * As `score`, without a pause after a failure. A model may compare the texts with each other, so it gets all of them in one
 * request.
 * @throws OutboundFailed, or the signal's reason
 */
export async function scoreTexts(
  server: RerankServer,
  query: string,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<number[]> {
  const shortTexts = texts.map(shorten)
  if (server.model !== undefined) {
    const { model } = server
    const body = { model, query, documents: shortTexts, top_n: shortTexts.length }
    return ask(server, body, shortTexts.length, signal)
  }
  const batches = Array.from({ length: Math.ceil(shortTexts.length / TEXTS_PER_REQUEST) }, (_, i) =>
    shortTexts.slice(i * TEXTS_PER_REQUEST, (i + 1) * TEXTS_PER_REQUEST),
  )
  const scores = batches.map((batch) =>
    ask(server, { query, texts: batch, truncate: true }, batch.length, signal),
  )
  return (await Promise.all(scores)).flat()
}

const shorten = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed()

async function ask(
  server: RerankServer,
  body: object,
  count: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const answer = await postJson({
    url: `${server.url.replace(/\/+$/, '').replace(/\/rerank$/, '')}/rerank`,
    headers: server.key ? { authorization: `Bearer ${server.key}` } : {},
    body,
    timeoutMs: server.timeoutMs ?? TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    attempts: 1,
    signal,
    fetch: server.fetch,
  })
  return inOrderOfTexts(answer, count)
}

/** The status of the error if the server answers 200, but in another form. */
const FORM_STATUS = 200

/**
 * The scores in the order of the texts. Servers return the best first, each with the index of its text. @throws OutboundFailed
 * unless each text has one number
 */
function inOrderOfTexts(answer: unknown, count: number): number[] {
  // Servers write NaN and Infinity as null, or as text that is not JSON.
  const parsed = Answer.safeParse(answer)
  if (!parsed.success)
    throw new OutboundFailed('the server returned something other than scores', FORM_STATUS)
  const scores = new Map(parsed.data.map(({ index, score }) => [index, score]))
  const orderedScores = Array.from({ length: count }, (_, index) => scores.get(index)).filter(
    (score) => score !== undefined,
  )
  if (parsed.data.length !== count || orderedScores.length !== count) {
    throw new OutboundFailed(`the server scored ${orderedScores.length} of ${count} texts`, FORM_STATUS)
  }
  return orderedScores
}
