// How two entities are connected: the shortest chains of relations from one to the other, with a passage for each step.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { EntityPaths, PathStep } from '../contract/resources.ts'
import { invalid, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { passagesOf } from './entity-evidence.ts'
import { selectEntity, selectRelations } from './graph.sql.ts'
import { selectMentionedWith } from './mentioned-with.sql.ts'
import { type Link, type PathEntity, selectLinksAmong, selectMentionCounts } from './paths.sql.ts'
import { type Path, shortestPaths } from './shortest-paths.ts'

/** The most steps of a path. Longer paths connect almost any two names of a workspace, so they mean nothing. */
export const MAX_STEPS = 3
// The most relations that are followed from each end, those with most evidence first. This limits the time for hubs.
const MAX_LINKS_PER_END = 100

/**
 * At most `limit` of the shortest paths between two entities, of at most MAX_STEPS steps. Relations are followed in both
 * directions. Relations that sentences state come before pairs that passages only name together.
 * @throws ApiError 404; 422 if both ids are the same entity
 */
export async function getEntityPaths(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  query: { entityId: string; otherId: string; limit: number },
): Promise<EntityPaths> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const from = await selectEntity(deps.db, workspaceId, query.entityId)
  const to = await selectEntity(deps.db, workspaceId, query.otherId)
  if (!from || !to) throw notFound()
  if (from.id === to.id) throw invalid(['path', 'other_id'], 'Both are the same entity; name two of them')
  const paths = await pathsOf(deps, workspaceId, { from, to, limit: query.limit })
  const steps: PathStep[][] = []
  for (const path of paths) steps.push(await stepsOf(deps, workspaceId, path))
  return { from, to, max_steps: MAX_STEPS, paths: steps.map((pathSteps) => ({ steps: pathSteps })) }
}

/** The shortest paths. A direct relation is read separately, because it may not be among the first relations of either end. */
async function pathsOf(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  { from, to, limit }: { from: PathEntity; to: PathEntity; limit: number },
): Promise<Path[]> {
  const ends = { from: from.id, to: to.id, limit }
  const directLinks = await selectLinksAmong(deps.db, workspaceId, [from.id, to.id])
  const directPaths = await rankPaths(deps, workspaceId, directLinks, { ...ends, maxSteps: 1 })
  if (directPaths.length > 0) return directPaths
  const links = [...(await linksOf(deps, workspaceId, from)), ...(await linksOf(deps, workspaceId, to))]
  const twoStepPaths = await rankPaths(deps, workspaceId, links, { ...ends, maxSteps: 2 })
  if (twoStepPaths.length > 0) return twoStepPaths
  const linksAmongEnds = await selectLinksAmong(deps.db, workspaceId, entityIdsOf(links))
  return rankPaths(deps, workspaceId, [...links, ...linksAmongEnds], { ...ends, maxSteps: MAX_STEPS })
}

/**
 * The relations of an entity: relations that sentences state in either direction, and entities that passages name together with it.
 */
async function linksOf(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  entity: PathEntity,
): Promise<readonly Link[]> {
  const relationQuery = { entityId: entity.id, depth: 1, limit: MAX_LINKS_PER_END }
  const outgoingRelations = await selectRelations(deps.db, workspaceId, {
    ...relationQuery,
    direction: 'out',
  })
  const incomingRelations = await selectRelations(deps.db, workspaceId, { ...relationQuery, direction: 'in' })
  const mentionedWith = await selectMentionedWith(deps.db, workspaceId, entity.id, MAX_LINKS_PER_END)
  return [
    ...[...outgoingRelations, ...mentionedWith].map(({ entity: other, ...link }) => ({
      ...link,
      source: entity,
      target: other,
    })),
    ...incomingRelations.map(({ entity: other, ...link }) => ({ ...link, source: other, target: entity })),
  ]
}

const entityIdsOf = (links: readonly Link[]): string[] => [
  ...new Set(links.flatMap(({ source, target }) => [source.id, target.id])),
]

async function rankPaths(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  links: readonly Link[],
  ends: { from: string; to: string; maxSteps: number; limit: number },
): Promise<Path[]> {
  const mentionCounts = await selectMentionCounts(deps.db, workspaceId, entityIdsOf(links))
  return shortestPaths(links, { ...ends, mentionCounts })
}

const stepsOf = (deps: Pick<Deps, 'db'>, workspaceId: string, path: Path): Promise<PathStep[]> =>
  Promise.all(
    path.map(async ({ link: { source, target, type, evidence_count }, isReversed }) => {
      const [passage] = await passagesOf(deps, workspaceId, {
        entityId: source.id,
        withEntity: target.id,
        relationType: type,
        after: undefined,
        limit: 1,
      })
      const [from, to] = isReversed ? [target, source] : [source, target]
      return { from, to, type, reversed: isReversed, evidence_count, passage: passage ?? null }
    }),
  )
