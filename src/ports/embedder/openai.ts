// A model behind a server with OpenAI's `POST /embeddings`: OpenAI, Azure, Ollama, vLLM, TEI, LM Studio … Each answer must have
// one vector for each text. All numbers must be finite, and all vectors must have the same size.

import { z } from 'zod'
import { endpointOf } from '../llm/endpoint.ts'
import { type Fetch, OutboundFailed, postJson } from '../outbound/outbound.ts'
import { EmbeddingFailed, type EmbeddingModel, type Purpose, unit } from './embedder.ts'
import { withPrefix } from './prefixes.ts'

export interface EmbeddingServer {
  /** `https://api.openai.com/v1`, with or without `/embeddings`. */
  url: string
  model: string
  key: string | undefined
  /** Default: a fetch that does not check addresses. */
  fetch?: Fetch | undefined
  /** For tests. */
  passageTimeoutMs?: number
  queryTimeoutMs?: number
  firstDelayMs?: number
  /** Default: PASSAGE_ATTEMPTS, because passages are embedded in the background. */
  passageAttempts?: number
}

// 64 chunks of at most 4,000 tokens stay below OpenAI's limit of 300,000 tokens for each request.
const TEXTS_PER_REQUEST = 64
const PASSAGE_TIMEOUT_MS = 60_000
const QUERY_TIMEOUT_MS = 2000
const PASSAGE_ATTEMPTS = 5
// 64 vectors of 4,096 numbers in decimal are 6 MB.
const MAX_ANSWER_BYTES = 32_000_000
// A refused text is retried this many times with half its length, down to a sixteenth.
const MAX_HALVINGS = 4

const Answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
})

type OptionalVectors = (Float32Array | undefined)[]

export function openaiModel(server: EmbeddingServer): EmbeddingModel {
  let dimensions: number | undefined
  const embed = async (
    texts: readonly string[],
    purpose: Purpose,
    signal?: AbortSignal,
  ): Promise<OptionalVectors> => {
    const inputs = texts.map((text) => withPrefix(server.model, text, purpose))
    const vectors = await embedTolerantly((batch) => requestVectors(server, batch, purpose, signal), inputs)
    const sizes = new Set(vectors.flatMap((vector) => (vector ? [vector.length] : [])))
    if (dimensions !== undefined) sizes.add(dimensions)
    if (sizes.size > 1) {
      dimensions = undefined
      throw new EmbeddingFailed(`${server.model} returned vectors of ${[...sizes].join(' and ')} numbers`)
    }
    dimensions = [...sizes][0]
    return vectors
  }
  return {
    id: `openai:${server.model}`,
    batch: TEXTS_PER_REQUEST,
    embed,
    dimensions: async (signal) => {
      if (dimensions === undefined) await embed(['dimensions'], 'passage', signal)
      if (dimensions === undefined) throw new EmbeddingFailed(`${server.model} refuses the simplest text`)
      return dimensions
    },
  }
}

/** The server answered, but refused these texts or returned something other than their vectors. */
class TextsRefused extends Error {}

/**
 * Requests all texts at once. If the server refuses, it requests each half, so that one bad text does not affect the others.
 */
async function embedTolerantly(
  embedTexts: (texts: string[]) => Promise<Float32Array[]>,
  texts: string[],
): Promise<OptionalVectors> {
  if (texts.length === 0) return []
  try {
    return await embedTexts(texts)
  } catch (error) {
    if (!(error instanceof TextsRefused)) throw error
    if (texts.length === 1) return [await embedBeginning(embedTexts, texts[0] ?? '', error)]
    const middle = texts.length >> 1
    const firstHalf = await embedTolerantly(embedTexts, texts.slice(0, middle))
    return [...firstHalf, ...(await embedTolerantly(embedTexts, texts.slice(middle)))]
  }
}

/**
 * The vector of the longest beginning that the model accepts. Undefined if it accepts none.
 * @throws EmbeddingFailed if it refuses even a simple text
 */
async function embedBeginning(
  embedTexts: (texts: string[]) => Promise<Float32Array[]>,
  text: string,
  refusal: TextsRefused,
): Promise<Float32Array | undefined> {
  for (let halvings = 1; halvings <= MAX_HALVINGS; halvings++) {
    const beginning = text.slice(0, text.length >> halvings).toWellFormed()
    if (beginning.trim() === '') break
    const vectors = await embedTexts([beginning]).catch(unlessRefused)
    if (vectors) return vectors[0]
  }
  // If the model refuses even this text, the cause is not the text but, for example, a wrong model name, which affects every
  // chunk.
  const testVectors = await embedTexts(['hello']).catch(unlessRefused)
  if (!testVectors) throw new EmbeddingFailed(refusal.message, { cause: refusal.cause })
  return undefined
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof TextsRefused)) throw error
}

async function requestVectors(
  server: EmbeddingServer,
  texts: string[],
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const isQuery = purpose === 'query'
  const endpoint = endpointOf(server.url, server.key)
  const answer = await postJson({
    url: endpoint.beside('embeddings'),
    headers: endpoint.headers,
    body: { model: server.model, input: texts, encoding_format: 'float' },
    timeoutMs: isQuery
      ? (server.queryTimeoutMs ?? QUERY_TIMEOUT_MS)
      : (server.passageTimeoutMs ?? PASSAGE_TIMEOUT_MS),
    maxBytes: MAX_ANSWER_BYTES,
    attempts: isQuery ? 1 : (server.passageAttempts ?? PASSAGE_ATTEMPTS),
    ...(server.firstDelayMs === undefined ? {} : { firstDelayMs: server.firstDelayMs }),
    signal,
    fetch: server.fetch,
  }).catch((error: unknown) => {
    if (!(error instanceof OutboundFailed)) throw error
    if ([400, 413, 422].includes(error.status ?? 0)) throw new TextsRefused(error.message, { cause: error })
    throw new EmbeddingFailed(error.message, { cause: error })
  })
  return vectorsOf(answer, texts.length)
}

/** The vectors in the order of the texts. Servers may return them in another order. */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  // Servers write NaN and Infinity as null, or as text that is not JSON.
  const parsedAnswer = Answer.safeParse(answer)
  if (!parsedAnswer.success) throw new TextsRefused('the server returned something other than vectors')
  const { data } = parsedAnswer.data
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined)
  data.forEach(({ index, embedding }, position) => {
    vectors[index ?? position] = unit(embedding)
  })
  const complete = vectors.filter((vector) => vector !== undefined)
  if (data.length !== count || complete.length !== count || vectors.length !== count) {
    throw new TextsRefused(`the server returned ${complete.length} vectors for ${count} texts`)
  }
  return complete
}
