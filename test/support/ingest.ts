// Ingestion under a test's control: uploads, tasks run one after the other to their end, something happening before the
// n-th call to the database, and what a workspace then holds.

import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as app from '../../src/app.ts'
import type { Caller } from '../../src/auth/caller.ts'
import type { Job, OnConflict } from '../../src/contract/resources.ts'
import { getJob } from '../../src/ingest/jobs.ts'
import { removeUnreferencedBlobs } from '../../src/ingest/sweep.ts'
import { uploadFiles } from '../../src/ingest/uploads.ts'
import { openAdmission } from '../../src/ports/admission/admission.ts'
import type { Db } from '../../src/ports/db/db.ts'
import type { Deps } from '../../src/ports/deps.ts'
import type { ParsedDocument } from '../../src/reader/block.ts'
import type { ParserPool } from '../../src/reader/pool.ts'
import type { ParseJob } from '../../src/reader/task.ts'
import * as attempt from '../../src/work/attempt.ts'
import type { Slot, Work } from '../../src/work/handler.ts'
import { claimTask, releaseWorker, selectLostTasks, type Task } from '../../src/work/queue.sql.ts'
import * as worker from '../../src/work/worker.ts'
import type { Person } from './app.ts'
import { makeDocx, wordParagraph, wordTable } from './files/office.ts'
import { makePdf, prose } from './files/pdf.ts'

/** Most tests run no source and no webhook, and leave out what only those need. */
export type WorkDeps = Omit<app.WorkDeps, keyof app.NetworkDeps> & Partial<app.NetworkDeps>
export const work = app.work as unknown as Work<WorkDeps>

export type Files = Record<string, string | Buffer>

/** A person as rooms see a signed-in caller. */
export const callerOf = ({ id }: Person): Caller => ({ auth: 'session', id, userId: id, scopes: [] })

/** `onConflict`: what becomes of other files at these names; without it their texts decide. */
export async function upload(
  deps: Pick<Deps, 'db' | 'blobs' | 'log'> & Partial<Pick<Deps, 'admission'>>,
  person: Person,
  workspaceId: string,
  files: Files,
  { key, onConflict }: { key?: string | undefined; onConflict?: OnConflict | undefined } = {},
): Promise<Job> {
  async function* parts() {
    for (const [filename, bytes] of Object.entries(files))
      yield { filename, stream: Readable.from([Buffer.from(bytes)]) }
  }
  return uploadFiles({ admission: openAdmission(), ...deps }, callerOf(person), workspaceId, {
    parts: parts(),
    idempotencyKey: key,
    onConflict,
  })
}

/** Reads each file once and then remembers: where a test is not about parsing. */
export function rememberingParser(pool: Pick<ParserPool, 'parse'>): Pick<ParserPool, 'parse'> {
  const read = new Map<string, Promise<ParsedDocument>>()
  return {
    parse: async (job: ParseJob) => {
      const result = read.get(job.path) ?? pool.parse(job)
      read.set(job.path, result)
      return structuredClone(await result)
    },
  }
}

/** A worker of the service. */
export const runWorker = (deps: WorkDeps, options: worker.WorkerOptions): Promise<void> =>
  worker.runWorker(deps, work, options)

/** A claimed task as a worker of the service runs it. */
export const runTask = (
  deps: WorkDeps,
  task: Task,
  signal = new AbortController().signal,
  slot?: Slot,
): Promise<void> => attempt.runTask(deps, work.handlers, { task, signal, slot })

/** Runs due tasks, one at a time, until none is left; returns how many. */
export async function drain(deps: WorkDeps, name = 'calm'): Promise<number> {
  for (let count = 0; ; count++) {
    const task = await claimTask(deps.db, name)
    if (!task) return count
    await runTask(deps, task)
  }
}

/** Uploads files and reads them; returns the id of each one's document by its name. */
export async function uploaded(
  deps: WorkDeps,
  person: Person,
  workspaceId: string,
  files: Files,
): Promise<Map<string, string>> {
  const { id } = await upload(deps, person, workspaceId, files)
  await drain(deps)
  const job = await getJob(deps, callerOf(person), id)
  return new Map(job.files.map(({ filename, document_id }) => [filename, document_id ?? '']))
}

/** What the minute's and the hour's rounds do, for blobs of any age, and the tasks that follow. */
export async function settle(deps: WorkDeps, dataDir: string): Promise<void> {
  for (const { everyMinutes, run } of work.sweeps) if (everyMinutes === 1) await run(deps)
  await drain(deps)
  ageBlobs(dataDir)
  await removeUnreferencedBlobs(deps)
}

/** As if they had been kept two hours ago: younger ones are left alone, since an upload that runs has no row yet. */
export function ageBlobs(dataDir: string): void {
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const entry of readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), old, old)
}

export const blobsOf = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.parentPath.slice(-2) + entry.name)
    .sort()

/** The database; before each statement or transaction `onCall` hears its number, from 1, and may throw in its place. */
function watched(db: Db, onCall: (no: number) => Promise<void>): Db {
  let calls = 0
  return {
    ...db,
    rows: async (statement) => {
      await onCall(++calls)
      return db.rows(statement)
    },
    tx: async (work) => {
      await onCall(++calls)
      return db.tx(work)
    },
  }
}

/** Undisturbed, its calls counted. */
export function counted(db: Db): { db: Db; calls: () => number } {
  let calls = 0
  const count = async (no: number): Promise<void> => {
    calls = no
  }
  return { db: watched(db, count), calls: () => calls }
}

/** Before the n-th call something else happens, and then the call. */
export const disturbedBefore = (db: Db, n: number, happen: () => Promise<void>): Db =>
  watched(db, async (no) => {
    if (no === n) await happen()
  })

/** The worker dies before its n-th call: neither that nor any after it reaches the database. */
export const killedBefore = (db: Db, n: number): Db =>
  watched(db, async (no) => {
    if (no >= n) throw new Error('killed by the test')
  })

const silentLog: Deps['log'] = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Runs due tasks, one at a time, each on the same disturbed database, until one is left undone or none is due. What the
 * worker of that name then still holds is free again, as after its restart.
 */
export async function runDisturbed(deps: WorkDeps, db: Db, name: string): Promise<void> {
  for (;;) {
    const task = await claimTask(deps.db, name)
    if (!task) break
    await runTask({ ...deps, db, log: silentLog }, task)
    if ((await selectLostTasks(deps.db, [task])).length === 0) break
  }
  await releaseWorker(deps.db, name)
}

/**
 * Four small files of four kinds, with names for the graph; the Markdown takes several batches of chunks, and
 * is too small for vectors (50 chunks). */
export async function samples(): Promise<[name: string, bytes: Buffer][]> {
  const facts = 'Ingrid Solheim works for Halden Harbour Ltd. Halden Harbour Ltd is based in Norway.'
  const section = (no: number): string => `## Berth ${no}\n\nPump BW-${no} feeds basin ${no}. ${facts}`
  const markdown = `# Manual\n\n${Array.from({ length: 40 }, (_, no) => section(no)).join('\n\n')}`
  const table = wordTable([
    ['Pump', 'Lead time'],
    ['BW-1', '12 days'],
  ])
  return [
    ['manual.md', Buffer.from(markdown)],
    ['pumps.csv', Buffer.from('pump,owner\nBW-1,Halden Harbour Ltd\nBW-2,Halden Harbour Ltd\n')],
    ['letter.docx', await makeDocx(wordParagraph(facts) + table)],
    ['report.pdf', makePdf([prose([facts, 'The pumps were replaced.']), prose(['A second page.'])])],
  ]
}
