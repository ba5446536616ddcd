// Reads the rows of one statement in batches, all from one state of the database.

import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from './db.ts'

/** Call this in a transaction. A transaction can read only one statement at a time in this way, because the cursor has a fixed name. */
export async function* batchesOf<T extends object>(
  tx: Queryable,
  statement: Sql,
  rowsAtOnce: number,
): AsyncGenerator<T[]> {
  await tx.rows(sql`DECLARE kenning_rows NO SCROLL CURSOR FOR ${statement}`)
  for (;;) {
    const rows = await tx.rows<T>(raw(`FETCH ${rowsAtOnce} FROM kenning_rows`))
    if (rows.length === 0) break
    yield rows
  }
  await tx.rows(sql`CLOSE kenning_rows`)
}
