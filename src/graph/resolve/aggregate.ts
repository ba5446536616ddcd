// Updates the aggregates (entities and edges) that changed evidence or merges affect, in short transactions. Each is
// computed from all evidence under a lock, so the last writer is right; after a crash at any point,
// running it again completes the work.

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
  selectDecisions,
  selectEdgesAround,
  selectExpansions,
  selectRoots,
  selectTouchedEdges,
  selectTouchedShortForms,
  selectUnaggregatedMerges,
  updateRoots,
} from '../merges.sql.ts'
import { entityId } from '../names.ts'
import { canonicalEntity, type SurfaceCount } from './canonical.ts'
import {
  addMentionCounts,
  selectOwnSurfaceCounts,
  selectTouchedEntities,
  subtractMentionCounts,
} from './mention-counts.sql.ts'
import { expansionOf, isShortKey } from './short-forms.ts'

type Needs = Pick<Deps, 'db'>
interface Named {
  id: string
  key: string
}

// Rows a statement: the embedded engine serves searches between statements.
export const BATCH_ROWS = 50
// Of sums that several documents change together.
const SUMS_A_BATCH = 100

/** Counts live versions in and retired ones out, updates automatic merges, and aggregates everything affected. */
export async function aggregateVersions(
  deps: Needs,
  workspaceId: string,
  versions: readonly UnaggregatedVersion[],
  signal: AbortSignal,
): Promise<void> {
  const affected = new Map<string, string>()
  const live = versions.filter(({ state }) => state === 'live').map(({ version_id }) => version_id)
  if (live.length) {
    const touched = await selectTouchedEntities(deps.db, workspaceId, live)
    for (const { id, key } of touched) affected.set(id, key)
    for (const batch of batches(touched, SUMS_A_BATCH)) {
      signal.throwIfAborted()
      await deps.db.tx((tx) => addMentionCounts(tx, workspaceId, batch))
    }
  }
  for (const { version_id, state } of versions) {
    if (state === 'live') continue
    const touched = await selectTouchedEntities(deps.db, workspaceId, [version_id])
    for (const { id, key } of touched) affected.set(id, key)
    for (const batch of batches(touched)) {
      signal.throwIfAborted()
      await deps.db.tx((tx) => subtractMentionCounts(tx, workspaceId, version_id, idsOf(batch)))
    }
  }
  const ids = versions.map(({ version_id }) => version_id)
  const shortForms = await selectTouchedShortForms(deps.db, workspaceId, ids)
  await mergeShortForms(deps, workspaceId, shortForms, signal)
  const entityKeys = [...affected].map(([id, key]) => ({ id, key }))
  // By id: two names of one entity may be looked up in different batches, and no row may be written twice by one statement.
  const roots = new Map<string, Named>()
  for (const batch of batches(entityKeys, 1000))
    for (const root of await selectRoots(deps.db, workspaceId, batch)) roots.set(root.id, root)
  await aggregateEntities(deps, workspaceId, [...roots.values()], signal)
  await aggregateEdges(deps, workspaceId, await selectTouchedEdges(deps.db, workspaceId, ids), signal)
  await aggregateMerges(deps, workspaceId, signal)
}

/** Creates or ends the automatic merges of short forms according to the present evidence and people's decisions. */
export async function mergeShortForms(
  deps: Needs,
  workspaceId: string,
  shortForms: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(shortForms.filter(isShortKey), 200)) {
    signal.throwIfAborted()
    await deps.db.tx(async (tx) => {
      await lockMerges(tx, workspaceId)
      await mergeBatch(tx, workspaceId, batch)
    })
  }
}

async function mergeBatch(tx: Queryable, workspaceId: string, shortForms: string[]): Promise<void> {
  const idOf = new Map(shortForms.map((key) => [key, entityId(workspaceId, key)]))
  const expansions = await selectExpansions(tx, workspaceId, shortForms)
  const decisions = await selectDecisions(tx, workspaceId, [...idOf.values()])
  const parts = byEntity(
    await selectOwnSurfaceCounts(tx, workspaceId, [...idOf.values(), ...idsOf(expansions)]),
  )
  let changed = false
  for (const [key, id] of idOf) {
    const decided = decisions.filter((row) => row.from_id === id || row.into_id === id)
    const now = decided.find((row) => row.from_id === id && row.state === 'automatic')
    const explained = expansionOf({
      id,
      key,
      parts: parts.get(id) ?? [],
      expansions: expansions
        .filter(({ short }) => short === key)
        .map((expansion) => ({ ...expansion, parts: parts.get(expansion.id) ?? [] })),
      decisions: decided,
    })
    if (now?.into_id === explained?.id) continue
    changed = true
    if (now) await endMerge(tx, workspaceId, id, 'lapsed')
    if (!explained) continue
    const { id: into_id, key: into_key, reason } = explained
    await insertMerge(tx, workspaceId, {
      from_id: id,
      from_key: key,
      into_id,
      into_key,
      state: 'automatic',
      reason,
    })
  }
  if (changed) await updateRoots(tx, workspaceId)
}

/** Aggregates what committed changes of merges affect, whoever made them. */
export async function aggregateMerges(deps: Needs, workspaceId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const pending = await selectUnaggregatedMerges(deps.db, workspaceId)
    if (pending.length === 0) return
    for (const merge of pending) {
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
  deps: Needs,
  workspaceId: string,
  entities: readonly Named[],
  signal: AbortSignal,
): Promise<void> {
  const ordered = entities.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const batch of batches(ordered, SUMS_A_BATCH)) {
    signal.throwIfAborted()
    await deps.db.tx((tx) => aggregateBatch(tx, workspaceId, batch))
  }
}

async function aggregateEdges(
  deps: Needs,
  workspaceId: string,
  edges: readonly { head: string; type: string; tail: string }[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(edges, SUMS_A_BATCH)) {
    signal.throwIfAborted()
    await deps.db.tx(async (tx) => {
      await lockAggregates(tx, workspaceId)
      await recountEdges(tx, workspaceId, batch)
    })
  }
}

async function aggregateBatch(tx: Queryable, workspaceId: string, batch: Named[]): Promise<void> {
  await lockAggregates(tx, workspaceId)
  const ids = idsOf(batch)
  const parts = byEntity(await selectSurfaceCounts(tx, workspaceId, ids))
  const counts = await selectDocumentCounts(tx, workspaceId, ids)
  const documents = new Map(counts.map((row) => [row.id, row.documents]))
  const remaining = batch.filter(({ id }) => parts.has(id))
  const removedIds = ids.filter((id) => !parts.has(id))
  if (remaining.length) {
    const rows = remaining.map((entity) =>
      canonicalEntity(entity, parts.get(entity.id) ?? [], documents.get(entity.id) ?? 0),
    )
    await writeEntities(tx, workspaceId, rows)
  }
  if (removedIds.length) await deleteEntities(tx, workspaceId, removedIds)
}

function byEntity(parts: readonly SurfaceCount[]): Map<string, SurfaceCount[]> {
  const surfacesByEntity = new Map<string, SurfaceCount[]>()
  for (const part of parts) {
    const of = surfacesByEntity.get(part.id)
    if (of) of.push(part)
    else surfacesByEntity.set(part.id, [part])
  }
  return surfacesByEntity
}

const idsOf = (entities: readonly { id: string }[]): string[] => entities.map(({ id }) => id)

export function* batches<T>(items: readonly T[], size = BATCH_ROWS): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
