// `kenning doctor --public URL`: what hosted assistants do when they connect, up to the sign-in of a person, one step after the
// other. Nothing is created on the service.

import { lookup } from 'node:dns/promises'
import { type Answer, getJson } from '../../ports/outbound/outbound.ts'
import { isPublicAddress } from '../../ports/outbound/public-address.ts'
import { type Finding, messageOf } from './check.ts'
import { saysStatus } from './machine.ts'

const ANSWER_MS = 15_000
const HOSTED = 'Hosted assistants (Claude, ChatGPT)'
const SETTING = 'set KENNING_BASE_URL to the address that people use, and restart'
const PROXY = 'check that the proxy in front passes it on to Kenning'

/** @param address the service's address, with or without `/v1` or `/v1/mcp` */
export async function* publicChecks(address: string): AsyncGenerator<Finding> {
  const origin = originOf(address)
  if (origin === undefined) {
    yield problem('address', `${address} is not an address such as https://kenning.example.org`)
    return
  }
  const resource = `${origin}/v1/mcp`
  yield* checkReach(new URL(origin))
  const steps: [check: string, step: (discovered: Discovered) => Promise<string>][] = [
    ['service', () => checkAnswers(origin)],
    ['challenge', (discovered) => checkChallenge(resource, discovered)],
    ['resource', (discovered) => checkResource(resource, discovered)],
    ['authorization', (discovered) => checkServer(discovered)],
    ['registration', (discovered) => checkRegistration(discovered)],
    ['consent page', (discovered) => checkConsent(discovered)],
  ]
  const discovered: Discovered = { metadataUrl: '', issuer: '', server: {} }
  for (const [check, step] of steps) {
    try {
      yield { check, status: 'ok', message: await step(discovered) }
    } catch (error) {
      // The steps behind it need what this one finds out.
      yield problem(check, `${messageOf(error)}${adviceFor(messageOf(error))}`)
      return
    }
  }
}

interface Discovered {
  metadataUrl: string
  issuer: string
  server: Record<string, unknown>
}

const problem = (check: string, message: string): Finding => ({ check, status: 'problem', message })

function originOf(address: string): string | undefined {
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  return url && /^\/(v1(\/mcp)?\/?)?$/.test(url.pathname) ? url.origin : undefined
}

/** From where the address can be reached: assistants that run on the same machine reach any. */
async function* checkReach({ protocol, port, hostname }: URL): AsyncGenerator<Finding> {
  const warning = (message: string): Finding => ({ check: 'address', status: 'warning', message })
  const name = hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(name, { all: true }).catch(() => [])
  const inner = addresses.find(({ address }) => !isPublicAddress(address))
  if (addresses.length === 0) yield warning(`the name ${name} is not known here: check its DNS record`)
  else if (inner)
    yield warning(
      `${name} is an address of this machine or an internal network (${inner.address}). ${HOSTED} need a public one`,
    )
  if (protocol !== 'https:')
    yield warning(`${HOSTED} only connect by https: put a proxy with a certificate in front`)
  else if (port !== '') yield warning(`${HOSTED} only connect to port 443: let the proxy listen there`)
  if (addresses.length > 0 && !inner && protocol === 'https:' && port === '')
    yield { check: 'address', status: 'ok', message: `${name} is public, with https on port 443` }
}

async function checkAnswers(origin: string): Promise<string> {
  const { status, body } = await getJson(`${origin}/healthz`, ANSWER_MS)
  if (saysStatus(body, 'ok'))
    return `${origin} answers${origin.startsWith('https:') ? ', its certificate is valid' : ''}`
  throw new Error(`${origin}/healthz does not answer as Kenning (${status}): ${PROXY}`)
}

/** As an assistant without a credential begins. */
async function checkChallenge(resource: string, discovered: Discovered): Promise<string> {
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'kenning doctor', version: '1' },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }
  const { status, headers } = await getJson(resource, ANSWER_MS, message)
  if (status === 403) throw new Error(`${resource} refuses this address as not its own (403): ${SETTING}`)
  if (status !== 401) throw new Error(`${resource} answers ${status} instead of 401: ${PROXY}`)
  const challenge = headers.get('www-authenticate') ?? ''
  const url = /^Bearer .*resource_metadata="([^"]+)"/i.exec(challenge)?.[1]
  if (url === undefined)
    throw new Error(`the 401 of ${resource} has no WWW-Authenticate header with resource_metadata: ${PROXY}`)
  if (new URL(url).origin !== new URL(resource).origin)
    throw new Error(`the challenge names ${new URL(url).origin}, another address: ${SETTING}`)
  discovered.metadataUrl = url
  return 'asks to sign in, and says where that is described'
}

async function checkResource(resource: string, discovered: Discovered): Promise<string> {
  const metadata = jsonOf(discovered.metadataUrl, await getJson(discovered.metadataUrl, ANSWER_MS))
  if (metadata.resource !== resource)
    throw new Error(`${discovered.metadataUrl} describes ${metadata.resource}, not ${resource}: ${SETTING}`)
  const [issuer] = Array.isArray(metadata.authorization_servers) ? metadata.authorization_servers : []
  if (typeof issuer !== 'string')
    throw new Error(`${discovered.metadataUrl} names no authorization server: ${PROXY}`)
  discovered.issuer = issuer
  return `is ${resource}, the address given to the assistant`
}

async function checkServer(discovered: Discovered): Promise<string> {
  const { issuer } = discovered
  const url = `${issuer}/.well-known/oauth-authorization-server`
  const server = jsonOf(url, await getJson(url, ANSWER_MS))
  const wrong = wrongFields(server, issuer)
  if (wrong.length > 0) throw new Error(`${url}: ${wrong.join('; ')}: ${SETTING}`)
  discovered.server = server
  return `${issuer} has PKCE (S256), registration and metadata documents of clients`
}

/** What Claude and ChatGPT refuse to connect without. */
function wrongFields(server: Record<string, unknown>, issuer: string): string[] {
  const includes = (name: string, value: string): boolean =>
    Array.isArray(server[name]) && (server[name] as unknown[]).includes(value)
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']
  const required: [right: boolean, problem: string][] = [
    [server.issuer === issuer, `issuer is ${server.issuer} instead of ${issuer}`],
    ...endpoints.map((name): [boolean, string] => [
      typeof server[name] === 'string' && String(server[name]).startsWith(`${issuer}/`),
      `${name} is missing or at another address`,
    ]),
    [includes('code_challenge_methods_supported', 'S256'), 'code_challenge_methods_supported lacks S256'],
    [
      includes('grant_types_supported', 'authorization_code'),
      'grant_types_supported lacks authorization_code',
    ],
    [includes('response_types_supported', 'code'), 'response_types_supported lacks code'],
    [
      server.client_id_metadata_document_supported === true,
      'client_id_metadata_document_supported is not true',
    ],
  ]
  return required.filter(([right]) => !right).map(([, problem]) => problem)
}

/** Without redirect URIs nothing is registered: the refusal shows that the endpoint is reached. */
async function checkRegistration({ server }: Discovered): Promise<string> {
  const url = String(server.registration_endpoint)
  const { status, body } = await getJson(url, ANSWER_MS, { client_name: 'kenning doctor', redirect_uris: [] })
  if (status === 400 && Object(body).error === 'invalid_redirect_uri') return 'applications can register'
  if (status === 429) throw new Error(`${url} has had too many registrations: try again in an hour`)
  throw new Error(`${url} answers ${status} instead of checking the request: ${PROXY}`)
}

/** Without parameters it leads to the sign-in, or is a page that says what is missing. */
async function checkConsent({ server }: Discovered): Promise<string> {
  const url = String(server.authorization_endpoint)
  const { status, headers } = await getJson(url, ANSWER_MS)
  const isPage = status === 400 && headers.get('content-type')?.startsWith('text/html')
  const next = new URL(headers.get('location') ?? '', url)
  const isSignIn = (status === 302 || status === 303) && next.origin === new URL(url).origin
  if (isPage || isSignIn) return 'opens in a browser'
  throw new Error(`${url} answers ${status} instead of a page: ${PROXY}`)
}

function jsonOf(url: string, { status, body }: Answer): Record<string, unknown> {
  if (status === 200 && typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Error(`${url} answers ${status}${status === 200 ? ' without JSON' : ''}: ${PROXY}`)
}

const TLS: [code: RegExp, advice: string][] = [
  [/CERT_HAS_EXPIRED/, 'the certificate has expired: renew it'],
  [/ALTNAME/, 'the certificate is for another name: get one for this name'],
  [
    /SELF_SIGNED|UNABLE_TO|ISSUER/,
    'the certificate is not from a public authority, or its chain is incomplete',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'the name is not known: check its DNS record'],
  [
    /ECONNREFUSED|ECONNRESET|ETIMEDOUT|did not answer/,
    'nothing answers there: check the proxy and the firewall',
  ],
]

/** For errors of the connection, which name a code. */
function adviceFor(message: string): string {
  const tlsError = TLS.find(([code]) => code.test(message))
  return tlsError ? `: ${tlsError[1]}` : ''
}
