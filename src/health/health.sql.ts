// The statements about the health of the service: reports of workers, and files of all workspaces.

import sql, { type Sql } from 'sql-template-tag'
import type { FailedFileOfService } from '../contract/health.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface WorkerReport {
  name: string
  machine: string
  version: string
  /** The software that recognises text in pictures. */
  ocr: string
}

export async function upsertReport(
  db: Queryable,
  { name, machine, version, ocr }: WorkerReport,
  diskFree: number | undefined,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO worker_report (name, machine, version, ocr, disk_free)
    VALUES (${name}, ${machine}, ${version}, ${ocr}, ${diskFree ?? null}::bigint)
    ON CONFLICT (name) DO UPDATE SET machine = EXCLUDED.machine, version = EXCLUDED.version, ocr = EXCLUDED.ocr,
      disk_free = EXCLUDED.disk_free, seen_at = now()`)
  await db.rows(sql`DELETE FROM worker_report WHERE seen_at < now() - interval '1 day'`)
}

export interface WorkerRow {
  machine: string
  version: string
  ocr: string
  seen_at: string
  disk_free: number | null
}

/** The workers that reported within the last `seconds`. */
export const selectWorkers = (db: Queryable, seconds: number): Promise<WorkerRow[]> =>
  db.rows(sql`
    SELECT machine, version, ocr, disk_free::float8 AS disk_free,
      to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS seen_at
    FROM worker_report WHERE seen_at > now() - make_interval(secs => ${seconds}) ORDER BY machine, name`)

/** How many files were read in the last day, and how many could not be read. */
export async function countFiles(
  db: Queryable,
  cancelled: string,
): Promise<{ read: number; failed: number }> {
  const [row] = await db.rows<{ read: number; failed: number }>(
    acrossWorkspaces(sql`
      SELECT count(*) FILTER (WHERE status = 'done')::int AS read,
        count(*) FILTER (WHERE status = 'failed' AND error <> ${cancelled})::int AS failed
      FROM job_file WHERE finished_at > now() - interval '1 day'`),
  )
  return row ?? { read: 0, failed: 0 }
}

export async function sizeOfFiles(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ bytes: number }>(
    acrossWorkspaces(sql`
      SELECT coalesce(sum(f.size), 0)::float8 AS bytes
      FROM (SELECT max(v.size) AS size FROM (
        SELECT content_hash, size FROM document_version UNION ALL SELECT content_hash, size FROM trashed_version) v
        GROUP BY v.content_hash) f`),
  )
  return row?.bytes ?? 0
}

export interface FailedFileRow extends Omit<FailedFileOfService, 'can_retry'> {
  /** The name under which its bytes are stored. */
  content_hash: string
  is_stored: boolean
}

export interface FileId {
  workspace_id: string
  job_id: string
  file_no: number
}

const isAdmin = (id: string): Sql =>
  sql`EXISTS (SELECT FROM account WHERE id = ${id} AND admin AND status = 'active')`

const isFile = (file: FileId | undefined): Sql =>
  file
    ? sql`l.workspace_id = ${file.workspace_id} AND l.job_id = ${file.job_id} AND l.file_no = ${file.file_no}`
    : sql`true`

/**
 * Files of the last 30 days that could not be read, as `selectFailedFiles` lists them for one workspace. Their names are shown to an
 * administrator who may read the workspace.
 */
export const selectFailedOfService = (
  db: Queryable,
  options: { adminId: string; cancelled: string; retryDays: number; limit: number; file?: FileId },
): Promise<FailedFileRow[]> =>
  db.rows(
    acrossWorkspaces(sql`
    SELECT l.workspace_id, l.job_id, l.file_no, l.kind, l.size::float8 AS size, l.error, l.content_hash,
      to_char(l.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failed_at,
      l.finished_at > now() - make_interval(days => ${options.retryDays}) AS is_stored,
      CASE WHEN m.account_id IS NULL THEN NULL ELSE w.name END AS workspace,
      CASE WHEN m.account_id IS NULL THEN NULL ELSE l.path END AS filename,
      ARRAY(SELECT a.email FROM member o JOIN account a ON a.id = o.account_id
        WHERE o.workspace_id = w.id AND o.role = 'owner' ORDER BY a.email LIMIT 3) AS owners
    FROM (
      SELECT DISTINCT ON (f.workspace_id, f.path) f.*, j.created_at AS begun_at
      FROM job_file f JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
      WHERE f.status = 'failed' AND f.finished_at > now() - interval '30 days' AND j.kind = 'upload'
        AND f.error <> ${options.cancelled} AND NOT f.dismissed
      ORDER BY f.workspace_id, f.path, f.finished_at DESC
    ) AS l
    JOIN workspace w ON w.id = l.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN member m ON m.workspace_id = l.workspace_id AND m.account_id = ${options.adminId}
    WHERE ${isAdmin(options.adminId)} AND ${isFile(options.file)} AND NOT EXISTS (SELECT 1 FROM document d
      WHERE d.workspace_id = l.workspace_id AND (d.path = l.path OR d.uploaded_as = l.path)
        AND d.uploaded_at > l.begun_at)
    ORDER BY l.finished_at DESC, l.job_id, l.file_no LIMIT ${options.limit}`),
  )

/** Queues a failed file again. Returns false if it has not failed, its workspace is deleted or the account is no administrator. */
export async function reopenFile(
  tx: Queryable,
  adminId: string,
  { workspace_id, job_id, file_no }: FileId,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE job_file f SET status = 'queued', stage = 'queued', error = NULL, finished_at = NULL, started_at = NULL, progress = 0,
      attempt = 0, outcome = NULL, version_id = NULL
    WHERE f.workspace_id = ${workspace_id} AND f.job_id = ${job_id} AND f.file_no = ${file_no} AND f.status = 'failed'
      AND EXISTS (SELECT 1 FROM workspace w WHERE w.id = ${workspace_id} AND w.deleted_at IS NULL)
      AND ${isAdmin(adminId)}
    RETURNING 1`)
  return rows.length > 0
}
