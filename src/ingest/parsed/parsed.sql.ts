// The statement that selects the workspaces whose parsing results a job may use.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'

const MAX_WORKSPACES = 3

/**
 * At most three workspaces that have a file with these bytes and of which the account of the job is a member. Results of other
 * workspaces are not used, because the speed would reveal that another workspace has the file.
 */
export async function selectWorkspacesWithFile(
  db: Queryable,
  file: { workspaceId: string; jobId: string; contentHash: string },
): Promise<string[]> {
  const otherWorkspaces = await db.rows<{ id: string }>(
    prepared(sql`
      SELECT m.workspace_id AS id FROM member m
      WHERE m.account_id = (SELECT created_by FROM job WHERE workspace_id = ${file.workspaceId} AND id = ${file.jobId})
        AND m.workspace_id <> ${file.workspaceId}`),
  )
  if (otherWorkspaces.length === 0) return []
  const rows = await db.rows<{ workspace_id: string }>(
    prepared(sql`
      SELECT DISTINCT d.workspace_id FROM document d
      WHERE d.workspace_id = ANY (${otherWorkspaces.map(({ id }) => id)}::uuid[]) AND d.content_hash = ${file.contentHash}
      LIMIT ${MAX_WORKSPACES}`),
  )
  return rows.map((row) => row.workspace_id)
}
