// The table `account`: inserting accounts and finding them by email address.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

interface AccountRow {
  id: string
  email: string
  /** Null for an account that signs in with the company's provider only. */
  password_hash: string | null
}

export async function hasAnyAccount(db: Queryable): Promise<boolean> {
  const [row] = await db.rows<{ found: boolean }>(sql`SELECT EXISTS (SELECT 1 FROM account) AS found`)
  return row?.found === true
}

/** Returns false if another account has the email address. */
export async function insertAccount(
  db: Queryable,
  account: { id: string; email: string; emailKey: string; passwordHash: string | undefined; admin: boolean },
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash, admin)
    VALUES (${account.id}, ${account.email}, ${account.emailKey}, ${account.passwordHash ?? null}, ${account.admin})
    ON CONFLICT (email_key) DO NOTHING RETURNING id`)
  return rows.length > 0
}

export interface LockedAccount {
  id: string
  admin: boolean
  status: 'active' | 'suspended'
}

/** Finds an active or suspended account, and locks its row until the transaction ends. */
export async function lockAccountByEmail(
  tx: Queryable,
  emailKey: string,
): Promise<LockedAccount | undefined> {
  const [row] = await tx.rows<LockedAccount>(
    sql`SELECT id, admin, status FROM account WHERE email_key = ${emailKey} FOR NO KEY UPDATE`,
  )
  return row
}

/** Finds an active account. Suspended accounts are left out, because a suspended user cannot sign in. */
export async function selectAccount(db: Queryable, emailKey: string): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    SELECT id, email, password_hash FROM account WHERE email_key = ${emailKey} AND status = 'active'`)
  return row
}
