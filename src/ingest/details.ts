// Documents with the details that a list of files shows (extension): kind, pages, size, who uploaded them and when, when the reader
// opened them, and whether they are complete.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { DocumentDetails, Page } from '../contract/resources.ts'
import { titleKey } from '../documents/documents.ts'
import { normaliseFolder } from '../documents/folders.ts'
import { hasScope } from '../documents/scopes.sql.ts'
import { selectLastOpened } from '../documents/use.sql.ts'
import { ApiError, notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { hasPageImages } from '../reader/reader.ts'
import {
  type DetailsPosition,
  type DetailsRow,
  type Sort,
  selectDetails,
  selectDetailsOf,
} from './details.sql.ts'

const NO_SUCH_SCOPE =
  'This workspace has no scope of that name: GET /workspaces/{workspace_id}/scopes lists them.'

interface DetailsQuery extends PageQuery {
  /** Words of the title or path, or parts of them, in any order and case. */
  q?: string | null | undefined
  scope?: string | null | undefined
  /** Only documents in this folder and below it. The root means all documents. */
  folder?: string | null | undefined
  sort: Sort
  order: 'asc' | 'desc'
}

/** @throws ApiError 404, also for a scope that does not exist; 422 */
export async function listDocumentDetails(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: DetailsQuery,
): Promise<Page<DocumentDetails>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const { sort, order } = query
  const [q, scope] = [query.q || undefined, query.scope || undefined]
  if (scope !== undefined && !(await hasScope(deps.db, workspaceId, scope)))
    throw new ApiError(404, 'not_found', NO_SUCH_SCOPE)
  const folder = normaliseFolder(query.folder ?? '') || undefined
  const binding = ['details', workspaceId, principal(caller), q ?? '', scope ?? '', folder ?? '', sort, order]
  const reader = readerOf(caller)
  const filter = { q: q === undefined ? undefined : titleKey(q), scope, folder, reader, sort, order }
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: DetailsPosition | undefined, limit) =>
      selectDetails(deps.db, workspaceId, { ...filter, after, limit }),
    positionOf: ({ key, id }) => ({ key, id }),
  })
  return { data: await withLastOpened(deps, reader, workspaceId, rows), ...next }
}

/** @throws ApiError 404 */
export async function getDocumentDetails(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
): Promise<DocumentDetails> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const row = await selectDetailsOf(deps.db, workspaceId, documentId)
  const [document] = await withLastOpened(deps, readerOf(caller), workspaceId, row ? [row] : [])
  if (!document) throw notFound()
  return document
}

/** The account of the caller. Null for an API key, so that a leaked key does not reveal what a person reads. */
const readerOf = (caller: Caller): string | null => (caller.auth === 'api_key' ? null : caller.userId)

async function withLastOpened(
  { db }: Pick<Deps, 'db'>,
  reader: string | null,
  workspaceId: string,
  rows: readonly DetailsRow[],
): Promise<DocumentDetails[]> {
  const ids = rows.map(({ id }) => id)
  const days = reader === null ? undefined : await selectLastOpened(db, workspaceId, reader, ids)
  return rows.map((row) => toDetails(row, days?.get(row.id) ?? null))
}

const toDetails = (row: DetailsRow, openedOn: string | null): DocumentDetails => ({
  id: row.id,
  title: row.title,
  filename: row.path,
  kind: row.kind,
  pages: row.pages,
  page_images: hasPageImages(row.kind),
  chunk_count: row.chunk_count,
  has_tables: row.has_tables,
  bytes: row.bytes,
  uploaded_at: row.uploaded_at.toISOString(),
  uploaded_by: row.uploaded_by,
  opened_on: openedOn,
  state: row.complete ? 'complete' : 'searchable',
})
