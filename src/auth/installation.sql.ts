// Key-value pairs of this installation: the cursor key, the hash of the setup token, the administrator from the settings.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Returns false and changes nothing if the key exists. */
export async function insertValue(db: Queryable, key: string, value: string): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO installation (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO NOTHING RETURNING key`)
  return rows.length > 0
}

export async function upsertValue(db: Queryable, key: string, value: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO installation (key, value) VALUES (${key}, ${value})
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`)
}

export async function selectValue(db: Queryable, key: string): Promise<string | undefined> {
  const [row] = await db.rows<{ value: string }>(sql`SELECT value FROM installation WHERE key = ${key}`)
  return row?.value
}

/** Compare and delete: of two concurrent calls one returns true. */
export async function deleteValueIfEqual(db: Queryable, key: string, value: string): Promise<boolean> {
  const rows = await db.rows(
    sql`DELETE FROM installation WHERE key = ${key} AND value = ${value} RETURNING key`,
  )
  return rows.length > 0
}

export async function deleteValue(db: Queryable, key: string): Promise<void> {
  await db.rows(sql`DELETE FROM installation WHERE key = ${key}`)
}
