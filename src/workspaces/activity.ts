// The activity log of a workspace, for its owners.

import { selectActivity } from '../audit/activity.sql.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Activity } from '../contract/people.ts'
import type { Page } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'

/** Newest first. @throws ApiError 404, 403 unless the caller is an owner */
export async function listActivity(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<Activity>> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const binding = ['activity', workspaceId, principal(caller)]
  const { rows, ...next } = await readPage<Activity, string>(deps, {
    binding,
    page: query,
    select: (before, limit) => selectActivity(deps.db, workspaceId, { before, limit }),
    positionOf: (row) => row.id,
  })
  return { data: rows, ...next }
}
