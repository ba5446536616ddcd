// A server that reads query and passage together puts the best passages in a new order; without its answer theirs stands.

import type { Reranker } from '../ports/rerank/rerank.ts'
import type { Ranked } from './fusion.ts'
import type { Hit } from './passage.sql.ts'

/** So many are read by it: more cost a second each on a CPU, and what words and meaning put lower is seldom the answer. */
export const RERANKED = 50

/** What it is given of a passage: where it stands tells what it is about. */
const textOf = ({ document_title, heading, text }: Hit): string =>
  [document_title, heading, text].filter(Boolean).join('\n')

/** `ranked` with the passages of `hits` in their new order, before all others. */
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
 * Pure: those with a new score change places among themselves, before the rest. The scores of the places stay: what
 * reads them compares them within the query.
 */
export function reordered(ranked: readonly Ranked[], scores: ReadonlyMap<string, number>): Ranked[] {
  const scoreOf = ({ chunk_id }: Ranked): number => scores.get(chunk_id) ?? 0
  const best = ranked.filter(({ chunk_id }) => scores.has(chunk_id))
  const rest = ranked.filter(({ chunk_id }) => !scores.has(chunk_id))
  // Sorting is stable: what is worth the same keeps its order.
  const order = [...best].sort((a, b) => scoreOf(b) - scoreOf(a)).concat(rest)
  return order.map((item, place) => ({ ...item, score: ranked[place]?.score ?? 0 }))
}
