// GET /jobs/{id} and its event stream: always ends at `done`, failures stand with their files (contract.md, "Jobs").

import { setTimeout as sleep } from 'node:timers/promises'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Job, JobFile, JobProgress } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { type FileRow, selectFiles, selectJobWorkspace } from './jobs.sql.ts'

type Needs = Pick<Deps, 'db'>

const POLL_MS = 400

/** Whoever may read the job's workspace now may poll it (permissions.md D-08). @throws ApiError 404 */
export async function getJob(deps: Needs, caller: Caller, jobId: string): Promise<Job> {
  const files = await readableFiles(deps, caller, jobId)
  return { id: jobId, status: jobStatus(files), files: files.map(asFile) }
}

/** A `progress` event at once and whenever something moved, until the job is done or the reader leaves. */
export async function* jobEvents(
  deps: Needs,
  caller: Caller,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<{ event: 'progress'; data: JobProgress }> {
  let last = ''
  while (!signal.aborted) {
    const files = await readableFiles(deps, caller, jobId)
    const data: JobProgress = { status: jobStatus(files), files: files.map(asProgress) }
    const shown = JSON.stringify(data)
    if (shown !== last) yield { event: 'progress', data }
    if (data.status === 'done') return
    last = shown
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function readableFiles(deps: Needs, caller: Caller, jobId: string): Promise<FileRow[]> {
  const workspaceId = await selectJobWorkspace(deps.db, jobId)
  if (!workspaceId) throw notFound()
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return selectFiles(deps.db, workspaceId, jobId)
}

/** queued until a worker has touched a file, done when every file is done or failed. */
export function jobStatus(files: Pick<FileRow, 'status'>[]): Job['status'] {
  const ended = files.filter(({ status }) => status === 'done' || status === 'failed').length
  if (ended === files.length) return 'done'
  return ended > 0 || files.some(({ status }) => status === 'running') ? 'running' : 'queued'
}

const asFile = (row: FileRow): JobFile => ({
  filename: row.path,
  status: row.status,
  ...(row.status === 'done' ? { document_id: row.document_id } : {}),
  ...(row.error === null ? {} : { error: row.error }),
})

function asProgress(row: FileRow): JobProgress['files'][number] {
  const { stage, progress, attempt } = row
  const running = row.status === 'running' && progress > 0.05 && row.running_seconds !== null
  const remaining = running
    ? Math.round((Number(row.running_seconds) * (1 - progress)) / progress)
    : undefined
  return {
    ...asFile(row),
    stage,
    progress: Math.round(progress * 1000) / 1000,
    attempt,
    ...(remaining === undefined ? {} : { remaining_seconds: remaining }),
  }
}
