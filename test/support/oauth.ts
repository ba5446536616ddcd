// A browser and a client of the authorization server, small: forms are filled in and sent as a browser would.

import { createHash, randomBytes } from 'node:crypto'
import type { TokenResponse } from '../../src/oauth/tokens.ts'
import { PASSWORD, type Person, type TestApp } from './app.ts'

export const REDIRECT = 'http://127.0.0.1:3000/callback'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
}

export type Fields = Record<string, string | undefined>

/** What is undefined is left out. */
export const encoded = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString()

export interface Tab {
  get(url: string): Promise<Answer>
  post(url: string, fields: Fields | string, headers?: Record<string, string>): Promise<Answer>
}

const FORM = 'application/x-www-form-urlencoded'

/** A page's requests with this cookie. */
export function openTab(app: TestApp, cookie?: string): Tab {
  const { origin } = app.deps.settings
  const send = async (method: 'GET' | 'POST', url: string, payload?: string, more: object = {}) => {
    const answer = await app.server.inject({
      method,
      url,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': FORM, origin }),
        ...more,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, text: answer.body }
  }
  return {
    get: (url) => send('GET', url),
    post: (url, fields, headers) =>
      send('POST', url, typeof fields === 'string' ? fields : encoded(fields), headers),
  }
}

/** Signs in by the page; the result is the cookie. */
export async function signInByPage(app: TestApp, person: Person): Promise<string> {
  const answer = await openTab(app).post('/sign-in', { email: person.email, password: PASSWORD })
  return cookieOf(answer)
}

export const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']).split(';')[0] ?? ''

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string): string =>
  text.replace(/&([a-z]+|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

/** The hidden fields of the page's form. */
export const hiddenOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [unescaped(name), unescaped(value)],
    ),
  )

export const makeVerifier = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** Registers a client; the result is its id. */
export async function register(app: TestApp, metadata: object = {}): Promise<string> {
  const answer = await app.server.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { client_name: 'A tool', redirect_uris: [REDIRECT], ...metadata },
  })
  return (answer.json() as { client_id: string }).client_id
}

/** What a client asks for; `more` replaces or, undefined, leaves out. */
export const request = (clientId: string, verifier: string, more: Fields = {}): Fields => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: REDIRECT,
  scope: 'knowledge:read knowledge:write',
  state: 'the state',
  code_challenge: challengeOf(verifier),
  code_challenge_method: 'S256',
  resource: 'http://127.0.0.1:8484/v1',
  ...more,
})

export interface Consented {
  code: string
  verifier: string
  clientId: string
  cookie: string
}

// One sign-in a person: hashing the password is what takes the time.
const cookies = new Map<string, string>()

/** A person lets a client in: everything up to the code. */
export async function consent(
  app: TestApp,
  person: Person,
  { clientId, more = {} }: { clientId?: string; more?: Fields } = {},
): Promise<Consented> {
  const id = clientId ?? (await register(app))
  const cookie = cookies.get(person.id) ?? (await signInByPage(app, person))
  cookies.set(person.id, cookie)
  const verifier = makeVerifier()
  const tab = openTab(app, cookie)
  const page = await tab.get(`/oauth/authorize?${encoded(request(id, verifier, more))}`)
  const answer = await tab.post('/oauth/consent', { ...hiddenOf(page.text), write: 'yes', decision: 'allow' })
  const code = new URL(String(answer.headers.location)).searchParams.get('code') ?? ''
  return { code, verifier, clientId: id, cookie }
}

export interface Redeemed {
  status: number
  headers: Answer['headers']
  body: TokenResponse & { error?: string; error_description?: string }
}

/** Asks the token endpoint. */
export async function token(app: TestApp, fields: Fields): Promise<Redeemed> {
  const answer = await openTab(app).post('/oauth/token', fields)
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) }
}

export const redeem = (app: TestApp, { code, verifier, clientId }: Consented, more: Fields = {}) =>
  token(app, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    client_id: clientId,
    redirect_uri: REDIRECT,
    resource: 'http://127.0.0.1:8484/v1',
    ...more,
  })

export const refreshed = (app: TestApp, clientId: string, refreshToken: string, more: Fields = {}) =>
  token(app, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, ...more })
