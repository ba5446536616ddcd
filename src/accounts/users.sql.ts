// Accounts as administrators see them, selected as the API returns them.

import sql, { empty } from 'sql-template-tag'
import type { User } from '../contract/account.ts'
import type { Language } from '../messages/messages.ts'
import type { Queryable } from '../ports/db/db.ts'

const fields = sql`
  id, email, admin, admin AND admin_by_group AS admin_by_group, status,
  EXISTS (SELECT 1 FROM second_factor f WHERE f.account_id = account.id AND f.confirmed_at IS NOT NULL) AS second_factor, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`

export const selectUsers = (db: Queryable, after: string | undefined, limit: number): Promise<User[]> =>
  db.rows(sql`
    SELECT ${fields} FROM account
    ${after ? sql`WHERE (email_key COLLATE "C", id) > (SELECT email_key COLLATE "C", id FROM account WHERE id = ${after})` : empty}
    ORDER BY email_key COLLATE "C", id LIMIT ${limit}`)

export async function selectUser(db: Queryable, id: string): Promise<User | undefined> {
  const [row] = await db.rows<User>(sql`SELECT ${fields} FROM account WHERE id = ${id}`)
  return row
}

/** Whether the account is an administrator because of a group of the company. */
export async function isAdminByGroup(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`SELECT 1 FROM account WHERE id = ${id} AND admin AND admin_by_group`)
  return rows.length > 0
}

/** An active account, by its id or email address. */
export async function selectActiveUser(
  db: Queryable,
  account: { id: string } | { emailKey: string },
): Promise<{ id: string; email: string; language: Language | null } | undefined> {
  const condition = 'id' in account ? sql`id = ${account.id}` : sql`email_key = ${account.emailKey}`
  const [row] = await db.rows<{ id: string; email: string; language: Language | null }>(
    sql`SELECT id, email, language FROM account WHERE ${condition} AND status = 'active'`,
  )
  return row
}

/**
 * Locks all administrators, so that changes that remove one happen one after the other. The locks are taken in the order of ids, so
 * that there are no deadlocks.
 */
export async function lockAdmins(tx: Queryable): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM account WHERE admin ORDER BY id FOR NO KEY UPDATE`)
}

export async function isAdmin(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`SELECT 1 FROM account WHERE id = ${id} AND admin AND status = 'active'`)
  return rows.length > 0
}

export async function hasOtherAdmins(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`SELECT 1 FROM account WHERE admin AND status = 'active' AND id <> ${id} LIMIT 1`,
  )
  return rows.length > 0
}

/** @param next `admin` undefined: unchanged. A value comes from an administrator, so a company group no longer decides it. */
export async function updateUserRow(
  tx: Queryable,
  id: string,
  next: { admin: boolean | undefined; status: User['status'] },
): Promise<void> {
  const admin = next.admin === undefined ? empty : sql`admin = ${next.admin}, admin_by_group = false,`
  await tx.rows(sql`UPDATE account SET ${admin} status = ${next.status} WHERE id = ${id}`)
}

export async function updateLanguage(
  db: Queryable,
  accountId: string,
  language: Language | null,
): Promise<void> {
  await db.rows(sql`UPDATE account SET language = ${language} WHERE id = ${accountId}`)
}

/** Permanently revokes sessions, reset links, API keys and OAuth grants; returns the number of keys and grants. */
export async function revokeCredentials(
  tx: Queryable,
  accountId: string,
): Promise<{ keys: number; programs: number }> {
  await tx.rows(sql`DELETE FROM password_reset WHERE account_id = ${accountId}`)
  await tx.rows(sql`DELETE FROM pending_sign_in WHERE account_id = ${accountId}`)
  await tx.rows(sql`DELETE FROM session WHERE account_id = ${accountId}`)
  const keys = await tx.rows(sql`
    UPDATE api_key SET revoked_at = now() WHERE account_id = ${accountId} AND revoked_at IS NULL RETURNING 1`)
  const programs = await tx.rows(sql`
    UPDATE token_grant SET revoked_at = now() WHERE account_id = ${accountId} AND revoked_at IS NULL RETURNING 1`)
  return { keys: keys.length, programs: programs.length }
}
