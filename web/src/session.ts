// The token of the API: in memory only, renewed from the session's cookie a minute before it ends.

import { createClient, KenningError } from '../../src/client/client.ts'
import type {} from './early.ts'

interface Token {
  value: string
  endsAt: number
}

/** Signed out: what still polls is not to be answered with an error. */
let isOver = false
let currentToken: Token | undefined
let pendingToken: Promise<Token> | undefined

const MARGIN_MS = 60_000

/** Somebody without a session is sent to sign in, and comes back to where they are. */
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

/** What the early script has asked for already is not asked for again. */
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

/** The routes beside /v1: the browser adds the session's cookie. */
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
 * Ends the session of this browser. What is being asked meanwhile is given up: it would be answered with an error.
 * @throws KenningError where the service did not answer
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
