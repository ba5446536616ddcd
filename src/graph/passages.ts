// An entity's evidence: what a person reads to believe the graph.

import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { decodeCursor, encodeCursor } from '../auth/cursor.ts'
import type { Evidence, Page } from '../contract/resources.ts'
import { notFound } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import { selectEntity } from './graph.sql.ts'
import { type PassagePosition, type PassageRow, selectPassages } from './passages.sql.ts'

export interface EvidenceQuery {
  /** Only passages that say how the two are related. */
  with?: string | undefined
  limit: number
  cursor?: string | null | undefined
}

// A citation's length: what can be read at a glance.
const WINDOW = 1500

/** The passages that mention an entity, in pages. @throws ApiError 404, 422 for a cursor of another request */
export async function listEvidence(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  entityId: string,
  query: EvidenceQuery,
): Promise<Page<Evidence>> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const binding = ['evidence', workspaceId, principal(caller), entityId, query.with ?? '']
  const after = query.cursor
    ? decodeCursor<PassagePosition>(deps.cursorKey, binding, query.cursor)
    : undefined
  if (!(await selectEntity(deps.db, workspaceId, entityId))) throw notFound()
  const wanted = { entityId, withEntity: query.with, after, limit: query.limit + 1 }
  const found = await selectPassages(deps.db, workspaceId, wanted)
  const rows = found.slice(0, query.limit)
  const last = found.length > rows.length ? rows.at(-1) : undefined
  return {
    data: rows.map(evidenceOf),
    has_more: last !== undefined,
    next_cursor: last
      ? encodeCursor(deps.cursorKey, binding, {
          documentId: last.document_id,
          chunkNo: last.chunk_no,
        } satisfies PassagePosition)
      : null,
  }
}

/** At most 1,500 characters from shortly before the first span, cut between words; spans that stand in it. */
function evidenceOf({ chunk_no: _no, text, spans, ...row }: PassageRow): Evidence {
  const ordered = spans.toSorted((a, b) => a.start - b.start)
  const first = ordered[0]?.start ?? 0
  const wish = text.length <= WINDOW ? 0 : Math.max(0, first - WINDOW / 4)
  const from = wish === 0 ? 0 : Math.min(first, text.indexOf(' ', wish) + 1 || wish)
  const end =
    from + WINDOW >= text.length
      ? text.length
      : Math.max(text.lastIndexOf(' ', from + WINDOW), from + WINDOW / 2)
  return {
    ...row,
    text: text.slice(from, end).toWellFormed(),
    spans: ordered
      .filter((span) => span.start >= from && span.end <= end)
      .map((span) => ({ start: span.start - from, end: span.end - from })),
  }
}
