// The fold task adds the term counts of new versions to the workspace's statistics, subtracts those of retired versions, and
// removes the rows of retired versions.

import { queueEmbed } from '../embed/task.sql.ts'
import { nextStep, retireAbandoned, runStep } from '../index/fold.sql.ts'
import type { Deps } from '../ports/deps.ts'
import { absorbTasks, finishTask, insertTask, type NewTask, type Task } from '../work/queue.sql.ts'

type FoldDeps = Pick<Deps, 'db'>

/** The task that folds a workspace. When it runs, it absorbs all other waiting fold tasks of the workspace. */
export const foldTask = (workspaceId: string): NewTask => ({
  workspaceId,
  kind: 'fold',
  priority: 'catchUp',
  subject: {},
})

export async function foldWorkspace(deps: FoldDeps, task: Task, signal: AbortSignal): Promise<void> {
  await absorbTasks(deps.db, task)
  for (;;) {
    signal.throwIfAborted()
    const step = await nextStep(deps.db, task.workspace_id)
    if (!step) break
    await runStep(deps.db, task.workspace_id, step)
  }
  // Every change of a workspace's chunks causes a fold, so this is the place to request the embedding of new chunks.
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await queueEmbed(tx, task.workspace_id)
  })
}

/** Retires the versions of abandoned attempts, and queues a fold for their workspaces. */
export async function foldAbandoned({ db }: FoldDeps): Promise<void> {
  for (const workspaceId of await retireAbandoned(db)) await insertTask(db, foldTask(workspaceId))
}
