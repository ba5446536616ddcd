// A model behind a server that speaks OpenAI's `POST /embeddings`: OpenAI, Azure, Ollama, vLLM, TEI, LM Studio …
// What it answers is checked: as many vectors as texts, all finite, all of one length.

import { z } from 'zod'
import { OutboundFailed, postJson } from '../outbound/outbound.ts'
import { EmbeddingFailed, type EmbeddingModel, type Purpose, unit } from './embedder.ts'
import { prompted } from './prompts.ts'

export interface EmbeddingServer {
  /** `https://api.openai.com/v1`, with or without `/embeddings`. */
  url: string
  model: string
  key: string | undefined
  /** Times for tests: the defaults are meant for servers. */
  passageTimeoutMs?: number
  queryTimeoutMs?: number
  firstDelayMs?: number
}

// 64 chunks of at most 4,000 tokens stay below the 300,000 tokens a request that OpenAI allows.
const TEXTS_A_REQUEST = 64
const PASSAGE_TIMEOUT_MS = 60_000
const QUERY_TIMEOUT_MS = 2000
const PASSAGE_ATTEMPTS = 5
// 64 vectors of 4,096 numbers in decimal are 6 MB.
const MOST_BYTES = 32_000_000
// A refused text is tried with half its length as often as this: to one sixteenth.
const HALVINGS = 4

const Answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
})

type Vectors = (Float32Array | undefined)[]

export function openaiModel(server: EmbeddingServer): EmbeddingModel {
  let known: number | undefined
  const embed = async (texts: readonly string[], as: Purpose, signal?: AbortSignal): Promise<Vectors> => {
    const inputs = texts.map((text) => prompted(server.model, text, as))
    const vectors = await withoutRefused((some) => ask(server, some, as, signal), inputs)
    const sizes = new Set(vectors.flatMap((vector) => (vector ? [vector.length] : [])))
    if (known !== undefined) sizes.add(known)
    if (sizes.size > 1) {
      known = undefined
      throw new EmbeddingFailed(`${server.model} gave vectors of ${[...sizes].join(' and ')} numbers`)
    }
    known = [...sizes][0]
    return vectors
  }
  return {
    id: `openai:${server.model}`,
    batch: TEXTS_A_REQUEST,
    embed,
    dimensions: async (signal) => {
      if (known === undefined) await embed(['dimensions'], 'passage', signal)
      if (known === undefined) throw new EmbeddingFailed(`${server.model} refuses the simplest text`)
      return known
    },
  }
}

/** The server can be reached and would not take these texts, or answered with something else than their vectors. */
class Refused extends Error {}

/** Asks for all; when the server refuses, for halves, so that one bad text costs its neighbours nothing. */
async function withoutRefused(
  some: (texts: string[]) => Promise<Float32Array[]>,
  texts: string[],
): Promise<Vectors> {
  if (texts.length === 0) return []
  try {
    return await some(texts)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (texts.length === 1) return [await shortened(some, texts[0] ?? '', error)]
    const middle = texts.length >> 1
    const first = await withoutRefused(some, texts.slice(0, middle))
    return [...first, ...(await withoutRefused(some, texts.slice(middle)))]
  }
}

/** The vector of the longest beginning the model takes. @throws EmbeddingFailed when it refuses everything */
async function shortened(
  some: (texts: string[]) => Promise<Float32Array[]>,
  text: string,
  refused: Refused,
): Promise<Float32Array | undefined> {
  for (let half = 1; half <= HALVINGS; half++) {
    const beginning = text.slice(0, text.length >> half).toWellFormed()
    if (beginning.trim() === '') break
    const vectors = await some([beginning]).catch(unlessRefused)
    if (vectors) return vectors[0]
  }
  // Is it the text, or a wrong model name, which would give up every chunk there is?
  const plain = await some(['hello']).catch(unlessRefused)
  if (!plain) throw new EmbeddingFailed(refused.message)
  return undefined
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}

async function ask(
  server: EmbeddingServer,
  texts: string[],
  as: Purpose,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const isQuery = as === 'query'
  const answer = await postJson({
    url: `${server.url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`,
    headers: server.key ? { authorization: `Bearer ${server.key}` } : {},
    body: { model: server.model, input: texts, encoding_format: 'float' },
    timeoutMs: isQuery
      ? (server.queryTimeoutMs ?? QUERY_TIMEOUT_MS)
      : (server.passageTimeoutMs ?? PASSAGE_TIMEOUT_MS),
    mostBytes: MOST_BYTES,
    attempts: isQuery ? 1 : PASSAGE_ATTEMPTS,
    ...(server.firstDelayMs === undefined ? {} : { firstDelayMs: server.firstDelayMs }),
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof OutboundFailed)) throw error
    if ([400, 413, 422].includes(error.status ?? 0)) throw new Refused(error.message)
    throw new EmbeddingFailed(error.message, { cause: error })
  })
  return vectorsOf(answer, texts.length)
}

/** The vectors in the order of the texts, whatever order the server answered in. */
function vectorsOf(answer: unknown, count: number): Float32Array[] {
  // NaN and Infinity are not JSON: servers write null, or text that does not parse.
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) throw new Refused('the server answered with something else than vectors')
  const { data } = parsed.data
  const ordered: (Float32Array | undefined)[] = new Array(count).fill(undefined)
  data.forEach(({ index, embedding }, place) => {
    ordered[index ?? place] = unit(embedding)
  })
  const whole = ordered.filter((vector) => vector !== undefined)
  if (data.length !== count || whole.length !== count || ordered.length !== count) {
    throw new Refused(`the server answered ${count} texts with ${whole.length} vectors`)
  }
  return whole
}
