// Browser sessions and the access tokens issued for them. Only SHA-256 hashes of secrets are stored.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Scope } from '../auth/caller.ts'
import type { Language } from '../messages/messages.ts'
import type { Queryable } from '../ports/db/db.ts'

/** The user who is signed in. */
export interface SessionUser {
  id: string
  email: string
  admin: boolean
  /** Null: the language of the browser. */
  language: Language | null
}

/**
 * When a session that is used now expires. For an account with a password: `seconds` from now. For one without: `seconds` from the
 * sign-in, however often the session is used, so that the company's provider decides again what the person may do. In the
 * statement, `a` must be the alias of the table `account`.
 */
const expiryOf = (signedInAt: Sql, seconds: number): Sql =>
  sql`CASE WHEN a.password_hash IS NULL THEN ${signedInAt} ELSE now() END + make_interval(secs => ${seconds})`

/**
 * Returns false if the account is not active, or if its password is no longer the one that was verified. Locks the account's
 * row (FOR SHARE). So a concurrent password change or suspension happens either before this, and no session is inserted, or
 * after it, and then it deletes the new session.
 */
export async function insertSession(
  db: Queryable,
  session: {
    hash: Buffer
    accountId: string
    seconds: number
    passwordHash?: string | undefined
    signedInAt?: string | undefined
  },
): Promise<boolean> {
  const { passwordHash } = session
  const signedInAt = sql`coalesce(${session.signedInAt ?? null}::timestamptz, now())`
  const rows = await db.rows(sql`
    INSERT INTO session (hash, account_id, created_at, expires_at)
    SELECT ${session.hash}::bytea, a.id, ${signedInAt}, ${expiryOf(signedInAt, session.seconds)} FROM account a
    WHERE a.id = ${session.accountId} AND a.status = 'active'
      ${passwordHash === undefined ? empty : sql`AND a.password_hash = ${passwordHash}`}
    FOR SHARE
    RETURNING account_id`)
  return rows.length > 0
}

/**
 * Copies the account's valid session `oldHash`, with its times, to a session with the hash `hash`. The old one is not deleted.
 * Returns false if it has ended.
 */
export async function copySession(
  tx: Queryable,
  { hash, accountId, oldHash }: { hash: Buffer; accountId: string; oldHash: Buffer },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO session (hash, account_id, created_at, expires_at, user_agent, used_at)
    SELECT ${hash}::bytea, account_id, created_at, expires_at, user_agent, used_at FROM session
    WHERE hash = ${oldHash} AND account_id = ${accountId} AND expires_at > now() FOR UPDATE
    RETURNING hash`)
  return rows.length > 0
}

/**
 * Extends a valid session of an active account, and stores which browser used it. Locks the session's row until the transaction
 * ends. Undefined if there is no such session.
 */
export async function extendSession(
  tx: Queryable,
  hash: Buffer,
  { seconds, userAgent }: { seconds: number; userAgent: string | undefined },
): Promise<{ account_id: string } | undefined> {
  const expiry = expiryOf(sql`s.created_at`, seconds)
  const [row] = await tx.rows<{ account_id: string }>(sql`
    UPDATE session s SET expires_at = ${expiry}, used_at = now(), user_agent = ${userAgent ?? null}
    FROM account a
    WHERE s.hash = ${hash} AND s.expires_at > now() AND ${expiry} > now() AND a.id = s.account_id AND a.status = 'active'
    RETURNING s.account_id`)
  return row
}

/** The user of a valid session. */
export async function selectSession(db: Queryable, hash: Buffer): Promise<SessionUser | undefined> {
  const [row] = await db.rows<SessionUser>(sql`
    SELECT a.id, a.email, a.admin, a.language FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.hash = ${hash} AND s.expires_at > now() AND a.status = 'active'`)
  return row
}

/** Whether the session was opened within the last `seconds`. */
export async function isRecentSession(db: Queryable, hash: Buffer, seconds: number): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM session WHERE hash = ${hash} AND created_at > now() - make_interval(secs => ${seconds})`)
  return rows.length > 0
}

/** Deletes the session, with its grant and access tokens (ON DELETE CASCADE). */
export async function deleteSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.rows(sql`DELETE FROM session WHERE hash = ${hash}`)
}

export async function selectSessionGrant(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(sql`
    SELECT id FROM token_grant WHERE session_hash = ${hash} AND revoked_at IS NULL ORDER BY created_at LIMIT 1`)
  return row?.id
}

/** Does nothing if the grant exists. */
export async function insertGrant(
  tx: Queryable,
  grant: { id: string; accountId: string; sessionHash: Buffer; scopes: readonly Scope[]; resource: string },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO token_grant (id, account_id, session_hash, scopes, resource)
    VALUES (${grant.id}, ${grant.accountId}, ${grant.sessionHash}, ${[...grant.scopes]}::text[], ${grant.resource})
    ON CONFLICT (id) DO NOTHING`)
}

/**
 * Adds a token to the grant. Deletes tokens that expired more than five minutes ago. One that expired recently is kept, because a
 * response that is still streaming may use it.
 */
export async function insertAccessToken(
  tx: Queryable,
  token: { hash: Buffer; grantId: string; seconds: number },
): Promise<void> {
  await tx.rows(sql`
    DELETE FROM access_token WHERE grant_id = ${token.grantId} AND expires_at < now() - interval '5 minutes'`)
  await tx.rows(sql`
    INSERT INTO access_token (hash, grant_id, expires_at)
    VALUES (${token.hash}, ${token.grantId}, now() + make_interval(secs => ${token.seconds}))`)
}

/** Deletes expired sessions, with their grants, and expired tokens. */
export async function deleteExpiredSessions(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM session WHERE expires_at < now()`)
  await db.rows(sql`DELETE FROM access_token WHERE expires_at < now() - interval '1 hour'`)
}
