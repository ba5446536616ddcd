// The one place where 404 and 403 are decided for a workspace (check order 5 and 6).
// Every room function that takes a workspace calls this in its first line.

import { forbidden, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { selectRole } from './access.sql.ts'
import { type Caller, type Role, SCOPES } from './caller.ts'

export type Need = 'read' | 'edit' | 'own'

const enough: Record<Need, readonly Role[]> = {
  read: ['owner', 'editor', 'viewer'],
  edit: ['owner', 'editor'],
  own: ['owner'],
}

/**
 * The caller's role in the workspace, read now (D-26). A key is a viewer of the workspaces it was given (D-13).
 * @throws ApiError 404 when the workspace is absent or not visible, 403 when the role is too low.
 */
export async function requireWorkspace(
  deps: { db: Queryable },
  caller: Caller,
  workspaceId: string,
  need: Need,
): Promise<Role> {
  return requireRole(await selectRole(deps.db, workspaceId, caller.userId), caller, workspaceId, need)
}

/** The same of a role that was read already (`roleIn`). @throws ApiError 404, 403 */
export function requireRole(
  held: Role | null | undefined,
  caller: Caller,
  workspaceId: string,
  need: Need,
): Role {
  if (!held || (caller.workspaceIds && !caller.workspaceIds.includes(workspaceId))) throw notFound()
  const role: Role = caller.auth === 'api_key' ? 'viewer' : held
  if (!enough[need].includes(role)) {
    throw forbidden(`Your role in this workspace is ${role}; this needs ${enough[need].join(' or ')}.`)
  }
  return role
}

/** For somebody signed in on a page. @throws ApiError 404, 403 */
export async function requireOwner(db: Queryable, userId: string, workspaceId: string): Promise<void> {
  await requireWorkspace({ db }, { auth: 'session', id: userId, userId, scopes: SCOPES }, workspaceId, 'own')
}
