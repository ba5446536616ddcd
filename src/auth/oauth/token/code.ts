// A code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.6): once, by the client it was given to, with the verifier.

import type { Deps } from '../../../ports/deps.ts'
import { OAuthError } from '../error.ts'
import type { Parameters } from '../parameters.ts'
import { requireResource } from '../resource.ts'
import { hashOf, isSecret, isVerified, makeSecret } from '../secret.ts'
import { FAMILY_DAYS, issueAccess, refreshSeconds, type TokenResponse } from './issue.ts'
import { revokeForReuse } from './reuse.ts'
import { grantOfCode, insertRefreshToken, lockFamily, markCodeUsed, selectCode } from './tokens.sql.ts'

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
  if (grantId === undefined) throw invalid()
  const answer = await deps.db.tx(async (tx) => {
    const family = await lockFamily(tx, grantId, FAMILY_DAYS)
    const held = await selectCode(tx, hash)
    if (!family || !held || family.client_id !== clientId) throw invalid()
    if (held.used) return revokeForReuse(tx, family)
    if (held.expired || !family.alive) throw invalid()
    // OAuth 2.1 no longer sends it; who does means it (RFC 6749 section 4.1.3).
    if (redirectUri !== undefined && redirectUri !== held.redirect_uri) throw invalid()
    if (!isVerifier(verifier) || !isVerified(verifier, held.challenge)) throw invalid()
    await markCodeUsed(tx, hash)
    const refreshToken = makeSecret('refresh')
    await insertRefreshToken(tx, {
      hash: hashOf(refreshToken),
      grantId: family.id,
      seconds: refreshSeconds(family),
    })
    return issueAccess(tx, family, refreshToken)
  })
  if (answer === 'reused') throw invalid()
  return answer
}

const isVerifier = (text: string): boolean => /^[\w.~-]{43,128}$/.test(text)

/** One answer for all of it: who tries codes learns nothing. */
const invalid = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is not valid for this client, or has been used or has expired.')
