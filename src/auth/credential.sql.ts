// A bearer token as SQL: one statement says whose it is and what it may do, or nothing.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface TokenRow {
  client_id: string | null
  scopes: string[]
  account_id: string
  email: string
}

/** Alive only when token, grant, session (if it came from one) and account all are, and it was made for us. */
export async function selectAccessToken(
  db: Queryable,
  hash: Buffer,
  resource: string,
): Promise<TokenRow | undefined> {
  const [row] = await db.rows<TokenRow>(sql`
    SELECT g.client_id, g.scopes, a.id AS account_id, a.email
    FROM access_token t
    JOIN token_grant g ON g.id = t.grant_id
    JOIN account a ON a.id = g.account_id
    LEFT JOIN session s ON s.hash = g.session_hash
    WHERE t.hash = ${hash} AND t.expires_at > now() AND g.revoked_at IS NULL AND g.resource = ${resource}
      AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now())`)
  return row
}
