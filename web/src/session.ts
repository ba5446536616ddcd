// The token of the API. It is in memory only, and is renewed from the session's cookie a minute before it expires.

import { createClient, KenningError } from '../../src/client/client.ts'
import type {} from './early.ts'

interface Token {
  value: string
  endsAt: number
}

/** Signed out: requests that are still polling must not end in an error. */
let isOver = false
let currentToken: Token | undefined
let pendingToken: Promise<Token> | undefined

const MARGIN_MS = 60_000

/** Sends a person without a session to the sign-in page, and then back to the current page. */
export function signIn(): never {
  const here = location.pathname + location.search
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
  throw new KenningError(401, 'unauthorized', 'Sign in to go on.')
}

async function renew(): Promise<Token> {
  const early = globalThis.kenningToken
  globalThis.kenningToken = undefined
  const response = await (early ?? fetch('/session/token', { method: 'POST' }).catch(() => undefined))
  if (response === undefined) throw new KenningError(0, 'unreachable', 'The service cannot be reached.')
  if (response.status === 401) signIn()
  if (!response.ok) throw new KenningError(response.status, 'http_error', 'The session could not be renewed.')
  const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number }
  return { value: access_token, endsAt: Date.now() + expires_in * 1000 - MARGIN_MS }
}

async function token(anew: boolean): Promise<string> {
  if (isOver) return new Promise(() => undefined)
  if (currentToken && currentToken.endsAt > Date.now() && !anew) return currentToken.value
  pendingToken ??= renew().finally(() => {
    pendingToken = undefined
  })
  currentToken = await pendingToken
  return currentToken.value
}

/** Does not repeat the requests of the early script. */
const send: typeof fetch = async (input, init) => {
  const first = globalThis.kenningFirst
  if (first?.path === input && (init?.method ?? 'GET') === 'GET') {
    globalThis.kenningFirst = undefined
    const answer = await first.answer
    if (answer?.ok) return answer
  }
  return fetch(input, init)
}

export const api = createClient({ baseUrl: '/v1', token, fetch: send })

/** Requests to the routes beside /v1, to which the browser adds the session's cookie. */
export async function account<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/account${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (response.status === 401) signIn()
  if (response.status === 204) return undefined as T
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer as T
  const { type = 'http_error', message = 'The service did not answer as expected.' } = answer.error ?? {}
  throw new KenningError(response.status, type, message)
}

/**
 * Ends the session of this browser. Open requests are cancelled, because they would end in an error.
 * @throws KenningError if the service did not answer
 */
export async function signOut(queries: { cancelQueries: () => Promise<void> }): Promise<void> {
  isOver = true
  await queries.cancelQueries()
  const answer = await fetch('/session', { method: 'DELETE' }).catch(() => undefined)
  isOver = answer?.ok === true
  if (!isOver)
    throw new KenningError(
      0,
      'unreachable',
      'You could not be signed out: the service did not answer. Try again.',
    )
  location.assign('/sign-in')
}
