// API keys, selected as the API returns them. Only a hash of the key is stored, with its last four characters.

import sql, { raw } from 'sql-template-tag'
import type { Key } from '../contract/account.ts'
import type { Queryable } from '../ports/db/db.ts'

const isoTime = (column: string) =>
  sql`to_char(${raw(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const fields = sql`
  id, name, last_four, workspace_ids, ${isoTime('created_at')} AS created_at, ${isoTime('expires_at')} AS expires_at,
  ${isoTime('last_used_at')} AS last_used_at`

export const selectKeys = (db: Queryable, accountId: string): Promise<Key[]> =>
  db.rows(sql`
    SELECT ${fields} FROM api_key WHERE account_id = ${accountId} AND revoked_at IS NULL
    ORDER BY api_key.created_at DESC, id`)

/**
 * Locks the account, so that its keys are created one after the other and counted correctly. Returns false if the account is not
 * active.
 */
export async function lockAccount(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`SELECT 1 FROM account WHERE id = ${accountId} AND status = 'active' FOR NO KEY UPDATE`,
  )
  return rows.length > 0
}

export async function countValidKeys(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM api_key
    WHERE account_id = ${accountId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`)
  return row?.count ?? 0
}

/** How many of the given workspaces the account can read. */
export async function countReadable(
  tx: Queryable,
  accountId: string,
  workspaceIds: readonly string[],
): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = ${accountId} AND w.deleted_at IS NULL AND w.id = ANY(${[...workspaceIds]}::uuid[])`)
  return row?.count ?? 0
}

export async function insertKey(
  tx: Queryable,
  key: {
    id: string
    accountId: string
    hash: Buffer
    lastFour: string
    name: string
    workspaceIds: readonly string[]
    expiresAt: string | undefined
  },
): Promise<Key> {
  const [row] = await tx.rows<Key>(sql`
    INSERT INTO api_key (id, account_id, hash, last_four, name, workspace_ids, expires_at)
    VALUES (${key.id}, ${key.accountId}, ${key.hash}, ${key.lastFour}, ${key.name}, ${[...key.workspaceIds]}::uuid[],
      ${key.expiresAt ?? null}::timestamptz)
    RETURNING ${fields}`)
  if (!row) throw new Error('INSERT INTO api_key returned no row')
  return row
}

/** The workspaces of the key; undefined if the account has no such active key. */
export async function revokeKeyRow(
  tx: Queryable,
  accountId: string,
  keyId: string,
): Promise<string[] | undefined> {
  const [row] = await tx.rows<{ workspace_ids: string[] }>(sql`
    UPDATE api_key SET revoked_at = now()
    WHERE id = ${keyId} AND account_id = ${accountId} AND revoked_at IS NULL RETURNING workspace_ids`)
  return row?.workspace_ids
}
