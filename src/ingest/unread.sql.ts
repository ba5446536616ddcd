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

/** Rows as VALUES. With a function that returns rows, Citus would use COPY, which a request's role may not do (0039). */
export const valuesOf = <T>(rows: readonly T[], valuesOfRow: (row: T) => Sql): Sql =>
  sql`VALUES ${join(rows.map((row) => sql`(${valuesOfRow(row)})`))}`

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
