// The embedding task: rounds of a few seconds for one workspace, so that files and folds come between them. It is never
// given up: a model server may be away for a night, and its workspace is searched by words meanwhile.

import { embedRound } from '../../embed/round.ts'
import { finishEmbed, releaseTask, startEmbed, type Task } from './queue.sql.ts'
import type { WorkDeps } from './work.ts'

// A slot that embeds reads no files: files come first again after this long.
const ROUND_MS = 10_000

export async function embedWorkspace(deps: WorkDeps, task: Task, signal: AbortSignal): Promise<void> {
  await startEmbed(deps.db, task)
  const outcome = await embedRound(deps, task.workspace_id, { signal, until: Date.now() + ROUND_MS })
  if (outcome === 'done' && (await finishEmbed(deps.db, task))) return
  await releaseTask(deps.db, task, 0, false)
}
