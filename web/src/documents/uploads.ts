// Uploads under way: files leave in batches that the service takes, then each is followed until it is searchable.

import { useSyncExternalStore } from 'react'
import type { JobEvent, Output } from '../../../src/client/client.ts'
import { api } from '../session.ts'

/** What the service takes in one request: 20 files of up to 100 MB; smaller batches show progress sooner. */
const MOST_FILES = 20
const MOST_BATCH_BYTES = 100 * 1024 * 1024
const AT_ONCE = 2

export interface UploadFile {
  id: string
  name: string
  size: number
  state: 'waiting' | 'sending' | 'queued' | 'running' | 'searchable' | 'complete' | 'failed' | 'cancelled'
  /** 0 to 1: of the bytes while sending, of the work after that. */
  progress: number
  stage?: string | undefined
  remainingSeconds?: number | undefined
  problem?: string | undefined
  warnings?: string[] | undefined
  documentId?: string | undefined
  job?: string
}

export interface Upload {
  id: string
  workspace: string
  files: UploadFile[]
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

/** Calls `listener` when documents of a workspace have changed by an upload. */
export function onUploaded(listener: (workspace: string) => void): () => void {
  finished.add(listener)
  return () => finished.delete(listener)
}

function change(id: string, edit: (file: UploadFile) => Partial<UploadFile> | undefined): void {
  uploads = uploads.map((upload) =>
    upload.id === id
      ? { ...upload, files: upload.files.map((file) => ({ ...file, ...edit(file) })) }
      : upload,
  )
  for (const listener of listeners) listener()
}

/** Begins an upload; a name may be a path, whose folders are kept. */
export function startUpload(workspace: string, chosen: readonly Chosen[]): void {
  if (chosen.length === 0) return
  const upload: Upload = {
    id: crypto.randomUUID(),
    workspace,
    files: chosen.map(({ name, content }) => {
      const id = crypto.randomUUID()
      contents.set(id, content)
      return { id, name, size: content.size, state: 'waiting', progress: 0 }
    }),
  }
  uploads = [...uploads, upload]
  for (const listener of listeners) listener()
  void sendAll(upload)
}

/** Shows a job that was started otherwise than by sending files, such as that of the example library. */
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
  const upload: Upload = { id: crypto.randomUUID(), workspace, files }
  const abort = new AbortController()
  for (const { id } of files) aborts.set(id, abort)
  uploads = [...uploads, upload]
  for (const listener of listeners) listener()
  follow(upload.id, workspace, job.id, files, abort.signal).catch((error: unknown) =>
    change(upload.id, () => ({
      state: 'failed',
      problem: error instanceof Error ? error.message : String(error),
    })),
  )
}

async function sendAll({ id, workspace, files }: Upload): Promise<void> {
  const batches = inBatches(files)
  const next = async (): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) await sendBatch(id, workspace, batch)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

function inBatches(files: readonly UploadFile[]): UploadFile[][] {
  const batches: UploadFile[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const file of files) {
    if (bytes + file.size > MOST_BATCH_BYTES || (batches.at(-1)?.length ?? 0) >= MOST_FILES) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(file)
    bytes += file.size
  }
  return batches
}

async function sendBatch(id: string, workspace: string, batch: readonly UploadFile[]): Promise<void> {
  const ids = new Set(batch.map((file) => file.id))
  const ours = (edit: Partial<UploadFile>): void =>
    change(id, (file) => (ids.has(file.id) ? edit : undefined))
  const abort = new AbortController()
  for (const file of batch) aborts.set(file.id, abort)
  const files = batch.flatMap((file) => {
    const content = contents.get(file.id)
    return content ? [{ name: file.name, content }] : []
  })
  ours({ state: 'sending', progress: 0 })
  try {
    const job = await api.upload(
      { workspace_id: workspace, files },
      { signal: abort.signal, onProgress: (progress) => ours({ progress }) },
    )
    ours({ state: 'queued', progress: 0, job: job.id })
    await follow(id, workspace, job.id, batch, abort.signal)
  } catch (error) {
    if (abort.signal.aborted) return
    ours({ state: 'failed', problem: error instanceof Error ? error.message : String(error) })
  }
}

/** Follows a job until all of it is complete; asks again where the connection is lost. */
async function follow(
  id: string,
  workspace: string,
  job: string,
  batch: readonly UploadFile[],
  signal: AbortSignal,
): Promise<void> {
  let told = 0
  for (let failures = 0; failures < 5; failures++) {
    try {
      for await (const event of api.jobEvents({ job_id: job }, { signal })) {
        failures = 0
        show(id, batch, event)
        const done = event.data.files.filter(
          ({ state }) => state === 'searchable' || state === 'complete',
        ).length
        if (done > told || event.event === 'complete') for (const listener of finished) listener(workspace)
        told = Math.max(told, done)
        if (event.event === 'complete') return
      }
    } catch (error) {
      if (signal.aborted) return
      if (failures === 4) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** failures))
    }
  }
}

/** The files of a job are told in the order they were sent. A later event holds only those that have changed. */
function show(id: string, batch: readonly UploadFile[], { event, data }: JobEvent): void {
  const named = new Map(data.files.map((file) => [file.filename, file]))
  const ids = new Set(batch.map((file) => file.id))
  change(id, (file) => {
    if (!ids.has(file.id)) return undefined
    const now = named.get(file.name) ?? named.get(file.name.replace(/^.*\//, ''))
    if (!now) return event === 'complete' && file.state === 'searchable' ? { state: 'complete' } : undefined
    return {
      state: now.state,
      progress: now.progress,
      stage: now.stage,
      remainingSeconds: now.remaining_seconds,
      problem: now.error,
      warnings: now.warnings,
      documentId: now.document_id,
    }
  })
}

/** Stops what has not been read yet of the job that a file belongs to. */
export async function cancelUpload(id: string): Promise<void> {
  const upload = uploads.find((one) => one.id === id)
  const open =
    upload?.files.filter(({ state }) => !['searchable', 'complete', 'failed'].includes(state)) ?? []
  for (const file of open) aborts.get(file.id)?.abort(new DOMException('cancelled', 'AbortError'))
  const ids = new Set(open.map((file) => file.id))
  change(id, (file) => (ids.has(file.id) ? { state: 'cancelled' } : undefined))
  const jobs = new Set(open.flatMap(({ job }) => (job === undefined ? [] : [job])))
  await Promise.all([...jobs].map((job_id) => api.cancelJob({ job_id }).catch(() => undefined)))
}

/** Sends the files of an upload that failed once more. */
export function retryFailed(id: string): void {
  const upload = uploads.find((one) => one.id === id)
  if (!upload) return
  const failed = upload.files.filter(({ state }) => state === 'failed' || state === 'cancelled')
  const chosen = failed.flatMap((file) => {
    const content = contents.get(file.id)
    return content ? [{ name: file.name, content }] : []
  })
  dismissUpload(id)
  startUpload(upload.workspace, chosen)
}

export function dismissUpload(id: string): void {
  for (const file of uploads.find((one) => one.id === id)?.files ?? []) {
    contents.delete(file.id)
    aborts.delete(file.id)
  }
  uploads = uploads.filter((upload) => upload.id !== id)
  for (const listener of listeners) listener()
}
