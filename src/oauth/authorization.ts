// The authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707), checked in the RFC's order: first who asks and
// where the answer would go, which is shown to the person when it is wrong; then the rest, which the client is told.

import { randomUUID } from 'node:crypto'
import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import type { Scope } from '../auth/caller.ts'
import { hashOf } from '../auth/secret.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { Deps, Settings } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { noteConsent } from './clients.sql.ts'
import { BadDocument, type Client, findClient } from './clients.ts'
import { OAuthError } from './error.ts'
import { askedScopes, type Parameters, requireResource } from './parameters.ts'
import { matchesRedirect } from './redirect-uri.ts'
import { makeSecret } from './secret.ts'
import { insertClientGrant, insertCode } from './tokens.sql.ts'

/** What the client sends; the consent page sends it back to us. */
export const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

// They come back in the Location of the answer, beside what we say; a head has 16 KiB.
const MOST_ANSWER = 12_000

/** Who asks, and where the answer goes: from here on errors may be sent there. */
export interface Target {
  client: Client
  redirectUri: string
  state: string | undefined
}

export interface Asked {
  scopes: readonly Scope[]
  challenge: string
}

/** @throws ApiError 400: to be shown to the person, since the address to answer to is not to be trusted */
export async function requireTarget(
  deps: Pick<Deps, 'db' | 'documents'>,
  parameters: Parameters,
): Promise<Target> {
  const id = shown(() => parameters.required('client_id'))
  const client = await findClient(deps, id).catch((error: unknown) => {
    if (!(error instanceof BadDocument) && !(error instanceof OutboundFailed)) throw error
    throw refused(`The application ${new URL(id).host} cannot be let in. ${error.message}`)
  })
  if (!client) {
    throw refused(
      'This application is not registered here (any more). Remove the connection in the application and add it again.',
    )
  }
  const redirectUri = shown(() => parameters.one('redirect_uri')) ?? onlyOne(client.redirectUris)
  if (redirectUri === undefined || !matchesRedirect(redirectUri, client.redirectUris)) {
    throw refused('The application wants to be answered at an address that it has not registered.')
  }
  const [state, second] = parameters.all('state')
  if (redirectUri.length + new URLSearchParams({ state: state ?? '' }).toString().length > MOST_ANSWER) {
    throw refused('The application sends an address and a state that are too long to be answered.')
  }
  return { client, redirectUri, state: second === undefined ? state : undefined }
}

const refused = (message: string): ApiError => new ApiError(400, 'invalid_request', message)

/** A parameter that the address of the answer depends on. */
function shown<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof OAuthError ? refused(error.message) : error
  }
}

const onlyOne = (uris: readonly string[]): string | undefined => (uris.length === 1 ? uris[0] : undefined)

/** @throws OAuthError to be sent to the client by `errorAddress` */
export function readAsked({ baseUrl }: Pick<Settings, 'baseUrl'>, parameters: Parameters): Asked {
  for (const name of PARAMETERS) if (name !== 'resource') parameters.one(name)
  if (parameters.required('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'The response_type must be code.')
  }
  if ((parameters.one('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'The response_mode must be query.')
  }
  const challenge = requireChallenge(parameters)
  requireResource(parameters, baseUrl)
  return { scopes: askedScopes(parameters) ?? ['knowledge:read'], challenge }
}

function requireChallenge(parameters: Parameters): string {
  const challenge = parameters.required('code_challenge')
  // Left out it would mean plain (RFC 7636 section 4.3), which protects from nothing.
  if (parameters.one('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'The code_challenge_method must be S256.')
  }
  if (/^[\w-]{43}$/.test(challenge)) return challenge
  throw new OAuthError('invalid_request', 'The code_challenge must be 43 characters of base64url.')
}

const CODE_SECONDS = 60

/** The code, to be sent to the client. @throws ApiError 403 for an account that was suspended at this moment */
export async function approve(
  deps: Pick<Deps, 'db' | 'settings'>,
  accountId: string,
  { client, redirectUri }: Target,
  { scopes, challenge }: Asked,
): Promise<string> {
  const code = makeSecret('code')
  const grantId = randomUUID()
  await deps.db.tx(async (tx) => {
    const made = await insertClientGrant(tx, {
      id: grantId,
      accountId,
      clientId: client.id,
      clientName: client.name,
      scopes,
      resource: deps.settings.baseUrl,
    })
    if (!made) throw forbidden('This account is suspended.')
    await insertCode(tx, { hash: hashOf(code), grantId, redirectUri, challenge, seconds: CODE_SECONDS })
    await noteConsent(tx, client.id)
    await record(tx, { action: 'grant_made', actor: user(accountId), subject: grantId })
  })
  return code
}

type Place = Pick<Target, 'redirectUri' | 'state'>

export const codeAddress = (to: Place, issuer: string, code: string): string =>
  withQuery(to, issuer, { code })

export const errorAddress = (to: Place, issuer: string, error: OAuthError): string =>
  withQuery(to, issuer, { error: error.code, error_description: error.message })

/** Appended to the text as it was registered: parsing could write it differently. */
function withQuery({ redirectUri, state }: Place, issuer: string, answer: Record<string, string>): string {
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
