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
    SELECT g.client_id, coalesce(t.scopes, g.scopes) AS scopes, a.id AS account_id, a.email
    FROM access_token t
    JOIN token_grant g ON g.id = t.grant_id
    JOIN account a ON a.id = g.account_id
    LEFT JOIN session s ON s.hash = g.session_hash
    WHERE t.hash = ${hash} AND t.expires_at > now() AND g.revoked_at IS NULL AND g.resource = ${resource}
      AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now())`)
  return row
}

export interface KeyRow {
  id: string
  account_id: string
  workspace_ids: string[]
  /** Its last use was written down more than a minute ago. */
  unnoticed: boolean
}

/** Alive only when the key and its owner's account are. */
export async function selectApiKey(db: Queryable, hash: Buffer): Promise<KeyRow | undefined> {
  const [row] = await db.rows<KeyRow>(sql`
    SELECT k.id, k.account_id, k.workspace_ids,
      coalesce(k.last_used_at < now() - interval '1 minute', true) AS unnoticed
    FROM api_key k JOIN account a ON a.id = k.account_id
    WHERE k.hash = ${hash} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND a.status = 'active'`)
  return row
}

/** Of several requests at once one writes. */
export async function noteUse(db: Queryable, keyId: string): Promise<void> {
  await db.rows(sql`
    UPDATE api_key SET last_used_at = now()
    WHERE id = ${keyId} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
