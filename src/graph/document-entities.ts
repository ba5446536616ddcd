// The entities of a document or of one of its pages (extension).

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { DocumentEntity, Page } from '../contract/resources.ts'
import { selectDocument } from '../documents/documents.sql.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { type MentionedPosition, selectDocumentEntities } from './document-entities.sql.ts'

/** The most mentioned entities first; empty until the document is in the graph. @throws ApiError 404, 422 */
export async function listDocumentEntities(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, documentId }: { workspaceId: string; documentId: string },
  query: PageQuery & { page?: number | undefined },
): Promise<Page<DocumentEntity>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const document = await selectDocument(deps.db, workspaceId, documentId)
  if (!document) throw notFound()
  const { page } = query
  const { rows, ...next } = await readPage(deps, {
    binding: ['document entities', workspaceId, documentId, principal(caller), String(page ?? '')],
    page: query,
    select: (after: MentionedPosition | undefined, limit) =>
      selectDocumentEntities(deps.db, workspaceId, document.version_id, { page, after, limit }),
    positionOf: ({ mentions, id }) => ({ mentions, id }),
  })
  return { data: rows, ...next }
}
