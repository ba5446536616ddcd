// Listing documents by title, and reading a document as chunks in order (spec, "Rules for documents, jobs and uploads").

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { decodeCursor, encodeCursor, type PageQuery, readPage } from '../auth/cursor.ts'
import type { Chunk, Document, DocumentContent, Page } from '../contract/resources.ts'
import { type ApiError, invalid, notFound } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import {
  containing,
  selectChunks,
  selectDocument,
  selectDocuments,
  selectStart,
  type TitlePosition,
} from './documents.sql.ts'
import { type Linking, passageUrl } from './passage-url.ts'

type Needs = Pick<Deps, 'db' | 'cursorKey'>

/** Ordered by case-folded title, then id; `q` is a case-insensitive substring of the title. */
export async function listDocuments(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  query: PageQuery & { q?: string | null | undefined },
): Promise<Page<Document>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['documents', workspaceId, principal(caller), query.q ?? '']
  const like = query.q ? containing(titleKey(query.q)) : undefined
  const { rows, ...next } = await readPage(
    deps,
    binding,
    query,
    (after: TitlePosition | undefined, limit) =>
      selectDocuments(deps.db, workspaceId, { like, after, limit }),
    (row) => ({ key: row.title_key, id: row.id }),
  )
  return { data: rows.map(({ title_key: _key, ...document }) => document), ...next }
}

/** Sort key of a title, the same on every database: case-folded, and cut to fit an index entry (2,704 bytes). */
export const titleKey = (title: string): string => fold(title).slice(0, 500)

interface ReadPosition {
  version: string
  from: number
}

/**
 * About `max_chars` characters of chunk text per page, at least one chunk, in reading order.
 * @throws ApiError 404; 422 when the document was replaced between two pages
 */
export async function readDocument(
  deps: Needs & Linking & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
  query: { max_chars: number; cursor?: string | null | undefined },
): Promise<DocumentContent> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (!document) throw notFound()
  const binding = ['document', workspaceId, documentId, principal(caller), String(query.max_chars)]
  const position = query.cursor
    ? decodeCursor<ReadPosition>(deps.cursorKey, binding, query.cursor)
    : { version: document.version_id, from: 0 }
  if (position.version !== document.version_id) {
    throw changed()
  }
  const rows = await selectChunks(deps.db, workspaceId, position.version, position.from, query.max_chars)
  if (rows[0]?.chunk_no !== position.from && document.chunk_count > 0) throw changed()
  deps.use?.opened(workspaceId, documentId, caller.userId)
  const next = (rows.at(-1)?.chunk_no ?? document.chunk_count) + 1
  const more = next < document.chunk_count
  return {
    id: document.id,
    title: document.title,
    total_chunks: document.chunk_count,
    chunks: rows.map(({ chunk_no: _no, ...chunk }) => ({
      ...chunk,
      document_id: document.id,
      document_title: document.title,
      source_url: passageUrl(deps, workspaceId, {
        document_id: document.id,
        chunk_id: chunk.id,
        page: chunk.page,
      }),
    })),
    has_more: more,
    next_cursor: more
      ? encodeCursor(deps.cursorKey, binding, {
          version: position.version,
          from: next,
        } satisfies ReadPosition)
      : null,
  }
}

/** The document was replaced between two pages or, very rarely, between the two statements of one. */
const changed = (): ApiError =>
  invalid(
    ['query', 'cursor'],
    'The document has changed since the previous page; start again without a cursor',
    'cursor_invalid',
  )

/** Where to start reading. A number is a position in reading order, from 0. */
export type Start = number | { chunk: string } | { page: number }

export interface Passages {
  id: string
  title: string
  /** It changes when the document is replaced meanwhile. */
  version: string
  total: number
  /** Position of the first of `chunks`. */
  from: number
  chunks: Pick<Chunk, 'id' | 'text' | 'type' | 'page'>[]
}

/**
 * About `maxChars` characters of consecutive chunks, for readers that do not page by characters. An unknown chunk starts at the
 * beginning, and a page beyond the last one gives nothing. @throws ApiError 404
 */
export async function readPassages(
  deps: Pick<Deps, 'db'> & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  workspaceId: string,
  documentId: string,
  { start, maxChars }: { start: Start; maxChars: number },
): Promise<Passages> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (!document) throw notFound()
  const { id, title, version_id: version, chunk_count: total } = document
  const position = typeof start === 'number' ? start : await selectStart(deps.db, workspaceId, version, start)
  const from = position ?? (typeof start === 'object' && 'page' in start ? total : 0)
  const rows = await selectChunks(deps.db, workspaceId, version, from, maxChars)
  deps.use?.opened(workspaceId, id, caller.userId)
  return { id, title, version, total, from, chunks: rows.map(({ chunk_no: _no, ...chunk }) => chunk) }
}
