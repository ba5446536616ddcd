// An HTTP client of the service for evaluations: JSON, uploads and event streams, with retries after 429 and 503.

import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { EvaluationFailed } from '../error.ts'

export interface Client {
  readonly base: string
  /** @throws EvaluationFailed with the service's error message */
  json<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Body>
  upload<Body>(path: string, form: () => FormData): Promise<Body>
  /** The events of a stream as they arrive. */
  events(path: string, body: unknown): AsyncGenerator<ServedEvent>
  /** The same client without the abort signal, for cleaning up. */
  unstoppable(): Client
}

export interface ServedEvent {
  event: string
  /** JSON. */
  data: string
}

/** A bearer token; a new one with `renew`, after the last one was refused. */
export type TokenSource = (renew: boolean) => Promise<string>

const ATTEMPTS = 20
const MAX_WAIT_S = 60
// A longer wait is a limit, such as that of questions per hour. It is reported instead.
const MAX_ACCEPTED_WAIT_S = 600
// Longer than any search and any upload of 20 files takes.
const ANSWER_MS = 300_000

/** @param base `{origin}/v1`, without a trailing slash */
export function makeClient(base: string, token: TokenSource, signal?: AbortSignal): Client {
  const send = async (path: string, init: () => RequestInit): Promise<Response> => {
    let renewed = false
    let bearer = await token(false)
    for (let attempt = 1; ; attempt++) {
      const answer = await request(`${base}${path}`, init(), bearer, signal)
      if (answer.status === 401 && !renewed) {
        bearer = await token(true)
        renewed = true
      } else if ((answer.status === 429 || answer.status === 503) && attempt < ATTEMPTS) {
        const delaySeconds = Number(answer.headers.get('retry-after')) || 1
        if (delaySeconds > MAX_ACCEPTED_WAIT_S) throw await refusal(`${init().method} ${path}`, answer)
        const seconds = Math.min(delaySeconds, MAX_WAIT_S)
        await answer.body?.cancel()
        await sleep(seconds * 1000, undefined, signal ? { signal } : {})
      } else if (answer.ok) return answer
      else throw await refusal(`${init().method} ${path}`, answer)
    }
  }
  return {
    base,
    unstoppable: () => makeClient(base, token),
    async json<Body>(method: string, path: string, body?: unknown): Promise<Body> {
      const headers = { 'content-type': 'application/json' }
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
      const answer = await send(path, () => init)
      const text = await answer.text()
      return (text ? JSON.parse(text) : undefined) as Body
    },
    async *events(path: string, body: unknown): AsyncGenerator<ServedEvent> {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
      const answer = await send(path, () => ({ method: 'POST', headers, body: JSON.stringify(body) }))
      yield* eventsOf(answer)
    },
    async upload<Body>(path: string, form: () => FormData): Promise<Body> {
      const answer = await send(path, () => ({ method: 'POST', body: form() }))
      return (await answer.json()) as Body
    },
  }
}

async function* eventsOf(answer: Response): AsyncGenerator<ServedEvent> {
  const ready: ServedEvent[] = []
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => void ready.push({ event, data }),
  })
  const text = new TextDecoder()
  for await (const piece of answer.body ?? []) {
    parser.feed(text.decode(piece, { stream: true }))
    yield* ready.splice(0)
  }
}

async function request(
  url: string,
  init: RequestInit,
  bearer: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const limit = AbortSignal.timeout(ANSWER_MS)
  try {
    return await fetch(url, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${bearer}` },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      // The token must not be sent to another address.
      redirect: 'error',
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted)
      throw new EvaluationFailed(`${url} did not answer within ${ANSWER_MS / 60_000} minutes.`)
    const { cause } = error as { cause?: { code?: string; message?: string } }
    const why = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
    throw new EvaluationFailed(`${url} cannot be reached: ${why}.`)
  }
}

/** An error with the message of the service's answer. */
async function refusal(what: string, answer: Response): Promise<EvaluationFailed> {
  const text = await answer.text()
  let message = text.slice(0, 300)
  try {
    message = (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? message
  } catch {
    // Not JSON, such as a proxy's page: its beginning is shown.
  }
  const hint = answer.status === 401 ? ' Pass a valid token with --token or --token-file.' : ''
  return new EvaluationFailed(`${what} answered ${answer.status}: ${message}${hint}`)
}
