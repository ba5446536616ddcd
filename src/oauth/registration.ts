// Dynamic client registration (RFC 7591): anybody may, and it gives nothing: a person has to consent later.

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { network } from '../accounts/throttle.ts'
import { ApiError } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { insertClient, secondsUntilFree } from './clients.sql.ts'
import { RedirectUris, shownName } from './clients.ts'
import { OAuthError } from './error.ts'
import { destinationOf } from './redirect-uri.ts'

// A whole office may come from one address, and behind a proxy everyone does.
const MOST_AN_HOUR = 100

/** What is not named here is ignored (RFC 7591 section 2), scopes among it: they are asked for when signing in. */
const Asked = z.object({
  redirect_uris: RedirectUris,
  client_name: z.string().max(1000).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

/**
 * The client's information as RFC 7591 section 3.2.1 sends it. Other methods of authentication become `none`.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata; ApiError 429
 */
export async function registerClient(deps: Pick<Deps, 'db'>, body: unknown, remoteAddress: string) {
  const asked = readAsked(body)
  const id = `ken_client_${randomBytes(16).toString('base64url')}`
  const from = network(remoteAddress)
  const [first = ''] = asked.redirect_uris
  const name = shownName(asked.client_name ?? '') ?? destinationOf(first).shown
  const row = { id, name, redirectUris: asked.redirect_uris, from, mostAnHour: MOST_AN_HOUR }
  const issuedAt = await insertClient(deps.db, row)
  if (issuedAt === undefined) throw tooMany(await secondsUntilFree(deps.db, from))
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_name: name,
    redirect_uris: asked.redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(asked.application_type === undefined ? {} : { application_type: asked.application_type }),
  }
}

function readAsked(body: unknown): z.infer<typeof Asked> {
  const read = Asked.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    const isRedirect = issue?.path[0] === 'redirect_uris'
    throw new OAuthError(
      isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      isRedirect
        ? 'redirect_uris: 1 to 20 addresses: https, http to this computer, or an application scheme.'
        : `${
            issue?.path
              .map(String)
              .join('.')
              .replace(/[^\w.]/g, '') || 'The body'
          } is not as RFC 7591 has it.`,
    )
  }
  const { grant_types: grants, response_types: responses } = read.data
  if (grants && !grants.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must include authorization_code.')
  }
  if (responses && !responses.includes('code')) {
    throw new OAuthError('invalid_client_metadata', 'response_types must include code.')
  }
  return read.data
}

const tooMany = (seconds: number): ApiError =>
  new ApiError(429, 'rate_limited', `Too many registrations. Try again in ${seconds} seconds.`, {
    retryAfter: seconds,
  })
