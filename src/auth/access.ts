// Decides between 404, 403 and access to a workspace (its place in the order of checks is in http/mount.ts). Every function that
// takes a workspace id calls `requireWorkspace` first.

import { forbidden, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import { ownsTrashed, selectKeyAccount, selectRole } from './access.sql.ts'
import { type Caller, type Role, SCOPES } from './caller.ts'

type Permission = 'read' | 'edit' | 'own'

const ROLES_BY_PERMISSION: Record<Permission, readonly Role[]> = {
  read: ['owner', 'editor', 'viewer'],
  edit: ['owner', 'editor'],
  own: ['owner'],
}

/**
 * The caller's role in the workspace, read from the database now. An API key is a viewer of the workspaces it was made for.
 * @throws ApiError 404 when the workspace does not exist or is not visible to the caller, 403 when the role is too low
 */
export async function requireWorkspace(
  deps: { db: Queryable },
  caller: Caller,
  workspaceId: string,
  permission: Permission,
): Promise<Role> {
  const membership = await selectRole(deps.db, workspaceId, caller.userId)
  if (!membership || (caller.workspaceIds && !caller.workspaceIds.includes(workspaceId))) throw notFound()
  const role: Role = caller.auth === 'api_key' ? 'viewer' : membership
  if (!ROLES_BY_PERMISSION[permission].includes(role)) {
    const requiredRoles = ROLES_BY_PERMISSION[permission].join(' or ')
    throw forbidden(`Your role in this workspace is ${role}; this action requires the role ${requiredRoles}.`)
  }
  return role
}

/** Checks that the workspace is in the trash and that the caller owned it; nobody else can see it. @throws ApiError 404 */
export async function requireTrashedWorkspace(
  deps: { db: Queryable },
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  const isLimitedToWorkspaces = caller.workspaceIds !== undefined
  if (isLimitedToWorkspaces || !(await ownsTrashed(deps.db, workspaceId, caller.userId))) throw notFound()
}

/** Whether a principal (`user:<id>` or `key:<id>`) can read the workspace now. For work that runs without a request of theirs. */
export async function canRead(db: Queryable, workspaceId: string, principal: string): Promise<boolean> {
  const [kind, id = ''] = principal.split(':')
  const userId = kind === 'key' ? await selectKeyAccount(db, workspaceId, id) : id
  return userId !== undefined && (await selectRole(db, workspaceId, userId)) !== undefined
}

/** Checks the access of a user who is signed in to the settings pages or account routes. @throws ApiError 404, 403 */
export async function requireOwner(db: Queryable, userId: string, workspaceId: string): Promise<void> {
  await requireWorkspace({ db }, { auth: 'session', id: userId, userId, scopes: SCOPES }, workspaceId, 'own')
}
