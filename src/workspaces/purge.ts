// The purge task: removes every row of a deleted workspace.

import { type DiskCache, pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { finishTask, type Subject, type Task } from '../work/queue.sql.ts'
import { deleteWorkspaceRow, purgeStep } from './purge.sql.ts'

export type PurgeDeps = Pick<Deps, 'db'> & { cache?: Pick<DiskCache, 'drop'> }

interface PurgeTask extends Task {
  /** `owners`: of the workspace when it was deleted. */
  subject: Subject & { owners?: string[] }
}

export async function purgeWorkspace(deps: PurgeDeps, task: PurgeTask, signal: AbortSignal): Promise<void> {
  while (!(await purgeStep(deps.db, task.workspace_id))) signal.throwIfAborted()
  await deps.db.tx(async (tx) => {
    await finishTask(tx, task)
    await deleteWorkspaceRow(tx, task.workspace_id, task.subject.owners ?? [])
  })
  // A parser that ended while the workspace was being deleted may have left its result after the first drop.
  await deps.cache?.drop(pagesFolder(task.workspace_id))
}
