// Closing an account as SQL. Sessions, grants, keys, memberships and invitations go with the row (ON DELETE CASCADE).

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** A statement of its own before the next: what another holder of these locks has done is seen by it. */
export async function lockOwned(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`
    SELECT 1 FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' ORDER BY w.id FOR NO KEY UPDATE OF w`)
}

/** Workspaces of which the person is the only owner who can sign in, and whether others are in them. */
export const selectOwnedAlone = (
  tx: Queryable,
  accountId: string,
): Promise<{ id: string; name: string; others: boolean }[]> =>
  tx.rows(sql`
    SELECT w.id, w.name,
      EXISTS (SELECT 1 FROM member o WHERE o.workspace_id = w.id AND o.account_id <> ${accountId}) AS others
    FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' AND w.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM member o JOIN account a ON a.id = o.account_id
      WHERE o.workspace_id = w.id AND o.role = 'owner' AND o.account_id <> ${accountId} AND a.status = 'active')`)

export async function othersExist(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`SELECT 1 FROM account WHERE id <> ${accountId} LIMIT 1`)
  return rows.length > 0
}

/** What the person and their keys asked is nobody else's. */
export async function deleteThreads(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`
    DELETE FROM thread WHERE principal = ${`user:${accountId}`}
      OR principal IN (SELECT 'key:' || id FROM api_key WHERE account_id = ${accountId})`)
}

export async function deleteAccountRow(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`DELETE FROM account WHERE id = ${accountId}`)
}
