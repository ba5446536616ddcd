// Indexes the graphs of documents. First the evidence is written in small batches, which readers do not see. Then one small
// transaction publishes it, and the affected aggregates are updated. After a crash at any point, a repetition completes the work.

import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Extraction, Mention } from './extraction.ts'
import {
  deleteEvidence,
  deleteGraph,
  type GraphVersion,
  insertMentions,
  insertRelations,
  markAggregated,
  publishGraphs,
  retireGraphs,
  selectUnaggregated,
  startGraphs,
} from './index-graph.sql.ts'
import { entityId } from './names.ts'
import { aggregateVersions, BATCH_ROWS, batches } from './resolve/aggregate.ts'

// 200 mentions take the embedded engine 15 ms.
const EVIDENCE_ROWS_PER_STATEMENT = 200

type DbDeps = Pick<Deps, 'db'>
/** Called at the beginning of a transaction that writes. It throws if another worker has taken over the task. */
type Fence = (tx: Queryable) => Promise<void>

/** Either of these may stop the work before it is complete. */
interface WriteGuards {
  signal: AbortSignal
  fence: Fence
}

/** The mentions and relations that the extractors found in a version. */
export interface ExtractedGraph extends GraphVersion {
  extraction: Extraction
}

/**
 * Writes the extractions as the graphs of their documents, which replace the graphs of earlier versions. For versions whose graph
 * is already published it only completes the aggregates. Several documents share their statements, because parsing and planning
 * separate statements took most of the time.
 * @throws the error of `fence`
 */
export async function indexGraphs(
  deps: DbDeps,
  workspaceId: string,
  extractedGraphs: readonly ExtractedGraph[],
  guards: WriteGuards,
): Promise<void> {
  const { signal, fence } = guards
  // This transaction calls `fence` too. Otherwise, if the workspace was purged meanwhile, nothing would delete the new row.
  const start = (): ReturnType<typeof startGraphs> =>
    deps.db.tx(async (tx) => {
      await fence(tx)
      return startGraphs(tx, workspaceId, extractedGraphs)
    })
  const documentIds = extractedGraphs.map(({ documentId }) => documentId)
  let states = await start()
  if ([...states.values()].some(({ state }) => state === 'retired')) {
    await updateAggregates(deps, workspaceId, documentIds, signal)
    states = await start()
  }
  const buildingGraphs = extractedGraphs.filter(
    ({ versionId }) => states.get(versionId)?.state === 'building',
  )
  if (buildingGraphs.length > 0) {
    for (const { versionId } of buildingGraphs)
      if (!states.get(versionId)?.isNew) await deleteLeftovers(deps, workspaceId, versionId, guards)
    await writeEvidence(deps, workspaceId, buildingGraphs, signal)
    await deps.db.tx(async (tx) => {
      await fence(tx)
      if (!(await publishGraphs(tx, workspaceId, buildingGraphs)))
        throw new Error('the graph of a version is no longer being built')
    })
  }
  await updateAggregates(deps, workspaceId, documentIds, signal)
}

/** Removes the graphs of a deleted document. A repetition changes nothing. */
export async function dropGraph(
  deps: DbDeps,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
): Promise<void> {
  await retireGraphs(deps.db, workspaceId, documentId)
  await updateAggregates(deps, workspaceId, [documentId], new AbortController().signal)
}

/** Deletes the evidence that a killed attempt has written, in batches. `fence` is called for each batch. */
async function deleteLeftovers(
  deps: DbDeps,
  workspaceId: string,
  versionId: string,
  { signal, fence }: WriteGuards,
): Promise<void> {
  let deletedCount = 0
  do {
    signal.throwIfAborted()
    deletedCount = await deps.db.tx(async (tx) => {
      await fence(tx)
      return deleteEvidence(tx, workspaceId, versionId, BATCH_ROWS * 4)
    })
  } while (deletedCount > 0)
}

// Mentions are numbered in text order. So the numbers of two mentions show how many mentions are between them
// (mentioned-with.sql.ts).
const byPosition = (a: Mention, b: Mention): number =>
  a.chunk_no - b.chunk_no ||
  a.start - b.start ||
  a.end - b.end ||
  (a.key < b.key ? -1 : Number(a.key > b.key))

async function writeEvidence(
  deps: DbDeps,
  workspaceId: string,
  extractedGraphs: readonly ExtractedGraph[],
  signal: AbortSignal,
): Promise<void> {
  const ids = new Map<string, string>()
  const idOf = (key: string): string => {
    const existingId = ids.get(key)
    if (existingId !== undefined) return existingId
    const id = entityId(workspaceId, key)
    ids.set(key, id)
    return id
  }
  const mentions = extractedGraphs.flatMap(({ versionId, extraction }) =>
    extraction.mentions
      .toSorted(byPosition)
      .map((m, mention_no) => ({ ...m, versionId, mention_no, entity_id: idOf(m.key) })),
  )
  for (const batch of batches(mentions, EVIDENCE_ROWS_PER_STATEMENT)) {
    signal.throwIfAborted()
    await insertMentions(deps.db, workspaceId, batch)
  }
  const relations = extractedGraphs.flatMap(({ versionId, extraction }) =>
    extraction.relations.map((r, relation_no) => ({
      ...r,
      versionId,
      relation_no,
      head: idOf(r.head),
      tail: idOf(r.tail),
    })),
  )
  for (const batch of batches(relations, EVIDENCE_ROWS_PER_STATEMENT)) {
    signal.throwIfAborted()
    await insertRelations(deps.db, workspaceId, batch)
  }
}

/**
 * Updates the aggregates that the published and retired versions of the documents affect, then deletes the retired
 * evidence.
 */
async function updateAggregates(
  deps: DbDeps,
  workspaceId: string,
  documentIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const unaggregatedVersions = await selectUnaggregated(deps.db, workspaceId, documentIds)
  if (unaggregatedVersions.length === 0) return
  await aggregateVersions(deps, workspaceId, unaggregatedVersions, signal)
  const liveIds = unaggregatedVersions
    .filter(({ state }) => state === 'live')
    .map(({ version_id }) => version_id)
  if (liveIds.length > 0) await markAggregated(deps.db, workspaceId, liveIds)
  for (const { version_id, state } of unaggregatedVersions)
    if (state !== 'live') await removeVersion(deps, workspaceId, version_id, signal)
}

async function removeVersion(
  deps: DbDeps,
  workspaceId: string,
  versionId: string,
  signal: AbortSignal,
): Promise<void> {
  do signal.throwIfAborted()
  while ((await deleteEvidence(deps.db, workspaceId, versionId, BATCH_ROWS * 4)) > 0)
  await deleteGraph(deps.db, workspaceId, versionId)
}
