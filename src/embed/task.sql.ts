// SQL for the embedding task: queues it, and reads which versions wait for it.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { PRIORITY, type Task } from '../work/queue.sql.ts'

// The subject of a task after which another round is needed. A workspace has at most one embedding task: two at once would
// embed the same texts and pay for them twice.
const SUBJECT_AGAIN = JSON.stringify({ again: true })

/**
 * Queues a round of embedding. If a round is running, another follows it. A task that waits because its model was not available
 * runs within a minute.
 */
export async function queueEmbed(db: Queryable, workspaceId: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'embed', '{}', ${PRIORITY.background})
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${SUBJECT_AGAIN}::jsonb,
      run_after = least(task.run_after, now() + interval '1 minute')`)
}

/** Queues a round in every workspace with documents, because after a start the embedder may be another one. */
export async function queueEmbeds(db: Queryable): Promise<void> {
  const workspaces = await db.rows<{ id: string }>(
    acrossWorkspaces(sql`
      SELECT DISTINCT l.workspace_id AS id FROM workspace_language l WHERE l.documents > 0`),
  )
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), w.id, 'embed', '{}', ${PRIORITY.background}::smallint FROM workspace w
    WHERE w.deleted_at IS NULL AND w.id = ANY (${workspaces.map(({ id }) => id)}::uuid[])
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${SUBJECT_AGAIN}::jsonb,
      created_at = now(), run_after = now()`)
}

/** Resets the subject, because the round that begins now covers all earlier requests. */
export async function startEmbed(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`UPDATE task SET subject = '{}' WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Deletes the task. Returns false if another round was queued meanwhile. */
export async function finishEmbed(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} AND subject = '{}' RETURNING 1`)
  return rows.length > 0
}

/** Live versions that are folded, and that no complete round of embedding has covered yet. */
export async function selectUnembedded(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM version
    WHERE workspace_id = ${workspaceId} AND state = 'live' AND vectors <> 'made' AND settled`)
  return rows.map(({ id }) => id)
}

/** Marks versions as embedded. Their vectors must be in the serving space: a round that began after their folding is complete. */
export const markEmbedded = (db: Queryable, workspaceId: string, versionIds: string[]): Promise<unknown> =>
  db.rows(sql`
    UPDATE version SET vectors = 'made'
    WHERE workspace_id = ${workspaceId} AND id = ANY (${versionIds}::uuid[]) AND vectors <> 'made'`)

/** Workspaces with versions that wait for a round of embedding, and with no task that would run or queue one. */
export async function selectForgotten(db: Queryable): Promise<string[]> {
  const unembedded = await db.rows<{ id: string }>(
    acrossWorkspaces(sql`
      SELECT DISTINCT v.workspace_id AS id FROM version v WHERE v.state = 'live' AND v.vectors <> 'made'`),
  )
  const rows = await db.rows<{ id: string }>(sql`
    SELECT w.id FROM workspace w
    WHERE w.id = ANY (${unembedded.map(({ id }) => id)}::uuid[]) AND w.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM task t WHERE t.workspace_id = w.id AND t.kind IN ('fold', 'embed'))`)
  return rows.map(({ id }) => id)
}
