// Entities found by a name or a description, in one workspace or in all.

import type { Entity } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import { nameKey } from '../graph/names.ts'
import { findEntities } from '../search/entities.ts'
import type { Session } from './tool.ts'
import { isUuid, type ReadableWorkspace, workspaceOf, workspacesFor } from './workspaces.ts'

export interface EntityMatch extends Entity {
  place: ReadableWorkspace
}

// The specification's limit for one workspace.
const MAX_MATCHES = 25

/** The best matches, from each workspace in turn. Entities with exactly this name come first. */
export async function entitiesNamed(
  { depsOf: within, caller, signal }: Session,
  places: readonly ReadableWorkspace[],
  query: string,
  type?: string,
): Promise<EntityMatch[]> {
  const lists: EntityMatch[][] = []
  for (const place of places) {
    signal.throwIfAborted()
    const { data } = await findEntities(within(place.id), caller, place.id, {
      q: query,
      type,
      limit: MAX_MATCHES,
    })
    lists.push(data.map((entity) => ({ ...entity, place })))
  }
  const maxLength = Math.max(0, ...lists.map((list) => list.length))
  const interleaved = Array.from({ length: maxLength }, (_, rank) =>
    lists.flatMap((list) => list[rank] ?? []),
  ).flat()
  return [
    ...interleaved.filter((one) => isCalled(one, query)),
    ...interleaved.filter((one) => !isCalled(one, query)),
  ]
}

export const isCalled = ({ name, aliases = [] }: Entity, query: string): boolean =>
  [name, ...aliases].some((each) => nameKey(each) === nameKey(query))

export interface EntityTarget {
  id: string
  place: ReadableWorkspace
}

/** By id one entity. By name one in each workspace that has an entity of that name, or the best match. */
export async function targetsOf(
  session: Session,
  entity: string,
  workspace: string | undefined,
): Promise<EntityTarget[]> {
  const { deps, caller } = session
  if (isUuid(entity)) {
    return [
      {
        id: entity,
        place: await workspaceOf(deps, caller, { kind: 'entity', id: entity, idOrName: workspace }),
      },
    ]
  }
  const { workspaces: places } = await workspacesFor(deps, caller, workspace)
  const entities = await entitiesNamed(session, places, entity)
  const exactMatches = entities.filter((one) => isCalled(one, entity))
  const isFirst = ({ id, place }: EntityTarget): boolean =>
    exactMatches.find((one) => one.place === place)?.id === id
  const targets = exactMatches.length ? exactMatches.filter(isFirst) : entities.slice(0, 1)
  if (targets.length > 0) return targets
  const message = `No entity is called "${entity.slice(0, 100)}". Look for it with find_entities, or search for it.`
  throw new ApiError(404, 'not_found', message)
}
