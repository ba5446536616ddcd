// What a request is given in place of the service's own powers: a database that holds nothing but what its caller may
// touch (docs/decisions/0017-row-level-security.md). Rooms ask for access all the same; this is behind them.

import type { Actor } from '../ports/db/actor.ts'
import type { Deps } from '../ports/deps.ts'
import type { Caller } from './caller.ts'

/** @param workspaceId the one that is addressed: then no other is in reach, also none of the caller's own */
export function boundTo(
  deps: Deps,
  caller: Pick<Caller, 'userId' | 'workspaceIds'>,
  workspaceId?: string,
): Deps {
  const { userId: account, workspaceIds: chosen } = caller
  const actor: Actor = { account, among: workspaceId === undefined ? chosen : both(chosen, workspaceId) }
  return { ...deps, db: deps.db.as(actor) }
}

const both = (chosen: readonly string[] | undefined, addressed: string): string[] =>
  !chosen || chosen.includes(addressed) ? [addressed] : []
