// The statements about documents in the trash (migrations/0037_trash.sql).

import { randomUUID } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import { TRASH_DAYS } from '../contract/limits.ts'
import { acrossWorkspaces } from '../ports/db/across.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { RemovedDocuments } from './remove.ts'
import { isLeftUnread, valuesOf } from './unread.sql.ts'
import type { StoredVersion } from './versions/versions.sql.ts'

const RESTORABLE_FOR = sql`make_interval(days => ${TRASH_DAYS}::int)`

// A statement can have at most 65,535 parameters.
const ROWS_PER_STATEMENT = 1000

/** Puts removed documents into the trash with their versions. Returns their ids in the trash. */
export async function insertTrashed(
  tx: Queryable,
  workspaceId: string,
  { documents, versions }: RemovedDocuments,
  accountId: string,
): Promise<string[]> {
  const entries = documents.map((document) => ({ ...document, trash_id: randomUUID() }))
  await tx.rows(sql`
    INSERT INTO trashed_document (workspace_id, id, document_id, path, uploaded_as, title, title_key, kind, content_hash,
      uploaded_at, created_at, scopes, trashed_by)
    ${valuesOf(
      entries,
      (
        row,
      ) => sql`${workspaceId}, ${row.trash_id}, ${row.id}, ${row.path}, ${row.uploaded_as}, ${row.title}, ${row.title_key},
        ${row.kind}, ${row.content_hash}, ${row.uploaded_at}, ${row.created_at}, ${row.scopes}, ${accountId}`,
    )}`)
  const files = entries.flatMap((entry) => filesOf(entry, versions))
  for (let from = 0; from < files.length; from += ROWS_PER_STATEMENT)
    await tx.rows(sql`
    INSERT INTO trashed_version (workspace_id, trash_id, content_hash, filename, kind, size, uploaded_at, uploaded_by, forced,
      replaced_at)
    ${valuesOf(
      files.slice(from, from + ROWS_PER_STATEMENT),
      (
        row,
      ) => sql`${workspaceId}, ${row.trash_id}, ${row.content_hash}, ${row.filename}, ${row.kind}, ${row.size},
        ${row.uploaded_at}, ${row.uploaded_by}, ${row.forced}, ${row.replaced_at}`,
    )}`)
  return entries.map(({ trash_id: id }) => id)
}

/** The versions of a document. The current file is added if it is not among them. */
function filesOf(
  entry: RemovedDocuments['documents'][number] & { trash_id: string },
  versions: readonly StoredVersion[],
): (Omit<StoredVersion, 'document_id'> & { trash_id: string })[] {
  const { trash_id } = entry
  const files = versions
    .filter((version) => version.document_id === entry.id)
    .map((version) => ({ ...version, trash_id }))
  if (files.some(({ content_hash: hash }) => hash === entry.content_hash)) return files
  const { content_hash, kind, uploaded_at } = entry
  const filename = entry.uploaded_as ?? entry.path
  const unknownFields = { size: null, uploaded_by: null, forced: false, replaced_at: null }
  return [...files, { trash_id, content_hash, kind, uploaded_at, filename, ...unknownFields }]
}

/** The position of a page. `at` has microseconds, because the milliseconds of the API's timestamps are not exact enough. */
export interface TrashPosition {
  at: string
  id: string
}

export interface TrashRow {
  id: string
  document_id: string
  title: string
  path: string
  kind: string
  bytes: number | null
  trashed_by: string
  trashed_at: Date
  expires_at: Date
  position: string
}

/** Documents in the trash, the latest first: a page of them, or those with the ids. */
export const selectTrashed = (
  db: Queryable,
  workspaceId: string,
  selection: { ids: readonly string[] } | { after: TrashPosition | undefined; limit: number },
): Promise<TrashRow[]> =>
  db.rows(sql`
    SELECT t.id, t.document_id, t.title, t.path, t.kind, v.size::float8 AS bytes, t.trashed_by, t.trashed_at,
      t.trashed_at + ${RESTORABLE_FOR} AS expires_at, t.trashed_at::text AS position
    FROM trashed_document t
    JOIN trashed_version v ON v.workspace_id = t.workspace_id AND v.trash_id = t.id AND v.content_hash = t.content_hash
    WHERE t.workspace_id = ${workspaceId} AND t.trashed_at > now() - ${RESTORABLE_FOR}
      ${'ids' in selection ? sql`AND t.id = ANY (${[...selection.ids]}::uuid[])` : empty}
      ${'after' in selection && selection.after ? sql`AND (t.trashed_at, t.id) < (${selection.after.at}::timestamptz, ${selection.after.id}::uuid)` : empty}
    ORDER BY t.trashed_at DESC, t.id DESC ${'limit' in selection ? sql`LIMIT ${selection.limit}` : empty}`)

export interface TrashedDocumentRow {
  id: string
  document_id: string
  path: string
  uploaded_as: string | null
  title: string
  title_key: string
  kind: string
  content_hash: string
  uploaded_at: Date
  created_at: Date
  scopes: string[]
}

export interface TrashedVersionRow extends Omit<StoredVersion, 'document_id'> {
  trash_id: string
}

/** Takes documents out of the trash, the latest first. Those that have expired stay, and are deleted by the next sweep. */
export async function takeTrashed(
  tx: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ documents: TrashedDocumentRow[]; versions: TrashedVersionRow[] }> {
  const versions = await tx.rows<TrashedVersionRow>(sql`
    SELECT trash_id, content_hash, filename, kind, size::float8 AS size, uploaded_at, uploaded_by, forced, replaced_at
    FROM trashed_version WHERE workspace_id = ${workspaceId} AND trash_id = ANY (${[...ids]}::uuid[])`)
  const documents = await tx.rows<TrashedDocumentRow & { trashed_at: Date }>(sql`
    DELETE FROM trashed_document
    WHERE workspace_id = ${workspaceId} AND id = ANY (${[...ids]}::uuid[]) AND trashed_at > now() - ${RESTORABLE_FOR}
    RETURNING id, document_id, path, uploaded_as, title, title_key, kind, content_hash, uploaded_at, created_at, scopes,
      trashed_at`)
  documents.sort((a, b) => b.trashed_at.getTime() - a.trashed_at.getTime() || (a.path < b.path ? -1 : 1))
  return { documents, versions }
}

/** The document with the path: its id, the hash of its file, and whether the file was never read. */
export async function selectAtPath(
  tx: Queryable,
  workspaceId: string,
  path: string,
): Promise<{ id: string; content_hash: string; is_unread: boolean } | undefined> {
  const [row] = await tx.rows<{ id: string; content_hash: string; is_unread: boolean }>(sql`
    SELECT d.id, d.content_hash, ${isLeftUnread(workspaceId, sql`d`)} AS is_unread FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.provider = 'upload' AND d.path = ${path}`)
  return row
}

/** Gives a document its versions and the scopes that still exist again. */
export async function insertRestored(
  tx: Queryable,
  workspaceId: string,
  documentId: string,
  { versions, scopes }: { versions: readonly TrashedVersionRow[]; scopes: readonly string[] },
): Promise<void> {
  for (let from = 0; from < versions.length; from += ROWS_PER_STATEMENT)
    await tx.rows(sql`
    INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, uploaded_by,
      forced, replaced_at)
    ${valuesOf(
      versions.slice(from, from + ROWS_PER_STATEMENT),
      (
        row,
      ) => sql`${workspaceId}, ${documentId}, ${row.content_hash}, ${row.filename}, ${row.kind}, ${row.size},
        ${row.uploaded_at}, ${row.uploaded_by}, ${row.forced}, ${row.replaced_at}`,
    )}
    ON CONFLICT DO NOTHING`)
  if (scopes.length === 0) return
  const existing = await tx.rows<{ name: string }>(sql`
    SELECT name FROM scope WHERE workspace_id = ${workspaceId} AND name = ANY (${[...scopes]}::text[])`)
  if (existing.length === 0) return
  await tx.rows(sql`
    INSERT INTO scope_document (workspace_id, name, document_id)
    ${valuesOf(existing, ({ name }) => sql`${workspaceId}, ${name}, ${documentId}`)} ON CONFLICT DO NOTHING`)
}

/** Deletes a document in the trash for good, and returns its document id. The next sweep removes its file. */
export async function deleteTrashedRow(
  tx: Queryable,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ document_id: string }>(sql`
    DELETE FROM trashed_document WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING document_id`)
  return row?.document_id
}

/** Deletes what has been in the trash for 30 days by the database's clock. The next sweep removes the files. */
export const deleteExpired = (db: Queryable): Promise<unknown> =>
  db.rows(acrossWorkspaces(sql`DELETE FROM trashed_document WHERE trashed_at <= now() - ${RESTORABLE_FOR}`))
