// Which kept files are still named by a row.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Those of the hashes that no document, no version of one and no file still to be read names. */
export async function selectUnnamed(db: Queryable, hashes: string[]): Promise<string[]> {
  const rows = await db.rows<{ hash: string }>(sql`
    SELECT h.hash FROM unnest(${hashes}::text[]) AS h (hash)
    WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.content_hash = h.hash)
      AND NOT EXISTS (SELECT 1 FROM document_version v WHERE v.content_hash = h.hash)
      AND NOT EXISTS (SELECT 1 FROM job_file f WHERE f.content_hash = h.hash AND f.status IN ('queued', 'running'))`)
  return rows.map((row) => row.hash)
}

/** Those of the hashes that no document of this workspace, no version of one and none of its files still to be read names. */
export async function selectUnnamedIn(
  db: Queryable,
  workspaceId: string,
  hashes: string[],
): Promise<string[]> {
  const rows = await db.rows<{ hash: string }>(sql`
    SELECT h.hash FROM unnest(${hashes}::text[]) AS h (hash)
    WHERE NOT EXISTS (
        SELECT 1 FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = h.hash)
      AND NOT EXISTS (
        SELECT 1 FROM document_version v WHERE v.workspace_id = ${workspaceId} AND v.content_hash = h.hash)
      AND NOT EXISTS (
        SELECT 1 FROM job_file f WHERE f.workspace_id = ${workspaceId} AND f.content_hash = h.hash
          AND f.status IN ('queued', 'running'))`)
  return rows.map((row) => row.hash)
}
