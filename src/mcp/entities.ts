// Entities found by a name or a description, in one workspace or in all.

import type { Entity } from '../contract/resources.ts'
import { ApiError } from '../errors.ts'
import { nameKey } from '../graph/names.ts'
import { findEntities } from '../search/entities.ts'
import { isId } from './ids.ts'
import type { Session } from './tool.ts'
import { findObject, type ReadableObject, type ReadableWorkspace, workspacesFor } from './workspaces.ts'

export interface EntityMatch extends Entity {
  workspace: ReadableWorkspace
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
  for (const workspace of workspaces) {
    signal.throwIfAborted()
    const { data } = await findEntities(depsOf(workspace.id), caller, workspace.id, {
      q: query,
      type,
      limit: MAX_MATCHES,
    })
    lists.push(data.map((entity) => ({ ...entity, workspace })))
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

export type EntityTarget = ReadableObject

/** The entity with this id; or the first entity with this name of each workspace; or the best match. */
export async function targetsOf(
  session: Session,
  entity: string,
  idOrName: string | undefined,
): Promise<EntityTarget[]> {
  const { deps, caller } = session
  const target = isId(entity) && (await findObject(deps, caller, { kind: 'entity', id: entity, idOrName }))
  if (target) return [target]
  const { workspaces } = await workspacesFor(deps, caller, idOrName)
  const entities = await entitiesNamed(session, workspaces, entity)
  const exactMatches = entities.filter((one) => isCalled(one, entity))
  const isFirst = ({ id, workspace }: EntityTarget): boolean =>
    exactMatches.find((one) => one.workspace === workspace)?.id === id
  const targets = exactMatches.length ? exactMatches.filter(isFirst) : entities.slice(0, 1)
  if (targets.length > 0) return targets
  const message = `No entity is called "${entity.slice(0, 100)}". Look for it with find_entities, or search for it.`
  throw new ApiError(404, 'not_found', message)
}
