// The evidence of an entity: the passages with which a person can check the graph.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Evidence, Page } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  type PassagePosition,
  type PassageQuery,
  type PassageRow,
  selectPassages,
} from './entity-evidence.sql.ts'
import { selectEntity } from './graph.sql.ts'

interface EvidenceQuery extends PageQuery {
  /** Another entity: limits the passages to those that state a relation between the two. */
  with?: string | undefined
}

// As long as the text of a citation.
const MAX_TEXT_CHARACTERS = 1500

/** The passages that mention an entity, in pages. @throws ApiError 404, 422 for a cursor of another request */
export async function listEvidence(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  { workspaceId, entityId }: { workspaceId: string; entityId: string },
  query: EvidenceQuery,
): Promise<Page<Evidence>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['evidence', workspaceId, principal(caller), entityId, query.with ?? '']
  if (!(await selectEntity(deps.db, workspaceId, entityId))) throw notFound()
  const { rows, ...next } = await readPage(deps, {
    binding,
    page: query,
    select: (after: PassagePosition | undefined, limit) =>
      selectPassages(deps.db, workspaceId, { entityId, withEntity: query.with, after, limit }),
    positionOf: (row) => ({ documentId: row.document_id, chunkNo: row.chunk_no }),
  })
  return { data: rows.map(evidenceOf), ...next }
}

/** The first passages that mention an entity, or that state its relation to another. The caller of this function checks access. */
export const passagesOf = async (
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  query: PassageQuery,
): Promise<Evidence[]> => (await selectPassages(deps.db, workspaceId, query)).map(evidenceOf)

/** The text from shortly before the first span, cut between words, with the spans inside it. */
function evidenceOf({ chunk_no: _no, text, spans, ...row }: PassageRow): Evidence {
  const orderedSpans = spans.toSorted((a, b) => a.start - b.start)
  const firstSpanStart = orderedSpans[0]?.start ?? 0
  const earliestStart =
    text.length <= MAX_TEXT_CHARACTERS ? 0 : Math.max(0, firstSpanStart - MAX_TEXT_CHARACTERS / 4)
  const from =
    earliestStart === 0 ? 0 : Math.min(firstSpanStart, text.indexOf(' ', earliestStart) + 1 || earliestStart)
  const end =
    from + MAX_TEXT_CHARACTERS >= text.length
      ? text.length
      : Math.max(text.lastIndexOf(' ', from + MAX_TEXT_CHARACTERS), from + MAX_TEXT_CHARACTERS / 2)
  return {
    ...row,
    text: text.slice(from, end).toWellFormed(),
    spans: orderedSpans
      .filter((span) => span.start >= from && span.end <= end)
      .map((span) => ({ start: span.start - from, end: span.end - from })),
  }
}
