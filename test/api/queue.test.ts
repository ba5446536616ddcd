// The task queue on a real database: one worker per task, leases, fencing, fairness between workspaces.

import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { foldTask } from '../../src/ingest/fold.ts'
import { insertFileTasks } from '../../src/ingest/jobs.sql.ts'
import type { FileTask } from '../../src/ingest/task.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import {
  absorbTasks,
  claimTask,
  endRound,
  extendLease,
  extendLeases,
  finishTask,
  followClock,
  insertTask,
  releaseAsLong,
  releaseTask,
  releaseWorker,
  type Task,
  takeBackFailure,
} from '../../src/work/queue.sql.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertLargeJob } from '../support/rows.sql.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
})
afterAll(async () => {
  await db.close()
  await database.close()
})
beforeEach(async () => {
  await db.rows(sql`DELETE FROM task`)
})

async function workspace(): Promise<string> {
  const id = randomUUID()
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  return id
}

/** In the order of their numbers: the embedded engine's clock counts in ms, and two of one ms have none. */
async function ingest(workspaceId: string, no: number): Promise<void> {
  await insertTask(db, {
    workspaceId,
    kind: 'ingest',
    priority: 'userVisible',
    subject: { job_id: 'j', file_no: no },
  })
  await db.rows(sql`
    UPDATE task SET run_after = run_after - interval '1 s' + ${no} * interval '2 ms'
    WHERE workspace_id = ${workspaceId} AND subject = ${JSON.stringify({ job_id: 'j', file_no: no })}::jsonb`)
}

const expire = (task: Task) =>
  db.rows(sql`UPDATE task SET lease_until = now() - interval '1 s' WHERE id = ${task.id}`)

async function claimAll(worker = 'w'): Promise<FileTask[]> {
  const tasks: FileTask[] = []
  for (let task = await claimTask(db, worker); task; task = await claimTask(db, worker)) tasks.push(task)
  return tasks
}

test('F-10: forty tasks and eight hasty workers: each task is claimed once', async () => {
  const id = await workspace()
  for (let no = 0; no < 40; no++) await ingest(id, no)
  const claimed = (await Promise.all(Array.from({ length: 8 }, (_, i) => claimAll(`w${i}`)))).flat()
  expect(claimed.map(({ subject }) => subject.file_no).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 40 }, (_, i) => i),
  )
})

test('F-10: a lease that ran out is taken over, and the first holder can neither extend, finish nor release', async () => {
  await ingest(await workspace(), 0)
  const first = await claimTask(db, 'a')
  expect(await claimTask(db, 'b')).toBeUndefined()
  if (!first) throw new Error('nothing claimed')
  await expire(first)
  const second = await claimTask(db, 'b')
  expect(second).toMatchObject({ id: first.id, attempt: 2, failures: 1 })
  expect(await extendLease(db, first)).toBe(false)
  expect(await finishTask(db, first)).toBe(false)
  await releaseTask(db, first, 0, true)
  expect(await claimTask(db, 'c')).toBeUndefined()
  expect(second && (await finishTask(db, second))).toBe(true)
})

test('what a worker holds it does not take over from itself, and whoever was taken over while it lived says so', async () => {
  const id = await workspace()
  for (let no = 0; no < 2; no++) await ingest(id, no)
  const held = await claimTask(db, 'a')
  if (!held) throw new Error('nothing claimed')
  await expire(held)
  expect(await claimTask(db, 'a', { fairness: false, heldTaskIds: [held.id] })).toMatchObject({
    subject: { file_no: 1 },
  })
  expect(await claimTask(db, 'a', { fairness: false, heldTaskIds: [held.id] })).toBeUndefined()
  await ingest(id, 2)
  // Its workspace is one that somebody is at, though the lease has run out.
  await db.rows(sql`UPDATE task SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`)
  const mine = (await db.rows<Task>(sql`SELECT id FROM task WHERE lease_until IS NOT NULL`)).map((t) => t.id)
  expect(await claimTask(db, 'a', { fairness: true, heldTaskIds: mine })).toBeUndefined()

  // The others are not to be had, so that no turn decides which is taken.
  await db.rows(sql`UPDATE task SET lease_until = now() + interval '1 h' WHERE id <> ${held.id}`)
  const taken = await claimTask(db, 'b')
  expect(taken).toMatchObject({ id: held.id, attempt: 2, failures: 1 })
  if (taken) await takeBackFailure(db, taken)
  expect(await failuresOf(held)).toBe(1)
  await takeBackFailure(db, held)
  expect(await failuresOf(held)).toBe(0)
})

const failuresOf = async ({ id }: Task): Promise<number | undefined> =>
  (await db.rows<Task>(sql`SELECT failures FROM task WHERE id = ${id}`))[0]?.failures

test('a heartbeat extends what is still held', async () => {
  const id = await workspace()
  for (let no = 0; no < 3; no++) await ingest(id, no)
  const tasks = await claimAll()
  const [first, second] = tasks
  if (!first || !second) throw new Error('nothing claimed')
  for (const task of tasks) await expire(task)
  const again = await claimTask(db, 'b')
  await extendLeases(db, tasks)
  expect(again?.id).toBe(first.id)
  const left = await db.rows<{ worker: string }>(sql`
    SELECT worker FROM task WHERE lease_until > now() + interval '20 s' ORDER BY worker`)
  // What was taken over has the lease that the other took.
  expect(left.map(({ worker }) => worker)).toEqual(['b', 'w', 'w'])
  expect(await finishTask(db, first)).toBe(false)
})

test('a task given back untried keeps its count, a failed one is tried later', async () => {
  await ingest(await workspace(), 0)
  const first = await claimTask(db, 'a')
  if (!first) throw new Error('nothing claimed')
  await releaseTask(db, first, 0, false)
  const again = await claimTask(db, 'a')
  expect(again).toMatchObject({ attempt: 2, failures: 0 })
  if (again) await releaseTask(db, again, 60, true)
  expect(await claimTask(db, 'a')).toBeUndefined()
})

test('a round that ended counts neither as a claim nor do failures before it', async () => {
  await ingest(await workspace(), 0)
  await claimTask(db, 'a')
  await releaseWorker(db, 'a')
  const task = await claimTask(db, 'a')
  expect(task).toMatchObject({ attempt: 2, failures: 1 })
  if (task) await endRound(db, task)
  expect(await claimTask(db, 'a')).toMatchObject({ attempt: 3, failures: 0, subject: { excused: 1 } })
})

test('F-12: the small file of one workspace does not wait for the twenty of another', async () => {
  const [large, small] = [await workspace(), await workspace()]
  for (let no = 0; no < 20; no++) await ingest(large, no)
  await claimTask(db, 'w')
  await ingest(small, 0)
  expect((await claimTask(db, 'w'))?.workspace_id).toBe(small)
})

test('a restarted worker takes back what its name held', async () => {
  await ingest(await workspace(), 0)
  await claimTask(db, 'host:1')
  await releaseWorker(db, 'host:2')
  expect(await claimTask(db, 'host:2')).toBeUndefined()
  await releaseWorker(db, 'host:1')
  expect(await claimTask(db, 'host:1')).toMatchObject({ attempt: 2, failures: 1 })
})

test('F-09: once the clock was set back, nobody waits until it is as late again: neither for what is due nor for a lost lease', async () => {
  const [here, there] = [await workspace(), await workspace()]
  await ingest(here, 0)
  await ingest(there, 0)
  const lost = await claimTask(db, 'lost')
  expect(lost).toBeDefined()
  // All of it was an hour from now.
  await db.rows(sql`
    UPDATE task SET created_at = created_at + interval '1 hour', run_after = run_after + interval '1 hour',
      lease_until = lease_until + interval '1 hour'`)
  expect(await claimTask(db, 'next')).toBeUndefined()
  await followClock(db)
  const due = await claimTask(db, 'next')
  expect(due && due.id !== lost?.id).toBe(true)
  const [lease] = await db.rows<{ isShort: boolean }>(sql`
    SELECT lease_until <= now() + interval '30 s' AS "isShort" FROM task WHERE id = ${lost?.id}`)
  expect(lease).toEqual({ isShort: true })
  // What was made a day ago and is given back now is told by when it was given back.
  await db.rows(sql`UPDATE task SET created_at = now() - interval '1 day' WHERE id = ${due?.id}`)
  if (due) await releaseTask(db, due, 0, true)
  await db.rows(sql`
    UPDATE task SET created_at = created_at + interval '1 hour', run_after = run_after + interval '1 hour' WHERE id = ${due?.id}`)
  await followClock(db)
  const again = await claimTask(db, 'next')
  expect(again?.id).toBe(due?.id)
  // What is to be tried later still is.
  if (again) await releaseTask(db, again, 600, true)
  await followClock(db)
  expect(await claimTask(db, 'next')).toBeUndefined()
})

test('a round of folding takes those that wait with it, not those of other workspaces', async () => {
  const [id, other] = [await workspace(), await workspace()]
  await insertTask(db, foldTask(id))
  const running = await claimTask(db, 'w')
  for (let i = 0; i < 5; i++) await insertTask(db, foldTask(id))
  await insertTask(db, foldTask(other))
  if (running) await absorbTasks(db, running)
  expect((await claimAll()).map(({ workspace_id }) => workspace_id)).toEqual([other])
  expect(running && (await finishTask(db, running))).toBe(true)
})

test('a fold comes behind the files for some seconds, then before them', async () => {
  const id = await workspace()
  await insertTask(db, foldTask(id))
  for (let no = 0; no < 2; no++) await ingest(id, no)
  await insertTask(db, { workspaceId: id, kind: 'graph', priority: 'derived', subject: {} })
  expect((await claimTask(db, 'w'))?.kind).toBe('ingest')
  await db.rows(sql`UPDATE task SET run_after = now() - interval '21 s' WHERE kind = 'fold'`)
  expect((await claimTask(db, 'w'))?.kind).toBe('fold')
  await insertTask(db, foldTask(id))
  expect((await claimAll()).map(({ kind }) => kind)).toEqual(['ingest', 'fold', 'graph'])
})

test('while a file is read here, graphs and young folds stay back, for minutes at most', async () => {
  const id = await workspace()
  const busy = { fairness: false, userVisibleFirst: true }
  await insertTask(db, foldTask(id))
  await insertTask(db, { workspaceId: id, kind: 'graph', priority: 'derived', subject: {} })
  expect(await claimTask(db, 'w', busy)).toBeUndefined()
  await ingest(id, 0)
  expect((await claimTask(db, 'w', busy))?.kind).toBe('ingest')
  await db.rows(sql`UPDATE task SET run_after = now() - interval '21 s' WHERE kind <> 'ingest'`)
  expect((await claimTask(db, 'w', busy))?.kind).toBe('fold')
  expect(await claimTask(db, 'w', busy)).toBeUndefined()
  await db.rows(sql`UPDATE task SET run_after = now() - interval '3 min' WHERE kind = 'graph'`)
  expect((await claimTask(db, 'w', busy))?.kind).toBe('graph')
})

test('what has waited for minutes comes first, whatever its kind', async () => {
  const id = await workspace()
  await insertTask(db, { workspaceId: id, kind: 'purge', priority: 'background', subject: {} })
  await db.rows(sql`UPDATE task SET run_after = now() - interval '3 min'`)
  for (let no = 0; no < 3; no++) await ingest(id, no)
  expect((await claimTask(db, 'w'))?.kind).toBe('purge')
})

test('files that waited for minutes do not go before the fresh one of another workspace', async () => {
  const [large, small] = [await workspace(), await workspace()]
  for (let no = 0; no < 20; no++) await ingest(large, no)
  await db.rows(sql`UPDATE task SET run_after = now() - interval '10 min'`)
  await claimTask(db, 'w')
  await ingest(small, 0)
  expect((await claimTask(db, 'w'))?.workspace_id).toBe(small)
})

test('workspaces with work take turns, and each goes through its own in order', async () => {
  const ids = [await workspace(), await workspace(), await workspace()]
  for (let no = 0; no < 4; no++) for (const id of ids) await ingest(id, no)
  const claimed = await claimAll()
  for (let round = 0; round < 4; round++) {
    const turn = claimed.slice(round * 3, round * 3 + 3)
    expect(turn.map(({ workspace_id }) => workspace_id).sort()).toEqual([...ids].sort())
    expect(turn.map(({ subject }) => subject.file_no)).toEqual([round, round, round])
  }
})

test('the files of a job are taken in the order of the upload', async () => {
  const id = await workspace()
  await insertLargeJob(db, { workspaceId: id, id: 'ordered', createdBy: id, files: 30 })
  await insertFileTasks(db, id, 'ordered')
  expect((await claimAll()).map(({ subject }) => subject.file_no)).toEqual(
    Array.from({ length: 30 }, (_, no) => no),
  )
})

test('a fairness slot takes a file only of a workspace that nobody is at', async () => {
  const [busy, fresh] = [await workspace(), await workspace()]
  for (let no = 0; no < 3; no++) await ingest(busy, no)
  await claimTask(db, 'w')
  await insertTask(db, foldTask(fresh))
  expect(await claimTask(db, 'w', { fairness: true })).toBeUndefined()
  await ingest(fresh, 0)
  expect(await claimTask(db, 'w', { fairness: true })).toMatchObject({ workspace_id: fresh, kind: 'ingest' })
  expect(await claimTask(db, 'w', { fairness: true })).toBeUndefined()
})

test('a fairness slot leaves what takes long: files that are large, and those that had their turn', async () => {
  const [large, small, slow] = [await workspace(), await workspace(), await workspace()]
  const files = async (id: string, bytes: number): Promise<void> => {
    await insertLargeJob(db, { workspaceId: id, id: 'job', createdBy: id, files: 2, bytes })
    await insertFileTasks(db, id, 'job')
  }
  await files(large, 5_000_000)
  await files(small, 100)
  await ingest(slow, 0)
  const newcomer = () => claimTask(db, 'w', { fairness: true })
  const first = await newcomer()
  // The embedded engine's clock counts in ms: two claims of one ms would have been served at the same time.
  await db.rows(sql`UPDATE workspace SET served_at = served_at - interval '2 ms'`)
  const second = await newcomer()
  expect([first?.workspace_id, second?.workspace_id].sort()).toEqual([small, slow].sort())
  expect(await newcomer()).toBeUndefined()
  const turned = first?.workspace_id === slow ? first : second
  if (turned) await releaseAsLong(db, turned)
  expect(await newcomer()).toBeUndefined()
  const others = [await claimTask(db, 'w'), await claimTask(db, 'w')]
  expect(others.map((task) => task?.workspace_id).sort()).toEqual([large, slow].sort())
  expect(others.find((task) => task?.workspace_id === slow)).toMatchObject({
    failures: 0,
    attempt: 2,
    subject: { long: true, excused: 1 },
  })
})

test('a claim walks the index of the queue: no table is read whole and nothing due is sorted', async () => {
  const ids = [await workspace(), await workspace(), await workspace()]
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), id, 'ingest', '{}', 1
    FROM unnest(${ids}::uuid[]) AS id CROSS JOIN generate_series(1, 3000)`)
  await db.rows(sql`ANALYZE task`)
  const plan = await claimPlan()
  expect(plan.filter((line) => /Seq Scan on task/.test(line))).toEqual([])
  expect(plan.filter((line) => /using task_turn on task/.test(line)).length).toBeGreaterThanOrEqual(4)
  await db.rows(sql`DELETE FROM task`)
})

/** The plan that the function keeps: that of its statement for parameters of any value. */
const claimPlan = (): Promise<string[]> =>
  db.tx(async (tx) => {
    const [found] = await tx.rows<{ source: string; names: string[] }>(sql`
      SELECT prosrc AS source, proargnames[1:pronargs] AS names FROM pg_proc
      WHERE oid = 'claim_task'::regproc`)
    const [, body = ''] = /RETURN QUERY (.+);\s*END/s.exec(found?.source ?? '') ?? []
    const statement = (found?.names ?? []).reduce(
      (text, name, i) => text.replace(new RegExp(`(?<!['\\w])${name}(?!['\\w])`, 'g'), `$${i + 1}`),
      body.replace(/--.*/g, ''),
    )
    await tx.rows(sql`SET LOCAL plan_cache_mode = force_generic_plan`)
    await tx.rows(
      raw(`PREPARE claim (text, text, interval, interval, interval, int, int, uuid[]) AS ${statement}`),
    )
    const lines = await tx.rows<Record<string, string>>(
      raw(`EXPLAIN (COSTS OFF) EXECUTE claim ('w', 'any', '30 s', '120 s', '20 s', 0, 1, '{}')`),
    )
    await tx.rows(raw('DEALLOCATE claim'))
    return lines.map((line) => Object.values(line).join(''))
  })
