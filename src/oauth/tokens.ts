// The token endpoint (RFC 6749 section 3.2): who asks, then for what.

import { user } from '../audit/act.ts'
import { record } from '../audit/audit.sql.ts'
import type { Scope } from '../auth/caller.ts'
import { hashOf } from '../auth/secret.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { isKnownClient } from './clients.ts'
import { OAuthError } from './error.ts'
import { askedScopes, type Parameters, requireResource } from './parameters.ts'
import { isSecret, isVerified, makeSecret, successorOf } from './secret.ts'
import {
  deleteEnded,
  type Family,
  grantOfAccessToken,
  grantOfCode,
  grantOfRefreshToken,
  insertAccessTokenOf,
  insertRefreshToken,
  lockFamily,
  markCodeUsed,
  markRefreshTokenUsed,
  type RefreshRow,
  revokeFamily,
  selectCode,
  selectRefreshToken,
} from './tokens.sql.ts'

/** @throws OAuthError */
export async function answerToken(
  deps: Pick<Deps, 'db' | 'settings' | 'cursorKey'>,
  parameters: Parameters,
): Promise<TokenResponse> {
  const grantType = parameters.required('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    throw new OAuthError(
      'unsupported_grant_type',
      'The grant_type must be authorization_code or refresh_token.',
    )
  }
  const clientId = await requireClient(deps, parameters)
  return grantType === 'refresh_token'
    ? refresh(deps, clientId, parameters)
    : redeemCode(deps, clientId, parameters)
}

/**
 * All clients are public: they name themselves, and prove nothing. An id that nobody has any more is told apart from a
 * wrong token, so that the client registers again instead of sending its user to a page that cannot help.
 * @throws OAuthError invalid_client
 */
export async function requireClient(deps: Pick<Deps, 'db'>, parameters: Parameters): Promise<string> {
  for (const name of ['client_secret', 'client_assertion']) {
    if (parameters.one(name) === undefined) continue
    throw new OAuthError('invalid_client', `Clients here have no secret: send client_id without ${name}.`)
  }
  const id = parameters.one('client_id')
  if (id !== undefined && (await isKnownClient(deps, id))) return id
  throw new OAuthError('invalid_client', 'The client_id is missing or not registered here. Register again.')
}

/** @throws OAuthError; a code that comes a second time ends everything that came from it */
export async function redeemCode(
  deps: Pick<Deps, 'db' | 'settings'>,
  clientId: string,
  parameters: Parameters,
): Promise<TokenResponse> {
  const code = parameters.required('code')
  const verifier = parameters.required('code_verifier')
  const redirectUri = parameters.one('redirect_uri')
  requireResource(parameters, deps.settings.baseUrl)
  const hash = hashOf(code)
  const grantId = isSecret('code', code) ? await grantOfCode(deps.db, hash) : undefined
  if (grantId === undefined) throw invalidCode()
  const answer = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const held = await selectCode(tx, hash)
    if (!family || !held || family.client_id !== clientId) throw invalidCode()
    if (held.used) return revokeForReuse(tx, family)
    if (held.expired || !family.alive) throw invalidCode()
    // OAuth 2.1 no longer sends it; who does means it (RFC 6749 section 4.1.3).
    if (redirectUri !== undefined && redirectUri !== held.redirect_uri) throw invalidCode()
    if (!isVerifier(verifier) || !isVerified(verifier, held.challenge)) throw invalidCode()
    await markCodeUsed(tx, hash)
    const refreshToken = makeSecret('refresh')
    await insertRefreshToken(tx, {
      hash: hashOf(refreshToken),
      grantId: family.id,
      seconds: refreshSeconds(family),
    })
    return issueAccess(tx, family, refreshToken)
  })
  if (answer === 'reused') throw invalidCode()
  return answer
}

const isVerifier = (text: string): boolean => /^[\w.~-]{43,128}$/.test(text)

/** One answer for all of it: who tries codes learns nothing. */
const invalidCode = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is not valid for this client, or has been used or has expired.')

// A client that lost the answer, or two of its processes at once, ask again within this.
const GRACE_SECONDS = 30

/** @throws OAuthError; a token that comes back late, or after its successor was used, ends the family */
export async function refresh(
  deps: Pick<Deps, 'db' | 'settings' | 'cursorKey'>,
  clientId: string,
  parameters: Parameters,
): Promise<TokenResponse> {
  const token = parameters.required('refresh_token')
  requireResource(parameters, deps.settings.baseUrl)
  const asked = askedScopes(parameters)
  const hash = hashOf(token)
  const grantId = isSecret('refresh', token) ? await grantOfRefreshToken(deps.db, hash) : undefined
  if (grantId === undefined) throw invalidRefreshToken()
  const successor = successorOf(token, deps.cursorKey)
  const answer = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const held = await selectRefreshToken(tx, hash)
    if (!family || !held || family.client_id !== clientId) throw invalidRefreshToken()
    requireWithin(asked, family)
    if (held.expired || !family.alive || family.seconds_left <= 0) throw invalidRefreshToken()
    const next = await selectRefreshToken(tx, hashOf(successor))
    if (held.used_seconds_ago === null) {
      await markRefreshTokenUsed(tx, hash)
      await insertRefreshToken(tx, {
        hash: hashOf(successor),
        grantId: family.id,
        seconds: refreshSeconds(family),
      })
    } else if (!mayRepeat(held.used_seconds_ago, next)) return revokeForReuse(tx, family)
    return issueAccess(tx, family, successor, asked)
  })
  if (answer === 'reused') throw invalidRefreshToken()
  return answer
}

/** Soon, and nobody has gone on with the successor: then it is the same client again. */
const mayRepeat = (usedSecondsAgo: number, next: RefreshRow | undefined): boolean =>
  usedSecondsAgo <= GRACE_SECONDS && next !== undefined && next.used_seconds_ago === null

function requireWithin(asked: readonly Scope[] | undefined, family: Family): void {
  if (asked?.every((scope) => family.scopes.includes(scope)) ?? true) return
  throw new OAuthError('invalid_scope', 'A refreshed token can do no more than was consented to.')
}

const invalidRefreshToken = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is not valid for this client, or has expired.')

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

/** Returns instead of throwing: the transaction has to commit. */
export async function revokeForReuse(tx: Queryable, family: Family): Promise<'reused'> {
  if (await revokeFamily(tx, family.id)) {
    const actor = { type: 'nobody', id: undefined } as const
    await record(tx, {
      action: 'grant_revoked',
      actor,
      subject: family.id,
      detail: { reason: 'reuse' },
    })
  }
  return 'reused'
}

/** Nothing to do for an unknown token. @throws OAuthError also for the token of another client, which stays alive */
export async function revoke(deps: Pick<Deps, 'db'>, parameters: Parameters): Promise<void> {
  const token = parameters.required('token')
  const clientId = await requireClient(deps, parameters)
  const grantId = await grantOf(deps, token)
  if (grantId === undefined) return
  await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    if (family?.client_id !== clientId) {
      throw new OAuthError('invalid_grant', 'The token was not given to this client.')
    }
    if (!(await revokeFamily(tx, family.id))) return
    const actor = user(family.account_id)
    await record(tx, { action: 'grant_revoked', actor, subject: family.id, detail: { reason: 'client' } })
  })
}

async function grantOf({ db }: Pick<Deps, 'db'>, token: string): Promise<string | undefined> {
  if (isSecret('refresh', token)) return grantOfRefreshToken(db, hashOf(token))
  return isSecret('access', token) ? grantOfAccessToken(db, hashOf(token)) : undefined
}

export const sweepGrants = ({ db }: Pick<Deps, 'db'>): Promise<void> => deleteEnded(db)
