// Threads and their turns as SQL. All times are the database's: one clock for every process.

import sql from 'sql-template-tag'
import type { Citation } from '../../contract/resources.ts'
import type { Queryable } from '../../ports/db/db.ts'

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
