// Jobs: polling and watching one, listing those of a workspace, cancelling. A job always ends as `done`, and failures are
// reported with its files.

import { setTimeout as sleep } from 'node:timers/promises'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type {
  FailedFile,
  FileProgress,
  Job,
  JobFile,
  JobProgress,
  JobSummary,
  Page,
} from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { insertTask } from '../work/queue.sql.ts'
import { foldTask } from './fold.ts'
import {
  cancelFiles,
  dismissFailed,
  type FileRow,
  type JobPosition,
  type JobRow,
  selectFailedFiles,
  selectFiles,
  selectJobs,
  selectJobWorkspace,
} from './jobs.sql.ts'
import { selectIncomplete, selectMoving, selectPace } from './progress.sql.ts'
import { jobProgress } from './progress.ts'
import { lockWorkspace } from './publish.sql.ts'

type Needs = Pick<Deps, 'db'>

const POLL_MS = 400
// Each poll sums over every file of the job, and a reindex has thousands.
const FILES_A_POLL = 1000
const SLOWEST_POLL_MS = 5000
// The queue before a job changes slowly, and reading it costs a row for each file in it.
const PACE_EVERY_MS = 4000
const FILES_A_PACE = 5000
const SLOWEST_PACE_MS = 60_000
// Includes transactions that began before the last poll and were committed after it.
const OVERLAP_SECONDS = 30
// In larger jobs a new estimate for a waiting file is not worth an event, because each event would contain all files.
const MAX_FILES_TIMED = 100

/** Anyone who may read the job's workspace may poll it. @throws ApiError 404 */
export async function getJob(deps: Needs, caller: Caller, jobId: string): Promise<Job> {
  const { files } = await readable(deps, caller, jobId, 'read')
  return { id: jobId, status: jobStatus(files), files: files.map(asFile) }
}

/** The progress of the job and of each of its files. @throws ApiError 404 */
export async function getJobProgress(deps: Needs, caller: Caller, jobId: string): Promise<JobProgress> {
  const { workspaceId, files } = await readable(deps, caller, jobId, 'read')
  const pace = await selectPace(deps.db, workspaceId, jobId)
  return jobProgress(jobStatus(files), files, pace, await selectIncomplete(deps.db, workspaceId, jobId))
}

/**
 * Sends a `progress` event at once and whenever something has changed, until the client disconnects or every file is complete,
 * which ends the stream with one `complete` event. A client that only waits for searchable files disconnects when the status is
 * `done`. The first event contains every file, later ones those that changed, because a job may have thousands.
 */
export async function* jobEvents(
  deps: Needs,
  caller: Caller,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<{ event: 'progress' | 'complete'; data: JobProgress }> {
  const sentLines: string[] = []
  let last = ''
  let pace: { at: number; value: Awaited<ReturnType<typeof selectPace>> } | undefined
  const files: FileRow[] = []
  let lookedAt: number | undefined
  while (!signal.aborted) {
    const workspaceId = await readableWorkspace(deps, caller, jobId, 'read')
    const started = performance.now()
    const since = lookedAt === undefined ? undefined : (started - lookedAt) / 1000 + OVERLAP_SECONDS
    const rows = await (since === undefined
      ? selectFiles(deps.db, workspaceId, jobId)
      : selectMoving(deps.db, workspaceId, jobId, since))
    for (const row of rows) files[row.file_no] = row
    // Read after the files, so that it includes every file that is shown as done.
    const incomplete = await selectIncomplete(deps.db, workspaceId, jobId)
    lookedAt = started
    const paceMs = slowed(PACE_EVERY_MS, files.length / FILES_A_PACE, SLOWEST_PACE_MS)
    if (!pace || performance.now() - pace.at > paceMs)
      pace = { at: performance.now(), value: await selectPace(deps.db, workspaceId, jobId) }
    const data = jobProgress(jobStatus(files), files, pace.value, incomplete)
    const changed = data.files.filter((file, no) => {
      const text = news(file, files.length)
      if (sentLines[no] === text) return false
      sentLines[no] = text
      return true
    })
    const whole = JSON.stringify([data.status, data.state, data.progress, data.remaining_seconds])
    if (changed.length > 0 || whole !== last) yield { event: 'progress', data: { ...data, files: changed } }
    if (data.state === 'complete') return yield { event: 'complete', data: { ...data, files: [] } }
    last = whole
    const pause = slowed(POLL_MS, files.length / FILES_A_POLL, SLOWEST_POLL_MS)
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

const slowed = (ms: number, factor: number, most: number): number => Math.min(most, ms * Math.max(1, factor))

/** The part of a file's progress whose change is worth an event. */
function news(file: FileProgress, files: number): string {
  const { remaining_seconds: _, ...rest } = file
  return JSON.stringify(files > MAX_FILES_TIMED && file.status === 'queued' ? rest : file)
}

/** A page of the workspace's jobs, newest first. */
export async function listJobs(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<JobSummary>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['jobs', workspaceId, principal(caller)]
  const { rows, ...next } = await readPage(
    deps,
    binding,
    query,
    (before: JobPosition | undefined, limit) => selectJobs(deps.db, workspaceId, { before, limit }),
    (row) => ({ at: row.position, id: row.id }),
  )
  return { data: rows.map(asSummary), ...next }
}

/** Files that could not be read recently, for people who did not see the failure. @throws ApiError 404 */
export async function listFailedFiles(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
): Promise<Page<FailedFile>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const rows = await selectFailedFiles(deps.db, workspaceId)
  const data = rows.map(({ failed_at, ...row }) => ({ ...row, failed_at: failed_at.toISOString() }))
  return { data, has_more: false, next_cursor: null }
}

/** Removes files from that list until they fail again. Names that are not on it are ignored. @throws ApiError 404, 403 */
export async function dismissFailedFiles(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  filenames: readonly string[],
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  await dismissFailed(deps.db, workspaceId, filenames)
}

/**
 * Cancels what is not yet searchable. The files become `failed` as cancelled, a running parser is killed within a second, and
 * nothing incomplete remains. Searchable documents stay, and a job that is done does not change.
 * @throws ApiError 404, 403
 */
export async function cancelJob(deps: Needs, caller: Caller, jobId: string): Promise<void> {
  const { workspaceId } = await readable(deps, caller, jobId, 'edit')
  await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const ended = await cancelFiles(tx, workspaceId, { jobId })
    if (ended > 0) await insertTask(tx, foldTask(workspaceId))
  })
}

async function readable(
  deps: Needs,
  caller: Caller,
  jobId: string,
  need: 'read' | 'edit',
): Promise<{ workspaceId: string; files: FileRow[] }> {
  const workspaceId = await readableWorkspace(deps, caller, jobId, need)
  return { workspaceId, files: await selectFiles(deps.db, workspaceId, jobId) }
}

async function readableWorkspace(
  deps: Needs,
  caller: Caller,
  jobId: string,
  need: 'read' | 'edit',
): Promise<string> {
  const workspaceId = await selectJobWorkspace(deps.db, jobId)
  if (!workspaceId) throw notFound()
  await requireWorkspace(deps, caller, workspaceId, need)
  return workspaceId
}

/** `queued` until a worker has begun a file, `done` when every file is done or failed. */
export function jobStatus(files: Pick<FileRow, 'status'>[]): Job['status'] {
  const ended = files.filter(({ status }) => status === 'done' || status === 'failed').length
  const running = files.filter(({ status }) => status === 'running').length
  return statusOf(files.length, ended, running)
}

function statusOf(all: number, ended: number, running: number): Job['status'] {
  if (ended === all) return 'done'
  return ended > 0 || running > 0 ? 'running' : 'queued'
}

/**
 * A job as the 202 response shows it: always `queued`, since the first poll shows its real state (spec, "States and
 * transitions").
 */
export const queuedJob = (id: string, filenames: string[]): Job => ({
  id,
  status: 'queued',
  files: filenames.map((filename) => ({ filename, status: 'queued' })),
})

const asFile = (row: FileRow): JobFile => ({
  filename: row.path,
  status: row.status,
  ...(row.status === 'done' ? { document_id: row.document_id } : {}),
  ...(row.error === null ? {} : { error: row.error }),
})

const asSummary = (row: JobRow): JobSummary => ({
  id: row.id,
  kind: row.kind,
  status: statusOf(row.file_count, row.done_count + row.failed_count, row.running_count),
  created_at: row.created_at.toISOString(),
  file_count: row.file_count,
  done_count: row.done_count,
  failed_count: row.failed_count,
})
