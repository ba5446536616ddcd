// The statements about jobs and their files.

import sql, { empty, join } from 'sql-template-tag'
import type { FileOutcome, FileStatus, JobSummary, OnConflict } from '../contract/resources.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { prepared } from '../ports/db/prepared.sql.ts'
import { queueEndCheck, registerForJobEnd } from '../webhooks/notice.sql.ts'
import { heldTask, insertTasks } from '../work/queue.sql.ts'
import { failureSentence } from './failures.ts'
import { workspaceOfJobId } from './job-id.ts'
import type { FileTask } from './task.ts'

type JobKind = JobSummary['kind']

export interface NewFile {
  path: string
  kind: string
  size: number
  hash: string
  documentId: string
  /** Whether a document of the workspace already has the bytes of the file, so that the file need not be read. */
  isUnchanged: boolean
}

export async function insertJob(
  tx: Queryable,
  job: {
    id: string
    workspaceId: string
    createdBy: string
    kind: JobKind
    onConflict?: OnConflict | undefined
  },
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO job (workspace_id, id, created_by, kind, on_conflict)
    VALUES (${job.workspaceId}, ${job.id}, ${job.createdBy}, ${job.kind}, ${job.onConflict ?? null})`)
  await registerForJobEnd(tx, job.workspaceId, job.id)
}

export async function insertFiles(
  tx: Queryable,
  workspaceId: string,
  jobId: string,
  files: NewFile[],
): Promise<void> {
  const unchangedIds = files.flatMap((file) => (file.isUnchanged ? file.documentId : []))
  const versionOf = await selectLiveVersions(tx, workspaceId, unchangedIds)
  const values = files.map(
    (
      file,
      fileNumber,
    ) => sql`(${workspaceId}, ${jobId}, ${fileNumber}, ${file.path}, ${file.kind}, ${file.size}, ${file.hash},
      ${file.documentId}, ${file.isUnchanged ? 'done' : 'queued'}, ${file.isUnchanged ? 'done' : 'queued'}, ${file.isUnchanged ? 1 : 0},
      ${(file.isUnchanged && versionOf.get(file.documentId)) || null}, ${file.isUnchanged ? 'unchanged' : null})`,
  )
  await tx.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status, stage,
      progress, version_id, outcome)
    VALUES ${join(values)}`)
  if (files.every((file) => file.isUnchanged)) await queueEndCheck(tx, workspaceId, [jobId])
}

async function selectLiveVersions(
  db: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<Map<string, string>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db.rows<{ id: string; version_id: string }>(
    prepared(sql`
      SELECT id, version_id FROM document WHERE workspace_id = ${workspaceId} AND id = ANY (${[...documentIds]}::uuid[])`),
  )
  return new Map(rows.map((row) => [row.id, row.version_id]))
}

/**
 * Inserts a file for each document of the workspace, or for one document, in the order of document lists. @returns the number of
 * files
 */
export async function insertReindexFiles(
  tx: Queryable,
  workspaceId: string,
  jobId: string,
  documentId: string | undefined,
): Promise<number> {
  const rows = await tx.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status)
    SELECT d.workspace_id, ${jobId}, row_number() OVER (ORDER BY d.title_key, d.id) - 1, d.path, d.kind,
      coalesce((SELECT v.size FROM document_version v WHERE v.workspace_id = ${workspaceId} AND v.document_id = d.id
          AND v.content_hash = d.content_hash),
        (SELECT f.size FROM job_file f WHERE f.workspace_id = ${workspaceId} AND f.content_hash = d.content_hash LIMIT 1), 1),
      d.content_hash, d.id, 'queued'
    FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = coalesce(${documentId ?? null}::uuid, d.id)
    RETURNING 1`)
  if (rows.length === 0) await queueEndCheck(tx, workspaceId, [jobId])
  return rows.length
}

// A larger file is marked `long` and gets no fairness slot. A text of this size takes half a minute.
const SHORT_BYTES = 4_000_000

/**
 * Inserts a task for each file of the job that has not been read, or for the files of a range. They are due in the order of upload.
 */
export const insertFileTasks = (
  db: Queryable,
  workspaceId: string,
  jobId: string,
  files?: { from: number; to: number },
): Promise<void> =>
  insertTasks(
    db,
    { kind: 'ingest', priority: 'userVisible' },
    sql`
      SELECT workspace_id, file_no AS no, jsonb_build_object('job_id', job_id, 'file_no', file_no)
        || CASE WHEN size > ${SHORT_BYTES}::bigint THEN '{"long": true}'::jsonb ELSE '{}' END AS subject
      FROM job_file WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} AND status = 'queued'
        ${files ? sql`AND file_no >= ${files.from} AND file_no < ${files.to}` : empty}`,
  )

export async function selectJobWorkspace(db: Queryable, jobId: string): Promise<string | undefined> {
  const workspaceId = workspaceOfJobId(jobId)
  const statement = workspaceId
    ? sql`SELECT workspace_id FROM job WHERE workspace_id = ${workspaceId} AND id = ${jobId}`
    : acrossWorkspaces(sql`SELECT workspace_id FROM job WHERE id = ${jobId}`)
  const [row] = await db.rows<{ workspace_id: string }>(prepared(statement))
  return row?.workspace_id
}

export interface FileRow {
  file_no: number
  path: string
  kind: string
  size: number
  status: FileStatus
  document_id: string
  error: string | null
  warnings: string[]
  outcome: FileOutcome | null
  stage: string
  progress: number
  attempt: number
  /** The duration of the current attempt. */
  running_seconds: number | null
}

export const fileRow = sql`file_no, path, kind, size, status, document_id, error, warnings, outcome, stage, progress, attempt,
  extract(epoch FROM now() - started_at)::float8 AS running_seconds`

export const selectFiles = (db: Queryable, workspaceId: string, jobId: string): Promise<FileRow[]> =>
  db.rows(sql`
    SELECT ${fileRow} FROM job_file WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} ORDER BY file_no`)

export interface SourceRow {
  path: string
  kind: string
  size: number
  content_hash: string
  document_id: string
  /** When the upload was accepted. A document that is read again keeps this time, so that a later upload replaces it. */
  uploaded_at: Date
  job_kind: JobKind
  /** The title that an imported document must keep. */
  title: string | null
  /** What happens if another document has the name of the file. Null if the texts decide. */
  on_conflict: OnConflict | null
  /** Whether a document has the name or the bytes of the file. Only then it is possible that the file need not be read. */
  perhaps_settled: boolean
}

/** Whether the job reads the file of a document again, which creates no further version of the document. */
export const isReread = ({ job_kind: jobKind }: Pick<SourceRow, 'job_kind'>): boolean =>
  jobKind === 'reindex' || jobKind === 'import'

/** The file that an ingest task must read. Undefined if its workspace or job no longer exists. */
export async function selectSource(db: Queryable, task: FileTask): Promise<SourceRow | undefined> {
  const [row] = await db.rows<SourceRow>(
    prepared(sql`
    SELECT f.path, f.kind, f.size, f.content_hash, f.document_id, j.kind AS job_kind, j.on_conflict,
      CASE j.kind WHEN 'import' THEN d.title END AS title,
      coalesce(d.uploaded_at, j.created_at) AS uploaded_at,
      j.kind <> 'upload' OR EXISTS (SELECT 1 FROM document o
          WHERE o.workspace_id = ${task.workspace_id} AND o.provider = 'upload' AND o.path = f.path)
        OR EXISTS (SELECT 1 FROM document o WHERE o.workspace_id = ${task.workspace_id} AND o.uploaded_as = f.path)
        OR EXISTS (SELECT 1 FROM document o
          WHERE o.workspace_id = ${task.workspace_id} AND o.content_hash = f.content_hash)
        AS perhaps_settled
    FROM job_file f
    JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
    LEFT JOIN document d ON d.workspace_id = f.workspace_id AND d.id = f.document_id AND j.kind IN ('reindex', 'import')
    WHERE f.workspace_id = ${task.workspace_id} AND f.job_id = ${task.subject.job_id}
      AND f.file_no = ${task.subject.file_no} AND f.status IN ('queued', 'running')
      AND EXISTS (SELECT 1 FROM workspace WHERE id = ${task.workspace_id} AND deleted_at IS NULL)`),
  )
  return row
}

/** Stores the progress, which never decreases within an attempt. Returns false if another attempt has taken over the task. */
export async function updateProgress(
  db: Queryable,
  task: FileTask,
  stage: string,
  progress: number,
): Promise<boolean> {
  const attempts = task.attempt - (task.subject.excused ?? 0)
  // The time is read in a subquery, so that Citus reads it once even if the row is on another node.
  const statement = sql`
    UPDATE job_file f SET status = 'running', stage = ${stage},
      progress = greatest(${progress}::real, CASE WHEN f.attempt = ${attempts}::int THEN f.progress END),
      started_at = CASE WHEN f.attempt = ${attempts}::int AND f.started_at IS NOT NULL THEN f.started_at ELSE clock.at END,
      attempt = ${attempts}::int
    FROM (SELECT now() AS at) clock
    WHERE f.workspace_id = ${task.workspace_id} AND f.job_id = ${task.subject.job_id} AND f.file_no = ${task.subject.file_no}
      AND f.status IN ('queued', 'running') AND EXISTS (${heldTask(task)})
    RETURNING 1`
  return (await db.rows(prepared(statement))).length > 0
}

/** Stores as a warning why the file must wait. When the file is finished, the warning is replaced. */
export const warnOfWaiting = (db: Queryable, task: FileTask, warning: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE job_file SET warnings = ARRAY[${warning}::text]
    WHERE workspace_id = ${task.workspace_id} AND job_id = ${task.subject.job_id ?? null}
      AND file_no = ${task.subject.file_no ?? null} AND status IN ('queued', 'running') AND EXISTS (${heldTask(task)})`)

/** A page of the workspace's jobs, newest first. */
export const selectJobs = (
  db: Queryable,
  workspaceId: string,
  page: { before: JobPosition | undefined; limit: number },
): Promise<JobRow[]> =>
  db.rows(sql`
    SELECT j.id, j.kind, j.created_at, j.created_at::text AS position, count(f.job_id)::int AS file_count,
      count(*) FILTER (WHERE f.status = 'done')::int AS done_count,
      count(*) FILTER (WHERE f.status = 'failed')::int AS failed_count,
      count(*) FILTER (WHERE f.status = 'running')::int AS running_count
    FROM (
      SELECT id, kind, created_at FROM job
      WHERE workspace_id = ${workspaceId}
        ${page.before ? sql`AND (created_at, id) < (${page.before.at}::timestamptz, ${page.before.id})` : empty}
      ORDER BY created_at DESC, id DESC LIMIT ${page.limit}
    ) j
    LEFT JOIN job_file f ON f.workspace_id = ${workspaceId} AND f.job_id = j.id
    GROUP BY j.id, j.kind, j.created_at ORDER BY j.created_at DESC, j.id DESC`)

const MAX_LISTED_FAILURES = 100

/**
 * Files of the last 30 days that could not be read, newest first. For each name only the last failure is listed, and none if a
 * later upload with the name succeeded. Cancelled and dismissed files are not listed.
 */
export const selectFailedFiles = (
  db: Queryable,
  workspaceId: string,
): Promise<{ job_id: string; filename: string; error: string; failed_at: Date }[]> =>
  db.rows(sql`
    SELECT job_id, filename, error, failed_at FROM (
      SELECT DISTINCT ON (f.path) f.job_id, f.path AS filename, f.error, f.finished_at AS failed_at
      FROM job_file f JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
      WHERE f.workspace_id = ${workspaceId} AND f.status = 'failed' AND f.finished_at > now() - interval '30 days'
        AND j.kind = 'upload' AND f.error <> ${failureSentence.cancelled} AND NOT f.dismissed
        AND NOT EXISTS (SELECT 1 FROM document d
          WHERE d.workspace_id = ${workspaceId} AND (d.path = f.path OR d.uploaded_as = f.path)
            AND d.uploaded_at > j.created_at)
      ORDER BY f.path, f.finished_at DESC
    ) AS last
    ORDER BY failed_at DESC, filename LIMIT ${MAX_LISTED_FAILURES}`)

/** Removes files from the list of failed files until they fail again. */
export const dismissFailed = (
  db: Queryable,
  workspaceId: string,
  filenames: readonly string[],
): Promise<unknown> =>
  db.rows(sql`
    UPDATE job_file SET dismissed = true
    WHERE workspace_id = ${workspaceId} AND path = ANY (${filenames}::text[]) AND status = 'failed' AND NOT dismissed`)

/** The position of a page. `at` has microseconds, because the milliseconds of the API's timestamps are not exact enough. */
export interface JobPosition {
  at: string
  id: string
}

export interface JobRow {
  id: string
  kind: JobKind
  created_at: Date
  position: string
  file_count: number
  done_count: number
  failed_count: number
  running_count: number
}

/**
 * Cancels the files of a job or of documents that are not searchable yet, with their tasks and unpublished versions. A worker that
 * runs one of the tasks no longer finds it and can write nothing more. The caller has to hold the workspace's lock, so that
 * nothing is published at the same time. Returns how many files were cancelled.
 */
export async function cancelFiles(
  tx: Queryable,
  workspaceId: string,
  selection: { jobId: string } | { documentIds: readonly string[] },
): Promise<number> {
  // If documents are given, only files that certainly belong to them are cancelled: of reindexing, restoring, and uploads with
  // `replace`. Any other upload with the same name may become a different document when it is read.
  const isSelected =
    'jobId' in selection
      ? sql`job_id = ${selection.jobId}`
      : sql`document_id = ANY (${[...selection.documentIds]}::uuid[]) AND EXISTS (
          SELECT 1 FROM job WHERE job.workspace_id = ${workspaceId} AND job.id = job_file.job_id
            AND (job.kind <> 'upload' OR job.on_conflict = 'replace'))`
  const files = await tx.rows<{ job_id: string; file_no: number }>(sql`
    UPDATE job_file SET status = 'failed', stage = 'failed', error = ${failureSentence.cancelled},
      finished_at = now()
    WHERE workspace_id = ${workspaceId} AND ${isSelected} AND status IN ('queued', 'running')
    RETURNING job_id, file_no`)
  if (files.length === 0) return 0
  await queueEndCheck(tx, workspaceId, [...new Set(files.map(({ job_id }) => job_id))])
  const tasks = await tx.rows<{ id: string }>(sql`
    DELETE FROM task t USING unnest(${files.map((f) => f.job_id)}::text[], ${files.map((f) => f.file_no)}::int[])
      AS f (job_id, file_no)
    WHERE t.kind = 'ingest' AND t.workspace_id = ${workspaceId} AND t.subject ->> 'job_id' = f.job_id
      AND (t.subject ->> 'file_no')::int = f.file_no
    RETURNING t.id`)
  await tx.rows(sql`
    UPDATE version SET state = 'retired'
    WHERE workspace_id = ${workspaceId} AND state = 'building' AND task_id = ANY (${tasks.map(({ id }) => id)}::uuid[])`)
  return files.length
}

export interface FileDone {
  status: 'done'
  documentId: string
  warnings?: string[]
  /** Undefined if the file of the document was only read again. */
  outcome?: FileOutcome | undefined
  /** The path under which the file was stored, if it is not the name of the upload. */
  path?: string | undefined
}

/** Records the result of a file, in the transaction that ends its task. */
export async function finishFile(
  tx: Queryable,
  task: FileTask,
  result: FileDone | { status: 'failed'; error: string },
  publishedVersionId?: string,
): Promise<void> {
  const doneFile = result.status === 'done' ? result : undefined
  const version =
    publishedVersionId ??
    (doneFile &&
      (await selectLiveVersions(tx, task.workspace_id, [doneFile.documentId])).get(doneFile.documentId))
  await tx.rows(
    prepared(sql`
    UPDATE job_file SET status = ${result.status}, stage = ${result.status}, finished_at = now(),
      progress = CASE WHEN ${doneFile !== undefined} THEN 1 ELSE progress END,
      document_id = coalesce(${doneFile?.documentId ?? null}::uuid, document_id),
      version_id = ${version ?? null}::uuid,
      path = coalesce(${doneFile?.path ?? null}::text, path), outcome = ${doneFile?.outcome ?? null},
      error = ${result.status === 'failed' ? result.error : null}, warnings = ${doneFile?.warnings ?? []}::text[]
    WHERE workspace_id = ${task.workspace_id} AND job_id = ${task.subject.job_id} AND file_no = ${task.subject.file_no}`),
  )
  await queueEndCheck(tx, task.workspace_id, [task.subject.job_id ?? ''])
}
