// The statements that move documents to other paths. The workspace must be locked.

import sql, { type Sql } from 'sql-template-tag'
import { isInFolder } from '../documents/folders.sql.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface MovableRow {
  id: string
  title: string
  path: string
  /** The name of the source that decides where the document is. */
  source: string | null
}

/** Documents by their ids, or those in a folder and below it, sorted by path. */
export async function selectMovable(
  tx: Queryable,
  workspaceId: string,
  selection: { ids: readonly string[] } | { folder: string; limit: number },
): Promise<MovableRow[]> {
  const documents = await tx.rows<Omit<MovableRow, 'source'>>(sql`
    SELECT d.id, d.title, d.path FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.provider = 'upload'
      AND ${'ids' in selection ? sql`d.id = ANY (${[...selection.ids]}::uuid[])` : isInFolder(selection.folder)}
    ORDER BY d.path COLLATE "C" LIMIT ${'ids' in selection ? selection.ids.length : selection.limit}`)
  const sources = await tx.rows<{ id: string; name: string }>(sql`
    SELECT f.kept ->> 'document_id' AS id, s.name
    FROM source_file f JOIN source s ON s.workspace_id = f.workspace_id AND s.id = f.source_id
    WHERE f.workspace_id = ${workspaceId} AND f.kept ->> 'document_id' = ANY (${documents.map(({ id }) => id)}::text[])
      AND f.kept ->> 'state' <> 'theirs'
    ORDER BY s.name DESC`)
  const sourceById = new Map(sources.map(({ id, name }) => [id, name]))
  return documents.map((document) => ({ ...document, source: sourceById.get(document.id) ?? null }))
}

/** A document's new path, and the path that it has. */
export interface Move {
  id: string
  path: string
  previousPath: string
}

/** The new paths that other documents have, or that files which wait to be read may get. */
export async function selectTakenBy(
  tx: Queryable,
  workspaceId: string,
  moves: readonly Move[],
): Promise<Map<string, 'document' | 'file'>> {
  const ids = moves.map(({ id }) => id)
  const paths = moves.map(({ path }) => path)
  const rows = await tx.rows<{ path: string; by: 'document' | 'file' }>(sql`
    SELECT f.path, 'file' AS by FROM job_file f
    WHERE f.workspace_id = ${workspaceId} AND f.path = ANY (${paths}::text[]) AND f.status IN ('queued', 'running')
      AND NOT (f.document_id = ANY (${ids}::uuid[]) AND ${isOfDocument(workspaceId)})
    UNION
    SELECT path, 'document' AS by FROM document
    WHERE workspace_id = ${workspaceId} AND provider = 'upload' AND path = ANY (${paths}::text[])
      AND NOT id = ANY (${ids}::uuid[])
    ORDER BY by DESC`)
  return new Map(rows.map(({ path, by }) => [path, by]))
}

/** The condition that `job_file f` is the file of a document that is read again, and no upload. */
const isOfDocument = (workspaceId: string): Sql => sql`EXISTS (
  SELECT 1 FROM job WHERE job.workspace_id = ${workspaceId} AND job.id = f.job_id AND job.kind <> 'upload')`

/**
 * Gives the documents their new paths. The name under which a document was uploaded is kept, so that a later upload with this name
 * is compared with it.
 */
export async function updatePaths(tx: Queryable, workspaceId: string, moves: readonly Move[]): Promise<void> {
  const ids = moves.map(({ id }) => id)
  const paths = moves.map(({ path }) => path)
  const target = sql`unnest(${ids}::uuid[], ${paths}::text[]) AS m (id, path)`
  // A new path may be the old one of a document that is moved, too. Then that one gets an absolute path first, which no document has.
  const newPaths = new Set(paths)
  const inTheWay = moves.filter(({ previousPath }) => newPaths.has(previousPath)).map(({ id }) => id)
  if (inTheWay.length > 0)
    await tx.rows(sql`
      UPDATE document SET path = '/' || path, uploaded_as = coalesce(uploaded_as, path)
      WHERE workspace_id = ${workspaceId} AND id = ANY (${inTheWay}::uuid[])`)
  await tx.rows(sql`
    UPDATE document d SET path = m.path, uploaded_as = nullif(coalesce(d.uploaded_as, d.path), m.path)
    FROM ${target} WHERE d.workspace_id = ${workspaceId} AND d.id = m.id`)
  await tx.rows(sql`
    UPDATE job_file f SET path = m.path FROM ${target}
    WHERE f.workspace_id = ${workspaceId} AND f.document_id = m.id AND f.status IN ('queued', 'running')
      AND ${isOfDocument(workspaceId)}`)
  await tx.rows(sql`UPDATE workspace SET updated_at = now() WHERE id = ${workspaceId}`)
}

/** The paths of the uploads that wait to be read and were to become one of the documents. */
export async function selectWaitingPaths(
  tx: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows<{ path: string }>(sql`
    SELECT DISTINCT f.path FROM job_file f
    WHERE f.workspace_id = ${workspaceId} AND f.document_id = ANY (${[...documentIds]}::uuid[])
      AND f.status IN ('queued', 'running') AND NOT ${isOfDocument(workspaceId)}`)
  return rows.map(({ path }) => path)
}

/** Changes which documents the waiting uploads at these paths are to become. */
export const updateWaitingFiles = (
  tx: Queryable,
  workspaceId: string,
  files: readonly { path: string; documentId: string }[],
): Promise<unknown> =>
  tx.rows(sql`
    UPDATE job_file f SET document_id = m.id
    FROM unnest(${files.map(({ documentId }) => documentId)}::uuid[], ${files.map(({ path }) => path)}::text[]) AS m (id, path)
    WHERE f.workspace_id = ${workspaceId} AND f.path = m.path AND f.status IN ('queued', 'running')
      AND NOT ${isOfDocument(workspaceId)}`)

/** Gives a document another title. */
export const updateTitle = (
  tx: Queryable,
  workspaceId: string,
  { id, title, titleKey }: { id: string; title: string; titleKey: string },
): Promise<unknown> =>
  tx.rows(sql`
    UPDATE document SET title = ${title}, title_key = ${titleKey} WHERE workspace_id = ${workspaceId} AND id = ${id}::uuid`)

export interface ScopeFolders {
  name: string
  folders: string[]
}

/** The scopes that name the folder or one below it, sorted by name. They stay locked until the end of the transaction. */
export const selectScopesOf = (tx: Queryable, workspaceId: string, folder: string): Promise<ScopeFolders[]> =>
  tx.rows(sql`
    SELECT s.name, s.folders FROM scope s
    WHERE s.workspace_id = ${workspaceId} AND EXISTS (
      SELECT 1 FROM unnest(s.folders) AS f (folder)
      WHERE f.folder = ${folder} OR starts_with(f.folder, ${`${folder}/`}::text))
    ORDER BY s.name FOR UPDATE`)

/** Adds the documents to each of the scopes. */
export const listInScopes = (
  tx: Queryable,
  workspaceId: string,
  { names, documentIds }: { names: readonly string[]; documentIds: readonly string[] },
): Promise<unknown> =>
  tx.rows(sql`
    INSERT INTO scope_document (workspace_id, name, document_id)
    SELECT ${workspaceId}, s.name, d.id
    FROM unnest(${[...names]}::text[]) AS s (name) CROSS JOIN unnest(${[...documentIds]}::uuid[]) AS d (id)
    ON CONFLICT DO NOTHING`)

/** Lets scopes that name exactly `folders` name `newFolders`. Returns the names of these scopes, sorted. */
export async function updateScopeFolders(
  tx: Queryable,
  workspaceId: string,
  changes: readonly (ScopeFolders & { newFolders: readonly string[] })[],
): Promise<string[]> {
  const rows = await tx.rows<{ name: string }>(sql`
    UPDATE scope s SET updated_at = now(), folders = c."newFolders"
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c (name text, folders text[], "newFolders" text[])
    WHERE s.workspace_id = ${workspaceId} AND s.name = c.name AND s.folders = c.folders AND s.folders <> c."newFolders"
    RETURNING s.name`)
  return rows.map(({ name }) => name).sort()
}
