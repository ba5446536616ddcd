// The queue as SQL: claim with a lease, heartbeat, release. Fenced by the attempt number: whoever was taken over
// finds no row of its attempt and may write nothing more (design/architecture.md, "A document").

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

export const LEASE_SECONDS = 30

export type TaskKind = 'ingest' | 'graph' | 'fold' | 'purge'

export interface Task {
  id: string
  workspace_id: string
  kind: TaskKind
  subject: { job_id?: string; file_no?: number; document_id?: string }
  /** The fencing token: grows with every claim. */
  attempt: number
  /** Attempts that count against the task: it failed, or took its worker down. */
  failures: number
}

export async function insertTask(
  db: Queryable,
  task: { workspaceId: string; kind: TaskKind; subject: Task['subject'] },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject)
    VALUES (${randomUUID()}, ${task.workspaceId}, ${task.kind}, ${JSON.stringify(task.subject)}::jsonb)`)
}

/** Asks for a round of folding and sweeping; the round that runs takes all that wait with it (absorbFolds). */
export const insertFold = (db: Queryable, workspaceId: string): Promise<void> =>
  insertTask(db, { workspaceId, kind: 'fold', subject: {} })

/** Removes the workspace's waiting rounds: what they were asked for is committed, so this one does it. */
export async function absorbFolds(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    DELETE FROM task WHERE workspace_id = ${task.workspace_id} AND kind = 'fold' AND lease_until IS NULL
      AND id <> ${task.id}`)
}

// A task that has waited so long comes first whatever its kind: steady uploads must not starve purges.
const PATIENCE_SECONDS = 120

/**
 * The next due task: folds (short, and queries are slower without) before files before graphs before purges, and
 * among equals the workspace that was served longest ago, so that 20 large files of one do not hold up another's
 * small one. A lease that ran out took its worker down or lost it: that counts as a failure.
 */
export async function claimTask(db: Queryable, worker: string): Promise<Task | undefined> {
  const [task] = await db.rows<Task>(sql`
    WITH due AS (
      SELECT t.id, t.workspace_id FROM task t
      LEFT JOIN workspace w ON w.id = t.workspace_id
      WHERE t.run_after <= now() AND (t.lease_until IS NULL OR t.lease_until < now())
      ORDER BY t.run_after < now() - make_interval(secs => ${PATIENCE_SECONDS}) DESC,
        CASE t.kind WHEN 'fold' THEN 0 WHEN 'ingest' THEN 1 WHEN 'graph' THEN 2 ELSE 3 END,
        w.served_at NULLS FIRST, t.created_at, t.id
      LIMIT 1 FOR UPDATE OF t SKIP LOCKED
    ), served AS (
      UPDATE workspace w SET served_at = clock_timestamp() FROM due WHERE w.id = due.workspace_id
    )
    UPDATE task t SET attempt = attempt + 1, worker = ${worker},
      failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM due WHERE t.id = due.id
    RETURNING t.id, t.workspace_id, t.kind, t.subject, t.attempt, t.failures`)
  return task
}

/** Extends the lease; false when the task was taken over or is gone (finished elsewhere, cancelled). */
export async function extendLease(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`)
  return rows.length > 0
}

/** Gives the task back to be tried again after `seconds`; `counts` when it was the task's own failure. */
export async function releaseTask(
  db: Queryable,
  task: Task,
  seconds: number,
  counts: boolean,
): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, run_after = now() + make_interval(secs => ${seconds}),
      failures = failures + ${counts ? 1 : 0}::int
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Ends the task inside the transaction that makes its result visible; false when it was taken over. */
export async function finishTask(tx: Queryable, task: Task): Promise<boolean> {
  const rows = await tx.rows(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`)
  return rows.length > 0
}

/** Frees what a worker of this name held when it died: its supervisor knows, so nobody waits for the lease. */
export async function releaseWorker(db: Queryable, worker: string): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, failures = failures + 1 WHERE worker = ${worker}`)
}
