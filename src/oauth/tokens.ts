// The token and revocation endpoints (RFC 6749 sections 4.1.3 and 6, RFC 7636, RFC 7009). All tokens that come from one
// consent form a family: refresh tokens rotate within it, and reusing a code or refresh token revokes all of it.

import { record } from '../audit/activity.sql.ts'
import { nobody, userActor } from '../audit/activity.ts'
import type { Scope } from '../auth/caller.ts'
import { hashOf } from '../auth/secret.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { isKnownClient } from './clients.ts'
import { OAuthError } from './error.ts'
import { type Parameters, requestedScopes, requireResource } from './parameters.ts'
import { isSecret, makeSecret, matchesChallenge, successorOf } from './secret.ts'
import {
  deleteExpired,
  type Family,
  grantOfAccessToken,
  grantOfCode,
  grantOfRefreshToken,
  insertAccessTokenRow,
  insertRefreshToken,
  lockFamily,
  markCodeUsed,
  markRefreshTokenUsed,
  type RefreshRow,
  revokeFamily,
  selectCode,
  selectRefreshToken,
} from './tokens.sql.ts'

const ACCESS_SECONDS = 3600
const DAY_SECONDS = 24 * 3600
/** Lifetime of an unused refresh token; each rotation issues one with the full lifetime. */
const REFRESH_SECONDS = 30 * DAY_SECONDS
/** Lifetime of a family, however often it is refreshed; after that the user has to consent again. */
const FAMILY_DAYS = 180
// Within this time a refresh token may be used again, by a client that lost the response or by two of its processes at once.
const GRACE_SECONDS = 30

/** RFC 6749 section 5.1. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}

/** @throws OAuthError */
export async function issueTokens(
  deps: Pick<Deps, 'db' | 'settings' | 'cursorKey'>,
  parameters: Parameters,
): Promise<TokenResponse> {
  const grantType = parameters.required('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(
      'unsupported_grant_type',
      '`grant_type` must be authorization_code or refresh_token.',
    )
  }
  const clientId = await requireClient(deps, parameters)
  return grantType === 'refresh_token'
    ? refresh(deps, clientId, parameters)
    : redeemCode(deps, clientId, parameters)
}

/**
 * All clients are public and identify themselves by `client_id` only. An unknown id has its own error, so that the client
 * registers again instead of sending the user through an authorization that must fail.
 * @throws OAuthError invalid_client
 */
async function requireClient(deps: Pick<Deps, 'db'>, parameters: Parameters): Promise<string> {
  for (const name of ['client_secret', 'client_assertion']) {
    if (parameters.singleValue(name) === undefined) continue
    throw new OAuthError(
      'invalid_client',
      `All clients of this server are public: send \`client_id\` without \`${name}\`.`,
    )
  }
  const id = parameters.singleValue('client_id')
  if (id !== undefined && (await isKnownClient(deps, id))) return id
  throw new OAuthError(
    'invalid_client',
    '`client_id` is missing or not registered on this server. Register the client again.',
  )
}

/** @throws OAuthError; a code that is used a second time revokes its family */
async function redeemCode(
  deps: Pick<Deps, 'db' | 'settings'>,
  clientId: string,
  parameters: Parameters,
): Promise<TokenResponse> {
  const code = parameters.required('code')
  const verifier = parameters.required('code_verifier')
  const redirectUri = parameters.singleValue('redirect_uri')
  requireResource(parameters, deps.settings.baseUrl)
  const hash = hashOf(code)
  const grantId = isSecret('code', code) ? await grantOfCode(deps.db, hash) : undefined
  if (grantId === undefined) throw invalidCode()
  const result = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const storedCode = await selectCode(tx, hash)
    if (!family || !storedCode || family.client_id !== clientId) throw invalidCode()
    if (storedCode.used) return revokeForReuse(tx, family)
    if (storedCode.expired || !family.active) throw invalidCode()
    // Optional, since OAuth 2.1 no longer sends it; if it is sent, it must match (RFC 6749 section 4.1.3).
    if (redirectUri !== undefined && redirectUri !== storedCode.redirect_uri) throw invalidCode()
    if (!isVerifier(verifier) || !matchesChallenge(verifier, storedCode.challenge)) throw invalidCode()
    await markCodeUsed(tx, hash)
    const refreshToken = makeSecret('refresh')
    await insertRefreshToken(tx, {
      hash: hashOf(refreshToken),
      grantId: family.id,
      seconds: refreshSeconds(family),
    })
    return insertAccessToken(tx, family, refreshToken)
  })
  if (result === 'reused') throw invalidCode()
  return result
}

const isVerifier = (text: string): boolean => /^[\w.~-]{43,128}$/.test(text)

/** One message for every reason, so that guessing codes reveals nothing. */
const invalidCode = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The authorization code is invalid, expired or already used, or does not match the client, `redirect_uri` or `code_verifier`.',
  )

/**
 * Rotates a refresh token. Everything is checked before anything is used up, so a wrong request leaves the token valid.
 * @throws OAuthError; a token that is used again after the grace time, or after its successor was used, revokes the family
 */
async function refresh(
  deps: Pick<Deps, 'db' | 'settings' | 'cursorKey'>,
  clientId: string,
  parameters: Parameters,
): Promise<TokenResponse> {
  const token = parameters.required('refresh_token')
  requireResource(parameters, deps.settings.baseUrl)
  const scopes = requestedScopes(parameters)
  const hash = hashOf(token)
  const grantId = isSecret('refresh', token) ? await grantOfRefreshToken(deps.db, hash) : undefined
  if (grantId === undefined) throw invalidRefreshToken()
  const successor = successorOf(token, deps.cursorKey)
  const result = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const storedToken = await selectRefreshToken(tx, hash)
    if (!family || !storedToken || family.client_id !== clientId) throw invalidRefreshToken()
    requireGranted(scopes, family)
    if (storedToken.expired || !family.active || family.seconds_left <= 0) throw invalidRefreshToken()
    const next = await selectRefreshToken(tx, hashOf(successor))
    if (storedToken.used_seconds_ago === null) {
      await markRefreshTokenUsed(tx, hash)
      await insertRefreshToken(tx, {
        hash: hashOf(successor),
        grantId: family.id,
        seconds: refreshSeconds(family),
      })
    } else if (!isRepeat(storedToken.used_seconds_ago, next)) return revokeForReuse(tx, family)
    return insertAccessToken(tx, family, successor, scopes)
  })
  if (result === 'reused') throw invalidRefreshToken()
  return result
}

/** Within the grace time and with an unused successor it is the same client repeating its request. */
const isRepeat = (usedSecondsAgo: number, next: RefreshRow | undefined): boolean =>
  usedSecondsAgo <= GRACE_SECONDS && next !== undefined && next.used_seconds_ago === null

function requireGranted(scopes: readonly Scope[] | undefined, family: Family): void {
  if (scopes?.every((scope) => family.scopes.includes(scope)) ?? true) return
  throw new OAuthError('invalid_scope', 'The requested scope exceeds the scope that the user granted.')
}

const invalidRefreshToken = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The refresh token is invalid, expired or revoked, or was issued to another client.',
  )

/** Lifetime of the next refresh token in seconds. */
const refreshSeconds = (family: Family): number => Math.min(REFRESH_SECONDS, family.seconds_left)

/** @param scopes a subset of the family's */
async function insertAccessToken(
  tx: Queryable,
  family: Family,
  refreshToken: string,
  scopes: readonly Scope[] = family.scopes,
): Promise<TokenResponse> {
  const token = makeSecret('access')
  const seconds = Math.min(ACCESS_SECONDS, family.seconds_left)
  const subset = scopes.length < family.scopes.length ? scopes : null
  await insertAccessTokenRow(tx, { hash: hashOf(token), grantId: family.id, scopes: subset, seconds })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

/**
 * A code or refresh token that is used again is known to two parties, so the family is revoked (RFC 9700 sections
 * 2.1.1 and 4.14.2). Returns instead of throwing, because the transaction has to commit.
 */
async function revokeForReuse(tx: Queryable, family: Family): Promise<'reused'> {
  if (await revokeFamily(tx, family.id)) {
    const detail = { reason: 'reuse' }
    await record(tx, { action: 'grant_revoked', actor: nobody, subject: family.id, detail })
  }
  return 'reused'
}

/**
 * Revokes the whole family of a token. An unknown token is no error (RFC 7009 section 2.2).
 * @throws OAuthError also for another client's token, which stays valid
 */
export async function revoke(deps: Pick<Deps, 'db'>, parameters: Parameters): Promise<void> {
  const token = parameters.required('token')
  const clientId = await requireClient(deps, parameters)
  const grantId = await grantOf(deps, token)
  if (grantId === undefined) return
  await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    if (family?.client_id !== clientId) {
      throw new OAuthError('invalid_grant', 'The token was issued to another client.')
    }
    if (!(await revokeFamily(tx, family.id))) return
    const actor = userActor(family.account_id)
    await record(tx, { action: 'grant_revoked', actor, subject: family.id, detail: { reason: 'client' } })
  })
}

async function grantOf({ db }: Pick<Deps, 'db'>, token: string): Promise<string | undefined> {
  if (isSecret('refresh', token)) return grantOfRefreshToken(db, hashOf(token))
  return isSecret('access', token) ? grantOfAccessToken(db, hashOf(token)) : undefined
}

/** Runs once an hour. */
export const deleteExpiredGrants = ({ db }: Pick<Deps, 'db'>): Promise<void> => deleteExpired(db)
