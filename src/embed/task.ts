// The embedding task: a round for one workspace, and asking for rounds that nothing else asks for.

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

// A slot that embeds reads no files: files come first again after this long.
const ROUND_MS = 10_000

/** Never given up: a model server may be away for a night, and the workspace is searched by words meanwhile. */
export async function embedWorkspace(deps: EmbedDeps, task: Task, signal: AbortSignal): Promise<void> {
  const workspaceId = task.workspace_id
  await startEmbed(deps.db, task)
  // Before the round, which covers those that are there when it begins.
  const unembedded = await selectUnembedded(deps.db, workspaceId)
  const until = Date.now() + ROUND_MS
  const outcome = await embedRound(deps, workspaceId, { signal, until })
  const ended = await deps.db.tx(async (tx) => {
    if (outcome === 'more') return false
    await markEmbedded(tx, workspaceId, unembedded)
    return finishEmbed(tx, task)
  })
  if (!ended) await endRound(deps.db, task)
}

/** For versions of a worker of another release, which runs on while others are replaced and asks for no round. */
export async function queueForgotten({ db }: Pick<Deps, 'db'>): Promise<void> {
  for (const workspaceId of await selectForgotten(db)) await queueEmbed(db, workspaceId)
}
