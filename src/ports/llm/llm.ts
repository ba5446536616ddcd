// A language model behind a server with OpenAI's `POST /chat/completions`: OpenAI, Azure, Ollama, vLLM … It completes one
// request in JSON, or takes part in a conversation with tools. Its answers are untrusted, so callers check them.

import { z } from 'zod'
import { type Fetch, OutboundFailed, postJson } from '../outbound/outbound.ts'
import { Content, endingOf, Usage } from './completion.ts'
import { type Context, openContext } from './context-window.ts'
import type { BegunAnswer, Ending } from './conversation.ts'
import { type Converse, openConverse } from './converse.ts'
import { COMPLETION_FORMS, type Dialect, limitFields, openDialects, type TryDialects } from './dialect.ts'
import { endpointOf } from './endpoint.ts'
import { failureFrom } from './refusal.ts'
import { withoutThoughts } from './thoughts.ts'

interface ChatServer {
  /** `https://api.openai.com/v1`, with or without `/chat/completions`. */
  url: string
  model: string
  key: string | undefined
  /** The length of the model's context in tokens. Without it the length is requested from the server. */
  contextTokens?: number | undefined
  /** Default: a fetch that does not check addresses, for a server that the operator configured. */
  fetch?: Fetch
  /** For tests. */
  timeoutMs?: number
  silenceMs?: number
  firstDelayMs?: number
}

/** The current model. Undefined if none is configured. Every question and task reads it once, at its beginning. */
export type CurrentModel = () => Promise<ChatModel | undefined>

export interface CompletionRequest {
  system: string
  user: string
  /** JSON Schema of the answer, sent as `response_format` to servers that accept it. */
  schema: { name: string; schema: object }
  maxTokens: number
}

interface Completion {
  /** Without the model's thoughts. */
  text: string
  ending: Ending
  /** Tokens of prompt and answer. Undefined if the server does not report them. */
  tokens: number | undefined
  /** Tokens of the prompt alone. */
  promptTokens: number | undefined
}

export interface ChatModel {
  readonly model: string
  /** @param onAnswer as in `Converse`. @throws OutboundFailed, or the reason of `signal` */
  complete(request: CompletionRequest, signal?: AbortSignal, onAnswer?: OnAnswer): Promise<Completion>
  /** One turn of a conversation. @throws as complete */
  converse: Converse
  readonly context: Context
}

const TIMEOUT_MS = 60_000
// A model on a laptop may need half a minute before its first word, if the prompt is long.
const SILENCE_MS = 60_000
const MAX_ATTEMPTS = 3
const MAX_ANSWER_BYTES = 4_000_000

type OnAnswer = (answer: BegunAnswer) => void

const CompletionBody = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: Content }), finish_reason: z.string().nullish() }))
    .min(1),
  usage: Usage,
})

export function openChatModel(server: ChatServer, tryDialects: TryDialects = openDialects()): ChatModel {
  const endpoint = endpointOf(server.url, server.key, server.fetch)
  const ask = async (
    request: CompletionRequest,
    dialect: Dialect,
    { signal, onAnswer }: { signal: AbortSignal | undefined; onAnswer: OnAnswer | undefined },
  ): Promise<Completion> => {
    const answer = await postJson({
      url: endpoint.chatUrl,
      fetch: endpoint.fetch,
      headers: endpoint.headers,
      body: bodyOf(server.model, request, dialect),
      timeoutMs: server.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      attempts: MAX_ATTEMPTS,
      failureFrom,
      ...(server.firstDelayMs === undefined ? {} : { firstDelayMs: server.firstDelayMs }),
      signal,
    })
    const parsedBody = CompletionBody.safeParse(answer)
    if (!parsedBody.success)
      throw new OutboundFailed(`${server.model} returned something other than a completion`)
    const { choices, usage } = parsedBody.data
    onAnswer?.({ usage, hasFinished: true })
    const [choice] = choices
    return {
      text: withoutThoughts(choice?.message.content ?? ''),
      ending: endingOf(choice?.finish_reason, endpoint.host),
      tokens: usage?.total,
      promptTokens: usage?.prompt,
    }
  }
  return {
    model: server.model,
    context: openContext(endpoint, server.model, server.contextTokens),
    converse: openConverse({ ...server, endpoint, silenceMs: server.silenceMs ?? SILENCE_MS }, tryDialects),
    complete: (request, signal, onAnswer) =>
      tryDialects(COMPLETION_FORMS, (dialect) => ask(request, dialect, { signal, onAnswer })),
  }
}

// The prompt describes the shape as well, for servers that refuse the schema.
const bodyOf = (model: string, request: CompletionRequest, dialect: Dialect): object => ({
  model,
  ...limitFields(dialect, request.maxTokens),
  messages: [
    { role: 'system', content: request.system },
    { role: 'user', content: request.user },
  ],
  ...(dialect.schema && {
    response_format: { type: 'json_schema', json_schema: { ...request.schema, strict: true } },
  }),
})
