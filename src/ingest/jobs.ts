// Reads, watches, lists and cancels jobs. A job always ends as `done`; failures are reported for its files.

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

type JobDeps = Pick<Deps, 'db'>

const POLL_INTERVAL_MS = 400
// A poll reads every file of the job, so the pause between two polls grows with the number of files.
const FILES_PER_POLL_PAUSE = 1000
const MAX_POLL_INTERVAL_MS = 5000
// The speed and the queue (`Pace`) are read less often, because this reads a row for each queued file.
const PACE_INTERVAL_MS = 4000
const FILES_PER_PACE_PAUSE = 5000
const MAX_PACE_INTERVAL_MS = 60_000
// A poll also reads the changes of this time before the previous poll: a transaction may have begun before that poll and ended
// after it.
const POLL_OVERLAP_SECONDS = 30
// In a larger job, a new estimate for a waiting file causes no event, because each event would contain all waiting files.
const MAX_FILES_WITH_ESTIMATES = 100

/** The job with its files, for everybody who may read its workspace. @throws ApiError 404 */
export async function getJob(deps: JobDeps, caller: Caller, jobId: string): Promise<Job> {
  const { files } = await readableJob(deps, caller, jobId, 'read')
  return { id: jobId, status: jobStatus(files), files: files.map(toFile) }
}

/** The progress of the job and of each of its files. @throws ApiError 404 */
export async function getJobProgress(deps: JobDeps, caller: Caller, jobId: string): Promise<JobProgress> {
  const { workspaceId, files } = await readableJob(deps, caller, jobId, 'read')
  const pace = await selectPace(deps.db, workspaceId, jobId)
  return jobProgress(jobStatus(files), files, pace, await selectIncomplete(deps.db, workspaceId, jobId))
}

/**
 * Sends a `progress` event at once and whenever something has changed. When every file is complete, a `complete` event ends the
 * stream. A client that waits only until files are searchable disconnects when the status is `done`. The first event contains every
 * file, later events only files that have changed, because a job may have thousands.
 */
export async function* jobEvents(
  deps: JobDeps,
  caller: Caller,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<{ event: 'progress' | 'complete'; data: JobProgress }> {
  const sentLines: string[] = []
  let lastJobLine = ''
  let pace: { at: number; value: Awaited<ReturnType<typeof selectPace>> } | undefined
  const files: FileRow[] = []
  let lastPollAt: number | undefined
  while (!signal.aborted) {
    const workspaceId = await readableWorkspace(deps, caller, jobId, 'read')
    const startMs = performance.now()
    const since = lastPollAt === undefined ? undefined : (startMs - lastPollAt) / 1000 + POLL_OVERLAP_SECONDS
    const rows = await (since === undefined
      ? selectFiles(deps.db, workspaceId, jobId)
      : selectMoving(deps.db, workspaceId, jobId, since))
    for (const row of rows) files[row.file_no] = row
    // Read after `rows`, so that a file that is done in `rows` but incomplete is included.
    const incomplete = await selectIncomplete(deps.db, workspaceId, jobId)
    lastPollAt = startMs
    const paceMs = scaledPause(PACE_INTERVAL_MS, files.length / FILES_PER_PACE_PAUSE, MAX_PACE_INTERVAL_MS)
    if (!pace || performance.now() - pace.at > paceMs)
      pace = { at: performance.now(), value: await selectPace(deps.db, workspaceId, jobId) }
    const data = jobProgress(jobStatus(files), files, pace.value, incomplete)
    const changedFiles = data.files.filter((file, fileIndex) => {
      const text = comparedPart(file, files.length)
      if (sentLines[fileIndex] === text) return false
      sentLines[fileIndex] = text
      return true
    })
    const jobLine = JSON.stringify([data.status, data.state, data.progress, data.remaining_seconds])
    if (changedFiles.length > 0 || jobLine !== lastJobLine)
      yield { event: 'progress', data: { ...data, files: changedFiles } }
    if (data.state === 'complete') return yield { event: 'complete', data: { ...data, files: [] } }
    lastJobLine = jobLine
    const pause = scaledPause(POLL_INTERVAL_MS, files.length / FILES_PER_POLL_PAUSE, MAX_POLL_INTERVAL_MS)
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

const scaledPause = (ms: number, factor: number, maxMs: number): number =>
  Math.min(maxMs, ms * Math.max(1, factor))

/** The part of a file's progress whose change causes an event. */
function comparedPart(file: FileProgress, fileCount: number): string {
  const { remaining_seconds: _, ...rest } = file
  return JSON.stringify(fileCount > MAX_FILES_WITH_ESTIMATES && file.status === 'queued' ? rest : file)
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
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (before: JobPosition | undefined, limit) => selectJobs(deps.db, workspaceId, { before, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(toSummary), ...next }
}

/** The files that could not be read in the last 30 days. @throws ApiError 404 */
export async function listFailedFiles(
  deps: JobDeps,
  caller: Caller,
  workspaceId: string,
): Promise<Page<FailedFile>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const rows = await selectFailedFiles(deps.db, workspaceId)
  const data = rows.map(({ failed_at, ...row }) => ({ ...row, failed_at: failed_at.toISOString() }))
  return { data, has_more: false, next_cursor: null }
}

/** Removes files from the list of failed files until they fail again. Other names are ignored. @throws ApiError 404, 403 */
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
 * Cancels the files that are not searchable yet. Their status becomes `failed`, a running parser is killed within a second, and
 * nothing incomplete remains. Searchable documents stay, and a job that is done does not change.
 * @throws ApiError 404, 403
 */
export async function cancelJob(deps: JobDeps, caller: Caller, jobId: string): Promise<void> {
  const { workspaceId } = await readableJob(deps, caller, jobId, 'edit')
  await deps.db.tx(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) throw notFound()
    const cancelledCount = await cancelFiles(tx, workspaceId, { jobId })
    if (cancelledCount > 0) await insertTask(tx, foldTask(workspaceId))
  })
}

async function readableJob(
  deps: JobDeps,
  caller: Caller,
  jobId: string,
  permission: 'read' | 'edit',
): Promise<{ workspaceId: string; files: FileRow[] }> {
  const workspaceId = await readableWorkspace(deps, caller, jobId, permission)
  return { workspaceId, files: await selectFiles(deps.db, workspaceId, jobId) }
}

async function readableWorkspace(
  deps: JobDeps,
  caller: Caller,
  jobId: string,
  permission: 'read' | 'edit',
): Promise<string> {
  const workspaceId = await selectJobWorkspace(deps.db, jobId)
  if (!workspaceId) throw notFound()
  await requireWorkspace(deps, caller, workspaceId, permission)
  return workspaceId
}

/** `queued` until a worker has begun a file, `done` when every file is done or failed. */
function jobStatus(files: Pick<FileRow, 'status'>[]): Job['status'] {
  const endedCount = files.filter(({ status }) => status === 'done' || status === 'failed').length
  const runningCount = files.filter(({ status }) => status === 'running').length
  return statusOf(files.length, endedCount, runningCount)
}

function statusOf(total: number, endedCount: number, runningCount: number): Job['status'] {
  if (endedCount === total) return 'done'
  return endedCount > 0 || runningCount > 0 ? 'running' : 'queued'
}

/**
 * The job of a 202 response, which always has the status `queued`. The first poll shows the real status (spec, "States and
 * transitions").
 */
export const queuedJob = (id: string, filenames: string[]): Job => ({
  id,
  status: 'queued',
  files: filenames.map((filename) => ({ filename, status: 'queued' })),
})

const toFile = (row: FileRow): JobFile => ({
  filename: row.path,
  status: row.status,
  ...(row.status === 'done' ? { document_id: row.document_id } : {}),
  ...(row.error === null ? {} : { error: row.error }),
})

const toSummary = (row: JobRow): JobSummary => ({
  id: row.id,
  kind: row.kind,
  status: statusOf(row.file_count, row.done_count + row.failed_count, row.running_count),
  created_at: row.created_at.toISOString(),
  file_count: row.file_count,
  done_count: row.done_count,
  failed_count: row.failed_count,
})
