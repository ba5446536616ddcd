// The rows of an archive as rows of its new workspace. Whose they are is said by the import, never by the archive.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queryable } from '../ports/db/db.ts'

/** False when the id is taken: by a workspace, or by one that is still being removed. */
export async function isFree(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.rows(sql`SELECT 1 FROM workspace WHERE id = ${workspaceId}`)
  return rows.length === 0
}

/** True when the id is taken. Row-level security hides from a request that it is. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { code?: unknown }).code === '23505' &&
  (error as { constraint?: unknown }).constraint === 'workspace_pkey'

export const updateFounding = (tx: Queryable, workspaceId: string, createdAt: string): Promise<unknown> =>
  tx.rows(sql`UPDATE workspace SET created_at = ${createdAt}::timestamptz WHERE id = ${workspaceId}`)

export interface DocumentRow {
  id: string
  path: string
  uploaded_as: string | null
  title: string
  title_key: string
  kind: string
  sha256: string
  uploaded_at: string
  created_at: string
}

/** Each with a version that has nothing in it, until its original has been read. */
export async function insertDocuments(
  tx: Queryable,
  workspaceId: string,
  rows: readonly DocumentRow[],
): Promise<void> {
  const withVersions = JSON.stringify(rows.map((row) => ({ ...row, version_id: randomUUID() })))
  await tx.rows(sql`
    INSERT INTO version (workspace_id, id, document_id, state, settled)
    SELECT ${workspaceId}::uuid, version_id, id, 'live', true
    FROM jsonb_to_recordset(${withVersions}::jsonb) AS r (id uuid, version_id uuid)`)
  await tx.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, uploaded_as, title, title_key, provider, kind, content_hash,
      language, chunk_count, has_tables, uploaded_at, created_at)
    SELECT ${workspaceId}::uuid, id, version_id, path, uploaded_as, title, title_key, 'upload', kind, sha256, 'xx', 0, false,
      uploaded_at, created_at
    FROM jsonb_to_recordset(${withVersions}::jsonb) AS r (id uuid, version_id uuid, path text, uploaded_as text, title text,
      title_key text, kind text, sha256 text, uploaded_at timestamptz, created_at timestamptz)`)
}

/** @param importer whoever else uploaded a version is nobody that this service knows */
export const insertVersions = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
  importer: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, uploaded_by,
      forced, replaced_at)
    SELECT ${workspaceId}::uuid, document_id, sha256, filename, kind, bytes, uploaded_at,
      CASE WHEN uploaded_by = ${importer}::uuid THEN uploaded_by END, forced, replaced_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (document_id uuid, sha256 text, filename text, kind text,
      bytes bigint, uploaded_at timestamptz, uploaded_by uuid, forced boolean, replaced_at timestamptz)`)

export const insertScopes = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
): Promise<unknown> => {
  const text = JSON.stringify(rows)
  return tx.rows(sql`
    WITH scopes AS (
      INSERT INTO scope (workspace_id, name, description, folders, created_at, updated_at)
      SELECT ${workspaceId}::uuid, name, description, folders, created_at, updated_at
      FROM jsonb_to_recordset(${text}::jsonb) AS r (name text, description text, folders text[], created_at timestamptz,
        updated_at timestamptz)
    ) INSERT INTO scope_document (workspace_id, name, document_id)
    SELECT DISTINCT ${workspaceId}::uuid, r.name, d.id::uuid
    FROM jsonb_to_recordset(${text}::jsonb) AS r (name text, document_ids jsonb)
    CROSS JOIN jsonb_array_elements_text(r.document_ids) AS d (id)`)
}

export interface CorrectionRow {
  from_id: string
  from_key: string
  into_id: string
  into_key: string
  state: 'manual' | 'undone'
  reason: string
}

/** Settled: there is no evidence yet that they change, and what comes is counted by them. */
export const insertCorrections = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly CorrectionRow[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO entity_merge (workspace_id, from_id, into_id, from_key, into_key, root_id, root_key, state, reason, settled)
    SELECT ${workspaceId}::uuid, from_id, into_id, from_key, into_key, into_id, into_key, state, reason, true
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (from_id uuid, into_id uuid, from_key text, into_key text,
      state text, reason text)`)

export const insertThreads = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
  principal: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO thread (workspace_id, id, principal, title, created_at, updated_at)
    SELECT ${workspaceId}::uuid, id, ${principal}::text, title, created_at, updated_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, title text, created_at timestamptz,
      updated_at timestamptz)`)

export async function insertTurns(
  tx: Queryable,
  workspaceId: string,
  rows: readonly { feedback: object | null; thread_id: string; number: number }[],
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO turn (workspace_id, thread_id, turn_no, question, answer, citations, created_at)
    SELECT ${workspaceId}::uuid, thread_id, number, question, answer, citations, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (thread_id uuid, number integer, question text, answer text,
      citations jsonb, created_at timestamptz)`)
  const judged = rows.flatMap(({ feedback, thread_id, number }) =>
    feedback ? [{ ...feedback, thread_id, number }] : [],
  )
  if (judged.length === 0) return
  await tx.rows(sql`
    INSERT INTO feedback (workspace_id, thread_id, turn_no, verdict, note, updated_at)
    SELECT ${workspaceId}::uuid, thread_id, number, verdict, note, updated_at
    FROM jsonb_to_recordset(${JSON.stringify(judged)}::jsonb) AS r (thread_id uuid, number integer, verdict text, note text,
      updated_at timestamptz)`)
}

export const insertQuestions = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
  principal: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO evaluation_question (workspace_id, id, principal, query, document_id, chunk_id, created_at)
    SELECT ${workspaceId}::uuid, id, ${principal}::text, query, document_id, chunk_id, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, query text, document_id uuid, chunk_id uuid,
      created_at timestamptz)
    ON CONFLICT (workspace_id, id) DO NOTHING`)

/** Paused, and in the name of who imports: an archive of somebody else must not make this service ask anything. */
export const insertSources = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
  importer: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO source (workspace_id, id, name, kind, addresses, branch, into_folder, include, exclude, every_minutes, paused,
      acts_as, created_at)
    SELECT ${workspaceId}::uuid, id, name, kind, addresses, branch, "into", include, exclude, every_minutes, true,
      ${importer}::uuid, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, name text, kind text, addresses text[], branch text,
      "into" text, include text[], exclude text[], every_minutes integer, created_at timestamptz)`)

export const insertSourceFiles = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO source_file (workspace_id, source_id, path, kept)
    SELECT ${workspaceId}::uuid, source_id, path, kept
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (source_id uuid, path text, kept jsonb)`)

/** So that a source shows what it has made. */
export const countSourceDocuments = (tx: Queryable, workspaceId: string): Promise<unknown> =>
  tx.rows(sql`
    UPDATE source s SET documents = (SELECT count(DISTINCT f.kept ->> 'document_id')::int FROM source_file f
      WHERE f.workspace_id = s.workspace_id AND f.source_id = s.id AND f.kept ->> 'state' <> 'theirs')
    WHERE s.workspace_id = ${workspaceId}`)
