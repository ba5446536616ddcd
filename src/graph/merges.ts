// What a person does about names: see what was taken for one entity and why, take two for one, undo it. Undone is
// remembered: it does not come back by itself.

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
  reroot,
  selectActive,
  selectMergesOf,
} from './merges.sql.ts'
import { decideShorts, settleMerges } from './resolve/aggregate.ts'

type Needs = Pick<Deps, 'db'>

// Nobody reads more names of one thing.
const MOST_MERGES = 200

/** What counts for the entity besides its own name, with reasons, and what was undone. @throws ApiError 404 */
export async function listMerges(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  entityId: string,
): Promise<Page<Merge>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const entity = await selectEntity(deps.db, workspaceId, entityId)
  if (!entity) throw notFound()
  const rows = await selectMergesOf(deps.db, workspaceId, entity.id, MOST_MERGES)
  return { data: rows.map(shown), has_more: false, next_cursor: null }
}

/** Takes another entity for this one from now on. Done already, it changes nothing. @throws ApiError 404, 422 */
export async function putMerge(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  entityId: string,
  otherId: string,
): Promise<Merge> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  return shown(await mergeEntities(deps, workspaceId, entityId, otherId, actorOf(caller)))
}

/** putMerge for who has access; `by` is written down. */
export async function mergeEntities(
  deps: Needs,
  workspaceId: string,
  entityId: string,
  otherId: string,
  by?: Actor,
): Promise<MergeRow> {
  const merge = await deps.db.tx(async (tx) => {
    await lockMerges(tx, workspaceId)
    return join(tx, workspaceId, { entityId, otherId }, by)
  })
  await settleMerges(deps, workspaceId, new AbortController().signal)
  return merge
}

async function join(
  tx: Queryable,
  workspaceId: string,
  { entityId, otherId }: { entityId: string; otherId: string },
  by: Actor | undefined,
): Promise<MergeRow> {
  const into = await selectEntity(tx, workspaceId, entityId)
  const from = await selectEntity(tx, workspaceId, otherId)
  if (!into || !from) throw notFound()
  if (into.id === from.id) {
    const done = await selectActive(tx, workspaceId, otherId, into.id)
    if (done) return done
    throw invalid(['path', 'merged_id'], 'These are the same entity')
  }
  const keys = new Map((await selectByIds(tx, workspaceId, [into.id, from.id])).map((e) => [e.id, e.key]))
  const merge = {
    from_id: from.id,
    from_key: keys.get(from.id) ?? '',
    into_id: into.id,
    into_key: keys.get(into.id) ?? '',
    state: 'manual' as const,
    reason: 'merged by hand',
  }
  await insertMerge(tx, workspaceId, merge)
  if (by) await record(tx, noted('entities_merged', by, workspaceId, into.id, from.id))
  await reroot(tx, workspaceId)
  return { ...merge, root_id: into.id, name: from.name }
}

/** Lets a merged name stand for itself again, whoever merged it. @throws ApiError 404 */
export async function undoMerge(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  entityId: string,
  mergedId: string,
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  await splitEntity(deps, workspaceId, entityId, mergedId, actorOf(caller))
}

/** undoMerge for who has access; `by` is written down. */
export async function splitEntity(
  deps: Needs,
  workspaceId: string,
  entityId: string,
  mergedId: string,
  by?: Actor,
): Promise<void> {
  const merge = await deps.db.tx(async (tx) => {
    await lockMerges(tx, workspaceId)
    const entity = await selectEntity(tx, workspaceId, entityId)
    const found = entity && (await selectActive(tx, workspaceId, mergedId, entity.id))
    if (!found) throw notFound()
    await endMerge(tx, workspaceId, mergedId, 'undone')
    await reroot(tx, workspaceId)
    if (by) await record(tx, noted('merge_undone', by, workspaceId, entity.id, mergedId))
    return found
  })
  const { signal } = new AbortController()
  // A decision at either end may have kept a short form from merging.
  await decideShorts(deps, workspaceId, [merge.from_key, merge.into_key], signal)
  await settleMerges(deps, workspaceId, signal)
}

const noted = (
  action: Extract<Action, 'entities_merged' | 'merge_undone'>,
  actor: Actor,
  workspaceId: string,
  subject: string,
  merged: string,
): NewActivity => ({ action, actor, workspaceIds: [workspaceId], subject, detail: { merged } })

const shown = (row: MergeRow): Merge => ({
  entity_id: row.from_id,
  name: row.name ?? row.from_key,
  into_id: row.into_id,
  state: row.state === 'lapsed' ? 'undone' : row.state,
  reason: row.reason,
})
