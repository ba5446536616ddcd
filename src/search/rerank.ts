// Reranking by a server that reads query and passage together. Without its answer the order stays as it was.

import type { Reranker } from '../ports/rerank/rerank.ts'
import type { Ranked } from './fusion.ts'
import type { Hit } from './passage.sql.ts'

/** So many passages are reranked: on a CPU each takes up to a second, and those ranked lower are seldom the answer. */
export const RERANKED = 50

/** The text of a passage for the server, with its title and heading, which tell what it is about. */
const textOf = ({ document_title, heading, text }: Hit): string =>
  [document_title, heading, text].filter(Boolean).join('\n')

/** `ranked` with the passages of `hits` in their new order before all others. */
export async function reranked(
  reranker: Reranker,
  query: string,
  ranked: readonly Ranked[],
  hits: readonly Hit[],
): Promise<readonly Ranked[]> {
  const scores = await reranker.score(query, hits.map(textOf))
  return scores
    ? reordered(ranked, new Map(hits.map(({ chunk_id }, i) => [chunk_id, scores[i] ?? 0])))
    : ranked
}

/**
 * Pure: those with a new score come first, in its order. Each place keeps its score, since later steps compare scores within
 * the query.
 */
export function reordered(ranked: readonly Ranked[], scores: ReadonlyMap<string, number>): Ranked[] {
  const scoreOf = ({ chunk_id }: Ranked): number => scores.get(chunk_id) ?? 0
  const best = ranked.filter(({ chunk_id }) => scores.has(chunk_id))
  const rest = ranked.filter(({ chunk_id }) => !scores.has(chunk_id))
  // Sorting is stable, so equal scores keep their order.
  const order = [...best].sort((a, b) => scoreOf(b) - scoreOf(a)).concat(rest)
  return order.map((item, place) => ({ ...item, score: ranked[place]?.score ?? 0 }))
}
