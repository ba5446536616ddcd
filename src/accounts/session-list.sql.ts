// The sessions of a user as the API returns them.

import sql from 'sql-template-tag'
import type { Session } from '../contract/account.ts'
import type { Queryable } from '../ports/db/db.ts'

/** The most recently used first; the one with the hash `own` is marked. */
export const selectSessions = (db: Queryable, accountId: string, own: Buffer): Promise<Session[]> =>
  db.rows(sql`
    SELECT id, user_agent, hash = ${own} AS is_current,
      to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
      to_char(used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS used_at
    FROM session WHERE account_id = ${accountId} AND expires_at > now()
    ORDER BY session.used_at DESC, id LIMIT 200`)

/** Returns false if the account has no such session. */
export async function deleteSessionById(tx: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`DELETE FROM session WHERE account_id = ${accountId} AND id = ${id} RETURNING id`,
  )
  return rows.length > 0
}
