// Which workspaces' results of parsing a job may use.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'

const MOST_HOLDERS = 3

/**
 * Workspaces that hold these bytes and have the job's account as a member: a result of any other would tell by its speed
 * that somebody else has the file. Any three of them: each keeps what it has parsed or taken from another.
 */
export async function selectHolders(
  db: Queryable,
  of: { workspaceId: string; jobId: string; contentHash: string },
): Promise<string[]> {
  const rows = await db.rows<{ workspace_id: string }>(
    prepared(sql`
    SELECT DISTINCT d.workspace_id FROM job j
    JOIN member m ON m.account_id = j.created_by
    JOIN document d ON d.workspace_id = m.workspace_id AND d.content_hash = ${of.contentHash}
    WHERE j.workspace_id = ${of.workspaceId} AND j.id = ${of.jobId} AND d.workspace_id <> ${of.workspaceId}
    LIMIT ${MOST_HOLDERS}`),
  )
  return rows.map((row) => row.workspace_id)
}
