// Consents and the codes they give, as SQL.

import sql from 'sql-template-tag'
import type { Queryable } from '../../../ports/db/db.ts'
import type { Scope } from '../../caller.ts'

export interface NewGrant {
  id: string
  accountId: string
  clientId: string
  clientName: string
  scopes: readonly Scope[]
  resource: string
}

/** False for an account that is not active; its row is held, so that who suspends it comes before or revokes the grant. */
export async function insertClientGrant(tx: Queryable, grant: NewGrant): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO token_grant (id, account_id, client_id, client_name, scopes, resource)
    SELECT ${grant.id}::uuid, id, ${grant.clientId}, ${grant.clientName}, ${[...grant.scopes]}::text[], ${grant.resource}
    FROM account WHERE id = ${grant.accountId} AND status = 'active' FOR SHARE
    RETURNING id`)
  return rows.length > 0
}

export async function insertCode(
  tx: Queryable,
  code: { hash: Buffer; grantId: string; redirectUri: string; challenge: string; seconds: number },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO oauth_code (hash, grant_id, redirect_uri, challenge, expires_at)
    VALUES (${code.hash}, ${code.grantId}, ${code.redirectUri}, ${code.challenge},
      now() + make_interval(secs => ${code.seconds}))`)
}
