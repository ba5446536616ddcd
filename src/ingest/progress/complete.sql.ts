
import sql from 'sql-template-tag'
import { waitsForGraph } from '../../graph/task.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'

/** Numbers of the job's files that are searchable but not complete: their version is not yet folded, in the graph, or embedded. */
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
