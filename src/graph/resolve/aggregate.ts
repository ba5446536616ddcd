// Updates the aggregates (entities and edges) in short transactions after evidence or merges have changed. Each aggregate is
// computed from all evidence under a lock, so that the last writer stores the right value. After a crash at any point, a repetition
// completes the work.

import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import {
  deleteEntities,
  lockAggregates,
  recountEdges,
  selectDocumentCounts,
  selectSurfaceCounts,
  type UnaggregatedVersion,
  writeEntities,
} from '../index-graph.sql.ts'
import {
  endMerge,
  insertMerge,
  lockMerges,
  markMergeAggregated,
  selectAffectedEdges,
  selectAffectedShortForms,
  selectDecisions,
  selectEdgesAround,
  selectExpansions,
  selectQualifiedKeys,
  selectRoots,
  selectUnaggregatedMerges,
  updateRoots,
} from '../merges.sql.ts'
import { entityId } from '../names.ts'
import { canonicalEntity, type SurfaceCount } from './canonical.ts'
import {
  addMentionCounts,
  selectMentionedEntities,
  selectUnmergedSurfaceCounts,
  subtractMentionCounts,
} from './mention-counts.sql.ts'
import { mergeNamesakes } from './merge-namesakes.ts'
import { expansionOf, isShortKey } from './short-forms.ts'

type DbDeps = Pick<Deps, 'db'>
interface EntityKey {
  id: string
  key: string
}

// Statements are small, because the embedded engine serves searches between them.
export const BATCH_ROWS = 50
// How many entities or edges are updated in one transaction.
const AGGREGATES_PER_BATCH = 100

/**
 * Adds the counts of live versions, subtracts the counts of retired versions, updates automatic merges, and updates the entities
 * and edges that this affects.
 */
export async function aggregateVersions(
  deps: DbDeps,
  workspaceId: string,
  versions: readonly UnaggregatedVersion[],
  signal: AbortSignal,
): Promise<void> {
  const affectedEntities = new Map<string, string>()
  const liveIds = versions.filter(({ state }) => state === 'live').map(({ version_id }) => version_id)
  if (liveIds.length) {
    const mentionedEntities = await selectMentionedEntities(deps.db, workspaceId, liveIds)
    for (const { id, key } of mentionedEntities) affectedEntities.set(id, key)
    for (const batch of batches(mentionedEntities, AGGREGATES_PER_BATCH)) {
      signal.throwIfAborted()
      await deps.db.tx((tx) => addMentionCounts(tx, workspaceId, batch))
    }
  }
  for (const { version_id, state } of versions) {
    if (state === 'live') continue
    const mentionedEntities = await selectMentionedEntities(deps.db, workspaceId, [version_id])
    for (const { id, key } of mentionedEntities) affectedEntities.set(id, key)
    for (const batch of batches(mentionedEntities)) {
      signal.throwIfAborted()
      await deps.db.tx((tx) => subtractMentionCounts(tx, workspaceId, version_id, idsOf(batch)))
    }
  }
  const ids = versions.map(({ version_id }) => version_id)
  const shortForms = await selectAffectedShortForms(deps.db, workspaceId, ids)
  await mergeShortForms(deps, workspaceId, shortForms, signal)
  await mergeNamesakes(deps, workspaceId, await selectQualifiedKeys(deps.db, workspaceId, ids), signal)
  const entityKeys = [...affectedEntities].map(([id, key]) => ({ id, key }))
  // The roots are collected by id, because two names of one entity may be in different batches, and no statement may write a row
  // twice.
  const roots = new Map<string, EntityKey>()
  for (const batch of batches(entityKeys, 1000))
    for (const root of await selectRoots(deps.db, workspaceId, batch)) roots.set(root.id, root)
  await aggregateEntities(deps, workspaceId, [...roots.values()], signal)
  await aggregateEdges(deps, workspaceId, await selectAffectedEdges(deps.db, workspaceId, ids), signal)
  await aggregateMerges(deps, workspaceId, signal)
}

/** Creates or ends the automatic merges of short forms according to the current evidence and the manual merges. */
export async function mergeShortForms(
  deps: DbDeps,
  workspaceId: string,
  shortForms: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(shortForms.filter(isShortKey), 200)) {
    signal.throwIfAborted()
    await deps.db.tx(async (tx) => {
      await lockMerges(tx, workspaceId)
      await mergeShortFormsOfBatch(tx, workspaceId, batch)
    })
  }
}

async function mergeShortFormsOfBatch(
  tx: Queryable,
  workspaceId: string,
  shortForms: string[],
): Promise<void> {
  const idByKey = new Map(shortForms.map((key) => [key, entityId(workspaceId, key)]))
  const expansions = await selectExpansions(tx, workspaceId, shortForms)
  const decisions = await selectDecisions(tx, workspaceId, [...idByKey.values()])
  const surfaceCounts = byEntity(
    await selectUnmergedSurfaceCounts(tx, workspaceId, [...idByKey.values(), ...idsOf(expansions)]),
  )
  let hasChanged = false
  for (const [key, id] of idByKey) {
    const entityDecisions = decisions.filter((row) => row.from_id === id || row.into_id === id)
    const currentMerge = entityDecisions.find((row) => row.from_id === id && row.state === 'automatic')
    const target = expansionOf({
      id,
      key,
      surfaceCounts: surfaceCounts.get(id) ?? [],
      expansions: expansions
        .filter(({ short }) => short === key)
        .map((expansion) => ({ ...expansion, surfaceCounts: surfaceCounts.get(expansion.id) ?? [] })),
      decisions: entityDecisions,
    })
    if (currentMerge?.into_id === target?.id) continue
    hasChanged = true
    if (currentMerge) await endMerge(tx, workspaceId, id, 'lapsed')
    if (!target) continue
    const { id: into_id, key: into_key, reason } = target
    await insertMerge(tx, workspaceId, {
      from_id: id,
      from_key: key,
      into_id,
      into_key,
      state: 'automatic',
      reason,
    })
  }
  if (hasChanged) await updateRoots(tx, workspaceId)
}

/** Updates the entities and edges that are affected by committed changes of manual and automatic merges. */
export async function aggregateMerges(deps: DbDeps, workspaceId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const unaggregatedMerges = await selectUnaggregatedMerges(deps.db, workspaceId)
    if (unaggregatedMerges.length === 0) return
    for (const merge of unaggregatedMerges) {
      signal.throwIfAborted()
      const ends = [
        { id: merge.from_id, key: merge.from_key },
        { id: merge.root_id, key: merge.root_key },
      ]
      await aggregateEntities(deps, workspaceId, ends, signal)
      const edges = await selectEdgesAround(deps.db, workspaceId, idsOf(ends))
      await aggregateEdges(deps, workspaceId, edges, signal)
      await markMergeAggregated(deps.db, workspaceId, merge)
    }
  }
}

async function aggregateEntities(
  deps: DbDeps,
  workspaceId: string,
  entities: readonly EntityKey[],
  signal: AbortSignal,
): Promise<void> {
  const orderedEntities = entities.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const batch of batches(orderedEntities, AGGREGATES_PER_BATCH)) {
    signal.throwIfAborted()
    await deps.db.tx((tx) => aggregateBatch(tx, workspaceId, batch))
  }
}

async function aggregateEdges(
  deps: DbDeps,
  workspaceId: string,
  edges: readonly { head: string; type: string; tail: string }[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(edges, AGGREGATES_PER_BATCH)) {
    signal.throwIfAborted()
    await deps.db.tx(async (tx) => {
      await lockAggregates(tx, workspaceId)
      await recountEdges(tx, workspaceId, batch)
    })
  }
}

async function aggregateBatch(tx: Queryable, workspaceId: string, batch: EntityKey[]): Promise<void> {
  await lockAggregates(tx, workspaceId)
  const ids = idsOf(batch)
  const surfaceCounts = byEntity(await selectSurfaceCounts(tx, workspaceId, ids))
  const counts = await selectDocumentCounts(tx, workspaceId, ids)
  const documentCounts = new Map(counts.map((row) => [row.id, row.documents]))
  const remainingEntities = batch.filter(({ id }) => surfaceCounts.has(id))
  const removedIds = ids.filter((id) => !surfaceCounts.has(id))
  if (remainingEntities.length) {
    const rows = remainingEntities.map((entity) =>
      canonicalEntity(entity, surfaceCounts.get(entity.id) ?? [], documentCounts.get(entity.id) ?? 0),
    )
    await writeEntities(tx, workspaceId, rows)
  }
  if (removedIds.length) await deleteEntities(tx, workspaceId, removedIds)
}

function byEntity(surfaceCounts: readonly SurfaceCount[]): Map<string, SurfaceCount[]> {
  const surfacesByEntity = new Map<string, SurfaceCount[]>()
  for (const surfaceCount of surfaceCounts) {
    const entityCounts = surfacesByEntity.get(surfaceCount.id)
    if (entityCounts) entityCounts.push(surfaceCount)
    else surfacesByEntity.set(surfaceCount.id, [surfaceCount])
  }
  return surfacesByEntity
}

const idsOf = (entities: readonly { id: string }[]): string[] => entities.map(({ id }) => id)

export function* batches<T>(items: readonly T[], size = BATCH_ROWS): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
