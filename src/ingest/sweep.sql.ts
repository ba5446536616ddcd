// The statements that find stored files to which no row refers any more.

import sql, { type Sql } from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { failureSentence } from './failures.ts'

/**
 * Those of the hashes to which nothing refers: no document, version, waiting file, running import of an archive or entry of the
 * trash, and no file that failed in the last `failedDays` and was neither cancelled nor dismissed.
 */
export async function selectUnreferenced(
  db: Queryable,
  hashes: string[],
  failedDays: number,
): Promise<string[]> {
  const failedFiles = sql`
    SELECT content_hash AS hash FROM job_file WHERE content_hash = ANY (${hashes}::text[]) AND status = 'failed' AND NOT dismissed
      AND error <> ${failureSentence.cancelled} AND finished_at > now() - make_interval(days => ${failedDays})`
  const trashedFiles = sql`
    SELECT content_hash AS hash FROM trashed_version WHERE content_hash = ANY (${hashes}::text[])`
  const statement = sql`${referencesTo(hashes, sql`true`)} UNION ${trashedFiles} UNION ${failedFiles}`
  const unreferencedHashes = unreferencedOf(hashes, await db.rows(acrossWorkspaces(statement)))
  const archives = await db.rows<{ hash: string }>(sql`
    SELECT unnest(pieces) AS hash FROM workspace_import WHERE state IN ('receiving', 'queued', 'checking', 'writing')`)
  return unreferencedOf(unreferencedHashes, archives)
}

/** The hashes to which no document, version or waiting file of this workspace refers. */
export const selectUnreferencedIn = async (
  db: Queryable,
  workspaceId: string,
  hashes: string[],
): Promise<string[]> =>
  unreferencedOf(hashes, await db.rows(referencesTo(hashes, sql`workspace_id = ${workspaceId}`)))

const referencesTo = (hashes: string[], condition: Sql): Sql => sql`
  SELECT content_hash AS hash FROM document WHERE ${condition} AND content_hash = ANY (${hashes}::text[])
  UNION SELECT content_hash FROM document_version WHERE ${condition} AND content_hash = ANY (${hashes}::text[])
  UNION SELECT content_hash FROM job_file WHERE ${condition} AND content_hash = ANY (${hashes}::text[])
    AND status IN ('queued', 'running')`

function unreferencedOf(hashes: readonly string[], rows: readonly { hash?: string }[]): string[] {
  const referencedHashes = new Set(rows.map(({ hash }) => hash))
  return hashes.filter((hash) => !referencedHashes.has(hash))
}
