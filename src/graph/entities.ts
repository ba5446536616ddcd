// Entities, their neighbourhood and the main entities of a workspace (spec, "Knowledge graph").

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Entity, EntityNeighborhood, Graph, Page, Themes } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { findEntitiesByName } from './entity-search.ts'
import {
  type EntityPosition,
  selectEntities,
  selectEntity,
  selectGraph,
  selectRelations,
  selectThemes,
  selectTypes,
} from './graph.sql.ts'
import { MENTIONED_WITH, selectMentionedWith } from './mentioned-with.sql.ts'
import type { EntityType } from './names.ts'

export { MENTIONED_WITH }

type EntityDeps = Pick<Deps, 'db' | 'cursorKey'>

export interface EntityQuery extends PageQuery {
  q?: string | null | undefined
  type?: string | null | undefined
}

// The limit of matches in the specification. There are no further pages.
const MAX_MATCHES = 25

/**
 * Without `q`: pages of all entities, sorted by type, name and id. With `q`: the best matches.
 * @throws ApiError 404; 422 for a cursor of another request
 */
export async function listEntities(
  deps: EntityDeps,
  caller: Caller,
  workspaceId: string,
  query: EntityQuery,
): Promise<Page<Entity>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const { q, limit } = query
  const type = query.type ?? undefined
  const binding = ['entities', workspaceId, principal(caller), q ?? '', type ?? '']
  if (q?.trim()) {
    const selectMatches = () =>
      findEntitiesByName(deps, workspaceId, { query: q, type, limit: Math.min(limit, MAX_MATCHES) })
    const { rows, ...next } = await readPage(deps, {
      binding,
      page: query,
      select: selectMatches,
      positionOf: ({ id }) => id,
    })
    return { data: rows, ...next }
  }
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: EntityPosition | undefined, pageLimit) =>
      selectEntities(deps.db, workspaceId, { type, after, limit: pageLimit }),
    positionOf: (row) => ({ type: row.type, key: row.name_key, id: row.id }),
  })
  return { data: rows.map(({ name_key: _key, ...entity }) => entity), ...next }
}

// This limit is not in the specification. Nobody needs more relations.
const MAX_RELATIONS = 1000
// The most related entities whose `mentioned_with` relations depth 2 adds, and the most relations of each.
const MAX_SECOND_STEP_ENTITIES = 10
const MAX_SECOND_STEP_RELATIONS = 10

/**
 * The entity and the relations on directed paths of at most `depth` (1 or 2) steps, at most MAX_RELATIONS in each direction.
 * `outgoing` also contains all `mentioned_with` relations, which have no direction. @throws ApiError 404
 */
export async function getEntity(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  { workspaceId, entityId }: { workspaceId: string; entityId: string },
  depth: number,
): Promise<EntityNeighborhood> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const entity = await selectEntity(deps.db, workspaceId, entityId)
  if (!entity) throw notFound()
  const relationQuery = { entityId: entity.id, depth, limit: MAX_RELATIONS }
  const outgoingRelations = await selectRelations(deps.db, workspaceId, {
    ...relationQuery,
    direction: 'out',
  })
  const incomingRelations = await selectRelations(deps.db, workspaceId, { ...relationQuery, direction: 'in' })
  const mentionedWith = await selectMentionedWith(deps.db, workspaceId, entity.id)
  const endIds = [...outgoingRelations, ...incomingRelations, ...mentionedWith].map(
    (relation) => relation.entity.id,
  )
  const relatedIds = new Set([entity.id, ...mentionedWith.map((relation) => relation.entity.id)])
  for (const id of depth > 1 ? new Set(endIds.slice(0, MAX_SECOND_STEP_ENTITIES)) : []) {
    for (const relation of await selectMentionedWith(deps.db, workspaceId, id, MAX_SECOND_STEP_RELATIONS)) {
      if (relatedIds.has(relation.entity.id)) continue
      relatedIds.add(relation.entity.id)
      mentionedWith.push(relation)
    }
  }
  return { entity, depth, outgoing: [...outgoingRelations, ...mentionedWith], incoming: incomingRelations }
}

// People, organizations and things are better themes than places.
export const THEME_WEIGHTS: Readonly<Record<EntityType, number>> = {
  person: 1,
  organization: 1.1,
  location: 0.7,
  event: 1.1,
  work: 1,
  product: 1.2,
  technology: 1.2,
  law: 1.1,
  concept: 0.9,
  other: 0.4,
}

const TYPE_WEIGHTS = Object.entries(THEME_WEIGHTS).map(([type, weight]) => ({ type, weight }))

/**
 * The number of entities of each type, and the `limit` main entities of the workspace. The caller of this function checks access.
 */
export async function mainEntities(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  limit: number,
): Promise<Themes> {
  const types = await selectTypes(deps.db, workspaceId)
  return {
    total_entities: types.reduce((sum, { count }) => sum + count, 0),
    types,
    top_entities: await selectThemes(deps.db, workspaceId, TYPE_WEIGHTS, limit),
  }
}

// More lines in a drawing hide what they connect. This also limits the response to 3 MB.
const MAX_EDGES_PER_NODE = 4

/** The `limit` main entities of the workspace, and the relations between them. @throws ApiError 404 */
export async function getGraph(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  limit: number,
): Promise<Graph> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return selectGraph(deps.db, workspaceId, TYPE_WEIGHTS, { nodes: limit, edges: MAX_EDGES_PER_NODE * limit })
}
