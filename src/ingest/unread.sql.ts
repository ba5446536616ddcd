// The statement that inserts documents before their files are read: those of an imported archive, and those from the trash.

import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface UnreadDocument {
  id: string
  path: string
  uploaded_as: string | null
  title: string
  title_key: string
  kind: string
  sha256: string
  uploaded_at: string | Date
  created_at: string | Date
}

/** Rows as VALUES. For a function that returns rows, Citus would use COPY, which the role of requests may not use. */
export const valuesOf = <T>(rows: readonly T[], valuesOfRow: (row: T) => Sql): Sql =>
  sql`VALUES ${join(rows.map((row) => sql`(${valuesOfRow(row)})`))}`

/**
 * The condition that a document was inserted without text and no waiting file will give it one, because reading was cancelled or
 * failed.
 * @param document the alias of the document
 * @param file `job_id` and `file_no`, as a row, of a waiting file that is ignored
 */
export const isLeftUnread = (workspaceId: string, document: Sql, file: Sql = sql`(NULL, NULL)`): Sql => sql`
  (${document}.chunk_count = 0 AND EXISTS (
    SELECT 1 FROM version v WHERE v.workspace_id = ${workspaceId} AND v.id = ${document}.version_id AND v.task_id IS NULL
  ) AND NOT EXISTS (
    SELECT 1 FROM job_file q WHERE q.workspace_id = ${workspaceId} AND q.document_id = ${document}.id
      AND q.status IN ('queued', 'running') AND (q.job_id, q.file_no) IS DISTINCT FROM ${file}))`

/** Inserts documents, each with an empty version until its original has been read. */
export async function insertUnreadDocuments(
  tx: Queryable,
  workspaceId: string,
  rows: readonly UnreadDocument[],
): Promise<void> {
  const withVersions = rows.map((row) => ({ ...row, version_id: randomUUID() }))
  await tx.rows(sql`
    INSERT INTO version (workspace_id, id, document_id, state, settled)
    ${valuesOf(withVersions, ({ id, version_id }) => sql`${workspaceId}, ${version_id}, ${id}, 'live', true`)}`)
  await tx.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, uploaded_as, title, title_key, provider, kind, content_hash,
      language, chunk_count, has_tables, uploaded_at, created_at)
    ${valuesOf(
      withVersions,
      (
        row,
      ) => sql`${workspaceId}, ${row.id}, ${row.version_id}, ${row.path}, ${row.uploaded_as}, ${row.title},
        ${row.title_key}, 'upload', ${row.kind}, ${row.sha256}, 'xx', 0, false, ${row.uploaded_at}, ${row.created_at}`,
    )}`)
}
