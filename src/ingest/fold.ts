// The fold task adds the term counts of live versions, subtracts those of retired ones, and removes the rows of the latter.

import { queueEmbed } from '../embed/task.sql.ts'
import { nextStep, retireAbandoned, takeStep } from '../index/fold.sql.ts'
import type { Deps } from '../ports/deps.ts'
import { absorbTasks, finishTask, insertTask, type NewTask, type Task } from '../work/queue.sql.ts'

type Needs = Pick<Deps, 'db'>

/** A round of folding and sweeping. The running round does the work of all that wait. */
export const foldTask = (workspaceId: string): NewTask => ({
  workspaceId,
  kind: 'fold',
  priority: 'catchUp',
  subject: {},
})

export async function foldWorkspace(deps: Needs, task: Task, signal: AbortSignal): Promise<void> {
  await absorbTasks(deps.db, task)
  for (;;) {
    signal.throwIfAborted()
    const step = await nextStep(deps.db, task.workspace_id)
    if (!step) break
    await takeStep(deps.db, task.workspace_id, step)
  }
  // Every change of a workspace's chunks causes a fold, so their vectors are requested here.
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await queueEmbed(tx, task.workspace_id)
  })
}

/** Retires the versions of abandoned attempts, and queues the fold that nothing else will queue. */
export async function foldAbandoned({ db }: Needs): Promise<void> {
  for (const workspaceId of await retireAbandoned(db)) await insertTask(db, foldTask(workspaceId))
}
