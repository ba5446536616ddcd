// The token of the API: in memory only, renewed from the session's cookie a minute before it ends.

import { createClient, KenningError, type UploadOptions } from '../../src/client/client.ts'

interface Token {
  value: string
  endsAt: number
}

let held: Token | undefined
let asked: Promise<Token> | undefined

const MARGIN_MS = 60_000

/** Somebody without a session is sent to sign in, and comes back to where they are. */
export function signIn(): never {
  const here = location.pathname + location.search
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
  throw new KenningError(401, 'unauthorized', 'Sign in to go on.')
}

async function renew(): Promise<Token> {
  const response = await fetch('/session/token', { method: 'POST' }).catch(() => undefined)
  if (response === undefined) throw new KenningError(0, 'unreachable', 'The service cannot be reached.')
  if (response.status === 401) signIn()
  if (!response.ok) throw new KenningError(response.status, 'http_error', 'The session could not be renewed.')
  const { access_token, expires_in } = (await response.json()) as { access_token: string; expires_in: number }
  return { value: access_token, endsAt: Date.now() + expires_in * 1000 - MARGIN_MS }
}

async function token(anew: boolean): Promise<string> {
  if (held && held.endsAt > Date.now() && !anew) return held.value
  asked ??= renew().finally(() => {
    asked = undefined
  })
  held = await asked
  return held.value
}

/** By XMLHttpRequest: `fetch` does not tell how much of a request has been sent. */
function sendForm(
  url: string,
  form: FormData,
  headers: Record<string, string>,
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0)
    request.onload = () => {
      const after = request.getResponseHeader('retry-after')
      const answered = { status: request.status, headers: after === null ? {} : { 'retry-after': after } }
      resolve(new Response(request.responseText, answered))
    }
    request.onerror = () => reject(new TypeError('connection lost'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

export const api = createClient({ baseUrl: '/v1', token, sendForm })

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

/** Ends the session of this browser. @throws KenningError where the service did not answer */
export async function signOut(): Promise<void> {
  const answer = await fetch('/session', { method: 'DELETE' }).catch(() => undefined)
  if (!answer?.ok)
    throw new KenningError(
      0,
      'unreachable',
      'You could not be signed out: the service did not answer. Try again.',
    )
  location.assign('/sign-in')
}
