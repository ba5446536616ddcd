// The places of a document's chunks (extension): headings for an outline, boxes for marks on the images of its pages.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { ChunkPlace, ChunkPlaces, Page } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { type PlaceRow, selectDocument, selectPlaces, selectPlacesOf } from './documents.sql.ts'

/**
 * A page of the places of the document's chunks, in reading order.
 * @throws ApiError 404; 422 when the document was replaced between two pages
 */
export async function listDocumentLayout(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  query: PageQuery,
): Promise<Page<ChunkPlace>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (!document) throw notFound()
  const binding = ['layout', workspaceId, documentId, document.version_id, principal(caller)]
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: number | undefined, limit) =>
      selectPlaces(deps.db, workspaceId, document.version_id, { after: after ?? -1, limit }),
    positionOf: (row) => row.chunk_no,
  })
  return { data: rows.map(toPlace), ...next }
}

/**
 * The places of the given chunks, in any order. Chunks that are in no document of the workspace are left out.
 * @throws ApiError 404 if the caller may not read the workspace
 */
export async function listChunkPlaces(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  workspaceId: string,
  ids: readonly string[],
): Promise<ChunkPlaces> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  return { data: (await selectPlacesOf(deps.db, workspaceId, ids)).map(toPlace) }
}

const toPlace = ({ chunk_no: _no, boxes, ...row }: PlaceRow): ChunkPlace => ({ ...row, boxes: boxes ?? [] })
