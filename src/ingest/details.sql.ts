// Selects documents with the details that a list of files shows: kind, pages, time, state.

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { fileSize } from '../documents/documents.sql.ts'
import { isInFolder } from '../documents/folders.sql.ts'
import { isInScope } from '../documents/scopes.sql.ts'
import { lastOpened } from '../documents/use.sql.ts'
import { inAnyCase } from '../language/letter-case.ts'
import type { Queryable } from '../ports/db/db.ts'
import { isIncomplete } from './progress.sql.ts'

export type Sort = 'title' | 'kind' | 'pages' | 'chunk_count' | 'bytes' | 'uploaded_at' | 'opened_on'

export interface DetailsRow {
  id: string
  title: string
  path: string
  kind: string
  pages: number | null
  chunk_count: number
  has_tables: boolean
  bytes: number | null
  uploaded_at: Date
  uploaded_by: string | null
  complete: boolean
  /** The exact value by which the list is sorted. */
  key: string
}

export interface DetailsPosition {
  key: string
  id: string
}

/** The values by which a list can be sorted, and their types, because the position of a page is sent as text. */
const sortKey = (workspaceId: string): Record<Sort, [value: Sql, type: Sql]> => ({
  title: [sql`d.title_key`, sql`text COLLATE "C"`],
  kind: [sql`d.kind COLLATE "C"`, sql`text COLLATE "C"`],
  pages: [sql`coalesce(d.pages, 0)`, sql`integer`],
  chunk_count: [sql`d.chunk_count`, sql`integer`],
  bytes: [sql`coalesce(${fileSize(workspaceId)}, 0)`, sql`float8`],
  uploaded_at: [sql`d.uploaded_at`, sql`timestamptz`],
  opened_on: [sql`coalesce(o.day, '-infinity'::date)`, sql`date`],
})

const isComplete = (workspaceId: string, document: Sql): Sql => sql`NOT EXISTS (
  SELECT 1 FROM version v WHERE v.workspace_id = ${workspaceId} AND v.id = ${document}.version_id
    AND v.state = 'live' AND ${isIncomplete(workspaceId, sql`v`)})`

const detailsColumns = sql`d.id, d.title, d.path, d.kind, d.pages, d.chunk_count, d.has_tables, d.uploaded_at`

/** The columns that are computed only for the rows of a page. */
const pageColumns = (workspaceId: string): Sql => sql`
  ${isComplete(workspaceId, sql`d`)} AS complete, ${fileSize(workspaceId)} AS bytes,
  (SELECT v.uploaded_by FROM document_version v
    WHERE v.workspace_id = ${workspaceId} AND v.document_id = d.id AND v.content_hash = d.content_hash) AS uploaded_by`

interface DetailsPageQuery {
  /** Case-folded words, each a part of the title or path. */
  q: string | undefined
  scope: string | undefined
  folder: string | undefined
  /** The account that reads the list, or null for an API key, which has opened nothing. */
  reader: string | null
  sort: Sort
  order: 'asc' | 'desc'
  after: DetailsPosition | undefined
  limit: number
}

// The maximum number of words. Each is compared with every title of the workspace.
const MAX_WORDS = 20

const hasWord = (word: string): Sql =>
  sql`AND (d.title_key ~ ${inAnyCase(word)} OR d.path ~ ${inAnyCase(word)})`

/** A page of documents. The inner statement selects the rows, so that `pageColumns` are computed only for them. */
export function selectDetails(
  db: Queryable,
  workspaceId: string,
  page: DetailsPageQuery,
): Promise<DetailsRow[]> {
  const { q, scope, folder, sort, order, reader, after, limit } = page
  const [key, type] = sortKey(workspaceId)[sort]
  const opened = sql`LEFT JOIN (${lastOpened(workspaceId, reader)}) o ON o.document_id = d.id`
  const direction = order === 'desc' ? sql`DESC` : empty
  const comparison = order === 'desc' ? sql`<` : sql`>`
  const rows = sql`
    SELECT d.version_id, d.content_hash, row_number() OVER (ORDER BY k.key ${direction}, d.id ${direction}) AS no,
      ${detailsColumns}, k.key::text AS key
    FROM document d ${sort === 'opened_on' ? opened : empty} CROSS JOIN LATERAL (SELECT ${key} AS key) k
    WHERE d.workspace_id = ${workspaceId}
      ${join([empty, ...(q ?? '').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).map(hasWord)], ' ')}
      ${scope === undefined ? empty : sql`AND ${isInScope(workspaceId, scope)}`}
      ${folder === undefined ? empty : sql`AND ${isInFolder(folder)}`}
      ${after ? sql`AND (k.key, d.id) ${comparison} (${after.key}::text::${type}, ${after.id}::uuid)` : empty}
    ORDER BY k.key ${direction}, d.id ${direction} LIMIT ${limit}`
  return db.rows(sql`SELECT d.*, ${pageColumns(workspaceId)} FROM (${rows}) d ORDER BY d.no`)
}

export async function selectDetailsOf(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<DetailsRow | undefined> {
  const [row] = await db.rows<DetailsRow>(sql`
    SELECT ${detailsColumns}, '' AS key, ${pageColumns(workspaceId)} FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}`)
  return row
}
