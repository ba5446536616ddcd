// The statements for sources and their stored state. Every write of a run checks the attempt number of its task, so that a run that
// was taken over writes nothing more.

import { randomUUID } from 'node:crypto'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { SourceCounts, SourceKind } from '../contract/sources.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { StoredFileResult } from '../sync/state.ts'
import { heldTask, PRIORITY, type Task } from '../work/queue.sql.ts'

export interface SourceRow {
  id: string
  name: string
  kind: SourceKind
  addresses: string[]
  branch: string | null
  into_folder: string
  include: string[]
  exclude: string[]
  credentials: Buffer | null
  every_minutes: number | null
  paused: boolean
  removing: boolean
  acts_as: string
  created_at: Date
  next_run_at: Date | null
  last_run_at: Date | null
  last_success_at: Date | null
  failures: number
  error: string | null
  documents: number
  counts: SourceCounts | null
}

/** A source with the fields that a list needs. */
export interface ListedSourceRow extends SourceRow {
  /** `created_at`, exact to the microsecond. */
  position: string
  is_queued: boolean
  is_running: boolean
}

const listedColumns = sql`
  s.id, s.name, s.kind, s.addresses, s.branch, s.into_folder, s.include, s.exclude, s.credentials, s.every_minutes, s.paused,
  s.removing, s.acts_as, s.created_at, s.next_run_at, s.last_run_at, s.last_success_at, s.failures, s.error, s.documents,
  s.counts, s.created_at::text AS position, t.id IS NOT NULL AS is_queued, coalesce(t.lease_until >= now(), false) AS is_running
  FROM source s LEFT JOIN task t ON t.kind = 'source' AND t.subject ->> 'source_id' = s.id::text`

export interface SourcePosition {
  at: string
  id: string
}

export const selectSources = (
  db: Queryable,
  workspaceId: string,
  { after, limit }: { after: SourcePosition | undefined; limit: number },
): Promise<ListedSourceRow[]> =>
  db.rows(sql`
    SELECT ${listedColumns} WHERE s.workspace_id = ${workspaceId}
      ${after ? sql`AND (s.created_at, s.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : empty}
    ORDER BY s.created_at, s.id LIMIT ${limit}`)

export async function selectSource(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ListedSourceRow | undefined> {
  const [row] = await db.rows<ListedSourceRow>(
    sql`SELECT ${listedColumns} WHERE s.workspace_id = ${workspaceId} AND s.id = ${id}::uuid`,
  )
  return row
}

export async function countSources(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM source WHERE workspace_id = ${workspaceId}`,
  )
  return row?.count ?? 0
}

type NewSource = Pick<
  SourceRow,
  | 'id'
  | 'name'
  | 'kind'
  | 'addresses'
  | 'branch'
  | 'into_folder'
  | 'include'
  | 'exclude'
  | 'credentials'
  | 'every_minutes'
  | 'acts_as'
>

export async function insertSource(tx: Queryable, workspaceId: string, row: NewSource): Promise<void> {
  await tx.rows(sql`
    INSERT INTO source (workspace_id, id, name, kind, addresses, branch, into_folder, include, exclude, credentials,
      every_minutes, acts_as)
    VALUES (${workspaceId}, ${row.id}, ${row.name}, ${row.kind}, ${row.addresses}::text[], ${row.branch}, ${row.into_folder},
      ${row.include}::text[], ${row.exclude}::text[], ${row.credentials}, ${row.every_minutes}, ${row.acts_as})`)
}

export type SourceChange = Partial<
  Pick<SourceRow, 'name' | 'include' | 'exclude' | 'every_minutes' | 'paused' | 'credentials'>
>

/** Returns false if the source does not exist or is being removed. */
export async function updateSourceRow(
  tx: Queryable,
  ids: { workspaceId: string; id: string },
  change: SourceChange,
  actsAs: string,
): Promise<boolean> {
  const newValueOr = <Name extends keyof SourceChange>(name: Name, column: Sql): Sql =>
    change[name] === undefined ? column : sql`${change[name]}`
  const interval = newValueOr('every_minutes', sql`every_minutes`)
  const rows = await tx.rows(sql`
    UPDATE source SET name = ${newValueOr('name', sql`name`)}, include = ${newValueOr('include', sql`include`)},
      exclude = ${newValueOr('exclude', sql`exclude`)}, every_minutes = ${interval}::int, paused = ${newValueOr('paused', sql`paused`)},
      credentials = ${newValueOr('credentials', sql`credentials`)}::bytea, acts_as = ${actsAs},
      -- The change may have corrected the cause of the failures.
      failures = 0,
      next_run_at = CASE WHEN ${interval}::int IS NULL THEN NULL
        ELSE least(coalesce(last_run_at, now()) + make_interval(mins => ${interval}::int), next_run_at) END
    WHERE workspace_id = ${ids.workspaceId} AND id = ${ids.id}::uuid AND NOT removing RETURNING 1`)
  return rows.length > 0
}

/**
 * Requests a run. A waiting run becomes due at once, and gets the options of this request, too. A running run continues, and counts
 * as the requested run.
 */
export async function queueRun(
  db: Queryable,
  workspaceId: string,
  subject: { source_id: string; allow_empty?: true; retry?: true },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    VALUES (${randomUUID()}, ${workspaceId}, 'source', ${JSON.stringify(subject)}::jsonb, ${PRIORITY.networkBound})
    ON CONFLICT ((subject ->> 'source_id')) WHERE kind = 'source' DO UPDATE SET
      subject = task.subject || excluded.subject, run_after = least(task.run_after, now())`)
}

/** Stops a run in progress, or removes a waiting run. */
export async function cancelRun(tx: Queryable, workspaceId: string, sourceId: string): Promise<void> {
  await tx.rows(sql`
    DELETE FROM task WHERE workspace_id = ${workspaceId} AND kind = 'source' AND subject ->> 'source_id' = ${sourceId}`)
}

/** Returns false if the source does not exist. */
export async function deleteSourceRow(tx: Queryable, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`DELETE FROM source WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid RETURNING 1`,
  )
  return rows.length > 0
}

/** Marks the source as being removed. Returns false if it does not exist or is already being removed. */
export async function markRemoving(
  tx: Queryable,
  workspaceId: string,
  id: string,
  actsAs: string,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE source SET removing = true, next_run_at = NULL, acts_as = ${actsAs}
    WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid AND NOT removing RETURNING 1`)
  return rows.length > 0
}

/** Requests a run of each source that is due, in every workspace. */
export async function queueDue(db: Queryable): Promise<void> {
  await db.rows(sql`
    INSERT INTO task (id, workspace_id, kind, subject, priority)
    SELECT gen_random_uuid(), s.workspace_id, 'source', jsonb_build_object('source_id', s.id), ${PRIORITY.networkBound}::smallint
    FROM source s JOIN workspace w ON w.id = s.workspace_id AND w.deleted_at IS NULL
    WHERE s.next_run_at <= now() AND NOT s.paused AND NOT s.removing
    ON CONFLICT ((subject ->> 'source_id')) WHERE kind = 'source' DO NOTHING`)
}

/** Those of the ids for which a source exists. */
export async function selectExistingIds(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`SELECT id FROM source WHERE id = ANY (${[...ids]}::uuid[])`)
  return rows.map(({ id }) => id)
}

const isTaskHeld = (task: Task): Sql => sql`EXISTS (${heldTask(task)})`

export interface RunResult {
  counts: SourceCounts | undefined
  error: string | undefined
  /**
   * Whether the next run comes sooner than usual, since the reason of the failure may pass. The pause grows with each failure, up
   * to `every_minutes`.
   */
  retry: boolean
}

/** Stores the result of a run. Call it in the transaction that ends the run's task. */
export async function endRun(
  tx: Queryable,
  workspaceId: string,
  sourceId: string,
  { counts, error, retry }: RunResult,
): Promise<void> {
  await tx.rows(sql`
    UPDATE source s SET last_run_at = now(), error = ${error ?? null}::text,
      last_success_at = CASE WHEN ${counts !== undefined} THEN now() ELSE last_success_at END,
      counts = coalesce(${counts ? JSON.stringify(counts) : null}::jsonb, counts),
      failures = CASE WHEN ${error === undefined} THEN 0 ELSE failures + 1 END,
      -- After a failure the next run comes sooner than usual, but each further failure doubles the pause.
      next_run_at = now() + CASE WHEN every_minutes IS NULL THEN NULL WHEN ${retry}
        THEN least(make_interval(mins => every_minutes), make_interval(mins => 5 * (2 ^ least(failures, 12))::int))
        ELSE make_interval(mins => every_minutes) END,
      documents = (SELECT count(DISTINCT f.kept ->> 'document_id')::int FROM source_file f
        WHERE f.workspace_id = s.workspace_id AND f.source_id = s.id AND f.kept ->> 'state' <> 'theirs')
    WHERE s.workspace_id = ${workspaceId} AND s.id = ${sourceId}::uuid`)
}

interface FileRow {
  path: string
  kept: StoredFileResult | null
  sending: string[]
}

export const selectFileStates = (db: Queryable, workspaceId: string, sourceId: string): Promise<FileRow[]> =>
  db.rows(sql`
    SELECT path, kept, sending FROM source_file WHERE workspace_id = ${workspaceId} AND source_id = ${sourceId}::uuid
    ORDER BY path`)

/** Stores the result of a path. Returns false if the run was taken over. */
export async function upsertFileResult(
  db: Queryable,
  task: Task,
  sourceId: string,
  { path, result }: { path: string; result: StoredFileResult },
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO source_file (workspace_id, source_id, path, kept)
    SELECT ${task.workspace_id}::uuid, ${sourceId}::uuid, ${path}, ${JSON.stringify(result)}::jsonb WHERE ${isTaskHeld(task)}
    ON CONFLICT (workspace_id, source_id, path) DO UPDATE SET kept = excluded.kept, sending = '{}' RETURNING 1`)
  return rows.length > 0
}

/** Records that these files are being sent. Returns false if the run was taken over. */
export async function upsertSending(
  db: Queryable,
  task: Task,
  sourceId: string,
  entries: readonly { path: string; hash: string }[],
): Promise<boolean> {
  const rows = await db.rows(sql`
    INSERT INTO source_file (workspace_id, source_id, path, sending)
    SELECT ${task.workspace_id}::uuid, ${sourceId}::uuid, e.path, ARRAY[e.hash]
    FROM unnest(${entries.map(({ path }) => path)}::text[], ${entries.map(({ hash }) => hash)}::text[]) AS e (path, hash)
    WHERE ${isTaskHeld(task)}
    ON CONFLICT (workspace_id, source_id, path) DO UPDATE SET sending = source_file.sending || excluded.sending
    RETURNING 1`)
  return rows.length > 0
}

export async function deleteFileState(
  db: Queryable,
  task: Task,
  sourceId: string,
  path: string,
): Promise<void> {
  await db.rows(sql`
    DELETE FROM source_file
    WHERE workspace_id = ${task.workspace_id} AND source_id = ${sourceId}::uuid AND path = ${path} AND ${isTaskHeld(task)}`)
}

/** Deletes the records of files that were being sent, because the results of all of them are known. */
export async function clearSending(tx: Queryable, task: Task, sourceId: string): Promise<void> {
  const condition = sql`workspace_id = ${task.workspace_id} AND source_id = ${sourceId}::uuid AND ${isTaskHeld(task)}`
  await tx.rows(sql`DELETE FROM source_job WHERE ${condition}`)
  await tx.rows(sql`DELETE FROM source_file WHERE ${condition} AND kept IS NULL`)
  await tx.rows(sql`UPDATE source_file SET sending = '{}' WHERE ${condition} AND sending <> '{}'`)
}

export async function insertSourceJob(
  tx: Queryable,
  workspaceId: string,
  sourceId: string,
  jobId: string,
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO source_job (workspace_id, source_id, job_id) VALUES (${workspaceId}, ${sourceId}::uuid, ${jobId})`)
}

export async function selectSourceJobs(
  db: Queryable,
  workspaceId: string,
  sourceId: string,
): Promise<string[]> {
  const rows = await db.rows<{ job_id: string }>(sql`
    SELECT job_id FROM source_job WHERE workspace_id = ${workspaceId} AND source_id = ${sourceId}::uuid ORDER BY job_id`)
  return rows.map(({ job_id }) => job_id)
}

/** Whether the document has other content than `hash`, or will get it when a waiting file of another uploader is read. */
export async function isChangedByOthers(
  tx: Queryable,
  workspaceId: string,
  sourceId: string,
  { id, hash }: { id: string; hash: string },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid AND content_hash <> ${hash}
    UNION ALL
    SELECT 1 FROM job_file f JOIN job ON job.workspace_id = f.workspace_id AND job.id = f.job_id AND job.kind = 'upload'
    WHERE f.workspace_id = ${workspaceId} AND f.document_id = ${id}::uuid AND f.status IN ('queued', 'running')
      AND f.job_id NOT IN (
        SELECT j.job_id FROM source_job j WHERE j.workspace_id = ${workspaceId} AND j.source_id = ${sourceId}::uuid)
    LIMIT 1`)
  return rows.length > 0
}

interface DocumentRow {
  id: string
  path: string
  hash: string
}

/** The documents that the source owns, as they are now. */
export const selectOwned = (db: Queryable, workspaceId: string, sourceId: string): Promise<DocumentRow[]> =>
  db.rows(sql`
    SELECT d.id, d.path, d.content_hash AS hash FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id IN (
      SELECT (f.kept ->> 'document_id')::uuid FROM source_file f
      WHERE f.workspace_id = ${workspaceId} AND f.source_id = ${sourceId}::uuid AND f.kept ->> 'state' <> 'theirs')
    ORDER BY d.path, d.id`)

export async function selectDocument(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<DocumentRow | undefined> {
  const [row] = await db.rows<DocumentRow>(sql`
    SELECT id, path, content_hash AS hash FROM document WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid`)
  return row
}

export async function selectDocumentIds(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`SELECT id FROM document WHERE workspace_id = ${workspaceId}`)
  return rows.map(({ id }) => id)
}

export const selectRefused = (
  db: Queryable,
  workspaceId: string,
  sourceId: string,
  limit: number,
): Promise<{ path: string; reason: string }[]> =>
  db.rows(sql`
    SELECT path, coalesce(kept ->> 'reason', 'could not be read') AS reason FROM source_file
    WHERE workspace_id = ${workspaceId} AND source_id = ${sourceId}::uuid AND kept ->> 'state' = 'refused'
    ORDER BY path LIMIT ${limit}`)
