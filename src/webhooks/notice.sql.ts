// Whoever ends a file of a job queues the notice task, which then checks which jobs are done. It runs after the transactions
// that end files. So if two of them end the last two files at once, it sees both.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import { PRIORITY, type Task } from '../work/queue.sql.ts'

/** Call it in the transaction that makes the job. */
export async function awaitJobEnd(tx: Queryable, workspaceId: string, jobId: string): Promise<void> {
  await tx.rows(
    prepared(sql`
      INSERT INTO webhook_job (workspace_id, job_id)
      SELECT ${workspaceId}::uuid, ${jobId}
      WHERE EXISTS (SELECT 1 FROM webhook WHERE workspace_id = ${workspaceId} AND NOT paused)`),
  )
}

/** Call it in the transaction that ends files of the job. Does nothing if no webhook waits for it. */
export async function noticeEnd(
  tx: Queryable,
  workspaceId: string,
  jobIds: readonly string[],
): Promise<void> {
  await tx.rows(
    prepared(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT ${randomUUID()}::uuid, ${workspaceId}::uuid, 'notice', '{}', ${PRIORITY.networkBound}::smallint
    WHERE EXISTS (SELECT 1 FROM webhook_job WHERE workspace_id = ${workspaceId} AND job_id = ANY (${[...jobIds]}::text[]))
    ON CONFLICT (workspace_id) WHERE kind = 'notice' DO UPDATE SET subject = '{"again": true}'`),
  )
}

/** The check that begins now covers all notices so far. */
export async function startNotice(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`UPDATE task SET subject = '{}' WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** False when a new notice has arrived meanwhile. */
export async function finishNotice(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} AND subject = '{}' RETURNING 1`)
  return rows.length > 0
}

export interface EndedJob {
  job_id: string
  kind: string
  created_at: Date
  file_count: number
  done_count: number
  failed_count: number
}

/** Jobs that a webhook waits for and of which every file is done or failed. */
export async function selectEnded(db: Queryable, workspaceId: string): Promise<EndedJob[]> {
  const awaited = await db.rows<{ job_id: string }>(sql`
    SELECT job_id FROM webhook_job WHERE workspace_id = ${workspaceId}`)
  return db.rows(sql`
    SELECT j.id AS job_id, j.kind, j.created_at, count(f.job_id)::int AS file_count,
      count(*) FILTER (WHERE f.status = 'done')::int AS done_count,
      count(*) FILTER (WHERE f.status = 'failed')::int AS failed_count
    FROM job j LEFT JOIN job_file f ON f.workspace_id = j.workspace_id AND f.job_id = j.id
    WHERE j.workspace_id = ${workspaceId} AND j.id = ANY (${awaited.map((row) => row.job_id)}::text[])
      AND NOT EXISTS (SELECT 1 FROM job_file o
        WHERE o.workspace_id = ${workspaceId} AND o.job_id = j.id AND o.status IN ('queued', 'running'))
    GROUP BY j.id, j.kind, j.created_at ORDER BY j.created_at, j.id`)
}

/** If calls are concurrent, one returns true. */
export async function takeEnded(tx: Queryable, workspaceId: string, jobId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    DELETE FROM webhook_job WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} RETURNING 1`)
  return rows.length > 0
}
