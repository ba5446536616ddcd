// The workspaces that a caller can read, and which of them holds a given object.

import sql, { empty } from 'sql-template-tag'
import type { Role } from '../auth/caller.ts'
import { uuidRange } from '../identity.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface WorkspaceRow {
  id: string
  name: string
  role: Role
  /** Whether the workspace has no documents. */
  isEmpty: boolean
  /** Microseconds since 1970: the order of workspaces, together with their ids. */
  created: string
}

/** The workspaces in which the user has a role, oldest first; only those in `workspaceIds` if given. */
export async function selectReadableWorkspaces(
  db: Queryable,
  userId: string,
  workspaceIds: readonly string[] | undefined,
  limit: number,
): Promise<WorkspaceRow[]> {
  const rows = await db.rows<Omit<WorkspaceRow, 'isEmpty'>>(sql`
    SELECT w.id, w.name, m.role, (extract(epoch FROM w.created_at) * 1000000)::bigint::text AS created FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${userId} AND w.deleted_at IS NULL
      ${workspaceIds ? sql`AND w.id = ANY(${[...workspaceIds]}::uuid[])` : empty}
    ORDER BY w.created_at, w.id LIMIT ${limit}`)
  const nonEmpty = await db.rows<{ id: string }>(sql`
    SELECT DISTINCT l.workspace_id AS id FROM workspace_language l
    WHERE l.workspace_id = ANY (${rows.map(({ id }) => id)}::uuid[]) AND l.documents > 0`)
  const nonEmptyIds = new Set(nonEmpty.map(({ id }) => id))
  return rows.map((row) => ({ ...row, isEmpty: !nonEmptyIds.has(row.id) }))
}

const TABLES = {
  document: sql`SELECT workspace_id, id FROM document`,
  entity: sql`SELECT workspace_id, id FROM entity`,
  thread: sql`SELECT workspace_id, id FROM thread`,
}

export type ObjectKind = keyof typeof TABLES

/** The objects of the given workspaces whose id begins with `digits`, in the order of their ids. */
export function selectObjects(
  db: Queryable,
  kind: ObjectKind,
  { digits, workspaceIds, limit }: { digits: string; workspaceIds: readonly string[]; limit: number },
): Promise<{ workspace_id: string; id: string }[]> {
  const { first, last } = uuidRange(digits)
  return db.rows(sql`
    ${TABLES[kind]} WHERE workspace_id = ANY(${[...workspaceIds]}::uuid[])
      AND id BETWEEN ${first}::uuid AND ${last}::uuid ORDER BY id LIMIT ${limit}`)
}
