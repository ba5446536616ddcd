// What was done in a workspace, for its owners (contract.md, "Beyond the specification").

import { selectActivity } from '../audit/audit.sql.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../auth/cursor.ts'
import type { Activity } from '../contract/people.ts'
import type { Page } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'

/** Newest first. @throws ApiError 404, 403 for who is not an owner */
export async function listActivity(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: { limit: number; cursor?: string | null | undefined },
): Promise<Page<Activity>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const binding = ['activity', workspaceId, principal(caller)]
  const before = query.cursor ? decodeCursor<string>(deps.cursorKey, binding, query.cursor) : undefined
  const found = await selectActivity(deps.db, workspaceId, { before, limit: query.limit + 1 })
  const data = found.slice(0, query.limit)
  const last = found.length > data.length ? data.at(-1) : undefined
  return {
    data,
    has_more: last !== undefined,
    next_cursor: last ? encodeCursor(deps.cursorKey, binding, last.id) : null,
  }
}
