// Accounts as SQL.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface AccountRow {
  id: string
  email: string
  /** Null for who signs in with the company's provider only. */
  password_hash: string | null
}

export async function anyAccount(db: Queryable): Promise<boolean> {
  const [row] = await db.rows<{ found: boolean }>(sql`SELECT EXISTS (SELECT 1 FROM account) AS found`)
  return row?.found === true
}

/** False when the address is taken. */
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

export interface AnyAccount {
  id: string
  status: 'active' | 'suspended'
}

/** Suspended ones, too. Holds the row. */
export async function selectAnyAccount(tx: Queryable, emailKey: string): Promise<AnyAccount | undefined> {
  const [row] = await tx.rows<AnyAccount>(
    sql`SELECT id, status FROM account WHERE email_key = ${emailKey} FOR NO KEY UPDATE`,
  )
  return row
}

/** An active account only: a suspended one cannot sign in. */
export async function selectAccount(db: Queryable, emailKey: string): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    SELECT id, email, password_hash FROM account WHERE email_key = ${emailKey} AND status = 'active'`)
  return row
}
