// The worker with kinds of tasks made for a test: what it does follows from the handler alone.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '../../src/ports/db/db.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { runTask } from '../../src/work/attempt.ts'
import type { Handler, Work, WorkerDeps } from '../../src/work/handler.ts'
import { claimTask, finishTask, insertTask, type Task } from '../../src/work/queue.sql.ts'
import { runWorker } from '../../src/work/worker.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Db
let deps: WorkerDeps
const log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  database = await testDatabase()
  db = openDb(database.connection)
  deps = { db, log }
})
afterAll(async () => {
  await db.close()
  await database.close()
})
beforeEach(async () => {
  await db.rows(sql`DELETE FROM task`)
})

const fails = (): Promise<void> => Promise.reject(new Error('as it was made to'))

/** Claims the task of a kind that the database allows, and runs it once with this handler. */
async function once(
  handler: Partial<Handler<WorkerDeps>>,
  handlers: Work<WorkerDeps>['handlers'] = { graph: { run: fails, ...handler } },
  by: WorkerDeps = deps,
): Promise<void> {
  await db.rows(sql`UPDATE task SET run_after = now()`)
  const task = await claimTask(db, 'w')
  if (!task) throw new Error('nothing claimed')
  await runTask(by, handlers, { task, signal: new AbortController().signal })
}
const queue = () =>
  insertTask(db, { workspaceId: randomUUID(), kind: 'graph', priority: 'derived', subject: {} })
const tasks = () => db.rows<Task>(sql`SELECT * FROM task`)

test('a kind without an end is tried for ever; one with an end three times, and then it ends', async () => {
  await queue()
  for (let tries = 0; tries < 5; tries++) await once({})
  expect(await tasks()).toMatchObject([{ failures: 5 }])
  const ends: (string | undefined)[] = []
  const write = async (_: unknown, __: Task, reason: string | undefined) => void ends.push(reason)
  await db.rows(sql`UPDATE task SET failures = 0`)
  for (let tries = 0; tries < 3; tries++) await once({ giveUp: { write } })
  expect(await tasks()).toEqual([])
  expect(ends).toEqual([undefined])
})

test('an error may end a task at once, with its reason, or send it to the slots for long ones', async () => {
  await queue()
  const ends: (string | undefined)[] = []
  const write = async (_: unknown, __: Task, reason: string | undefined) => void ends.push(reason)
  await once({ verdict: () => 'long', giveUp: { write } })
  expect(await tasks()).toMatchObject([{ failures: 0, subject: { long: true, excused: 1 } }])
  await once({ verdict: () => ({ giveUp: 'broken' }), giveUp: { write } })
  expect(await tasks()).toEqual([])
  expect(ends).toEqual(['broken'])
})

test('a machine that cannot do it is waited for, but not for ever if the reason stays the same', async () => {
  await queue()
  const ends: (string | undefined)[] = []
  const giveUp = {
    write: async (_: unknown, __: Task, reason: string | undefined) => void ends.push(reason),
  }
  const busy = (reason: string) =>
    once({ verdict: () => ({ busy: reason, giveUpReason: 'no_parser' }), giveUp })
  for (let tries = 0; tries < 19; tries++) await busy('code 1')
  await busy('code 2')
  expect(await tasks()).toMatchObject([
    { failures: 0, subject: { excused: 20, busy: { reason: 'code 2', times: 1 } } },
  ])
  for (let tries = 0; tries < 19; tries++) await busy('code 1')
  expect(await tasks()).toHaveLength(1)
  await busy('code 1')
  expect(await tasks()).toEqual([])
  expect(ends).toEqual(['no_parser'])
})

test('a task whose end cannot be written is not lost', async () => {
  await queue()
  await once({ verdict: () => ({ giveUp: 'broken' }), giveUp: { write: fails } })
  expect(await tasks()).toHaveLength(1)
})

test('a kind of another release is given back as often as it is claimed, untried: a worker of that release then runs it', async () => {
  const counted: string[] = []
  const metrics = { task: (kind: string, outcome: string) => void counted.push(`${kind} ${outcome}`) }
  await queue()
  for (let tries = 0; tries < 25; tries++) await once({}, {}, { ...deps, metrics: metrics as never })
  expect(counted).toEqual([])
  expect(await tasks()).toMatchObject([{ kind: 'graph', attempt: 25, failures: 0, subject: { excused: 25 } }])
  const ends: (string | undefined)[] = []
  const write = async (_: unknown, __: Task, reason: string | undefined) => void ends.push(reason)
  await once({ run: async (_, task) => void (await finishTask(db, task)), giveUp: { write } })
  expect(await tasks()).toEqual([])
  expect(ends).toEqual([])
})

test('other kinds wait while a user-visible task runs; sweeps and what is done at the start fail alone', async () => {
  const stop = new AbortController()
  const done: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const work: Work<WorkerDeps> = {
    handlers: {
      ingest: {
        userVisible: true,
        run: async (_, task) => {
          done.push('begun')
          await held
          await finishTask(db, task)
        },
      },
      graph: {
        run: async (_, task) => {
          done.push('graph')
          await finishTask(db, task)
        },
      },
    },
    atStart: [fails, async () => void done.push('start')],
    sweeps: [
      { everyMinutes: 1, run: fails },
      { everyMinutes: 60, run: async () => void done.push('swept') },
    ],
  }
  await insertTask(db, { workspaceId: randomUUID(), kind: 'ingest', priority: 'userVisible', subject: {} })
  const working = runWorker(deps, work, { name: 'w', concurrency: 2, signal: stop.signal })
  const until = async (what: string): Promise<void> => {
    while (!done.includes(what)) await sleep(20)
  }
  await until('begun')
  await queue()
  // Several looks for work.
  await sleep(1000)
  expect(done.toSorted()).toEqual(['begun', 'start', 'swept'])
  release()
  await until('graph')
  stop.abort()
  await working
})

test('what a task takes along keeps its lease with it, and no other slot claims it when that has run out unseen', async () => {
  const stop = new AbortController()
  const ran: string[] = []
  const held: string[][] = []
  const workspaceId = randomUUID()
  const queue = (subject: { name: string }) =>
    insertTask(db, { workspaceId, kind: 'graph', priority: 'derived', subject })
  let lastRan = () => {}
  const last = new Promise<void>((resolve) => {
    lastRan = resolve
  })
  const run: Handler<WorkerDeps>['run'] = async (_, task, _signal, slot) => {
    const { name } = task.subject as { name?: string }
    ran.push(name ?? '')
    if (name === 'last') lastRan()
    if (name === 'first') {
      await queue({ name: 'along' })
      const along = await claimTask(db, 'w')
      if (!along) throw new Error('nothing else is there to be claimed')
      slot.coClaim([along])
      // Before the last one: it would be the next to be claimed.
      await db.rows(sql`
        UPDATE task SET lease_until = now() - interval '1 minute', run_after = now() - interval '1 minute'
        WHERE id = ${along.id}`)
      await queue({ name: 'last' })
      await last
      await finishTask(db, along)
    }
    await finishTask(db, task)
  }
  const leases = {
    hold: (tasks: readonly { id: string }[]) => void held.push(tasks.map(({ id }) => id)),
    close: async () => {},
  }
  await queue({ name: 'first' })
  const work: Work<WorkerDeps> = { handlers: { graph: { run } }, atStart: [], sweeps: [] }
  const working = runWorker(deps, work, { name: 'w', concurrency: 2, leases, signal: stop.signal })
  await last
  while ((await db.rows(sql`SELECT 1 FROM task`)).length > 0) await sleep(20)
  stop.abort()
  await working
  expect(ran).toEqual(['first', 'last'])
  // The first alone, with what it takes along, the last beside them, and nothing in the end.
  expect(held.some((ids) => ids.length === 3)).toBe(true)
  expect(held.at(-1)).toEqual([])
})
