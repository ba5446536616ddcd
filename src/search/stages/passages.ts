// Reads the first passages of an order of chunks, without near-duplicates, and only as many as a stage needs.

import type { Queryable } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import { type Ranked, withoutNearDuplicates } from '../fusion.ts'
import { type Hit, selectPassages } from '../passage.sql.ts'
import type { Passage } from '../passage.ts'

/** A table with a matching row is moved up if it is among at least this many passages. */
export const MIN_TABLE_RANGE = 10
/** This many more passages are read than are shown, to replace near-duplicates. More are read only if these are not enough. */
export const SPARE_PASSAGES = 5

/** Chunks in order, and those of their passages that have been read. */
export interface Order {
  ranked: readonly Ranked[]
  hits: readonly Hit[]
}

export interface DistinctPassages {
  passages: (Passage & Hit)[]
  /** How many were left out because they are near-duplicates of better ones. */
  nearDuplicates: number
}

/** The first `limit` passages without near-duplicates of better ones. More and more are read until there are enough. */
export async function readDistinct(
  db: Queryable,
  workspaceId: string,
  { ranked, hits }: Order,
  { chunks, limit }: { chunks: number; limit: number },
): Promise<DistinctPassages> {
  const hitById = new Map(hits.map((hit) => [hit.chunk_id, hit]))
  const firstUnread = ranked.findIndex(({ chunk_id }) => !hitById.has(chunk_id))
  const all = ranked.length
  for (const depth of [firstUnread < 0 ? all : firstUnread, limit + SPARE_PASSAGES, limit * 2 + 10, all]) {
    const first = ranked.slice(0, depth)
    const missingIds = first.map(({ chunk_id }) => chunk_id).filter((id) => !hitById.has(id))
    if (missingIds.length)
      for (const hit of await span('search: passages', {}, () =>
        selectPassages(db, workspaceId, missingIds, chunks),
      ))
        hitById.set(hit.chunk_id, hit)
    const passages = first.flatMap(({ chunk_id, score }) => {
      const hit = hitById.get(chunk_id)
      return hit ? [{ ...hit, score }] : []
    })
    const distinctPassages = withoutNearDuplicates(passages)
    if (distinctPassages.length >= limit || depth >= all)
      return {
        passages: distinctPassages.slice(0, limit),
        nearDuplicates: passages.length - distinctPassages.length,
      }
  }
  return { passages: [], nearDuplicates: 0 }
}
