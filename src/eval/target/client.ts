// The service's HTTP interface as an evaluation uses it (spec, "Endpoints"): JSON, uploads, patience with 429 and 503.

import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { EvaluationFailed } from '../error.ts'

export interface Client {
  readonly base: string
  /** @throws EvaluationFailed with what the service said */
  json<Body>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Body>
  upload<Body>(path: string, form: () => FormData): Promise<Body>
  /** The events of a stream as they come. */
  events(path: string, body: unknown): AsyncGenerator<ServedEvent>
  /** The same service, heedless of the signal: for tidying up after it. */
  unstoppable(): Client
}

export interface ServedEvent {
  event: string
  /** JSON as sent. */
  data: string
}

/** A bearer token; `renew` when the last one was refused. */
export type TokenSource = (renew: boolean) => Promise<string>

const ATTEMPTS = 20
const LONGEST_WAIT_S = 60
// A wait of this length is a limit, such as that of questions an hour: better said than sat out.
const HOPELESS_WAIT_S = 600
// Longer than any search or upload of 20 files takes; a service that hangs must not hang us.
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
        const wanted = Number(answer.headers.get('retry-after')) || 1
        if (wanted > HOPELESS_WAIT_S) throw await refusal(`${init().method} ${path}`, answer)
        const seconds = Math.min(wanted, LONGEST_WAIT_S)
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
      // A token goes to the address it was meant for and nowhere else.
      redirect: 'error',
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted)
      throw new EvaluationFailed(`${url} gave no answer within ${ANSWER_MS / 60_000} minutes.`)
    const { cause } = error as { cause?: { code?: string; message?: string } }
    const why = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
    throw new EvaluationFailed(`${url} cannot be reached: ${why}.`)
  }
}

/** What the service said no with, as a sentence. */
async function refusal(what: string, answer: Response): Promise<EvaluationFailed> {
  const text = await answer.text()
  let message = text.slice(0, 300)
  try {
    message = (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? message
  } catch {
    // Not JSON: a proxy's page, shown as it begins.
  }
  const hint = answer.status === 401 ? ' Give a fresh one with --token or --token-file.' : ''
  return new EvaluationFailed(`${what} answered ${answer.status}: ${message}${hint}`)
}
