// How the service is doing: its parts, its queue, what it could not read, its disk, its versions and its backups. The routes stand
// beside /v1 (`/account/health`, `/account/backups`, `/account/failed-files`), for administrators who are signed in.

import { z } from 'zod'
import { uuid } from './fields.ts'

export const PARTS = [
  'database',
  'workers',
  'reading',
  'queue',
  'disk',
  'language model',
  'embeddings',
  'reranker',
  'text recognition',
  'backup',
] as const

export interface PartHealth {
  check: (typeof PARTS)[number]
  status: 'ok' | 'warning' | 'problem'
  /** What was seen; for a warning or a problem also what to do. */
  message: string
}

export interface Backup {
  id: string
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Of a running one; `check`: it is read again to its end. */
  step: 'files' | 'rows' | 'check' | null
  /** Of the step, 0 to 1. */
  progress: number
  created_at: string
  finished_at: string | null
  /** Where it is: the machine of the worker, and the folder there. */
  machine: string | null
  folder: string | null
  /** Bytes. */
  size: number | null
  /** Whether it was read again to its end, and is whole. `kenning backup` leaves that to `kenning verify`. */
  is_checked: boolean
  /** Why it failed, and what to do. */
  error: string | null
}

export interface Backups {
  /** The newest first. */
  data: Backup[]
  /** Why none can be begun here, and what to do. */
  refusal: string | null
}

export interface ServiceHealth {
  status: PartHealth['status']
  parts: PartHealth[]
  /** By kind of task; `oldest_seconds`: how long the oldest has waited that could run. */
  queue: { kind: string; waiting: number; running: number; oldest_seconds: number }[]
  workers: { machine: string; version: string; seen_at: string; disk_free: number | null }[]
  /** Bytes. `free`: where the data folder of this process is. */
  disk: { free: number | null; database: number; files: number }
  versions: { kenning: string; node: string; postgres: string; pgvector: string; schema: string }
}

/** A file of the last 30 days that could not be read. */
export interface FailedFileOfService {
  workspace_id: string
  job_id: string
  file_no: number
  /** Of the workspace, for whoever may read it; otherwise `null`. */
  workspace: string | null
  filename: string | null
  /** The owners, whom to ask. */
  owners: string[]
  kind: string
  size: number
  error: string
  failed_at: string
  /** Whether its bytes are still stored, so that it can be read again. */
  can_retry: boolean
}

export const FailedFileRetry = z.object({
  workspace_id: uuid,
  job_id: z.string().regex(/^[\x21-\x7e]{1,128}$/),
  file_no: z.int().min(0),
})
export type FailedFileRetry = z.infer<typeof FailedFileRetry>
