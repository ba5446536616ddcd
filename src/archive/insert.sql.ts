// The statements that insert the rows of an archive into its new workspace. The importer owns all rows. Other people in the archive
// are ignored.

import sql from 'sql-template-tag'
import { type UnreadDocument, valuesOf } from '../ingest/unread.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Line } from './format.ts'

/**
 * @param importer id of the account that imports. Versions that another account uploaded are stored without an uploader, because
 * that account may not exist here
 */
export const insertVersions = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly Line<'versions'>[],
  importer: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, uploaded_by,
      forced, replaced_at)
    ${valuesOf(
      rows,
      (
        row,
      ) => sql`${workspaceId}, ${row.document_id}, ${row.sha256}, ${row.filename}, ${row.kind}, ${row.bytes},
        ${row.uploaded_at}, ${row.uploaded_by === importer ? importer : null}, ${row.forced}, ${row.replaced_at}`,
    )}`)

export async function insertScopes(
  tx: Queryable,
  workspaceId: string,
  rows: readonly Line<'scopes'>[],
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO scope (workspace_id, name, description, folders, created_at, updated_at)
    ${valuesOf(
      rows,
      (row) =>
        sql`${workspaceId}, ${row.name}, ${row.description}, ${row.folders}, ${row.created_at}, ${row.updated_at}`,
    )}`)
  for (const { name, document_ids } of rows)
    await tx.rows(sql`
      INSERT INTO scope_document (workspace_id, name, document_id)
      SELECT d.workspace_id, ${name}, d.id FROM document d
      WHERE d.workspace_id = ${workspaceId} AND d.id = ANY (${document_ids}::uuid[])`)
}

/**
 * Inserts the files of documents into the job that reads them, in the order of the archive. @param firstNo the number of the first
 * file, from 0
 */
export const insertJobFiles = (
  tx: Queryable,
  workspaceId: string,
  {
    jobId,
    firstNo,
    rows,
  }: {
    jobId: string
    firstNo: number
    rows: readonly (Pick<UnreadDocument, 'id' | 'path' | 'kind' | 'sha256'> & { bytes: number })[]
  },
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status)
    ${valuesOf(
      rows.map((row, no) => ({ ...row, no: firstNo + no })),
      (
        row,
      ) => sql`${workspaceId}, ${jobId}, ${row.no}, ${row.path}, ${row.kind}, ${row.bytes}, ${row.sha256}, ${row.id},
        'queued'`,
    )}`)

interface CorrectionRow {
  from_id: string
  from_key: string
  into_id: string
  into_key: string
  /** The entity at the end of the chain of merges. */
  root_id: string
  root_key: string
  state: 'manual' | 'undone'
  reason: string
}

/** Inserts the corrections as already aggregated (`settled`), because the new workspace has no evidence yet. */
export const insertCorrections = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly CorrectionRow[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO entity_merge (workspace_id, from_id, into_id, from_key, into_key, root_id, root_key, state, reason, settled)
    ${valuesOf(
      rows,
      (
        row,
      ) => sql`${workspaceId}, ${row.from_id}, ${row.into_id}, ${row.from_key}, ${row.into_key}, ${row.root_id},
        ${row.root_key}, ${row.state}, ${row.reason}, true`,
    )}`)

export const insertThreads = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly Line<'threads'>[],
  principal: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO thread (workspace_id, id, principal, title, created_at, updated_at)
    ${valuesOf(
      rows,
      (row) =>
        sql`${workspaceId}, ${row.id}, ${principal}, ${row.title}, ${row.created_at}, ${row.updated_at}`,
    )}`)

export async function insertTurns(
  tx: Queryable,
  workspaceId: string,
  rows: readonly Line<'turns'>[],
): Promise<void> {
  await tx.rows(sql`
    INSERT INTO turn (workspace_id, thread_id, turn_no, question, answer, citations, created_at)
    ${valuesOf(
      rows,
      (row) => sql`${workspaceId}, ${row.thread_id}, ${row.number}, ${row.question}, ${row.answer},
        ${JSON.stringify(row.citations)}, ${row.created_at}`,
    )}`)
  const withFeedback = rows.flatMap(({ feedback, thread_id, number }) =>
    feedback ? [{ ...feedback, thread_id, number }] : [],
  )
  if (withFeedback.length === 0) return
  await tx.rows(sql`
    INSERT INTO feedback (workspace_id, thread_id, turn_no, verdict, note, updated_at)
    ${valuesOf(
      withFeedback,
      (row) =>
        sql`${workspaceId}, ${row.thread_id}, ${row.number}, ${row.verdict}, ${row.note}, ${row.updated_at}`,
    )}`)
}

export const insertQuestions = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly (Line<'evaluation-questions'> & { id: string })[],
  principal: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO evaluation_question (workspace_id, id, principal, query, document_id, chunk_id, created_at)
    ${valuesOf(
      rows,
      (row) => sql`${workspaceId}, ${row.id}, ${principal}, ${row.query}, ${row.document_id}, ${row.chunk_id},
        ${row.created_at}`,
    )}
    ON CONFLICT (workspace_id, id) DO NOTHING`)

/** Inserts sources as paused and owned by the importer, so that a foreign archive cannot make this service send requests. */
export const insertSources = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
  importer: string,
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO source (workspace_id, id, name, kind, addresses, branch, into_folder, include, exclude, every_minutes, paused,
      acts_as, created_at, documents)
    SELECT ${workspaceId}::uuid, id, name, kind, addresses, branch, "into", include, exclude, every_minutes, true,
      ${importer}::uuid, created_at, documents
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, name text, kind text, addresses text[], branch text,
      "into" text, include text[], exclude text[], every_minutes integer, created_at timestamptz,
      documents integer)`)

export const insertSourceFiles = (
  tx: Queryable,
  workspaceId: string,
  rows: readonly object[],
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO source_file (workspace_id, source_id, path, kept)
    SELECT ${workspaceId}::uuid, source_id, path, kept
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (source_id uuid, path text, kept jsonb)`)
