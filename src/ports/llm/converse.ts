// One turn of a conversation over `POST /chat/completions`, streamed, with the fields that the server accepts.

import { OutboundFailed, post } from '../outbound/outbound.ts'
import { readCompletion } from './completion.ts'
import type { BegunAnswer, Conversation, Message, ModelTurn } from './conversation.ts'
import { CHAT_FORMS, type Dialect, limitFields, type TryDialects } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'
import { plainMessages, withWrittenCalls } from './plain-tools.ts'
import { failureFrom } from './refusal.ts'
import { beginsInThought, withoutThoughts } from './thoughts.ts'
import { estimateTokens } from './tokens.ts'

interface ChatEndpoint {
  endpoint: Endpoint
  model: string
  /** The request fails when no byte arrives for this long. */
  silenceMs: number
  firstDelayMs?: number
}

/**
 * `onText` is called while the model writes, each time with its whole text so far, without its thoughts. If the request is sent
 * again, the text begins again. `onAnswer` is called for each request that was sent, when its answer begins to arrive.
 */
export type Converse = (
  conversation: Conversation,
  signal: AbortSignal,
  onText?: (text: string) => void,
  onAnswer?: (answer: BegunAnswer) => void,
) => Promise<ModelTurn>

const MAX_BYTES = 8_000_000
// A request to a busy server is repeated only once, since a person is waiting.
const MAX_ATTEMPTS = 2
const MAX_RETRY_AFTER_MS = 10_000

/** @throws OutboundFailed, or the reason of the signal */
export function openConverse(server: ChatEndpoint, tryDialects: TryDialects): Converse {
  // If the model's last text began in a thought without an opening tag, the next one probably does, too. Then it is withheld until
  // the closing tag.
  let mayBeginInThought = false
  return async (conversation, signal, onText, onAnswer) => {
    let rawText = ''
    const mayReport = (): boolean => !mayBeginInThought || beginsInThought(rawText)
    const onWritten = (text: string): void => {
      rawText = text
      if (mayReport()) onText?.(withoutThoughts(text))
    }
    const turn = await tryDialects(CHAT_FORMS, (dialect) =>
      sendOnce(server, { conversation, dialect, signal, onText: onWritten, onAnswer }),
    )
    mayBeginInThought = beginsInThought(rawText)
    return turn
  }
}

interface ChatRequest {
  conversation: Conversation
  dialect: Dialect
  signal: AbortSignal
  onText: (text: string) => void
  onAnswer: ((answer: BegunAnswer) => void) | undefined
}

async function sendOnce(
  { endpoint, model, silenceMs, firstDelayMs }: ChatEndpoint,
  { conversation, dialect, signal, onText, onAnswer }: ChatRequest,
): Promise<ModelTurn> {
  const silence = new AbortController()
  const abortForSilence = (): void =>
    silence.abort(new OutboundFailed(`${endpoint.host} sent nothing for ${silenceMs} ms`))
  let timer = setTimeout(abortForSilence, silenceMs)
  const onData = (): void => {
    clearTimeout(timer)
    timer = setTimeout(abortForSilence, silenceMs)
  }
  const content = contentOf(conversation, dialect)
  try {
    const { promptTokens, ...turn } = await post(
      {
        url: endpoint.chatUrl,
        fetch: endpoint.fetch,
        headers: { accept: 'text/event-stream, application/json', ...endpoint.headers },
        body: { model, stream: true, ...fieldsOf(conversation, dialect), ...content },
        failureFrom,
        // The caller's signal limits the total time.
        timeoutMs: 600_000,
        maxBytes: MAX_BYTES,
        attempts: MAX_ATTEMPTS,
        maxRetryAfterMs: MAX_RETRY_AFTER_MS,
        ...(firstDelayMs === undefined ? {} : { firstDelayMs }),
        signal: AbortSignal.any([signal, silence.signal]),
      },
      (response, maxBytes, host) => readCompletion(response, { maxBytes, host, onData, onText, onAnswer }),
    )
    const prompt = { estimated: estimateTokens(JSON.stringify(content)), counted: promptTokens }
    const withCalls = withWrittenCalls({ ...turn, prompt }, conversation.tools)
    return conversation.mayCall ? withCalls : { ...withCalls, calls: [] }
  } finally {
    clearTimeout(timer)
  }
}

const fieldsOf = ({ maxTokens }: Conversation, dialect: Dialect): object => ({
  ...(dialect.usage && { stream_options: { include_usage: true } }),
  ...limitFields(dialect, maxTokens),
})

/** What the model reads: messages and tools. */
const contentOf = (conversation: Conversation, dialect: Dialect): object =>
  dialect.tools
    ? { messages: conversation.messages.map(wireMessage), ...toolsOf(conversation) }
    : { messages: plainMessages(conversation) }

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
  // `opaque` is sent back only with calls, because DeepSeek's older models refuse their thoughts in other messages.
  if (message.calls.length === 0) return { role: 'assistant', content: message.content }
  const calls = message.calls.map((call) => ({
    ...call.opaque,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  return { ...message.opaque, role: 'assistant', content: message.content || null, tool_calls: calls }
}
