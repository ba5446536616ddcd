// Lists the merges of an entity, merges two entities by hand, undoes a merge, or records that two entities are not the same. Two
// entities that are not the same are never merged automatically and not proposed again.

import { record } from '../audit/activity.sql.ts'
import { type Action, type Actor, actorOf, type NewActivity } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Merge, Page } from '../contract/resources.ts'
import { invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { selectEntity } from './graph.sql.ts'
import { selectByIds } from './merge-candidates.sql.ts'
import {
  endMerge,
  insertMerge,
  lockMerges,
  type MergeRow,
  selectActiveMerge,
  selectDecisions,
  selectMergesOf,
  updateRoots,
} from './merges.sql.ts'
import { qualifiedName } from './names.ts'
import { aggregateMerges, mergeShortForms } from './resolve/aggregate.ts'
import { mergeNamesakes } from './resolve/merge-namesakes.ts'

type DbDeps = Pick<Deps, 'db'>

// Nobody needs more names of one entity.
const MAX_MERGES = 200

/** The merges into the entity with their reasons, and the merges that were undone. @throws ApiError 404 */
export async function listMerges(
  deps: DbDeps,
  caller: Caller,
  workspaceId: string,
  entityId: string,
): Promise<Page<Merge>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const entity = await selectEntity(deps.db, workspaceId, entityId)
  if (!entity) throw notFound()
  const rows = await selectMergesOf(deps.db, workspaceId, entity.id, MAX_MERGES)
  return { data: rows.map(asMerge), has_more: false, next_cursor: null }
}

/** Merges the entity `mergedId` into `entityId`. A repeated merge changes nothing. @throws ApiError 404, 422 */
export async function putMerge(
  deps: DbDeps,
  caller: Caller,
  { workspaceId, entityId, mergedId }: { workspaceId: string; entityId: string; mergedId: string },
): Promise<Merge> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  return asMerge(await mergeEntities(deps, workspaceId, { entityId, otherId: mergedId }, actorOf(caller)))
}

/** As `putMerge`, without the access check. @param actor is recorded in the audit log */
export async function mergeEntities(
  deps: DbDeps,
  workspaceId: string,
  { entityId, otherId }: { entityId: string; otherId: string },
  actor?: Actor,
): Promise<MergeRow> {
  const merge = await deps.db.tx(async (tx) => {
    await lockMerges(tx, workspaceId)
    return insertManualMerge(tx, workspaceId, { entityId, otherId }, actor)
  })
  await aggregateMerges(deps, workspaceId, new AbortController().signal)
  return merge
}

async function insertManualMerge(
  tx: Queryable,
  workspaceId: string,
  { entityId, otherId }: { entityId: string; otherId: string },
  actor: Actor | undefined,
): Promise<MergeRow> {
  const entity = await selectEntity(tx, workspaceId, entityId)
  const from = await selectEntity(tx, workspaceId, otherId)
  if (!entity || !from) throw notFound()
  if (entity.id === from.id) {
    const existingMerge = await selectActiveMerge(tx, workspaceId, otherId, entity.id)
    if (existingMerge) return existingMerge
    throw invalid(['path', 'merged_id'], 'These are already the same entity')
  }
  const keys = new Map((await selectByIds(tx, workspaceId, [entity.id, from.id])).map((e) => [e.id, e.key]))
  const merge = {
    from_id: from.id,
    from_key: keys.get(from.id) ?? '',
    into_id: entity.id,
    into_key: keys.get(entity.id) ?? '',
    state: 'manual' as const,
    reason: 'merged by hand',
  }
  await insertMerge(tx, workspaceId, merge)
  if (actor)
    await record(
      tx,
      mergeActivity('entities_merged', workspaceId, actor, { subject: entity.id, merged: from.id }),
    )
  await updateRoots(tx, workspaceId)
  return { ...merge, root_id: entity.id, name: from.name }
}

/**
 * Undoes a manual or automatic merge. If the two entities are not merged, records that they are not the same. @throws ApiError 404
 */
export async function undoMerge(
  deps: DbDeps,
  caller: Caller,
  { workspaceId, entityId, mergedId }: { workspaceId: string; entityId: string; mergedId: string },
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  await splitEntity(deps, workspaceId, { entityId, mergedId }, actorOf(caller))
}

/** As `undoMerge`, without the access check. @param actor is recorded in the audit log */
export async function splitEntity(
  deps: DbDeps,
  workspaceId: string,
  { entityId, mergedId }: { entityId: string; mergedId: string },
  actor?: Actor,
): Promise<void> {
  const merge = await deps.db.tx(async (tx) => {
    await lockMerges(tx, workspaceId)
    const entity = await selectEntity(tx, workspaceId, entityId)
    const activeMerge = entity && (await selectActiveMerge(tx, workspaceId, mergedId, entity.id))
    if (activeMerge) await endMerge(tx, workspaceId, mergedId, 'undone')
    else if (entity && (await areMarkedDistinct(tx, workspaceId, entity.id, mergedId))) return undefined
    const merge = activeMerge ?? (await markDistinct(tx, workspaceId, entity, mergedId))
    await updateRoots(tx, workspaceId)
    if (actor)
      await record(
        tx,
        mergeActivity(activeMerge ? 'merge_undone' : 'merge_rejected', workspaceId, actor, {
          subject: merge.root_id,
          merged: mergedId,
        }),
      )
    return merge
  })
  if (!merge) return
  const { signal } = new AbortController()
  // A manual merge at either end may have prevented an automatic merge of a short form or a person.
  await mergeShortForms(deps, workspaceId, [merge.from_key, merge.into_key], signal)
  await mergeNamesakes(deps, workspaceId, [merge.from_key, merge.into_key], signal)
  await aggregateMerges(deps, workspaceId, signal)
}

async function areMarkedDistinct(
  tx: Queryable,
  workspaceId: string,
  entityId: string,
  other: string,
): Promise<boolean> {
  const decisions = await selectDecisions(tx, workspaceId, [entityId])
  return decisions.some(
    ({ from_id, into_id, state }) => state === 'undone' && [from_id, into_id].includes(other),
  )
}

type DistinctPair = Pick<MergeRow, 'from_key' | 'into_key' | 'root_id'>

/** Records that two entities are not the same. @throws ApiError 404 if they are merged, or if one of them no longer exists */
async function markDistinct(
  tx: Queryable,
  workspaceId: string,
  entity: { id: string } | undefined,
  otherId: string,
): Promise<DistinctPair> {
  const other = await selectEntity(tx, workspaceId, otherId)
  if (!entity || other?.id !== otherId || other.id === entity.id) throw notFound()
  const keys = new Map((await selectByIds(tx, workspaceId, [entity.id, other.id])).map((e) => [e.id, e.key]))
  const pair = {
    from_id: other.id,
    from_key: keys.get(other.id) ?? '',
    into_id: entity.id,
    into_key: keys.get(entity.id) ?? '',
  }
  await insertMerge(tx, workspaceId, { ...pair, state: 'undone', reason: 'kept apart by hand' })
  return { ...pair, root_id: entity.id }
}

const mergeActivity = (
  action: Extract<Action, 'entities_merged' | 'merge_undone' | 'merge_rejected'>,
  workspaceId: string,
  actor: Actor,
  { subject, merged }: { subject: string; merged: string },
): NewActivity => ({ action, actor, workspaceIds: [workspaceId], subject, detail: { merged } })

const asMerge = (row: MergeRow): Merge => ({
  entity_id: row.from_id,
  name: row.name === null ? row.from_key : qualifiedName(row.name, row.from_key),
  into_id: row.into_id,
  state: row.state === 'lapsed' ? 'undone' : row.state,
  reason: row.reason,
})
