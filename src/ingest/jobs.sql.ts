// Jobs and their files as SQL: what a caller polls and what the worker reports.

import sql, { join } from 'sql-template-tag'
import type { FileStatus } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Task } from './work/queue.sql.ts'

export interface NewFile {
  path: string
  kind: string
  size: number
  hash: string
  documentId: string
  /** Its bytes are a document of the workspace already. */
  known: boolean
}

export interface KnownQuery {
  path: string
  content_hash: string
  /** The file itself, when it has a row already: its own waiting does not count against it. */
  job_id?: string
  file_no?: number
}

/**
 * For each file the document it is already, or null: the one at its path when that holds these bytes, else, for a path
 * that is nobody's and that no other waiting file will take, any with these bytes. The document at the path is marked
 * with the time of this upload, so that an earlier upload still under way cannot replace what was uploaded last.
 */
export async function takeKnown(
  tx: Queryable,
  workspaceId: string,
  files: KnownQuery[],
  uploadedAt: Date | null,
): Promise<(string | null)[]> {
  const found = await tx.rows<{ at_path: string | null; elsewhere: string | null }>(sql`
    SELECT CASE WHEN own.content_hash = f.hash THEN own.id END AS at_path,
      CASE WHEN own.id IS NULL AND NOT EXISTS (
        SELECT 1 FROM job_file w WHERE w.workspace_id = ${workspaceId} AND w.path = f.path
          AND w.status IN ('queued', 'running') AND (w.job_id, w.file_no) IS DISTINCT FROM (f.job_id, f.file_no)
      ) THEN (
        SELECT d.id FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = f.hash
        ORDER BY d.id LIMIT 1
      ) END AS elsewhere
    FROM unnest(${files.map((f) => f.path)}::text[], ${files.map((f) => f.content_hash)}::text[],
      ${files.map((f) => f.job_id ?? null)}::text[], ${files.map((f) => f.file_no ?? null)}::int[])
      WITH ORDINALITY AS f (path, hash, job_id, file_no, no)
    LEFT JOIN document own ON own.workspace_id = ${workspaceId} AND own.provider = 'upload' AND own.path = f.path
    ORDER BY f.no`)
  const marked = found.flatMap((row) => row.at_path ?? [])
  if (marked.length) {
    await tx.rows(sql`
      UPDATE document SET uploaded_at = greatest(uploaded_at, coalesce(${uploadedAt}::timestamptz, now()))
      WHERE workspace_id = ${workspaceId} AND id = ANY (${marked}::uuid[])`)
  }
  return found.map((row) => row.at_path ?? row.elsewhere)
}

export async function insertJob(
  tx: Queryable,
  job: { id: string; workspaceId: string; createdBy: string; idempotencyKey: string | null },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO job (workspace_id, id, created_by, idempotency_key)
    VALUES (${job.workspaceId}, ${job.id}, ${job.createdBy}, ${job.idempotencyKey})
    ON CONFLICT (workspace_id, created_by, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id`)
  return rows.length > 0
}

export async function insertFiles(
  tx: Queryable,
  workspaceId: string,
  jobId: string,
  files: NewFile[],
): Promise<void> {
  const values = files.map(
    (
      file,
      no,
    ) => sql`(${workspaceId}, ${jobId}, ${no}, ${file.path}, ${file.kind}, ${file.size}, ${file.hash},
      ${file.documentId}, ${file.known ? 'done' : 'queued'}, ${file.known ? 'done' : 'queued'}, ${file.known ? 1 : 0})`,
  )
  await tx.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status, stage,
      progress)
    VALUES ${join(values)}`)
}

export async function selectJobWorkspace(db: Queryable, jobId: string): Promise<string | undefined> {
  const [row] = await db.rows<{ workspace_id: string }>(sql`SELECT workspace_id FROM job WHERE id = ${jobId}`)
  return row?.workspace_id
}

export async function selectIdempotent(
  db: Queryable,
  key: { workspaceId: string; createdBy: string; idempotencyKey: string },
): Promise<string | undefined> {
  const [row] = await db.rows<{ id: string }>(sql`
    SELECT id FROM job WHERE workspace_id = ${key.workspaceId} AND created_by = ${key.createdBy}
      AND idempotency_key = ${key.idempotencyKey}`)
  return row?.id
}

export interface FileRow {
  path: string
  content_hash: string
  status: FileStatus
  document_id: string
  error: string | null
  stage: string
  progress: number
  attempt: number
  running_seconds: number | null
}

export const selectFiles = (db: Queryable, workspaceId: string, jobId: string): Promise<FileRow[]> =>
  db.rows(sql`
    SELECT f.path, f.content_hash, f.status, f.document_id, f.error, f.stage, f.progress,
      coalesce(t.attempt, 0) AS attempt,
      extract(epoch FROM now() - f.started_at)::float8 AS running_seconds
    FROM job_file f
    LEFT JOIN task t ON t.workspace_id = f.workspace_id AND t.kind = 'ingest'
      AND t.subject = jsonb_build_object('job_id', f.job_id, 'file_no', f.file_no)
    WHERE f.workspace_id = ${workspaceId} AND f.job_id = ${jobId} ORDER BY f.file_no`)

export interface SourceRow {
  path: string
  kind: string
  size: number
  content_hash: string
  document_id: string
  uploaded_at: Date
}

/** What an ingest task is to read; undefined when its workspace or job is gone. */
export async function selectSource(db: Queryable, task: Task): Promise<SourceRow | undefined> {
  const [row] = await db.rows<SourceRow>(sql`
    SELECT f.path, f.kind, f.size, f.content_hash, f.document_id, j.created_at AS uploaded_at
    FROM job_file f
    JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL
    WHERE f.workspace_id = ${task.workspace_id} AND f.job_id = ${task.subject.job_id}
      AND f.file_no = ${task.subject.file_no} AND f.status IN ('queued', 'running')`)
  return row
}

/** Reports how far the file is; false when the task is no longer this attempt's. */
export async function updateProgress(
  db: Queryable,
  task: Task,
  stage: string,
  progress: number,
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE job_file f SET status = 'running', stage = ${stage}, progress = ${progress},
      started_at = coalesce(started_at, now())
    FROM task t
    WHERE t.id = ${task.id} AND t.attempt = ${task.attempt} AND f.workspace_id = ${task.workspace_id}
      AND f.job_id = ${task.subject.job_id} AND f.file_no = ${task.subject.file_no}
    RETURNING 1`)
  return rows.length > 0
}

/** Ends the file for good, in the transaction that ends its task. */
export async function finishFile(
  tx: Queryable,
  task: Task,
  end: { status: 'done'; documentId: string } | { status: 'failed'; error: string },
): Promise<void> {
  const done = end.status === 'done'
  await tx.rows(sql`
    UPDATE job_file SET status = ${end.status}, stage = ${end.status}, finished_at = now(),
      progress = CASE WHEN ${done} THEN 1 ELSE progress END,
      document_id = coalesce(${done ? end.documentId : null}::uuid, document_id),
      error = ${done ? null : end.error}
    WHERE workspace_id = ${task.workspace_id} AND job_id = ${task.subject.job_id} AND file_no = ${task.subject.file_no}`)
}
