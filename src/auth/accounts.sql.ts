// Accounts and the facts about this installation as SQL.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface AccountRow {
  id: string
  email: string
  password_hash: string
}

/** Keeps the fact that is there; returns whether this one was new. */
export async function insertFact(db: Queryable, key: string, value: string): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO installation (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO NOTHING RETURNING key`)
  return rows.length > 0
}

export async function replaceFact(db: Queryable, key: string, value: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO installation (key, value) VALUES (${key}, ${value})
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`)
}

export async function selectFact(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.rows<{ value: string }>(sql`SELECT value FROM installation WHERE key = ${key}`)
  return row?.value
}

/** Takes the fact away if it says just that: of two who try, one succeeds. */
export async function takeFact(db: Queryable, key: string, value: string): Promise<boolean> {
  const rows = await db.rows(
    sql`DELETE FROM installation WHERE key = ${key} AND value = ${value} RETURNING key`,
  )
  return rows.length > 0
}

export async function deleteFact(db: Queryable, key: string): Promise<void> {
  await db.rows(sql`DELETE FROM installation WHERE key = ${key}`)
}

export async function anyAccount(db: Queryable): Promise<boolean> {
  const [row] = await db.rows<{ found: boolean }>(sql`SELECT EXISTS (SELECT 1 FROM account) AS found`)
  return row?.found === true
}

/** False when the address is taken. */
export async function insertAccount(
  db: Queryable,
  account: { id: string; email: string; emailKey: string; passwordHash: string; admin: boolean },
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash, admin)
    VALUES (${account.id}, ${account.email}, ${account.emailKey}, ${account.passwordHash}, ${account.admin})
    ON CONFLICT (email_key) DO NOTHING RETURNING id`)
  return rows.length > 0
}

/** An active account only: a suspended one cannot sign in. */
export async function selectAccount(db: Queryable, emailKey: string): Promise<AccountRow | undefined> {
  const [row] = await db.rows<AccountRow>(sql`
    SELECT id, email, password_hash FROM account WHERE email_key = ${emailKey} AND status = 'active'`)
  return row
}
