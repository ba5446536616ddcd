// Dynamic client registration (RFC 7591), open to everybody: a registered client has no access until a user consents.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { networkOf } from '../accounts/throttle.ts'
import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { insertClient, secondsUntilAllowed } from './clients.sql.ts'
import { displayName, RedirectUris } from './clients.ts'
import { OAuthError } from './error.ts'
import { consentDestination } from './redirect-uri.ts'

// Per network. It is high, because a whole office may share one address, and behind a proxy all users have the same address.
const MAX_REGISTRATIONS_PER_HOUR = 100

/** Other metadata is ignored (RFC 7591 section 2), including `scope`: scopes are requested at the authorization endpoint. */
const Metadata = z.object({
  redirect_uris: RedirectUris,
  client_name: z.string().max(1000).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

/**
 * Returns the client information response (RFC 7591 section 3.2.1). Any other authentication method becomes `none`.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata; ApiError 429
 */
export async function registerClient(deps: Pick<Deps, 'db'>, body: unknown, remoteAddress: string) {
  const metadata = readMetadata(body)
  const id = `ken_client_${randomBytes(16).toString('base64url')}`
  const from = networkOf(remoteAddress)
  const [firstRedirect = ''] = metadata.redirect_uris
  const name = displayName(metadata.client_name ?? '') ?? consentDestination(firstRedirect).shown
  const row = { id, name, redirectUris: metadata.redirect_uris, from, maxPerHour: MAX_REGISTRATIONS_PER_HOUR }
  const issuedAt = await insertClient(deps.db, row)
  if (issuedAt === undefined) throw tooManyRegistrations(await secondsUntilAllowed(deps.db, from))
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_name: name,
    redirect_uris: metadata.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(metadata.application_type === undefined ? {} : { application_type: metadata.application_type }),
  }
}

function readMetadata(body: unknown): z.infer<typeof Metadata> {
  const parsedMetadata = Metadata.safeParse(body)
  if (!parsedMetadata.success) {
    const [issue] = parsedMetadata.error.issues
    const isRedirect = issue?.path[0] === 'redirect_uris'
    throw new OAuthError(
      isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      isRedirect
        ? '`redirect_uris` must be 1 to 20 URIs, each https, http on a loopback address, or a private-use scheme.'
        : `${
            issue?.path
              .map(String)
              .join('.')
              .replace(/[^\w.]/g, '') || 'The body'
          } is not valid client metadata (RFC 7591 section 2).`,
    )
  }
  const { grant_types, response_types } = parsedMetadata.data
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', '`grant_types` must include authorization_code.')
  }
  if (response_types && !response_types.includes('code')) {
    throw new OAuthError('invalid_client_metadata', '`response_types` must include code.')
  }
  return parsedMetadata.data
}

const tooManyRegistrations = (seconds: number): ApiError =>
  new ApiError(
    429,
    'rate_limited',
    `Too many client registrations from your network. Try again in ${seconds} seconds.`,
    {
      retryAfter: seconds,
    },
  )
