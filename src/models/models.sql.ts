// The tables `model_setting` and `graph_setting`. Each change by an administrator checks again that the account is still one.

import sql, { type Sql } from 'sql-template-tag'
import type { ModelPart } from '../contract/models.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface ModelRow {
  role: ModelPart
  /** A new UUID with each change of the row. */
  revision: string
  url: string
  /** Null if the server has a single model. */
  model: string | null
  context_tokens: number | null
  dimensions: number | null
  /** The sealed key. */
  key: Buffer | null
  set_at: string
}

const isoTime = (column: Sql): Sql =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const fields = sql`role, revision, url, model, context_tokens, dimensions, key, ${isoTime(sql`set_at`)} AS set_at`

const isAdmin = (id: string): Sql =>
  sql`EXISTS (SELECT FROM account WHERE id = ${id} AND admin AND status = 'active')`

/** For the service itself, without a check of the account. */
export async function selectModel(db: Queryable, part: ModelPart): Promise<ModelRow | undefined> {
  const [row] = await db.rows<ModelRow>(sql`SELECT ${fields} FROM model_setting WHERE role = ${part}`)
  return row
}

export async function selectModelFor(
  db: Queryable,
  adminId: string,
  part: ModelPart,
): Promise<ModelRow | undefined> {
  const [row] = await db.rows<ModelRow>(
    sql`SELECT ${fields} FROM model_setting WHERE role = ${part} AND ${isAdmin(adminId)}`,
  )
  return row
}

/** Locks the row until the transaction ends. */
export async function lockModel(tx: Queryable, part: ModelPart): Promise<ModelRow | undefined> {
  const [row] = await tx.rows<ModelRow>(
    sql`SELECT ${fields} FROM model_setting WHERE role = ${part} FOR UPDATE`,
  )
  return row
}

/** Returns false if the account is no longer an administrator. */
export async function upsertModel(
  tx: Queryable,
  adminId: string,
  row: Omit<ModelRow, 'set_at'>,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO model_setting (role, revision, url, model, context_tokens, dimensions, key, set_by)
    SELECT ${row.role}, ${row.revision}::uuid, ${row.url}, ${row.model}, ${row.context_tokens}::integer,
      ${row.dimensions}::integer, ${row.key}::bytea, ${adminId}::uuid
    WHERE ${isAdmin(adminId)}
    ON CONFLICT (role) DO UPDATE SET revision = EXCLUDED.revision, url = EXCLUDED.url, model = EXCLUDED.model,
      context_tokens = EXCLUDED.context_tokens, dimensions = EXCLUDED.dimensions, key = EXCLUDED.key,
      set_by = EXCLUDED.set_by, set_at = now()
    RETURNING role`)
  return rows.length > 0
}

/** Returns false if no row was set, or if the account is no longer an administrator. */
export async function deleteModel(tx: Queryable, adminId: string, part: ModelPart): Promise<boolean> {
  const rows = await tx.rows(
    sql`DELETE FROM model_setting WHERE role = ${part} AND ${isAdmin(adminId)} RETURNING role`,
  )
  return rows.length > 0
}

interface GraphRow {
  tokens: number
  set_at: string
}

/** Without a check of the account: the callers check it. */
export async function selectGraphSetting(db: Queryable): Promise<GraphRow | undefined> {
  const [row] = await db.rows<GraphRow>(sql`
    SELECT tokens::float8 AS tokens, ${isoTime(sql`set_at`)} AS set_at FROM graph_setting`)
  return row
}

/** Returns false if the account is no longer an administrator. */
export async function upsertGraphSetting(tx: Queryable, adminId: string, tokens: number): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO graph_setting (tokens, set_by) SELECT ${tokens}::bigint, ${adminId}::uuid WHERE ${isAdmin(adminId)}
    ON CONFLICT (is_only) DO UPDATE SET tokens = EXCLUDED.tokens, set_by = EXCLUDED.set_by, set_at = now()
    RETURNING tokens`)
  return rows.length > 0
}

/** Returns false if no row was set, or if the account is no longer an administrator. */
export async function deleteGraphSetting(tx: Queryable, adminId: string): Promise<boolean> {
  const rows = await tx.rows(sql`DELETE FROM graph_setting WHERE ${isAdmin(adminId)} RETURNING tokens`)
  return rows.length > 0
}

/** The tokens of the language model that the graphs of all workspaces have used. */
export async function selectSpentOfAll(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ tokens: number }>(
    acrossWorkspaces(sql`SELECT coalesce(sum(tokens), 0)::float8 AS tokens FROM graph_spending`),
  )
  return row?.tokens ?? 0
}
