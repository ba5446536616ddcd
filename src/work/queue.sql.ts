// The statements of the task queue: insert, claim with a lease, extend, release, end. The attempt number is a fencing token: after
// another worker has taken a task over, the statements of the first worker find no row with its attempt number.

import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import { traceparent } from '../ports/trace/trace.ts'

export const LEASE_SECONDS = 30

export interface Task {
  id: string
  workspace_id: string
  kind: string
  /** What the task is about. Each kind of task has its own fields besides those of `Subject`. */
  subject: Subject
  /** The fencing token, which grows with every claim. */
  attempt: number
  /** Attempts that count against the task, because it failed or crashed its worker. */
  failures: number
}

export interface Subject {
  /** The number of attempts that do not count as claims, because the task was deferred. */
  excused?: number
  /** Why the machine could not do the task, and how many times in a row it was this reason. */
  busy?: { reason: string; times: number }
  /** Set if the task takes long, so that fairness slots and short slots do not claim it. */
  long?: true
  /** The `traceparent` of the request or task that queued this task, if traces are collected. */
  trace?: string
}

/** After this many failures in a row, the server that the task needs, such as a model server, counts as unavailable. */
export const UNAVAILABLE_AFTER = 3

/** Whether the workspace has a task of this kind that fails again and again. */
export const isFailing = (workspaceId: string, kind: string): Sql => sql`EXISTS (
  SELECT 1 FROM task WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND failures >= ${UNAVAILABLE_AFTER}::int)`

/** The fields of a task that a heartbeat needs. */
export type Lease = Pick<Task, 'id' | 'attempt'>

/**
 * The order in which tasks are claimed. `claim_task` has special rules for `catchUp` and `userVisible`, and skips `networkBound`.
 */
export const PRIORITY = {
  /**
   * Short work that speeds up queries. It comes after user-visible tasks, but before them when it is older than
   * CATCH_UP_LAG_SECONDS.
   */
  catchUp: 0,
  /** Work that somebody waits for. */
  userVisible: 1,
  derived: 2,
  background: 3,
  last: 4,
  /** Network-bound tasks, and tasks that wait for a process of their own. Separate slots claim them (`claimNetworkBound`). */
  networkBound: 5,
} as const

export interface NewTask {
  workspaceId: string
  kind: string
  priority: keyof typeof PRIORITY
  subject: object
}

export async function insertTask(db: Queryable, ...tasks: NewTask[]): Promise<void> {
  const values = tasks.map(
    ({ workspaceId, kind, priority, subject }) =>
      sql`(${randomUUID()}, ${workspaceId}, ${kind}, ${JSON.stringify({ ...subject, ...traceFields() })}::jsonb,
        ${PRIORITY[priority]})`,
  )
  await db.rows(
    prepared(sql`INSERT INTO task (id, workspace_id, kind, subject, priority) VALUES ${join(values)}`),
  )
}

/** A task belongs to the trace of the request or task that queued it. */
function traceFields(): Pick<Subject, 'trace'> {
  const trace = traceparent()
  return trace === undefined ? {} : { trace }
}

/**
 * Inserts a task for each row of `rows` (workspace_id, subject, no). The tasks are due in the order of `no`, a microsecond apart.
 */
export async function insertTasks(
  db: Queryable,
  { kind, priority }: Pick<NewTask, 'kind' | 'priority'>,
  rows: Sql,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority, run_after)
    SELECT gen_random_uuid(), r.workspace_id, ${kind}, r.subject || ${JSON.stringify(traceFields())}::jsonb,
      ${PRIORITY[priority]}::smallint,
      now() - interval '1 microsecond' * row_number() OVER (ORDER BY r.no DESC)
    FROM (${rows}) r`)
}

/** Deletes the workspace's other waiting tasks of this kind, because the running one does their work. */
export async function absorbTasks(db: Queryable, { id, workspace_id, kind }: Task): Promise<void> {
  await db.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspace_id} AND kind = ${kind} AND lease_until IS NULL AND id <> ${id}`)
}

// A task of any kind that has waited this long is treated like a user-visible one, so that steady uploads do not starve other
// tasks. It gets no higher priority, so that a small file does not wait for a thousand old tasks of another workspace.
const PATIENCE_SECONDS = 120
// For this time, a `catchUp` task waits for user-visible tasks, so that files are searchable before their terms are counted. Then
// it comes first, because until it is done each query has to count the terms itself.
const CATCH_UP_LAG_SECONDS = 20

/** Which tasks a slot claims. */
interface ClaimFilter {
  /** Claims only short user-visible tasks of workspaces that have no running user-visible task. */
  fairness: boolean
  /**
   * Set while a user-visible task runs in this worker. Then another task is claimed only after it has waited for PATIENCE_SECONDS,
   * or a `catchUp` task for CATCH_UP_LAG_SECONDS.
   */
  userVisibleFirst?: boolean
  /** The tasks that this worker runs. It does not claim them again, even if a lease has expired. */
  heldTaskIds?: readonly string[]
}

/**
 * Claims the next due task, which the function `claim_task` chooses (migrations/0017_sources.sql). An expired lease counts as a
 * failure of the task. If its worker is alive after all, `takeBackFailure` cancels that.
 */
export async function claimTask(
  db: Queryable,
  worker: string,
  { fairness, userVisibleFirst, heldTaskIds = [] }: ClaimFilter = { fairness: false },
): Promise<Task | undefined> {
  const selection = fairness ? 'newcomers' : userVisibleFirst ? 'files' : 'any'
  const seconds = (count: number): string => `${count} s`
  const [task] = await db.rows<Task>(
    prepared(sql`
      SELECT * FROM claim_task(${worker}, ${selection}, ${seconds(LEASE_SECONDS)}, ${seconds(PATIENCE_SECONDS)},
        ${seconds(CATCH_UP_LAG_SECONDS)}, ${PRIORITY.catchUp}, ${PRIORITY.userVisible}, ${heldTaskIds}::uuid[])`),
  )
  return task
}

/** Which network-bound tasks a slot claims. Without `kinds`, it claims all kinds. */
export interface NetworkBoundFilter {
  heldTaskIds?: readonly string[]
  kinds?: readonly string[]
  /** The maximum number of running tasks of one kind and workspace, over all workers. */
  perWorkspace?: number
  /** Whether to claim also tasks that exceeded the time slice of a short slot. */
  long?: boolean
}

/**
 * Claims the next due network-bound task, from the workspace with the fewest running network-bound tasks. So the slow site of one
 * workspace does not take all slots.
 */
export async function claimNetworkBound(
  db: Queryable,
  worker: string,
  { heldTaskIds = [], kinds, perWorkspace, long = true }: NetworkBoundFilter = {},
): Promise<Task | undefined> {
  const ofWorkspace = sql`SELECT count(*) FROM task held WHERE held.workspace_id = t.workspace_id
    AND held.priority = ${PRIORITY.networkBound} AND held.lease_until >= now()`
  const [task] = await db.rows<Task>(
    prepared(sql`
      UPDATE task SET attempt = attempt + 1, worker = ${worker},
        failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END,
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = (
        SELECT t.id FROM task t
        WHERE t.priority = ${PRIORITY.networkBound} AND t.run_after <= now()
          AND (t.lease_until IS NULL OR t.lease_until < now() AND t.id <> ALL (${heldTaskIds}::uuid[]))
          AND (${kinds === undefined} OR t.kind = ANY (${[...(kinds ?? [])]}::text[]))
          AND (${long} OR t.subject ->> 'long' IS NULL)
          AND (${perWorkspace === undefined} OR
            (${ofWorkspace} AND held.kind = t.kind) < ${perWorkspace ?? 0}::int)
        ORDER BY (${ofWorkspace}), t.run_after, t.id
        LIMIT 1 FOR UPDATE OF t SKIP LOCKED)
      RETURNING id, workspace_id, kind, subject, attempt, failures`),
  )
  return task
}

/** The ids of those tasks that were taken over, cancelled or ended. */
export async function selectLostTasks(db: Queryable, tasks: Task[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    prepared(sql`
      SELECT held.id FROM unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ attempt }) => attempt)}::int[])
        AS held (id, attempt)
      WHERE NOT EXISTS (SELECT 1 FROM task t WHERE t.id = held.id AND t.attempt = held.attempt)`),
  )
  return rows.map(({ id }) => id)
}

/**
 * Extends the leases of a worker's running tasks. It skips locked rows, which are being ended or taken over, because a
 * heartbeat must neither wait nor cause a deadlock.
 */
export async function extendLeases(db: Queryable, tasks: readonly Lease[]): Promise<void> {
  await db.rows(
    prepared(sql`
      UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE id IN (
        SELECT t.id FROM task t JOIN unnest(${tasks.map(({ id }) => id)}::uuid[],
          ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt) USING (id, attempt)
        FOR UPDATE OF t SKIP LOCKED)`),
  )
}

/** Extends the lease. Returns false if the task was taken over, finished or cancelled. */
export async function extendLease(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`)
  return rows.length > 0
}

/** Extends the leases. Returns false if one of the tasks was taken over, finished or cancelled. */
export async function extendAllLeases(tx: Queryable, tasks: readonly Lease[]): Promise<boolean> {
  const rows = await tx.rows(sql`
    WITH held AS (
      SELECT t.id FROM task t JOIN unnest(${tasks.map(({ id }) => id)}::uuid[],
        ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt) USING (id, attempt)
      ORDER BY t.id FOR UPDATE OF t
    ) UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id IN (SELECT id FROM held) RETURNING 1`)
  return rows.length === tasks.length
}

/** Ends the tasks that were not taken over. */
export const finishTasks = (db: Queryable, tasks: readonly Lease[]): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM task t USING unnest(${tasks.map(({ id }) => id)}::uuid[],
      ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt)
    WHERE t.id = held.id AND t.attempt = held.attempt`)

/** The columns of a released task that is due in `seconds`. `created_at` shows `followClock` whether the clock was set back. */
const releaseColumns = (seconds: number): Sql =>
  sql`lease_until = NULL, worker = NULL, created_at = now(), run_after = now() + make_interval(secs => ${seconds})`

/** Releases the task, which is due again after `seconds`. @param isFailure whether the attempt counts as a failure of the task */
export async function releaseTask(
  db: Queryable,
  task: Task,
  seconds: number,
  isFailure: boolean,
): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${releaseColumns(seconds)},
      failures = failures + ${isFailure ? 1 : 0}::int
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Releases the task without counting the attempt or the claim, because the machine lacked something. */
export async function deferTask(db: Queryable, task: Task, seconds: number): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${releaseColumns(seconds)},
      subject = subject || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** As `deferTask`, and stores the reason. @param busy.times how many times in a row it was this reason */
export async function deferBusy(
  db: Queryable,
  task: Task,
  { seconds, ...busy }: { seconds: number; reason: string; times: number },
): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${releaseColumns(seconds)},
      subject = subject || jsonb_build_object('busy', ${JSON.stringify(busy)}::jsonb,
        'excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Releases a task that takes too long for a fairness slot or short slot, so that such slots do not claim it again. The claim does
 * not count.
 */
export async function releaseAsLong(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${releaseColumns(0)},
      subject = subject || jsonb_build_object('long', true, 'excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Releases the task after a round, behind the other tasks of its workspace. The claim and earlier failures do not count any more.
 * Otherwise a scan that takes hours would be given up at the third restart.
 */
export async function endRound(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${releaseColumns(0)}, failures = 0,
      subject = subject - 'busy'::text || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Cancels the failure that was counted when this attempt was taken over, because its worker is alive: the task did not crash it.
 * Does nothing when the task has ended.
 */
export async function takeBackFailure(db: Queryable, task: Lease): Promise<void> {
  await db.rows(sql`
    UPDATE task SET failures = greatest(0, failures - 1) WHERE id = ${task.id} AND attempt > ${task.attempt}`)
}

/** A query that returns a row if the task still belongs to this attempt. */
export const heldTask = ({ id, attempt }: Lease): Sql => sql`
  SELECT 1 FROM task WHERE id = ${id} AND attempt = ${attempt}`

/** Whether the task still belongs to this attempt. If it does, no other worker can take it over until the transaction ends. */
export async function lockTask(tx: Queryable, task: Lease): Promise<boolean> {
  const rows = await tx.rows(prepared(sql`${heldTask(task)} FOR SHARE`))
  return rows.length > 0
}

/** Deletes the task, inside the transaction that makes its result visible. Returns false if the task was taken over. */
export async function finishTask(tx: Queryable, task: Task): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`),
  )
  return rows.length > 0
}

/**
 * Releases the tasks of the dead worker process that had this name, and counts a failure of each. The new process calls it, so that
 * no lease has to expire first.
 */
export async function releaseWorker(db: Queryable, worker: string): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, failures = failures + 1 WHERE worker = ${worker}`)
}

/**
 * Repairs the queue after the database's clock was set back: tasks whose creation time is in the future become due in their old
 * order, and leases end soon. Otherwise they would wait for the time by which the clock was set back.
 */
export async function followClock(db: Queryable): Promise<void> {
  await db.rows(sql`
    UPDATE task SET run_after = run_after - greatest(created_at - now(), interval '0'), created_at = least(created_at, now()),
      lease_until = CASE WHEN lease_until IS NOT NULL
        THEN least(lease_until, now() + make_interval(secs => ${LEASE_SECONDS})) END
    WHERE created_at > now() OR lease_until > now() + 2 * make_interval(secs => ${LEASE_SECONDS})`)
}

/**
 * How many tasks of each kind wait and run, and how long the oldest due task has waited, for metrics. Reads the whole table, which
 * takes about 50 ms for 100,000 tasks.
 */
export const selectQueue = (
  db: Queryable,
): Promise<{ kind: string; waiting: number; running: number; oldest_s: number }[]> =>
  db.rows(sql`
    SELECT kind,
      count(*) FILTER (WHERE NOT held)::int AS waiting,
      count(*) FILTER (WHERE held)::int AS running,
      coalesce(extract(epoch FROM now() - min(run_after) FILTER (WHERE NOT held AND run_after <= now())), 0)::float8
        AS oldest_s
    FROM (SELECT kind, run_after, lease_until > now() IS TRUE AS held FROM task) t
    GROUP BY kind ORDER BY kind`)
