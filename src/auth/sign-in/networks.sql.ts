// Networks from which somebody has signed in, as SQL; known by a keyed hash only.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'

/** The same statement in the same time for an account that does not exist. */
export async function isKnownNetwork(
  db: Queryable,
  emailKey: string,
  network: Buffer,
  days: number,
): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM account a JOIN sign_in_network n ON n.account_id = a.id
    WHERE a.email_key = ${emailKey} AND n.network = ${network} AND n.seen_at > now() - make_interval(days => ${days})`)
  return rows.length > 0
}

/** Notes the network, and forgets all but the latest `most` of the account. */
export async function upsertNetwork(
  db: Queryable,
  accountId: string,
  network: Buffer,
  most: number,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO sign_in_network (account_id, network)
    SELECT id, ${network}::bytea FROM account WHERE id = ${accountId}
    ON CONFLICT (account_id, network) DO UPDATE SET seen_at = now()`)
  await db.rows(sql`
    DELETE FROM sign_in_network WHERE account_id = ${accountId} AND network NOT IN (
      SELECT network FROM sign_in_network WHERE account_id = ${accountId} ORDER BY seen_at DESC, network LIMIT ${most})`)
}

export async function deleteOldNetworks(db: Queryable, days: number): Promise<void> {
  await db.rows(sql`DELETE FROM sign_in_network WHERE seen_at < now() - make_interval(days => ${days})`)
}
