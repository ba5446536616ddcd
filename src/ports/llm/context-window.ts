// The maximum length of a prompt. Servers report it in different ways or not at all, and some drop the beginning of a longer prompt
// without an error (Ollama: ollama/ollama#10368). So the length is requested, the server's count of each prompt is compared with what was
// sent, and what a refusal says is remembered.

import { z } from 'zod'
import { getJson, OutboundFailed } from '../outbound/outbound.ts'
import type { PromptSize } from './conversation.ts'
import type { Endpoint } from './endpoint.ts'

export interface ContextWindow {
  /** The most tokens of a prompt with its answer. Undefined if it is unknown. */
  tokens: number | undefined
  /** Tokens as the server counts them for one that `estimateTokens` estimates, at most. */
  density: number
  /** Whether the server was seen to drop a part of a prompt. */
  drops: boolean
}

export interface Context {
  /** Requests the length from the server, unless it was requested recently. @throws the reason of `signal` */
  window(signal: AbortSignal): Promise<ContextWindow>
  /** Remembers that the server read no more than this many tokens of a prompt. */
  limit(tokens: number, drops: boolean): void
  /**
   * Remembers a count that may be that of a full context.
   * @returns whether a prompt of another size had the same count, so that both were cut
   */
  suspect(size: PromptSize): boolean
  /** Learns how the server counts, from a prompt that it read whole. */
  learn(size: PromptSize): void
}

const MEMORY_MS = 600_000
const ASK_MS = 3_000
// A model that is not loaded yet is loaded first.
const LOAD_MS = 60_000
// What `estimateTokens` is too high at most (tokens.ts).
const MAX_OVERESTIMATE = 2.3
// One prompt differs from another in language and tables.
const DENSITY_MARGIN = 1.1

// Contexts are set in such steps.
const CONTEXT_STEP = 1024
// Of two estimates. A question that is repeated differs by less, in its random delimiters.
const MIN_DIFFERENCE = 50

/** Whether the server may have cut a prompt to its context. Of a thousand whole prompts one has by chance such a count. */
export const mayFillContext = ({ counted: tokens }: PromptSize): boolean =>
  tokens !== undefined && tokens > 0 && tokens % CONTEXT_STEP === 0

/**
 * Whether nothing shows that the server dropped a part of the last prompt. One that was shortened has far fewer tokens than were
 * estimated. The prompts of one conversation only grow, so a count that grew by less than the text did is a sign, too.
 */
export function wasReadWhole(sizes: readonly PromptSize[], window: ContextWindow): boolean {
  const last = sizes.at(-1)
  if (last?.counted === undefined) return true
  const { estimated, counted: tokens } = last
  if (tokens >= (window.tokens ?? Number.POSITIVE_INFINITY)) return false
  // A count that falls so far is of the new part alone: some servers leave out what they have in their cache.
  if (sizes.some((size) => tokens < (size.counted ?? 0) / 2)) return true
  const isWholeBeside = (before: PromptSize): boolean =>
    tokens - (before.counted ?? 0) >= (estimated - before.estimated) / MAX_OVERESTIMATE
  return [{ estimated: 0, counted: 0 }, ...sizes.slice(0, -1)]
    .filter((before) => before.counted !== undefined)
    .every(isWholeBeside)
}

/** @param setting the context's length as the operator set it; then it is not requested from the server */
export function openContext(endpoint: Endpoint, model: string, setting: number | undefined): Context {
  let answer: { tokens: Promise<number | undefined>; since: number } | undefined
  let suspectedLimit: { size: PromptSize; since: number } | undefined
  let observedLength: { tokens: number; drops: boolean; since: number } | undefined
  // The highest of the time that is remembered comes first; behind it those that are the highest once it is forgotten.
  let densities: { value: number; since: number }[] = []
  const isCurrent = (memory: { since: number } | undefined): boolean =>
    memory !== undefined && Date.now() - memory.since <= MEMORY_MS
  const addDensity = (value: number): void => {
    densities = densities.filter((one) => isCurrent(one) && one.value > value)
    densities.push({ value, since: Date.now() })
  }
  const askAgain = (): Promise<number | undefined> => {
    const lengthRequest = { tokens: askLength(endpoint, model), since: Date.now() }
    answer = lengthRequest
    lengthRequest.tokens.catch(() => {
      if (answer === lengthRequest) answer = undefined
    })
    return lengthRequest.tokens
  }
  return {
    window: async (signal) => {
      const tokens =
        setting ?? (await unlessAborted(signal, (isCurrent(answer) && answer?.tokens) || askAgain()))
      const limit = isCurrent(observedLength) ? observedLength : undefined
      return {
        tokens: limit ? Math.min(limit.tokens, tokens ?? limit.tokens) : tokens,
        density: densities.find(isCurrent)?.value ?? 1,
        drops: limit?.drops ?? false,
      }
    },
    limit: (tokens, drops) => {
      observedLength = { tokens, drops, since: Date.now() }
      addDensity(1)
    },
    suspect: (size) => {
      const previousSize = isCurrent(suspectedLimit) ? suspectedLimit?.size : undefined
      if (previousSize === undefined || previousSize.counted !== size.counted) {
        suspectedLimit = { size, since: Date.now() }
        return false
      }
      return Math.abs(previousSize.estimated - size.estimated) >= MIN_DIFFERENCE
    },
    learn: (size) => {
      if (size.counted === undefined || size.estimated === 0) return
      addDensity((size.counted / size.estimated) * DENSITY_MARGIN)
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

type Read = (body: unknown, model: string) => number | null | undefined

interface Source {
  address: (endpoint: Endpoint) => string
  /** Sent by POST. */
  body?: (model: string) => object
  read: Read
}

const entryOf = (body: unknown, model: string) =>
  Models.safeParse(body).data?.data.find(({ id }) => id === model)

const readLoaded: Read = (body, model) =>
  LoadedModels.safeParse(body).data?.models.find(
    (one) => one.model.replace(/:latest$/, '') === model.replace(/:latest$/, ''),
  )?.context_length

// Ollama's default on most machines (docs/context-length of its repository).
const OLLAMA_DEFAULT = 4096

// The most certain first: the length of what is loaded, then what the model could have.
const SOURCES: readonly Source[] = [
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
    read: (body, model) => entryOf(body, model)?.loaded_context_length,
  },
  // vLLM, Mistral, OpenRouter
  {
    address: (endpoint) => endpoint.beside('models'),
    read: (body, model) => {
      const entry = entryOf(body, model)
      return entry?.max_model_len ?? entry?.context_length ?? entry?.max_context_length
    },
  },
]

// For an Ollama whose /api/ps has no length: the value in the model's file, or the default.
const OLLAMA_FILE: Source = {
  address: ({ atRoot }) => atRoot('api/show'),
  body: (model) => ({ model }),
  read: (body) => {
    const file = ShownModel.safeParse(body).data
    const setLength = /^num_ctx\s+(\d+)/m.exec(file?.parameters ?? '')?.[1]
    return file && (setLength === undefined ? OLLAMA_DEFAULT : Number(setLength))
  },
}

async function askLength(endpoint: Endpoint, model: string): Promise<number | undefined> {
  const ask = (source: Source) => askSource(endpoint, model, source)
  const knownLength = (await Promise.all(SOURCES.map(ask))).find((length) => length !== undefined)
  if (knownLength !== undefined) return knownLength
  const fileLength = await ask(OLLAMA_FILE)
  if (fileLength === undefined) return undefined
  // Only a loaded model has a certain length, and the next request loads it anyway.
  await getJson(endpoint.atRoot('api/generate'), LOAD_MS, { model }, sendingOf(endpoint)).catch(ignoreFailure)
  return (
    (await askSource(endpoint, model, { address: ({ atRoot }) => atRoot('api/ps'), read: readLoaded })) ??
    fileLength
  )
}

const sendingOf = ({ headers, fetch: send }: Endpoint) => ({ headers, send })

async function askSource(endpoint: Endpoint, model: string, source: Source): Promise<number | undefined> {
  const answer = await getJson(
    source.address(endpoint),
    ASK_MS,
    source.body?.(model),
    sendingOf(endpoint),
  ).catch(ignoreFailure)
  return answer?.status === 200 ? (source.read(answer.body, model) ?? undefined) : undefined
}

const ignoreFailure = (error: unknown): undefined => {
  if (!(error instanceof OutboundFailed)) throw error
}
