// Imports as SQL: what callers poll, and what the worker reports. A worker whose import was cancelled finds no row to change.

import sql, { type Sql } from 'sql-template-tag'
import type { WorkspaceImport } from '../contract/archives.ts'
import type { Queryable } from '../ports/db/db.ts'
import { insertTask, type Subject } from '../work/queue.sql.ts'
import type { Prepared, WrittenPart } from './prepare.ts'

/** Of its task. */
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
  counts: Pick<Prepared, 'lines' | 'originals'> | null
  part: WrittenPart | 'originals' | null
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

/** While its archive is received: what has come of it is not swept. */
export const insertReceiving = (
  db: Queryable,
  row: Pick<ImportRow, 'id' | 'account_id' | 'ids' | 'name'>,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO workspace_import (id, account_id, ids, name)
    VALUES (${row.id}, ${row.account_id}, ${row.ids}, ${row.name})`)

/** Its process still runs. `pieces`: what has come so far. False when it was cancelled. In a transaction it cannot be until that ends. */
export async function updateReceiving(
  db: Queryable,
  id: string,
  pieces?: readonly string[],
): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE workspace_import SET received_at = now(), pieces = coalesce(${pieces ? [...pieces] : null}::text[], pieces)
    WHERE id = ${id} AND state = 'receiving' RETURNING 1`)
  return rows.length > 0
}

export const deleteReceiving = (db: Queryable, id: string): Promise<unknown> =>
  db.rows(sql`DELETE FROM workspace_import WHERE id = ${id} AND state = 'receiving'`)

/** The archive has come, and its row is locked: from now on a worker does the rest. */
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

const LISTED = 50

export const selectImports = (db: Queryable, accountId: string): Promise<ImportRow[]> =>
  db.rows(sql`
    SELECT ${columns} FROM workspace_import
    WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC LIMIT ${LISTED}`)

// Of a process that receives an archive, and says so every half a minute.
const RECEIVING_SECONDS = 120

/** Until the transaction ends nobody else counts or adds imports of the account. */
export const lockImports = (tx: Queryable, accountId: string): Promise<unknown> =>
  tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`workspace_import ${accountId}`}, 0))`)

/** How many imports of the account have not ended, without archives whose receiver has ended. */
export async function countOpen(db: Queryable, accountId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM workspace_import WHERE account_id = ${accountId} AND (${isOpen}
      OR state = 'receiving' AND received_at > now() - make_interval(secs => ${RECEIVING_SECONDS}))`)
  return row?.count ?? 0
}

export const cancelOpen = (db: Queryable, id: string, accountId: string): Promise<unknown> =>
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

/** What is not named stays. False when the import was cancelled, or has ended. */
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

/** How far the files of a workspace that is shown already have tasks. */
export const updateQueuedFiles = (db: Queryable, id: string, files: number): Promise<unknown> =>
  db.rows(sql`UPDATE workspace_import SET part_rows = ${files}::int WHERE id = ${id} AND state = 'done'`)

/**
 * Ends an import that was not finished, whoever ended it, and has what it wrote removed: the rows of its workspace, which nobody
 * has seen, go with the purge.
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

/** Whether the id is that of a workspace, or of one whose rows are still being removed. */
export async function isTaken(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.rows(sql`SELECT 1 FROM workspace WHERE id = ${workspaceId}`)
  return rows.length > 0
}

/** Whether the person may import a workspace under its own id; without an id, under any. */
export async function mayKeepIds(db: Queryable, accountId: string, workspaceId?: string): Promise<boolean> {
  const rows = await db.rows(sql`
    SELECT 1 FROM account WHERE id = ${accountId} AND admin
    UNION ALL SELECT 1 FROM former_workspace
      WHERE ${accountId}::uuid = ANY (owners) AND id = coalesce(${workspaceId ?? null}::uuid, id)
    LIMIT 1`)
  return rows.length > 0
}

/** Whether the person may still make workspaces; until the transaction ends nobody takes that away. */
export async function lockActiveAccount(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM account WHERE id = ${accountId} AND status = 'active' FOR SHARE`)
  return rows.length > 0
}

/** A workspace that nobody sees, as one that was deleted, until everything is in it. */
export const insertHiddenWorkspace = (
  tx: Queryable,
  workspace: { id: string; name: string; description: string; createdAt: string; createdBy: string },
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO workspace (id, name, description, created_by, created_at, deleted_at)
    VALUES (${workspace.id}, ${workspace.name}, ${workspace.description}, ${workspace.createdBy},
      ${workspace.createdAt}::timestamptz, now())`)

/** From now on it is there, and its importer owns it. */
export async function showWorkspace(tx: Queryable, workspaceId: string, owner: string): Promise<void> {
  await tx.rows(sql`UPDATE workspace SET deleted_at = NULL, updated_at = now() WHERE id = ${workspaceId}`)
  await tx.rows(sql`DELETE FROM former_workspace WHERE id = ${workspaceId}`)
  await tx.rows(sql`
    INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${owner}, 'owner')`)
}

const taskOf = (id: Sql): Sql => sql`
  SELECT 1 FROM task t WHERE t.kind = 'import' AND t.subject ->> 'import_id' = ${id}::text`

/** Imports that ended long ago, and those whose archive never came whole. */
export const deleteOldImports = (db: Queryable): Promise<unknown> =>
  db.rows(sql`
    DELETE FROM workspace_import
    WHERE finished_at < now() - interval '30 days' AND NOT EXISTS (${taskOf(sql`workspace_import.id`)})
      OR state = 'receiving' AND received_at < now() - interval '1 hour'`)

/** Those of the ids whose import has not ended, or still has a task. */
export async function selectUnfinished(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT i.id FROM unnest(${[...ids]}::uuid[]) AS i (id) WHERE EXISTS (${taskOf(sql`i.id`)})`)
  return new Set(rows.map(({ id }) => id))
}
