// Whose results of parsing a file may be used.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

const MOST_HOLDERS = 3

/**
 * Workspaces that hold these bytes and that the job's account is a member of: what another one has parsed tells nobody
 * anything by coming faster. Any three of them: each keeps what it has parsed, or has taken from another.
 */
export async function selectHolders(
  db: Queryable,
  of: { workspaceId: string; jobId: string; contentHash: string },
): Promise<string[]> {
  const rows = await db.rows<{ workspace_id: string }>(sql`
    SELECT DISTINCT d.workspace_id FROM job j
    JOIN member m ON m.account_id = j.created_by
    JOIN document d ON d.workspace_id = m.workspace_id AND d.content_hash = ${of.contentHash}
    WHERE j.workspace_id = ${of.workspaceId} AND j.id = ${of.jobId} AND d.workspace_id <> ${of.workspaceId}
    LIMIT ${MOST_HOLDERS}`)
  return rows.map((row) => row.workspace_id)
}
