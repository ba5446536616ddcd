// How much work a temporary service has left.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

/** Waiting and running tasks of the workspace. Tasks that failed three times are left out, since they wait for hours. */
export async function countTasks(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM task WHERE workspace_id = ${workspaceId} AND failures < 3`,
  )
  return row?.count ?? 0
}
