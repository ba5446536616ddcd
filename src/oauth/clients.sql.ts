// Registered clients (the table `oauth_client`).

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/**
 * Returns the time of registration in Unix seconds, or undefined when the network has reached its limit for the hour.
 * Concurrent registrations may exceed it by a few, since a lock would occupy database connections.
 */
export async function insertClient(
  db: Queryable,
  client: { id: string; name: string; redirectUris: readonly string[]; from: string; maxPerHour: number },
): Promise<number | undefined> {
  const [row] = await db.rows<{ issued_at: number }>(sql`
    INSERT INTO oauth_client (id, name, redirect_uris, registered_from)
    SELECT ${client.id}, ${client.name}, ${[...client.redirectUris]}::text[], ${client.from}
    WHERE (SELECT count(*) FROM oauth_client
      WHERE registered_from = ${client.from} AND created_at > now() - interval '1 hour') < ${client.maxPerHour}
    RETURNING extract(epoch FROM created_at)::int AS issued_at`)
  return row?.issued_at
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

export async function updateClientUsed(tx: Queryable, id: string): Promise<void> {
  await tx.rows(sql`UPDATE oauth_client SET used_at = now() WHERE id = ${id}`)
}

/** Seconds until the oldest registration of the last hour is an hour old, when the network may register a client again. */
export async function secondsUntilAllowed(db: Queryable, from: string): Promise<number> {
  const [row] = await db.rows<{ seconds: number | null }>(sql`
    SELECT ceil(extract(epoch FROM min(created_at) + interval '1 hour' - now()))::int AS seconds
    FROM oauth_client WHERE registered_from = ${from} AND created_at > now() - interval '1 hour'`)
  return Math.max(1, row?.seconds ?? 1)
}
