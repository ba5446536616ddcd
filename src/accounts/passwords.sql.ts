// Password hashes, password reset links, and the sessions that end with a password change.

import sql, { empty } from 'sql-template-tag'
import type { Language } from '../messages/messages.ts'
import type { Queryable } from '../ports/db/db.ts'

/** Null for an account that signs in only with the company's provider. Undefined if there is no such active account. */
export async function selectPasswordHash(
  db: Queryable,
  accountId: string,
): Promise<string | null | undefined> {
  const [row] = await db.rows<{ password_hash: string | null }>(
    sql`SELECT password_hash FROM account WHERE id = ${accountId} AND status = 'active'`,
  )
  return row?.password_hash
}

/**
 * Sets the password, and deletes the account's reset links.
 * @param formerHash returns false, and changes nothing, if the account has another password now
 */
export async function updatePassword(
  tx: Queryable,
  accountId: string,
  hash: string,
  formerHash?: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE account SET password_hash = ${hash} WHERE id = ${accountId}
      ${formerHash === undefined ? empty : sql`AND password_hash = ${formerHash}`} RETURNING id`)
  if (rows.length === 0) return false
  await tx.rows(sql`DELETE FROM password_reset WHERE account_id = ${accountId}`)
  // Somebody who knew the former password may have begun these setups.
  await tx.rows(sql`DELETE FROM second_factor WHERE account_id = ${accountId} AND confirmed_at IS NULL`)
  await tx.rows(sql`
    UPDATE second_factor SET secret = NULL, secret_pending = false
    WHERE account_id = ${accountId} AND secret_pending`)
  await tx.rows(sql`DELETE FROM passkey_challenge WHERE account_id = ${accountId}`)
  return true
}

/**
 * Deletes the account's sessions, with their grants and tokens (ON DELETE CASCADE), and sign-ins that wait for a second factor.
 * @param except hash of a session that is not deleted
 */
export async function deleteSessions(tx: Queryable, accountId: string, except?: Buffer): Promise<void> {
  await tx.rows(sql`DELETE FROM pending_sign_in WHERE account_id = ${accountId}`)
  await tx.rows(sql`
    DELETE FROM session WHERE account_id = ${accountId} ${except ? sql`AND hash <> ${except}` : empty}`)
}

/** Inserts a reset link. Returns the receiver of the mail; undefined if there is no such active account with a password. */
export async function insertResetByEmail(
  db: Queryable,
  reset: { hash: Buffer; emailKey: string; seconds: number },
): Promise<{ email: string; language: Language | null } | undefined> {
  const [row] = await db.rows<{ email: string; language: Language | null }>(sql`
    WITH known AS (
      SELECT id, email, language FROM account
      WHERE email_key = ${reset.emailKey} AND status = 'active' AND password_hash IS NOT NULL
    ), made AS (
      INSERT INTO password_reset (hash, account_id, expires_at)
      SELECT ${reset.hash}::bytea, id, now() + make_interval(secs => ${reset.seconds}) FROM known
    )
    SELECT email, language FROM known`)
  return row
}

/** Inserts a reset link. Returns the account's id; undefined if there is no such active account. */
export async function insertReset(
  db: Queryable,
  reset: { hash: Buffer; account: { id: string } | { emailKey: string }; seconds: number },
): Promise<string | undefined> {
  const { account } = reset
  const condition = 'id' in account ? sql`id = ${account.id}` : sql`email_key = ${account.emailKey}`
  const [row] = await db.rows<{ account_id: string }>(sql`
    INSERT INTO password_reset (hash, account_id, expires_at)
    SELECT ${reset.hash}::bytea, id, now() + make_interval(secs => ${reset.seconds})
    FROM account WHERE ${condition} AND status = 'active' RETURNING account_id`)
  return row?.account_id
}

export async function selectReset(db: Queryable, hash: Buffer): Promise<{ email: string } | undefined> {
  const [row] = await db.rows<{ email: string }>(sql`
    SELECT a.email FROM password_reset r JOIN account a ON a.id = r.account_id
    WHERE r.hash = ${hash} AND r.expires_at > now() AND a.status = 'active'`)
  return row
}

/** Deletes the link and returns the id of its account. */
export async function takeReset(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await tx.rows<{ account_id: string }>(sql`
    DELETE FROM password_reset r USING account a
    WHERE r.hash = ${hash} AND r.expires_at > now() AND a.id = r.account_id AND a.status = 'active'
    RETURNING r.account_id`)
  return row?.account_id
}
