// The table `activity` is append-only: a trigger rejects updates and deletes (migrations/0005_audit.sql).

import sql, { empty } from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'
import type { NewActivity } from './activity.ts'

/** Must run in the transaction of the change that it describes. */
export async function record(db: Queryable, activity: NewActivity): Promise<void> {
  const workspaces = activity.workspaceIds?.length ? [...activity.workspaceIds] : [null]
  await db.rows(sql`
    INSERT INTO activity (workspace_id, actor_type, actor_id, action, subject, detail)
    SELECT w, ${activity.actor.type}, ${activity.actor.id ?? null}::uuid, ${activity.action}, ${activity.subject ?? null},
      ${JSON.stringify(activity.detail ?? {})}::jsonb
    FROM unnest(${workspaces}::uuid[]) AS w`)
}

/** Deletes failed sign-ins after 90 days, because anybody can cause them. The table's trigger allows that. */
export async function deleteOldFailedSignIns(db: Queryable): Promise<void> {
  await db.rows(sql`DELETE FROM activity WHERE action = 'sign_in_failed' AND at < now() - interval '90 days'`)
}

interface ActivityRow {
  id: string
  at: string
  action: string
  actor: { type: 'user' | 'api_key' | 'nobody'; id: string | null; name: string | null }
  subject: string | null
  detail: Record<string, string | number>
}

/**
 * The newest first, of one workspace or of the installation. Names are the current ones, null if the account or key is gone.
 */
export const selectActivity = (
  db: Queryable,
  workspaceId: string | undefined,
  page: { before: string | undefined; limit: number },
): Promise<ActivityRow[]> =>
  db.rows(sql`
    SELECT v.id::text AS id, to_char(v.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, v.action,
      jsonb_build_object('type', v.actor_type, 'id', v.actor_id, 'name', coalesce(a.email, k.name)) AS actor,
      v.subject, v.detail
    FROM activity v
    LEFT JOIN account a ON v.actor_type = 'user' AND a.id = v.actor_id
    LEFT JOIN api_key k ON v.actor_type = 'api_key' AND k.id = v.actor_id
    WHERE ${workspaceId === undefined ? sql`v.workspace_id IS NULL` : sql`v.workspace_id = ${workspaceId}::uuid`}
      ${page.before === undefined ? empty : sql`AND v.id < ${page.before}::bigint`}
    ORDER BY v.id DESC LIMIT ${page.limit}`)
