// Entities found by a name or a description, in one workspace or in all.

import type { Entity } from '../contract/resources.ts'
import { nameKey } from '../graph/names.ts'
import { findEntities } from '../search/entities.ts'
import type { Session } from './tool.ts'
import type { ReadableWorkspace } from './workspaces.ts'

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
