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
