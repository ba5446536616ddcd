// Looking up bearer credentials. Each lookup is one call of an SQL function, because PostgreSQL caches the query plan of a function
// (migrations/0004_credentials.sql).

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'

/** The functions return one row, with all columns null when nothing was found. */
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

export interface TokenRow {
  /** Number of readable workspaces; null unless requested. */
  workspace_count: number | null
  client_id: string | null
  scopes: string[]
  account_id: string
  email: string
}

/** The token must be for `resource`, and it is valid only as long as its grant, its account and, in a browser, its session. */
export async function selectAccessToken(
  db: Queryable,
  hash: Buffer,
  resource: string,
  countWorkspaces: boolean,
): Promise<TokenRow | undefined> {
  const [row] = await db.rows<Nullable<TokenRow>>(
    prepared(sql`SELECT * FROM bearer_of_token(${hash}, ${resource}, ${countWorkspaces})`),
  )
  return isMatch(row, 'account_id') ? row : undefined
}

/** Whether the grant of a token is still active; the token itself may have expired up to five minutes ago. */
export async function isGrantActive(db: Queryable, hash: Buffer): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT FROM access_token t
    JOIN token_grant g ON g.id = t.grant_id
    JOIN account a ON a.id = g.account_id
    LEFT JOIN session s ON s.hash = g.session_hash
    WHERE t.hash = ${hash} AND t.expires_at > now() - interval '5 minutes' AND g.revoked_at IS NULL
      AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now())`)
  return rows.length > 0
}

/** Whether the token is valid. If so, it cannot be revoked until the transaction ends (migrations/0004_credentials.sql). */
export async function lockBearer(tx: Queryable, hash: Buffer, audience: string): Promise<boolean> {
  const [row] = await tx.rows<{ held: boolean }>(sql`SELECT hold_bearer(${hash}, ${audience}) AS held`)
  return row?.held ?? false
}

export interface KeyRow {
  /** Number of readable workspaces; null unless requested. */
  workspace_count: number | null
  id: string
  account_id: string
  workspace_ids: string[]
  /** Whether `last_used_at` is more than a minute old. */
  unnoticed: boolean
}

/** Valid only while the key and its owner's account are valid. */
export async function selectApiKey(
  db: Queryable,
  hash: Buffer,
  countWorkspaces: boolean,
): Promise<KeyRow | undefined> {
  const [row] = await db.rows<Nullable<KeyRow>>(sql`SELECT * FROM bearer_of_key(${hash}, ${countWorkspaces})`)
  return isMatch(row, 'id') ? row : undefined
}

const isMatch = <Row extends object>(
  row: Nullable<Row> | undefined,
  key: keyof Row,
): row is Row & Nullable<Row> => row !== undefined && row[key] !== null

/** Writes the time of use. Of several concurrent requests only one writes. */
export async function updateLastUsed(db: Queryable, keyId: string): Promise<void> {
  await db.rows(sql`
    UPDATE api_key SET last_used_at = now()
    WHERE id = ${keyId} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
