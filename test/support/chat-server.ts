// A server that speaks OpenAI's /chat/completions by a script: each request takes the next reply, the last one stays. A
// reply with `text` or `calls` is streamed in fragments to who asks for a stream. What it refuses and how it writes is that of a
// kind of server (test/models/).

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  /** The message's content; an object is sent as JSON. */
  content?: unknown
  /** The whole body instead. */
  body?: string
  /** Of prompt and answer. */
  tokens?: number
  /** Why the model stops; `stop` or `tool_calls` otherwise. */
  finishReason?: string
  /** Says nothing, until the client goes. */
  silent?: true
  /** Streamed: what the model says … */
  text?: string
  /** … and goes on with, once the promise is kept … */
  further?: { text: string; after: Promise<unknown> }
  /** … and the tools it calls at once; a string is sent as arguments as it is. */
  calls?: { id?: string; name: string; arguments: unknown }[]
  /**
   * The stream: `cut` ends in the middle, `stuck` says half and then nothing, `endless` never stops, `unended` has no end mark,
   * `alive` sends comments without end. */
  ends?: 'cut' | 'stuck' | 'endless' | 'unended' | 'alive'
}

export interface SentCall {
  id: string
  function: { name: string; arguments: string }
  [field: string]: unknown
}

export interface ChatMessage {
  role: string
  content: string | null
  tool_calls?: SentCall[]
  tool_call_id?: string
  [field: string]: unknown
}

export interface ChatRequest {
  model?: string
  messages: ChatMessage[]
  response_format?: { type: string }
  stream?: boolean
  stream_options?: object
  tools?: { function: { name: string } }[]
  tool_choice?: string
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
}

/** What a kind of server does beside answering. */
export interface ServerKind {
  name: string
  /** The path of the protocol, `/v1` at most servers. */
  path: string
  /** Behind the path in the address that people enter. */
  query?: string
  /** The answer to a request that the server does not accept. */
  refuse?: (
    request: ChatRequest,
    headers: IncomingHttpHeaders,
    query: URLSearchParams,
  ) => ScriptedReply | undefined
  /** The length of its context, of which the answer is a part, and what becomes of a prompt that is longer. */
  context?: { tokens: number; exceeded: 'drops the beginning' | ((promptTokens: number) => ScriptedReply) }
  /** Other addresses of the server, by method and path. `isLoaded`: whether the model was used or loaded. */
  pages?: Readonly<Record<string, (isLoaded: boolean) => object>>
  /** Paths that load the model. */
  loads?: readonly string[]
  /** Whether usage is sent only to who asks for it, or always. Nothing is counted without it. */
  usage?: 'on request' | 'always'
  /** Fields of a message's first piece, such as thoughts, and of each call. */
  messageFields?: (hasCalls: boolean) => object
  callFields?: (index: number) => object
  callId?: (index: number) => string
  /** Instead of the text of a piece. */
  content?: (text: string) => unknown
  /** A comment in the stream. */
  comment?: string
  /** How it calls the reason to stop. */
  finishReason?: (reason: string) => string
}

export const STANDARD: ServerKind = { name: 'the protocol', path: '/v1' }

export interface ChatServer {
  url: string
  /** The requests that were accepted, as the model reads them. */
  requests: ChatRequest[]
  /** How many were not. */
  refused: number
  /** The requests for other pages of the server. */
  others: { path: string; authorization: string | undefined }[]
  script: ScriptedReply[]
  /** Goes before the script where it is set. */
  answer: ((request: ChatRequest) => ScriptedReply) | undefined
  /** Resolves when a client goes before it has its whole answer. */
  left(): Promise<void>
  close(): Promise<void>
}

export async function chatServer(kind: ServerKind = STANDARD): Promise<ChatServer> {
  const waiting: (() => void)[] = []
  let isLoaded = false
  const chat: Omit<ChatServer, 'url'> = {
    requests: [],
    refused: 0,
    others: [],
    script: [],
    answer: undefined,
    left: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => closeNow(server),
  }
  // A mistake of a test's is an answer that no client takes, and not a request that is never answered.
  const answerOf = (request: ChatRequest): ScriptedReply | undefined => {
    try {
      return chat.answer?.(request)
    } catch (error) {
      console.error(error)
      return { status: 418, body: String(error) }
    }
  }
  const server = createServer(async (httpRequest, response) => {
    const body = await wholeBody(httpRequest)
    if (body === undefined) return
    const { pathname, searchParams } = new URL(httpRequest.url ?? '', 'http://server')
    if (pathname !== `${kind.path}/chat/completions`) {
      chat.others.push({ path: pathname, authorization: httpRequest.headers.authorization })
      const page = kind.pages?.[`${httpRequest.method} ${pathname}`]?.(isLoaded)
      isLoaded ||= kind.loads?.includes(pathname) ?? false
      sendJson(response, page ? 200 : 404, page ?? { error: { message: 'Not Found', code: 404 } })
      return
    }
    const chatRequest = JSON.parse(body) as ChatRequest
    response.on('close', () => {
      if (!response.writableFinished) for (const resolve of waiting.splice(0)) resolve()
    })
    const promptTokens = tokensOf(chatRequest)
    const refusal =
      kind.refuse?.(chatRequest, httpRequest.headers, searchParams) ??
      refusalOfLength(kind, chatRequest, promptTokens)
    if (refusal) {
      chat.refused++
      respond(response, chatRequest, refusal, { kind, promptTokens })
      return
    }
    isLoaded = true
    const request = asRead(kind, chatRequest)
    chat.requests.push(request)
    const { script } = chat
    const next = answerOf(request) ?? (script.length > 1 ? script.shift() : script[0])
    const countedTokens = Math.min(promptTokens, kind.context?.tokens ?? promptTokens)
    respond(response, request, next ?? { content: '' }, { kind, promptTokens: countedTokens })
  })
  const url = `${await listenOnLoopback(server)}${kind.path}${kind.query ?? ''}`
  return Object.assign(chat, { url })
}

const CHARACTERS_PER_TOKEN = 4

const tokensOf = ({ messages, tools = [] }: ChatRequest): number =>
  Math.ceil(JSON.stringify([messages, tools]).length / CHARACTERS_PER_TOKEN)

function refusalOfLength(
  { context }: ServerKind,
  { max_tokens, max_completion_tokens }: ChatRequest,
  promptTokens: number,
): ScriptedReply | undefined {
  if (!context || context.exceeded === 'drops the beginning') return undefined
  const answerTokens = max_tokens ?? max_completion_tokens ?? 0
  return promptTokens + answerTokens > context.tokens ? context.exceeded(promptTokens) : undefined
}

/** The request as the model reads it: of one that is too long the end. */
function asRead({ context }: ServerKind, request: ChatRequest): ChatRequest {
  if (context?.exceeded !== 'drops the beginning') return request
  let surplus = (tokensOf(request) - context.tokens) * CHARACTERS_PER_TOKEN
  const messages = request.messages.flatMap((message) => {
    if (surplus <= 0) return [message]
    const content = (message.content ?? '').slice(surplus)
    surplus -= (message.content ?? '').length
    return content ? [{ ...message, content }] : []
  })
  return { ...request, messages }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

interface Sender {
  kind: ServerKind
  promptTokens: number
}

function respond(
  response: ServerResponse,
  request: ChatRequest,
  scriptedReply: ScriptedReply,
  sender: Sender,
): void {
  if (scriptedReply.silent) return
  const reply = asWritten(request, scriptedReply)
  const streams = reply.text !== undefined || reply.calls !== undefined
  if (request.stream && streams && !reply.body) {
    void streamReply(response, request, reply, sender)
    return
  }
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.body ?? completion(reply, sender))
}

/** A model that was given no tools writes its call as text. */
function asWritten(request: ChatRequest, reply: ScriptedReply): ScriptedReply {
  const [call] = reply.calls ?? []
  if (!call || request.tools || !request.stream) return reply
  const { calls: _calls, ...rest } = reply
  return { ...rest, text: JSON.stringify({ tool: call.name, arguments: call.arguments }) }
}

async function streamReply(
  response: ServerResponse,
  request: ChatRequest,
  reply: ScriptedReply,
  sender: Sender,
): Promise<void> {
  const comment = `: ${sender.kind.comment ?? 'processing'}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.write(comment)
  const events = [...deltas(reply, sender.kind)].map((delta) => ({ delta, finish_reason: null }))
  const isPart = reply.ends === 'cut' || reply.ends === 'stuck' || reply.ends === 'alive'
  const eventsToSend = isPart ? events.slice(0, events.length / 2) : events
  for (const choice of eventsToSend) {
    response.write(frame({ choices: [{ index: 0, ...choice }] }))
    if (sender.kind.comment) response.write(comment)
  }
  if (reply.further) {
    await reply.further.after
    for (const [piece] of reply.further.text.matchAll(PIECES)) {
      const delta = { content: sender.kind.content?.(piece) ?? piece }
      response.write(frame({ choices: [{ index: 0, delta, finish_reason: null }] }))
    }
  }
  if (reply.ends === 'endless') flood(response)
  else if (reply.ends === 'alive') keepAlive(response, comment)
  else if (reply.ends === 'cut') response.destroy()
  else if (reply.ends !== 'stuck') finish(response, request, reply, sender)
}

const ALIVE_MS = 20

function keepAlive(response: ServerResponse, comment: string): void {
  const timer = setInterval(() => response.write(comment), ALIVE_MS)
  response.on('close', () => clearInterval(timer))
}

function finish(response: ServerResponse, request: ChatRequest, reply: ScriptedReply, sender: Sender): void {
  const last = { index: 0, delta: {}, finish_reason: reasonOf(reply, sender.kind) }
  response.write(frame({ choices: [last] }))
  const usage = usageOf(reply, sender)
  const isSent = usage && (sender.kind.usage !== 'on request' || request.stream_options)
  if (isSent) response.write(frame({ choices: [], usage }))
  response.end(reply.ends === 'unended' ? undefined : 'data: [DONE]\n\n')
}

function reasonOf({ finishReason, calls }: ScriptedReply, kind: ServerKind): string {
  const reason = finishReason ?? (calls ? 'tool_calls' : 'stop')
  return kind.finishReason?.(reason) ?? reason
}

/** What a request cost; a kind that counts says how long the prompt was too. */
function usageOf({ tokens }: ScriptedReply, { kind, promptTokens }: Sender): object | undefined {
  if (!kind.usage) return tokens === undefined ? undefined : { total_tokens: tokens }
  return { prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: tokens ?? promptTokens }
}

const frame = (body: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...body })}\n\n`

const PIECES = /[\s\S]{1,7}/gu

/** Text in pieces of seven characters; the calls side by side, a fragment of each in turn. */
function* deltas({ text = '', calls = [] }: ScriptedReply, kind: ServerKind): Generator<object> {
  yield { role: 'assistant', content: text ? '' : null, ...kind.messageFields?.(calls.length > 0) }
  for (const [piece] of text.matchAll(PIECES)) yield { content: kind.content?.(piece) ?? piece }
  const pieces = calls.map(({ arguments: given }) => {
    const argumentText = typeof given === 'string' ? given : JSON.stringify(given)
    return [...argumentText.matchAll(/[\s\S]{1,5}/gu)].map(([piece]) => piece)
  })
  for (const [index, { id, name }] of calls.entries()) {
    const started = { name, arguments: '' }
    const ownCall = { id: id ?? idOf(kind, index), type: 'function', function: started }
    yield { tool_calls: [{ index, ...ownCall, ...kind.callFields?.(index) }] }
  }
  for (let i = 0; i < Math.max(0, ...pieces.map(({ length }) => length)); i++)
    for (const [index, own] of pieces.entries())
      if (own[i] !== undefined) yield { tool_calls: [{ index, function: { arguments: own[i] } }] }
}

const idOf = (kind: ServerKind, index: number): string => kind.callId?.(index) ?? `call_${index}`

/** As fast as it is read, until the client goes. */
function flood(response: ServerResponse): void {
  const more = (): void => {
    while (
      !response.destroyed &&
      response.write(frame({ choices: [{ delta: { content: 'word '.repeat(200) } }] }))
    );
  }
  response.on('drain', more)
  more()
}

function completion(reply: ScriptedReply, sender: Sender): string {
  const { content, text, calls } = reply
  const { kind } = sender
  const usage = usageOf(reply, sender)
  const message = {
    role: 'assistant',
    content: text ?? (typeof content === 'string' ? content : JSON.stringify(content)),
    ...(calls && {
      tool_calls: calls.map(({ id, name, arguments: given }, i) => ({
        id: id ?? idOf(kind, i),
        type: 'function',
        function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
        ...kind.callFields?.(i),
      })),
    }),
  }
  const choice = { index: 0, finish_reason: reasonOf({ finishReason: 'stop', ...reply }, kind), message }
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [choice],
    ...(usage && { usage }),
  })
}
