// A worker process that is stopped (SIGSTOP) beyond its lease while another takes over, and then resumes (F-10): its writes are
// rejected, even if it was stopped inside a transaction while holding the workspace's lock.

import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getJob } from '../../src/ingest/jobs.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { FULL } from '../support/full.ts'
import { expireLeases, type Holdings, holdings } from '../support/holdings.sql.ts'
import { callerOf, drain, samples, settle, upload, type WorkDeps } from '../support/ingest.ts'
import { program } from '../support/program.ts'

const onLinux = test.skipIf(process.platform !== 'linux')
const [sample] = await samples()
const NEVER = '(?!)'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let wanted: Holdings

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  pool = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  deps = { ...app.deps, embedder: async () => ({ kind: 'none' as const }), parser: pool }
  const { workspaceId } = await start()
  await drain(deps)
  await settle(deps, app.deps.settings.dataDir)
  wanted = await holdings(deps.db, workspaceId)
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

async function start(by = owner): Promise<{ workspaceId: string; jobId: string }> {
  const workspaceId = await app.workspace(by)
  const [name, bytes] = sample ?? ['', '']
  const job = await upload(deps, by, workspaceId, { [name]: bytes })
  return { workspaceId, jobId: job.id }
}

function startWorker(name: string, pattern: string): ChildProcess {
  const args = [JSON.stringify(app.connection), app.deps.settings.dataDir, name, pattern]
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  return fork(program('zombie-worker'), args, { execArgv: [], stdio: [...stdio] })
}

async function untilStopped({ pid }: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')) return
    await sleep(50)
  }
  throw new Error('the worker was not stopped within a minute')
}

/** Has a worker go on that was stopped, and end. */
async function goOn(child: ChildProcess): Promise<void> {
  process.kill(child.pid ?? 0, 'SIGCONT')
  // It finds its task gone, looks for more, finds none; then it is told to end.
  await sleep(500)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.send('stop')
  expect(await gone).toBe(0)
}

/** Workers of which each stops before a statement that matches its pattern, all at once; another does the work meanwhile. */
async function stoppedAt(patterns: readonly string[]): Promise<void> {
  const jobs: { workspaceId: string; jobId: string }[] = []
  for (const _ of patterns) jobs.push(await start())
  const children = patterns.map((pattern) => {
    const name = randomUUID()
    return { name, child: startWorker(name, pattern) }
  })
  try {
    await Promise.all(children.map(({ child }) => untilStopped(child)))
    for (const { name } of children) await expireLeases(deps.db, name)
    await drain(deps)
    for (const { jobId } of jobs) expect((await getJob(deps, callerOf(owner), jobId)).status).toBe('done')
    await Promise.all(children.map(({ child }) => goOn(child)))
  } finally {
    for (const { child } of children) child.kill('SIGKILL')
  }
  await settle(deps, app.deps.settings.dataDir)
  for (const { workspaceId } of jobs) expect(await holdings(deps.db, workspaceId)).toEqual(wanted)
}

const betweenStatements = [
  'FROM job_file f\\s+JOIN job',
  'UPDATE job_file f SET status',
  'INSERT INTO version ',
  'INSERT INTO chunk ',
  'UPDATE version SET lex',
]

onLinux('F-10: stopped at once between their statements, continued when another has done the work', () =>
  // Three in the gate, nine in the full suite: each is a process.
  stoppedAt(FULL ? [...betweenStatements, ...betweenStatements.slice(1)] : betweenStatements.slice(1, 4)),
)

onLinux(
  'F-10: stopped inside the transaction that publishes, with its locks, continued when another has done the work',
  () => stoppedAt(['INSERT INTO document ']),
)

// It waits for a lease of 30 s.
test.runIf(FULL && process.platform === 'linux')(
  'F-01: killed where nobody restarts it: another resumes within 45 s, behind what was parsed',
  async () => {
    // Somebody who holds the file nowhere else: what is gone on with can only be what the dead worker kept.
    const stranger = await app.person()
    const { jobId } = await start(stranger)
    const dead = startWorker(randomUUID(), 'INSERT INTO chunk ')
    await untilStopped(dead)
    dead.kill('SIGKILL')
    const killed = performance.now()
    const other = startWorker(randomUUID(), NEVER)
    try {
      while ((await getJob(deps, callerOf(stranger), jobId)).status !== 'done') {
        expect(performance.now() - killed).toBeLessThan(45_000)
        await sleep(500)
      }
      const told = once(other, 'message')
      other.send('stop')
      const [parsed] = await told
      expect(parsed).toBe(0)
    } finally {
      other.kill('SIGKILL')
    }
  },
)
