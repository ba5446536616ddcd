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

/** What is said about parts, by type. `{name}` stands for a value; `{bytes}` is a size. The console has each in every language. */
export const PART_SENTENCES = {
  database: 'PostgreSQL {version}, {bytes}',
  no_worker:
    'no worker has reported for five minutes, so nothing is read: start one, or look at the log of the service',
  other_version:
    'a worker on {machine} runs version {worker_version}, and this process {version}: finish the update',
  one_worker: 'one runs, on {machines}',
  workers: '{count} run, on {machines}',
  no_upload: 'no file was uploaded in the last day',
  one_file_read: '1 file was read in the last day',
  files_read: '{count} files were read in the last day',
  files_failed: '{count} could not be read: see the failed files below',
  unknown_space: 'the free space cannot be seen: look at the log of the service',
  space_for_files: '{bytes} free for files',
  space_on_machine: '{bytes} free on {machine}',
  little_space_for_files: 'only {bytes} free for files: make room, or move the data folder',
  little_space_on_machine: 'only {bytes} free on {machine}: make room, or move the data folder',
  backup_failed: 'the last one failed: {reason}',
  no_backup: 'none was ever made here: make one under Health, or with kenning backup FOLDER',
  old_backup: 'the last one is {days} days old: make another',
  backup_today: 'made within a day',
  backup_yesterday: 'the last one is a day old',
  backup: 'the last one is {days} days old',
  no_model: 'none: questions are answered with quotations; choose one under Models',
  model_answers: '{model} at {host}, which answers',
  model_fails_of_environment: '{reason}: check KENNING_LLM_URL and the server',
  model_fails_of_settings: '{reason} Change it under Models.',
  no_embeddings: 'none: searches go by words alone',
  builtin_embeddings: '{model}: the model of the package',
  embeddings_answer: '{model} answers',
  embeddings_fail: '{reason}: searches go by words alone meanwhile; check the server of the embeddings',
  refilling:
    '{embedded} of {chunks} passages have its vectors, and a workspace is searched with them once all of its own have',
  no_reranker: 'none: searches keep their own order',
  reranker_answers: 'answers',
  reranker_silent: 'does not answer: searches keep their own order meanwhile; check its server',
  unknown_recognition: 'not known without a worker',
  queue_empty: 'empty',
  queue: 'tasks: {waiting} waiting, {running} running',
  queue_slow:
    'a file has waited for {minutes} minutes: more cores, or another worker (KENNING_ROLE=worker), would read them sooner',
  queue_stuck: 'a file has waited for {minutes} minutes: is a worker running?',
  /** What another program reported, in its words. */
  reported: '{reason}',
} as const
export type PartSentenceType = keyof typeof PART_SENTENCES

export interface PartSentence {
  type: PartSentenceType
  values: Readonly<Record<string, string | number>>
}

export interface PartHealth {
  check: (typeof PARTS)[number]
  status: 'ok' | 'warning' | 'problem'
  /** What was seen; for a warning or a problem also what to do. */
  message: string
  /** The same by type, for other languages. */
  sentences: PartSentence[]
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
