// The stored state of a source, as rows: loaded completely when a run begins, and written with each step.

import type { Db } from '../ports/db/db.ts'
import type { State, StoredFileResult } from '../sync/state.ts'
import { TaskLost } from '../work/handler.ts'
import type { Task } from '../work/queue.sql.ts'
import {
  clearSending,
  deleteFileState,
  selectFileStates,
  upsertFileResult,
  upsertSending,
} from './sources.sql.ts'

export async function openRowState(db: Db, task: Task, sourceId: string): Promise<State> {
  const files = new Map<string, StoredFileResult>()
  const intents = new Map<string, Set<string>>()
  for (const { path, kept: result, sending } of await selectFileStates(db, task.workspace_id, sourceId)) {
    if (result) files.set(path, result)
    if (sending.length > 0) intents.set(path, new Set(sending))
  }
  const requireWritten = (isWritten: boolean): void => {
    if (!isWritten) throw new TaskLost()
  }
  return {
    files,
    intents,
    // Not needed: the ids of a run's jobs are stored (source_job).
    since: null,
    rememberSending: async (entries) => {
      if (entries.length === 0) return
      requireWritten(await upsertSending(db, task, sourceId, entries))
      for (const { path, hash } of entries) intents.set(path, (intents.get(path) ?? new Set()).add(hash))
    },
    remember: async (path, result) => {
      requireWritten(await upsertFileResult(db, task, sourceId, { path, result }))
      files.set(path, result)
      intents.delete(path)
    },
    forget: async (path) => {
      await deleteFileState(db, task, sourceId, path)
      files.delete(path)
      intents.delete(path)
    },
    clearSending: async () => {
      await db.tx((tx) => clearSending(tx, task, sourceId))
      intents.clear()
    },
  }
}
