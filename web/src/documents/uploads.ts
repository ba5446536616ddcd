// The uploads of this page. Files are sent in batches that the service accepts, and each batch is followed until it is searchable.

import { useSyncExternalStore } from 'react'
import { type JobEvent, KenningError, type Output } from '../../../src/client/client.ts'
import { RETRYABLE_FAILURES } from '../../../src/contract/failures.ts'
import { MAX_FILE_BYTES, MAX_FILES } from '../../../src/contract/limits.ts'
import { errorText } from '../language/error-text.ts'
import { message, t } from '../language/text.tsx'
import { randomId } from '../parts/random-id.ts'
import { api } from '../session.ts'
import type { SelectedFile } from './selected-files.ts'
import { steadyEstimate } from './time-left.ts'

// The bytes of one request. Smaller batches show progress sooner.
const MAX_BATCH_BYTES = MAX_FILE_BYTES
// Batches of all uploads that are sent and followed at the same time. A browser opens six connections to a service, and pages
// need some of them.
const MAX_CONCURRENT_BATCHES = 3
// The longest pause between attempts while the service cannot be reached. The pause ends when the browser is online again.
const MAX_PAUSE_MS = 15_000
// The pause between two checks whether the workspace is ready.
const READY_POLL_MS = 4000
// How often in a row a job's event stream may fail with an error of the service.
const MAX_STREAM_FAILURES = 5
// Lists and counts are reloaded at most this often, however many files are finished.
const NOTIFY_INTERVAL_MS = 2000

export interface UploadFile {
  id: string
  name: string
  size: number
  state: 'waiting' | 'sending' | 'queued' | 'running' | 'searchable' | 'complete' | 'failed' | 'cancelled'
  /** 0 to 1: the share of the bytes while sending, of the work after that. */
  progress: number
  stage?: string | undefined
  remainingSeconds?: number | undefined
  problem?: string | undefined
  /** Whether the service does not take the file, as it is too large or of no kind that it reads. */
  isRefused?: boolean | undefined
  warnings?: string[] | undefined
  documentId?: string | undefined
  /** Whether it became a new document, a version of one, or nothing new. */
  outcome?: JobEvent['data']['files'][number]['outcome'] | undefined
  job?: string | undefined
  /** Whether the connection is lost. The upload then continues automatically when the service can be reached. */
  offline?: boolean | undefined
}

export interface Upload {
  id: string
  /** By the clock of `performance.now()`. */
  startedAt: number
  workspace: string
  files: UploadFile[]
  /** Whether each file replaces the document of the same name. Otherwise the service compares their texts. */
  replaces?: boolean
  /** Whether it can be cancelled. What comes back from the trash cannot, because it would stay a document without text. */
  isCancellable: boolean
}

let uploads: readonly Upload[] = []
const contents = new Map<string, File>()
const aborts = new Map<string, AbortController>()
const listeners = new Set<() => void>()
const finishedListeners = new Set<(workspace: string) => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads)

/** Calls `listener` when an upload has changed documents of a workspace. */
export function onUploaded(listener: (workspace: string) => void): () => void {
  finishedListeners.add(listener)
  return () => finishedListeners.delete(listener)
}

const recentlyNotified = new Map<string, { isRepeatDue: boolean }>()

/** Notifies at once, and while more files finish, every two seconds. */
function notifyFinished(workspace: string): void {
  const pending = recentlyNotified.get(workspace)
  if (pending) {
    pending.isRepeatDue = true
    return
  }
  recentlyNotified.set(workspace, { isRepeatDue: false })
  for (const listener of finishedListeners) listener(workspace)
  setTimeout(() => {
    const isRepeatDue = recentlyNotified.get(workspace)?.isRepeatDue
    recentlyNotified.delete(workspace)
    if (isRepeatDue) notifyFinished(workspace)
  }, NOTIFY_INTERVAL_MS)
}

/** Whether files have not arrived at the service yet. They would be lost with the page; what the service has goes on without it. */
export const hasUnsentFiles = (): boolean =>
  uploads.some(({ files }) => files.some(({ state }) => state === 'waiting' || state === 'sending'))

/** The browser asks before it leaves the page. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

function setUploads(newUploads: readonly Upload[]): void {
  uploads = newUploads
  // A page that always listens cannot be kept by browsers for the way back.
  if (hasUnsentFiles()) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
  for (const listener of listeners) listener()
}

function changeFiles(uploadId: string, edit: (file: UploadFile) => Partial<UploadFile> | undefined): void {
  const applyEdit = (file: UploadFile): UploadFile => {
    const changes = edit(file)
    return changes ? { ...file, ...changes } : file
  }
  setUploads(
    uploads.map((upload) =>
      upload.id === uploadId ? { ...upload, files: upload.files.map(applyEdit) } : upload,
    ),
  )
}

const isOneOf = (files: readonly UploadFile[]): ((file: UploadFile) => boolean) => {
  const ids = new Set(files.map(({ id }) => id))
  return (file) => ids.has(file.id)
}

/** Whether all its files can be searched as new documents without a warning, so that nothing is left to read or to do. */
const isSettled = ({ files }: Upload): boolean =>
  files.every(
    ({ state, outcome, warnings }) =>
      (state === 'searchable' || state === 'complete') &&
      !warnings?.length &&
      (outcome === undefined || outcome === 'created'),
  )

/** Adds an upload. It takes the place of those that are settled, so that their lines do not gather below the page. */
function addUpload(upload: Upload): void {
  for (const { id } of uploads.filter(isSettled)) dismissUpload(id)
  setUploads([...uploads, upload])
}

/** Starts an upload. A name may be a path, whose folders are kept. */
export function startUpload(workspace: string, files: readonly SelectedFile[], replaces = false): void {
  if (files.length === 0) return
  const upload: Upload = {
    id: randomId(),
    startedAt: performance.now(),
    workspace,
    replaces,
    isCancellable: true,
    files: files.map(({ name, content }) => {
      const id = randomId()
      contents.set(id, content)
      return { id, name, size: content.size, state: 'waiting', progress: 0 }
    }),
  }
  addUpload(upload)
  void sendAll(upload.id, workspace, upload.files)
}

/** Shows the progress of a job that was not started by sending files, such as the job of the example library. */
export function followJob(workspace: string, job: Output<'getJob'>, isCancellable = true): void {
  const files = job.files.map(
    ({ filename: name }): UploadFile => ({
      id: randomId(),
      name,
      size: 0,
      state: 'queued',
      progress: 0,
      job: job.id,
    }),
  )
  const id = randomId()
  const upload: Upload = { id, startedAt: performance.now(), workspace, files, isCancellable }
  const abort = new AbortController()
  for (const file of files) aborts.set(file.id, abort)
  addUpload(upload)
  runInTurn(() => follow({ uploadId: upload.id, workspace, job, batch: files, signal: abort.signal })).catch(
    (error: unknown) => changeFiles(upload.id, () => failedState(error)),
  )
}

let runningCount = 0
const queue: (() => void)[] = []

async function runInTurn(run: () => Promise<void>): Promise<void> {
  // A batch that ends starts the next one itself, so that no later call can start in between.
  if (runningCount >= MAX_CONCURRENT_BATCHES) await new Promise<void>((resolve) => queue.push(resolve))
  else runningCount++
  try {
    await run()
  } finally {
    const next = queue.shift()
    if (next) next()
    else runningCount--
  }
}

const failedState = (error: unknown): Partial<UploadFile> => ({
  state: 'failed',
  offline: undefined,
  problem: error instanceof Error ? errorText(error) : String(error),
})

const refusedState = (error: unknown): Partial<UploadFile> => ({ ...failedState(error), isRefused: true })

const TOO_LARGE = message('The file is larger than 100 MB. Split it into smaller files.')

async function sendAll(uploadId: string, workspace: string, files: readonly UploadFile[]): Promise<void> {
  const isTooLarge = isOneOf(files.filter(({ size }) => size > MAX_FILE_BYTES))
  changeFiles(uploadId, (file) => (isTooLarge(file) ? refusedState(new Error(t(TOO_LARGE))) : undefined))
  const batches = splitIntoBatches(files.filter((file) => !isTooLarge(file)))
  await Promise.all(batches.map((batch) => runInTurn(() => sendBatch(uploadId, workspace, batch))))
}

/** No batch contains a name twice, because the service could not tell the two files apart. */
function splitIntoBatches(files: readonly UploadFile[]): UploadFile[][] {
  const batches: UploadFile[][] = []
  let bytes = 0
  let names = new Set<string>()
  for (const file of files) {
    const lastBatch = batches.at(-1)
    if (
      !lastBatch ||
      lastBatch.length >= MAX_FILES ||
      bytes + file.size > MAX_BATCH_BYTES ||
      names.has(file.name)
    ) {
      batches.push([])
      bytes = 0
      names = new Set()
    }
    batches.at(-1)?.push(file)
    bytes += file.size
    names.add(file.name)
  }
  return batches
}

/** Sends a batch and follows it. If the service refuses a file, that file fails and the others are sent without it. */
async function sendBatch(uploadId: string, workspace: string, batch: readonly UploadFile[]): Promise<void> {
  const abort = new AbortController()
  let remaining = batch.filter((file) => !isCancelled(uploadId, file.id))
  for (const file of remaining) aborts.set(file.id, abort)
  while (remaining.length > 0) {
    const isInBatch = isOneOf(remaining)
    try {
      const job = await send(uploadId, workspace, remaining, abort.signal)
      await follow({ uploadId, workspace, job, batch: remaining, signal: abort.signal })
      return
    } catch (error) {
      if (abort.signal.aborted) return
      const refusedFile = refusedBy(error, remaining)
      if (!refusedFile) {
        changeFiles(uploadId, (file) => (isInBatch(file) ? failedState(error) : undefined))
        return
      }
      changeFiles(uploadId, (file) =>
        file.id === refusedFile.id ? refusedState(reasonOf(error, refusedFile)) : undefined,
      )
      remaining = remaining.filter((file) => file !== refusedFile)
    }
  }
}

const isCancelled = (uploadId: string, fileId: string): boolean =>
  uploads.find((one) => one.id === uploadId)?.files.find((one) => one.id === fileId)?.state === 'cancelled'

/** The file because of which a request was refused. */
function refusedBy(error: unknown, batch: readonly UploadFile[]): UploadFile | undefined {
  if (!(error instanceof KenningError) || error.status !== 422) return undefined
  const [, field, position] = error.detail[0]?.loc ?? []
  return field === 'files' && position !== undefined ? batch[Number(position)] : undefined
}

/** Why a file was refused, without the file name, which the row already shows. */
function reasonOf(error: unknown, { name }: UploadFile): unknown {
  const reason = error instanceof KenningError ? error.detail[0]?.msg : undefined
  return reason === undefined ? error : new Error(reason.replace(`${name}: `, ''))
}

/** Sends a batch, and sends it again after a lost connection. The idempotency key stays, so that nothing is uploaded twice. */
async function send(
  uploadId: string,
  workspace: string,
  batch: readonly UploadFile[],
  signal: AbortSignal,
): Promise<Output<'getJob'>> {
  const isInBatch = isOneOf(batch)
  const changeBatch = (edit: Partial<UploadFile>): void =>
    changeFiles(uploadId, (file) => (isInBatch(file) ? edit : undefined))
  const files = batch.flatMap((file) => {
    const content = contents.get(file.id)
    return content ? [{ name: file.name, content }] : []
  })
  const idempotencyKey = randomId()
  const input = {
    workspace_id: workspace,
    files,
    ...(uploads.find((one) => one.id === uploadId)?.replaces && { on_conflict: 'replace' as const }),
  }
  for (let attempt = 0; ; attempt++) {
    changeBatch({ state: 'sending', progress: 0, offline: undefined, problem: undefined })
    try {
      const onProgress = (progress: number): void => changeBatch({ progress })
      const job = await api.upload(input, { signal, idempotencyKey, onProgress })
      changeBatch({ state: 'queued', progress: 0, job: job.id })
      return job
    } catch (error) {
      if (signal.aborted || !isUnreachable(error)) throw error
      changeBatch({ state: 'waiting', progress: 0, offline: true })
      await untilOnline(attempt, signal)
    }
  }
}

const isUnreachable = (error: unknown): boolean => error instanceof KenningError && error.status === 0

/** A pause that grows with the attempts. It ends early when the browser is online again or the signal is aborted. */
function untilOnline(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(1000 * 2 ** attempt, MAX_PAUSE_MS))
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}

const fileIdsByName = (job: Output<'getJob'>, batch: readonly UploadFile[]): Map<string, string> =>
  new Map(job.files.flatMap(({ filename }, i) => (batch[i] ? [[filename, batch[i].id]] : [])))

interface FollowedBatch {
  uploadId: string
  workspace: string
  job: Output<'getJob'>
  batch: readonly UploadFile[]
  signal: AbortSignal
}

/** Follows the events of a job until all its files are searchable. If the connection is lost, it connects again. */
async function follow({ uploadId, workspace, job, batch, signal }: FollowedBatch): Promise<void> {
  const isInBatch = isOneOf(batch)
  // The job lists its files in the order in which they were sent, and each name occurs once. The service may rename a file while
  // it stores it.
  const ids = fileIdsByName(job, batch)
  for (let failures = 0; ; ) {
    try {
      for await (const event of api.jobEvents({ job_id: job.id }, { signal })) {
        failures = 0
        if (event.data.files.some(({ filename }) => !ids.has(filename)))
          for (const [name, file] of fileIdsByName(await api.getJob({ job_id: job.id }, { signal }), batch))
            ids.set(name, file)
        if (show(uploadId, ids, event)) notifyFinished(workspace)
        if (event.data.state === 'complete')
          changeFiles(uploadId, (file) =>
            isInBatch(file) && file.state === 'searchable' ? { state: 'complete' } : undefined,
          )
        if (event.data.state === 'searchable') pollUntilReady(workspace)
        if (event.data.state === 'searchable' || event.data.state === 'complete') return
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isUnreachable(error) && ++failures >= MAX_STREAM_FAILURES) throw error
      if (isUnreachable(error))
        changeFiles(uploadId, (file) => (isInBatch(file) && isOpen(file) ? { offline: true } : undefined))
    }
    await untilOnline(failures, signal)
    if (signal.aborted) return
  }
}

const awaitedWorkspaces = new Set<string>()

/** Polls whether the workspace is ready instead of each job, because a folder of thousands of files has hundreds of jobs. */
function pollUntilReady(workspace: string): void {
  if (awaitedWorkspaces.has(workspace)) return
  awaitedWorkspaces.add(workspace)
  const ask = async (): Promise<void> => {
    const now = await api.getWorkspace({ workspace_id: workspace }).catch(() => undefined)
    if (now?.ready !== true) {
      setTimeout(() => void ask(), READY_POLL_MS)
      return
    }
    awaitedWorkspaces.delete(workspace)
    for (const upload of uploads)
      if (upload.workspace === workspace)
        changeFiles(upload.id, (file) => (file.state === 'searchable' ? { state: 'complete' } : undefined))
    notifyFinished(workspace)
  }
  setTimeout(() => void ask(), READY_POLL_MS)
}

/**
 * Shows what an event reports. Returns whether it made a file searchable or complete. Later events contain only the changes.
 */
function show(uploadId: string, ids: ReadonlyMap<string, string>, { data }: JobEvent): boolean {
  const statuses = new Map(data.files.map((file) => [ids.get(file.filename), file]))
  let isNews = false
  changeFiles(uploadId, (file) => {
    const now = statuses.get(file.id)
    if (!now) return file.offline && file.job ? { offline: undefined } : undefined
    isNews ||= now.state !== file.state && (now.state === 'searchable' || now.state === 'complete')
    return {
      state: now.state,
      progress: now.progress,
      stage: now.stage,
      remainingSeconds: steadyEstimate(file.remainingSeconds, now.remaining_seconds),
      problem: now.error,
      warnings: now.warnings,
      documentId: now.document_id,
      outcome: now.outcome,
      offline: undefined,
    }
  })
  return isNews
}

const OPEN_STATES = new Set<UploadFile['state']>(['waiting', 'sending', 'queued', 'running'])

/** Whether the file is still being uploaded or read. */
export const isOpen = ({ state }: UploadFile): boolean => OPEN_STATES.has(state)

const RETRYABLE: ReadonlySet<string | undefined> = new Set(Object.values(RETRYABLE_FAILURES))

/** Whether sending the file again may help. What the service said of the file itself stays as it is. */
export const canRetry = ({ id, state, problem, isRefused, job }: UploadFile): boolean => {
  if (!contents.has(id)) return false
  if (state === 'cancelled') return true
  return state === 'failed' && !isRefused && (job === undefined || RETRYABLE.has(problem))
}

/** Cancels the files that have not been read yet, and their jobs. */
export async function cancelUpload(uploadId: string): Promise<void> {
  const open = uploads.find((one) => one.id === uploadId)?.files.filter(isOpen) ?? []
  const isCancelledNow = isOneOf(open)
  changeFiles(uploadId, (file) =>
    isCancelledNow(file) ? { state: 'cancelled', offline: undefined } : undefined,
  )
  for (const file of open) aborts.get(file.id)?.abort(new DOMException('cancelled', 'AbortError'))
  const jobs = new Set(open.flatMap(({ job }) => (job === undefined ? [] : [job])))
  await Promise.all([...jobs].map((job_id) => api.cancelJob({ job_id }).catch(() => undefined)))
}

/** Sends one file of an upload again, or all files that failed or were cancelled. */
export function retryFailed(uploadId: string, fileId?: string): void {
  const upload = uploads.find((one) => one.id === uploadId)
  if (!upload) return
  const retryable = upload.files.filter(
    (file) => canRetry(file) && (fileId === undefined || file.id === fileId),
  )
  const isRetried = isOneOf(retryable)
  changeFiles(uploadId, (file) =>
    isRetried(file)
      ? { state: 'waiting', progress: 0, problem: undefined, warnings: undefined, job: undefined }
      : undefined,
  )
  void sendAll(uploadId, upload.workspace, retryable)
}

export function dismissUpload(uploadId: string): void {
  for (const file of uploads.find((one) => one.id === uploadId)?.files ?? []) {
    contents.delete(file.id)
    aborts.delete(file.id)
  }
  setUploads(uploads.filter((upload) => upload.id !== uploadId))
}
