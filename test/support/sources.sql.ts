// What tests change and read of sources behind the API's back.

import sql from 'sql-template-tag'
import type { Queryable } from '../../src/ports/db/db.ts'

/** As if its time had come. */
export const makeDue = (db: Queryable, sourceId: string): Promise<unknown> =>
  db.rows(sql`UPDATE source SET next_run_at = now() - interval '1 minute' WHERE id = ${sourceId}::uuid`)

/** Its credentials as they are stored. */
export async function sealedOf(db: Queryable, sourceId: string): Promise<Buffer> {
  const [row] = await db.rows<{ credentials: Buffer }>(
    sql`SELECT credentials FROM source WHERE id = ${sourceId}::uuid`,
  )
  return row?.credentials ?? Buffer.alloc(0)
}

/** Jobs that webhooks of the workspace wait for. */
export async function openEnds(db: Queryable, workspaceId: string): Promise<number> {
  const rows = await db.rows(sql`SELECT 1 FROM webhook_job WHERE workspace_id = ${workspaceId}`)
  return rows.length
}

/** As if the pause before the next attempt of each delivery were over. */
export const tryNow = (db: Queryable, workspaceId: string): Promise<unknown> =>
  db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${workspaceId} AND kind = 'delivery'`)
