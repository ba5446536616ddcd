// A bearer token as SQL: one call of a function says whose it is and what it may do, or nothing; functions keep their
// plan (migrations/0004_credentials.sql).

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { kept } from '../ports/db/kept.sql.ts'

/** A function's one row: all null where there is nothing to say. */
type Nullable<Found> = { [Name in keyof Found]: Found[Name] | null }

export interface TokenRow {
  /** The workspaces it can read, where that was asked for. */
  workspace_count: number | null
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
  const [row] = await db.rows<Nullable<TokenRow>>(
    kept(sql`SELECT * FROM bearer_of_token(${hash}, ${resource}, ${counting})`),
  )
  return isFound(row, 'account_id') ? row : undefined
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

/** Whether the token is alive now, held so until the transaction ends (migrations/0004_credentials.sql). */
export async function holdBearer(tx: Queryable, hash: Buffer, audience: string): Promise<boolean> {
  const [row] = await tx.rows<{ held: boolean }>(sql`SELECT hold_bearer(${hash}, ${audience}) AS held`)
  return row?.held ?? false
}

export interface KeyRow {
  /** The workspaces it can read, where that was asked for. */
  workspace_count: number | null
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
  const [row] = await db.rows<Nullable<KeyRow>>(sql`SELECT * FROM bearer_of_key(${hash}, ${counting})`)
  return isFound(row, 'id') ? row : undefined
}

const isFound = <Found extends object>(
  row: Nullable<Found> | undefined,
  key: keyof Found,
): row is Found & Nullable<Found> => row !== undefined && row[key] !== null

/** Of several requests at once one writes. */
export async function noteUse(db: Queryable, keyId: string): Promise<void> {
  await db.rows(sql`
    UPDATE api_key SET last_used_at = now()
    WHERE id = ${keyId} AND coalesce(last_used_at < now() - interval '1 minute', true)`)
}
