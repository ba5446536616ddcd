// The token of the API. It is kept only in memory. A minute before it expires, a new one is requested with the session's cookie.

import { createClient, KenningError } from '../../src/client/client.ts'
import type {} from './early.ts'
import { t } from './language/text.tsx'
import { SITE } from './site.ts'

interface Token {
  value: string
  endsAt: number
}

/** Whether the person has signed out. Requests that are still polling must then not end in an error. */
let isSignedOut = false
let currentToken: Token | undefined
let pendingToken: Promise<Token> | undefined

const RENEWAL_MARGIN_MS = 60_000

/** Sends a person without a session to the sign-in page, and then back to the current page. */
function signIn(): never {
  const currentAddress = location.pathname + location.search
  location.assign(`${SITE}/sign-in?next=${encodeURIComponent(currentAddress)}`)
  throw new KenningError(401, 'unauthorized', 'Sign in to go on.')
}

async function renewToken(): Promise<Token> {
  const earlyResponse = globalThis.kenningToken
  globalThis.kenningToken = undefined
  const response = await (earlyResponse ??
    fetch(`${SITE}/session/token`, { method: 'POST' }).catch(() => undefined))
  if (response === undefined) throw new KenningError(0, 'unreachable', 'The service cannot be reached.')
  if (response.status === 401) signIn()
  if (!response.ok) throw new KenningError(response.status, 'http_error', 'The session could not be renewed.')
  const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number }
  return { value: access_token, endsAt: Date.now() + expires_in * 1000 - RENEWAL_MARGIN_MS }
}

async function token(mustRenew: boolean): Promise<string> {
  if (isSignedOut) return new Promise(() => undefined)
  if (currentToken && currentToken.endsAt > Date.now() && !mustRenew) return currentToken.value
  pendingToken ??= renewToken().finally(() => {
    pendingToken = undefined
  })
  currentToken = await pendingToken
  return currentToken.value
}

/** Sends a request, unless the early script (early.ts) has already sent it. */
const send: typeof fetch = async (input, init) => {
  const firstRequest = globalThis.kenningFirst
  if (firstRequest?.path === input && (init?.method ?? 'GET') === 'GET') {
    globalThis.kenningFirst = undefined
    const answer = await firstRequest.answer
    if (answer?.ok) return answer
  }
  return fetch(input, init)
}

export const api = createClient({ baseUrl: `${SITE}/v1`, token, fetch: send })

/** Requests to the routes beside /v1, to which the browser adds the session's cookie. */
export async function account<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${SITE}/account${path}`, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (response.status === 401) signIn()
  if (response.status === 204) return undefined as T
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer as T
  const { type = 'http_error', message = 'The service did not answer as expected.' } = answer.error ?? {}
  throw new KenningError(response.status, type, message, { detail: answer.detail ?? [] })
}

/**
 * Ends the session of this browser. Open requests are cancelled, because they would end in an error.
 * @throws Error if the service did not answer
 */
export async function signOut(queries: { cancelQueries: () => Promise<void> }): Promise<void> {
  isSignedOut = true
  await queries.cancelQueries()
  const answer = await fetch(`${SITE}/session`, { method: 'DELETE' }).catch(() => undefined)
  isSignedOut = answer?.ok === true
  if (!isSignedOut) throw new Error(t('You could not be signed out: the service did not answer. Try again.'))
  location.assign(`${SITE}/sign-in`)
}
