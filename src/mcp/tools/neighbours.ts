// The relations of an entity to others.

import { z } from 'zod'
import { principal } from '../../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../../auth/cursor.ts'
import { text } from '../../contract/fields.ts'
import type { Relation } from '../../contract/resources.ts'
import { ApiError } from '../../errors.ts'
import { getEntity, MENTIONED_WITH } from '../../graph/entities.ts'
import { getEntityPaths, MAX_STEPS } from '../../graph/paths.ts'
import { countFitting, cutText } from '../budget.ts'
import { type EntityTarget, targetsOf } from '../entities.ts'
import { cursor, label, next_cursor, workspace } from '../fields.ts'
import { shortId } from '../ids.ts'
import { defineTool, READS, type Session } from '../tool.ts'

export const neighboursTool = defineTool({
  name: 'neighbours',
  title: 'Neighbours',
  description:
    'Relations of an entity to others: those that sentences state, then mentioned_with (named together more often than by chance); most evidence first. With `other`: the relations that connect the two, step by step.',
  ability: 'read',
  hints: READS,
  input: z.object({
    entity: text(1, 500).describe('Id or name'),
    other: text(1, 500).optional(),
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
        workspace: label,
        quote: z.string().optional(),
      }),
    ),
    next_cursor,
  }),
  run: async (session, { entity, other, depth, workspace: idOrName, cursor }) => {
    const { deps, caller } = session
    if (other !== undefined) return connectionOf(session, { entity, other, idOrName })
    const binding = ['mcp neighbours', principal(caller), entity, String(depth), idOrName ?? '']
    const skip = cursor === undefined ? 0 : decodeCursor<number>(deps.cursorKey, binding, cursor)
    const targets = await targetsOf(session, entity, idOrName)
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
    const remainingRelations = allRelations.slice(skip)
    const relations = remainingRelations.slice(0, Math.max(1, countFitting(remainingRelations)))
    const next = skip + relations.length
    return {
      name: byTarget[0]?.name ?? entity,
      relations,
      ...(next < allRelations.length ? { next_cursor: encodeCursor(deps.cursorKey, binding, next) } : {}),
    }
  },
})

const MAX_QUOTE_TOKENS = 200

/** The shortest path from one entity to another: of each step the relation of the entity before to the one named. */
async function connectionOf(
  session: Session,
  { entity, other, idOrName }: { entity: string; other: string; idOrName: string | undefined },
) {
  const { depsOf, caller, signal } = session
  const startEntities = await targetsOf(session, entity, idOrName)
  const otherEntities = await targetsOf(session, other, idOrName)
  for (const { id, workspace } of startEntities) {
    const otherId = otherEntities.find((one) => one.workspace.id === workspace.id)?.id
    if (otherId === undefined) continue
    signal.throwIfAborted()
    const query = { entityId: id, otherId, limit: 1 }
    const { from, paths } = await getEntityPaths(depsOf(workspace.id), caller, workspace.id, query)
    const [path] = paths
    if (path)
      return {
        name: from.name,
        relations: path.steps.map(({ to, type, reversed, evidence_count, passage }) => ({
          relation: type,
          direction: reversed ? ('in' as const) : ('out' as const),
          evidence: evidence_count,
          entity: shortId(to.id),
          name: cutText(to.name, 100),
          ...workspace.label,
          ...(passage && { quote: cutText(passage.text, MAX_QUOTE_TOKENS) }),
        })),
      }
  }
  const message = `No chain of at most ${MAX_STEPS} relations connects the two.`
  throw new ApiError(404, 'not_found', message)
}

async function relationsOf({ depsOf, caller }: Session, { id, workspace }: EntityTarget, depth: number) {
  const { entity, outgoing, incoming } = await getEntity(
    depsOf(workspace.id),
    caller,
    { workspaceId: workspace.id, entityId: id },
    depth,
  )
  const toRelation = (direction: 'out' | 'in') => (relation: Relation) => ({
    relation: relation.type,
    direction,
    evidence: relation.evidence_count,
    entity: shortId(relation.entity.id),
    name: cutText(relation.entity.name, 100),
    ...workspace.label,
  })
  return {
    name: entity.name,
    relations: [...outgoing.map(toRelation('out')), ...incoming.map(toRelation('in'))],
  }
}
