// The statements about roles that groups of the company give: the columns `member.group_role` and `account.admin_by_group`, and the
// group roles of members of workspaces in the trash.

import sql from 'sql-template-tag'
import type { Role } from '../auth/caller.ts'
import type { Queryable } from '../ports/db/db.ts'

/** A person's roles in a workspace. The one that applies is `role`, the stronger of the other two. */
export interface GroupMembership {
  workspaceId: string
  role: Role
  groupRole: Role | undefined
  personRole: Role | undefined
  isInTrash: boolean
}

export interface AdminState {
  isAdmin: boolean
  isAdminByGroup: boolean
}

/** Whether the account is an administrator, and whether a group made it one. Undefined if the account is not active. */
export async function selectAdminState(tx: Queryable, accountId: string): Promise<AdminState | undefined> {
  const [row] = await tx.rows<{ admin: boolean; admin_by_group: boolean }>(sql`
    SELECT admin, admin_by_group FROM account WHERE id = ${accountId} AND status = 'active'`)
  return row && { isAdmin: row.admin, isAdminByGroup: row.admin_by_group }
}

/** Locks the account and all administrators, in the order of ids as `lockAdmins` does. */
export async function lockAccountAndAdmins(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM account WHERE admin OR id = ${accountId} ORDER BY id FOR NO KEY UPDATE`)
}

export async function updateAdmin(tx: Queryable, accountId: string, isAdmin: boolean): Promise<void> {
  await tx.rows(
    sql`UPDATE account SET admin = ${isAdmin}, admin_by_group = ${isAdmin} WHERE id = ${accountId}`,
  )
}

/** A workspace whose id or name is in the settings. */
export interface NamedWorkspace {
  id: string
  name: string
  isInTrash: boolean
}

/** The workspaces with these ids or names, including those in the trash. */
export async function selectNamedWorkspaces(
  tx: Queryable,
  { ids, names }: { ids: readonly string[]; names: readonly string[] },
): Promise<NamedWorkspace[]> {
  const rows = await tx.rows<{ id: string; name: string; in_trash: boolean }>(sql`
    SELECT w.id, w.name, w.deleted_at IS NOT NULL AS in_trash FROM workspace w
    WHERE (w.id = ANY (${ids}::uuid[]) OR w.name = ANY (${names}::text[]))
      AND (w.deleted_at IS NULL OR EXISTS (SELECT 1 FROM trashed_workspace t WHERE t.id = w.id))
    ORDER BY w.id`)
  return rows.map(({ in_trash: isInTrash, ...workspace }) => ({ ...workspace, isInTrash }))
}

/** Locks the rows of these workspaces as `lockWorkspace` does, in the order of ids. */
export async function lockWorkspaces(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM workspace WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
}

interface MembershipRow {
  workspace_id: string
  role: Role
  group_role: Role | null
  person_role: Role | null
  in_trash: boolean
}

/** The memberships of an account. In workspaces in the trash only those with a role by a group. */
export async function selectGroupMemberships(tx: Queryable, accountId: string): Promise<GroupMembership[]> {
  const rows = await tx.rows<MembershipRow>(sql`
    SELECT workspace_id, role, group_role, person_role, false AS in_trash FROM member WHERE account_id = ${accountId}
    UNION ALL
    SELECT t.id, m.role, m.group_role, m.person_role, true FROM trashed_workspace t,
      jsonb_to_recordset(t.members) AS m (account_id uuid, role text, group_role text, person_role text)
    WHERE t.members @> ${JSON.stringify([{ account_id: accountId }])}::jsonb
      AND m.account_id = ${accountId} AND m.group_role IS NOT NULL`)
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    role: row.role,
    groupRole: row.group_role ?? undefined,
    personRole: row.group_role === null ? row.role : (row.person_role ?? undefined),
    isInTrash: row.in_trash,
  }))
}

interface NewRoles {
  workspaceId: string
  accountId: string
  role: Role
  groupRole: Role | undefined
  personRole: Role | undefined
}

const columnsOf = ({ groupRole, personRole }: NewRoles) => ({
  group: groupRole ?? null,
  // Without a role by a group, the column `role` contains the role that a person gave.
  person: groupRole === undefined ? null : (personRole ?? null),
})

export async function upsertGroupMember(tx: Queryable, next: NewRoles): Promise<void> {
  const { group, person } = columnsOf(next)
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role, group_role, person_role)
    VALUES (${next.workspaceId}, ${next.accountId}, ${next.role}, ${group}, ${person})
    ON CONFLICT (workspace_id, account_id)
    DO UPDATE SET role = EXCLUDED.role, group_role = EXCLUDED.group_role, person_role = EXCLUDED.person_role`)
}

/** Whether an active account other than this one owned the workspace that is in the trash. */
export async function hasOtherTrashOwner(
  tx: Queryable,
  workspaceId: string,
  accountId: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM trashed_workspace t JOIN account a ON a.id = ANY (t.owners)
    WHERE t.id = ${workspaceId} AND a.id <> ${accountId} AND a.status = 'active' LIMIT 1`)
  return rows.length > 0
}

/** Changes a member of a workspace in the trash, or removes them if `next` is undefined. */
export async function updateTrashedMember(
  tx: Queryable,
  workspaceId: string,
  accountId: string,
  next: NewRoles | undefined,
): Promise<void> {
  const roles = next && {
    role: next.role,
    group_role: columnsOf(next).group,
    person_role: columnsOf(next).person,
  }
  const isOwner = next?.role === 'owner'
  await tx.rows(sql`
    UPDATE trashed_workspace t SET
      owners = CASE WHEN ${isOwner} THEN t.owners ELSE array_remove(t.owners, ${accountId}::uuid) END,
      members = coalesce((
        SELECT jsonb_agg(CASE WHEN m ->> 'account_id' = ${accountId} THEN m || ${JSON.stringify(roles ?? {})}::jsonb ELSE m END)
        FROM jsonb_array_elements(t.members) AS m
        WHERE ${next !== undefined} OR m ->> 'account_id' <> ${accountId}), '[]')
    WHERE t.id = ${workspaceId}`)
}
