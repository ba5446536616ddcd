// GET /me: who the caller is and what the credential can read.

import type { Me } from '../contract/resources.ts'
import type { Deps } from '../ports/deps.ts'
import { countWorkspaces } from './access.sql.ts'
import type { Caller } from './caller.ts'

/** Usually needs no statement of its own, because the workspaces were counted when the credential was checked. */
export async function me(deps: Pick<Deps, 'db'>, caller: Caller): Promise<Me> {
  return {
    id: caller.id,
    auth: caller.auth,
    scopes: [...caller.scopes],
    workspace_count:
      caller.workspaceCount ?? (await countWorkspaces(deps.db, caller.userId, caller.workspaceIds)),
    ...(caller.email === undefined ? {} : { email: caller.email }),
  }
}
