// The second hop, for questions of several steps ("Who founded the company that made X?"). The answer to the first step names
// what the next step is about. So search follows the rarer names in the best passages to other passages with these names, and
// scores these by the part of the question that is still uncovered. It raises R@5 of MuSiQue from .537 to .665.

import type { Queryable } from '../../ports/db/db.ts'
import { span } from '../../ports/trace/trace.ts'
import { inOrder, type Ranked } from '../fusion.ts'
import { hasPart } from '../passage-query.ts'
import { countKnownWords, isLong, queryVectorOf } from '../query/query.ts'
import type { ParsedQuery } from './parse.ts'
import { type DistinctPassages, type Order, readDistinct } from './passages.ts'
import { type HopTarget, selectHopTargets } from './second-hop.sql.ts'

// The number of best passages whose names are followed. With 4, 6 and 10, R@5 of MuSiQue is .654, .665 and .667.
const MAX_STARTS = 6
// A question with fewer words (counting those that the workspace has) asks for only one thing.
const MIN_WORDS = 5
const MAX_TARGETS = 200

/** The ranking after the hop. */
interface HopRanking {
  ranked: readonly Ranked[]
  /** For each chunk whose score the hop raised, the hop target, by chunk id. */
  hops: ReadonlyMap<string, HopTarget>
}

export type SecondHop = Order & HopRanking

/** Only questions have several steps. For statements and keywords a second hop lowered nDCG@10 of scifact by .004. */
const mayHaveSteps = ({ request, text, terms, required }: ParsedQuery): boolean =>
  hasPart(request, 'second hop') &&
  required.phrases.length === 0 &&
  !request.entityIds &&
  /[?？؟]/.test(text.text) &&
  countKnownWords(terms) >= MIN_WORDS &&
  !isLong(terms)

/** Undefined for a query that cannot have several steps. */
export async function secondHop(
  db: Queryable,
  workspaceId: string,
  query: ParsedQuery,
  order: Order,
): Promise<SecondHop | undefined> {
  if (!mayHaveSteps(query)) return undefined
  // All passages from which the hop starts are read even for a smaller limit, so that the first results do not depend on the limit.
  const limit = Math.max(query.request.limit, MAX_STARTS)
  const { passages } = await readDistinct(db, workspaceId, order, { chunks: query.chunks, limit })
  const hopRanking = await span('search: second hop', {}, () =>
    followNames(db, workspaceId, query, { ranked: order.ranked, passages }),
  )
  return { ...hopRanking, hits: [...order.hits, ...passages] }
}

async function followNames(
  db: Queryable,
  workspaceId: string,
  { terms, required, documents }: ParsedQuery,
  { ranked, passages }: Pick<Order, 'ranked'> & Pick<DistinctPassages, 'passages'>,
): Promise<HopRanking> {
  const starts = passages.slice(0, MAX_STARTS).flatMap(({ chunk_id, document_id, terms: hashes }) => {
    const passageTerms = new Set(hashes)
    const rest = terms.filter(({ hash, df }) => df > 0 && !passageTerms.has(hash))
    return rest.length ? [{ chunk_id, document_id, queryVector: queryVectorOf(rest) }] : []
  })
  if (starts.length === 0) return { ranked, hops: new Map() }
  const hop = { ...required, starts, queryVector: queryVectorOf(terms), documents, limit: MAX_TARGETS }
  return withHopTargets(ranked, await selectHopTargets(db, workspaceId, hop), documents)
}

// The score of a target is the sum of half of its own score and of two parts that are weighted by the score of the passage that
// led to it: its score for the uncovered part of the question, and a bonus for being about the name or mentioning it, which is
// higher for rarer names. Bonuses of .45 and .35 raise R@5 of MuSiQue from .662 to .676, but lower nDCG@10 of FinanceBench from
// .504 to .486.
const OWN_WEIGHT = 0.5
const HOP_WEIGHT = 1.3
const ABOUT_BONUS = 0.4
const MENTION_BONUS = 0.25

/** Each chunk keeps the better of its own score and its score as a target. `documents`: the number in the workspace. Pure. */
export function withHopTargets(
  ranked: readonly Ranked[],
  targets: readonly HopTarget[],
  documents: number,
): HopRanking {
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
  const others = ranked.filter(({ chunk_id }) => !raisedByChunk.has(chunk_id))
  return { ranked: inOrder([...others, ...raisedByChunk.values()]), hops }
}

/** 1 for a name in one document, 0 for a name in all. */
const rarity = (shared: number, documents: number): number =>
  documents > 1 ? Math.max(0, Math.log(documents / shared) / Math.log(documents)) : 0
