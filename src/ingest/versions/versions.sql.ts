// The statements about the versions of documents. A file is stored while its version can be restored
// (migrations/0007_documents.sql).

import sql, { empty } from 'sql-template-tag'
import { acrossWorkspaces } from '../../ports/db/across.sql.ts'
import type { Queryable } from '../../ports/db/db.ts'
import { prepared } from '../../ports/db/prepared.sql.ts'
import type { SourceRow } from '../jobs.sql.ts'
import type { FileTask } from '../task.ts'

/** How long a replaced version can be restored. */
const RESTORABLE_FOR = sql`interval '30 days'`

/**
 * Records an uploaded file as the current version of the document, or as a version that is already replaced. A trigger marks the
 * previous version as replaced. A restored version keeps the account and the time of its upload.
 */
export async function insertVersion(
  tx: Queryable,
  task: FileTask,
  source: SourceRow,
  { documentId, current }: { documentId: string; current: boolean },
): Promise<void> {
  await tx.rows(
    prepared(sql`
    INSERT INTO document_version AS v (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at,
      uploaded_by, forced, replaced_at)
    SELECT j.workspace_id, ${documentId}, ${source.content_hash}, ${source.path}, ${source.kind}, ${source.size}::bigint,
      j.created_at, j.created_by, coalesce(j.on_conflict = 'replace', false),
      ${current ? sql`NULL::timestamptz` : sql`now()`}
    FROM job j WHERE j.workspace_id = ${task.workspace_id} AND j.id = ${task.subject.job_id}
    ON CONFLICT (workspace_id, document_id, content_hash) DO UPDATE SET
      replaced_at = excluded.replaced_at, forced = excluded.forced
      ${
        source.job_kind === 'restore'
          ? empty
          : sql`, filename = excluded.filename, uploaded_at = excluded.uploaded_at, uploaded_by = excluded.uploaded_by`
      }`),
  )
}

/** The position of a page. `at` has microseconds, because the milliseconds of the API's timestamps are not exact enough. */
export interface VersionPosition {
  at: string
  id: string
}

export interface VersionRow {
  id: string
  filename: string
  bytes: number | null
  uploaded_at: Date
  uploaded_by: string | null
  current: boolean
  replaced_at: Date | null
  restorable_until: Date | null
  position: string
}

/** The current version, then the restorable versions, the most recently replaced first. */
export const selectVersions = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  page: { after: VersionPosition | undefined; limit: number },
): Promise<VersionRow[]> =>
  db.rows(sql`
    SELECT *, replaced_at + ${RESTORABLE_FOR} AS restorable_until, at::text AS position FROM (
      SELECT d.content_hash AS id, coalesce(v.filename, d.uploaded_as, d.path) AS filename, v.size AS bytes,
        coalesce(v.uploaded_at, d.uploaded_at) AS uploaded_at, v.uploaded_by, true AS current,
        NULL::timestamptz AS replaced_at, 'infinity'::timestamptz AS at
      FROM document d LEFT JOIN document_version v ON v.workspace_id = d.workspace_id AND v.document_id = d.id
        AND v.content_hash = d.content_hash
      WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      UNION ALL
      SELECT v.content_hash, v.filename, v.size, v.uploaded_at, v.uploaded_by, false, v.replaced_at, v.replaced_at
      FROM document_version v
      WHERE v.workspace_id = ${workspaceId} AND v.document_id = ${documentId} AND v.replaced_at > now() - ${RESTORABLE_FOR}
    ) v
    ${page.after ? sql`WHERE (at, id) < (${page.after.at}::timestamptz, ${page.after.id})` : empty}
    ORDER BY at DESC, id DESC LIMIT ${page.limit}`)

export interface RestorableRow {
  /** The path of the document. */
  path: string
  /** The name with which that version was uploaded. */
  filename: string
  kind: string
  size: number
  current: boolean
}

/** The current version or a restorable version of the document. */
export async function selectRestorable(
  tx: Queryable,
  workspaceId: string,
  documentId: string,
  contentHash: string,
): Promise<RestorableRow | undefined> {
  const [row] = await tx.rows<RestorableRow>(sql`
    SELECT d.path, coalesce(v.filename, d.uploaded_as, d.path) AS filename, coalesce(v.kind, d.kind) AS kind, coalesce(v.size, 1) AS size,
      d.content_hash = ${contentHash} AS current
    FROM document d LEFT JOIN document_version v ON v.workspace_id = d.workspace_id AND v.document_id = d.id
      AND v.content_hash = ${contentHash} AND v.replaced_at > now() - ${RESTORABLE_FOR}
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}
      AND (d.content_hash = ${contentHash} OR v.content_hash IS NOT NULL)`)
  return row
}

/** A row of document_version. */
export interface StoredVersion {
  document_id: string
  content_hash: string
  filename: string
  kind: string
  size: number | null
  uploaded_at: Date
  uploaded_by: string | null
  forced: boolean
  replaced_at: Date | null
}

/** Deletes the versions of deleted documents, and returns them. */
export const deleteVersions = (
  tx: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<StoredVersion[]> =>
  tx.rows(sql`
    DELETE FROM document_version
    WHERE workspace_id = ${workspaceId} AND document_id = ANY (${[...documentIds]}::uuid[])
    RETURNING document_id, content_hash, filename, kind, size, uploaded_at, uploaded_by, forced, replaced_at`)

/** Deletes versions that can no longer be restored. The next sweep removes their originals. */
export const deleteOldVersions = (db: Queryable): Promise<unknown> =>
  db.rows(acrossWorkspaces(sql`DELETE FROM document_version WHERE replaced_at <= now() - ${RESTORABLE_FOR}`))
