// GET /entities with `q`: names first (graph/entities.ts), then what the passages that answer the query speak of
// (exact and alias, prefix and typo, then meaning).

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Entity, Page } from '../contract/resources.ts'
import { type EntityQuery, listEntities } from '../graph/entities.ts'
import { bridgeEntities } from '../graph/lookup.ts'
import { nameKey } from '../graph/names.ts'
import type { Deps } from '../ports/deps.ts'
import { findPassages } from './search.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'embedder' | 'cursorKey'>

// Beyond ten passages a word of the query is mentioned in passing.
const PASSAGES = 10
const MENTIONED = 100
const MOST_MATCHES = 25

/** As `listEntities`; where no name is what was typed, entities by meaning follow. @throws ApiError 404, 422 */
export async function findEntities(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: EntityQuery,
): Promise<Page<Entity>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const named = await listEntities(deps, caller, workspaceId, query)
  const q = query.q?.trim()
  const most = Math.min(query.limit, MOST_MATCHES)
  if (!q || named.data.length >= most || named.data.some((entity) => isCalled(entity, nameKey(q))))
    return named
  const passages = await findPassages(deps, caller, workspaceId, {
    query: q,
    limit: PASSAGES,
    without: ['second hop', 'reranker'],
  })
  const known = new Set(named.data.map(({ id }) => id))
  const mentioned = await bridgeEntities(deps, workspaceId, passages, MENTIONED)
  const meant = mentioned
    .filter(
      ({ id, type }) => !known.has(id) && (query.type == null || query.type === '' || type === query.type),
    )
    // What most of the passages speak of; of those the rarest elsewhere.
    .sort((a, b) => b.passages - a.passages || a.document_count - b.document_count || (a.id < b.id ? -1 : 1))
    .map(({ id, name, type, mention_count }): Entity => ({ id, name, type, mention_count }))
  return { ...named, data: [...named.data, ...meant].slice(0, most) }
}

const isCalled = ({ name, aliases = [] }: Entity, key: string): boolean =>
  [name, ...aliases].some((each) => nameKey(each) === key)
