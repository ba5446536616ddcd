// Idempotency keys. The first request inserts the key; concurrent ones wait for its commit and read its result.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** How long a key is remembered: 24 hours, as at Stripe. */
const REMEMBERED_HOURS = 24

interface KeyRow {
  accountId: string
  operation: string
  key: string
}

/** False if the key exists; waits for a transaction that is inserting it. */
export async function insertKey(
  tx: Queryable,
  row: KeyRow & { request: string; result: string; workspaceId: string },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO idempotency (account_id, operation, key, request, result, workspace_id)
    VALUES (${row.accountId}, ${row.operation}, ${row.key}, ${row.request}, ${row.result}, ${row.workspaceId})
    ON CONFLICT (account_id, operation, key) DO UPDATE SET request = excluded.request, result = excluded.result,
      workspace_id = excluded.workspace_id, created_at = now()
      WHERE idempotency.created_at < now() - make_interval(hours => ${REMEMBERED_HOURS})
    RETURNING 1`)
  return rows.length > 0
}

export async function selectKey(
  tx: Queryable,
  { accountId, operation, key }: KeyRow,
): Promise<{ request: string; result: string } | undefined> {
  const [row] = await tx.rows<{ request: string; result: string }>(sql`
    SELECT request, result FROM idempotency
    WHERE account_id = ${accountId} AND operation = ${operation} AND key = ${key}`)
  return row
}

export const updateKeyResult = (
  tx: Queryable,
  { accountId, operation, key }: KeyRow,
  result: string,
): Promise<unknown> =>
  tx.rows(sql`
    UPDATE idempotency SET result = ${result}
    WHERE account_id = ${accountId} AND operation = ${operation} AND key = ${key}`)

export const sweepKeys = (db: Queryable): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM idempotency WHERE created_at < now() - make_interval(hours => ${REMEMBERED_HOURS})`)
