// How fast files of each kind were read lately, and what stands in line before a job: what its time left is made of.

import sql from 'sql-template-tag'
import type { Queryable } from '../../ports/db/db.ts'
import type { Pace } from './progress.ts'

// Per kind; the pace of a machine and of its files changes.
const LAST_FILES = 30

/** The job's workspace and the kinds of its files decide; on a busy queue it reads a row a file in line. */
export async function selectPace(db: Queryable, workspaceId: string, jobId: string): Promise<Pace> {
  const line = await db.rows<{ kind: string; bytes: number; before: boolean }>(sql`
    SELECT f.kind, sum(f.size) AS bytes, f.job_id <> ${jobId} AS before
    FROM job_file f
    JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
    JOIN job mine ON mine.workspace_id = f.workspace_id AND mine.id = ${jobId}
    WHERE f.workspace_id = ${workspaceId} AND f.status IN ('queued', 'running')
      AND (j.created_at, j.id) <= (mine.created_at, mine.id)
    GROUP BY 1, 3`)
  const kinds = [...new Set(line.map(({ kind }) => kind))]
  const rates = await db.rows<{ kind: string; seconds_per_byte: number }>(sql`
    SELECT k.kind, last.seconds_per_byte
    FROM unnest(${kinds}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT sum(extract(epoch FROM f.finished_at - f.started_at))::float8 / sum(greatest(f.size, 1))::float8
        AS seconds_per_byte
      FROM (
        SELECT started_at, finished_at, size FROM job_file
        WHERE kind = k.kind AND status = 'done' AND started_at IS NOT NULL
        ORDER BY finished_at DESC LIMIT ${LAST_FILES}) f
    ) last WHERE last.seconds_per_byte IS NOT NULL`)
  const [held] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM task
    WHERE workspace_id = ${workspaceId} AND kind = 'ingest' AND lease_until IS NOT NULL AND lease_until > now()`)
  return {
    secondsPerByte: Object.fromEntries(rates.map((row) => [row.kind, row.seconds_per_byte])),
    ahead: Object.fromEntries(line.filter(({ before }) => before).map((row) => [row.kind, row.bytes])),
    atWork: held?.count ?? 0,
  }
}
