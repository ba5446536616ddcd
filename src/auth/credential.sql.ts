// A bearer token as SQL: one statement says whose it is and what it may do, or nothing; the conditions stand in functions
// that keep their plan (migrations/0015_isolation.sql).

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** The workspaces that the bearer `b` is in, of `among` only when given. */
const counted = (among: Sql = empty): Sql => sql`, (
  SELECT count(*)::int FROM member m JOIN workspace w ON w.id = m.workspace_id
  WHERE m.account_id = b.account_id AND w.deleted_at IS NULL ${among}) AS workspace_count`

export interface TokenRow {
  /** When it was asked for. */
  workspace_count?: number
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
  counting: boolean,
): Promise<TokenRow | undefined> {
  const [row] = await db.rows<TokenRow>(sql`
    SELECT client_id, scopes, account_id, email ${counting ? counted() : empty}
    FROM bearer_of_token(${hash}, ${resource}) b WHERE account_id IS NOT NULL`)
  return row
}

/** Whether the grant of a token still stands, also when the token itself ran out up to five minutes ago. */
export async function isStillGranted(db: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT FROM access_token t
    JOIN token_grant g ON g.id = t.grant_id
    JOIN account a ON a.id = g.account_id
    LEFT JOIN session s ON s.hash = g.session_hash
    WHERE t.hash = ${hash} AND t.expires_at > now() - interval '5 minutes' AND g.revoked_at IS NULL
      AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now())`)
  return rows.length > 0
}

export interface KeyRow {
  /** When it was asked for. */
  workspace_count?: number
  id: string
  account_id: string
  workspace_ids: string[]
  /** Its last use was written down more than a minute ago. */
  unnoticed: boolean
}

/** Alive only when the key and its owner's account are. */
export async function selectApiKey(
  db: Queryable,
  hash: Buffer,
  counting: boolean,
): Promise<KeyRow | undefined> {
  const [row] = await db.rows<KeyRow>(sql`
    SELECT id, account_id, workspace_ids, unnoticed
      ${counting ? counted(sql`AND w.id = ANY (b.workspace_ids)`) : empty}
    FROM bearer_of_key(${hash}) b WHERE id IS NOT NULL`)
  return row
}

/** Of several requests at once one writes. */
export async function noteUse(db: Queryable, keyId: string): Promise<void> {
  await db.rows(sql`
    UPDATE api_key SET last_used_at = now()
    WHERE id = ${keyId} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
