// The statements about the storage and the questions of a workspace, or of the whole installation. They count documents and entries
// of the activity log, so that nothing has to be stored only for usage. Days and months are those of UTC.

import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Period, UsageTotals } from '../contract/usage.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

const inWorkspace = (column: string, workspaceId: string | undefined) =>
  workspaceId === undefined ? empty : sql`AND ${raw(column)} = ${workspaceId}::uuid`

/** The numbers of questions and files in each of the last `count` days or months, including the current one. */
export const selectPeriods = (
  db: Queryable,
  workspaceId: string | undefined,
  unit: 'day' | 'month',
  count: number,
): Promise<Period[]> =>
  db.rows(sql`
    WITH period AS (
      SELECT generate_series(
        date_trunc(${unit}, now() AT TIME ZONE 'UTC') - make_interval(${raw(`${unit}s`)} => ${count - 1}),
        date_trunc(${unit}, now() AT TIME ZONE 'UTC'), make_interval(${raw(`${unit}s`)} => 1)) AS start
    ), act AS (
      SELECT date_trunc(${unit}, v.at AT TIME ZONE 'UTC') AS start, v.action, (v.detail ->> 'files')::int AS files
      FROM activity v
      WHERE v.action IN ('question_asked', 'files_uploaded') AND v.at >= (SELECT min(start) FROM period) AT TIME ZONE 'UTC'
        ${inWorkspace('v.workspace_id', workspaceId)}
    )
    SELECT to_char(p.start, ${unit === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'}) AS period,
      count(*) FILTER (WHERE a.action = 'question_asked')::int AS questions,
      coalesce(sum(a.files) FILTER (WHERE a.action = 'files_uploaded'), 0)::int AS files
    FROM period p LEFT JOIN act a ON a.start = p.start
    GROUP BY p.start ORDER BY p.start`)

/** A file that several workspaces or documents contain is stored once, and counts once in `storage_bytes`. */
export async function selectTotals(db: Queryable, workspaceId: string | undefined): Promise<UsageTotals> {
  const inScope = workspaceId === undefined ? acrossWorkspaces : (statement: Sql): Sql => statement
  const existingWorkspaces = sql`
    (SELECT w.id FROM workspace w WHERE w.deleted_at IS NULL ${inWorkspace('w.id', workspaceId)})`
  const [totals] = await db.rows<Pick<UsageTotals, 'documents'>>(
    inScope(sql`
      SELECT count(*)::int AS documents FROM document d
      WHERE d.workspace_id IN ${existingWorkspaces} ${inWorkspace('d.workspace_id', workspaceId)}`),
  )
  const [storage] = await db.rows<Pick<UsageTotals, 'storage_bytes'>>(
    inScope(sql`
      SELECT coalesce(sum(kept.size), 0)::float8 AS storage_bytes FROM (
        SELECT max(v.size) AS size FROM document_version v
        WHERE v.workspace_id IN ${existingWorkspaces} ${inWorkspace('v.workspace_id', workspaceId)} GROUP BY v.content_hash) kept`),
  )
  const [tokenUsage] = await db.rows<Pick<UsageTotals, 'model_tokens' | 'question_tokens'>>(sql`
    SELECT
      (SELECT coalesce(sum(s.tokens), 0) FROM graph_spending s
        WHERE true ${inWorkspace('s.workspace_id', workspaceId)})::float8 AS model_tokens,
      (SELECT coalesce(sum(s.tokens), 0) FROM question_spending s
        WHERE true ${inWorkspace('s.workspace_id', workspaceId)})::float8 AS question_tokens`)
  if (!totals || !storage || !tokenUsage) throw new Error('SELECT of the totals returned no row')
  return { ...totals, ...storage, ...tokenUsage }
}

export async function countAll(db: Queryable): Promise<{ accounts: number; workspaces: number }> {
  const [row] = await db.rows<{ accounts: number; workspaces: number }>(sql`
    SELECT (SELECT count(*) FROM account WHERE status = 'active')::int AS accounts,
      (SELECT count(*) FROM workspace WHERE deleted_at IS NULL)::int AS workspaces`)
  return row ?? { accounts: 0, workspaces: 0 }
}

/** The workspaces whose usage the account may see. */
export async function selectOwned(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT w.id FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${accountId} AND m.role = 'owner' AND w.deleted_at IS NULL`)
  return rows.map(({ id }) => id)
}
