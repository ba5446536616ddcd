// What the documents of a workspace are about: groups of documents by meaning, and the main names.

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Themes } from '../contract/resources.ts'
import { mainEntities } from '../graph/entities.ts'
import { groupsOf, type Needs } from './groups.ts'

/** The number of entities of each type, the `limit` main entities, and at most `groups` groups of documents. */
export async function getThemes(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  { limit, groups }: { limit: number; groups: number },
): Promise<Themes> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const names = await mainEntities(deps, workspaceId, limit)
  if (groups === 0) return names
  return { ...names, groups: (await groupsOf(deps, workspaceId)).slice(0, groups) }
}
