// The statements about the progress of a job: which files changed, which files are searchable but not complete
// (docs/decisions/0009-jobs.md, "Ready"), and how fast files are read.

import sql, { type Sql } from 'sql-template-tag'
import { waitsForGraph } from '../graph/task.sql.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { isNodeAway } from '../ports/db/db-errors.ts'
import { isFailing } from '../work/queue.sql.ts'
import { type FileRow, fileRow } from './jobs.sql.ts'
import { type Measured, type Pace, paceOf, type QueueTotals } from './progress.ts'

/** The job's files that are running or ended within the last `seconds`. UNION ALL, so that each half uses its own small index. */
export const selectMoving = (
  db: Queryable,
  workspaceId: string,
  jobId: string,
  seconds: number,
): Promise<FileRow[]> =>
  db.rows(sql`
    SELECT ${fileRow} FROM job_file
    WHERE workspace_id = ${workspaceId} AND job_id = ${jobId} AND status = 'running'
    UNION ALL
    SELECT ${fileRow} FROM job_file
    WHERE workspace_id = ${workspaceId} AND job_id = ${jobId}
      AND finished_at >= now() - make_interval(secs => ${seconds})`)

/**
 * The condition that a live version (a row of `version`) is searchable but not complete: not folded, not in the graph, or not
 * embedded. If embedding fails, a folded version counts as complete, because searches then use words alone.
 */
export const isIncomplete = (workspaceId: string, version: Sql): Sql => sql`(
  ${version}.vectors <> 'made' AND NOT (${version}.settled AND ${isFailing(workspaceId, 'embed')})
  OR ${waitsForGraph(workspaceId, sql`${version}.document_id`)})`

/** The numbers of the job's files that are searchable but not complete. */
export async function selectIncomplete(
  db: Queryable,
  workspaceId: string,
  jobId: string,
): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ file_no: number }>(sql`
    SELECT f.file_no FROM job_file f
    JOIN version v ON v.workspace_id = f.workspace_id AND v.id = f.version_id AND v.state = 'live'
    WHERE f.workspace_id = ${workspaceId} AND f.job_id = ${jobId} AND f.status = 'done'
      AND ${isIncomplete(workspaceId, sql`v`)}`)
  return new Set(rows.map((row) => row.file_no))
}

// The number of latest files of each kind that are measured.
const MAX_MEASURED_FILES = 30

/** How fast files of each kind were read recently, and which files are queued before the job. Reads a row for each queued file. */
export async function selectPace(db: Queryable, workspaceId: string, jobId: string): Promise<Pace> {
  const queueRows = await db.rows<{ kind: string; before: boolean } & QueueTotals>(sql`
    SELECT f.kind, f.job_id <> ${jobId} AS before, sum(f.size)::float8 AS bytes, count(*)::int AS files,
      max(f.size)::float8 AS largest
    FROM job_file f
    JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
    JOIN job mine ON mine.workspace_id = f.workspace_id AND mine.id = ${jobId}
    WHERE f.workspace_id = ${workspaceId} AND f.status IN ('queued', 'running')
      AND (j.created_at, j.id) <= (mine.created_at, mine.id)
    GROUP BY 1, 2`)
  const kinds = [...new Set(queueRows.map(({ kind }) => kind))]
  const measuredKinds = await selectMeasured(db, workspaceId, kinds)
  const [total] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM task
    WHERE workspace_id = ${workspaceId} AND kind = 'ingest' AND lease_until IS NOT NULL AND lease_until > now()`)
  return {
    kinds: Object.fromEntries(measuredKinds.map(({ kind, ...row }) => [kind, paceOf(row)])),
    filesBefore: Object.fromEntries(
      queueRows.filter(({ before }) => before).map(({ kind, ...row }) => [kind, row]),
    ),
    running: total?.count ?? 0,
  }
}

const doneFiles = sql`
  SELECT extract(epoch FROM finished_at - started_at)::float8 AS seconds, greatest(size, 1)::float8 AS bytes
  FROM job_file WHERE status = 'done' AND started_at IS NOT NULL`
const paceColumns = sql`
  sum(seconds) / sum(bytes) AS mean, regr_slope(seconds, bytes) AS slope, regr_intercept(seconds, bytes) AS intercept,
  max(bytes) AS largest`

/**
 * Measures the files of the workspace. For kinds that the workspace has not read yet, files of other workspaces are measured. If
 * these are on a node that is down, there is no estimate for the kind.
 */
async function selectMeasured(
  db: Queryable,
  workspaceId: string,
  kinds: readonly string[],
): Promise<({ kind: string } & Measured)[]> {
  const ownRows = await db.rows<{ kind: string } & Measured>(sql`
    SELECT k.kind, last.* FROM unnest(${[...kinds]}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT ${paceColumns} FROM (
        ${doneFiles} AND workspace_id = ${workspaceId} AND kind = k.kind ORDER BY finished_at DESC LIMIT ${MAX_MEASURED_FILES}) f
    ) last WHERE last.mean IS NOT NULL`)
  const rowsOfOthers: ({ kind: string } & Measured)[] = []
  for (const kind of kinds.filter((name) => !ownRows.some((row) => row.kind === name))) {
    const [row] = await db
      .rows<Measured & { mean: number | null }>(
        acrossWorkspaces(sql`
        SELECT ${paceColumns} FROM (${doneFiles} AND kind = ${kind} ORDER BY finished_at DESC LIMIT ${MAX_MEASURED_FILES}) f`),
      )
      .catch(nothingIfNodeAway)
    if (row && row.mean !== null) rowsOfOthers.push({ ...row, kind })
  }
  return [...ownRows, ...rowsOfOthers]
}

function nothingIfNodeAway(error: unknown): [] {
  if (isNodeAway(error)) return []
  throw error
}
