// An HTTP client of the service: what the demo does, any client can do.

import { setTimeout as sleep } from 'node:timers/promises'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { DemoFailure } from './failure.ts'
import type { Account } from './service.ts'

export interface Client {
  get<Body>(path: string): Promise<Body>
  post<Body>(path: string, body: unknown): Promise<Body>
  /** A multipart upload. */
  send<Body>(path: string, form: FormData): Promise<Body>
  /** The messages of an event stream; undefined if the service answers with 404 or without a stream. */
  events(path: string, body?: unknown): Promise<AsyncIterable<EventSourceMessage> | undefined>
  pause(ms: number): Promise<void>
  /** A link that opens `path` of the console in a browser, signed in; it works once. */
  linkTo(path: string): Promise<{ link: string; expires_in: number }>
}

// Access tokens of POST /session/token are valid for 15 minutes.
const RENEW_AFTER_MS = 10 * 60_000

/** Signs in. @returns a client of `{origin}/v1`. @throws DemoFailure when the account is refused */
export async function signIn(origin: string, account: Account, signal: AbortSignal): Promise<Client> {
  const cookie = await openSession(origin, account, signal)
  let token = await newToken(origin, cookie, signal)
  let since = Date.now()
  const request = async (method: string, path: string, body?: string | FormData): Promise<Response> => {
    if (Date.now() - since > RENEW_AFTER_MS) {
      token = await newToken(origin, cookie, signal)
      since = Date.now()
    }
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (typeof body === 'string') headers['content-type'] = 'application/json'
    return await fetch(`${origin}/v1${path}`, { method, headers, body: body ?? null, signal })
  }
  const json = async <Body>(method: string, path: string, body?: string | FormData): Promise<Body> => {
    const response = await request(method, path, body)
    if (!response.ok) throw await refusal(`${method} /v1${path}`, response)
    return (await response.json()) as Body
  }
  return {
    get: (path) => json('GET', path),
    post: (path, body) => json('POST', path, JSON.stringify(body)),
    send: (path, form) => json('POST', path, form),
    pause: (ms) => sleep(ms, undefined, { signal }),
    async linkTo(path) {
      const headers = { cookie, origin, 'content-type': 'application/json' }
      const body = JSON.stringify({ next: path })
      const response = await fetch(`${origin}/account/sign-in-link`, {
        method: 'POST',
        headers,
        body,
        signal,
      })
      if (!response.ok) throw await refusal('POST /account/sign-in-link', response)
      return (await response.json()) as { link: string; expires_in: number }
    },
    async events(path, body) {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await request(method, path, body === undefined ? undefined : JSON.stringify(body))
      if (response.status === 404 && body === undefined) return undefined
      if (!response.ok) throw await refusal(`${method} /v1${path}`, response)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return undefined
      return messages(response)
    },
  }
}

async function* messages(response: Response): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return
  yield* response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
}

async function openSession(origin: string, account: Account, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(account),
    signal,
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0]
  if (response.status === 401) {
    throw new DemoFailure(
      `The data folder belongs to another account than ${account.email}. Set KENNING_ADMIN_EMAIL and ` +
        'KENNING_ADMIN_PASSWORD to that account, or choose an empty folder with KENNING_DATA_DIR.',
    )
  }
  if (!response.ok) throw await refusal('POST /session', response)
  if (!cookie) throw new DemoFailure('POST /session answered without a session cookie.')
  return cookie
}

async function newToken(origin: string, cookie: string, signal: AbortSignal): Promise<string> {
  const headers = { cookie, origin }
  const response = await fetch(`${origin}/session/token`, { method: 'POST', headers, signal })
  if (!response.ok) throw await refusal('POST /session/token', response)
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

/** An error with the message of the service's answer. */
async function refusal(what: string, response: Response): Promise<DemoFailure> {
  const text = await response.text()
  const wait = response.headers.get('retry-after')
  const again = wait ? ` Try again in ${wait} s.` : ''
  return new DemoFailure(`${what} answered ${response.status}: ${messageOf(text)}${again}`)
}

export function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } }
    return error?.message ?? text.slice(0, 200)
  } catch {
    return text.slice(0, 200)
  }
}
