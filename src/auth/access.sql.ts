// Membership as SQL: a deleted workspace or a suspended user has no role (migrations/0019_access.sql).

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import type { Role } from './caller.ts'

export async function selectRole(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await db.rows<{ role: Role | null }>(sql`SELECT role_in(${workspaceId}, ${userId}) AS role`)
  return row?.role ?? undefined
}

/** How many workspaces the user can read, of `among` only when given. */
export async function countWorkspaces(
  db: Queryable,
  userId: string,
  among: readonly string[] | undefined,
): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = ${userId} AND w.deleted_at IS NULL
      ${among ? sql`AND w.id = ANY(${[...among]}::uuid[])` : empty}`)
  return row?.count ?? 0
}
