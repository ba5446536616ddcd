// Rows of the authorization server, aged and counted behind its back.

import sql from 'sql-template-tag'
import type { Queryable } from '../../src/ports/db/db.ts'

export const ageCodes = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE oauth_code SET expires_at = expires_at - make_interval(secs => ${seconds})`)

export const ageRefreshTokens = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE refresh_token SET expires_at = expires_at - make_interval(secs => ${seconds}),
      used_at = used_at - make_interval(secs => ${seconds})`)

export const ageAccessTokens = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE access_token SET expires_at = expires_at - make_interval(secs => ${seconds})`)

export const ageGrants = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE token_grant SET created_at = created_at - make_interval(secs => ${seconds})`)

export const ageClients = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE oauth_client SET created_at = created_at - make_interval(secs => ${seconds}),
      used_at = used_at - make_interval(secs => ${seconds})`)

/** That many registrations from one address. */
export const insertClients = (db: Queryable, count: number, from: string): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO oauth_client (id, name, redirect_uris, registered_from)
    SELECT 'ken_client_' || n, 'n', '{}', ${from} FROM generate_series(1, ${count}::int) AS n`)

/** Whether these grants and this client are still there. */
export async function selectGrantState(
  db: Queryable,
  { clientId, accountId }: { clientId: string; accountId: string },
): Promise<{ grants: number; client: boolean; alive: number }> {
  const [row] = await db.rows<{ grants: number; client: boolean; alive: number }>(sql`
    SELECT count(*)::int AS grants, count(*) FILTER (WHERE revoked_at IS NULL)::int AS alive,
      EXISTS (SELECT 1 FROM oauth_client WHERE id = ${clientId}) AS client
    FROM token_grant WHERE account_id = ${accountId} AND client_id = ${clientId}`)
  return row ?? { grants: 0, client: false, alive: 0 }
}

/** All text and bytes that the tables of this server hold, to look for secrets in. */
export async function everythingStored(db: Queryable): Promise<string> {
  const rows = await db.rows<{ row: string }>(sql`
    SELECT c::text AS row FROM oauth_code c UNION ALL SELECT r::text FROM refresh_token r
    UNION ALL SELECT t::text FROM access_token t UNION ALL SELECT g::text FROM token_grant g
    UNION ALL SELECT s::text FROM session s`)
  return rows.map(({ row }) => row).join('\n')
}

/** How many ways a client's families could go on. */
export async function unusedRefreshTokens(db: Queryable, clientId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM refresh_token r JOIN token_grant g ON g.id = r.grant_id
    WHERE g.client_id = ${clientId} AND r.used_at IS NULL`)
  return row?.count ?? 0
}
