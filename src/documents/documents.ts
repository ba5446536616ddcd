// Listing documents by title, and reading a document as chunks in order (spec, "Rules for documents, jobs and uploads").

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { decodeCursor, encodeCursor, type PageQuery, readPage } from '../auth/cursor.ts'
import type { Chunk, Document, DocumentContent, Page } from '../contract/resources.ts'
import { type ApiError, invalid, notFound } from '../errors.ts'
import { inAnyCase } from '../language/letter-case.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type DocumentRow,
  selectChunks,
  selectDocument,
  selectDocuments,
  selectStart,
  type TitlePosition,
} from './documents.sql.ts'
import { type LinkDeps, passageUrl } from './passage-url.ts'

type DocumentDeps = Pick<Deps, 'db' | 'cursorKey'>

/** A page of documents, ordered by case-folded title, then by id. `q` is a part of the title, in any case. */
export async function listDocuments(
  deps: DocumentDeps,
  caller: Caller,
  workspaceId: string,
  query: PageQuery & { q?: string | null | undefined },
): Promise<Page<Document>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['documents', workspaceId, principal(caller), query.q ?? '']
  const pattern = query.q ? inAnyCase(titleKey(query.q)) : undefined
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: TitlePosition | undefined, limit) =>
      selectDocuments(deps.db, workspaceId, { pattern, after, limit }),
    positionOf: (row) => ({ key: row.title_key, id: row.id }),
  })
  return { data: rows.map(toDocument), ...next }
}

export const toDocument = ({ title_key: _key, uploaded_at, ...document }: DocumentRow): Document => ({
  ...document,
  uploaded_at: uploaded_at.toISOString(),
})

/** The key by which titles are sorted, the same on every database: case-folded, and cut to fit an index entry (2,704 bytes). */
export const titleKey = (title: string): string => fold(title).slice(0, 500)

interface ReadPosition {
  version: string
  from: number
}

/**
 * A page of the document's chunks in reading order: about `max_chars` characters, but at least one chunk.
 * @throws ApiError 404; 422 when the document was replaced between two pages
 */
export async function readDocument(
  deps: DocumentDeps & LinkDeps & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
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
    throw cursorInvalid()
  }
  const rows = await selectChunks(deps.db, workspaceId, position.version, {
    from: position.from,
    maxChars: query.max_chars,
  })
  if (rows[0]?.chunk_no !== position.from && document.chunk_count > 0) throw cursorInvalid()
  deps.use?.opened(workspaceId, documentId, caller.userId)
  const nextChunk = (rows.at(-1)?.chunk_no ?? document.chunk_count) + 1
  const hasMore = nextChunk < document.chunk_count
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
    has_more: hasMore,
    next_cursor: hasMore
      ? encodeCursor(deps.cursorKey, binding, {
          version: position.version,
          from: nextChunk,
        } satisfies ReadPosition)
      : null,
  }
}

/** The error when the document was replaced between two pages or, very rarely, between the two statements of one page. */
const cursorInvalid = (): ApiError =>
  invalid(
    ['query', 'cursor'],
    'The document has changed since the previous page; start again without a cursor',
    'cursor_invalid',
  )

/** Where reading starts: a position in reading order (from 0), a chunk by its id or the first digits of it, or a page. */
export type StartPosition = number | { chunk: string } | { page: number }

export interface Passages {
  id: string
  title: string
  /** The version that was read. Another version means that the document was replaced. */
  version: string
  total: number
  /** The position of the first of `chunks` in the document. */
  from: number
  chunks: Pick<Chunk, 'id' | 'text' | 'type' | 'page'>[]
}

/**
 * About `maxChars` characters of consecutive chunks, for readers that do not page with cursors. If the given chunk does not
 * exist, reading starts at the beginning; a page beyond the last one has no chunks. @throws ApiError 404
 */
export async function readPassages(
  deps: Pick<Deps, 'db'> & Partial<Pick<Deps, 'use'>>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  { start, maxChars }: { start: StartPosition; maxChars: number },
): Promise<Passages> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (!document) throw notFound()
  const { id, title, version_id: versionId, chunk_count: total } = document
  const position =
    typeof start === 'number' ? start : await selectStart(deps.db, workspaceId, versionId, start)
  const from = position ?? (typeof start === 'object' && 'page' in start ? total : 0)
  const rows = await selectChunks(deps.db, workspaceId, versionId, { from, maxChars })
  deps.use?.opened(workspaceId, id, caller.userId)
  return {
    id,
    title,
    version: versionId,
    total,
    from,
    chunks: rows.map(({ chunk_no: _no, ...chunk }) => chunk),
  }
}
