// The statements of the task that checks which jobs have ended. Its kind is `notice`. Every transaction that may end a job queues
// it, except the deletion of a workspace. The check runs after these transactions, so it also finds a job whose last two files were
// ended by two transactions at the same time. A workspace has at most one such task. If it is queued while it exists, its subject
// becomes `{"again": true}`, so that a running check is repeated.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import { PRIORITY, type Task } from '../work/queue.sql.ts'

/**
 * Records that the end of the job is to be sent to webhooks, if the workspace has one that is not paused. To be called in the
 * transaction that creates the job.
 */
export async function registerForJobEnd(tx: Queryable, workspaceId: string, jobId: string): Promise<void> {
  await tx.rows(
    prepared(sql`
      INSERT INTO webhook_job (workspace_id, job_id)
      SELECT ${workspaceId}::uuid, ${jobId}
      WHERE EXISTS (SELECT 1 FROM webhook WHERE workspace_id = ${workspaceId} AND NOT paused)`),
  )
}

/** Queues the check. To be called in the transaction that ends files of the jobs. Does nothing if no webhook waits for them. */
export async function queueEndCheck(
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

/**
 * Clears the flag `again`. The check that begins now covers everything that was queued so far; `finishEndCheck` finds out whether
 * more was queued since.
 */
export async function startEndCheck(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`UPDATE task SET subject = '{}' WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Deletes the task of the check. False if the check was queued again since, or if the task has another attempt. */
export async function finishEndCheck(db: Queryable, task: Task): Promise<boolean> {
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

/** Jobs that a webhook waits for and whose files are all done or failed. */
export async function selectEndedJobs(db: Queryable, workspaceId: string): Promise<EndedJob[]> {
  const awaitedJobs = await db.rows<{ job_id: string }>(sql`
    SELECT job_id FROM webhook_job WHERE workspace_id = ${workspaceId}`)
  return db.rows(sql`
    SELECT j.id AS job_id, j.kind, j.created_at, count(f.job_id)::int AS file_count,
      count(*) FILTER (WHERE f.status = 'done')::int AS done_count,
      count(*) FILTER (WHERE f.status = 'failed')::int AS failed_count
    FROM job j LEFT JOIN job_file f ON f.workspace_id = j.workspace_id AND f.job_id = j.id
    WHERE j.workspace_id = ${workspaceId} AND j.id = ANY (${awaitedJobs.map((row) => row.job_id)}::text[])
      AND NOT EXISTS (SELECT 1 FROM job_file o
        WHERE o.workspace_id = ${workspaceId} AND o.job_id = j.id AND o.status IN ('queued', 'running'))
    GROUP BY j.id, j.kind, j.created_at ORDER BY j.created_at, j.id`)
}

/**
 * Removes the job from those that webhooks wait for. Of several concurrent calls only one returns true, so that the deliveries are
 * queued once.
 */
export async function claimEndedJob(tx: Queryable, workspaceId: string, jobId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    DELETE FROM webhook_job WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} RETURNING 1`)
  return rows.length > 0
}
