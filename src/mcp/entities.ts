// Entities found by a name or a description, in one workspace or in all.

import type { Entity } from '../contract/resources.ts'
import { nameKey } from '../graph/names.ts'
import { findEntities } from '../search/entities.ts'
import type { Session } from './tool.ts'
import type { ReadableWorkspace } from './workspaces.ts'

export interface EntityMatch extends Entity {
  workspaceRow: ReadableWorkspace
}

// The specification's limit for one workspace.
const MAX_MATCHES = 25

/** The best matches, from each workspace in turn. Entities with exactly this name come first. */
export async function entitiesNamed(
  { depsOf, caller, signal }: Session,
  workspaces: readonly ReadableWorkspace[],
  query: string,
  type?: string,
): Promise<EntityMatch[]> {
  const lists: EntityMatch[][] = []
  for (const workspaceRow of workspaces) {
    signal.throwIfAborted()
    const { data } = await findEntities(depsOf(workspaceRow.id), caller, workspaceRow.id, {
      q: query,
      type,
      limit: MAX_MATCHES,
    })
    lists.push(data.map((entity) => ({ ...entity, workspaceRow })))
  }
  const maxLength = Math.max(0, ...lists.map((list) => list.length))
  const interleaved = Array.from({ length: maxLength }, (_, rank) =>
    lists.flatMap((list) => list[rank] ?? []),
  ).flat()
  return [
    ...interleaved.filter((match) => isCalled(match, query)),
    ...interleaved.filter((match) => !isCalled(match, query)),
  ]
}

export const isCalled = ({ name, aliases = [] }: Entity, query: string): boolean =>
  [name, ...aliases].some((candidateName) => nameKey(candidateName) === nameKey(query))
