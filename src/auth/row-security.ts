// A second protection after the access checks: a database handle that sees only rows of the caller's workspaces
// (row-level security on PostgreSQL; docs/decisions/0017-row-level-security.md).

import type { Actor } from '../ports/db/actor.ts'
import type { Deps } from '../ports/deps.ts'
import type { Caller } from './caller.ts'

/** @param workspaceId the workspace that the request addresses; the caller's other workspaces are then hidden as well */
export function withRowSecurity(
  deps: Deps,
  caller: Pick<Caller, 'userId' | 'workspaceIds'>,
  workspaceId?: string,
): Deps {
  const { userId, workspaceIds } = caller
  const readableIds = workspaceId === undefined ? workspaceIds : intersection(workspaceIds, workspaceId)
  const actor: Actor = { account: userId, workspaceIds: readableIds }
  return { ...deps, db: deps.db.as(actor) }
}

const intersection = (workspaceIds: readonly string[] | undefined, workspaceId: string): string[] =>
  !workspaceIds || workspaceIds.includes(workspaceId) ? [workspaceId] : []
