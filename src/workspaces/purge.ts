// The purge task: removes every row of a deleted workspace.

import { type DiskCache, pagesFolder } from '../ports/cache/disk-cache.ts'
import type { Deps } from '../ports/deps.ts'
import { TaskLost } from '../work/handler.ts'
import { finishTask, lockTask, type Subject, type Task } from '../work/queue.sql.ts'
import { deleteWorkspaceRow, purgeBatch } from './purge.sql.ts'

export type PurgeDeps = Pick<Deps, 'db'> & { cache?: Pick<DiskCache, 'drop'> }

interface PurgeTask extends Task {
  /** `owners` are the owners of the workspace when it was deleted. */
  subject: Subject & { owners?: string[] }
}

/** @throws TaskLost if another worker has taken over the task, since the id may then belong to an imported workspace */
export async function purgeWorkspace(deps: PurgeDeps, task: PurgeTask, signal: AbortSignal): Promise<void> {
  const step = (): Promise<boolean> =>
    deps.db.tx(async (tx) => {
      if (!(await lockTask(tx, task))) throw new TaskLost()
      return purgeBatch(tx, task.workspace_id)
    })
  while (!(await step())) signal.throwIfAborted()
  await deps.db.tx(async (tx) => {
    if (!(await finishTask(tx, task))) throw new TaskLost()
    await deleteWorkspaceRow(tx, task.workspace_id, task.subject.owners ?? [])
  })
  // A parser that ended while the workspace was being deleted may have added page images to the cache after they were first
  // removed.
  await deps.cache?.drop(pagesFolder(task.workspace_id))
}
