// Threads, turns and the hourly limit as SQL. All times are the database's: one clock for every process.

import sql from 'sql-template-tag'
import type { Citation } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'

/** Locks the principal's row until the transaction ends: askers of one principal count one after another. */
export async function lockAsker(tx: Queryable, principal: string): Promise<void> {
  await tx.rows(sql`
    INSERT INTO asker (principal, asked_at) VALUES (${principal}, clock_timestamp())
    ON CONFLICT (principal) DO UPDATE SET asked_at = excluded.asked_at`)
}

/**
 * Seconds until the `limit`-th latest question is an hour old, rounded up; undefined when there are fewer.
 * A statement of its own after the lock, so that READ COMMITTED sees what the last holder wrote.
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

export async function insertAsked(tx: Queryable, principal: string, id: string): Promise<void> {
  await tx.rows(sql`INSERT INTO asked (id, principal, at) VALUES (${id}, ${principal}, clock_timestamp())`)
}

export async function deleteAsked(db: Queryable, id: string): Promise<void> {
  await db.rows(sql`DELETE FROM asked WHERE id = ${id}`)
}

/** Sweeps what no longer counts, a few rows at a time; rows another process sweeps are skipped. */
export async function sweepAsked(db: Queryable): Promise<void> {
  await db.rows(sql`
    DELETE FROM asked WHERE id IN (
      SELECT id FROM asked WHERE at < clock_timestamp() - interval '61 minutes'
      ORDER BY at LIMIT 100 FOR UPDATE SKIP LOCKED)`)
}

export async function threadExists(
  db: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM thread
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal}`)
  return rows.length > 0
}

export interface Turn {
  question: string
  answer: string
}

/** The last `count` turns, oldest first. */
export const selectTurns = (
  db: Queryable,
  workspaceId: string,
  threadId: string,
  count: number,
): Promise<Turn[]> =>
  db.rows<Turn>(sql`
    SELECT question, answer FROM (
      SELECT turn_no, question, answer FROM turn
      WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}
      ORDER BY turn_no DESC LIMIT ${count}) last
    ORDER BY turn_no`)

export async function insertThread(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO thread (workspace_id, id, principal) VALUES (${workspaceId}, ${threadId}, ${principal})`)
}

/** Locks the thread for a new turn; false when it is gone or another's. */
export async function touchThread(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  principal: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE thread SET updated_at = clock_timestamp()
    WHERE workspace_id = ${workspaceId} AND id = ${threadId} AND principal = ${principal} RETURNING id`)
  return rows.length > 0
}

export async function insertTurn(
  tx: Queryable,
  workspaceId: string,
  threadId: string,
  turn: Turn & { citations: Citation[] },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO turn (workspace_id, thread_id, turn_no, question, answer, citations)
    SELECT ${workspaceId}::uuid, ${threadId}::uuid, coalesce(max(turn_no), 0) + 1, ${turn.question}::text,
      ${turn.answer}::text, ${JSON.stringify(turn.citations)}::jsonb
    FROM turn WHERE workspace_id = ${workspaceId} AND thread_id = ${threadId}`)
}
