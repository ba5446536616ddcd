// The queue as SQL: claim with a lease, heartbeat, release. Fenced by the attempt number: whoever was taken over
// finds no row of its attempt and may write nothing more (design/architecture.md, "A document").

import { randomUUID } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

export const LEASE_SECONDS = 30

export type TaskKind = 'ingest' | 'graph' | 'fold' | 'purge' | 'embed' | 'pictures'

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

// What is taken first: folds are short and queries are slower without (once they have waited, below); somebody waits
// for files.
const PRIORITY: Record<TaskKind, number> = { fold: 0, ingest: 1, graph: 2, embed: 3, purge: 3, pictures: 4 }

export async function insertTask(
  db: Queryable,
  task: { workspaceId: string; kind: TaskKind; subject: Task['subject'] },
): Promise<void> {
  const { workspaceId, kind, subject } = task
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, ${kind}, ${JSON.stringify(subject)}::jsonb, ${PRIORITY[kind]})`)
}

/** A task for each file of a job that is still to be read. */
export async function insertFileTasks(db: Queryable, workspaceId: string, jobId: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), workspace_id, 'ingest', jsonb_build_object('job_id', job_id, 'file_no', file_no),
      ${PRIORITY.ingest}
    FROM job_file WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} AND status = 'queued'
    ORDER BY file_no`)
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

// A workspace has one embedding task at most: two at once would fit two spaces and pay a model twice.
const AGAIN = JSON.stringify({ again: true })

/**
 * Asks for a round of embedding; one that runs goes once more over the workspace when it is through, and
 * one that waits for a model that was away waits no longer than a minute.
 */
export async function insertEmbed(db: Queryable, workspaceId: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'embed', '{}', ${PRIORITY.embed})
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${AGAIN}::jsonb,
      run_after = least(task.run_after, now() + interval '1 minute')`)
}

/** Asks for a round in every workspace that holds something: after a start the embedder may be another one. */
export async function insertEmbeds(db: Queryable): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), w.id, 'embed', '{}', ${PRIORITY.embed}::smallint FROM workspace w
    WHERE w.deleted_at IS NULL AND EXISTS (SELECT 1 FROM document d WHERE d.workspace_id = w.id)
    ON CONFLICT (workspace_id) WHERE kind = 'embed' DO UPDATE SET subject = ${AGAIN}::jsonb, run_after = now()`)
}

/** What was asked for until now is seen by the round that begins. */
export async function startEmbed(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`UPDATE task SET subject = '{}' WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Ends the task; false when another round was asked for meanwhile. */
export async function finishEmbed(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} AND subject = '{}' RETURNING 1`)
  return rows.length > 0
}

// Whatever its kind, a task that has waited so long stands in line with the files: steady uploads must not starve
// purges. In line, not before: else the small file of one workspace waited for a thousand old ones of another.
const PATIENCE_SECONDS = 120
// A fold comes after the files at first, so that those of an upload are searchable before the engine counts their terms
// (2 of 14 s for 556 pages); then before them: a query counts in what is not yet folded, a few ms per 1,000 chunks.
const FOLD_LAG_SECONDS = 20

/** Which tasks a slot takes. */
export interface Wanted {
  /** Only files of workspaces that no worker is at: for the slot that large files of others must not block. */
  newcomers: boolean
  /** A file is being read here: what nobody waits for stays back, so that files are searchable first. */
  filesFirst?: boolean
}

/**
 * The next due task: by priority, and among equals of the workspace that was served longest ago, so that 20 large files
 * of one do not hold up another's small one; within a workspace the oldest. A lease that ran out took its worker down
 * or lost it: that counts as a failure.
 *
 * `line` walks the index task_turn from one (priority, workspace) to the next and looks at the first due task of each:
 * 100,000 tasks queued in 100 workspaces cost as much as 100 (docs/decisions/0009-jobs.md).
 */
export async function claimTask(
  db: Queryable,
  worker: string,
  wanted: Wanted = { newcomers: false },
): Promise<Task | undefined> {
  const [task] = await db.rows<Task>(sql`
    WITH RECURSIVE line AS (
      (SELECT priority, workspace_id FROM task ORDER BY priority, workspace_id LIMIT 1)
      UNION ALL
      SELECT next.priority, next.workspace_id FROM line CROSS JOIN LATERAL (
        SELECT t.priority, t.workspace_id FROM task t
        WHERE (t.priority, t.workspace_id) > (line.priority, line.workspace_id)
        ORDER BY t.priority, t.workspace_id LIMIT 1) next
    ), turn AS MATERIALIZED (
      SELECT line.priority, line.workspace_id FROM line
      CROSS JOIN LATERAL (
        SELECT t.run_after FROM task t
        WHERE t.priority = line.priority AND t.workspace_id = line.workspace_id AND ${due}
        ORDER BY t.run_after, t.id LIMIT 1) first
      LEFT JOIN workspace w ON w.id = line.workspace_id
      ${wanted.newcomers ? onlyNewcomers : wanted.filesFirst ? onlyUrgent : empty}
      ORDER BY
        CASE WHEN first.run_after < now() - make_interval(secs => ${PATIENCE_SECONDS})
          THEN least(line.priority, ${PRIORITY.ingest})
          WHEN line.priority = ${PRIORITY.fold} AND first.run_after > now() - make_interval(secs => ${FOLD_LAG_SECONDS})
          THEN ${PRIORITY.ingest} + 0.5 ELSE line.priority END,
        w.served_at NULLS FIRST, first.run_after
    ), chosen AS (
      SELECT taken.id, taken.workspace_id FROM turn CROSS JOIN LATERAL (
        SELECT t.id, t.workspace_id FROM task t
        WHERE t.priority = turn.priority AND t.workspace_id = turn.workspace_id AND ${due}
        ORDER BY t.run_after, t.id LIMIT 1 FOR UPDATE SKIP LOCKED) taken
      LIMIT 1
    ), served AS (
      UPDATE workspace w SET served_at = clock_timestamp() WHERE w.id IN (
        SELECT id FROM workspace WHERE id IN (SELECT workspace_id FROM chosen) FOR NO KEY UPDATE SKIP LOCKED)
    )
    UPDATE task t SET attempt = attempt + 1, worker = ${worker},
      failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM chosen WHERE t.id = chosen.id
    RETURNING t.id, t.workspace_id, t.kind, t.subject, t.attempt, t.failures`)
  return task
}

const due = sql`t.run_after <= now() AND (t.lease_until IS NULL OR t.lease_until < now())`

const onlyUrgent = sql`WHERE line.priority = ${PRIORITY.ingest}
  OR line.priority = ${PRIORITY.fold} AND first.run_after < now() - make_interval(secs => ${FOLD_LAG_SECONDS})
  OR first.run_after < now() - make_interval(secs => ${PATIENCE_SECONDS})`

const onlyNewcomers = sql`WHERE line.priority = ${PRIORITY.ingest} AND NOT EXISTS (
  SELECT 1 FROM task held WHERE held.workspace_id = line.workspace_id AND held.lease_until >= now()
    AND held.kind = 'ingest')`

/** Those of the tasks that are no longer what they were claimed as: taken over, cancelled, or ended. */
export async function selectLost(db: Queryable, tasks: Task[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT held.id FROM unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ attempt }) => attempt)}::int[])
      AS held (id, attempt)
    WHERE NOT EXISTS (SELECT 1 FROM task t WHERE t.id = held.id AND t.attempt = held.attempt)`)
  return rows.map(({ id }) => id)
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
