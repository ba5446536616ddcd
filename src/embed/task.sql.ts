// The embedding task as SQL: asking for it, and which versions wait for it.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { PRIORITY, type Task } from '../work/queue.sql.ts'

// A workspace has one embedding task at most: two at once would fit two spaces and pay a model twice.
const AGAIN = JSON.stringify({ again: true })

/**
 * Asks for a round of embedding. One that runs goes over the workspace once more when it is through, and one that waits for
 * a model that was away waits no longer than a minute.
 */
export async function queueEmbed(db: Queryable, workspaceId: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'embed', '{}', ${PRIORITY.background})
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${AGAIN}::jsonb,
      run_after = least(task.run_after, now() + interval '1 minute')`)
}

/** Asks for a round in every workspace with documents: after a start the embedder may be another one. */
export async function queueEmbeds(db: Queryable): Promise<void> {
  const workspaces = await db.rows<{ id: string }>(
    acrossWorkspaces(sql`
      SELECT DISTINCT l.workspace_id AS id FROM workspace_language l WHERE l.documents > 0`),
  )
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), w.id, 'embed', '{}', ${PRIORITY.background}::smallint FROM workspace w
    WHERE w.deleted_at IS NULL AND w.id = ANY (${workspaces.map(({ id }) => id)}::uuid[])
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${AGAIN}::jsonb,
      created_at = now(), run_after = now()`)
}

/** What was asked for until now is covered by the round that begins. */
export async function startEmbed(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`UPDATE task SET subject = '{}' WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Ends the task; false when another round was asked for meanwhile. */
export async function finishEmbed(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} AND subject = '{}' RETURNING 1`)
  return rows.length > 0
}

/** Live versions that are folded and that no round of embedding has covered since. */
export async function selectUnembedded(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM version
    WHERE workspace_id = ${workspaceId} AND state = 'live' AND vectors <> 'made' AND settled`)
  return rows.map(({ id }) => id)
}

/** Call it when a round that began after these versions were folded is complete: their vectors are in the space that serves. */
export const markEmbedded = (db: Queryable, workspaceId: string, versionIds: string[]): Promise<unknown> =>
  db.rows(sql`
    UPDATE version SET vectors = 'made'
    WHERE workspace_id = ${workspaceId} AND id = ANY (${versionIds}::uuid[]) AND vectors <> 'made'`)

/** Workspaces with versions that wait for a round of embedding which nothing will ask for. */
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
