// Workspaces, selected as the API returns them (spec, "Workspace").

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Workspace } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertTask } from '../work/queue.sql.ts'

/** Position in a list, exact to the microsecond; the API returns milliseconds. */
export interface Position {
  at: string
  id: string
}

const instant = (column: Sql): Sql =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

// A workspace is ready when everything uploaded is fully indexed: no file is waiting for search, for the graph or for its
// vectors (a version has them once its terms are counted and a round of embedding has passed over the workspace since).
// Reindexing does not count, since the document stays searchable. Each condition is an index lookup of pending work, and
// publishing leaves no gap between them (docs/decisions/0009-jobs.md).
const ready = sql`
  NOT EXISTS (
    SELECT 1 FROM job_file f JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
    WHERE f.workspace_id = w.id AND f.status IN ('queued', 'running') AND j.kind <> 'reindex')
  AND NOT EXISTS (
    SELECT 1 FROM task t WHERE t.workspace_id = w.id AND t.kind = 'graph' AND t.subject ->> 'awaited' IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM version v WHERE v.workspace_id = w.id AND v.state = 'live' AND v.vectors <> 'made'
      AND v.vectors = 'awaited' AND NOT (v.settled AND model_is_away(w.id)))`

const fields = sql`
  w.id, w.name, w.description, ${ready} AS ready,
  (SELECT count(*)::int FROM document d WHERE d.workspace_id = w.id) AS document_count,
  ${instant(sql`w.created_at`)} AS created_at, ${instant(sql`w.updated_at`)} AS updated_at`

/** Workspaces in which the user has a role, only those in `among` if given; by creation, then id. */
export const selectWorkspaces = (
  db: Queryable,
  userId: string,
  page: { among: readonly string[] | undefined; after: Position | undefined; limit: number },
): Promise<(Workspace & { position: string })[]> =>
  db.rows(sql`
    SELECT ${fields}, w.created_at::text AS position
    FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${userId} AND w.deleted_at IS NULL
      ${page.among ? sql`AND w.id = ANY(${[...page.among]}::uuid[])` : empty}
      ${page.after ? sql`AND (w.created_at, w.id) > (${page.after.at}::timestamptz, ${page.after.id}::uuid)` : empty}
    ORDER BY w.created_at, w.id LIMIT ${page.limit}`)

export async function selectWorkspace(db: Queryable, id: string): Promise<Workspace | undefined> {
  const [row] = await db.rows<Workspace>(sql`
    SELECT ${fields} FROM workspace w WHERE w.id = ${id} AND w.deleted_at IS NULL`)
  return row
}

/** Inserts the workspace with its creator as owner. */
export async function insertWorkspace(
  tx: Queryable,
  workspace: { id: string; name: string; description: string; createdBy: string },
): Promise<void> {
  const { id, name, description, createdBy } = workspace
  await tx.rows(sql`
    INSERT INTO workspace (id, name, description, created_by)
    VALUES (${id}, ${name}, ${description}, ${createdBy})`)
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${createdBy}, 'owner')`)
}

/** Undefined fields are not changed. */
export async function updateWorkspaceRow(
  db: Queryable,
  id: string,
  change: { name?: string | undefined; description?: string | undefined },
): Promise<void> {
  await db.rows(sql`
    UPDATE workspace SET
      name = coalesce(${change.name ?? null}::text, name),
      description = coalesce(${change.description ?? null}::text, description),
      updated_at = now()
    WHERE id = ${id} AND deleted_at IS NULL`)
}

/** False if it is already marked: of several concurrent deletes the row lock lets one through. */
export async function markDeleted(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE workspace SET deleted_at = now(), updated_at = now()
    WHERE id = ${id} AND deleted_at IS NULL RETURNING id`)
  return rows.length > 0
}

/** Removes all members, stops ingestion (without its task row a worker cannot publish) and queues the purge. */
export async function detachWorkspace(tx: Queryable, id: string): Promise<void> {
  await tx.rows(sql`DELETE FROM member WHERE workspace_id = ${id}`)
  await tx.rows(sql`DELETE FROM task WHERE workspace_id = ${id}`)
  await tx.rows(sql`
    UPDATE job_file SET status = 'failed', stage = 'failed', error = 'The upload was cancelled.', finished_at = now()
    WHERE workspace_id = ${id} AND status IN ('queued', 'running')`)
  await insertTask(tx, { workspaceId: id, kind: 'purge', priority: 'background', subject: {} })
}
