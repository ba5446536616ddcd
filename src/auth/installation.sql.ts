// Facts about this installation as SQL: the cursor key, the hash of the setup token, the admin of the settings.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

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
