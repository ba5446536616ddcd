// Leases of workers that are alive but did not get to run, and a database that is unreachable for a moment: no work starts over,
// and no file fails. A task is taken over only if its holder is silent, and then the holder's writes are rejected.

import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getJob } from '../../src/ingest/jobs.ts'
import type { ParseJob } from '../../src/reader/task.ts'
import { keepLeasesInThread } from '../../src/work/leases.ts'
import { claimTask, finishTask } from '../../src/work/queue.sql.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { expireLeases, holdings, taskStates } from '../support/holdings.sql.ts'
import { callerOf, drain, runWorker, upload, type WorkDeps } from '../support/ingest.ts'
import { program } from '../support/program.ts'

let app: TestApp
let owner: Person
let deps: WorkDeps
/** Called for each file that a parser is given; resolves when it is to be read. */
let parsing: (job: ParseJob) => Promise<void> = async () => {}
const text = Array.from({ length: 60 }, (_, no) => `## Berth ${no}\n\nPump ${no} feeds basin ${no}.`)
const blocks = text.map((part) => ({ kind: 'paragraph' as const, text: part }))

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  const parse = async (job: ParseJob) => {
    await parsing(job)
    return { blocks }
  }
  // Nothing is remembered of earlier files, which say the same.
  const { cache: _, ...rest } = app.deps
  deps = { ...rest, embedder: async () => ({ kind: 'none' as const }), parser: { parse } }
})
afterAll(() => app.close())
beforeEach(async () => {
  parsing = async () => {}
  // What the test before left to be done may be claimed in place of what this one asks for.
  await drain(deps)
})

async function until(what: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await what()) return
    await sleep(50)
  }
  throw new Error('it did not come to that within a minute')
}

async function start(): Promise<{ workspaceId: string; jobId: string }> {
  const workspaceId = await app.workspace(owner)
  const job = await upload(deps, owner, workspaceId, { 'berths.md': text.join('\n\n') })
  return { workspaceId, jobId: job.id }
}

const isDone = async (jobId: string) => (await getJob(deps, callerOf(owner), jobId)).status === 'done'

/** A parser that waits to be let go; `begun` resolves with its job. */
function held(): { begun: Promise<ParseJob>; go: () => void; times: () => number } {
  let go = () => {}
  let times = 0
  const gone = new Promise<void>((resolve) => {
    go = resolve
  })
  const begun = new Promise<ParseJob>((resolve) => {
    parsing = async (job) => {
      times++
      resolve(job)
      await Promise.race([gone, once(job.signal ?? new EventTarget(), 'abort')])
      job.signal?.throwIfAborted()
    }
  })
  return { begun, go, times: () => times }
}

test('F-10: a worker whose lease expired unnoticed does not take over its own task, and it counts as no failure', async () => {
  const name = randomUUID()
  const { workspaceId, jobId } = await start()
  const parser = held()
  const stop = new AbortController()
  const work = runWorker(deps, { name, concurrency: 2, signal: stop.signal })
  await parser.begun
  await expireLeases(deps.db, name)
  // Two of its looks for work, at least.
  await sleep(700)
  expect(await taskStates(deps.db, workspaceId)).toMatchObject([{ kind: 'ingest', attempt: 1, failures: 0 }])
  parser.go()
  await until(() => isDone(jobId))
  expect(parser.times()).toBe(1)
  stop.abort()
  await work
})

test('F-10: a worker that resumes after a long pause takes back the failure counted for it', async () => {
  const name = randomUUID()
  const { workspaceId } = await start()
  const parser = held()
  const stop = new AbortController()
  // It was stopped: no heartbeat comes between the lease's end and the other's claim.
  const leases = { hold() {}, async close() {} }
  const work = runWorker(deps, { name, concurrency: 1, leases, signal: stop.signal })
  await parser.begun
  await expireLeases(deps.db, name)
  const taken = await claimTask(deps.db, 'another')
  expect(taken).toMatchObject({ attempt: 2, failures: 1 })
  // It notices that its task is another's, stops its parser, and says that it lives.
  await until(async () => (await taskStates(deps.db, workspaceId))[0]?.failures === 0)
  expect(taken && (await finishTask(deps.db, taken))).toBe(true)
  stop.abort()
  await work
})

const away = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })

test('F-06: a full disk does not fail any file: they are read once there is space', async () => {
  const { workspaceId, jobId } = await start()
  let tries = 0
  parsing = async () => {
    if (tries++ < 25) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  let longest = 0
  for (let no = 0; no < 25; no++) {
    await drain(deps)
    expect(await taskStates(deps.db, workspaceId)).toMatchObject([{ kind: 'ingest', failures: 0 }])
    const [waits] = await deps.db.rows<{ seconds: number }>(sql`
      SELECT extract(epoch FROM run_after - now())::int AS seconds FROM task WHERE workspace_id = ${workspaceId}`)
    longest = Math.max(longest, waits?.seconds ?? 0)
    await deps.db.rows(sql`UPDATE task SET run_after = now() WHERE workspace_id = ${workspaceId}`)
  }
  await drain(deps)
  // What never fits must not fill the disk three times a minute for good.
  expect(longest).toBeGreaterThan(60)
  expect(longest).toBeLessThanOrEqual(300)
  expect(tries).toBe(26)
  expect(await isDone(jobId)).toBe(true)
})

test('F-04: no report of progress ends a parser while the database is away, and none piles up behind another', async () => {
  const { jobId } = await start()
  let reports = 0
  let atOnce = 0
  let most = 0
  const db: WorkDeps['db'] = {
    ...deps.db,
    rows: async (statement) => {
      if (!statement.text.includes('UPDATE job_file f SET status')) return deps.db.rows(statement)
      most = Math.max(most, ++atOnce)
      reports++
      await sleep(20)
      atOnce--
      throw away()
    },
  }
  parsing = async ({ onProgress, signal }) => {
    for (let share = 0; share < 1; share += 0.02) {
      onProgress?.(share)
      await sleep(25)
    }
    signal?.throwIfAborted()
  }
  await drain({ ...deps, db })
  expect(await isDone(jobId)).toBe(true)
  expect(reports).toBeGreaterThan(2)
  expect(most).toBe(1)
})

test.each(['before', 'after'])(
  'F-05: an answer that is lost %s the database did what it says costs a repetition, not the attempt',
  async (when) => {
    const calm = await start()
    await drain(deps)
    const { workspaceId, jobId } = await start()
    const failed = new Set<string>()
    /** Each of these fails once. */
    const kinds = ['INSERT INTO chunk ', 'UPDATE version SET lex', 'publish']
    const once = async <T>(text: string, work: () => Promise<T>): Promise<T> => {
      const kind = kinds.find((part) => text.includes(part) && !failed.has(part))
      if (!kind) return work()
      failed.add(kind)
      if (when === 'after') await work()
      throw away()
    }
    let writing = false
    const db: WorkDeps['db'] = {
      ...deps.db,
      rows: (statement) => {
        writing ||= statement.text.includes('UPDATE version SET lex')
        return once(statement.text, () => deps.db.rows(statement))
      },
      tx: (work) => once(writing ? 'publish' : '', () => deps.db.tx(work)),
    }
    let attempts = 0
    parsing = async () => void attempts++
    await drain({ ...deps, db })
    expect([...failed].sort()).toEqual([...kinds].sort())
    expect(attempts).toBe(1)
    expect(await isDone(jobId)).toBe(true)
    await drain(deps)
    expect(await holdings(deps.db, workspaceId)).toEqual(await holdings(deps.db, calm.workspaceId))
  },
)

test('a worker with a busy event loop keeps its leases, one with a blocked event loop is killed', async () => {
  const { workspaceId } = await start()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const task = await claimTask(deps.db, 'busy')
  if (!task) throw new Error('nothing claimed')
  const leases = keepLeasesInThread(app.connection, log)
  leases.hold([task])
  await expireLeases(deps.db, 'busy')
  await until(async () => (await taskStates(deps.db, workspaceId))[0]?.leased === true)
  await leases.close()
  await finishTask(deps.db, task)

  for (const way of ['computes', 'waits']) {
    const child: ChildProcess = fork(program('standing-still'), [JSON.stringify(app.connection), way], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    let said = ''
    child.stderr?.on('data', (piece) => {
      said += piece
    })
    const [, signal] = await once(child, 'close')
    const expected = expect.stringContaining('the event loop is blocked for good')
    expect([way, signal, said]).toEqual([way, 'SIGKILL', expected])
  }
})
