// Grants of OAuth clients, selected as the API returns them. Grants of browser sessions have no client and are not listed.

import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

export interface GrantRow {
  id: string
  client_id: string
  client_name: string
  scopes: string[]
  created_at: string
  /** When a token was last refreshed. */
  last_used_at: string
  redirect_uri: string | null
}

/** The grants that have a valid token, newest first. */
export const selectGrants = (db: Queryable, accountId: string): Promise<GrantRow[]> =>
  db.rows(sql`
    SELECT g.id, g.client_id, coalesce(g.client_name, g.client_id) AS client_name, g.scopes,
      to_char(g.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
      to_char(greatest(g.created_at, (SELECT max(r.used_at) FROM refresh_token r WHERE r.grant_id = g.id))
        AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at,
      coalesce(g.redirect_uri, (SELECT c.redirect_uris[1] FROM oauth_client c
        WHERE c.id = g.client_id AND cardinality(c.redirect_uris) = 1)) AS redirect_uri
    FROM token_grant g
    WHERE g.account_id = ${accountId} AND g.client_id IS NOT NULL AND g.revoked_at IS NULL
      AND (EXISTS (SELECT 1 FROM access_token t WHERE t.grant_id = g.id AND t.expires_at > now())
        OR EXISTS (SELECT 1 FROM refresh_token r WHERE r.grant_id = g.id AND r.expires_at > now()))
    ORDER BY g.created_at DESC, g.id`)

/**
 * Revokes a grant. The UPDATE locks the grant's row, so a concurrent refresh of its tokens either finishes first or finds the grant
 * revoked.
 */
export async function revokeGrantRow(tx: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE token_grant SET revoked_at = now()
    WHERE id = ${id} AND account_id = ${accountId} AND client_id IS NOT NULL AND revoked_at IS NULL RETURNING id`)
  return rows.length > 0
}
