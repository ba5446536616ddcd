// Sends JSON requests to servers that the operator configured. Limits time and size, and retries when the server is busy. Errors
// contain the host and the status, but never the request, a key, or the body of the answer.

import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './send.ts'

interface OutboundRequest {
  url: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  body: unknown
  /** The time limit of each attempt, until the last byte of the answer. */
  timeoutMs: number
  /** A longer answer is an error. */
  maxBytes: number
  /** 1 for no retries. */
  attempts: number
  /** The pause before the second attempt, which doubles with each further one up to MAX_DELAY_MS. Retry-After overrides it. */
  firstDelayMs?: number
  /** The request fails at once if the server's Retry-After is longer than this (default MAX_RETRY_AFTER_MS). */
  maxRetryAfterMs?: number
  /** Makes the error for an answer whose status is not 2xx, from the status and the beginning of the body. */
  failureFrom?: (status: number, body: string, host: string) => OutboundFailed
  signal?: AbortSignal | undefined
  /** Default: `send`, which may connect to any address. */
  fetch?: Fetch | undefined
}

export interface FetchOptions {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

/** Sends one request: `send`, or `guardedFetch` (guarded-fetch.ts). A redirect is returned like any other answer. */
export type Fetch = (url: string, options: FetchOptions) => Promise<Response>

export class OutboundFailed extends Error {
  /** The status of the answer. Undefined if there was no answer, or if the answer was not JSON. */
  readonly status: number | undefined
  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundFailed'
    this.status = status
  }
}

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 20_000
// If Retry-After is longer, the request fails, and a task that sent it is attempted again later.
const MAX_RETRY_AFTER_MS = 60_000
const BUSY_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** The parsed JSON of the answer. @throws OutboundFailed, or the reason of `signal` */
export const postJson = (request: OutboundRequest): Promise<unknown> => post(request, readJson)

/**
 * Returns the result of `read` for an answer with a status of 2xx. The request is not repeated if `read` throws an OutboundFailed.
 * @throws as postJson
 */
export async function post<T>(request: OutboundRequest, read: AnswerReader<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(request, read)
    if ('answer' in outcome) return outcome.answer
    const { failure, retry } = outcome
    const delay = retry?.afterMs ?? backoff(request.firstDelayMs ?? FIRST_DELAY_MS, attempt)
    if (!retry || attempt >= request.attempts || delay > (request.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS))
      throw failure
    await sleep(delay, undefined, request.signal ? { signal: request.signal } : {}).catch(() => {})
    request.signal?.throwIfAborted()
  }
}

export interface Answer {
  status: number
  headers: Headers
  /** Present if the answer is JSON. */
  body: unknown
}

/** The answer to a GET, or to a POST if `postedBody` is given. Redirects are not followed. @throws OutboundFailed */
export async function getJson(
  url: string,
  timeoutMs: number,
  postedBody?: object,
  { headers = {}, send: sendRequest = send, maxBytes = MAX_GET_BYTES }: GetOptions = {},
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const host = new URL(url).host
  const accept = { accept: 'application/json, text/event-stream' }
  const postOptions = postedBody && {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', ...accept, ...headers },
    body: JSON.stringify(postedBody),
  }
  try {
    const response = await sendRequest(url, { signal: timeout, headers, ...postOptions })
    const body = await readJson(response, maxBytes, host).catch((error: unknown) => {
      if (!(error instanceof OutboundFailed)) throw error
    })
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    if (error instanceof OutboundFailed) throw error
    throw new OutboundFailed(`${host} ${reasonOf(timeout, timeoutMs, error)}`)
  }
}

interface GetOptions {
  headers?: Record<string, string>
  send?: Fetch
  maxBytes?: number
}

const MAX_GET_BYTES = 100_000

const reasonOf = (timeout: AbortSignal, timeoutMs: number, error: unknown): string =>
  timeout.aborted
    ? `did not answer within ${timeoutMs} ms`
    : `cannot be reached (${codeOf(error)})${adviceFor(codeOf(error))}`

/**
 * The pause before the next attempt. It doubles with each attempt, and a random part of up to a quarter is subtracted, so that
 * clients that failed at the same time do not retry at the same time.
 */
const backoff = (first: number, attempt: number): number =>
  Math.min(first * 2 ** (attempt - 1), MAX_DELAY_MS) * (1 - Math.random() / 4)

type AnswerReader<T> = (response: Response, maxBytes: number, host: string) => Promise<T>

type Failure = { failure: OutboundFailed; retry?: { afterMs: number | undefined } }
type Outcome<T> = { answer: T } | Failure

async function sendOnce<T>(request: OutboundRequest, read: AnswerReader<T>): Promise<Outcome<T>> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  const host = new URL(request.url).host
  try {
    // A redirect is not followed, because that would send the key to another server. It is an error, like every status but 2xx.
    const response = await (request.fetch ?? send)(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      signal,
    })
    if (!response.ok) return await failureOf(response, host, request.failureFrom)
    return { answer: await read(response, request.maxBytes, host) }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (error instanceof OutboundFailed) return { failure: error }
    const reason = reasonOf(timeout, request.timeoutMs, error)
    return { failure: new OutboundFailed(`${host} ${reason}`), retry: { afterMs: undefined } }
  }
}

async function failureOf(
  response: Response,
  host: string,
  failureFrom: OutboundRequest['failureFrom'],
): Promise<Failure> {
  const { status } = response
  const failure = failureFrom
    ? failureFrom(status, await beginningOf(response), host)
    : new OutboundFailed(`${host} answered ${status}`, status)
  await response.body?.cancel()
  if (!BUSY_STATUSES.has(response.status)) return { failure }
  return { failure, retry: { afterMs: retryAfterOf(response.headers.get('retry-after')) } }
}

const MAX_ERROR_BYTES = 4_000

/** The beginning of the body as text. If the connection fails, it is what has arrived so far. */
async function beginningOf(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (text.length > MAX_ERROR_BYTES) break
    }
  } catch {}
  return text.slice(0, MAX_ERROR_BYTES)
}

/** Retry-After in milliseconds (RFC 9110, 10.2.3: seconds or a date). */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

async function readJson(response: Response, maxBytes: number, host: string): Promise<unknown> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > maxBytes) throw new OutboundFailed(`${host} sent more than ${maxBytes} bytes`, response.status)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw new OutboundFailed(`${host} did not answer in JSON`)
  }
}

// The error codes for a certificate of an authority that Node.js does not know. The proxies of companies often have such ones.
const UNKNOWN_AUTHORITY_CODES = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

function adviceFor(code: string): string {
  if (UNKNOWN_AUTHORITY_CODES.has(code)) return ': set KENNING_CA_FILE to the file of your authority in PEM'
  return code.startsWith('proxy: ') ? ': check HTTPS_PROXY, HTTP_PROXY and NO_PROXY' : ''
}

/** The code of a network error, such as ECONNREFUSED. `fetch` puts it into the error's cause. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? code ?? (error as Error).name)
}
