// Passes the messages of an MCP host, which come as lines of standard input, to the MCP endpoint of a service, and its answers
// back. It reads only what HTTP needs of the messages: the protocol's version and some names are repeated in headers, and a call
// is cancelled by closing its request. If the service does not answer, the host gets an error that its model can read.

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { CommandFailed } from '../failure.ts'

interface Endpoint {
  url: string
  /** A bearer token, or how to get one. `renew`: the last token was refused, so a new one is needed. */
  token: string | ((renew: boolean) => Promise<string>)
}

/** How the MCP host and this program exchange messages. */
interface HostStreams {
  input: Readable
  /** Writes one message as a line. */
  write: (line: string) => void
  /** Aborted when the host ends the program. */
  signal: AbortSignal
}

interface Message {
  id?: string | number | null
  method?: unknown
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const SERVER_ERROR = -32000
const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * Ends when the host ends the program, or when the input has ended and each request in it is answered. Subscriptions have no answer
 * and end with the input.
 * @param open called before each message until it succeeds, so that a person can sign in meanwhile
 */
export async function forwardMessages(
  { input, write, signal }: HostStreams,
  open: () => Promise<Endpoint>,
  send: typeof fetch,
): Promise<void> {
  const endOfInput = new AbortController()
  const endOfProgram = untilAborted(signal)
  const endpoint = memoizeSuccess(async () => withSerializedTokens(await open()))
  const forwarder = forwarderTo(endpoint, { write, send, stop: signal, endOfInput: endOfInput.signal })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  const close = (): void => lines.close()
  signal.addEventListener('abort', close)
  const unanswered = new Set<Promise<void>>()
  try {
    for await (const line of lines) {
      if (!line.trim()) continue
      const answer = forwarder(line).finally(() => unanswered.delete(answer))
      unanswered.add(answer)
    }
    endOfInput.abort()
    await Promise.race([Promise.all(unanswered), endOfProgram])
  } finally {
    signal.removeEventListener('abort', close)
    input.destroy()
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Calls the function until it has succeeded once, and returns that result from then on. */
function memoizeSuccess<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Gets tokens one after the other: a refresh token works only once, but hosts send several messages at the same time. */
function withSerializedTokens({ url, token }: Endpoint): Endpoint {
  if (typeof token === 'string') return { url, token }
  let last: Promise<unknown> = Promise.resolve()
  return {
    url,
    token: (renew) => {
      const next = last.then(
        () => token(renew),
        () => token(renew),
      )
      last = next
      return next
    },
  }
}

interface Forwarding {
  write: HostStreams['write']
  send: typeof fetch
  /** Ends every request. */
  stop: AbortSignal
  /** Ends subscriptions. */
  endOfInput: AbortSignal
}

function forwarderTo(open: () => Promise<Endpoint>, { write, send, stop, endOfInput }: Forwarding) {
  const runningCalls = new Map<unknown, AbortController>()
  /** The protocol version that `initialize` agreed on. Hosts with a version of 2025 do not repeat it in their messages. */
  let negotiatedVersion: string | undefined
  const fail = (id: Message['id'], code: number, text: string): void => {
    if (id !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }))
  }
  /** Returns whether the text is the answer to the message. Other messages, such as notifications, are forwarded too. */
  const forwardAnswer = (message: Message, text: string): boolean => {
    const answer = parseJson(text) as { id?: unknown; result?: { protocolVersion?: unknown } } | undefined
    if (typeof answer !== 'object' || answer === null || !('jsonrpc' in answer)) return false
    const { protocolVersion } = answer.result ?? {}
    if (message.method === 'initialize' && typeof protocolVersion === 'string')
      negotiatedVersion = protocolVersion
    write(JSON.stringify(answer))
    return answer.id === message.id
  }
  return async (line: string): Promise<void> => {
    const message = parseJson(line) as Message | null | undefined
    if (message === undefined) return fail(null, PARSE_ERROR, 'The line is not JSON.')
    // The protocol has no batches since its version of June 2025.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      return fail(null, INVALID_REQUEST, 'The line is not one message of JSON-RPC.')
    if (message.method === 'notifications/cancelled')
      return runningCalls.get(message.params?.requestId)?.abort()
    const cancelController = new AbortController()
    if (message.id !== undefined) runningCalls.set(message.id, cancelController)
    const isSubscription = message.method === 'subscriptions/listen'
    const signal = AbortSignal.any([stop, cancelController.signal, ...(isSubscription ? [endOfInput] : [])])
    try {
      const endpoint = await open()
      const request = { line, headers: headersOf(message, negotiatedVersion), signal }
      const response = await post(endpoint, request, send)
      let isAnswered = false
      let lastText = ''
      for await (const text of messagesOf(response)) {
        isAnswered = forwardAnswer(message, text) || isAnswered
        lastText = text
      }
      if (!isAnswered) fail(message.id, SERVER_ERROR, missingAnswerMessage(response, endpoint, lastText))
    } catch (error) {
      if (!signal.aborted) fail(message.id, SERVER_ERROR, reasonOf(error))
    } finally {
      runningCalls.delete(message.id)
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The headers that repeat parts of a message, as the protocol requires. */
function headersOf(
  { method, params }: Message,
  negotiatedVersion: string | undefined,
): Record<string, string> {
  const version = params?._meta?.[PROTOCOL_VERSION_KEY]
  if (typeof version !== 'string')
    return negotiatedVersion === undefined ? {} : { 'mcp-protocol-version': negotiatedVersion }
  const name = method === 'resources/read' ? params?.uri : params?.name
  return {
    'mcp-protocol-version': version,
    'mcp-method': String(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  }
}

/** Encodes a text that is not printable ASCII, or begins or ends with a space, as the protocol requires. */
const headerText = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

interface PostRequest {
  line: string
  headers: Record<string, string>
  signal: AbortSignal
}

async function post(
  { url, token }: Endpoint,
  { line, headers, signal }: PostRequest,
  send: typeof fetch,
): Promise<Response> {
  const attempt = (bearer: string): Promise<Response> => {
    const authorization = `Bearer ${bearer}`
    const init = {
      method: 'POST',
      headers: {
        ...headers,
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: line,
      signal,
    }
    return send(url, init).catch((error: unknown) => {
      if (signal.aborted) throw error
      const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
      throw new CommandFailed(`${url} cannot be reached (${code ?? message}). Is Kenning running there?`)
    })
  }
  const firstToken = typeof token === 'string' ? token : await token(false)
  const response = await attempt(firstToken)
  if (response.status !== 401) return response
  await response.body?.cancel()
  if (typeof token !== 'string') {
    // Another message may have renewed the token meanwhile.
    const currentToken = await token(false)
    const secondResponse = await attempt(currentToken === firstToken ? await token(true) : currentToken)
    if (secondResponse.status !== 401) return secondResponse
    await secondResponse.body?.cancel()
  }
  throw new CommandFailed(
    `${new URL(url).origin} refuses the sign-in. Run kenning login, or check KENNING_TOKEN.`,
  )
}

/** The messages of a response: one for each event of a stream; otherwise the body. */
async function* messagesOf({ headers, body }: Response): AsyncGenerator<string> {
  if (!body) return
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  let text = ''
  let data: string[] = []
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    if (!isStream) continue
    const lines = text.split(/\r?\n/)
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart())
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
  if (!isStream && text.trim()) yield text
}

/** Why a request has no answer. Errors of the API, such as the error during a restart, contain their own message. */
function missingAnswerMessage({ status, ok }: Response, { url }: Endpoint, text: string): string {
  if (ok) return 'The service ended its answer early. Try again.'
  const { error } = (parseJson(text) ?? {}) as { error?: { message?: unknown } }
  if (typeof error?.message === 'string') return error.message
  return `${url} answered ${status}. It is not the MCP endpoint of Kenning, or Kenning does not run behind it.`
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
