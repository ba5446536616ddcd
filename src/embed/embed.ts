// What search asks of meaning. A workspace is searched in its one serving space (or none: then by words alone), also
// while another one fills behind it. How search is to use it:
//
//   const query = await semanticQuery(deps, workspaceId, { text, terms })     // beside the lexical statement
//   undefined            → lexical only (fewer than 50 chunks, no embedder, the model is away)
//   strength 'weak'      → LSA: does not search; score the best ~1,000 lexical candidates (nearest.sql.ts,
//                          selectSimilarities, or `similarity` inside a statement over `chunk c`), convex min-max
//   strength 'strong'    → a neural model: nearest.sql.ts, selectNearest gives candidates of its own; reciprocal rank
//
// A chunk without a vector yet (just uploaded) has no score: it takes part by its words alone.

import type { Deps } from '../ports/deps.ts'

/** A query in the serving space of its workspace. */
export interface SemanticQuery {
  strength: 'weak' | 'strong'
  space: { id: number; dimensions: number; index: 'vector' | 'halfvec' | null }
  /** pgvector's text form, length 1. */
  vector: string
}

export interface QueryText {
  text: string
  /** Its analysed terms: number (search/weights.ts, termHash) and weight by kind, without idf. */
  terms: readonly { hash: number; weight: number }[]
}

/** The query's vector in the serving space; undefined: by words alone. A model that is away is logged, never thrown. */
export async function semanticQuery(
  _deps: Pick<Deps, 'db' | 'log'>,
  _workspaceId: string,
  _query: QueryText,
): Promise<SemanticQuery | undefined> {
  return undefined
}
