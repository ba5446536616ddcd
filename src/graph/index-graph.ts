// Evidence in, sums out: a document's graph is written in short batches nobody counts, published by one small
// transaction, and the sums it touched are made anew from evidence. Killed anywhere, running it again repairs.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Extraction } from './extraction.ts'
import {
  deleteEvidence,
  enterGraph,
  forgetGraph,
  type GraphState,
  type GraphTarget,
  insertMentions,
  insertRelations,
  markSettled,
  publishGraph,
  retireGraphs,
  selectUnsettled,
} from './index-graph.sql.ts'
import { entityId } from './names.ts'
import { batches, ROWS_A_BATCH, sumVersions } from './resolve/aggregate.ts'

type Needs = Pick<Deps, 'db'>
/** Called first in a writing transaction; throws when another worker has taken the task over. */
export type Fence = (tx: Queryable) => Promise<void>

/**
 * Makes `extraction` the graph of the document, in place of what its earlier versions said. A version is extracted
 * once: called again for a version that is published, it only finishes the sums. Throws what `fence` throws.
 */
export async function indexGraph(
  deps: Needs,
  target: GraphTarget,
  extraction: Extraction,
  signal: AbortSignal,
  fence: Fence,
): Promise<void> {
  // Fenced too: a workspace purged while its document was read must not get a row that nobody would remove.
  const enter = (): Promise<GraphState> =>
    deps.db.tx(async (tx) => {
      await fence(tx)
      return enterGraph(tx, target)
    })
  let state = await enter()
  if (state === 'retired') {
    await settle(deps, target, signal)
    state = await enter()
  }
  if (state === 'building') {
    await clearLeftovers(deps, target, signal, fence)
    await writeEvidence(deps, target, extraction, signal)
    await deps.db.tx(async (tx) => {
      await fence(tx)
      if (!(await publishGraph(tx, target)))
        throw new Error('the graph of this version is no longer being built')
    })
  }
  await settle(deps, target, signal)
}

/** Removes what versions that the document no longer has said. Safe to repeat. */
export async function dropGraph(
  deps: Needs,
  target: { workspaceId: string; documentId: string },
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  await retireGraphs(deps.db, target.workspaceId, target.documentId)
  await settle(deps, target, signal)
}

/** What an attempt that was killed left behind goes, one fenced batch at a time. */
async function clearLeftovers(
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
      return deleteEvidence(tx, target.workspaceId, target.versionId, ROWS_A_BATCH * 4)
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

/** Sums anew what the document's published and retired versions touch, then lets the retired evidence go. */
async function settle(
  deps: Needs,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  signal: AbortSignal,
): Promise<void> {
  const unsettled = await selectUnsettled(deps.db, workspaceId, documentId)
  if (unsettled.length > 0) await sumVersions(deps, workspaceId, unsettled, signal)
  for (const { version_id, state } of unsettled) {
    if (state === 'live') await markSettled(deps.db, workspaceId, version_id)
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
  while ((await deleteEvidence(deps.db, workspaceId, versionId, ROWS_A_BATCH * 4)) > 0)
  await forgetGraph(deps.db, workspaceId, versionId)
}
