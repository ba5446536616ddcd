// The statements about workspaces, with the fields that the API returns (spec, "Workspace").

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Workspace } from '../contract/resources.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertTask, UNAVAILABLE_AFTER } from '../work/queue.sql.ts'

/**
 * Where a page of the list ends: creation time and id of its last workspace. The time has microseconds, because milliseconds would
 * not be exact enough to continue.
 */
export interface Position {
  at: string
  id: string
}

const isoTime = (column: Sql): Sql =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const columns = sql`
  w.id, w.name, w.description, ${isoTime(sql`w.created_at`)} AS created_at, ${isoTime(sql`w.updated_at`)} AS updated_at`

type WorkspaceRow = Omit<Workspace, 'ready' | 'document_count'>

/** Workspaces in which the user has a role, by creation, then id. If `page.workspaceIds` is given, only these. */
export async function selectWorkspaces(
  db: Queryable,
  userId: string,
  page: { workspaceIds: readonly string[] | undefined; after: Position | undefined; limit: number },
): Promise<(Workspace & { position: string })[]> {
  const rows = await db.rows<WorkspaceRow & { position: string }>(sql`
    SELECT ${columns}, w.created_at::text AS position
    FROM workspace w JOIN member m ON m.workspace_id = w.id
    WHERE m.account_id = ${userId} AND w.deleted_at IS NULL
      ${page.workspaceIds ? sql`AND w.id = ANY(${[...page.workspaceIds]}::uuid[])` : empty}
      ${page.after ? sql`AND (w.created_at, w.id) > (${page.after.at}::timestamptz, ${page.after.id}::uuid)` : empty}
    ORDER BY w.created_at, w.id LIMIT ${page.limit}`)
  return withReadiness(db, rows)
}

export async function selectWorkspace(db: Queryable, id: string): Promise<Workspace | undefined> {
  const rows = await db.rows<WorkspaceRow>(sql`
    SELECT ${columns} FROM workspace w WHERE w.id = ${id} AND w.deleted_at IS NULL`)
  const [workspace] = await withReadiness(db, rows)
  return workspace
}

interface PendingWork {
  id: string
  document_count: number
  /** Whether a file is waiting to be read. */
  has_unread_file: boolean
  /** Whether the terms of a version are not counted yet. */
  has_uncounted_version: boolean
  /** Whether a version whose terms are counted waits for its vectors. */
  has_unembedded_version: boolean
}

/**
 * Adds to each workspace whether it is ready: everything uploaded is searchable, in the graph and has its vectors. Vectors are not
 * waited for while their model is unavailable. (A version has vectors once its terms are counted and a later round of embedding is
 * complete.) Reindexing does not count, since the document stays searchable. Each condition is an index lookup of pending work.
 * Files are looked up before tasks, since the transaction that ends a file queues the task for its graph: in the other order, a
 * workspace could seem ready in between (docs/decisions/0009-jobs.md).
 */
async function withReadiness<Row extends WorkspaceRow>(
  db: Queryable,
  rows: Row[],
): Promise<(Row & Pick<Workspace, 'ready' | 'document_count'>)[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const isOneOf = (column: Sql): Sql =>
    ids.length === 1 ? sql`${column} = ${ids[0]}::uuid` : sql`${column} = ANY (${ids}::uuid[])`
  const states = await db.rows<PendingWork>(sql`
    SELECT s.id, sum(s.documents)::int AS document_count, bool_or(s.unread) AS has_unread_file,
      bool_or(s.uncounted) AS has_uncounted_version, bool_or(s.unembedded) AS has_unembedded_version
    FROM (
      SELECT d.workspace_id AS id, count(*) AS documents, false AS unread, false AS uncounted, false AS unembedded
      FROM document d WHERE ${isOneOf(sql`d.workspace_id`)} GROUP BY d.workspace_id
      UNION ALL
      SELECT f.workspace_id, 0, true, false, false
      FROM job_file f JOIN job j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
      WHERE ${isOneOf(sql`f.workspace_id`)} AND f.status IN ('queued', 'running') AND j.kind <> 'reindex'
      UNION ALL
      SELECT v.workspace_id, 0, false, NOT v.settled, v.settled
      FROM version v
      WHERE ${isOneOf(sql`v.workspace_id`)} AND v.state = 'live' AND v.vectors <> 'made' AND v.vectors = 'awaited'
    ) s GROUP BY s.id`)
  // The field `awaited` is only ever set to false: such a task does not delay `ready`.
  const pendingTasks = await db.rows<{
    id: string
    has_graph_task: boolean
    is_embedder_unavailable: boolean
  }>(sql`
    SELECT t.workspace_id AS id, bool_or(t.kind = 'graph') AS has_graph_task,
      bool_or(t.kind = 'embed') AS is_embedder_unavailable
    FROM task t
    WHERE t.workspace_id = ANY (${ids}::uuid[]) AND (
      t.kind = 'graph' AND t.subject ->> 'awaited' IS NULL OR t.kind = 'embed' AND t.failures >= ${UNAVAILABLE_AFTER}::int)
    GROUP BY t.workspace_id`)
  const workByWorkspace = new Map(states.map((state) => [state.id, state]))
  const tasksByWorkspace = new Map(pendingTasks.map((task) => [task.id, task]))
  return rows.map((row) => {
    const state = workByWorkspace.get(row.id)
    const task = tasksByWorkspace.get(row.id)
    const isEmbedded = !state?.has_unembedded_version || task?.is_embedder_unavailable === true
    const isSearchable = !state?.has_unread_file && !state?.has_uncounted_version
    const isInGraph = !task?.has_graph_task
    return {
      ...row,
      ready: isSearchable && isInGraph && isEmbedded,
      document_count: state?.document_count ?? 0,
    }
  })
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

/**
 * Returns false if the workspace is already marked as deleted. The row lock lets only one of several concurrent calls return true.
 */
export async function markDeleted(tx: Queryable, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    UPDATE workspace SET deleted_at = now(), updated_at = now()
    WHERE id = ${id} AND deleted_at IS NULL RETURNING id`)
  return rows.length > 0
}

/** Removes all members of a deleted workspace, stops its ingestion and queues its purge. */
export async function removeMembersAndQueuePurge(tx: Queryable, id: string): Promise<void> {
  const members = await tx.rows<{ account_id: string; role: string }>(sql`
    DELETE FROM member WHERE workspace_id = ${id} RETURNING account_id, role`)
  const owners = members.filter(({ role }) => role === 'owner').map(({ account_id: accountId }) => accountId)
  await queuePurge(tx, id, owners)
}

/**
 * Deletes all tasks of a deleted workspace, marks its waiting files as failed, and queues its purge. `owners` are stored with the
 * purge, so that they may import the workspace again under its id. A worker that is still ingesting cannot publish, because the row
 * of its task is deleted.
 */
export async function queuePurge(tx: Queryable, id: string, owners: readonly string[]): Promise<void> {
  await tx.rows(sql`DELETE FROM task WHERE workspace_id = ${id}`)
  await tx.rows(sql`
    UPDATE job_file SET status = 'failed', stage = 'failed', error = 'The upload was cancelled.', finished_at = now()
    WHERE workspace_id = ${id} AND status IN ('queued', 'running')`)
  await insertTask(tx, { workspaceId: id, kind: 'purge', priority: 'background', subject: { owners } })
}
