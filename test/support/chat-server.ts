// A server that speaks OpenAI's /chat/completions by a script: each request takes the next reply, the last one stays. A
// reply with `text` or `calls` is streamed in fragments to who asks for a stream.

import { createServer, type ServerResponse } from 'node:http'
import { closeNow, listenOnLoopback, wholeBody } from './loopback.ts'

export interface ScriptedReply {
  status?: number
  headers?: Record<string, string>
  /** The message's content; an object is sent as JSON. */
  content?: unknown
  /** The whole body instead. */
  body?: string
  tokens?: number
  /** Says nothing, until the client goes. */
  silent?: true
  /** Streamed: what the model says … */
  text?: string
  /** … and the tools it calls at once; a string is sent as arguments as it is. */
  calls?: { id?: string; name: string; arguments: unknown }[]
  /** The stream: `cut` ends in the middle, `stuck` says half and then nothing, `endless` never stops, `unended` has no end mark. */
  ends?: 'cut' | 'stuck' | 'endless' | 'unended'
}

export interface ChatRequest {
  messages: { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string }[]
  response_format?: unknown
  stream?: boolean
  tools?: { function: { name: string } }[]
  tool_choice?: string
}

export interface ChatServer {
  url: string
  requests: ChatRequest[]
  script: ScriptedReply[]
  /** Goes before the script where it is set. */
  answer: ((request: ChatRequest) => ScriptedReply) | undefined
  /** Resolves when a client goes before it has its whole answer. */
  left(): Promise<void>
  close(): Promise<void>
}

export async function chatServer(): Promise<ChatServer> {
  const waiting: (() => void)[] = []
  const chat: Omit<ChatServer, 'url'> = {
    requests: [],
    script: [],
    answer: undefined,
    left: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => closeNow(server),
  }
  const server = createServer(async (incoming, response) => {
    const body = await wholeBody(incoming)
    if (body === undefined) return
    const request = JSON.parse(body) as ChatRequest
    response.on('close', () => {
      if (!response.writableFinished) for (const resolve of waiting.splice(0)) resolve()
    })
    chat.requests.push(request)
    const { script } = chat
    const next = chat.answer?.(request) ?? (script.length > 1 ? script.shift() : script[0])
    respond(response, request, next ?? { content: '' })
  })
  const url = `${await listenOnLoopback(server)}/v1`
  return Object.assign(chat, { url })
}

function respond(response: ServerResponse, request: ChatRequest, reply: ScriptedReply): void {
  if (reply.silent) return
  const streams = reply.text !== undefined || reply.calls !== undefined
  if (request.stream && streams && !reply.body) {
    streamed(response, reply)
    return
  }
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.body ?? completion(reply))
}

function streamed(response: ServerResponse, reply: ScriptedReply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.write(': processing\n\n')
  const events = [...deltas(reply)].map((delta) => ({ delta, finish_reason: null }))
  const sent = reply.ends === 'cut' || reply.ends === 'stuck' ? events.slice(0, events.length / 2) : events
  for (const choice of sent) response.write(frame({ choices: [{ index: 0, ...choice }] }))
  if (reply.ends === 'endless') flood(response)
  else if (reply.ends === 'cut') response.destroy()
  else if (reply.ends !== 'stuck') finish(response, reply)
}

function finish(response: ServerResponse, { ends, calls, tokens }: ScriptedReply): void {
  const last = { index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }
  response.write(frame({ choices: [last] }))
  if (tokens !== undefined) response.write(frame({ choices: [], usage: usage(tokens) }))
  response.end(ends === 'unended' ? undefined : 'data: [DONE]\n\n')
}

const frame = (body: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...body })}\n\n`

/** Text in pieces of seven characters; the calls side by side, a fragment of each in turn. */
function* deltas({ text = '', calls = [] }: ScriptedReply): Generator<object> {
  yield { role: 'assistant', content: text ? '' : null }
  for (const [piece] of text.matchAll(/[\s\S]{1,7}/gu)) yield { content: piece }
  const pieces = calls.map(({ arguments: given }) => {
    const whole = typeof given === 'string' ? given : JSON.stringify(given)
    return [...whole.matchAll(/[\s\S]{1,5}/gu)].map(([piece]) => piece)
  })
  for (const [index, { id, name }] of calls.entries()) {
    const started = { name, arguments: '' }
    yield { tool_calls: [{ index, id: id ?? `call_${index}`, type: 'function', function: started }] }
  }
  for (let i = 0; i < Math.max(0, ...pieces.map(({ length }) => length)); i++)
    for (const [index, own] of pieces.entries())
      if (own[i] !== undefined) yield { tool_calls: [{ index, function: { arguments: own[i] } }] }
}

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

const usage = (tokens: number): object => ({
  prompt_tokens: tokens,
  completion_tokens: 0,
  total_tokens: tokens,
})

const completion = ({ content, text, calls, tokens }: ScriptedReply): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: text ?? (typeof content === 'string' ? content : JSON.stringify(content)),
          ...(calls && {
            tool_calls: calls.map(({ id, name, arguments: given }, i) => ({
              id: id ?? `call_${i}`,
              type: 'function',
              function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
            })),
          }),
        },
      },
    ],
    ...(tokens === undefined ? {} : { usage: usage(tokens) }),
  })
