// The statements about files that need not be read, because a document already has their bytes or a later upload has replaced them.

import sql, { type Sql } from 'sql-template-tag'
import type { FileOutcome, OnConflict } from '../../contract/resources.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'
import { isReread, type SourceRow } from '../jobs.sql.ts'
import type { FileTask } from '../task.ts'
import { isLeftUnread } from '../unread.sql.ts'
import { insertVersion } from './versions.sql.ts'

interface UnchangedQuery {
  path: string
  content_hash: string
  /** The key of the file's row, if it has one. The file itself does not count as another waiting file. */
  job_id?: string
  file_no?: number
}

/**
 * For each file, the id of the document that already has its bytes, or null:
 * - the document with the path of the file,
 * - or a document that was uploaded with this name and stored under another, or moved since then,
 * - or any other document, if no document has the path and no waiting file may get it.
 *
 * In the first two cases the document gets the time of this upload, so that an earlier upload that is still being read cannot
 * replace it. A document whose file was never read does not count, so that the file is read now.
 */
export async function claimUnchanged(
  tx: Queryable,
  workspaceId: string,
  files: UnchangedQuery[],
  upload: { uploadedAt: Date | null; onConflict: OnConflict | null },
): Promise<(string | null)[]> {
  const isRead = (document: Sql): Sql =>
    sql`NOT ${isLeftUnread(workspaceId, document, sql`(f.job_id, f.file_no)`)}`
  const matches = await tx.rows<{ named: string | null; elsewhere: string | null }>(
    prepared(sql`
    SELECT CASE WHEN own.content_hash = f.hash AND ${isRead(sql`own`)} THEN own.id ELSE (
        SELECT d.id FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = f.hash
          AND d.uploaded_as = f.path AND ${isRead(sql`d`)} AND ${upload.onConflict !== 'replace'} ORDER BY d.id LIMIT 1
      ) END AS named,
      CASE WHEN own.id IS NULL AND NOT EXISTS (
        SELECT 1 FROM job_file w WHERE w.workspace_id = ${workspaceId} AND w.path = f.path
          AND w.status IN ('queued', 'running') AND (w.job_id, w.file_no) IS DISTINCT FROM (f.job_id, f.file_no)
      ) THEN (
        SELECT d.id FROM document d WHERE d.workspace_id = ${workspaceId} AND d.content_hash = f.hash AND ${isRead(sql`d`)}
        ORDER BY d.id LIMIT 1
      ) END AS elsewhere
    FROM unnest(${files.map((f) => f.path)}::text[], ${files.map((f) => f.content_hash)}::text[],
      ${files.map((f) => f.job_id ?? null)}::text[], ${files.map((f) => f.file_no ?? null)}::int[])
      WITH ORDINALITY AS f (path, hash, job_id, file_no, no)
    LEFT JOIN document own ON own.workspace_id = ${workspaceId} AND own.provider = 'upload' AND own.path = f.path
    ORDER BY f.no`),
  )
  const namedIds = matches.flatMap((row) => row.named ?? [])
  if (namedIds.length) {
    await tx.rows(sql`
      UPDATE document SET uploaded_at = greatest(uploaded_at, ${upload.uploadedAt ? sql`${upload.uploadedAt}::timestamptz` : sql`now()`})
      WHERE workspace_id = ${workspaceId} AND id = ANY (${namedIds}::uuid[])`)
  }
  return matches.map((row) => row.named ?? row.elsewhere)
}

/** A file that need not be read: its document, and the outcome that is recorded for the file. */
export interface SettledFile {
  documentId: string
  outcome: FileOutcome | undefined
}

/** Whether a document has the name or the bytes of the file, or was given its content with the name. For most files none has, so this statement is the only one. */
async function hasRelatedDocument(
  tx: Queryable,
  workspaceId: string,
  { path, content_hash: contentHash }: SourceRow,
): Promise<boolean> {
  const [match] = await tx.rows<{ some: boolean }>(
    prepared(sql`
    SELECT EXISTS (SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND provider = 'upload' AND path = ${path})
      OR EXISTS (SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND uploaded_as = ${path})
      OR EXISTS (SELECT 1 FROM document WHERE workspace_id = ${workspaceId} AND content_hash = ${contentHash})
      OR EXISTS (SELECT 1 FROM document_version WHERE workspace_id = ${workspaceId} AND filename = ${path} AND forced) AS some`),
  )
  return match?.some === true
}

/**
 * The document that a later upload with the same name and with `replace` has given its current content, wherever it is now. It
 * supersedes the file, so that it is not read in vain. A later version that was not uploaded with `replace` does not, because the
 * file may be another document. Neither do the same bytes, uploaded again, of a document that is elsewhere now.
 */
async function selectReplacedLater(
  tx: Queryable,
  workspaceId: string,
  { path, content_hash: contentHash, uploaded_at: uploadedAt }: SourceRow,
): Promise<string | undefined> {
  const [document] = await tx.rows<{ id: string }>(
    prepared(sql`
    SELECT d.id FROM document_version v
    JOIN document d ON d.workspace_id = ${workspaceId} AND d.id = v.document_id AND d.content_hash = v.content_hash
    WHERE v.workspace_id = ${workspaceId} AND v.filename = ${path} AND v.forced AND v.content_hash <> ${contentHash}
      AND CASE WHEN d.path = ${path} THEN d.uploaded_at ELSE v.uploaded_at END > ${uploadedAt}
    ORDER BY v.uploaded_at DESC, d.id LIMIT 1`),
  )
  return document?.id
}

/**
 * The outcome of a file that need not be read. Undefined if the file must be read. `gone` if the document that should be read again
 * was deleted. `taken` if the upload must fail because another document has the name. The workspace must be locked.
 */
export async function settleFile(
  tx: Queryable,
  task: FileTask,
  source: SourceRow,
): Promise<SettledFile | 'gone' | 'taken' | undefined> {
  const { workspace_id: workspaceId, subject } = task
  if (source.job_kind === 'upload' && !(await hasRelatedDocument(tx, workspaceId, source))) return undefined
  // The document at the path of an upload may be another one than when the upload arrived, because documents can be moved.
  const isDestination =
    source.job_kind === 'upload'
      ? sql`d.provider = 'upload' AND d.path = ${source.path}`
      : sql`d.id = ${source.document_id}`
  const [document] = await tx.rows<{ id: string; same: boolean; later: boolean }>(
    prepared(sql`
    SELECT d.id, d.content_hash = ${source.content_hash} AS same, d.uploaded_at > ${source.uploaded_at} AS later
    FROM document d WHERE d.workspace_id = ${workspaceId} AND ${isDestination} FOR UPDATE`),
  )
  const settledAs = (outcome?: FileOutcome) => document && { documentId: document.id, outcome }
  if (source.job_kind !== 'upload' && !document) return 'gone'
  if (isReread(source)) return document?.same ? undefined : settledAs()
  if (source.job_kind === 'restore') {
    if (document?.same) return settledAs('unchanged')
    return document?.later ? settledAs('superseded') : undefined
  }
  const replacedId =
    source.on_conflict === 'keep_both' ? undefined : await selectReplacedLater(tx, workspaceId, source)
  if (replacedId !== undefined) {
    await insertVersion(tx, task, source, { documentId: replacedId, current: false })
    return { documentId: replacedId, outcome: 'superseded' }
  }
  const [documentId] = await claimUnchanged(tx, workspaceId, [{ ...source, ...subject }], {
    uploadedAt: source.uploaded_at,
    onConflict: source.on_conflict,
  })
  if (documentId) return { documentId, outcome: 'unchanged' }
  return document && !document.same && source.on_conflict === 'fail' ? 'taken' : undefined
}
