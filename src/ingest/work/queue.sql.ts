// The queue as SQL: claim with a lease, heartbeat, release. Fenced by the attempt number: whoever was taken over
// finds no row of its attempt and may write nothing more.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import { kept } from '../../ports/db/kept.sql.ts'

export const LEASE_SECONDS = 30

export type TaskKind = 'ingest' | 'graph' | 'fold' | 'purge' | 'embed' | 'pictures'

export interface Task {
  id: string
  workspace_id: string
  kind: TaskKind
  /**
   * `excused`: so many of its attempts do not count as claims. `long`: a file that is large, or had its turn at the parser
   * for newcomers. `awaited`: of a graph that `ready` does not wait for.
   */
  subject: {
    job_id?: string
    file_no?: number
    document_id?: string
    excused?: number
    long?: true
    awaited?: false
  }
  /** The fencing token: grows with every claim. */
  attempt: number
  /** Attempts that count against the task: it failed, or took its worker down. */
  failures: number
}

/** What a heartbeat needs to know of a task. */
export type Lease = Pick<Task, 'id' | 'attempt'>

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

// Of a text parsed in a second and written in half a minute. What has more stands in line with the large files of others.
const SHORT_BYTES = 4_000_000

/** A task for each file of a job that is still to be read, due in the order of the upload: a microsecond between two. */
export async function insertFileTasks(db: Queryable, workspaceId: string, jobId: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority, run_after)
    SELECT gen_random_uuid(), workspace_id, 'ingest', jsonb_build_object('job_id', job_id, 'file_no', file_no)
      || CASE WHEN size > ${SHORT_BYTES}::bigint THEN '{"long": true}'::jsonb ELSE '{}' END,
      ${PRIORITY.ingest}, now() - interval '1 microsecond' * row_number() OVER (ORDER BY file_no DESC)
    FROM job_file WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} AND status = 'queued'`)
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
  /** Only files that do not take long, of workspaces that no worker is at: for the slots that no file blocks for long. */
  newcomers: boolean
  /** A file is being read here: what nobody waits for stays back, so that files are searchable first. */
  filesFirst?: boolean
  /** What the worker is at: its own, though the lease has run out unseen. */
  mine?: readonly string[]
}

/**
 * The next due task in turn (migrations/0011_jobs.sql says which). A lease that ran out took its worker down or
 * lost it: that counts as a failure, until that worker turns out alive (`takeBackFailure`).
 */
export async function claimTask(
  db: Queryable,
  worker: string,
  { newcomers, filesFirst, mine = [] }: Wanted = { newcomers: false },
): Promise<Task | undefined> {
  const wanted = newcomers ? 'newcomers' : filesFirst ? 'files' : 'any'
  const seconds = (count: number): string => `${count} s`
  const [task] = await db.rows<Task>(
    kept(sql`
      SELECT * FROM claim_task(${worker}, ${wanted}, ${seconds(LEASE_SECONDS)}, ${seconds(PATIENCE_SECONDS)},
        ${seconds(FOLD_LAG_SECONDS)}, ${PRIORITY.fold}, ${PRIORITY.ingest},
        ${mine}::uuid[])`),
  )
  return task
}

/** Those of the tasks that are no longer what they were claimed as: taken over, cancelled, or ended. */
export async function selectLost(db: Queryable, tasks: Task[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    kept(sql`
      SELECT held.id FROM unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ attempt }) => attempt)}::int[])
        AS held (id, attempt)
      WHERE NOT EXISTS (SELECT 1 FROM task t WHERE t.id = held.id AND t.attempt = held.attempt)`),
  )
  return rows.map(({ id }) => id)
}

/**
 * Extends the leases of all that a worker holds. A row that somebody has locked is passed over: it is being ended or
 * taken over, and a heartbeat must neither wait for that nor be a part of a deadlock.
 */
export async function extendLeases(db: Queryable, tasks: readonly Lease[]): Promise<void> {
  await db.rows(
    kept(sql`
      UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE id IN (
        SELECT t.id FROM task t JOIN unnest(${tasks.map(({ id }) => id)}::uuid[],
          ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt) USING (id, attempt)
        FOR UPDATE OF t SKIP LOCKED)`),
  )
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

/** Gives the task back untried, and this claim does not count: the machine was short of something. */
export async function excuseTask(db: Queryable, task: Task, seconds: number): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, run_after = now() + make_interval(secs => ${seconds}),
      subject = subject || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Gives back a file that is not read at the end of its turn: the slot for newcomers takes it no more, and this claim does
 * not count.
 */
export async function leaveTurn(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, run_after = now(),
      subject = subject || jsonb_build_object('long', true, 'excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Gives the task back behind those of its workspace: a round of it is kept, and there is one to come. This claim does not
 * count, nor do failures before it: a scan of hours was set aside at the third restart, whatever had been read.
 */
export async function endRound(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, run_after = now(), failures = 0,
      subject = subject || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Takes back the failure that was counted when another took this attempt over: whoever says so was not let run, and did
 * not fall over the task. Three such would else set a good file aside. Nothing where the task is gone.
 */
export async function takeBackFailure(db: Queryable, task: Lease): Promise<void> {
  await db.rows(sql`
    UPDATE task SET failures = greatest(0, failures - 1) WHERE id = ${task.id} AND attempt > ${task.attempt}`)
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
