// What groups of the company give a person at each sign-in (KENNING_OIDC_ROLES): the right of an administrator, and roles in
// workspaces. It ends with the group. What a person gave stays, and the last administrator and the last owner stay too.

import { hasOtherAdmins } from '../accounts/users.sql.ts'
import { record } from '../audit/activity.sql.ts'
import { nobody } from '../audit/activity.ts'
import type { Role } from '../auth/caller.ts'
import type { CompanySignIn } from '../ports/company/company.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps, Log } from '../ports/deps.ts'
import {
  type GroupMembership,
  hasOtherTrashOwner,
  lockAdminsAnd,
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
  /** Gives nothing new: whoever has a role there by a group keeps it, as far as this grant gives it. */
  isOnlyKept: boolean
}

/** The next state of a membership. `role` undefined: the membership ends. */
export interface RoleChange {
  before: GroupMembership | undefined
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

/** What has to change, so that the groups give what they grant now and nothing else. */
export function planRoles(
  memberships: readonly GroupMembership[],
  grants: readonly RoleGrant[],
): RoleChange[] {
  const before = new Map(memberships.map((membership) => [membership.workspaceId, membership]))
  const granted = new Map<string, Role>()
  for (const { workspaceId, role, isOnlyKept } of grants) {
    const had = before.get(workspaceId)?.groupRole
    const gives = isOnlyKept ? had && weaker(had, role) : role
    if (gives) granted.set(workspaceId, stronger(granted.get(workspaceId), gives) ?? gives)
  }
  return [...new Set([...before.keys(), ...granted.keys()])].sort().flatMap((workspaceId) => {
    const membership = before.get(workspaceId)
    const [groupRole, personRole] = [granted.get(workspaceId), membership?.personRole]
    if (membership?.groupRole === groupRole) return []
    return [{ before: membership, workspaceId, role: stronger(groupRole, personRole), groupRole, personRole }]
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the settings name that is not exactly one workspace, or is in the trash. For the log. */
interface UnclearName {
  workspace: string
  count: number
  inTrash: number
}

type WorkspaceGrant = { workspace: string; role: Role }

/**
 * The workspaces that the settings mean. A name that several workspaces have gives nothing new, because anybody may call a workspace
 * so; one in the trash counts too, since it may come back. And a workspace in the trash has no new members.
 */
export function resolveGrants(
  grants: readonly WorkspaceGrant[],
  workspaces: readonly NamedWorkspace[],
): { grants: RoleGrant[]; unclear: UnclearName[] } {
  const resolved = grants.map(({ workspace, role }) => {
    const candidates = UUID.test(workspace)
      ? workspaces.filter(({ id }) => id === workspace.toLowerCase())
      : workspaces.filter(({ name }) => name === workspace)
    const inTrash = candidates.filter(({ isInTrash }) => isInTrash).length
    const isClear = candidates.length === 1 && inTrash === 0
    return {
      roles: candidates.map(({ id }) => ({ workspaceId: id, role, isOnlyKept: !isClear })),
      unclear: isClear ? [] : [{ workspace, count: candidates.length, inTrash }],
    }
  })
  return {
    grants: resolved.flatMap(({ roles }) => roles),
    unclear: resolved.flatMap(({ unclear }) => unclear),
  }
}

interface Plan {
  /** Undefined: stays as it is. */
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
    admin: isGranted ? (state.isAdmin ? undefined : true) : state.isAdminByGroup ? false : undefined,
    changes: planRoles(await selectGroupMemberships(tx, accountId), grants),
  }
}

const UNCLEAR =
  'KENNING_OIDC_ROLES: this is not the name or id of exactly one workspace outside the trash, so it gives nobody a new role'

/**
 * Sets what the groups of a person give. Nothing changes for an account that is suspended.
 * @param groups of the person, as the provider names them now
 */
export async function applyGroupRoles(
  { db, log, settings }: Pick<Deps, 'db' | 'log' | 'settings'>,
  accountId: string,
  groups: readonly string[],
): Promise<void> {
  const own = new Set(groups)
  const roles = (settings.company?.roles ?? []).filter(({ group }) => own.has(group))
  const plan = await planFor(db, accountId, roles)
  for (const fields of plan.unclear) log.warn(fields, UNCLEAR)
  if (plan.admin === undefined && plan.changes.length === 0) return
  const lockedIds = plan.changes.map(({ workspaceId }) => workspaceId)
  await db.tx(async (tx) => {
    await lockAdminsAnd(tx, accountId)
    await lockWorkspaces(tx, lockedIds)
    // Once more behind the locks: another sign-in or a person may have changed it meanwhile.
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
  const { before, workspaceId, role, groupRole, personRole } = change
  const hasOther = before?.isInTrash ? hasOtherTrashOwner : hasOtherOwner
  if (before?.role === 'owner' && role !== 'owner' && !(await hasOther(tx, workspaceId, accountId))) {
    log.warn(
      { account: accountId, workspace: workspaceId },
      'the last owner of a workspace stays one, although no group gives it any more',
    )
    return
  }
  const next = role && { workspaceId, accountId, role, groupRole, personRole }
  if (before?.isInTrash) await updateTrashedMember(tx, workspaceId, accountId, next)
  else if (next) await upsertGroupMember(tx, next)
  else await deleteMemberRow(tx, workspaceId, accountId)
  if (role === before?.role) return
  await record(tx, {
    action: role ? 'member_set' : 'member_removed',
    actor: nobody,
    workspaceIds: [workspaceId],
    subject: accountId,
    detail: { ...(role && { role }), by: 'group' },
  })
}
