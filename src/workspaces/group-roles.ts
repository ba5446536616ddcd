// Sets at each company sign-in what the groups of a person give (KENNING_OIDC_ROLES): the right of an administrator, and roles in
// workspaces. Both are removed when no group of the person gives them any more. Rights and roles that a person gave are kept, and
// so are the last administrator and the last owner.

import { hasOtherAdmins } from '../accounts/users.sql.ts'
import { record } from '../audit/activity.sql.ts'
import { nobody } from '../audit/activity.ts'
import type { Role } from '../auth/caller.ts'
import type { CompanySignIn } from '../ports/company/company.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps, Log } from '../ports/deps.ts'
import {
  type AdminState,
  type GroupMembership,
  hasOtherTrashOwner,
  lockAccountAndAdmins,
  lockWorkspaces,
  type NamedWorkspace,
  selectAdminState,
  selectGroupMemberships,
  selectNamedWorkspaces,
  updateAdmin,
  updateTrashedMember,
  upsertGroupMember,
} from './group-roles.sql.ts'
import { deleteMemberRow, hasOtherOwner } from './members.sql.ts'

/** A role that the person's groups give in a workspace. */
export interface RoleGrant {
  workspaceId: string
  role: Role
  /** Whether the grant gives no new role: who already has a role there by a group keeps it, but at most the role of the grant. */
  requiresExistingRole: boolean
}

/** The next state of a membership. `role` undefined: the membership ends. */
export interface RoleChange {
  previous: GroupMembership | undefined
  workspaceId: string
  role: Role | undefined
  groupRole: Role | undefined
  personRole: Role | undefined
}

const STRENGTH: Record<Role, number> = { viewer: 1, editor: 2, owner: 3 }
const stronger = (one: Role | undefined, other: Role | undefined): Role | undefined => {
  if (!one || !other) return one ?? other
  return STRENGTH[one] >= STRENGTH[other] ? one : other
}
const weaker = (one: Role, other: Role): Role => (STRENGTH[one] <= STRENGTH[other] ? one : other)

/** The changes after which a person has exactly the group roles that the grants give. */
export function planRoles(
  memberships: readonly GroupMembership[],
  grants: readonly RoleGrant[],
): RoleChange[] {
  const membershipById = new Map(memberships.map((membership) => [membership.workspaceId, membership]))
  const grantedRoles = new Map<string, Role>()
  for (const { workspaceId, role, requiresExistingRole } of grants) {
    const existingRole = membershipById.get(workspaceId)?.groupRole
    const grantedRole = requiresExistingRole ? existingRole && weaker(existingRole, role) : role
    if (grantedRole)
      grantedRoles.set(workspaceId, stronger(grantedRoles.get(workspaceId), grantedRole) ?? grantedRole)
  }
  return [...new Set([...membershipById.keys(), ...grantedRoles.keys()])].sort().flatMap((workspaceId) => {
    const previous = membershipById.get(workspaceId)
    const [groupRole, personRole] = [grantedRoles.get(workspaceId), previous?.personRole]
    if (previous?.groupRole === groupRole) return []
    return [{ previous, workspaceId, role: stronger(groupRole, personRole), groupRole, personRole }]
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A workspace in the settings that is in the trash, or that does not exist exactly once. For the log. */
interface UnclearName {
  workspace: string
  count: number
  inTrash: number
}

type WorkspaceGrant = { workspace: string; role: Role }

/**
 * Finds the workspaces of the grants in the settings. A name that several workspaces have gives no new roles, because anybody can
 * give a workspace that name. Workspaces in the trash count too, since they may be restored. They get no new members.
 */
export function resolveGrants(
  grants: readonly WorkspaceGrant[],
  workspaces: readonly NamedWorkspace[],
): { grants: RoleGrant[]; unclear: UnclearName[] } {
  const resolutions = grants.map(({ workspace, role }) => {
    const candidates = UUID.test(workspace)
      ? workspaces.filter(({ id }) => id === workspace.toLowerCase())
      : workspaces.filter(({ name }) => name === workspace)
    const inTrash = candidates.filter(({ isInTrash }) => isInTrash).length
    const isClear = candidates.length === 1 && inTrash === 0
    return {
      roles: candidates.map(({ id }) => ({ workspaceId: id, role, requiresExistingRole: !isClear })),
      unclear: isClear ? [] : [{ workspace, count: candidates.length, inTrash }],
    }
  })
  return {
    grants: resolutions.flatMap(({ roles }) => roles),
    unclear: resolutions.flatMap(({ unclear }) => unclear),
  }
}

interface Plan {
  /** Whether the account becomes or stops being an administrator. Undefined for no change. */
  admin: boolean | undefined
  changes: RoleChange[]
  unclear: UnclearName[]
}

async function planFor(tx: Queryable, accountId: string, roles: CompanySignIn['roles']): Promise<Plan> {
  const state = await selectAdminState(tx, accountId)
  if (!state) return { admin: undefined, changes: [], unclear: [] }
  const isGranted = roles.some(({ gives }) => gives === 'administrator')
  const workspaceGrants = roles.flatMap(({ gives }) => (gives === 'administrator' ? [] : [gives]))
  const isId = ({ workspace }: WorkspaceGrant) => UUID.test(workspace)
  const workspaces = workspaceGrants.length
    ? await selectNamedWorkspaces(tx, {
        ids: workspaceGrants.filter(isId).map(({ workspace }) => workspace),
        names: workspaceGrants.filter((grant) => !isId(grant)).map(({ workspace }) => workspace),
      })
    : []
  const { grants, unclear } = resolveGrants(workspaceGrants, workspaces)
  return {
    unclear,
    admin: adminChange(state, isGranted),
    changes: planRoles(await selectGroupMemberships(tx, accountId), grants),
  }
}

/** Whether to make the account an administrator (true) or to end that (false). Undefined for no change. */
function adminChange({ isAdmin, isAdminByGroup }: AdminState, isGranted: boolean): boolean | undefined {
  if (isGranted) return isAdmin ? undefined : true
  return isAdminByGroup ? false : undefined
}

const UNCLEAR =
  'KENNING_OIDC_ROLES: this is not the name or id of exactly one workspace outside the trash, so it gives nobody a new role'

/**
 * Sets the rights and roles that the groups of a person give. Nothing changes for a suspended account.
 * @param groups the names of the person's groups, as the provider reports them now
 */
export async function applyGroupRoles(
  { db, log, settings }: Pick<Deps, 'db' | 'log' | 'settings'>,
  accountId: string,
  groups: readonly string[],
): Promise<void> {
  const ownGroups = new Set(groups)
  const roles = (settings.company?.roles ?? []).filter(({ group }) => ownGroups.has(group))
  const plan = await planFor(db, accountId, roles)
  for (const fields of plan.unclear) log.warn(fields, UNCLEAR)
  if (plan.admin === undefined && plan.changes.length === 0) return
  const lockedIds = plan.changes.map(({ workspaceId }) => workspaceId)
  await db.tx(async (tx) => {
    await lockAccountAndAdmins(tx, accountId)
    await lockWorkspaces(tx, lockedIds)
    // Planned again after locking, because another sign-in or a person may have changed roles meanwhile.
    const { admin, changes } = await planFor(tx, accountId, roles)
    if (admin !== undefined) await changeAdmin(tx, log, accountId, admin)
    for (const change of changes.filter(({ workspaceId }) => lockedIds.includes(workspaceId)))
      await changeRole(tx, log, accountId, change)
  })
}

async function changeAdmin(tx: Queryable, log: Log, accountId: string, isAdmin: boolean): Promise<void> {
  if (!isAdmin && !(await hasOtherAdmins(tx, accountId))) {
    log.warn({ account: accountId }, 'the last administrator stays one, although no group gives it any more')
    return
  }
  await updateAdmin(tx, accountId, isAdmin)
  const action = isAdmin ? 'admin_made' : 'admin_unmade'
  await record(tx, { action, actor: nobody, subject: accountId, detail: { by: 'group' } })
}

async function changeRole(tx: Queryable, log: Log, accountId: string, change: RoleChange): Promise<void> {
  const { previous, workspaceId, role, groupRole, personRole } = change
  const hasOther = previous?.isInTrash ? hasOtherTrashOwner : hasOtherOwner
  const losesOwnership = previous?.role === 'owner' && role !== 'owner'
  if (losesOwnership && !(await hasOther(tx, workspaceId, accountId))) {
    log.warn(
      { account: accountId, workspace: workspaceId },
      'the last owner of a workspace stays one, although no group gives it any more',
    )
    return
  }
  const next = role && { workspaceId, accountId, role, groupRole, personRole }
  if (previous?.isInTrash) await updateTrashedMember(tx, workspaceId, accountId, next)
  else if (next) await upsertGroupMember(tx, next)
  else await deleteMemberRow(tx, workspaceId, accountId)
  if (role === previous?.role) return
  await record(tx, {
    action: role ? 'member_set' : 'member_removed',
    actor: nobody,
    workspaceIds: [workspaceId],
    subject: accountId,
    detail: { ...(role && { role }), by: 'group' },
  })
}
