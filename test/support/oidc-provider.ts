// A small OpenID provider on loopback: signs in whoever the test says, checks what a client owes it (client secret, PKCE,
// redirect URI, each code once) and can be told to answer wrongly.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface Person {
  sub: string
  [claim: string]: unknown
}

export interface Provider {
  issuer: string
  /** Who is at the provider's keyboard. */
  person: Person
  /** Claims that only its userinfo tells. */
  userinfo: Record<string, unknown>
  /** Changes what an ID token says. */
  wrong: Record<string, unknown>
  /** Signs with a key that nobody published. */
  forged: boolean
  /** What its metadata says besides, such as the scopes that it has. */
  metadata: Record<string, unknown>
  /** Scopes that it refuses with `invalid_scope`. */
  refusedScopes: string[]
  /** Claims that it tells only if their scope was asked for: `{ groups: 'groups' }`. */
  claimScopes: Record<string, string>
  /** The scopes that it was asked for last. */
  scopes: string[]
  /** Follows the address a browser was sent to; the address that the provider sends it back to. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

export const CLIENT = { id: 'kenning', secret: 'a-secret-of-the-client' }

interface Pending {
  challenge: string
  nonce: string
  redirectUri: string
}

export async function oidcProvider(): Promise<Provider> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Pending>()
  const state = {
    person: { sub: 'nobody' } as Person,
    userinfo: {} as Record<string, unknown>,
    wrong: {} as Record<string, unknown>,
    forged: false,
    metadata: {} as Record<string, unknown>,
    refusedScopes: [] as string[],
    claimScopes: {} as Record<string, string>,
    scopes: [] as string[],
  }
  const answer = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const toldClaims = (claims: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(claims).filter(([name]) => {
        const scope = state.claimScopes[name]
        return scope === undefined || state.scopes.includes(scope)
      }),
    )
  const idToken = (nonce: string) =>
    new SignJWT({ ...toldClaims(state.person), nonce, iss: issuer, aud: CLIENT.id, ...state.wrong })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(state.forged ? other.privateKey : own.privateKey)

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const form = new URLSearchParams(Buffer.concat(pieces).toString())
    const pending = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const good =
      form.get('client_id') === CLIENT.id &&
      form.get('client_secret') === CLIENT.secret &&
      pending?.challenge === challenge &&
      pending.redirectUri === form.get('redirect_uri')
    if (!good) return answer(response, 400, { error: 'invalid_grant' })
    const id_token = await idToken(pending.nonce)
    answer(response, 200, { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 60, id_token })
  }

  const authorize = (url: URL, response: ServerResponse): void => {
    const query = url.searchParams
    const redirectUri = query.get('redirect_uri') ?? ''
    state.scopes = (query.get('scope') ?? '').split(' ')
    const sendBack = (answer: Record<string, string>): void => {
      const back = new URL(redirectUri)
      back.search = new URLSearchParams({
        ...answer,
        state: query.get('state') ?? '',
        iss: issuer,
      }).toString()
      response.writeHead(303, { location: back.href }).end()
    }
    if (state.scopes.some((scope) => state.refusedScopes.includes(scope))) {
      sendBack({ error: 'invalid_scope', error_description: 'a text that no log may have' })
      return
    }
    const code = randomBytes(16).toString('hex')
    codes.set(code, {
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      redirectUri,
    })
    sendBack({ code })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration')
      return answer(response, 200, { ...metadata(issuer), ...state.metadata })
    if (url.pathname === '/jwks') return answer(response, 200, { keys: [jwk] })
    if (url.pathname === '/authorize') return authorize(url, response)
    if (url.pathname === '/token') return void token(request, response)
    if (url.pathname === '/userinfo')
      return answer(response, 200, { sub: state.person.sub, ...toldClaims(state.userinfo) })
    answer(response, 404, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    issuer,
    visit: async (url: string) => {
      const response = await fetch(url, { redirect: 'manual' })
      await response.body?.cancel()
      return response.headers.get('location') ?? ''
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})
