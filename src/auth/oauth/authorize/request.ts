// The authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707), checked in the RFC's order: first who asks and
// where the answer would go, which is shown to the person when it is wrong; then the rest, which the client is told.

import { ApiError } from '../../../errors.ts'
import type { Deps, Settings } from '../../../ports/deps.ts'
import { OutboundFailed } from '../../../ports/outbound/outbound.ts'
import type { Scope } from '../../caller.ts'
import type { Client } from '../client/client.ts'
import { BadDocument } from '../client/document.ts'
import { findClient } from '../client/find.ts'
import { matchesRedirect } from '../client/redirect.ts'
import { OAuthError } from '../error.ts'
import type { Parameters } from '../parameters.ts'
import { requireResource } from '../resource.ts'
import { askedScopes } from '../scope.ts'

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
