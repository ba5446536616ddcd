// Roles in workspaces. A deleted workspace has no members, and a suspended user has no role in any workspace
// (role_in in migrations/0006_workspaces.sql).

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import type { Role } from './caller.ts'

export async function selectRole(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> {
  const statement = prepared(sql`SELECT role_in(${workspaceId}, ${userId}) AS role`)
  const [row] = await db.rows<{ role: Role | null }>(statement)
  return row?.role ?? undefined
}

/** Whether the workspace is in the trash and the account owned it. */
export async function ownsTrashed(db: Queryable, workspaceId: string, userId: string): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM trashed_workspace WHERE id = ${workspaceId} AND ${userId}::uuid = ANY (owners)`)
  return rows.length > 0
}

/** The account of an API key for the workspace that is neither revoked nor expired. */
export async function selectKeyAccount(
  db: Queryable,
  workspaceId: string,
  keyId: string,
): Promise<string | undefined> {
  const [row] = await db.rows<{ account_id: string }>(sql`
    SELECT account_id FROM api_key
    WHERE id = ${keyId} AND ${workspaceId}::uuid = ANY (workspace_ids)
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`)
  return row?.account_id
}

/**
 * False if the workspace was deleted. Otherwise its row is locked until the transaction ends, so that the workspace cannot be
 * purged before then.
 */
export async function lockWorkspaceForShare(tx: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM workspace WHERE id = ${workspaceId} AND deleted_at IS NULL FOR SHARE`)
  return rows.length > 0
}

/** Number of workspaces the user can read; only those in `workspaceIds`, if given. */
export async function countWorkspaces(
  db: Queryable,
  userId: string,
  workspaceIds: readonly string[] | undefined,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = ${userId} AND w.deleted_at IS NULL
      ${workspaceIds ? sql`AND w.id = ANY(${[...workspaceIds]}::uuid[])` : empty}`)
  return row?.count ?? 0
}
