// Row-level security as the catalogs describe it, and statements that forget the filter on the workspace.

import sql, { raw } from 'sql-template-tag'
import type { Queryable } from '../../src/ports/db/db.ts'

/** Tables whose rows belong to a workspace, and the column with its id. */
export const workspaceTables = (db: Queryable): Promise<{ name: string; key: string; guarded: boolean }[]> =>
  db.rows(sql`
    SELECT c.relname AS name, a.attname AS key,
      c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid) AS guarded
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
      AND a.attname = CASE c.relname WHEN 'workspace' THEN 'id' ELSE 'workspace_id' END
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    ORDER BY 1`)

/** `visible_` views whose columns differ from those of their tables. */
export const staleViews = (db: Queryable): Promise<{ view: string; columns: string; expected: string }[]> =>
  db.rows(sql`
    WITH columns AS (
      SELECT c.relname AS name, string_agg(a.attname, ' ' ORDER BY a.attname) AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = current_schema()::regnamespace GROUP BY c.oid
    )
    SELECT v.name AS view, v.columns, t.columns AS expected
    FROM columns v JOIN columns t ON v.name = 'visible_' || t.name
    WHERE v.columns <> t.columns`)

/** The workspaces of the rows that `db` sees in a table: without a filter, like a room with a bug. */
export async function workspacesIn(db: Queryable, table: string, key: string): Promise<string[]> {
  const rows = await db.rows<{ id: string | null }>(
    sql`SELECT DISTINCT ${raw(key)}::text AS id FROM ${raw(table)}`,
  )
  return rows.flatMap(({ id }) => id ?? [])
}

/** How many rows of a workspace can be updated and deleted without any other condition. */
export async function tamper(
  db: Queryable,
  table: string,
  key: string,
  workspaceId: string,
): Promise<number> {
  const name = raw(table)
  const updatedRows = await db.rows(
    sql`UPDATE ${name} SET ${raw(key)} = ${raw(key)} WHERE ${raw(key)} = ${workspaceId} RETURNING 1`,
  )
  const deletedRows = await db.rows(sql`DELETE FROM ${name} WHERE ${raw(key)} = ${workspaceId} RETURNING 1`)
  return updatedRows.length + deletedRows.length
}

export const join = (db: Queryable, workspaceId: string, accountId: string): Promise<unknown> =>
  db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${accountId}, 'owner')`,
  )

/** Moves the caller's documents to another workspace. */
export const giveAway = (db: Queryable, from: string, to: string): Promise<unknown> =>
  db.rows(sql`UPDATE document SET workspace_id = ${to} WHERE workspace_id = ${from} RETURNING 1`)

export const plant = (db: Queryable, workspaceId: string): Promise<unknown> =>
  db.rows(sql`INSERT INTO edge (workspace_id, head, type, tail, evidence_count)
    VALUES (${workspaceId}, ${workspaceId}, 'x', ${workspaceId}, 1)`)

export const askPlainly = (db: Queryable, text: string): Promise<object[]> => db.rows(raw(text))

export const leave = (db: Queryable, workspaceId: string, accountId: string): Promise<unknown> =>
  db.rows(sql`DELETE FROM member WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}`)
