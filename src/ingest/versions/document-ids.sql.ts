// The statements that say which ids documents have.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'

/**
 * For each path the id of the document that is there, and whether a document has the given id, or one in the trash that was
 * elsewhere.
 */
export const selectIdUse = (
  db: Queryable,
  workspaceId: string,
  candidates: readonly { path: string; id: string }[],
): Promise<{ id_at_path: string | null; is_taken: boolean }[]> =>
  db.rows(
    prepared(sql`
    SELECT own.id AS id_at_path,
      EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.id = c.id)
      OR EXISTS (SELECT 1 FROM trashed_document t
        WHERE t.workspace_id = ${workspaceId} AND t.document_id = c.id AND t.path <> c.path) AS is_taken
    FROM unnest(${candidates.map(({ path }) => path)}::text[], ${candidates.map(({ id }) => id)}::uuid[])
      WITH ORDINALITY AS c (path, id, no)
    LEFT JOIN document own ON own.workspace_id = ${workspaceId} AND own.provider = 'upload' AND own.path = c.path
    ORDER BY c.no`),
  )

/** Whether a document of the workspace has the id. */
export async function isIdTaken(db: Queryable, workspaceId: string, id: string): Promise<boolean> {
  const rows = await db.rows(sql`SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND id = ${id}`)
  return rows.length > 0
}
