// Scopes that exist by themselves: kind, origin and top folder of the documents (contract.md, "Scopes").

import { requireWorkspace } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import type { Page, Scope } from '../contract/resources.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import { selectScopes } from './documents.sql.ts'

/** One page, ordered by case-folded name. */
export async function listScopes(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
): Promise<Page<Scope>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const scopes = await selectScopes(deps.db, workspaceId)
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  scopes.sort((a, b) => order(fold(a.name), fold(b.name)) || order(a.name, b.name))
  return { data: scopes, has_more: false, next_cursor: null }
}
