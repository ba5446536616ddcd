// One turn of a conversation over `POST /chat/completions`, streamed to us, in the dialect that the server takes.

import { OutboundFailed, post } from '../outbound/outbound.ts'
import { readCompletion } from './completion.ts'
import type { Conversation, Message, Said } from './conversation.ts'
import { boundsOf, type Dialect, type InDialect, TURNS } from './dialect.ts'
import { plainMessages, withWrittenCalls } from './plain-tools.ts'

export interface Line {
  url: string
  model: string
  key: string | undefined
  /** Without a byte for so long the model counts as silent. */
  silenceMs: number
  firstDelayMs?: number
}

export type Converse = (conversation: Conversation, signal: AbortSignal) => Promise<Said>

const MOST_BYTES = 8_000_000
// Busy once is tried once more; a reader waits.
const ATTEMPTS = 2
const LONGEST_WISH_MS = 10_000

/** @throws OutboundFailed, or the reason of the signal */
export const openConverse =
  (line: Line, inDialect: InDialect): Converse =>
  (conversation, signal) =>
    inDialect(TURNS, (dialect) => once(line, conversation, dialect, signal))

async function once(
  line: Line,
  conversation: Conversation,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<Said> {
  const silence = new AbortController()
  const fall = (): void =>
    silence.abort(new OutboundFailed(`${new URL(line.url).host} said nothing for ${line.silenceMs} ms`))
  let timer = setTimeout(fall, line.silenceMs)
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(fall, line.silenceMs)
  }
  try {
    const said = await post(
      {
        url: line.url,
        headers: {
          accept: 'text/event-stream, application/json',
          ...(line.key ? { authorization: `Bearer ${line.key}` } : {}),
        },
        body: bodyOf(line.model, conversation, dialect),
        // The caller's signal bounds the whole.
        timeoutMs: 600_000,
        mostBytes: MOST_BYTES,
        attempts: ATTEMPTS,
        longestWishMs: LONGEST_WISH_MS,
        ...(line.firstDelayMs === undefined ? {} : { firstDelayMs: line.firstDelayMs }),
        signal: AbortSignal.any([signal, silence.signal]),
      },
      (response, mostBytes, host) => readCompletion(response, mostBytes, host, heard),
    )
    const read = withWrittenCalls(said, conversation.tools)
    return conversation.mayCall ? read : { ...read, calls: [] }
  } finally {
    clearTimeout(timer)
  }
}

const bodyOf = (model: string, conversation: Conversation, dialect: Dialect): object => ({
  model,
  stream: true,
  ...(dialect.usage && { stream_options: { include_usage: true } }),
  ...boundsOf(dialect, conversation.mostTokens),
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
