// The second hop. In a question of several steps, the first answer names what the next step is about. So search follows the
// rarer names in the best passages to other passages about those names, and scores these by the part of the question that is
// still uncovered. MuSiQue R@5 is .537 without a second hop and .665 with it. Questions of one step keep their figures.

import type { Queryable } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import { inOrder, type Ranked } from '../fusion.ts'
import { hasPart } from '../passage-query.ts'
import { isLong, knownWords, queryVectorOf } from '../query/query.ts'
import type { ParsedQuery } from './parse.ts'
import { type DistinctPassages, type Order, readDistinct } from './passages.ts'
import { type HopTarget, selectHopTargets } from './second-hop.sql.ts'

// How many of the best passages are followed: with 4, 6, 10 MuSiQue R@5 .654, .665, .667.
const MAX_STARTS = 6
// A question with fewer words that the workspace knows asks for only one thing.
const MIN_WORDS = 5
const MAX_TARGETS = 200

/** The ranking after the hop. */
interface Raised {
  ranked: readonly Ranked[]
  /** The target of each chunk that the hop raised, by chunk id. */
  hops: ReadonlyMap<string, HopTarget>
}

export type SecondHop = Order & Raised

/** Only questions have several steps. For statements and keywords a second hop cost scifact .004. */
const mayHaveSteps = ({ request, text, terms, required }: ParsedQuery): boolean =>
  hasPart(request, 'second hop') &&
  required.phrases.length === 0 &&
  !request.entityIds &&
  /[?？؟]/.test(text.text) &&
  knownWords(terms) >= MIN_WORDS &&
  !isLong(terms)

/** Undefined for a query that cannot have several steps. */
export async function secondHop(
  db: Queryable,
  workspaceId: string,
  query: ParsedQuery,
  order: Order,
): Promise<SecondHop | undefined> {
  if (!mayHaveSteps(query)) return undefined
  // All starts of the hop are read even for a smaller limit, so that the first results do not depend on the limit.
  const limit = Math.max(query.request.limit, MAX_STARTS)
  const { passages } = await readDistinct(db, workspaceId, order, { chunks: query.chunks, limit })
  const raisedResults = await span('search: second hop', {}, () =>
    follow(db, workspaceId, query, { ranked: order.ranked, passages }),
  )
  return { ...raisedResults, hits: [...order.hits, ...passages] }
}

async function follow(
  db: Queryable,
  workspaceId: string,
  { terms, required, documents }: ParsedQuery,
  { ranked, passages }: Pick<Order, 'ranked'> & Pick<DistinctPassages, 'passages'>,
): Promise<Raised> {
  const starts = passages.slice(0, MAX_STARTS).flatMap(({ chunk_id, document_id, terms: hashes }) => {
    const passageTerms = new Set(hashes)
    const rest = terms.filter(({ hash, df }) => df > 0 && !passageTerms.has(hash))
    return rest.length ? [{ chunk_id, document_id, queryVector: queryVectorOf(rest) }] : []
  })
  if (starts.length === 0) return { ranked, hops: new Map() }
  const hop = { ...required, starts, queryVector: queryVectorOf(terms), documents, limit: MAX_TARGETS }
  return withHopTargets(ranked, await selectHopTargets(db, workspaceId, hop), documents)
}

// The score of a target is half of its own score plus, weighted by the score of its start, a bonus for being about the name or
// mentioning it (higher for rarer names) and its score for the uncovered part of the question. MuSiQue nDCG@10 / R@5 with these
// bonuses: .711 / .662. With .4 and .2: .708 / .662. With .45 and .35: .716 / .676, but FinanceBench falls from .504 to .486. Without
// rarity: .695 / .659.
const OWN_WEIGHT = 0.5
const HOP_WEIGHT = 1.3
const ABOUT_BONUS = 0.4
const MENTION_BONUS = 0.25

/** Each chunk keeps the better of its own score and its score as a target. `documents`: the number in the workspace. Pure. */
export function withHopTargets(
  ranked: readonly Ranked[],
  targets: readonly HopTarget[],
  documents: number,
): Raised {
  const hops = new Map<string, HopTarget>()
  const scores = new Map(ranked.map((item) => [item.chunk_id, item]))
  const maxScore = ranked[0]?.score ?? 0
  if (maxScore <= 0) return { ranked, hops }
  const raisedByChunk = new Map<string, Ranked>()
  for (const target of targets) {
    const { from, chunk_id, document_id, about, shared, score, rest } = target
    const ownScore = scores.get(chunk_id)?.score ?? score
    const trust = (scores.get(from)?.score ?? 0) / maxScore
    const bonus = (about ? ABOUT_BONUS : MENTION_BONUS) * rarity(shared, documents)
    const value = OWN_WEIGHT * ownScore + HOP_WEIGHT * trust * (maxScore * bonus + rest)
    if (value > Math.max(ownScore, raisedByChunk.get(chunk_id)?.score ?? 0)) {
      raisedByChunk.set(chunk_id, { chunk_id, document_id, score: value })
      hops.set(chunk_id, target)
    }
  }
  const unraised = ranked.filter(({ chunk_id }) => !raisedByChunk.has(chunk_id))
  return { ranked: inOrder([...unraised, ...raisedByChunk.values()]), hops }
}

/** 1 for a name in one document, 0 for a name in all. */
const rarity = (shared: number, documents: number): number =>
  documents > 1 ? Math.max(0, Math.log(documents / shared) / Math.log(documents)) : 0
