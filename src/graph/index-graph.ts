// Indexes a document's graph: evidence is written in short batches that do not count yet, published by one small
// transaction, and the aggregates it affects are updated from evidence. After a crash at any point, running it again
// completes the work.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Extraction } from './extraction.ts'
import {
  deleteEvidence,
  deleteGraph,
  type GraphState,
  type GraphTarget,
  insertMentions,
  insertRelations,
  markAggregated,
  publishGraph,
  retireGraphs,
  selectUnaggregated,
  startGraph,
} from './index-graph.sql.ts'
import { entityId } from './names.ts'
import { aggregateVersions, BATCH_ROWS, batches } from './resolve/aggregate.ts'

type Needs = Pick<Deps, 'db'>
/** Called first in a writing transaction; throws when another worker has taken over the task. */
export type Fence = (tx: Queryable) => Promise<void>

/**
 * Makes `extraction` the graph of the document, replacing its earlier versions. Called again for a version that is
 * already published, it only completes the aggregates. Throws what `fence` throws.
 */
export async function indexGraph(
  deps: Needs,
  target: GraphTarget,
  extraction: Extraction,
  signal: AbortSignal,
  fence: Fence,
): Promise<void> {
  // Fenced too: a workspace purged while its document was read must not get a row that nothing would delete.
  const start = (): Promise<GraphState> =>
    deps.db.tx(async (tx) => {
      await fence(tx)
      return startGraph(tx, target)
    })
  let state = await start()
  if (state === 'retired') {
    await updateAggregates(deps, target, signal)
    state = await start()
  }
  if (state === 'building') {
    await deleteLeftovers(deps, target, signal, fence)
    await writeEvidence(deps, target, extraction, signal)
    await deps.db.tx(async (tx) => {
      await fence(tx)
      if (!(await publishGraph(tx, target)))
        throw new Error('the graph of this version is no longer being built')
    })
  }
  await updateAggregates(deps, target, signal)
}

/** Removes the evidence of versions that the document no longer has. Safe to repeat. */
export async function dropGraph(
  deps: Needs,
  target: { workspaceId: string; documentId: string },
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await retireGraphs(deps.db, target.workspaceId, target.documentId)
  await updateAggregates(deps, target, signal)
}

/** Deletes what a killed attempt left behind, one fenced batch at a time. */
async function deleteLeftovers(
  deps: Needs,
  target: GraphTarget,
  signal: AbortSignal,
  fence: Fence,
): Promise<void> {
  let deleted = 0
  do {
    signal.throwIfAborted()
    deleted = await deps.db.tx(async (tx) => {
      await fence(tx)
      return deleteEvidence(tx, target.workspaceId, target.versionId, BATCH_ROWS * 4)
    })
  } while (deleted > 0)
}

async function writeEvidence(
  deps: Needs,
  target: GraphTarget,
  extraction: Extraction,
  signal: AbortSignal,
): Promise<void> {
  const ids = new Map<string, string>()
  const idOf = (key: string): string => {
    const known = ids.get(key)
    if (known !== undefined) return known
    const id = entityId(target.workspaceId, key)
    ids.set(key, id)
    return id
  }
  const mentions = extraction.mentions.map((m, mention_no) => ({ ...m, mention_no, entity_id: idOf(m.key) }))
  for (const batch of batches(mentions)) {
    signal.throwIfAborted()
    await insertMentions(deps.db, target, batch)
  }
  const relations = extraction.relations.map((r, relation_no) => ({
    ...r,
    relation_no,
    head: idOf(r.head),
    tail: idOf(r.tail),
  }))
  for (const batch of batches(relations)) {
    signal.throwIfAborted()
    await insertRelations(deps.db, target, batch)
  }
}

/**
 * Updates the aggregates that the document's published and retired versions affect, then deletes the retired
 * evidence.
 */
async function updateAggregates(
  deps: Needs,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  signal: AbortSignal,
): Promise<void> {
  const pending = await selectUnaggregated(deps.db, workspaceId, documentId)
  if (pending.length > 0) await aggregateVersions(deps, workspaceId, pending, signal)
  for (const { version_id, state } of pending) {
    if (state === 'live') await markAggregated(deps.db, workspaceId, version_id)
    else await removeVersion(deps, workspaceId, version_id, signal)
  }
}

async function removeVersion(
  deps: Needs,
  workspaceId: string,
  versionId: string,
  signal: AbortSignal,
): Promise<void> {
  do signal.throwIfAborted()
  while ((await deleteEvidence(deps.db, workspaceId, versionId, BATCH_ROWS * 4)) > 0)
  await deleteGraph(deps.db, workspaceId, versionId)
}
