// The table `model_setting`. What administrators do asks again whether they are one.

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface ModelRow {
  /** Changes with each change. */
  revision: string
  url: string
  model: string
  context_tokens: number | null
  /** Sealed. */
  key: Buffer | null
  set_at: string
}

const fields = sql`
  revision, url, model, context_tokens, key, to_char(set_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS set_at`

const isAdmin = (id: string): Sql =>
  sql`EXISTS (SELECT FROM account WHERE id = ${id} AND admin AND status = 'active')`

/** For the service itself, which uses the model. */
export async function selectLanguageModel(db: Queryable): Promise<ModelRow | undefined> {
  const [row] = await db.rows<ModelRow>(sql`SELECT ${fields} FROM model_setting WHERE role = 'language'`)
  return row
}

export async function selectLanguageModelFor(db: Queryable, adminId: string): Promise<ModelRow | undefined> {
  const [row] = await db.rows<ModelRow>(
    sql`SELECT ${fields} FROM model_setting WHERE role = 'language' AND ${isAdmin(adminId)}`,
  )
  return row
}

/** Locks the row until the transaction ends. */
export async function lockLanguageModel(tx: Queryable): Promise<ModelRow | undefined> {
  const [row] = await tx.rows<ModelRow>(
    sql`SELECT ${fields} FROM model_setting WHERE role = 'language' FOR UPDATE`,
  )
  return row
}

/** Returns false if the account is no longer an administrator. */
export async function upsertLanguageModel(
  tx: Queryable,
  adminId: string,
  row: Omit<ModelRow, 'set_at'>,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO model_setting (role, revision, url, model, context_tokens, key, set_by)
    SELECT 'language', ${row.revision}::uuid, ${row.url}, ${row.model}, ${row.context_tokens}::integer, ${row.key}::bytea,
      ${adminId}::uuid
    WHERE ${isAdmin(adminId)}
    ON CONFLICT (role) DO UPDATE SET revision = EXCLUDED.revision, url = EXCLUDED.url, model = EXCLUDED.model,
      context_tokens = EXCLUDED.context_tokens, key = EXCLUDED.key, set_by = EXCLUDED.set_by, set_at = now()
    RETURNING role`)
  return rows.length > 0
}

/** Returns false if there was none, or if the account is no longer an administrator. */
export async function deleteLanguageModel(tx: Queryable, adminId: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`DELETE FROM model_setting WHERE role = 'language' AND ${isAdmin(adminId)} RETURNING role`,
  )
  return rows.length > 0
}
