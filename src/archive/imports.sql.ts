// The statements about imports. After an import was cancelled, the statements of the worker change no row.

import sql, { type Sql } from 'sql-template-tag'
import type { WorkspaceImport } from '../contract/archives.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertTask, type Subject } from '../work/queue.sql.ts'
import type { PreparedArchive, RowPart } from './prepare.ts'

/** The subject of an import task. */
export interface ImportSubject extends Subject {
  import_id: string
}

export interface ImportRow {
  id: string
  account_id: string
  pieces: string[]
  ids: 'keep' | 'new'
  name: string | null
  state: WorkspaceImport['status']
  progress: number
  target_id: string | null
  has_workspace: boolean
  job_id: string | null
  counts: Pick<PreparedArchive, 'lines' | 'originals'> | null
  part: RowPart | 'originals' | null
  part_rows: number
  notes: string[]
  /** The sources of the archive that are imported, by their numbers. */
  allowed_sources: number[]
  error_type: NonNullable<WorkspaceImport['error']>['type'] | null
  error: string | null
  created_at: Date
  finished_at: Date | null
}

const columns = sql`id, account_id, pieces, ids, name, state, progress, target_id, has_workspace, job_id, counts, part, part_rows,
  notes, allowed_sources, error_type, error, created_at, finished_at`

const isOpen = sql`state IN ('queued', 'checking', 'writing')`

/** Inserts an import whose archive is being received. Its blobs are not removed while the row exists. */
export const insertReceivingImport = (
  db: Queryable,
  row: Pick<ImportRow, 'id' | 'account_id' | 'ids' | 'name'>,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO workspace_import (id, account_id, ids, name)
    VALUES (${row.id}, ${row.account_id}, ${row.ids}, ${row.name})`)

/**
 * Records that the archive is still being received, and its pieces so far. The import cannot be cancelled until the transaction
 * ends.
 * @returns false if the import was cancelled
 */
export async function touchReceiving(
  db: Queryable,
  id: string,
  pieces?: readonly string[],
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE workspace_import SET received_at = now(), pieces = coalesce(${pieces ? [...pieces] : null}::text[], pieces)
    WHERE id = ${id} AND state = 'receiving' RETURNING 1`)
  return rows.length > 0
}

export const deleteReceivingImport = (db: Queryable, id: string): Promise<unknown> =>
  db.rows(sql`DELETE FROM workspace_import WHERE id = ${id} AND state = 'receiving'`)

/** Queues the import for a worker, after its archive has been received. The row must be locked. */
export async function queueImport(
  tx: Queryable,
  row: Pick<ImportRow, 'id' | 'account_id' | 'pieces' | 'target_id'>,
): Promise<void> {
  await tx.rows(sql`
    UPDATE workspace_import SET state = 'queued', pieces = ${row.pieces}, target_id = ${row.target_id} WHERE id = ${row.id}`)
  const subject: ImportSubject = { import_id: row.id }
  await insertTask(tx, { workspaceId: row.account_id, kind: 'import', priority: 'networkBound', subject })
}

export async function selectImport(db: Queryable, id: string): Promise<ImportRow | undefined> {
  const [row] = await db.rows<ImportRow>(sql`SELECT ${columns} FROM workspace_import WHERE id = ${id}`)
  return row
}

export async function selectOwnImport(
  db: Queryable,
  id: string,
  accountId: string,
): Promise<ImportRow | undefined> {
  const [row] = await db.rows<ImportRow>(sql`
    SELECT ${columns} FROM workspace_import WHERE id = ${id} AND account_id = ${accountId}`)
  return row
}

const MAX_LISTED_IMPORTS = 50

export const selectImports = (db: Queryable, accountId: string): Promise<ImportRow[]> =>
  db.rows(sql`
    SELECT ${columns} FROM workspace_import
    WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED_IMPORTS}`)

// A process that receives an archive is regarded as ended after this time without a report.
const MAX_REPORT_AGE_SECONDS = 120

/** Until the transaction ends, no other transaction can count or add imports of the account. */
export const lockImports = (tx: Queryable, accountId: string): Promise<unknown> =>
  tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`workspace_import ${accountId}`}, 0))`)

/** How many imports of the account have not ended. Archives whose receiving process has ended are not counted. */
export async function countOpenImports(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM workspace_import WHERE account_id = ${accountId} AND (${isOpen}
      OR state = 'receiving' AND received_at > now() - make_interval(secs => ${MAX_REPORT_AGE_SECONDS}))`)
  return row?.count ?? 0
}

export const cancelOpenImport = (db: Queryable, id: string, accountId: string): Promise<unknown> =>
  db.rows(sql`
    UPDATE workspace_import SET state = 'cancelled', finished_at = now()
    WHERE id = ${id} AND account_id = ${accountId} AND (${isOpen} OR state = 'receiving')`)

export type ImportChange = Partial<
  Pick<
    ImportRow,
    | 'progress'
    | 'target_id'
    | 'has_workspace'
    | 'job_id'
    | 'counts'
    | 'part'
    | 'part_rows'
    | 'notes'
    | 'allowed_sources'
  >
> & { state?: 'checking' | 'writing' | 'done' }

/** Changes the given fields. Returns false if the import was cancelled or has ended. */
export async function updateImport(db: Queryable, id: string, change: ImportChange): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE workspace_import SET
      state = coalesce(${change.state ?? null}::text, state),
      progress = greatest(progress, ${change.progress ?? 0}::real),
      target_id = coalesce(${change.target_id ?? null}::uuid, target_id),
      has_workspace = coalesce(${change.has_workspace ?? null}::boolean, has_workspace),
      job_id = coalesce(${change.job_id ?? null}::text, job_id),
      counts = coalesce(${change.counts ? JSON.stringify(change.counts) : null}::jsonb, counts),
      part = coalesce(${change.part ?? null}::text, part),
      part_rows = coalesce(${change.part_rows ?? null}::int, part_rows),
      notes = coalesce(${change.notes ?? null}::text[], notes),
      allowed_sources = coalesce(${change.allowed_sources ?? null}::integer[], allowed_sources),
      finished_at = CASE WHEN ${change.state === 'done'} THEN now() END
    WHERE id = ${id} AND ${isOpen} RETURNING 1`)
  return rows.length > 0
}

/** Records how many files of the published workspace have a task. */
export const updateQueuedFiles = (db: Queryable, id: string, files: number): Promise<unknown> =>
  db.rows(sql`UPDATE workspace_import SET part_rows = ${files}::int WHERE id = ${id} AND state = 'done'`)

/**
 * Ends an import that failed or was cancelled. A purge of its workspace removes the rows that it wrote, which were never visible.
 */
export async function abandonImport(
  tx: Queryable,
  id: string,
  failure?: NonNullable<WorkspaceImport['error']>,
): Promise<void> {
  if (failure)
    await tx.rows(sql`
      UPDATE workspace_import SET state = 'failed', finished_at = now(), error_type = ${failure.type}, error = ${failure.message}
      WHERE id = ${id} AND ${isOpen}`)
  const [row] = await tx.rows<{ target_id: string }>(sql`
    UPDATE workspace_import SET has_workspace = false
    WHERE id = ${id} AND has_workspace AND state IN ('failed', 'cancelled') RETURNING target_id`)
  if (row)
    await insertTask(tx, { workspaceId: row.target_id, kind: 'purge', priority: 'background', subject: {} })
}

/** Whether a workspace has the id. A deleted workspace counts until its rows are removed. */
export async function workspaceExists(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.rows(sql`SELECT 1 FROM workspace WHERE id = ${workspaceId}`)
  return rows.length > 0
}

/**
 * Whether the person may import this workspace under its own id. Without `workspaceId`: whether this is allowed for any workspace.
 */
export async function mayKeepIds(db: Queryable, accountId: string, workspaceId?: string): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM account WHERE id = ${accountId} AND admin
    UNION ALL SELECT 1 FROM former_workspace
      WHERE ${accountId}::uuid = ANY (owners) AND id = coalesce(${workspaceId ?? null}::uuid, id)
    LIMIT 1`)
  return rows.length > 0
}

/** Whether the account is active. Locks its row, so that it stays active until the transaction ends. */
export async function lockActiveAccount(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM account WHERE id = ${accountId} AND status = 'active' FOR SHARE`)
  return rows.length > 0
}

/** Inserts a workspace that is marked as deleted, so that it is invisible until it is complete. */
export const insertHiddenWorkspace = (
  tx: Queryable,
  workspace: { id: string; name: string; description: string; createdAt: string; createdBy: string },
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO workspace (id, name, description, created_by, created_at, deleted_at)
    VALUES (${workspace.id}, ${workspace.name}, ${workspace.description}, ${workspace.createdBy},
      ${workspace.createdAt}::timestamptz, now())`)

/** Makes the workspace visible, with the importer as its owner. */
export async function showWorkspace(tx: Queryable, workspaceId: string, owner: string): Promise<void> {
  await tx.rows(sql`UPDATE workspace SET deleted_at = NULL, updated_at = now() WHERE id = ${workspaceId}`)
  await tx.rows(sql`DELETE FROM former_workspace WHERE id = ${workspaceId}`)
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${owner}, 'owner')`)
}

const taskOf = (id: Sql): Sql => sql`
  SELECT 1 FROM task t WHERE t.kind = 'import' AND t.subject ->> 'import_id' = ${id}::text`

/** Deletes imports that ended long ago, and those whose archive was not received completely. */
export const deleteOldImports = (db: Queryable): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM workspace_import
    WHERE finished_at < now() - interval '30 days' AND NOT EXISTS (${taskOf(sql`workspace_import.id`)})
      OR state = 'receiving' AND received_at < now() - interval '1 hour'`)

/** The ids among `ids` whose import still has a task. */
export async function selectUnfinished(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT i.id FROM unnest(${[...ids]}::uuid[]) AS i (id) WHERE EXISTS (${taskOf(sql`i.id`)})`)
  return new Set(rows.map(({ id }) => id))
}
