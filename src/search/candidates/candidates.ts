// Candidates of a query: taken from the index if they are sure to include the best, or are many and to be sure would cost too
// much; otherwise all chunks; for a query of stop words, chunks that contain it literally.

import type { AnalysedText } from '../../language/analysed-text.ts'
import type { Db } from '../../ports/db/db.ts'
import type { Ranking } from '../memory/ranking.ts'
import { sideOf, singleOf, type Understood } from '../query/query.ts'
import { type Found, selectCandidates, selectRanked, type WeighedMeaning } from './candidates.sql.ts'
import type { Required } from './filter.sql.ts'
import { bestInMemory } from './in-memory.ts'
import { selectLiteral } from './literal.ts'
import { narrowToPhrase, narrowWithin } from './narrow.ts'

export interface Wanted {
  query: AnalysedText
  known: Understood
  required: Required
  meaning: WeighedMeaning | undefined
  /** Whether the index may be used; otherwise every chunk is scored. */
  isNarrowed: boolean
  /** The workspace's chunks, where they are kept in memory. */
  ranking: Ranking | undefined
  /** So many are ranked. */
  limit: number
  /** So many of them the caller will look at. */
  shown: number
}

/** Where candidates came from: all chunks that pass the filter, the index, a quoted phrase, or a text of stop words. */
export type Source = 'all' | 'index' | 'phrase' | 'literal' | 'none'

/** Candidates in the order of their score by words. */
export async function findCandidates(
  db: Db,
  workspaceId: string,
  { query, known, required, meaning, isNarrowed, ranking, limit, shown }: Wanted,
): Promise<Found & { source: Source }> {
  const { terms, chunks } = known
  if (terms.length === 0) {
    const found = await selectLiteral(db, workspaceId, query, { ...required, chunks, limit })
    return { found, read: [], source: 'literal' }
  }
  if (terms.every(({ df }) => df === 0)) return { found: [], read: [], source: 'none' }
  const wanted = { ...required, side: sideOf(terms), meaning, chunks, limit, shown }
  if (ranking && isNarrowed && required.phrases.length === 0) {
    const asked = { query: singleOf(terms), limit, filter: required.filter, chunks }
    const best = await bestInMemory(db, workspaceId, ranking, asked)
    if (best) return { ...(await selectRanked(db, workspaceId, best, wanted)), source: 'all' }
  }
  const isFiltered = required.phrases.length > 0 || Object.keys(required.filter).length > 0
  const quoted = narrowToPhrase(required.phrases, chunks)
  if (quoted)
    return { ...(await selectCandidates(db, workspaceId, { ...wanted, holding: quoted })), source: 'phrase' }
  let step = isNarrowed ? await narrowWithin(db, workspaceId, known, required.filter) : undefined
  while (step) {
    const best = await selectCandidates(db, workspaceId, { ...wanted, holding: step.holding })
    // Behind a filter there may be few chunks with the terms: then all that have one are scored.
    const isFull = !isFiltered || best.found.length >= limit
    const last = isFull ? best.found[Math.min(limit, shown) - 1] : undefined
    if (step.outside === null || (last && last.score >= step.outside)) return { ...best, source: 'index' }
    const wider = step.wider(last?.score)
    if (wider === 'enough') return { ...best, source: 'index' }
    step = typeof wider === 'string' ? undefined : wider
  }
  return { ...(await selectCandidates(db, workspaceId, { ...wanted, holding: undefined })), source: 'all' }
}
