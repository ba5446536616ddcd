// The statements that find the documents with a name, and their texts.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'
import { isLeftUnread } from '../unread.sql.ts'

/** A document that has the name, or that was uploaded with the name and stored under another or moved. */
export interface Namesake {
  id: string
  path: string
  version_id: string
  content_hash: string
}

// If more documents have the name, only the most recently changed documents are compared.
const MAX_NAMESAKES = 20

/** The documents with the name. The document whose path is the name comes first. */
export const selectNamesakes = (db: Queryable, workspaceId: string, path: string): Promise<Namesake[]> =>
  db.rows(
    prepared(sql`
    SELECT id, path, version_id, content_hash FROM (
      SELECT id, path, version_id, content_hash, updated_at FROM document
      WHERE workspace_id = ${workspaceId} AND provider = 'upload' AND path = ${path}
      UNION ALL
      SELECT id, path, version_id, content_hash, updated_at FROM document
      WHERE workspace_id = ${workspaceId} AND uploaded_as = ${path} AND path <> ${path}
    ) d ORDER BY path = ${path} DESC, updated_at DESC, id LIMIT ${MAX_NAMESAKES}`),
  )

/** The paths that a document has or a waiting file may get. */
export async function selectTakenPaths(
  db: Queryable,
  workspaceId: string,
  paths: string[],
): Promise<string[]> {
  const rows = await db.rows<{ path: string }>(sql`
    SELECT path FROM document
    WHERE workspace_id = ${workspaceId} AND provider = 'upload' AND path = ANY (${paths}::text[])
    UNION
    SELECT path FROM job_file
    WHERE workspace_id = ${workspaceId} AND path = ANY (${paths}::text[]) AND status IN ('queued', 'running')`)
  return rows.map(({ path }) => path)
}

/** A document with these bytes, whatever its path, whose file was read. */
export async function selectSameBytes(
  db: Queryable,
  workspaceId: string,
  contentHash: string,
): Promise<string | undefined> {
  const [row] = await db.rows<{ id: string }>(
    prepared(sql`
    SELECT d.id FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = ${contentHash}
      AND NOT ${isLeftUnread(workspaceId, sql`d`)}
    ORDER BY d.id LIMIT 1`),
  )
  return row?.id
}

/** The texts of a version's chunks from number `from` on, without figures, whose words may not have been read yet. */
export const selectTexts = (
  db: Queryable,
  workspaceId: string,
  versionId: string,
  page: { from: number; limit: number },
): Promise<{ chunk_no: number; text: string }[]> =>
  db.rows(sql`
    SELECT chunk_no, text FROM chunk
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND chunk_no >= ${page.from} AND type <> 'figure'
    ORDER BY chunk_no LIMIT ${page.limit}`)
