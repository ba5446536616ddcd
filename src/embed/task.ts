// The embedding task: runs a round for one workspace, and queues rounds that were not queued otherwise.

import type { Deps } from '../ports/deps.ts'
import { endRound, type Task } from '../work/queue.sql.ts'
import { embedRound } from './round.ts'
import {
  finishEmbed,
  markEmbedded,
  queueEmbed,
  selectForgotten,
  selectUnembedded,
  startEmbed,
} from './task.sql.ts'

export type EmbedDeps = Pick<Deps, 'db' | 'log' | 'embedder'>

// The time slice of a round. A slot that embeds reads no files, so after this time waiting files come first again.
const ROUND_MS = 10_000

/**
 * Runs a round. The task never fails for good: a model server may be down for a night, and meanwhile the workspace is searched
 * by words.
 */
export async function embedWorkspace(deps: EmbedDeps, task: Task, signal: AbortSignal): Promise<void> {
  const workspaceId = task.workspace_id
  await startEmbed(deps.db, task)
  // The versions are read before the round, because the round covers those that exist when it begins.
  const unembedded = await selectUnembedded(deps.db, workspaceId)
  const until = Date.now() + ROUND_MS
  const outcome = await embedRound(deps, workspaceId, { signal, until })
  const isTaskFinished = await deps.db.tx(async (tx) => {
    if (outcome === 'more') return false
    await markEmbedded(tx, workspaceId, unembedded)
    return finishEmbed(tx, task)
  })
  if (!isTaskFinished) await endRound(deps.db, task)
}

/**
 * Queues rounds for versions that a worker of another release folded. During an upgrade such a worker still runs, and it queues
 * no rounds.
 */
export async function queueForgotten({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const workspaceId of await selectForgotten(db)) await queueEmbed(db, workspaceId)
}
