// How two entities are connected, with the passages that say so.

import type { Caller } from '../../auth/caller.ts'
import { selectEntity } from '../../graph/graph.sql.ts'
import { getEntityPaths } from '../../graph/paths.ts'
import type { Deps } from '../../ports/deps.ts'
import type { Passage } from '../../search/passage.ts'
import { isUuid, readPassages } from './read.ts'

/** A relation on the way from one entity to another. It leads from `head` to `tail`, and `passage` states it. */
export interface ConnectionStep {
  head: string
  type: string
  tail: string
  passage: Passage | undefined
}

/** The steps of the shortest path. Empty if there is none, or if an id is of another workspace. */
export async function readConnection(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  { entityId, otherId }: { entityId: string; otherId: string },
): Promise<ConnectionStep[]> {
  if (!isUuid(entityId) || !isUuid(otherId)) return []
  const entity = await selectEntity(deps.db, workspaceId, entityId)
  const other = await selectEntity(deps.db, workspaceId, otherId)
  if (!entity || !other || entity.id === other.id) return []
  const query = { entityId: entity.id, otherId: other.id, limit: 1 }
  const [path] = (await getEntityPaths(deps, caller, workspaceId, query)).paths
  const steps: ConnectionStep[] = []
  for (const { from, to, type, reversed, passage } of path?.steps ?? []) {
    const [head, tail] = reversed ? [to, from] : [from, to]
    const range = passage && { around: passage.chunk_id }
    const [evidence] = range
      ? await readPassages(deps.db, workspaceId, passage.document_id, { range, limit: 1 })
      : []
    steps.push({ head: head.name, type, tail: tail.name, passage: evidence })
  }
  return steps
}
