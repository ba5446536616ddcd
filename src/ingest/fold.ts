// The fold task: counts the terms of live versions in and those of retired ones out, and removes the rows of those.

import { queueEmbed } from '../embed/task.sql.ts'
import { nextStep, retireAbandoned, takeStep } from '../index/fold.sql.ts'
import type { Deps } from '../ports/deps.ts'
import { absorbTasks, finishTask, insertTask, type NewTask, type Task } from '../work/queue.sql.ts'

type Needs = Pick<Deps, 'db'>

/** A round of folding and sweeping; the round that runs does it for all that wait. */
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
  // Every change of a workspace's chunks asks for a fold, so this is where their vectors are asked for.
  await deps.db.tx(async (tx) => {
    if (await finishTask(tx, task)) await queueEmbed(tx, task.workspace_id)
  })
}

/** Retires the versions of attempts that are over, and asks for what nothing else will ask for. */
export async function foldAbandoned({ db }: Needs): Promise<void> {
  for (const workspaceId of await retireAbandoned(db)) await insertTask(db, foldTask(workspaceId))
}
