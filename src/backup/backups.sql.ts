// The table `backup`. The statement that inserts a backup checks again that the account is an administrator.

import sql from 'sql-template-tag'
import type { Backup } from '../contract/health.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Subject, Task } from '../work/queue.sql.ts'

export interface BackupTask extends Task {
  subject: Subject & { backup_id: string }
}

export interface FinishedBackup {
  machine: string
  folder: string
  /** Bytes. */
  size: number
}

const fields = sql`
  id, state, step, progress::float8 AS progress, machine, folder, size::float8 AS size, error,
  begun_by IS NOT NULL AND state = 'done' AS is_checked,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at,
  to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS finished_at`

export const selectBackups = (db: Queryable, limit: number): Promise<Backup[]> =>
  db.rows(sql`SELECT ${fields} FROM backup ORDER BY created_at DESC, id LIMIT ${limit}`)

/** Seconds since the last backup was finished, by the database's clock. Infinity if there is none. */
export async function selectBackupAge(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ age: number | null }>(
    sql`SELECT extract(epoch FROM now() - max(finished_at))::float8 AS age FROM backup WHERE state = 'done'`,
  )
  return row?.age ?? Infinity
}

export async function selectBackup(db: Queryable, id: string): Promise<Backup | undefined> {
  const [row] = await db.rows<Backup>(sql`SELECT ${fields} FROM backup WHERE id = ${id}`)
  return row
}

/** Returns undefined if another backup is queued or running, or if the account is no longer an administrator. */
export async function insertBackup(tx: Queryable, id: string, adminId: string): Promise<Backup | undefined> {
  const [row] = await tx.rows<Backup>(sql`
    INSERT INTO backup (id, begun_by, state)
    SELECT ${id}::uuid, a.id, 'queued' FROM account a WHERE a.id = ${adminId} AND a.admin AND a.status = 'active'
    ON CONFLICT ((true)) WHERE state IN ('queued', 'running') DO NOTHING
    RETURNING ${fields}`)
  return row
}

/** Stores the progress of the attempt, unless a later attempt of the task has begun. */
export async function updateBackup(
  db: Queryable,
  task: BackupTask,
  change: Partial<Pick<Backup, 'step' | 'progress' | 'machine' | 'folder'>>,
): Promise<void> {
  await db.rows(sql`
    UPDATE backup SET state = 'running', step = coalesce(${change.step ?? null}, step),
      progress = coalesce(${change.progress ?? null}::real, progress), machine = coalesce(${change.machine ?? null}, machine),
      folder = coalesce(${change.folder ?? null}, folder)
    WHERE id = ${task.subject.backup_id} AND state IN ('queued', 'running')
      AND EXISTS (SELECT FROM task t WHERE t.id = ${task.id} AND t.attempt = ${task.attempt})`)
}

export async function finishBackup(
  tx: Queryable,
  id: string,
  result: FinishedBackup | { error: string },
): Promise<void> {
  const isDone = 'size' in result
  const { machine, folder } = isDone ? result : { machine: null, folder: null }
  await tx.rows(sql`
    UPDATE backup SET state = ${isDone ? 'done' : 'failed'}, finished_at = now(), step = NULL, progress = ${isDone ? 1 : 0}::real,
      size = ${isDone ? result.size : null}::bigint, error = ${isDone ? null : result.error},
      machine = coalesce(${machine}, machine), folder = coalesce(${folder}, folder)
    WHERE id = ${id}`)
}

/** Adds a backup that the command `kenning backup` made, without a task. */
export async function insertFinishedBackup(
  db: Queryable,
  id: string,
  { machine, folder, size }: FinishedBackup,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO backup (id, state, progress, finished_at, machine, folder, size)
    VALUES (${id}, 'done', 1, now(), ${machine}, ${folder}, ${size}::bigint)`)
}

export async function deleteOldBackups(db: Queryable): Promise<void> {
  await db.rows(sql`
    DELETE FROM backup WHERE created_at < now() - interval '1 year' AND state IN ('done', 'failed')`)
}

/** An upper estimate of the bytes of a backup, and the number of its files. */
export async function selectSizes(db: Queryable): Promise<{ bytes: number; files: number }> {
  const [row] = await db.rows<{ bytes: number; files: number }>(
    acrossWorkspaces(sql`
    SELECT (pg_database_size(current_database()) + coalesce(sum(f.size), 0))::float8 AS bytes, count(f.size)::int AS files
    FROM (SELECT v.content_hash, max(v.size) AS size FROM (
      SELECT content_hash, size FROM document_version UNION ALL SELECT content_hash, size FROM trashed_version) v
      GROUP BY v.content_hash) f`),
  )
  if (!row) throw new Error('SELECT of the sizes returned no row')
  return row
}
