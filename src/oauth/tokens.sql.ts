// Grants, authorization codes and token families. The grant's row is the lock of its family: redeeming, refreshing and
// revoking take it first.

import sql from 'sql-template-tag'
import type { Scope } from '../auth/caller.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface Family {
  id: string
  account_id: string
  client_id: string
  scopes: Scope[]
  /** The grant is not revoked and the account is active. */
  active: boolean
  /** Until the family expires, however often it is refreshed. */
  seconds_left: number
}

/** Locks the family until the transaction ends. */
export async function lockFamily(
  tx: Queryable,
  grantId: string,
  maxDays: number,
): Promise<Family | undefined> {
  const [row] = await tx.rows<Family>(sql`
    SELECT g.id, g.account_id, g.client_id, g.scopes, g.revoked_at IS NULL AND a.status = 'active' AS active,
      floor(extract(epoch FROM g.created_at + make_interval(days => ${maxDays}) - now()))::int AS seconds_left
    FROM token_grant g JOIN account a ON a.id = g.account_id
    WHERE g.id = ${grantId} AND g.client_id IS NOT NULL
    FOR UPDATE OF g`)
  return row
}

export async function revokeFamily(tx: Queryable, grantId: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`UPDATE token_grant SET revoked_at = now() WHERE id = ${grantId} AND revoked_at IS NULL RETURNING id`,
  )
  return rows.length > 0
}

export async function grantOfCode(db: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await db.rows<{ grant_id: string }>(sql`SELECT grant_id FROM oauth_code WHERE hash = ${hash}`)
  return row?.grant_id
}

interface CodeRow {
  redirect_uri: string
  challenge: string
  used: boolean
  expired: boolean
}

export async function selectCode(tx: Queryable, hash: Buffer): Promise<CodeRow | undefined> {
  const [row] = await tx.rows<CodeRow>(sql`
    SELECT redirect_uri, challenge, used_at IS NOT NULL AS used, expires_at <= now() AS expired
    FROM oauth_code WHERE hash = ${hash}`)
  return row
}

export async function markCodeUsed(tx: Queryable, hash: Buffer): Promise<void> {
  await tx.rows(sql`UPDATE oauth_code SET used_at = now() WHERE hash = ${hash}`)
}

export async function grantOfRefreshToken(db: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await db.rows<{ grant_id: string }>(
    sql`SELECT grant_id FROM refresh_token WHERE hash = ${hash}`,
  )
  return row?.grant_id
}

export async function grantOfAccessToken(db: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await db.rows<{ grant_id: string }>(
    sql`SELECT grant_id FROM access_token WHERE hash = ${hash}`,
  )
  return row?.grant_id
}

export interface RefreshRow {
  expired: boolean
  /** Null if it has not been used. */
  used_seconds_ago: number | null
}

/** By the clock, not the start of the transaction, which may have waited for the family's lock. */
export async function selectRefreshToken(tx: Queryable, hash: Buffer): Promise<RefreshRow | undefined> {
  const [row] = await tx.rows<RefreshRow>(sql`
    SELECT expires_at <= now() AS expired,
      extract(epoch FROM clock_timestamp() - used_at)::float8 AS used_seconds_ago
    FROM refresh_token WHERE hash = ${hash}`)
  return row
}

export async function markRefreshTokenUsed(tx: Queryable, hash: Buffer): Promise<void> {
  await tx.rows(sql`UPDATE refresh_token SET used_at = clock_timestamp() WHERE hash = ${hash}`)
}

export async function insertRefreshToken(
  tx: Queryable,
  token: { hash: Buffer; grantId: string; seconds: number },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO refresh_token (hash, grant_id, expires_at)
    VALUES (${token.hash}, ${token.grantId}, now() + make_interval(secs => ${token.seconds}))`)
}

/** @param token.scopes a subset of the grant's scopes; null for all of them */
export async function insertAccessTokenRow(
  tx: Queryable,
  token: { hash: Buffer; grantId: string; scopes: readonly Scope[] | null; seconds: number },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO access_token (hash, grant_id, scopes, expires_at)
    VALUES (${token.hash}, ${token.grantId}, ${token.scopes && [...token.scopes]}::text[],
      now() + make_interval(secs => ${token.seconds}))`)
}

/** Deletes expired codes and refresh tokens, grants without any token, and unused clients. */
export async function deleteExpired(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM oauth_code WHERE expires_at < now() - interval '1 day'`)
  await db.rows(sql`DELETE FROM refresh_token WHERE expires_at < now()`)
  await db.rows(sql`
    DELETE FROM token_grant g
    WHERE g.client_id IS NOT NULL AND g.created_at < now() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM oauth_code c WHERE c.grant_id = g.id)
      AND NOT EXISTS (SELECT 1 FROM refresh_token r WHERE r.grant_id = g.id)
      AND NOT EXISTS (SELECT 1 FROM access_token t WHERE t.grant_id = g.id)`)
  await db.rows(sql`
    DELETE FROM oauth_client c
    WHERE CASE WHEN c.used_at IS NULL THEN c.created_at < now() - interval '7 days'
        ELSE c.used_at < now() - interval '30 days' END
      AND NOT EXISTS (SELECT 1 FROM token_grant g WHERE g.client_id = c.id)`)
}

interface NewGrant {
  id: string
  accountId: string
  clientId: string
  clientName: string
  scopes: readonly Scope[]
  resource: string
  redirectUri: string
}

/** False if the account is not active. Locks its row, so that a concurrent suspension revokes the grant. */
export async function insertClientGrant(tx: Queryable, grant: NewGrant): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO token_grant (id, account_id, client_id, client_name, scopes, resource, redirect_uri)
    SELECT ${grant.id}::uuid, id, ${grant.clientId}, ${grant.clientName}, ${[...grant.scopes]}::text[], ${grant.resource},
      ${grant.redirectUri}
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
