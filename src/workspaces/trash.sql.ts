// The statements about workspaces in the trash (migrations/0037_trash.sql). All other code treats such a workspace as deleted.

import sql from 'sql-template-tag'
import { TRASH_DAYS } from '../contract/limits.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertTasks, PRIORITY } from '../work/queue.sql.ts'
import { markDeleted } from './workspaces.sql.ts'

const RETENTION = sql`make_interval(days => ${TRASH_DAYS}::int)`

/**
 * Moves the workspace to the trash, with its members and tasks. Returns false if it is deleted already. The attempts of a task begin
 * at 0 when it is restored, so `excused` and `busy`, which belong to earlier attempts, are not stored.
 */
export async function moveToTrash(tx: Queryable, workspaceId: string): Promise<boolean> {
  if (!(await markDeleted(tx, workspaceId))) return false
  const [documents] = await tx.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM document WHERE workspace_id = ${workspaceId}`)
  const members = await tx.rows<{ account_id: string; role: string }>(sql`
    DELETE FROM member WHERE workspace_id = ${workspaceId}
    RETURNING account_id, role, group_role, person_role, created_at::text AS created_at`)
  const tasks = await tx.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspaceId}
    RETURNING kind, subject - 'excused' - 'busy' AS subject, priority, run_after::text AS run_after`)
  const owners = members.filter(({ role }) => role === 'owner').map(({ account_id: accountId }) => accountId)
  await tx.rows(sql`
    INSERT INTO trashed_workspace (id, name, document_count, owners, members, tasks)
    SELECT w.id, w.name, ${documents?.count ?? 0}::int, ${owners}::uuid[], ${JSON.stringify(members)}::jsonb,
      ${JSON.stringify(tasks)}::jsonb
    FROM workspace w WHERE w.id = ${workspaceId}`)
  return true
}

export interface TrashedWorkspaceRow {
  id: string
  name: string
  document_count: number
  trashed_at: Date
  expires_at: Date
}

/** The workspaces in the trash that the account owned, latest first. */
export const selectTrashedWorkspaces = (
  db: Queryable,
  accountId: string,
  limit: number,
): Promise<TrashedWorkspaceRow[]> =>
  db.rows(sql`
    SELECT id, name, document_count, trashed_at, trashed_at + ${RETENTION} AS expires_at FROM trashed_workspace
    WHERE owners @> ARRAY[${accountId}::uuid] AND trashed_at > now() - ${RETENTION}
    ORDER BY trashed_at DESC, id LIMIT ${limit}`)

interface Membership {
  account_id: string
  role: string
  /** Absent where an earlier release moved the workspace to the trash. */
  group_role?: string | null
  person_role?: string | null
  created_at: string
}

interface WaitingTask {
  kind: string
  subject: object
  priority: number
  run_after: string
}

/**
 * Takes a workspace that the account owned out of the trash. After that the transaction may change its rows. Undefined if it is not
 * in the trash, or has expired.
 */
export async function takeTrashedWorkspace(
  tx: Queryable,
  workspaceId: string,
  accountId: string,
): Promise<{ owners: string[]; members: Membership[]; tasks: WaitingTask[] } | undefined> {
  const [row] = await tx.rows<{ owners: string[]; members: Membership[]; tasks: WaitingTask[] }>(sql`
    DELETE FROM trashed_workspace
    WHERE id = ${workspaceId} AND ${accountId}::uuid = ANY (owners) AND trashed_at > now() - ${RETENTION}
    RETURNING owners, members, tasks`)
  return row
}

/**
 * Makes the workspace visible, with those of its members whose accounts still exist, and queues its tasks again. A round of embedding
 * follows, because the model may have changed meanwhile.
 */
export async function showRestored(
  tx: Queryable,
  workspaceId: string,
  { members, tasks }: { members: readonly Membership[]; tasks: readonly WaitingTask[] },
): Promise<void> {
  await tx.rows(sql`UPDATE workspace SET deleted_at = NULL WHERE id = ${workspaceId}`)
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role, group_role, person_role, created_at)
    SELECT ${workspaceId}::uuid, a.id, m.role, m.group_role, m.person_role, m.created_at
    FROM jsonb_to_recordset(${JSON.stringify(members)}::jsonb)
      AS m (account_id uuid, role text, group_role text, person_role text, created_at timestamptz)
    JOIN account a ON a.id = m.account_id`)
  const embed = { kind: 'embed', subject: {}, priority: PRIORITY.background, run_after: 'now' }
  await tx.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority, run_after)
    SELECT gen_random_uuid(), ${workspaceId}::uuid, t.kind, t.subject, t.priority, t.run_after
    FROM jsonb_to_recordset(${JSON.stringify([...tasks, embed])}::jsonb)
      AS t (kind text, subject jsonb, priority smallint, run_after timestamptz)
    ON CONFLICT DO NOTHING`)
  await queueForgottenFiles(tx, workspaceId)
}

/**
 * Queues the files that are marked as queued but have no task. An import leaves them if the workspace is moved to the trash while
 * it queues files.
 */
async function queueForgottenFiles(tx: Queryable, workspaceId: string): Promise<void> {
  const queued = await tx.rows<{ job_id: string; file_no: number }>(sql`
    SELECT subject ->> 'job_id' AS job_id, (subject ->> 'file_no')::int AS file_no FROM task
    WHERE workspace_id = ${workspaceId} AND kind = 'ingest'`)
  await insertTasks(
    tx,
    { kind: 'ingest', priority: 'userVisible' },
    sql`
      SELECT f.workspace_id, f.file_no AS no, jsonb_build_object('job_id', f.job_id, 'file_no', f.file_no) AS subject
      FROM job_file f
      WHERE f.workspace_id = ${workspaceId} AND f.status IN ('queued', 'running') AND NOT EXISTS (
        SELECT 1 FROM unnest(${queued.map((file) => file.job_id)}::text[], ${queued.map((file) => file.file_no)}::int[])
          AS q (job_id, file_no)
        WHERE q.job_id = f.job_id AND q.file_no = f.file_no)`,
  )
}

/** Workspaces that have been in the trash for 30 days by the database's clock. */
export const selectExpired = (db: Queryable): Promise<{ id: string }[]> =>
  db.rows(sql`SELECT id FROM trashed_workspace WHERE trashed_at <= now() - ${RETENTION}`)

/** Takes an expired workspace out of the trash and returns its owners. Undefined if it is no longer there. */
export async function takeExpired(tx: Queryable, workspaceId: string): Promise<string[] | undefined> {
  const [row] = await tx.rows<{ owners: string[] }>(sql`
    DELETE FROM trashed_workspace WHERE id = ${workspaceId} AND trashed_at <= now() - ${RETENTION} RETURNING owners`)
  return row?.owners
}

/** Removes a deleted account from the trash. Returns the workspaces there that no active account could restore any more. */
export async function leaveTrash(
  tx: Queryable,
  accountId: string,
): Promise<{ id: string; owners: string[] }[]> {
  const abandonedWorkspaces = await tx.rows<{ id: string; owners: string[] }>(sql`
    DELETE FROM trashed_workspace t WHERE t.owners @> ARRAY[${accountId}::uuid] AND NOT EXISTS (
      SELECT 1 FROM account a WHERE a.id = ANY (t.owners) AND a.id <> ${accountId} AND a.status = 'active')
    RETURNING t.id, t.owners`)
  await tx.rows(sql`
    UPDATE trashed_workspace SET owners = array_remove(owners, ${accountId}::uuid)
    WHERE owners @> ARRAY[${accountId}::uuid]`)
  return abandonedWorkspaces
}
