// The task that runs a source. It synchronises the workspace with the source, or removes the source together with its documents.
// Only one worker runs a source at a time. Each step is written to the database before it is done, so after an interruption the
// next attempt continues from there.

import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, SCOPES } from '../auth/caller.ts'
import { ApiError } from '../errors.ts'
import { isDiskFull, isUnavailable } from '../ports/db/db-errors.ts'
import type { Deps } from '../ports/deps.ts'
import { OutboundFailed } from '../ports/outbound/outbound.ts'
import { SyncFailed } from '../sync/failure.ts'
import { type Summary, syncOnce } from '../sync/run.ts'
import type { Source } from '../sync/source.ts'
import { type Handler, TaskLost, TaskStale } from '../work/handler.ts'
import { finishTask, type Subject, type Task } from '../work/queue.sql.ts'
import { handlerWithTimeSlice } from '../work/time-slice.ts'
import { localDestination } from './destination.ts'
import { sourcesFolder, specOf } from './open.ts'
import { DEFAULT_LIMITS, type SourceLimits, sourceInChild } from './source-process.ts'
import {
  deleteSourceRow,
  endRun,
  queueDue,
  type RunResult,
  type SourceRow,
  selectExistingIds,
  selectSource,
} from './sources.sql.ts'
import { openRowState } from './state.ts'

export type SourceDeps = Pick<Deps, 'db' | 'blobs' | 'cache' | 'log' | 'settings' | 'seal' | 'admission'> & {
  /** Set by tests. */
  sourceLimits?: Partial<SourceLimits>
  timeSliceMs?: number
}

interface SourceSubject extends Subject {
  source_id?: string
  allow_empty?: true
  retry?: true
}

interface SourceTask extends Task {
  subject: SourceSubject
}

export const sourceHandler: Handler<SourceDeps> = handlerWithTimeSlice((deps, task, signal) =>
  runSource(deps, task as SourceTask, signal),
)

/** Throws only errors that the worker handles: a lost task, a database that cannot be reached, a full disk. */
async function runSource(deps: SourceDeps, task: SourceTask, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const id = task.subject.source_id ?? ''
  const row = await selectSource(db, task.workspace_id, id)
  if (!row) return void (await finishTask(db, task))
  const folder = join(sourcesFolder(deps.settings.dataDir), id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeSpooledFiles(folder)
  try {
    const counts = row.removing
      ? await removeDocuments(deps, task, row, signal)
      : await synchronise(deps, task, row, signal)
    await endSourceRun(deps, task, row, { counts, error: undefined, retry: false })
  } catch (error) {
    if (signal.aborted || isHandledByWorker(error)) throw error
    const message = userMessageOf(error)
    if (message === undefined) deps.log.error({ err: error, source: id }, 'a source failed')
    const reason = message ?? 'Something went wrong inside Kenning. Its log says what.'
    await endSourceRun(deps, task, row, {
      counts: undefined,
      error: reason,
      retry: !(error instanceof OwnerMayNotWrite),
    })
  } finally {
    await removeSpooledFiles(folder)
  }
}

/** The owner of the source may no longer write, so trying again earlier than usual would not help. */
class OwnerMayNotWrite extends Error {}

const isHandledByWorker = (error: unknown): boolean =>
  error instanceof TaskLost || error instanceof TaskStale || isUnavailable(error) || isDiskFull(error)

/** The message of an error that may be shown. Undefined for an unexpected error. */
function userMessageOf(error: unknown): string | undefined {
  if (error instanceof SyncFailed && error.type === 'empty')
    return `${error.message} If it is meant to be empty, run it with "allow_empty".`
  const isKnown =
    error instanceof SyncFailed ||
    error instanceof OutboundFailed ||
    error instanceof ApiError ||
    error instanceof OwnerMayNotWrite
  return isKnown ? error.message : undefined
}

async function endSourceRun(
  { db }: SourceDeps,
  task: SourceTask,
  { id, removing }: SourceRow,
  outcome: RunResult,
): Promise<void> {
  await db.tx(async (tx) => {
    if (!(await finishTask(tx, task))) throw new TaskLost()
    if (removing && outcome.error === undefined) await deleteSourceRow(tx, task.workspace_id, id)
    else await endRun(tx, task.workspace_id, id, outcome)
  })
}

/** The caller on whose behalf the source runs. @throws OwnerMayNotWrite if that person may no longer add and delete files */
async function callerOf(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  { acts_as: userId }: SourceRow,
): Promise<Caller> {
  const caller: Caller = { auth: 'session', id: userId, userId, scopes: SCOPES }
  await requireWorkspace({ db }, caller, workspaceId, 'edit').catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    throw new OwnerMayNotWrite(
      'The person who set up this source may no longer add files here. An owner can take it over by changing it, for example by pausing and resuming it.',
    )
  })
  return caller
}

async function synchronise(
  deps: SourceDeps,
  task: SourceTask,
  row: SourceRow,
  signal: AbortSignal,
): Promise<Summary> {
  const caller = await callerOf(deps, task.workspace_id, row)
  const limits = { ...DEFAULT_LIMITS, runMs: deps.settings.sourceHours * 3_600_000, ...deps.sourceLimits }
  const source = sourceInChild(specOf(deps, task.workspace_id, row), row.name, { limits }, deps.log)
  return runSync(deps, { task, row, caller, source, signal })
}

/** Removes the source's documents, as if the source had become empty. Documents that a user has changed are not removed. */
async function removeDocuments(
  deps: SourceDeps,
  task: SourceTask,
  row: SourceRow,
  signal: AbortSignal,
): Promise<Summary> {
  const caller = await callerOf(deps, task.workspace_id, row)
  const list = async () => ({ files: [], notes: [] })
  const source = { label: row.name, identity: row.id, list }
  const taskAllowingEmpty = { ...task, subject: { ...task.subject, allow_empty: true as const } }
  return runSync(deps, { task: taskAllowingEmpty, row, caller, source, signal })
}

interface SourceSync {
  task: SourceTask
  row: SourceRow
  caller: Caller
  source: Source
  signal: AbortSignal
}

async function runSync(
  deps: SourceDeps,
  { task, row, caller, source, signal }: SourceSync,
): Promise<Summary> {
  const state = await openRowState(deps.db, task, row.id)
  return syncOnce({
    destination: localDestination(deps, { caller, task, sourceId: row.id, signal }),
    source,
    state,
    into: row.into_folder,
    dryRun: false,
    retry: task.subject.retry === true,
    allowEmpty: task.subject.allow_empty === true,
    adopt: false,
    signal,
    onChange: () => {},
    onNote: () => {},
    progress: () => () => {},
  })
}

/**
 * Removes the files that this run, or one that was killed, has fetched. A git repository is kept, so that the next run fetches only
 * what is new in it.
 */
async function removeSpooledFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith('kenning-sync-')) await rm(join(folder, name), { recursive: true, force: true })
}

/** Queues the runs that are due. */
export const queueDueSources = ({ db }: Pick<Deps, 'db'>): Promise<void> => queueDue(db)

/** Removes the folders that deleted sources have on this machine. */
export async function removeSourceFolders({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const folder = sourcesFolder(settings.dataDir)
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter((name) => /^[0-9a-f-]{36}$/.test(name))
  const existingIds = new Set(await selectExistingIds(db, ids))
  for (const id of ids) if (!existingIds.has(id)) await rm(join(folder, id), { recursive: true, force: true })
}
