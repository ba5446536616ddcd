// The statements that delete an account. Its sessions, grants, keys, memberships and invitations are deleted with its row (ON
// DELETE CASCADE).

import sql from 'sql-template-tag'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

/**
 * Locks the workspaces that the user owns. This is a statement of its own, so that the next statement sees the changes of a
 * transaction that had these locks before.
 */
export async function lockOwnedWorkspaces(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`
    SELECT 1 FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' ORDER BY w.id FOR NO KEY UPDATE OF w`)
}

/** Workspaces whose only active owner is the user, and whether they have other members. */
export const selectSolelyOwned = (
  tx: Queryable,
  accountId: string,
): Promise<{ id: string; name: string; is_shared: boolean }[]> =>
  tx.rows(sql`
    SELECT w.id, w.name,
      EXISTS (SELECT 1 FROM member o WHERE o.workspace_id = w.id AND o.account_id <> ${accountId}) AS is_shared
    FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' AND w.deleted_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM member o JOIN account a ON a.id = o.account_id
      WHERE o.workspace_id = w.id AND o.role = 'owner' AND o.account_id <> ${accountId} AND a.status = 'active')`)

export async function hasOtherAccounts(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`SELECT 1 FROM account WHERE id <> ${accountId} LIMIT 1`)
  return rows.length > 0
}

/** Conversations and evaluation questions of the user and of their API keys. */
export async function deleteConversations(tx: Queryable, accountId: string): Promise<void> {
  const keys = await tx.rows<{ id: string }>(sql`SELECT id FROM api_key WHERE account_id = ${accountId}`)
  const principals = [`user:${accountId}`, ...keys.map(({ id }) => `key:${id}`)]
  await tx.rows(acrossWorkspaces(sql`DELETE FROM thread WHERE principal = ANY (${principals}::text[])`))
  await tx.rows(
    acrossWorkspaces(sql`DELETE FROM evaluation_question WHERE principal = ANY (${principals}::text[])`),
  )
}

export async function deleteAccountRow(tx: Queryable, accountId: string): Promise<void> {
  await tx.rows(sql`DELETE FROM account WHERE id = ${accountId}`)
}
