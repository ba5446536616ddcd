// After evidence or the map of merges changed: what it touched is summed anew, in short transactions. Every sum is made
// from all there is once its rows are locked, so whoever comes last is right; killed anywhere, running again repairs.

import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import {
  deleteEntities,
  lockEntities,
  selectDocumentCounts,
  selectParts,
  sumEdges,
  type Unsettled,
  updateEntities,
} from '../index-graph.sql.ts'
import {
  endMerge,
  insertMerge,
  lockMerges,
  markMergeSettled,
  reroot,
  selectDecisions,
  selectEdgesAround,
  selectLongs,
  selectRoots,
  selectTouchedEdges,
  selectTouchedShorts,
  selectUnsettledMerges,
} from '../merges.sql.ts'
import { entityId } from '../names.ts'
import { entityRow, type NamedPart } from './canonical.ts'
import { countIn, countOut, selectOwnParts, selectTouchedEntities } from './mention-counts.sql.ts'
import { explanationOf, isShortKey } from './short-forms.ts'

type Needs = Pick<Deps, 'db'>
interface Named {
  id: string
  key: string
}

// Rows a statement: the embedded engine serves searches between two of them.
export const ROWS_A_BATCH = 50

/** Counts live versions in and retired ones out, decides what merges by itself, and sums what all that touched. */
export async function sumVersions(
  deps: Needs,
  workspaceId: string,
  versions: readonly Unsettled[],
  signal: AbortSignal,
): Promise<void> {
  const touched = new Map<string, string>()
  for (const { version_id, state } of versions) {
    const count = state === 'live' ? countIn : countOut
    const named = await selectTouchedEntities(deps.db, workspaceId, version_id)
    for (const { id, key } of named) touched.set(id, key)
    for (const batch of batches(named)) {
      signal.throwIfAborted()
      await deps.db.tx((tx) => count(tx, workspaceId, version_id, idsOf(batch)))
    }
  }
  const ids = versions.map(({ version_id }) => version_id)
  const shorts = await selectTouchedShorts(deps.db, workspaceId, ids)
  await decideShorts(deps, workspaceId, shorts, signal)
  const named = [...touched].map(([id, key]) => ({ id, key }))
  const roots: Named[] = []
  for (const batch of batches(named, 1000)) roots.push(...(await selectRoots(deps.db, workspaceId, batch)))
  await sumAll(deps, workspaceId, roots, signal)
  await sumAllEdges(deps, workspaceId, await selectTouchedEdges(deps.db, workspaceId, ids), signal)
  await settleMerges(deps, workspaceId, signal)
}

/** Makes or ends the automatic merges of short forms, as evidence and people's decisions say now. */
export async function decideShorts(
  deps: Needs,
  workspaceId: string,
  shorts: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(shorts.filter(isShortKey), 200)) {
    signal.throwIfAborted()
    await deps.db.tx(async (tx) => {
      await lockMerges(tx, workspaceId)
      await decideBatch(tx, workspaceId, batch)
    })
  }
}

async function decideBatch(tx: Queryable, workspaceId: string, shorts: string[]): Promise<void> {
  const idOf = new Map(shorts.map((key) => [key, entityId(workspaceId, key)]))
  const longs = await selectLongs(tx, workspaceId, shorts)
  const decisions = await selectDecisions(tx, workspaceId, [...idOf.values()])
  const parts = byEntity(await selectOwnParts(tx, workspaceId, [...idOf.values(), ...idsOf(longs)]))
  let changed = false
  for (const [key, id] of idOf) {
    const decided = decisions.filter((row) => row.from_id === id || row.into_id === id)
    const now = decided.find((row) => row.from_id === id && row.state === 'automatic')
    const explained = explanationOf({
      id,
      key,
      parts: parts.get(id) ?? [],
      longs: longs
        .filter(({ short }) => short === key)
        .map((long) => ({ ...long, parts: parts.get(long.id) ?? [] })),
      decided,
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
  if (changed) await reroot(tx, workspaceId)
}

/** Sums what changes of the map touched since they were committed, whoever made them. */
export async function settleMerges(deps: Needs, workspaceId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const unsettled = await selectUnsettledMerges(deps.db, workspaceId)
    if (unsettled.length === 0) return
    for (const merge of unsettled) {
      signal.throwIfAborted()
      const ends = [
        { id: merge.from_id, key: merge.from_key },
        { id: merge.root_id, key: merge.root_key },
      ]
      await sumAll(deps, workspaceId, ends, signal)
      const edges = await selectEdgesAround(deps.db, workspaceId, idsOf(ends))
      await sumAllEdges(deps, workspaceId, edges, signal)
      await markMergeSettled(deps.db, workspaceId, merge)
    }
  }
}

async function sumAll(
  deps: Needs,
  workspaceId: string,
  entities: readonly Named[],
  signal: AbortSignal,
): Promise<void> {
  const ordered = entities.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const batch of batches(ordered)) {
    signal.throwIfAborted()
    await deps.db.tx((tx) => sumEntities(tx, workspaceId, batch))
  }
}

async function sumAllEdges(
  deps: Needs,
  workspaceId: string,
  edges: readonly { head: string; type: string; tail: string }[],
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches(edges)) {
    signal.throwIfAborted()
    await deps.db.tx((tx) => sumEdges(tx, workspaceId, batch))
  }
}

async function sumEntities(tx: Queryable, workspaceId: string, batch: Named[]): Promise<void> {
  await lockEntities(tx, workspaceId, batch)
  const ids = idsOf(batch)
  const parts = byEntity(await selectParts(tx, workspaceId, ids))
  const counts = await selectDocumentCounts(tx, workspaceId, ids)
  const documents = new Map(counts.map((row) => [row.id, row.documents]))
  const held = batch.filter(({ id }) => parts.has(id))
  const gone = ids.filter((id) => !parts.has(id))
  if (held.length) {
    const rows = held.map((entity) =>
      entityRow(entity, parts.get(entity.id) ?? [], documents.get(entity.id) ?? 0),
    )
    await updateEntities(tx, workspaceId, rows)
  }
  if (gone.length) await deleteEntities(tx, workspaceId, gone)
}

function byEntity(parts: readonly NamedPart[]): Map<string, NamedPart[]> {
  const found = new Map<string, NamedPart[]>()
  for (const part of parts) {
    const of = found.get(part.id)
    if (of) of.push(part)
    else found.set(part.id, [part])
  }
  return found
}

const idsOf = (entities: readonly { id: string }[]): string[] => entities.map(({ id }) => id)

export function* batches<T>(items: readonly T[], size = ROWS_A_BATCH): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
