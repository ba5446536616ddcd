// Uploads under way. Files are sent in batches that the service accepts, and each is followed until it is searchable.

import { useSyncExternalStore } from 'react'
import { type JobEvent, KenningError, type Output } from '../../../src/client/client.ts'
import { MAX_FILE_BYTES, MAX_FILES } from '../../../src/contract/limits.ts'
import { api } from '../session.ts'
import { steady } from './time-left.ts'

// Of one request. Smaller batches show progress sooner.
const MAX_BATCH_BYTES = MAX_FILE_BYTES
// How many batches are sent and followed at once, over all uploads. A browser has six connections to a service, and pages need
// some.
const AT_ONCE = 3
// The longest pause between attempts while the service cannot be reached. It ends when the browser is online again.
const MAX_PAUSE_MS = 15_000
// Asked until the graph and the embeddings of the upload are complete.
const ASK_READY_MS = 4000
// The limit of failures of a job's events, if the service answers with an error.
const MAX_FAILURES = 5
// A finished file changes lists and counts. With many files a second, those would change all the time.
const TELL_EVERY_MS = 2000

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
  warnings?: string[] | undefined
  documentId?: string | undefined
  /** Whether it became a new document, a version of one, or nothing new. */
  outcome?: JobEvent['data']['files'][number]['outcome'] | undefined
  job?: string
  /** The connection is lost. The upload continues by itself. */
  offline?: boolean | undefined
}

export interface Upload {
  id: string
  /** In the clock of `performance.now()`. */
  startedAt: number
  workspace: string
  files: UploadFile[]
  /** They are new versions of the documents with their names. Otherwise the service decides by their texts. */
  replaces?: boolean
}

type Chosen = { name: string; content: File }

let uploads: readonly Upload[] = []
const contents = new Map<string, File>()
const aborts = new Map<string, AbortController>()
const listeners = new Set<() => void>()
const finished = new Set<(workspace: string) => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUploads = (): readonly Upload[] => useSyncExternalStore(subscribe, () => uploads)

/** Calls `listener` when an upload has changed documents of a workspace. */
export function onUploaded(listener: (workspace: string) => void): () => void {
  finished.add(listener)
  return () => finished.delete(listener)
}

const toTell = new Map<string, { again: boolean }>()

/** Notifies at once, and then at most every two seconds. */
function tellFinished(workspace: string): void {
  const pending = toTell.get(workspace)
  if (pending) {
    pending.again = true
    return
  }
  toTell.set(workspace, { again: false })
  for (const listener of finished) listener(workspace)
  setTimeout(() => {
    const isRepeatDue = toTell.get(workspace)?.again
    toTell.delete(workspace)
    if (isRepeatDue) tellFinished(workspace)
  }, TELL_EVERY_MS)
}

function set(to: readonly Upload[]): void {
  uploads = to
  for (const listener of listeners) listener()
}

function change(id: string, edit: (file: UploadFile) => Partial<UploadFile> | undefined): void {
  const edited = (file: UploadFile): UploadFile => {
    const changes = edit(file)
    return changes ? { ...file, ...changes } : file
  }
  set(uploads.map((upload) => (upload.id === id ? { ...upload, files: upload.files.map(edited) } : upload)))
}

const isOneOf = (files: readonly UploadFile[]): ((file: UploadFile) => boolean) => {
  const ids = new Set(files.map(({ id }) => id))
  return (file) => ids.has(file.id)
}

/** Starts an upload. A name may be a path, whose folders are kept. */
export function startUpload(workspace: string, files: readonly Chosen[], replaces = false): void {
  if (files.length === 0) return
  const upload: Upload = {
    id: crypto.randomUUID(),
    startedAt: performance.now(),
    workspace,
    replaces,
    files: files.map(({ name, content }) => {
      const id = crypto.randomUUID()
      contents.set(id, content)
      return { id, name, size: content.size, state: 'waiting', progress: 0 }
    }),
  }
  set([...uploads, upload])
  void sendAll(upload.id, workspace, upload.files)
}

/** Shows a job that was not started by sending files, such as that of the example library. */
export function followJob(workspace: string, job: Output<'getJob'>): void {
  const files = job.files.map(
    ({ filename: name }): UploadFile => ({
      id: crypto.randomUUID(),
      name,
      size: 0,
      state: 'queued',
      progress: 0,
      job: job.id,
    }),
  )
  const upload: Upload = { id: crypto.randomUUID(), startedAt: performance.now(), workspace, files }
  const abort = new AbortController()
  for (const { id } of files) aborts.set(id, abort)
  set([...uploads, upload])
  inTurn(() => follow(upload.id, workspace, job, files, abort.signal)).catch((error: unknown) =>
    change(upload.id, () => failed(error)),
  )
}

let running = 0
const line: (() => void)[] = []

async function inTurn(run: () => Promise<void>): Promise<void> {
  // Whoever ends passes its place on, so that nobody else takes it in between.
  if (running >= AT_ONCE) await new Promise<void>((resolve) => line.push(resolve))
  else running++
  try {
    await run()
  } finally {
    const next = line.shift()
    if (next) next()
    else running--
  }
}

const failed = (error: unknown): Partial<UploadFile> => ({
  state: 'failed',
  offline: undefined,
  problem: error instanceof Error ? error.message : String(error),
})

const TOO_LARGE = 'The file is larger than 100 MB. Split it into smaller files.'

async function sendAll(id: string, workspace: string, files: readonly UploadFile[]): Promise<void> {
  const isTooLarge = isOneOf(files.filter(({ size }) => size > MAX_FILE_BYTES))
  change(id, (file) => (isTooLarge(file) ? failed(new Error(TOO_LARGE)) : undefined))
  const batches = inBatches(files.filter((file) => !isTooLarge(file)))
  await Promise.all(batches.map((batch) => inTurn(() => sendBatch(id, workspace, batch))))
}

/** No batch has a name twice, because the service would not know which of the two is meant. */
function inBatches(files: readonly UploadFile[]): UploadFile[][] {
  const batches: UploadFile[][] = []
  let bytes = 0
  let names = new Set<string>()
  for (const file of files) {
    const last = batches.at(-1)
    if (!last || last.length >= MAX_FILES || bytes + file.size > MAX_BATCH_BYTES || names.has(file.name)) {
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

/** Sends a batch and follows it. A file that the service refuses fails alone, and the others are sent without it. */
async function sendBatch(id: string, workspace: string, batch: readonly UploadFile[]): Promise<void> {
  const abort = new AbortController()
  let remaining = batch.filter((file) => !isCancelled(id, file.id))
  for (const file of remaining) aborts.set(file.id, abort)
  while (remaining.length > 0) {
    const isOurs = isOneOf(remaining)
    try {
      const job = await send(id, workspace, remaining, abort.signal)
      await follow(id, workspace, job, remaining, abort.signal)
      return
    } catch (error) {
      if (abort.signal.aborted) return
      const refusedFile = refusedBy(error, remaining)
      if (!refusedFile) {
        change(id, (file) => (isOurs(file) ? failed(error) : undefined))
        return
      }
      change(id, (file) => (file.id === refusedFile.id ? failed(reasonOf(error, refusedFile)) : undefined))
      remaining = remaining.filter((file) => file !== refusedFile)
    }
  }
}

const isCancelled = (id: string, file: string): boolean =>
  uploads.find((one) => one.id === id)?.files.find((one) => one.id === file)?.state === 'cancelled'

/** The file because of which a request was refused. */
function refusedBy(error: unknown, batch: readonly UploadFile[]): UploadFile | undefined {
  if (!(error instanceof KenningError) || error.status !== 422) return undefined
  const [, field, no] = error.detail[0]?.loc ?? []
  return field === 'files' && no !== undefined ? batch[Number(no)] : undefined
}

/** Why a file was refused, without its name and its place in the request, which its row shows. */
function reasonOf(error: unknown, { name }: UploadFile): unknown {
  const reason = error instanceof KenningError ? error.detail[0]?.msg : undefined
  return reason === undefined ? error : new Error(reason.replace(`${name}: `, ''))
}

/** Continues after a lost connection, with one idempotency key, so that nothing is uploaded twice. */
async function send(
  id: string,
  workspace: string,
  batch: readonly UploadFile[],
  signal: AbortSignal,
): Promise<Output<'getJob'>> {
  const isOurs = isOneOf(batch)
  const ours = (edit: Partial<UploadFile>): void => change(id, (file) => (isOurs(file) ? edit : undefined))
  const files = batch.flatMap((file) => {
    const content = contents.get(file.id)
    return content ? [{ name: file.name, content }] : []
  })
  const idempotencyKey = crypto.randomUUID()
  const input = {
    workspace_id: workspace,
    files,
    ...(uploads.find((one) => one.id === id)?.replaces && { on_conflict: 'replace' as const }),
  }
  for (let attempt = 0; ; attempt++) {
    ours({ state: 'sending', progress: 0, offline: undefined, problem: undefined })
    try {
      const onProgress = (progress: number): void => ours({ progress })
      const job = await api.upload(input, { signal, idempotencyKey, onProgress })
      ours({ state: 'queued', progress: 0, job: job.id })
      return job
    } catch (error) {
      if (signal.aborted || !isUnreachable(error)) throw error
      ours({ state: 'waiting', progress: 0, offline: true })
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

const idsOf = (job: Output<'getJob'>, batch: readonly UploadFile[]): Map<string, string> =>
  new Map(job.files.flatMap(({ filename }, i) => (batch[i] ? [[filename, batch[i].id]] : [])))

/** Follows a job until all of it is searchable, and asks again if the connection is lost. */
async function follow(
  id: string,
  workspace: string,
  job: Output<'getJob'>,
  batch: readonly UploadFile[],
  signal: AbortSignal,
): Promise<void> {
  const isOurs = isOneOf(batch)
  // The job lists its files in the order in which they were sent. Their names are paths, and each occurs once. A file that is
  // stored beside another one of its name gets a new name on the way.
  const ids = idsOf(job, batch)
  for (let failures = 0; ; ) {
    try {
      for await (const event of api.jobEvents({ job_id: job.id }, { signal })) {
        failures = 0
        if (event.data.files.some(({ filename }) => !ids.has(filename)))
          for (const [name, file] of idsOf(await api.getJob({ job_id: job.id }, { signal }), batch))
            ids.set(name, file)
        if (show(id, ids, event)) tellFinished(workspace)
        if (event.data.state === 'complete')
          change(id, (file) =>
            isOurs(file) && file.state === 'searchable' ? { state: 'complete' } : undefined,
          )
        if (event.data.state === 'searchable') awaitReady(workspace)
        if (event.data.state === 'searchable' || event.data.state === 'complete') return
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isUnreachable(error) && ++failures >= MAX_FAILURES) throw error
      if (isUnreachable(error))
        change(id, (file) => (isOurs(file) && isOpen(file) ? { offline: true } : undefined))
    }
    await untilOnline(failures, signal)
    if (signal.aborted) return
  }
}

const awaited = new Set<string>()

/** Asks about the workspace instead of each job, because a folder of thousands of files is hundreds of jobs. */
function awaitReady(workspace: string): void {
  if (awaited.has(workspace)) return
  awaited.add(workspace)
  const ask = async (): Promise<void> => {
    const now = await api.getWorkspace({ workspace_id: workspace }).catch(() => undefined)
    if (now?.ready !== true) {
      setTimeout(() => void ask(), ASK_READY_MS)
      return
    }
    awaited.delete(workspace)
    for (const upload of uploads)
      if (upload.workspace === workspace)
        change(upload.id, (file) => (file.state === 'searchable' ? { state: 'complete' } : undefined))
    tellFinished(workspace)
  }
  setTimeout(() => void ask(), ASK_READY_MS)
}

/**
 * Shows what an event reports. Returns whether it made a file searchable or complete. Later events contain only the changes.
 */
function show(id: string, ids: ReadonlyMap<string, string>, { data }: JobEvent): boolean {
  const statuses = new Map(data.files.map((file) => [ids.get(file.filename), file]))
  let isNews = false
  change(id, (file) => {
    const now = statuses.get(file.id)
    if (!now) return file.offline && file.job ? { offline: undefined } : undefined
    isNews ||= now.state !== file.state && (now.state === 'searchable' || now.state === 'complete')
    return {
      state: now.state,
      progress: now.progress,
      stage: now.stage,
      remainingSeconds: steady(file.remainingSeconds, now.remaining_seconds),
      problem: now.error,
      warnings: now.warnings,
      documentId: now.document_id,
      outcome: now.outcome,
      offline: undefined,
    }
  })
  return isNews
}

const OPEN = new Set<UploadFile['state']>(['waiting', 'sending', 'queued', 'running'])

/** Not yet searchable, and not given up. */
export const isOpen = ({ state }: UploadFile): boolean => OPEN.has(state)

/** Whether the file can be sent again. */
export const canRetry = ({ id, state }: UploadFile): boolean =>
  (state === 'failed' || state === 'cancelled') && contents.has(id)

/** Stops files that have not been read yet, and the jobs that they belong to. */
export async function cancelUpload(id: string): Promise<void> {
  const open = uploads.find((one) => one.id === id)?.files.filter(isOpen) ?? []
  const isOpenNow = isOneOf(open)
  change(id, (file) => (isOpenNow(file) ? { state: 'cancelled', offline: undefined } : undefined))
  for (const file of open) aborts.get(file.id)?.abort(new DOMException('cancelled', 'AbortError'))
  const jobs = new Set(open.flatMap(({ job }) => (job === undefined ? [] : [job])))
  await Promise.all([...jobs].map((job_id) => api.cancelJob({ job_id }).catch(() => undefined)))
}

/** Sends files of an upload again: the one named, or all that failed or were cancelled. */
export function retryFailed(id: string, fileId?: string): void {
  const upload = uploads.find((one) => one.id === id)
  if (!upload) return
  const retryable = upload.files.filter(
    (file) => canRetry(file) && (fileId === undefined || file.id === fileId),
  )
  const isAgain = isOneOf(retryable)
  change(id, (file) =>
    isAgain(file) ? { state: 'waiting', progress: 0, problem: undefined, warnings: undefined } : undefined,
  )
  void sendAll(id, upload.workspace, retryable)
}

export function dismissUpload(id: string): void {
  for (const file of uploads.find((one) => one.id === id)?.files ?? []) {
    contents.delete(file.id)
    aborts.delete(file.id)
  }
  set(uploads.filter((upload) => upload.id !== id))
}
