// Which files of a job are searchable and not yet all they will be (docs/decisions/0009-jobs.md, "Ready").

import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

/** Whether a task is still to make the document's part of the graph, for a row of `version`. */
export const waitsForGraph = (version: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM task t WHERE t.kind = 'graph' AND t.subject ->> 'document_id' = ${version}.document_id::text
    AND t.workspace_id = ${version}.workspace_id)`

/** The numbers of files whose version is to be counted yet, put into the graph, or given its vectors. */
export async function selectIncomplete(
  db: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ file_no: number }>(sql`
    SELECT f.file_no FROM job_file f
    JOIN version v ON v.workspace_id = f.workspace_id AND v.id = f.version_id AND v.state = 'live'
    WHERE f.workspace_id = ${workspaceId} AND f.job_id = ${jobId} AND f.status = 'done'
      AND (v.vectors <> 'made' AND NOT (v.settled AND model_is_away(v.workspace_id)) OR ${waitsForGraph(sql`v`)})`)
  return new Set(rows.map((row) => row.file_no))
}

/** Live versions that are counted and that no round of embedding has gone over since. */
export async function selectUnembedded(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM version
    WHERE workspace_id = ${workspaceId} AND state = 'live' AND vectors <> 'made' AND settled`)
  return rows.map(({ id }) => id)
}

/** A round that began when these versions were counted is through: no other space is to be fitted for them, or to serve. */
export const markEmbedded = (db: Queryable, workspaceId: string, versionIds: string[]): Promise<unknown> =>
  db.rows(sql`
    UPDATE version SET vectors = 'made'
    WHERE workspace_id = ${workspaceId} AND id = ANY (${versionIds}::uuid[]) AND vectors <> 'made'`)

/** Workspaces with versions that wait for a round of embedding which nothing will ask for. */
export async function selectForgotten(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ workspace_id: string }>(sql`
    SELECT DISTINCT v.workspace_id FROM version v JOIN workspace w ON w.id = v.workspace_id AND w.deleted_at IS NULL
    WHERE v.state = 'live' AND v.vectors <> 'made' AND NOT EXISTS (
      SELECT 1 FROM task t WHERE t.workspace_id = v.workspace_id AND t.kind IN ('fold', 'embed'))`)
  return rows.map((row) => row.workspace_id)
}
