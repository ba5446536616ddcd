// The statements that list documents by title and read the chunks of their live versions.

import sql, { empty, type Sql } from 'sql-template-tag'
import type { Chunk } from '../contract/resources.ts'
import { uuidRange } from '../identity.ts'
import type { Queryable } from '../ports/db/db.ts'

export interface TitlePosition {
  key: string
  id: string
}

/** `pattern` is a regular expression for a part of the title. */
export function selectDocuments(
  db: Queryable,
  workspaceId: string,
  page: { pattern: string | undefined; after: TitlePosition | undefined; limit: number },
): Promise<DocumentRow[]> {
  const { pattern, after, limit } = page
  return db.rows(sql`
    SELECT d.id, d.title, d.provider, d.chunk_count, d.has_tables, d.path, d.uploaded_at, d.title_key,
      ${fileSize(workspaceId)} AS bytes
    FROM document d
    WHERE d.workspace_id = ${workspaceId}
      ${pattern === undefined ? empty : sql`AND d.title_key ~ ${pattern}`}
      ${after ? sql`AND (d.title_key, d.id) > (${after.key}, ${after.id}::uuid)` : empty}
    ORDER BY d.title_key, d.id LIMIT ${limit}`)
}

export interface DocumentRow {
  id: string
  title: string
  provider: string
  chunk_count: number
  has_tables: boolean
  path: string
  uploaded_at: Date
  title_key: string
  bytes: number | null
}

/** The bytes of the current file of `document d`. NULL if they are not known. */
export const fileSize = (workspaceId: string): Sql => sql`(
  SELECT v.size::float8 FROM document_version v
  WHERE v.workspace_id = ${workspaceId} AND v.document_id = d.id AND v.content_hash = d.content_hash)`

export async function selectDocument(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<{ id: string; title: string; version_id: string; chunk_count: number } | undefined> {
  const [row] = await db.rows<{ id: string; title: string; version_id: string; chunk_count: number }>(sql`
    SELECT id, title, version_id, chunk_count FROM document
    WHERE workspace_id = ${workspaceId} AND id = ${documentId}`)
  return row
}

export interface OriginalRow {
  path: string
  kind: string
  content_hash: string
  pages: number | null
}

/** The file that the document was parsed from. */
export async function selectOriginal(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<OriginalRow | undefined> {
  const [row] = await db.rows<OriginalRow>(sql`
    SELECT path, kind, content_hash, pages FROM document
    WHERE workspace_id = ${workspaceId} AND id = ${documentId}`)
  return row
}

/** Chunks in reading order starting at `from`, up to `maxChars` characters in total but at least one. */
export const selectChunks = (
  db: Queryable,
  workspaceId: string,
  versionId: string,
  { from, maxChars }: { from: number; maxChars: number },
): Promise<(Pick<Chunk, 'id' | 'text' | 'type' | 'page'> & { chunk_no: number })[]> =>
  db.rows(sql`
    WITH sized AS (
      SELECT chunk_no, sum(char_length(text)) OVER (ORDER BY chunk_no) AS upto FROM chunk
      WHERE workspace_id = ${workspaceId} AND version_id = ${versionId}
        AND chunk_no >= ${from} AND chunk_no < ${from + 1000}
    )
    SELECT c.chunk_no, c.id, c.text, c.type, c.page
    FROM sized s
    JOIN chunk c ON c.workspace_id = ${workspaceId} AND c.version_id = ${versionId} AND c.chunk_no = s.chunk_no
    WHERE s.upto <= ${maxChars} OR s.chunk_no = ${from}
    ORDER BY c.chunk_no`)

/**
 * The number of the chunk at which reading starts: the given chunk (its id, or the first digits of it), or the first one on the
 * given page or a later page.
 */
export async function selectStart(
  db: Queryable,
  workspaceId: string,
  versionId: string,
  start: { chunk: string } | { page: number },
): Promise<number | undefined> {
  const condition = 'chunk' in start ? sql`id ${between(uuidRange(start.chunk))}` : sql`page >= ${start.page}`
  const [row] = await db.rows<{ chunk_no: number | null }>(sql`
    SELECT min(chunk_no) AS chunk_no FROM chunk
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND ${condition}`)
  return row?.chunk_no ?? undefined
}

const between = ({ first, last }: { first: string; last: string }): Sql =>
  sql`BETWEEN ${first}::uuid AND ${last}::uuid`

export interface PlaceRow {
  chunk_no: number
  chunk_id: string
  heading: string
  page: number | null
  boxes: { page: number; bbox: number[] }[] | null
}

/** The places of the live version's chunks, in reading order, after the chunk numbered `after`. */
export const selectPlaces = (
  db: Queryable,
  workspaceId: string,
  versionId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PlaceRow[]> =>
  db.rows(sql`
    SELECT chunk_no, id AS chunk_id, heading, page, boxes FROM chunk
    WHERE workspace_id = ${workspaceId} AND version_id = ${versionId} AND chunk_no > ${after}
    ORDER BY chunk_no LIMIT ${limit}`)

/** The places of the given chunks, whose documents may differ. */
export const selectPlacesOf = (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<PlaceRow[]> =>
  db.rows(sql`
    SELECT c.chunk_no, c.id AS chunk_id, c.heading, c.page, c.boxes
    FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id AND d.version_id = c.version_id
    WHERE c.workspace_id = ${workspaceId} AND c.id = ANY (${ids}::uuid[])`)

export interface RetiredDocument {
  id: string
  path: string
  uploaded_as: string | null
  title: string
  title_key: string
  kind: string
  content_hash: string
  uploaded_at: Date
  created_at: Date
  /** The scopes that listed the document. */
  scopes: string[]
}

/** Deletes those of the documents that exist, and returns them. The rows of their versions are removed later by the fold task. */
export async function retireDocuments(
  tx: Queryable,
  workspaceId: string,
  documentIds: readonly string[],
): Promise<RetiredDocument[]> {
  const documents = await tx.rows<Omit<RetiredDocument, 'scopes'>>(sql`
    DELETE FROM document WHERE workspace_id = ${workspaceId} AND id = ANY (${[...documentIds]}::uuid[])
    RETURNING id, path, uploaded_as, title, title_key, kind, content_hash, uploaded_at, created_at`)
  if (documents.length === 0) return []
  const ids = documents.map(({ id }) => id)
  await tx.rows(sql`
    UPDATE version SET state = 'retired', settled = false
    WHERE workspace_id = ${workspaceId} AND document_id = ANY (${ids}::uuid[])`)
  const scopes = await tx.rows<{ document_id: string; name: string }>(sql`
    DELETE FROM scope_document WHERE workspace_id = ${workspaceId} AND document_id = ANY (${ids}::uuid[])
    RETURNING document_id, name`)
  await tx.rows(sql`UPDATE workspace SET updated_at = now() WHERE id = ${workspaceId}`)
  return documents.map((document) => ({
    ...document,
    scopes: scopes.filter((scope) => scope.document_id === document.id).map(({ name }) => name),
  }))
}

/** Whether the version is still the document's live one. Locks the document for replacement until the transaction ends. */
export async function lockLiveVersion(
  tx: Queryable,
  key: { workspaceId: string; documentId: string; versionId: string },
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM document WHERE workspace_id = ${key.workspaceId} AND id = ${key.documentId}
      AND version_id = ${key.versionId} FOR UPDATE`)
  return rows.length > 0
}

/** Whether the versions are still the documents' live ones. Until the transaction ends none of them can be replaced. */
export async function lockLiveVersions(
  tx: Queryable,
  workspaceId: string,
  versions: readonly { documentId: string; versionId: string }[],
): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM document d JOIN unnest(${versions.map(({ documentId }) => documentId)}::uuid[],
      ${versions.map(({ versionId }) => versionId)}::uuid[]) AS held (id, version_id) USING (id, version_id)
    WHERE d.workspace_id = ${workspaceId} ORDER BY d.id FOR SHARE OF d`)
  return rows.length === versions.length
}
