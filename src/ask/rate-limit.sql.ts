// The SQL of the hourly limit. All times are those of the database, so that all processes have one clock.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/**
 * Locks the principal's row until the transaction ends, so that one principal's questions are counted one at a time.
 */
export async function lockAsker(tx: Queryable, principal: string): Promise<void> {
  await tx.rows(sql`
    INSERT INTO asker (principal, asked_at) VALUES (${principal}, clock_timestamp())
    ON CONFLICT (principal) DO UPDATE SET asked_at = excluded.asked_at`)
}

/**
 * Seconds until the `limit`-th latest question is an hour old, rounded up. Undefined if there are fewer questions.
 * It is a separate statement after the lock, so that READ COMMITTED sees what the previous holder of the lock wrote.
 */
export async function secondsUntilFree(
  tx: Queryable,
  principal: string,
  limit: number,
): Promise<number | undefined> {
  const [row] = await tx.rows<{ seconds: number }>(sql`
    SELECT ceil(extract(epoch FROM at + interval '60 minutes' - clock_timestamp()))::int AS seconds FROM asked
    WHERE principal = ${principal} AND at > clock_timestamp() - interval '60 minutes'
    ORDER BY at DESC OFFSET ${limit - 1} LIMIT 1`)
  return row?.seconds
}

export async function insertAsked(tx: Queryable, principal: string, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`
    INSERT INTO asked (id, principal, at)
    SELECT id, ${principal}, clock_timestamp() FROM unnest(${[...ids]}::uuid[]) AS id`)
}

export async function deleteAsked(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.rows(sql`DELETE FROM asked WHERE id = ANY(${[...ids]}::uuid[])`)
}

/** Deletes up to 100 questions that no longer count. Rows that another process is deleting are skipped. */
export async function sweepAsked(db: Queryable): Promise<void> {
  await db.rows(sql`
    DELETE FROM asked WHERE id IN (
      SELECT id FROM asked WHERE at < clock_timestamp() - interval '61 minutes'
      ORDER BY at LIMIT 100 FOR UPDATE SKIP LOCKED)`)
}
