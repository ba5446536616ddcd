// The queue as SQL: insert, claim with a lease, extend, release, end. Every write is fenced by the attempt number: a worker
// whose task was taken over finds no row of its attempt and can write nothing more.

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
  /** What the task is about; the rest of it belongs to the room that owns the kind. */
  subject: Subject
  /** The fencing token: grows with every claim. */
  attempt: number
  /** Attempts that count against the task: it failed, or took its worker down. */
  failures: number
}

export interface Subject {
  /** So many of its attempts do not count as claims. */
  excused?: number
  /** For which reason the machine could not do it, and how often in a row. */
  busy?: { reason: string; times: number }
  /** It takes long: the slots for newcomers leave it to the others. */
  long?: true
  /** The `traceparent` of what asked for it, where traces are collected. */
  trace?: string
}

/** After so many failures in a row what a task needs counts as away, such as the server of a model. */
export const AWAY_AFTER = 3

/** Whether the workspace has a task of this kind that fails again and again. */
export const isFailing = (workspaceId: string, kind: string): Sql => sql`EXISTS (
  SELECT 1 FROM task WHERE workspace_id = ${workspaceId} AND kind = ${kind} AND failures >= ${AWAY_AFTER}::int)`

/** What a heartbeat needs to know of a task. */
export type Lease = Pick<Task, 'id' | 'attempt'>

/** Which tasks are claimed first. `claim_task` treats the first two specially, and leaves the last. */
export const PRIORITY = {
  /** Short, and queries are slower until it is done. Behind what is awaited for 20 s, then before it. */
  catchUp: 0,
  /** Somebody waits for it. */
  awaited: 1,
  derived: 2,
  background: 3,
  last: 4,
  /** It waits for the network: claimed by slots of its own (`claimOutside`), and by no other. */
  outside: 5,
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
      sql`(${randomUUID()}, ${workspaceId}, ${kind}, ${JSON.stringify({ ...subject, ...traced() })}::jsonb,
        ${PRIORITY[priority]})`,
  )
  await db.rows(
    prepared(sql`INSERT INTO task (id, workspace_id, kind, subject, priority) VALUES ${join(values)}`),
  )
}

/** A task belongs to the trace of the request or task that asked for it. */
function traced(): Pick<Subject, 'trace'> {
  const trace = traceparent()
  return trace === undefined ? {} : { trace }
}

/** A task for each row of `rows` (workspace_id, subject, no), due in the order of `no`: a microsecond between two. */
export async function insertTasks(
  db: Queryable,
  { kind, priority }: Pick<NewTask, 'kind' | 'priority'>,
  rows: Sql,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority, run_after)
    SELECT gen_random_uuid(), r.workspace_id, ${kind}, r.subject || ${JSON.stringify(traced())}::jsonb,
      ${PRIORITY[priority]}::smallint,
      now() - interval '1 microsecond' * row_number() OVER (ORDER BY r.no DESC)
    FROM (${rows}) r`)
}

/** Deletes the workspace's other waiting tasks of this kind: the one that runs does what they were asked for. */
export async function absorbTasks(db: Queryable, { id, workspace_id, kind }: Task): Promise<void> {
  await db.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspace_id} AND kind = ${kind} AND lease_until IS NULL AND id <> ${id}`)
}

// Whatever its kind, a task that has waited so long is treated like an awaited one: steady uploads must not starve purges.
// Like one, not before them: else the small file of one workspace waited for a thousand old ones of another.
const PATIENCE_SECONDS = 120
// What catches up comes behind awaited tasks at first, so that the files of an upload are searchable before the engine
// counts their terms (2 of 14 s for 556 pages); then before them: until then each query does it, a few ms per 1,000 chunks.
const CATCH_UP_LAG_SECONDS = 20

/** Which tasks a slot takes. */
export interface Wanted {
  /** Only awaited tasks that do not take long, of workspaces in which no worker holds one. */
  newcomers: boolean
  /** An awaited task is held here: what nobody waits for is left in the queue. */
  awaitedFirst?: boolean
  /** What the worker holds: its own, though a lease may have run out unseen. */
  mine?: readonly string[]
}

/**
 * The next due task in turn (migrations/0011_jobs.sql says which). A lease that ran out took its worker down
 * or lost it: that counts as a failure, until that worker turns out to be alive (`takeBackFailure`).
 */
export async function claimTask(
  db: Queryable,
  worker: string,
  { newcomers, awaitedFirst, mine = [] }: Wanted = { newcomers: false },
): Promise<Task | undefined> {
  const selection = newcomers ? 'newcomers' : awaitedFirst ? 'files' : 'any'
  const seconds = (count: number): string => `${count} s`
  const [task] = await db.rows<Task>(
    prepared(sql`
      SELECT * FROM claim_task(${worker}, ${selection}, ${seconds(LEASE_SECONDS)}, ${seconds(PATIENCE_SECONDS)},
        ${seconds(CATCH_UP_LAG_SECONDS)}, ${PRIORITY.catchUp}, ${PRIORITY.awaited}, ${mine}::uuid[])`),
  )
  return task
}

/** Which tasks that wait for the network a slot takes; all without `kinds`. */
export interface OutsideFilter {
  mine?: readonly string[]
  kinds?: readonly string[]
  /** At most so many of a workspace at once, whichever worker holds them. */
  perWorkspace?: number
  /** Also those that a slot had no more time for. */
  long?: boolean
}

/**
 * The next due task that waits for the network, of the workspace that holds the fewest of these: a slow site of one does not
 * keep all slots from the others.
 */
export async function claimOutside(
  db: Queryable,
  worker: string,
  { mine = [], kinds, perWorkspace, long = true }: OutsideFilter = {},
): Promise<Task | undefined> {
  const ofWorkspace = sql`SELECT count(*) FROM task held WHERE held.workspace_id = t.workspace_id
    AND held.priority = ${PRIORITY.outside} AND held.lease_until >= now()`
  const [task] = await db.rows<Task>(
    prepared(sql`
      UPDATE task SET attempt = attempt + 1, worker = ${worker},
        failures = failures + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END,
        lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      WHERE id = (
        SELECT t.id FROM task t
        WHERE t.priority = ${PRIORITY.outside} AND t.run_after <= now()
          AND (t.lease_until IS NULL OR t.lease_until < now() AND t.id <> ALL (${mine}::uuid[]))
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

/** Those of the tasks that are no longer what they were claimed as: taken over, cancelled, or ended. */
export async function selectLost(db: Queryable, tasks: Task[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    prepared(sql`
      SELECT held.id FROM unnest(${tasks.map(({ id }) => id)}::uuid[], ${tasks.map(({ attempt }) => attempt)}::int[])
        AS held (id, attempt)
      WHERE NOT EXISTS (SELECT 1 FROM task t WHERE t.id = held.id AND t.attempt = held.attempt)`),
  )
  return rows.map(({ id }) => id)
}

/**
 * Extends the leases of all that a worker holds. A locked row is passed over: it is being ended or taken over, and a
 * heartbeat must neither wait for that nor be part of a deadlock.
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

/** Extends the lease; false when the task was taken over or is gone (finished elsewhere, cancelled). */
export async function extendLease(db: Queryable, task: Task): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`)
  return rows.length > 0
}

/** Extends the leases; false when one of the tasks was taken over or is gone. */
export async function extendAll(tx: Queryable, tasks: readonly Lease[]): Promise<boolean> {
  const rows = await tx.rows(sql`
    WITH held AS (
      SELECT t.id FROM task t JOIN unnest(${tasks.map(({ id }) => id)}::uuid[],
        ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt) USING (id, attempt)
      ORDER BY t.id FOR UPDATE OF t
    ) UPDATE task SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id IN (SELECT id FROM held) RETURNING 1`)
  return rows.length === tasks.length
}

/** Ends the tasks, those that were not taken over. */
export const finishTasks = (db: Queryable, tasks: readonly Lease[]): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM task t USING unnest(${tasks.map(({ id }) => id)}::uuid[],
      ${tasks.map(({ attempt }) => attempt)}::int[]) AS held (id, attempt)
    WHERE t.id = held.id AND t.attempt = held.attempt`)

/** What gives a task back, due in so many seconds. By `created_at` it is told later that the clock was set back since (`followClock`). */
const givenBack = (seconds: number): Sql =>
  sql`lease_until = NULL, worker = NULL, created_at = now(), run_after = now() + make_interval(secs => ${seconds})`

/** Gives the task back to be tried again after `seconds`; `counts` when it was the task's own failure. */
export async function releaseTask(
  db: Queryable,
  task: Task,
  seconds: number,
  counts: boolean,
): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${givenBack(seconds)},
      failures = failures + ${counts ? 1 : 0}::int
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Gives the task back untried, and this claim does not count: the machine was short of something. */
export async function excuseTask(db: Queryable, task: Task, seconds: number): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${givenBack(seconds)},
      subject = subject || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** The same, with the reason; `times`: how often it was this one in a row. */
export async function excuseBusy(
  db: Queryable,
  task: Task,
  { seconds, ...busy }: { seconds: number; reason: string; times: number },
): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${givenBack(seconds)},
      subject = subject || jsonb_build_object('busy', ${JSON.stringify(busy)}::jsonb,
        'excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/** Gives back a task for which a slot for newcomers had no more time: they take it no more, and this claim does not count. */
export async function leaveTurn(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${givenBack(0)},
      subject = subject || jsonb_build_object('long', true, 'excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Gives the task back behind those of its workspace: a round of it is done and kept, and another is to come. This claim does
 * not count, nor do failures before it: else a scan of hours was given up at the third restart, whatever had been read.
 */
export async function endRound(db: Queryable, task: Task): Promise<void> {
  await db.rows(sql`
    UPDATE task SET ${givenBack(0)}, failures = 0,
      subject = subject - 'busy'::text || jsonb_build_object('excused', coalesce((subject->>'excused')::int, 0) + 1)
    WHERE id = ${task.id} AND attempt = ${task.attempt}`)
}

/**
 * Takes back the failure that was counted when another worker took this attempt over: the one that calls this is alive, so
 * the task did not take it down. Three such failures would give a good file up. Does nothing when the task is gone.
 */
export async function takeBackFailure(db: Queryable, task: Lease): Promise<void> {
  await db.rows(sql`
    UPDATE task SET failures = greatest(0, failures - 1) WHERE id = ${task.id} AND attempt > ${task.attempt}`)
}

/** A row where the task is still that of this attempt. */
export const heldTask = ({ id, attempt }: Lease): Sql => sql`
  SELECT 1 FROM task WHERE id = ${id} AND attempt = ${attempt}`

/** Whether the task is still that of this attempt; it is then until the transaction ends. */
export async function lockTask(tx: Queryable, task: Lease): Promise<boolean> {
  const rows = await tx.rows(prepared(sql`${heldTask(task)} FOR SHARE`))
  return rows.length > 0
}

/** Ends the task inside the transaction that makes its result visible; false when it was taken over. */
export async function finishTask(tx: Queryable, task: Task): Promise<boolean> {
  const rows = await tx.rows(
    prepared(sql`
    DELETE FROM task WHERE id = ${task.id} AND attempt = ${task.attempt} RETURNING id`),
  )
  return rows.length > 0
}

/** Frees what a worker of this name held when it died: its supervisor has restarted it, so no lease has to run out first. */
export async function releaseWorker(db: Queryable, worker: string): Promise<void> {
  await db.rows(sql`
    UPDATE task SET lease_until = NULL, worker = NULL, failures = failures + 1 WHERE worker = ${worker}`)
}

/**
 * After the database's clock was set back: tasks that were made later than now are as due as they were then, and leases end
 * soon. Else an upload of that time, and what a worker that is gone had held, would wait for as long as the clock went back.
 */
export async function followClock(db: Queryable): Promise<void> {
  await db.rows(sql`
    UPDATE task SET run_after = run_after - greatest(created_at - now(), interval '0'), created_at = least(created_at, now()),
      lease_until = CASE WHEN lease_until IS NOT NULL
        THEN least(lease_until, now() + make_interval(secs => ${LEASE_SECONDS})) END
    WHERE created_at > now() OR lease_until > now() + 2 * make_interval(secs => ${LEASE_SECONDS})`)
}

/**
 * How many tasks of each kind wait and run, and for how long the first of those that are due has waited. Each process asks it at
 * each scrape of its figures: it reads the whole table, 24 ms of a server's processor time and 54 ms of the embedded engine's for
 * 100,000 tasks.
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
