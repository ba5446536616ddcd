// Finds stored files to which no row refers any more.

import sql, { type Sql } from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

/** Those of the hashes to which no document, no version, no waiting file and no running import of an archive refers. */
export async function selectUnnamed(db: Queryable, hashes: string[]): Promise<string[]> {
  const unnamed = without(hashes, await db.rows(acrossWorkspaces(naming(hashes, sql`true`))))
  const archives = await db.rows<{ hash: string }>(sql`
    SELECT unnest(pieces) AS hash FROM workspace_import WHERE state IN ('receiving', 'queued', 'checking', 'writing')`)
  return without(unnamed, archives)
}

/** Those of the hashes to which no document, no version and no waiting file of this workspace refers. */
export const selectUnnamedIn = async (
  db: Queryable,
  workspaceId: string,
  hashes: string[],
): Promise<string[]> => without(hashes, await db.rows(naming(hashes, sql`workspace_id = ${workspaceId}`)))

const naming = (hashes: string[], where: Sql): Sql => sql`
  SELECT content_hash AS hash FROM document WHERE ${where} AND content_hash = ANY (${hashes}::text[])
  UNION SELECT content_hash FROM document_version WHERE ${where} AND content_hash = ANY (${hashes}::text[])
  UNION SELECT content_hash FROM job_file WHERE ${where} AND content_hash = ANY (${hashes}::text[])
    AND status IN ('queued', 'running')`

function without(hashes: readonly string[], rows: readonly { hash?: string }[]): string[] {
  const referenced = new Set(rows.map(({ hash }) => hash))
  return hashes.filter((hash) => !referenced.has(hash))
}
