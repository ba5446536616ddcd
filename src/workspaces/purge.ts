// The purge task: removes every row of a deleted workspace.

import { type DiskCache, pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { finishTask, type Task } from '../work/queue.sql.ts'
import { deleteWorkspaceRow, purgeStep } from './purge.sql.ts'

export type PurgeDeps = Pick<Deps, 'db'> & { cache?: Pick<DiskCache, 'drop'> }

export async function purgeWorkspace(deps: PurgeDeps, task: Task, signal: AbortSignal): Promise<void> {
  while (!(await purgeStep(deps.db, task.workspace_id))) signal.throwIfAborted()
  await deps.db.tx(async (tx) => {
    await finishTask(tx, task)
    await deleteWorkspaceRow(tx, task.workspace_id)
  })
  // A parser that ended while the workspace was being deleted may have left its result after the first drop.
  await deps.cache?.drop(pagesFolder(task.workspace_id))
}
