// What a temporary service still has to do, as SQL.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** Tasks of the workspace that wait or run: folding, graph, vectors. One that failed three times waits for hours. */
export async function countTasks(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM task WHERE workspace_id = ${workspaceId} AND failures < 3`,
  )
  return row?.count ?? 0
}
