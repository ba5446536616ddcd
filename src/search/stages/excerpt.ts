// The last stage: the passages that are shown, and the excerpt of each.

import type { Chunk } from '../../contract/resources.ts'
import type { Queryable } from '../../ports/db/db.ts'
import type { Ranked } from '../fusion.ts'
import type { Passage } from '../passage.ts'
import { trimTable, withMatchingTableFirst } from '../table.ts'
import type { ParsedQuery } from './parse.ts'
import { MIN_TABLE_RANGE, type Order, readDistinct } from './passages.ts'

export interface Excerpts {
  /** More passages than are shown, because a table with a matching row is moved up from among them. */
  ranked: readonly Ranked[]
  /** Best first; ties by chunk id. */
  passages: Passage[]
  nearDuplicates: number
}

/** @param isReranked whether a reranking model has already read the tables */
export async function excerpt(
  db: Queryable,
  workspaceId: string,
  query: ParsedQuery,
  { ranked, hits, isReranked }: Order & { isReranked: boolean },
): Promise<Excerpts> {
  const { request, text, chunks, targets } = query
  const readingLimits = { chunks, limit: Math.max(request.limit, MIN_TABLE_RANGE) }
  const { passages, nearDuplicates } = await readDistinct(db, workspaceId, { ranked, hits }, readingLimits)
  const ordered = isReranked ? passages : withMatchingTableFirst(passages, text)
  const preferenceOf = (id: string): number => (targets.factors.get(id) ?? 1) - 1
  const maxPreference = preferenceOf(targets.best[0] ?? '')
  const withPreference = (passage: Passage): Passage =>
    maxPreference > 0 ? { ...passage, meant: preferenceOf(passage.document_id) / maxPreference } : passage
  return {
    ranked: ordered,
    passages: ordered.slice(0, request.limit).map(withPreference),
    nearDuplicates,
  }
}

/** Returns a function that makes the excerpt of a passage: its whole text, or only the matching rows of a large table. */
export function excerptOf({ text: query, terms }: ParsedQuery): (passage: Passage) => Chunk {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]))
  return ({ chunk_id: id, document_id, document_title, type, page, language, text: chunkText }) => ({
    id,
    text: type === 'table' ? trimTable(chunkText, query, language, weights) : chunkText,
    document_id,
    document_title,
    type,
    page,
  })
}
