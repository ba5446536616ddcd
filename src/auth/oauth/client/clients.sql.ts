// Registered clients as SQL.

import sql from 'sql-template-tag'
import type { Queryable } from '../../../ports/db/db.ts'

export async function insertClient(
  tx: Queryable,
  client: { id: string; name: string; redirectUris: readonly string[]; from: string },
): Promise<number> {
  const [row] = await tx.rows<{ issued_at: number }>(sql`
    INSERT INTO oauth_client (id, name, redirect_uris, registered_from)
    VALUES (${client.id}, ${client.name}, ${[...client.redirectUris]}::text[], ${client.from})
    RETURNING extract(epoch FROM created_at)::int AS issued_at`)
  return row?.issued_at ?? 0
}

export async function selectClient(
  db: Queryable,
  id: string,
): Promise<{ id: string; name: string; redirect_uris: string[] } | undefined> {
  const [row] = await db.rows<{ id: string; name: string; redirect_uris: string[] }>(
    sql`SELECT id, name, redirect_uris FROM oauth_client WHERE id = ${id}`,
  )
  return row
}

export async function noteConsent(tx: Queryable, id: string): Promise<void> {
  await tx.rows(sql`UPDATE oauth_client SET used_at = now() WHERE id = ${id}`)
}

/** Makes those who register from one network wait for each other, and says how many did within the hour. */
export async function countRegistrations(
  tx: Queryable,
  from: string,
): Promise<{ count: number; free_in: number }> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`register:${from}`}, 0))`)
  const [row] = await tx.rows<{ count: number; free_in: number | null }>(sql`
    SELECT count(*)::int AS count, ceil(extract(epoch FROM min(created_at) + interval '1 hour' - now()))::int AS free_in
    FROM oauth_client WHERE registered_from = ${from} AND created_at > now() - interval '1 hour'`)
  return { count: row?.count ?? 0, free_in: row?.free_in ?? 0 }
}
