// GET /entities with `q`: first the entities whose name or alias matches exactly, by a prefix or with a typo (graph/entities.ts),
// then entities that are mentioned in passages about the query.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Entity, Page } from '../contract/resources.ts'
import { type EntityQuery, listEntities } from '../graph/entities.ts'
import { bridgeEntities } from '../graph/entity-search.ts'
import { nameKey } from '../graph/names.ts'
import type { Deps } from '../ports/deps.ts'
import { findPassages } from './search.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'embedder' | 'cursorKey'>

// In passages after the tenth, entities are mentioned only incidentally.
const MAX_PASSAGES = 10
const MAX_MENTIONED_ENTITIES = 100
const MAX_MATCHES = 25

/**
 * As `listEntities`. If no entity has exactly the typed name, entities from the passages of the query follow. @throws ApiError
 * 404, 422
 */
export async function findEntities(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: EntityQuery,
): Promise<Page<Entity>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const matchesByName = await listEntities(deps, caller, workspaceId, query)
  const q = query.q?.trim()
  const maxMatches = Math.min(query.limit, MAX_MATCHES)
  if (!q || matchesByName.data.length >= maxMatches) return matchesByName
  const hasExactMatch = matchesByName.data.some((entity) => hasName(entity, nameKey(q)))
  if (hasExactMatch) return matchesByName
  const passages = await findPassages(deps, caller, workspaceId, {
    query: q,
    limit: MAX_PASSAGES,
    without: ['second hop', 'reranker'],
  })
  const idsByName = new Set(matchesByName.data.map(({ id }) => id))
  const mentioned = await bridgeEntities(deps, workspaceId, passages, MAX_MENTIONED_ENTITIES)
  const hasQueryType = (type: Entity['type']): boolean =>
    query.type == null || query.type === '' || type === query.type
  const mentionedOnly = mentioned
    .filter(({ id, type }) => !idsByName.has(id) && hasQueryType(type))
    // Entities in most of the passages come first. Of entities in equally many, those in the fewest documents come first.
    .sort((a, b) => b.passages - a.passages || a.document_count - b.document_count || (a.id < b.id ? -1 : 1))
    .map(({ id, name, type, mention_count }): Entity => ({ id, name, type, mention_count }))
  return { ...matchesByName, data: [...matchesByName.data, ...mentionedOnly].slice(0, maxMatches) }
}

const hasName = ({ name, aliases = [] }: Entity, key: string): boolean =>
  [name, ...aliases].some((each) => nameKey(each) === key)
