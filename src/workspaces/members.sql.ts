// The statements about members of workspaces. Changes lock the workspace's row, so that two owners cannot remove each other.

import sql, { empty } from 'sql-template-tag'
import type { Role } from '../auth/caller.ts'
import type { Member } from '../contract/people.ts'
import type { Queryable } from '../ports/db/db.ts'

/** Position in a list. */
export interface MemberPosition {
  email: string
  id: string
}

export const selectMembers = (
  db: Queryable,
  workspaceId: string,
  page: { after: MemberPosition | undefined; limit: number },
): Promise<(Member & { position: string })[]> =>
  db.rows(sql`
    SELECT a.id AS user_id, a.email, m.role, a.email_key AS position
    FROM member m JOIN account a ON a.id = m.account_id
    WHERE m.workspace_id = ${workspaceId}
      ${page.after ? sql`AND (a.email_key COLLATE "C", a.id) > (${page.after.email}, ${page.after.id}::uuid)` : empty}
    ORDER BY a.email_key COLLATE "C", a.id LIMIT ${page.limit}`)

export async function lockWorkspace(tx: Queryable, workspaceId: string): Promise<void> {
  await tx.rows(sql`SELECT 1 FROM workspace WHERE id = ${workspaceId} FOR NO KEY UPDATE`)
}

interface AccountWithRole {
  user_id: string
  email: string
  role: Role | null
  /** Whether a group of the company gives a role. */
  by_group: boolean
  suspended: boolean
}

/** An account with its role in the workspace, if any. */
export async function selectMember(
  tx: Queryable,
  workspaceId: string,
  user: { emailKey: string } | { userId: string },
): Promise<AccountWithRole | undefined> {
  const [row] = await tx.rows<AccountWithRole>(sql`
    SELECT a.id AS user_id, a.email, m.role, m.group_role IS NOT NULL AS by_group, a.status = 'suspended' AS suspended FROM account a
    LEFT JOIN member m ON m.account_id = a.id AND m.workspace_id = ${workspaceId}
    WHERE ${'userId' in user ? sql`a.id = ${user.userId}` : sql`a.email_key = ${user.emailKey}`}`)
  return row
}

/** Whether the workspace has an active owner other than this user. */
export async function hasOtherOwner(tx: Queryable, workspaceId: string, userId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM member m JOIN account a ON a.id = m.account_id
    WHERE m.workspace_id = ${workspaceId} AND m.role = 'owner' AND m.account_id <> ${userId} AND a.status = 'active'
    LIMIT 1`)
  return rows.length > 0
}

/** The role that a person gives replaces the one that groups gave, until the next company sign-in. */
export async function upsertMember(
  tx: Queryable,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${userId}, ${role})
    ON CONFLICT (workspace_id, account_id) DO UPDATE SET role = EXCLUDED.role, group_role = NULL, person_role = NULL`)
}

export async function deleteMemberRow(tx: Queryable, workspaceId: string, userId: string): Promise<void> {
  await tx.rows(sql`DELETE FROM member WHERE workspace_id = ${workspaceId} AND account_id = ${userId}`)
}
