// Orders the first passages again with a model that reads query and passage together. If its server does not answer, the order
// stays as it was.

import type { Deps } from '../../ports/deps.ts'
import type { Ranked } from '../fusion.ts'
import type { Hit } from '../passage.sql.ts'
import { hasPart } from '../passage-query.ts'
import type { ParsedQuery } from './parse.ts'
import { type Order, readDistinct } from './passages.ts'

// On a CPU each passage takes up to a second, and passages with a lower rank are seldom the answer.
const MAX_RERANKED = 50

/** The text of a passage for the server. Title and heading are included, because they say what the passage is about. */
const textOf = ({ document_title, heading, text }: Hit): string =>
  [document_title, heading, text].filter(Boolean).join('\n')

/** The first passages in their new order, before all others. Undefined if there is no reranker, or nothing to rerank. */
export async function rerank(
  deps: Pick<Deps, 'db'> & Partial<Pick<Deps, 'reranker'>>,
  workspaceId: string,
  { request, text, chunks }: ParsedQuery,
  order: Order,
): Promise<Order | undefined> {
  if (!hasPart(request, 'reranker') || order.ranked.length === 0) return undefined
  const reranker = await deps.reranker?.()
  if (!reranker) return undefined
  const { passages } = await readDistinct(deps.db, workspaceId, order, { chunks, limit: MAX_RERANKED })
  const scores = await reranker.score(text.text, passages.map(textOf))
  const scoreById = scores && new Map(passages.map(({ chunk_id }, i) => [chunk_id, scores[i] ?? 0]))
  return { ranked: scoreById ? reordered(order.ranked, scoreById) : order.ranked, hits: passages }
}

/**
 * Puts passages with a new score first, in the order of these scores. Each rank keeps its old score, because later steps compare
 * scores within the query. Pure.
 */
export function reordered(ranked: readonly Ranked[], scores: ReadonlyMap<string, number>): Ranked[] {
  const scoreOf = ({ chunk_id }: Ranked): number => scores.get(chunk_id) ?? 0
  const rescored = ranked.filter(({ chunk_id }) => scores.has(chunk_id))
  const rest = ranked.filter(({ chunk_id }) => !scores.has(chunk_id))
  // Sorting is stable, so equal scores keep their order.
  const order = [...rescored].sort((a, b) => scoreOf(b) - scoreOf(a)).concat(rest)
  return order.map((item, rank) => ({ ...item, score: ranked[rank]?.score ?? 0 }))
}
