// Signs in by OAuth 2.1. The browser shows the consent page, and sends the code to a port of this machine (RFC 8252). If the
// browser runs on another machine, the person pastes the address of the last page. openid-client checks state, issuer and answers.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as OpenId from 'openid-client'
import { CommandFailed, EXIT, notSignedIn } from '../failure.ts'
import { serviceFetch } from '../outbound.ts'
import type { StoredSignIn } from './profile.ts'

const CALLBACK_PATH = '/callback'
const WAIT_MS = 10 * 60_000
const TIMEOUT_SECONDS = 20
// A token is renewed a minute before it expires, so that it is still valid when a request that starts now arrives.
const RENEW_EARLY_MS = 60_000

interface SignInOptions {
  readOnly: boolean
  /** Shows the address to the person, or opens it. */
  show(address: URL): void
  /** The address that the person pastes. It may never settle. */
  pastedAddress: Promise<string>
  signal: AbortSignal
}

/** @throws CommandFailed if the person refused or took too long, or if the service is not Kenning */
export async function signIn(origin: string, options: SignInOptions): Promise<StoredSignIn> {
  const client = await import('openid-client')
  const loopback = await listen(options.signal)
  try {
    const redirect = `http://127.0.0.1:${loopback.port}${CALLBACK_PATH}`
    const config = await registerClient(client, origin, redirect)
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const resource = `${origin}/v1`
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: options.readOnly ? 'knowledge:read' : 'knowledge:read knowledge:write',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource,
    })
    options.show(address)
    const answer = await Promise.race([
      loopback.answer,
      options.pastedAddress.then((text) => toCallbackUrl(text, redirect)),
    ])
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await client.authorizationCodeGrant(config, answer, checks, { resource })
    return toStoredSignIn(tokens, config.clientMetadata().client_id)
  } catch (error) {
    throw toCommandFailure(error, origin)
  } finally {
    loopback.close()
  }
}

/** Exchanges the refresh token for new tokens. @throws CommandFailed with exit code 3 if the person has to sign in again */
export async function renewTokens(
  origin: string,
  { client_id, refresh_token, email }: StoredSignIn,
): Promise<StoredSignIn> {
  const client = await import('openid-client')
  try {
    const config = await discoverClient(client, origin, client_id)
    const tokens = await client.refreshTokenGrant(config, refresh_token, { resource: `${origin}/v1` })
    return { ...toStoredSignIn(tokens, client_id), ...(email === undefined ? {} : { email }) }
  } catch (error) {
    throw toCommandFailure(error, origin)
  }
}

/** Ends the sign-in at the service. */
export async function revokeTokens(
  origin: string,
  { client_id, refresh_token }: StoredSignIn,
): Promise<void> {
  const client = await import('openid-client')
  await client.tokenRevocation(await discoverClient(client, origin, client_id), refresh_token)
}

function toStoredSignIn(tokens: OpenId.TokenEndpointResponse, clientId: string): StoredSignIn {
  const { access_token, refresh_token = '', expires_in = 0 } = tokens
  const expiresAt = Date.now() + expires_in * 1000 - RENEW_EARLY_MS
  return { client_id: clientId, refresh_token, access_token, expires_at: expiresAt }
}

const sendRequest: OpenId.CustomFetch = (url, options) => serviceFetch(url, options as RequestInit)

/** Plain http is allowed only for a service on this machine. */
const allowLocalHttp = (client: typeof OpenId, origin: string) =>
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(origin) ? [client.allowInsecureRequests] : []

function discoverClient(
  client: typeof OpenId,
  origin: string,
  clientId: string,
): Promise<OpenId.Configuration> {
  const execute = allowLocalHttp(client, origin)
  return client.discovery(new URL(origin), clientId, undefined, client.None(), {
    algorithm: 'oauth2',
    execute,
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: sendRequest,
  })
}

function registerClient(
  client: typeof OpenId,
  origin: string,
  redirect: string,
): Promise<OpenId.Configuration> {
  const metadata = {
    client_name: 'Kenning command line',
    application_type: 'native',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  return client.dynamicClientRegistration(new URL(origin), metadata, client.None(), {
    algorithm: 'oauth2',
    execute: allowLocalHttp(client, origin),
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: sendRequest,
  })
}

/** The redirect address with the query of the pasted address. A browser may show the rest of the address in another form. */
function toCallbackUrl(text: string, redirect: string): URL {
  const reply = text.trim()
  if (!URL.canParse(reply) || !new URL(reply).searchParams.has('state')) {
    throw new CommandFailed(
      'This is not the address that the browser was sent to. It begins with http://127.0.0.1 and holds code= and state=.',
    )
  }
  const answer = new URL(redirect)
  answer.search = new URL(reply).search
  return answer
}

const pageHtml = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
  `<body style="font: 1.1rem system-ui; max-width: 32rem; margin: 20vh auto; padding: 0 1rem"><h1>${title}</h1><p>${text}</p>`

/** Waits for the browser on a free port that no other machine can reach. */
async function listen(signal: AbortSignal) {
  let resolveAnswer: (answer: URL) => void = () => {}
  let rejectAnswer: (error: unknown) => void = () => {}
  const answer = new Promise<URL>((resolve, reject) => {
    resolveAnswer = resolve
    rejectAnswer = reject
  })
  answer.catch(() => undefined)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('connection', 'close')
    if (request.method !== 'GET' || url.pathname !== CALLBACK_PATH || !url.searchParams.has('state')) {
      response.writeHead(404).end(pageHtml('Nothing here', 'Kenning waits here for a sign-in to end.'))
      return
    }
    const { port } = server.address() as AddressInfo
    url.port = String(port)
    const isRefused = url.searchParams.has('error')
    const [title, text] = isRefused
      ? ['Not signed in', 'Access was refused. You can close this page.']
      : ['Signed in', 'You can close this page and go back to the terminal.']
    response.end(pageHtml(title, text), () => resolveAnswer(url))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const limit = setTimeout(
    () => rejectAnswer(new CommandFailed('Nobody signed in within 10 minutes. Run kenning login again.')),
    WAIT_MS,
  )
  const stop = (): void => rejectAnswer(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return {
    port: (server.address() as AddressInfo).port,
    answer,
    close: () => {
      clearTimeout(limit)
      signal.removeEventListener('abort', stop)
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Matches the codes of failed connections, such as `ECONNREFUSED` and `UND_ERR_SOCKET`. */
const CONNECTION_ERROR = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|UND_ERR|OAUTH_TIMEOUT)/

/** Turns errors of openid-client into messages with a remedy. */
function toCommandFailure(error: unknown, origin: string): unknown {
  if (error instanceof CommandFailed || (error instanceof DOMException && error.name === 'AbortError'))
    return error
  const {
    error: code,
    code: clientCode,
    cause,
  } = error as { error?: unknown; code?: unknown; cause?: { code?: unknown } }
  if (code === 'access_denied') return new CommandFailed('Access was refused in the browser.')
  if (code === 'invalid_grant')
    return notSignedIn(`You are no longer signed in at ${origin}. Run kenning login ${origin}.`)
  if (code === 'invalid_client') return new CommandFailed(UNKNOWN_CLIENT, EXIT.notSignedIn, 'invalid_client')
  const reason = String(cause?.code ?? code ?? clientCode ?? (error as Error).name)
  if (CONNECTION_ERROR.test(reason))
    return new CommandFailed(
      `${origin} cannot be reached (${reason}). Is Kenning running there?`,
      EXIT.failed,
      'unreachable',
    )
  return new CommandFailed(`${origin} did not answer as Kenning does (${reason}). Check the address.`)
}

const UNKNOWN_CLIENT = 'The service does not know this program any more. Run kenning login again.'
