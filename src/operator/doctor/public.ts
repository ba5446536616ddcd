// `kenning doctor --public URL`: repeats what hosted assistants do when they connect, step by step, up to the sign-in of a person.
// Nothing is created on the service.

import { lookup } from 'node:dns/promises'
import { type Finding, messageOf } from '../../health/finding.ts'
import { type Answer, getJson } from '../../ports/outbound/outbound.ts'
import { isPublicAddress } from '../../ports/outbound/public-address.ts'
import { hasStatus } from './machine.ts'

const ANSWER_MS = 15_000
const HOSTED_ASSISTANTS = 'Hosted assistants (Claude, ChatGPT)'
const FIX_BASE_URL = 'set KENNING_BASE_URL to the address that people use, and restart'
const FIX_PROXY = 'check that the proxy in front passes it on to Kenning'

/** @param address the service's address, with or without `/v1` or `/v1/mcp` */
export async function* publicChecks(address: string): AsyncGenerator<Finding> {
  const origin = originOf(address)
  if (origin === undefined) {
    yield problem('address', `${address} is not an address such as https://kenning.example.org`)
    return
  }
  const resource = `${origin}/v1/mcp`
  yield* checkReach(new URL(origin))
  const steps: [check: string, step: (discovery: Discovery) => Promise<string>][] = [
    ['service', () => checkHealth(origin)],
    ['challenge', (discovery) => checkChallenge(resource, discovery)],
    ['resource', (discovery) => checkResource(resource, discovery)],
    ['authorization', (discovery) => checkServer(discovery)],
    ['registration', (discovery) => checkRegistration(discovery)],
    ['consent page', (discovery) => checkConsent(discovery)],
  ]
  const discovery: Discovery = { metadataUrl: '', issuer: '', server: {} }
  for (const [check, step] of steps) {
    try {
      yield { check, status: 'ok', message: await step(discovery) }
    } catch (error) {
      // The next steps need the result of this one.
      yield problem(check, `${messageOf(error)}${adviceFor(messageOf(error))}`)
      return
    }
  }
}

interface Discovery {
  metadataUrl: string
  issuer: string
  server: Record<string, unknown>
}

const problem = (check: string, message: string): Finding => ({ check, status: 'problem', message })

/** The address of the service: its origin, and the path under which it runs. */
function originOf(address: string): string | undefined {
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  return url?.search === '' ? url.origin + url.pathname.replace(/(\/v1(\/mcp)?)?\/*$/, '') : undefined
}

/** Whether hosted assistants can reach the address. Assistants on the same machine can reach any address. */
async function* checkReach({ protocol, port, hostname }: URL): AsyncGenerator<Finding> {
  const warning = (message: string): Finding => ({ check: 'address', status: 'warning', message })
  const name = hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(name, { all: true }).catch(() => [])
  const internalAddress = addresses.find(({ address }) => !isPublicAddress(address))
  if (addresses.length === 0) yield warning(`the name ${name} is not known here: check its DNS record`)
  else if (internalAddress)
    yield warning(
      `${name} is an address of this machine or an internal network (${internalAddress.address}). ${HOSTED_ASSISTANTS} need a public one`,
    )
  if (protocol !== 'https:')
    yield warning(`${HOSTED_ASSISTANTS} only connect by https: put a proxy with a certificate in front`)
  else if (port !== '')
    yield warning(`${HOSTED_ASSISTANTS} only connect to port 443: let the proxy listen there`)
  const isPublic = addresses.length > 0 && !internalAddress
  if (isPublic && protocol === 'https:' && port === '')
    yield { check: 'address', status: 'ok', message: `${name} is public, with https on port 443` }
}

async function checkHealth(origin: string): Promise<string> {
  const { status, body } = await getJson(`${origin}/healthz`, ANSWER_MS)
  if (hasStatus(body, 'ok'))
    return `${origin} answers${origin.startsWith('https:') ? ', its certificate is valid' : ''}`
  throw new Error(`${origin}/healthz does not answer as Kenning (${status}): ${FIX_PROXY}`)
}

/** Sends the first request of an assistant that has no credential. */
async function checkChallenge(resource: string, discovery: Discovery): Promise<string> {
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'kenning doctor', version: '1' },
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }
  const { status, headers } = await getJson(resource, ANSWER_MS, message)
  if (status === 403)
    throw new Error(`${resource} refuses this address as not its own (403): ${FIX_BASE_URL}`)
  if (status !== 401) throw new Error(`${resource} answers ${status} instead of 401: ${FIX_PROXY}`)
  const challenge = headers.get('www-authenticate') ?? ''
  const url = /^Bearer .*resource_metadata="([^"]+)"/i.exec(challenge)?.[1]
  if (url === undefined)
    throw new Error(
      `the 401 of ${resource} has no WWW-Authenticate header with resource_metadata: ${FIX_PROXY}`,
    )
  if (new URL(url).origin !== new URL(resource).origin)
    throw new Error(`the challenge names ${new URL(url).origin}, another address: ${FIX_BASE_URL}`)
  discovery.metadataUrl = url
  return 'asks to sign in, and says where that is described'
}

async function checkResource(resource: string, discovery: Discovery): Promise<string> {
  const metadata = jsonOf(discovery.metadataUrl, await getJson(discovery.metadataUrl, ANSWER_MS))
  if (metadata.resource !== resource)
    throw new Error(
      `${discovery.metadataUrl} describes ${metadata.resource}, not ${resource}: ${FIX_BASE_URL}`,
    )
  const [issuer] = Array.isArray(metadata.authorization_servers) ? metadata.authorization_servers : []
  if (typeof issuer !== 'string')
    throw new Error(`${discovery.metadataUrl} names no authorization server: ${FIX_PROXY}`)
  discovery.issuer = issuer
  return `is ${resource}, the address given to the assistant`
}

async function checkServer(discovery: Discovery): Promise<string> {
  const { issuer } = discovery
  const { origin, pathname } = new URL(issuer)
  // RFC 8414, section 3.1.
  const url = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`
  const server = jsonOf(url, await getJson(url, ANSWER_MS))
  const problems = wrongFields(server, issuer)
  if (problems.length > 0) throw new Error(`${url}: ${problems.join('; ')}: ${FIX_BASE_URL}`)
  discovery.server = server
  return `${issuer} has PKCE (S256), registration and metadata documents of clients`
}

/** Descriptions of the fields that are wrong and without which Claude and ChatGPT refuse to connect. */
function wrongFields(server: Record<string, unknown>, issuer: string): string[] {
  const includes = (name: string, value: string): boolean =>
    Array.isArray(server[name]) && (server[name] as unknown[]).includes(value)
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']
  const requirements: [isMet: boolean, problem: string][] = [
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
  return requirements.filter(([isMet]) => !isMet).map(([, problem]) => problem)
}

/** Without redirect URIs nothing is registered; the refusal shows that the endpoint can be reached. */
async function checkRegistration({ server }: Discovery): Promise<string> {
  const url = String(server.registration_endpoint)
  const { status, body } = await getJson(url, ANSWER_MS, { client_name: 'kenning doctor', redirect_uris: [] })
  if (status === 400 && Object(body).error === 'invalid_redirect_uri') return 'applications can register'
  if (status === 429) throw new Error(`${url} has had too many registrations: try again in an hour`)
  throw new Error(`${url} answers ${status} instead of checking the request: ${FIX_PROXY}`)
}

/** Without parameters the endpoint leads to the sign-in, or to a page that says what is missing. */
async function checkConsent({ server }: Discovery): Promise<string> {
  const url = String(server.authorization_endpoint)
  const { status, headers } = await getJson(url, ANSWER_MS)
  const isPage = status === 400 && headers.get('content-type')?.startsWith('text/html')
  const next = new URL(headers.get('location') ?? '', url)
  const isSignIn = (status === 302 || status === 303) && next.origin === new URL(url).origin
  if (isPage || isSignIn) return 'opens in a browser'
  throw new Error(`${url} answers ${status} instead of a page: ${FIX_PROXY}`)
}

function jsonOf(url: string, { status, body }: Answer): Record<string, unknown> {
  if (status === 200 && typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Error(`${url} answers ${status}${status === 200 ? ' without JSON' : ''}: ${FIX_PROXY}`)
}

const CONNECTION_ERRORS: [code: RegExp, advice: string][] = [
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

/** Advice for a connection error, by the code in its message. Empty for other errors. */
function adviceFor(message: string): string {
  const match = CONNECTION_ERRORS.find(([code]) => code.test(message))
  return match ? `: ${match[1]}` : ''
}
