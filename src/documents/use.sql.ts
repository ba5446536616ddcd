// The statements about the use of documents: how often they are found, cited and opened. Days are those of UTC.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { DocumentUse } from '../contract/usage.ts'
import type { Queryable } from '../ports/db/db.ts'

/** What was counted for a document since the last write. */
export interface DocumentCounts {
  document_id: string
  found: number
  cited: number
  opened: number
}

export interface ReaderCount {
  document_id: string
  account_id: string
  opened: number
}

/** For how many days counts and readers are stored. */
const RETENTION_DAYS = { counts: 400, readers: 90 }

/** Adds to the counts of the day. Rows are written in the order of their keys, so that two processes never deadlock. */
export async function addUse(
  tx: Queryable,
  workspaceId: string,
  counts: readonly DocumentCounts[],
  openedCounts: readonly ReaderCount[],
): Promise<void> {
  const column = <Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[Key][] =>
    rows.map((row) => row[key])
  await tx.rows(sql`
    INSERT INTO document_use AS u (workspace_id, document_id, day, found, cited, opened)
    SELECT d.workspace_id, d.id, (now() AT TIME ZONE 'UTC')::date, n.found, n.cited, n.opened
    FROM unnest(${column(counts, 'document_id')}::uuid[], ${column(counts, 'found')}::int[], ${column(counts, 'cited')}::int[],
      ${column(counts, 'opened')}::int[]) AS n (document_id, found, cited, opened)
    JOIN document d ON d.workspace_id = ${workspaceId} AND d.id = n.document_id
    ORDER BY d.id
    ON CONFLICT (workspace_id, document_id, day) DO UPDATE SET
      found = u.found + excluded.found, cited = u.cited + excluded.cited, opened = u.opened + excluded.opened`)
  if (openedCounts.length === 0) return
  await tx.rows(sql`
    INSERT INTO document_reader AS r (workspace_id, document_id, account_id, day, opened)
    SELECT d.workspace_id, d.id, n.account_id, (now() AT TIME ZONE 'UTC')::date, n.opened
    FROM unnest(${column(openedCounts, 'document_id')}::uuid[], ${column(openedCounts, 'account_id')}::uuid[],
      ${column(openedCounts, 'opened')}::int[]) AS n (document_id, account_id, opened)
    JOIN document d ON d.workspace_id = ${workspaceId} AND d.id = n.document_id
    ORDER BY d.id, n.account_id
    ON CONFLICT (workspace_id, document_id, account_id, day) DO UPDATE SET opened = r.opened + excluded.opened`)
}

/** The counts of the last `days` days, including today. */
export const selectUse = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  days: number,
): Promise<DocumentUse['days']> =>
  db.rows(sql`
    WITH period AS (
      SELECT generate_series((now() AT TIME ZONE 'UTC')::date - ${days - 1}::int, (now() AT TIME ZONE 'UTC')::date,
        interval '1 day')::date AS day
    )
    SELECT to_char(p.day, 'YYYY-MM-DD') AS period, coalesce(u.found, 0) AS found, coalesce(u.cited, 0) AS cited,
      coalesce(u.opened, 0) AS opened
    FROM period p LEFT JOIN document_use u
      ON u.workspace_id = ${workspaceId} AND u.document_id = ${documentId} AND u.day = p.day
    ORDER BY p.day`)

/** The accounts that opened the document, latest first. Deleted accounts are left out. */
export const selectReaders = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  limit: number,
): Promise<DocumentUse['readers']> =>
  db.rows(sql`
    SELECT r.account_id AS user_id, a.email, sum(r.opened)::int AS opened, to_char(max(r.day), 'YYYY-MM-DD') AS last
    FROM document_reader r JOIN account a ON a.id = r.account_id
    WHERE r.workspace_id = ${workspaceId} AND r.document_id = ${documentId}
      AND r.day > (now() AT TIME ZONE 'UTC')::date - ${RETENTION_DAYS.readers}::int
    GROUP BY r.account_id, a.email ORDER BY max(r.day) DESC, sum(r.opened) DESC, a.email LIMIT ${limit}`)

/** The days on which the account last opened documents, no rows if `accountId` is null. `documentIds`: only these. */
export const lastOpened = (
  workspaceId: string,
  accountId: string | null,
  documentIds?: readonly string[],
): Sql => sql`
  SELECT r.document_id, max(r.day) AS day FROM document_reader r
  WHERE r.workspace_id = ${workspaceId} AND r.account_id = ${accountId}::uuid
    AND r.day > (now() AT TIME ZONE 'UTC')::date - ${RETENTION_DAYS.readers}::int
    ${documentIds ? sql`AND r.document_id = ANY (${[...documentIds]}::uuid[])` : empty}
  GROUP BY r.document_id`

/** The day on which the account last opened each of the documents. Those that it did not open are left out. */
export async function selectLastOpened(
  db: Queryable,
  workspaceId: string,
  accountId: string,
  documentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ document_id: string; day: string }>(sql`
    SELECT o.document_id, to_char(o.day, 'YYYY-MM-DD') AS day
    FROM (${lastOpened(workspaceId, accountId, documentIds)}) o`)
  return new Map(rows.map(({ document_id, day }) => [document_id, day]))
}

export async function deleteUse(
  tx: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<void> {
  const isOneOf = sql`workspace_id = ${workspaceId} AND document_id = ANY (${[...documentIds]}::uuid[])`
  await tx.rows(sql`DELETE FROM document_use WHERE ${isOneOf}`)
  await tx.rows(sql`DELETE FROM document_reader WHERE ${isOneOf}`)
}

/** Deletes old counts, one workspace at a time, because the rows of a workspace are on one node. */
export async function deleteOldUse(db: Queryable): Promise<void> {
  for (const { id } of await db.rows<{ id: string }>(sql`SELECT id FROM workspace`)) {
    await db.rows(sql`
      DELETE FROM document_use WHERE workspace_id = ${id} AND day <= (now() AT TIME ZONE 'UTC')::date - ${RETENTION_DAYS.counts}::int`)
    await db.rows(sql`
      DELETE FROM document_reader
      WHERE workspace_id = ${id} AND day <= (now() AT TIME ZONE 'UTC')::date - ${RETENTION_DAYS.readers}::int`)
  }
}
