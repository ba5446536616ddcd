// An API that dies, or whose disk fails, at each moment of an upload (F-02 and F-05 in docs/decisions/0038-faults-and-limits.md):
// the job is there with all of its files or not at all, no file is left for ever, and the request sent again is done once.

import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getJob } from '../../src/ingest/jobs.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { EVERY } from '../support/full.ts'
import { rowsLeft } from '../support/holdings.sql.ts'
import { blobsOf, callerOf, drain, settle, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let owner: Person
let pool: ParserPool
let deps: WorkDeps
let dataDir: string

beforeAll(async () => {
  app = await testApp()
  owner = await app.person()
  dataDir = app.deps.settings.dataDir
  pool = openPool({ size: 1, cacheDir: dataDir, log: app.deps.log })
  deps = { ...app.deps, parser: pool }
})
afterAll(async () => {
  await pool.close()
  await app.close()
})

/** Hears of each step before it is taken, and may throw in its place. */
type OnStep = (name: string) => void

const STEPS_OF_THE_DISK = ['mkdir', 'open', 'rename', 'rm', 'utimes'] as const

/** What is done to the disk inside the data directory, until all is restored. */
function watchDisk(onStep: OnStep): void {
  for (const name of STEPS_OF_THE_DISK) {
    const original = fs[name] as (...args: unknown[]) => Promise<unknown>
    vi.spyOn(fs, name).mockImplementation((async (...args: unknown[]) => {
      if (String(args[0]).startsWith(dataDir)) onStep(name)
      return original(...args)
    }) as never)
  }
  syncBuiltinESMExports()
}

/** Each statement, and of a transaction its beginning, its commit, and the answer to that. */
function watchDatabase(db: Db, onStep: OnStep): Db {
  const watched = (inner: Queryable): Queryable => ({
    rows: (statement) => {
      onStep(statement.text.trim().replace(/\s+/g, ' ').slice(0, 40))
      return inner.rows(statement)
    },
  })
  return {
    ...db,
    ...watched(db),
    tx: async (work) => {
      onStep('begin')
      const result = await db.tx(async (tx) => {
        const done = await work(watched(tx))
        onStep('commit')
        return done
      })
      onStep('committed')
      return result
    },
  }
}

interface Upload {
  workspaceId: string
  key: string
  files: Record<string, string>
}

const another = async (): Promise<Upload> => ({
  workspaceId: await app.workspace(owner),
  key: randomUUID(),
  files: { 'a.md': `# Pumps\n\n${randomUUID()}`, 'b.md': `# Basins\n\n${randomUUID()}` },
})

const send = ({ workspaceId, key, files }: Upload, db = deps.db) =>
  upload({ ...deps, db }, owner, workspaceId, files, { key })

/** The steps of an upload that nothing happens to. */
async function calm(): Promise<string[]> {
  const steps: string[] = []
  const note: OnStep = (name) => void steps.push(name)
  const sent = await another()
  await whileWatched(note, () => send(sent, watchDatabase(deps.db, note)))
  await drain(deps)
  return steps
}

/** The rows of the workspace that only an upload makes. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { workspace: _workspace, member: _member, ...made } = await rowsLeft(deps.db, workspaceId)
  return made
}

const WHOLE = { job: 1, job_file: 2, task: 2, idempotency: 1, activity: 1 }

/** Until the end of the test's step. */
async function whileWatched<T>(onStep: OnStep, work: () => Promise<T>): Promise<T> {
  watchDisk(onStep)
  try {
    return await work()
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
}

/** What died left neither row nor file for ever, or all; sent again it is one job that is done, as if nothing had happened. */
async function expectDoneOnce(
  sent: Upload,
  kept: string[],
  isCommitted: boolean,
  moment: string,
): Promise<void> {
  expect(await rowsOf(sent.workspaceId), moment).toEqual(isCommitted ? WHOLE : {})
  await deps.blobs.sweep(0)
  await settle(deps, dataDir)
  const left = blobsOf(dataDir).filter((blob) => !kept.includes(blob))
  expect(left.length, moment).toBe(isCommitted ? 2 : 0)
  const job = await send(sent)
  await drain(deps)
  expect((await getJob(deps, callerOf(owner), job.id)).status, moment).toBe('done')
  const { job: jobs, document } = await rowsLeft(deps.db, sent.workspaceId)
  expect([jobs, document], moment).toEqual([1, 2])
}

test('F-02: an API killed at any moment of an upload: all or nothing, and sent again it is done once', async () => {
  const steps = await calm()
  for (const moment of [
    'rename',
    'utimes',
    'INSERT INTO job ',
    'INSERT INTO job_file',
    'commit',
    'committed',
  ])
    expect(
      steps.some((step) => step.startsWith(moment)),
      `${moment} of ${steps.join(', ')}`,
    ).toBe(true)
  const last = steps.lastIndexOf('committed')
  for (let no = 0; no < steps.length; no += EVERY) {
    const sent = await another()
    const kept = blobsOf(dataDir)
    let count = 0
    // Neither this step nor any after it is taken, what would be tidied up included.
    const die: OnStep = () => {
      if (count++ >= no) throw new Error('killed by the test')
    }
    const killed = whileWatched(die, () => send(sent, watchDatabase(deps.db, die)))
    await expect(killed).rejects.toThrow('killed by the test')
    await expectDoneOnce(sent, kept, no >= last, `killed before step ${no}, ${steps[no]}`)
  }
})

test('F-05: a disk that fails at any step of an upload: refused, nothing of it is left, and sent again it is done once', async () => {
  const steps = await calm()
  const ofDisk = steps.flatMap((step, no) => (STEPS_OF_THE_DISK.some((name) => name === step) ? [no] : []))
  expect(ofDisk.length).toBeGreaterThan(10)
  const last = steps.lastIndexOf('committed')
  for (const no of ofDisk.filter((_, at) => at % EVERY === 0)) {
    const sent = await another()
    const kept = blobsOf(dataDir)
    let count = 0
    const fail: OnStep = () => {
      if (count++ === no) throw Object.assign(new Error('the disk failed'), { code: 'EIO' })
    }
    const failed = whileWatched(fail, () => send(sent, watchDatabase(deps.db, fail)))
    await expect(failed).rejects.toThrow('the disk failed')
    await expectDoneOnce(sent, kept, no >= last, `failed at step ${no}, ${steps[no]}`)
  }
})
