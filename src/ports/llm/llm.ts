// A language model behind a server that speaks OpenAI's `POST /chat/completions`: OpenAI, Azure, Ollama, vLLM …
// One question with one answer in JSON, or a conversation with tools; what it answers is untrusted and checked by whoever
// asks.

import { z } from 'zod'
import { OutboundFailed, postJson } from '../outbound/outbound.ts'
import { type Converse, openConverse } from './converse.ts'
import { boundsOf, type Dialect, openDialects, QUESTIONS } from './dialect.ts'
import { Content, Usage } from './fields.ts'

export interface ChatServer {
  /** `https://api.openai.com/v1`, with or without `/chat/completions`. */
  url: string
  model: string
  key: string | undefined
  /** For tests: the defaults are meant for servers. */
  timeoutMs?: number
  silenceMs?: number
  firstDelayMs?: number
}

export interface Asking {
  system: string
  user: string
  /** JSON Schema of the answer; sent as `response_format` to servers that take it. */
  schema: { name: string; schema: object }
  mostTokens: number
}

export interface Answered {
  text: string
  /** What the server says both sides cost; undefined when it does not say. */
  tokens: number | undefined
}

export interface ChatModel {
  readonly model: string
  /** @throws OutboundFailed, or the reason of `signal` */
  complete(asking: Asking, signal?: AbortSignal): Promise<Answered>
  /** One turn of a conversation. @throws as complete */
  converse: Converse
}

const TIMEOUT_MS = 60_000
// A model on a laptop reads long passages for half a minute before its first word.
const SILENCE_MS = 60_000
const ATTEMPTS = 3
const MOST_BYTES = 4_000_000

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: Content }) })).min(1),
  usage: Usage,
})

export function openChatModel(server: ChatServer): ChatModel {
  const inDialect = openDialects()
  const url = `${server.url.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')}/chat/completions`
  const ask = async (asking: Asking, dialect: Dialect, signal?: AbortSignal): Promise<Answered> => {
    const answer = await postJson({
      url,
      headers: server.key ? { authorization: `Bearer ${server.key}` } : {},
      body: bodyOf(server.model, asking, dialect),
      timeoutMs: server.timeoutMs ?? TIMEOUT_MS,
      mostBytes: MOST_BYTES,
      attempts: ATTEMPTS,
      ...(server.firstDelayMs === undefined ? {} : { firstDelayMs: server.firstDelayMs }),
      signal,
    })
    const parsed = Completion.safeParse(answer)
    if (!parsed.success)
      throw new OutboundFailed(`${server.model} answered with something else than a completion`)
    return {
      text: parsed.data.choices[0]?.message.content ?? '',
      tokens: parsed.data.usage,
    }
  }
  return {
    model: server.model,
    converse: openConverse({ ...server, url, silenceMs: server.silenceMs ?? SILENCE_MS }, inDialect),
    complete: (asking, signal) => inDialect(QUESTIONS, (dialect) => ask(asking, dialect, signal)),
  }
}

// Where the schema is refused the prompt says the shape as well.
const bodyOf = (model: string, asking: Asking, dialect: Dialect): object => ({
  model,
  ...boundsOf(dialect, asking.mostTokens),
  messages: [
    { role: 'system', content: asking.system },
    { role: 'user', content: asking.user },
  ],
  ...(dialect.schema && {
    response_format: { type: 'json_schema', json_schema: { ...asking.schema, strict: true } },
  }),
})
