// Membership as SQL: a deleted workspace or a suspended user has no role (migrations/0006_workspaces.sql).

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import { kept } from '../ports/db/kept.sql.ts'
import type { Role } from './caller.ts'

/** The user's role in the workspace, null without one: for a statement that reads what it opens, too. */
export const roleIn = (workspaceId: string, userId: string): Sql => sql`role_in(${workspaceId}, ${userId})`

export async function selectRole(
  db: Queryable,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> {
  const statement = kept(sql`SELECT ${roleIn(workspaceId, userId)} AS role`)
  const [row] = await db.rows<{ role: Role | null }>(statement)
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
