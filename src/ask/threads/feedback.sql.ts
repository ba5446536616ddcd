// The SQL of feedback on answers. Only the principal that owns a thread can judge its turns.

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { StoredCitation } from '../citations/verify.ts'

export interface TurnKey {
  workspaceId: string
  threadId: string
  number: number
  principal: string
}

/** Stores feedback. Returns undefined if the turn does not exist or is not the caller's. */
export async function upsertFeedback(
  db: Queryable,
  { workspaceId, threadId, number, principal }: TurnKey,
  { verdict, note }: { verdict: string; note: string },
): Promise<{ updated_at: Date } | undefined> {
  const [row] = await db.rows<{ updated_at: Date }>(sql`
    INSERT INTO feedback (workspace_id, thread_id, turn_no, verdict, note, updated_at)
    SELECT t.workspace_id, t.thread_id, t.turn_no, ${verdict}::text, ${note}::text, now()
    FROM turn t JOIN thread h ON h.workspace_id = t.workspace_id AND h.id = t.thread_id
    WHERE t.workspace_id = ${workspaceId} AND t.thread_id = ${threadId} AND t.turn_no = ${number}
      AND h.principal = ${principal}
    ON CONFLICT (workspace_id, thread_id, turn_no)
    DO UPDATE SET verdict = excluded.verdict, note = excluded.note, updated_at = excluded.updated_at
    RETURNING updated_at`)
  return row
}

/** Deletes feedback. Returns false if the turn has no feedback or is not the caller's. */
export async function removeFeedback(
  db: Queryable,
  { workspaceId, threadId, number, principal }: TurnKey,
): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM feedback f USING thread h
    WHERE f.workspace_id = ${workspaceId} AND f.thread_id = ${threadId} AND f.turn_no = ${number}
      AND h.workspace_id = f.workspace_id AND h.id = f.thread_id AND h.principal = ${principal}
    RETURNING f.turn_no`)
  return rows.length > 0
}

/** An answer that was judged, with the questions before it in its conversation. */
export interface JudgedAnswer {
  thread_id: string
  number: number
  question: string
  earlier: string[]
  answer: string
  citations: StoredCitation[]
  verdict: 'helped' | 'wrong'
  note: string
  updated_at: Date
}

export interface JudgedPosition {
  threadId: string
  number: number
}

/** Judged answers in the order of thread and turn. @param principal their owner; undefined for all owners */
export const selectJudgedAnswers = (
  db: Queryable,
  workspaceId: string,
  principal: string | undefined,
  { after, limit }: { after: JudgedPosition | undefined; limit: number },
): Promise<JudgedAnswer[]> =>
  db.rows<JudgedAnswer>(sql`
    SELECT f.thread_id, f.turn_no AS number, t.question, t.answer, t.citations, f.verdict, f.note, f.updated_at,
      ARRAY(SELECT e.question FROM turn e
        WHERE e.workspace_id = ${workspaceId} AND e.thread_id = f.thread_id AND e.turn_no < f.turn_no
        ORDER BY e.turn_no) AS earlier
    FROM feedback f
    JOIN turn t ON t.workspace_id = f.workspace_id AND t.thread_id = f.thread_id AND t.turn_no = f.turn_no
    JOIN thread h ON h.workspace_id = f.workspace_id AND h.id = f.thread_id
    WHERE f.workspace_id = ${workspaceId}
      ${principal === undefined ? empty : sql`AND h.principal = ${principal}`}
      ${after ? sql`AND (f.thread_id, f.turn_no) > (${after.threadId}::uuid, ${after.number})` : empty}
    ORDER BY f.thread_id, f.turn_no LIMIT ${limit}`)
