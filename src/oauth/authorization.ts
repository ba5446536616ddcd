// The authorization endpoint (RFC 6749 section 4.1, RFC 7636, RFC 8707): validating the request, issuing a code after consent,
// and the redirect back to the client. The client and its redirect URI are validated first: errors in them are shown to the
// user, all later errors are sent to the client.

import { randomUUID } from 'node:crypto'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import type { Scope } from '../auth/caller.ts'
import { hashOf } from '../auth/secret.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { Deps, Settings } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { updateClientUsed } from './clients.sql.ts'
import { type Client, findClient, InvalidDocument } from './clients.ts'
import { OAuthError } from './error.ts'
import { type Parameters, requestedScopes, requireResource } from './parameters.ts'
import { matchesRedirect } from './redirect-uri.ts'
import { makeSecret } from './secret.ts'
import { insertClientGrant, insertCode } from './tokens.sql.ts'

/** Parameters of the authorization request; the consent form submits them again. */
export const AUTHORIZATION_PARAMETERS = [
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

// Redirect URI and state are returned in the Location header of a response head of at most 16 KiB.
const MAX_REDIRECT_CHARACTERS = 12_000

/** A known client and a redirect URI registered for it: errors may be sent there. */
export interface RedirectTarget {
  client: Client
  redirectUri: string
  state: string | undefined
}

export interface AuthorizationRequest {
  scopes: readonly Scope[]
  challenge: string
}

/** @throws ApiError 400, to be shown to the user, since the redirect URI is not trustworthy */
export async function requireRedirectTarget(
  deps: Pick<Deps, 'db' | 'clientMetadata'>,
  parameters: Parameters,
): Promise<RedirectTarget> {
  const id = withPageErrors(() => parameters.required('client_id'))
  const client = await findClient(deps, id).catch((error: unknown) => {
    if (!(error instanceof InvalidDocument) && !(error instanceof OutboundFailed)) throw error
    throw pageError(`The client metadata document of ${new URL(id).host} cannot be used. ${error.message}`)
  })
  if (!client) {
    throw pageError(
      'This application is not registered on this server, or its registration has expired. Remove the connection in the application and add it again.',
    )
  }
  const redirectUri =
    withPageErrors(() => parameters.singleValue('redirect_uri')) ?? singleUri(client.redirectUris)
  if (redirectUri === undefined) {
    throw pageError(
      'The application sent no `redirect_uri`, but has registered more than one. Contact its developer.',
    )
  }
  if (!matchesRedirect(redirectUri, client.redirectUris)) {
    throw pageError(
      'The `redirect_uri` that the application sent is not registered for this client. Contact its developer.',
    )
  }
  const [state, secondState] = parameters.all('state')
  if (
    redirectUri.length + new URLSearchParams({ state: state ?? '' }).toString().length >
    MAX_REDIRECT_CHARACTERS
  ) {
    throw pageError('The `redirect_uri` and `state` that the application sent are too long.')
  }
  return { client, redirectUri, state: secondState === undefined ? state : undefined }
}

const pageError = (message: string): ApiError => new ApiError(400, 'invalid_request', message)

/** Turns OAuth errors into errors for the user. For parameters that are read before the redirect URI is validated. */
function withPageErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof OAuthError ? pageError(error.message) : error
  }
}

const singleUri = (uris: readonly string[]): string | undefined => (uris.length === 1 ? uris[0] : undefined)

/** @throws OAuthError, to be sent to the client by `errorRedirect` */
export function readAuthorizationRequest(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  parameters: Parameters,
): AuthorizationRequest {
  for (const name of AUTHORIZATION_PARAMETERS) if (name !== 'resource') parameters.singleValue(name)
  if (parameters.required('response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', '`response_type` must be code.')
  }
  if ((parameters.singleValue('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', '`response_mode` must be query.')
  }
  const challenge = requireChallenge(parameters)
  requireResource(parameters, baseUrl)
  return { scopes: requestedScopes(parameters) ?? ['knowledge:read'], challenge }
}

function requireChallenge(parameters: Parameters): string {
  const challenge = parameters.required('code_challenge')
  // A missing method means `plain` (RFC 7636 section 4.3), which does not protect the code.
  if (parameters.singleValue('code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', '`code_challenge_method` must be S256.')
  }
  if (/^[\w-]{43}$/.test(challenge)) return challenge
  throw new OAuthError(
    'invalid_request',
    '`code_challenge` must be 43 base64url characters: the SHA-256 of the code verifier.',
  )
}

const CODE_SECONDS = 60

/** Records the user's consent as a grant and returns an authorization code for it. @throws ApiError 403 if suspended */
export async function issueCode(
  deps: Pick<Deps, 'db' | 'settings'>,
  accountId: string,
  { client, redirectUri }: RedirectTarget,
  { scopes, challenge }: AuthorizationRequest,
): Promise<string> {
  const code = makeSecret('code')
  const grantId = randomUUID()
  await deps.db.tx(async (tx) => {
    const isInserted = await insertClientGrant(tx, {
      id: grantId,
      accountId,
      clientId: client.id,
      clientName: client.name,
      scopes,
      resource: deps.settings.baseUrl,
      redirectUri,
    })
    if (!isInserted) throw forbidden('This account is suspended.')
    await insertCode(tx, { hash: hashOf(code), grantId, redirectUri, challenge, seconds: CODE_SECONDS })
    await updateClientUsed(tx, client.id)
    await record(tx, { action: 'grant_made', actor: userActor(accountId), subject: grantId })
  })
  return code
}

type Destination = Pick<RedirectTarget, 'redirectUri' | 'state'>

/** The authorization response (RFC 6749 section 4.1.2): `state` unchanged, and the issuer (RFC 9207). */
export const codeRedirect = (to: Destination, issuer: string, code: string): string =>
  withQuery(to, issuer, { code })

export const errorRedirect = (to: Destination, issuer: string, error: OAuthError): string =>
  withQuery(to, issuer, { error: error.code, error_description: error.message })

/** Appends to the text of the redirect URI, since parsing and serializing it could change it. */
function withQuery(
  { redirectUri, state }: Destination,
  issuer: string,
  result: Record<string, string>,
): string {
  const query = new URLSearchParams({ ...result, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
