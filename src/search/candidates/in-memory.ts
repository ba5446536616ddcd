// Selects the best chunks with a ranking in memory, for any filter except a phrase. The ranking has no mentions of entities. They
// are read from the database, either for the best chunks one by one or for all chunks at once, whichever is cheaper.

import type { Queryable } from '../../ports/db/db.ts'
import {
  chunkPositionOf,
  type RankedChunk,
  type Ranking,
  type RankingRequest,
  rank,
  selectBest,
  withIdsAndDocument,
} from '../memory/ranking.ts'
import {
  countMentions,
  type Filter,
  selectDocuments,
  selectFirstMentioning,
  selectMentioning,
} from './filter.sql.ts'

// Checking whether a chunk mentions an entity takes 12 µs, as long as reading four mentions.
const COST_OF_CHECK = 4
// Twice as many chunks are checked as would be needed if mentions and words were independent.
const CHECK_FACTOR = 2

/** Undefined if too many documents pass the filter. */
export async function bestInMemory(
  db: Queryable,
  workspaceId: string,
  ranking: Ranking,
  {
    query,
    limit,
    filter,
    chunks,
  }: Pick<RankingRequest, 'query' | 'limit'> & { filter: Filter; chunks: number },
): Promise<RankedChunk[] | undefined> {
  const documentLimits = await selectDocuments(db, workspaceId, filter)
  if (!documentLimits) return undefined
  const { entityIds } = filter
  if (!entityIds) return selectBest(ranking, { query, limit, ...documentLimits })
  const mentions = await countMentions(db, workspaceId, entityIds)
  const checks = limit * Math.max(1, chunks / Math.max(1, mentions))
  if (checks * COST_OF_CHECK < mentions) {
    const ranked = rank(ranking, { query, limit: Math.ceil(CHECK_FACTOR * checks), ...documentLimits })
    const firstPositions = await selectFirstMentioning(db, workspaceId, entityIds, {
      chunks: ranked.map(chunkPositionOf),
      limit,
    })
    if (firstPositions.length === limit || ranked.length < CHECK_FACTOR * checks)
      return firstPositions
        .flatMap((position) => ranked.slice(position, position + 1))
        .map((candidate) => withIdsAndDocument(candidate, query))
  }
  return selectBest(ranking, {
    query,
    limit,
    ...documentLimits,
    chunks: await selectMentioning(db, workspaceId, entityIds),
  })
}
