// Passwords, the links that set them anew, and what ends with an old one, as SQL.

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Null: the person signs in with the company's provider only. */
export async function selectPasswordHash(
  db: Queryable,
  accountId: string,
): Promise<string | null | undefined> {
  const [row] = await db.rows<{ password_hash: string | null }>(
    sql`SELECT password_hash FROM account WHERE id = ${accountId} AND status = 'active'`,
  )
  return row?.password_hash
}

/** Links that were asked for before are worth nothing from now on. */
export async function updatePassword(tx: Queryable, accountId: string, hash: string): Promise<void> {
  await tx.rows(sql`UPDATE account SET password_hash = ${hash} WHERE id = ${accountId}`)
  await tx.rows(sql`DELETE FROM password_reset WHERE account_id = ${accountId}`)
}

/** Their grants and tokens go with them (ON DELETE CASCADE). */
export async function deleteSessions(tx: Queryable, accountId: string, except?: Buffer): Promise<void> {
  await tx.rows(sql`
    DELETE FROM session WHERE account_id = ${accountId} ${except ? sql`AND hash <> ${except}` : empty}`)
}

/** The account's address as it was given; undefined when there is none that has a password. */
export async function insertResetByEmail(
  db: Queryable,
  reset: { hash: Buffer; emailKey: string; seconds: number },
): Promise<string | undefined> {
  const [row] = await db.rows<{ email: string }>(sql`
    WITH known AS (
      SELECT id, email FROM account
      WHERE email_key = ${reset.emailKey} AND status = 'active' AND password_hash IS NOT NULL
    ), made AS (
      INSERT INTO password_reset (hash, account_id, expires_at)
      SELECT ${reset.hash}::bytea, id, now() + make_interval(secs => ${reset.seconds}) FROM known
    )
    SELECT email FROM known`)
  return row?.email
}

/** The account's id; undefined when there is no such active one. */
export async function insertReset(
  db: Queryable,
  reset: { hash: Buffer; account: { id: string } | { emailKey: string }; seconds: number },
): Promise<string | undefined> {
  const { account } = reset
  const which = 'id' in account ? sql`id = ${account.id}` : sql`email_key = ${account.emailKey}`
  const [row] = await db.rows<{ account_id: string }>(sql`
    INSERT INTO password_reset (hash, account_id, expires_at)
    SELECT ${reset.hash}::bytea, id, now() + make_interval(secs => ${reset.seconds})
    FROM account WHERE ${which} AND status = 'active' RETURNING account_id`)
  return row?.account_id
}

export async function selectReset(db: Queryable, hash: Buffer): Promise<{ email: string } | undefined> {
  const [row] = await db.rows<{ email: string }>(sql`
    SELECT a.email FROM password_reset r JOIN account a ON a.id = r.account_id
    WHERE r.hash = ${hash} AND r.expires_at > now() AND a.status = 'active'`)
  return row
}

/** Uses the link up; the id of its account. */
export async function takeReset(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await tx.rows<{ account_id: string }>(sql`
    DELETE FROM password_reset r USING account a
    WHERE r.hash = ${hash} AND r.expires_at > now() AND a.id = r.account_id AND a.status = 'active'
    RETURNING r.account_id`)
  return row?.account_id
}
