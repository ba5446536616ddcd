// A refresh token for the next ones (RFC 6749 section 6): rotated, with one successor that is the same however often it
// is asked for. All is checked before anything is used up: a wrong request leaves the token as it was.

import type { Deps } from '../../../ports/deps.ts'
import type { Scope } from '../../caller.ts'
import { OAuthError } from '../error.ts'
import type { Parameters } from '../parameters.ts'
import { requireResource } from '../resource.ts'
import { askedScopes } from '../scope.ts'
import { hashOf, isSecret, successorOf } from '../secret.ts'
import { FAMILY_DAYS, issueAccess, refreshSeconds, type TokenResponse } from './issue.ts'
import { revokeForReuse } from './reuse.ts'
import {
  type Family,
  grantOfRefreshToken,
  insertRefreshToken,
  lockFamily,
  markRefreshTokenUsed,
  type RefreshRow,
  selectRefreshToken,
} from './tokens.sql.ts'

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
  if (grantId === undefined) throw invalid()
  const successor = successorOf(token, deps.cursorKey)
  const answer = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const held = await selectRefreshToken(tx, hash)
    if (!family || !held || family.client_id !== clientId) throw invalid()
    requireWithin(asked, family)
    if (held.expired || !family.alive || family.seconds_left <= 0) throw invalid()
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
  if (answer === 'reused') throw invalid()
  return answer
}

/** Soon, and nobody has gone on with the successor: then it is the same client again. */
const mayRepeat = (usedSecondsAgo: number, next: RefreshRow | undefined): boolean =>
  usedSecondsAgo <= GRACE_SECONDS && next !== undefined && next.used_seconds_ago === null

function requireWithin(asked: readonly Scope[] | undefined, family: Family): void {
  if (asked?.every((scope) => family.scopes.includes(scope)) ?? true) return
  throw new OAuthError('invalid_scope', 'A refreshed token can do no more than was consented to.')
}

const invalid = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is not valid for this client, or has expired.')
