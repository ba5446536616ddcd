// What a redeemed code or refresh token gives: an access token of an hour and the next refresh token.

import type { Queryable } from '../../../ports/db/db.ts'
import type { Scope } from '../../caller.ts'
import { hashOf, makeSecret } from '../secret.ts'
import { type Family, insertAccessTokenOf } from './tokens.sql.ts'

const ACCESS_SECONDS = 3600
const DAY = 24 * 3600
/** A refresh token that nobody uses ends after this; each use starts anew. */
const REFRESH_SECONDS = 30 * DAY
/** A family ends after this, however often it is refreshed: then the person is asked again. */
export const FAMILY_DAYS = 180

/** RFC 6749 section 5.1. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}

/** How long the next refresh token lasts, in seconds. */
export const refreshSeconds = (family: Family): number => Math.min(REFRESH_SECONDS, family.seconds_left)

/** @param scopes at most the family's */
export async function issueAccess(
  tx: Queryable,
  family: Family,
  refreshToken: string,
  scopes: readonly Scope[] = family.scopes,
): Promise<TokenResponse> {
  const token = makeSecret('access')
  const seconds = Math.min(ACCESS_SECONDS, family.seconds_left)
  const fewer = scopes.length < family.scopes.length ? scopes : null
  await insertAccessTokenOf(tx, { hash: hashOf(token), grantId: family.id, scopes: fewer, seconds })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
