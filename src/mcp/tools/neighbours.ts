// The relations of an entity to others.

import { z } from 'zod'
import { principal } from '../../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../../auth/cursor.ts'
import { text } from '../../contract/fields.ts'
import type { Relation } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import { getEntity, MENTIONED_WITH } from '../../graph/entities.ts'
import { countFitting, cutText } from '../budget.ts'
import { entitiesNamed, isCalled } from '../entities.ts'
import { cursor, next_cursor, workspace } from '../fields.ts'
import { defineTool, READS, type Session } from '../tool.ts'
import { isUuid, type ReadableWorkspace, workspaceOf, workspacesFor } from '../workspaces.ts'

export const neighboursTool = defineTool({
  name: 'neighbours',
  title: 'Neighbours',
  description:
    'Relations of an entity to others: those that sentences state, then mentioned_with (named together more often than by chance); most evidence first.',
  ability: 'read',
  hints: READS,
  input: z.object({
    entity: text(1, 500).describe('Id or name'),
    depth: z.int().min(1).max(2).default(1),
    workspace,
    cursor,
  }),
  output: z.object({
    name: z.string(),
    relations: z.array(
      z.object({
        relation: z.string(),
        direction: z.enum(['out', 'in']),
        evidence: z.int(),
        entity: z.string(),
        name: z.string(),
        workspace: z.string(),
      }),
    ),
    next_cursor,
  }),
  run: async (session, { entity, depth, workspace, cursor }) => {
    const { deps, caller } = session
    const binding = ['mcp neighbours', principal(caller), entity, String(depth), workspace ?? '']
    const skip = cursor === undefined ? 0 : decodeCursor<number>(deps.cursorKey, binding, cursor)
    const targets = await targetsOf(session, entity, workspace)
    const byTarget: Awaited<ReturnType<typeof relationsOf>>[] = []
    for (const target of targets) byTarget.push(await relationsOf(session, target, depth))
    const allRelations = byTarget
      .flatMap(({ relations }) => relations)
      .sort(
        (a, b) =>
          Number(a.relation === MENTIONED_WITH) - Number(b.relation === MENTIONED_WITH) ||
          b.evidence - a.evidence ||
          (a.entity < b.entity ? -1 : 1),
      )
    const remaining = allRelations.slice(skip)
    const relations = remaining.slice(0, Math.max(1, countFitting(remaining)))
    const next = skip + relations.length
    return {
      name: byTarget[0]?.name ?? entity,
      relations,
      ...(next < allRelations.length ? { next_cursor: encodeCursor(deps.cursorKey, binding, next) } : {}),
    }
  },
})

interface EntityTarget {
  id: string
  place: ReadableWorkspace
}

/** By id one entity. By name one in each workspace that has an entity of that name, or the best match. */
async function targetsOf(
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

async function relationsOf({ depsOf: within, caller }: Session, { id, place }: EntityTarget, depth: number) {
  const { entity, outgoing, incoming } = await getEntity(within(place.id), caller, place.id, id, depth)
  const toRelation = (direction: 'out' | 'in') => (relation: Relation) => ({
    relation: relation.type,
    direction,
    evidence: relation.evidence_count,
    entity: relation.entity.id,
    name: cutText(relation.entity.name, 100),
    workspace: place.name,
  })
  return {
    name: entity.name,
    relations: [...outgoing.map(toRelation('out')), ...incoming.map(toRelation('in'))],
  }
}
