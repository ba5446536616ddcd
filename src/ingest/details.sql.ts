// Selects documents with the details that a list of files shows: kind, pages, time, state.

import sql, { empty, join, type Sql } from 'sql-template-tag'
import { likePattern } from '../documents/documents.sql.ts'
import { isInScope } from '../documents/scopes.sql.ts'
import type { Queryable } from '../ports/db/db.ts'
import { isIncomplete } from './progress.sql.ts'

export type Sort = 'title' | 'kind' | 'pages' | 'chunk_count' | 'uploaded_at'

export interface DetailsRow {
  id: string
  title: string
  path: string
  kind: string
  pages: number | null
  chunk_count: number
  has_tables: boolean
  uploaded_at: Date
  complete: boolean
  /** The exact value by which the list is sorted. */
  key: string
}

export interface DetailsPosition {
  key: string
  id: string
}

/** The values by which a list can be sorted. Each has its type, because the position of a page is sent as text. */
const SORT_KEYS: Record<Sort, [value: Sql, type: Sql]> = {
  title: [sql`d.title_key`, sql`text COLLATE "C"`],
  kind: [sql`d.kind COLLATE "C"`, sql`text COLLATE "C"`],
  pages: [sql`coalesce(d.pages, 0)`, sql`integer`],
  chunk_count: [sql`d.chunk_count`, sql`integer`],
  uploaded_at: [sql`d.uploaded_at`, sql`timestamptz`],
}

const isComplete = (workspaceId: string, document: Sql): Sql => sql`NOT EXISTS (
  SELECT 1 FROM version v WHERE v.workspace_id = ${workspaceId} AND v.id = ${document}.version_id
    AND v.state = 'live' AND ${isIncomplete(workspaceId, sql`v`)})`

const detailsColumns = (
  key: Sql,
): Sql => sql`d.id, d.title, d.path, d.kind, d.pages, d.chunk_count, d.has_tables, d.uploaded_at,
  ${key}::text AS key`

interface DetailsPageQuery {
  /** Case-folded words, each a part of the title or path. */
  q: string | undefined
  scope: string | undefined
  sort: Sort
  order: 'asc' | 'desc'
  after: DetailsPosition | undefined
  limit: number
}

// Each word is compared with every title of the workspace.
const MAX_WORDS = 20

const hasWord = (word: string): Sql =>
  sql`AND (d.title_key LIKE ${likePattern(word)} OR lower(d.path) LIKE ${likePattern(word)})`

/** A page of documents. The inner statement selects the rows, so that the state is looked up only for them. */
export function selectDetails(
  db: Queryable,
  workspaceId: string,
  page: DetailsPageQuery,
): Promise<DetailsRow[]> {
  const { q, scope, sort, order, after, limit } = page
  const [key, type] = SORT_KEYS[sort]
  const direction = order === 'desc' ? sql`DESC` : empty
  const comparison = order === 'desc' ? sql`<` : sql`>`
  const rows = sql`
    SELECT d.version_id, row_number() OVER (ORDER BY ${key} ${direction}, d.id ${direction}) AS no,
      ${detailsColumns(key)}
    FROM document d
    WHERE d.workspace_id = ${workspaceId}
      ${join([empty, ...(q ?? '').split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).map(hasWord)], ' ')}
      ${scope === undefined ? empty : sql`AND ${isInScope(workspaceId, scope)}`}
      ${after ? sql`AND (${key}, d.id) ${comparison} (${after.key}::text::${type}, ${after.id}::uuid)` : empty}
    ORDER BY ${key} ${direction}, d.id ${direction} LIMIT ${limit}`
  return db.rows(
    sql`SELECT d.*, ${isComplete(workspaceId, sql`d`)} AS complete FROM (${rows}) d ORDER BY d.no`,
  )
}

export async function selectDetailsOf(
  db: Queryable,
  workspaceId: string,
  documentId: string,
): Promise<DetailsRow | undefined> {
  const [row] = await db.rows<DetailsRow>(sql`
    SELECT ${detailsColumns(sql`''`)}, ${isComplete(workspaceId, sql`d`)} AS complete FROM document d
    WHERE d.workspace_id = ${workspaceId} AND d.id = ${documentId}`)
  return row
}
