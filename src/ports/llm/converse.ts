// One turn of a conversation over `POST /chat/completions`, streamed, with the fields that the server accepts.

import { OutboundFailed, post } from '../outbound/outbound.ts'
import { readCompletion } from './completion.ts'
import type { Conversation, Message, ModelTurn } from './conversation.ts'
import { CHAT_FORMS, type Dialect, limitFields, type TryDialects } from './dialect.ts'
import { plainMessages, withWrittenCalls } from './plain-tools.ts'

interface ChatEndpoint {
  url: string
  model: string
  key: string | undefined
  /** The request fails when no byte arrives for this long. */
  silenceMs: number
  firstDelayMs?: number
}

export type Converse = (conversation: Conversation, signal: AbortSignal) => Promise<ModelTurn>

const MAX_BYTES = 8_000_000
// A busy server is asked only once more, since a person is waiting.
const MAX_ATTEMPTS = 2
const MAX_RETRY_AFTER_MS = 10_000

/** @throws OutboundFailed, or the reason of the signal */
export const openConverse =
  (endpoint: ChatEndpoint, tryDialects: TryDialects): Converse =>
  (conversation, signal) =>
    tryDialects(CHAT_FORMS, (dialect) => sendOnce(endpoint, conversation, dialect, signal))

async function sendOnce(
  endpoint: ChatEndpoint,
  conversation: Conversation,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const silence = new AbortController()
  const abortForSilence = (): void =>
    silence.abort(
      new OutboundFailed(`${new URL(endpoint.url).host} sent nothing for ${endpoint.silenceMs} ms`),
    )
  let timer = setTimeout(abortForSilence, endpoint.silenceMs)
  const onData = (): void => {
    clearTimeout(timer)
    timer = setTimeout(abortForSilence, endpoint.silenceMs)
  }
  try {
    const turn = await post(
      {
        url: endpoint.url,
        headers: {
          accept: 'text/event-stream, application/json',
          ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
        },
        body: bodyOf(endpoint.model, conversation, dialect),
        // The caller's signal limits the total time.
        timeoutMs: 600_000,
        maxBytes: MAX_BYTES,
        attempts: MAX_ATTEMPTS,
        maxRetryAfterMs: MAX_RETRY_AFTER_MS,
        ...(endpoint.firstDelayMs === undefined ? {} : { firstDelayMs: endpoint.firstDelayMs }),
        signal: AbortSignal.any([signal, silence.signal]),
      },
      (response, mostBytes, host) => readCompletion(response, mostBytes, host, onData),
    )
    const completeTurn = withWrittenCalls(turn, conversation.tools)
    return conversation.mayCall ? completeTurn : { ...completeTurn, calls: [] }
  } finally {
    clearTimeout(timer)
  }
}

const bodyOf = (model: string, conversation: Conversation, dialect: Dialect): object => ({
  model,
  stream: true,
  ...(dialect.usage && { stream_options: { include_usage: true } }),
  ...limitFields(dialect, conversation.maxTokens),
  ...(dialect.tools
    ? { messages: conversation.messages.map(wireMessage), ...toolsOf(conversation) }
    : { messages: plainMessages(conversation) }),
})

const toolsOf = ({ tools, mayCall }: Conversation): object =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map((tool) => ({ type: 'function', function: tool })),
        tool_choice: mayCall ? 'auto' : 'none',
      }

function wireMessage(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant') return message
  if (message.calls.length === 0) return { role: 'assistant', content: message.content }
  const calls = message.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  return { role: 'assistant', content: message.content || null, tool_calls: calls }
}
