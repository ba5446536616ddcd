// Revocation (RFC 7009): of one token its client gives back the whole family goes, so that nothing of it is left behind.

import { user } from '../../../audit/act.ts'
import { record } from '../../../audit/audit.sql.ts'
import type { Deps } from '../../../ports/deps.ts'
import { OAuthError } from '../error.ts'
import type { Parameters } from '../parameters.ts'
import { hashOf, isSecret } from '../secret.ts'
import { FAMILY_DAYS } from './issue.ts'
import { requireClient } from './token.ts'
import { grantOfAccessToken, grantOfRefreshToken, lockFamily, revokeFamily } from './tokens.sql.ts'

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
