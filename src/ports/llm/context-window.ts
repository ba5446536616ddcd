// The length of a model's context, which limits prompts. Servers report it in different ways or not at all, and some drop the
// beginning of a longer prompt without an error (ollama/ollama#10368). So the service requests the length from the server,
// compares the server's token count of each prompt with the estimate of what was sent, and remembers the limit that an error
// about a too long prompt states.

import { z } from 'zod'
import { getJson, OutboundFailed } from '../outbound/outbound.ts'
import type { PromptSize } from './conversation.ts'
import type { Endpoint } from './endpoint.ts'

export interface ContextWindow {
  /** The length of the context: prompt and answer together have at most this many tokens. Undefined if unknown. */
  tokens: number | undefined
  /**
   * The highest recent ratio of the server's token count to that of `estimateTokens`, with a margin. So the estimate of a prompt
   * times this ratio is an upper limit of the server's count.
   */
  density: number
  /** Whether the server has recently dropped a part of a prompt. */
  drops: boolean
}

export interface Context {
  /** Requests the length of the context from the server, unless it was requested recently. @throws the reason of `signal` */
  window(signal: AbortSignal): Promise<ContextWindow>
  /** Call this if the server read no more than this many tokens of a prompt. */
  limit(tokens: number, drops: boolean): void
  /**
   * Call this for a prompt for which `mayFillContext` is true.
   * @returns whether the previous such prompt had the same count but another estimated size. Then the count is the length of the
   * context, and both prompts were cut to it.
   */
  suspect(size: PromptSize): boolean
  /** Call this for a prompt that the server read whole. Updates `density`. */
  learn(size: PromptSize): void
}

const MAX_AGE_MS = 600_000
const LENGTH_TIMEOUT_MS = 3_000
// A model that is not loaded yet is loaded first.
const LOAD_TIMEOUT_MS = 60_000
// `estimateTokens` returns at most this many times the true count (tokens.ts).
const MAX_OVERESTIMATE = 2.3
// The ratio was measured with one prompt. The next may have more tokens per estimated token, because of its language or tables.
const RATIO_MARGIN = 1.1

// The length of a context is usually a multiple of this.
const CONTEXT_STEP = 1024
// Two prompts are different if their estimates differ by at least this many tokens. A repeated question differs by less: only
// its random delimiters are new.
const MIN_DIFFERENCE_TOKENS = 50

/** Whether the server may have cut the prompt to its context: the count is a multiple of CONTEXT_STEP, which is rare by chance. */
export const mayFillContext = ({ counted: tokens }: PromptSize): boolean =>
  tokens !== undefined && tokens > 0 && tokens % CONTEXT_STEP === 0

/**
 * Whether the server seems to have read the last of these prompts of a conversation whole. It did not if it counted far fewer
 * tokens than were estimated, or if its count grew much less than the estimate since an earlier prompt.
 */
export function wasReadWhole(sizes: readonly PromptSize[], window: ContextWindow): boolean {
  const last = sizes.at(-1)
  if (last?.counted === undefined) return true
  const { estimated, counted: tokens } = last
  if (tokens >= (window.tokens ?? Number.POSITIVE_INFINITY)) return false
  // If the count is less than half of an earlier one, the server counted only the new part: some servers do not count what is in
  // their cache.
  if (sizes.some((size) => tokens < (size.counted ?? 0) / 2)) return true
  const hasGrownEnoughSince = (earlierSize: PromptSize): boolean =>
    tokens - (earlierSize.counted ?? 0) >= (estimated - earlierSize.estimated) / MAX_OVERESTIMATE
  return [{ estimated: 0, counted: 0 }, ...sizes.slice(0, -1)]
    .filter((before) => before.counted !== undefined)
    .every(hasGrownEnoughSince)
}

/** @param setting the context's length as the operator set it. If it is set, the server is not asked for it. */
export function openContext(endpoint: Endpoint, model: string, setting: number | undefined): Context {
  let lastLengthRequest: { tokens: Promise<number | undefined>; since: number } | undefined
  let lastFullCount: { size: PromptSize; since: number } | undefined
  let observedLimit: { tokens: number; drops: boolean; since: number } | undefined
  // In descending order of value, from old to new. The first that is not too old is the highest. Lower ones are kept for the time
  // when it has become too old.
  let ratios: { value: number; since: number }[] = []
  const isCurrent = (memory: { since: number } | undefined): boolean =>
    memory !== undefined && Date.now() - memory.since <= MAX_AGE_MS
  const addRatio = (value: number): void => {
    ratios = ratios.filter((one) => isCurrent(one) && one.value > value)
    ratios.push({ value, since: Date.now() })
  }
  const requestLength = (): Promise<number | undefined> => {
    const lengthRequest = { tokens: requestLengthFrom(endpoint, model), since: Date.now() }
    lastLengthRequest = lengthRequest
    lengthRequest.tokens.catch(() => {
      if (lastLengthRequest === lengthRequest) lastLengthRequest = undefined
    })
    return lengthRequest.tokens
  }
  return {
    window: async (signal) => {
      const tokens =
        setting ??
        (await unlessAborted(
          signal,
          (isCurrent(lastLengthRequest) && lastLengthRequest?.tokens) || requestLength(),
        ))
      const limit = isCurrent(observedLimit) ? observedLimit : undefined
      return {
        tokens: limit ? Math.min(limit.tokens, tokens ?? limit.tokens) : tokens,
        density: ratios.find(isCurrent)?.value ?? 1,
        drops: limit?.drops ?? false,
      }
    },
    limit: (tokens, drops) => {
      observedLimit = { tokens, drops, since: Date.now() }
      addRatio(1)
    },
    suspect: (size) => {
      const previousSize = isCurrent(lastFullCount) ? lastFullCount?.size : undefined
      if (previousSize === undefined || previousSize.counted !== size.counted) {
        lastFullCount = { size, since: Date.now() }
        return false
      }
      return Math.abs(previousSize.estimated - size.estimated) >= MIN_DIFFERENCE_TOKENS
    },
    learn: (size) => {
      if (size.counted === undefined || size.estimated === 0) return
      addRatio((size.counted / size.estimated) * RATIO_MARGIN)
    },
  }
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const Length = z.int().positive().nullish().catch(null)
const Models = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      max_model_len: Length,
      max_context_length: Length,
      context_length: Length,
      loaded_context_length: Length,
    }),
  ),
})
const Properties = z.object({ default_generation_settings: z.object({ n_ctx: Length }) })
const LoadedModels = z.object({ models: z.array(z.object({ model: z.string(), context_length: Length })) })
const ShownModel = z.object({ parameters: z.string().nullish(), model_info: z.looseObject({}) })

type ReadLength = (body: unknown, model: string) => number | null | undefined

interface LengthSource {
  address: (endpoint: Endpoint) => string
  /** Sent by POST. */
  body?: (model: string) => object
  read: ReadLength
}

const modelEntryOf = (body: unknown, model: string) =>
  Models.safeParse(body).data?.data.find(({ id }) => id === model)

const readLoaded: ReadLength = (body, model) =>
  LoadedModels.safeParse(body).data?.models.find(
    (one) => one.model.replace(/:latest$/, '') === model.replace(/:latest$/, ''),
  )?.context_length

// Ollama's default on most machines (docs/context-length of its repository).
const OLLAMA_DEFAULT_TOKENS = 4096

// In order of certainty: first the length of the context that is loaded, then the length that the model could have.
const LENGTH_SOURCES: readonly LengthSource[] = [
  // llama.cpp
  {
    address: ({ atRoot }) => atRoot('props'),
    read: (body) => Properties.safeParse(body).data?.default_generation_settings.n_ctx,
  },
  // Ollama, when the model is loaded
  { address: ({ atRoot }) => atRoot('api/ps'), read: readLoaded },
  // LM Studio
  {
    address: ({ atRoot }) => atRoot('api/v0/models'),
    read: (body, model) => modelEntryOf(body, model)?.loaded_context_length,
  },
  // vLLM, Mistral, OpenRouter
  {
    address: (endpoint) => endpoint.beside('models'),
    read: (body, model) => {
      const entry = modelEntryOf(body, model)
      return entry?.max_model_len ?? entry?.context_length ?? entry?.max_context_length
    },
  },
]

// For an Ollama whose /api/ps has no length: the value in the model's file, or the default.
const OLLAMA_MODEL_FILE: LengthSource = {
  address: ({ atRoot }) => atRoot('api/show'),
  body: (model) => ({ model }),
  read: (body) => {
    const file = ShownModel.safeParse(body).data
    const configuredLength = /^num_ctx\s+(\d+)/m.exec(file?.parameters ?? '')?.[1]
    return file && (configuredLength === undefined ? OLLAMA_DEFAULT_TOKENS : Number(configuredLength))
  },
}

async function requestLengthFrom(endpoint: Endpoint, model: string): Promise<number | undefined> {
  const ask = (source: LengthSource) => askSource(endpoint, model, source)
  const knownLength = (await Promise.all(LENGTH_SOURCES.map(ask))).find((length) => length !== undefined)
  if (knownLength !== undefined) return knownLength
  const fileLength = await ask(OLLAMA_MODEL_FILE)
  if (fileLength === undefined) return undefined
  // The exact length is known only when the model is loaded. So it is loaded now, which the next request would do anyway.
  await getJson(
    endpoint.atRoot('api/generate'),
    LOAD_TIMEOUT_MS,
    { model },
    requestOptionsOf(endpoint),
  ).catch(ignoreFailure)
  return (
    (await askSource(endpoint, model, { address: ({ atRoot }) => atRoot('api/ps'), read: readLoaded })) ??
    fileLength
  )
}

const requestOptionsOf = ({ headers, fetch: send }: Endpoint) => ({ headers, send })

async function askSource(
  endpoint: Endpoint,
  model: string,
  source: LengthSource,
): Promise<number | undefined> {
  const answer = await getJson(
    source.address(endpoint),
    LENGTH_TIMEOUT_MS,
    source.body?.(model),
    requestOptionsOf(endpoint),
  ).catch(ignoreFailure)
  return answer?.status === 200 ? (source.read(answer.body, model) ?? undefined) : undefined
}

const ignoreFailure = (error: unknown): undefined => {
  if (!(error instanceof OutboundFailed)) throw error
}
