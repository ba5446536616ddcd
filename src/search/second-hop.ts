// The second hop: in a question of several steps the first answer names what the next step is about. So search follows the
// rarer names in the best passages to other passages about those names, and scores them by the part of the question that is
// still open. MuSiQue R@5 .537 without, .665 with it; questions of one step keep their figures.

import type { AnalysedText } from '../language/analysed-text.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Required } from './candidates/filter.sql.ts'
import { inOrder, type Ranked } from './fusion.ts'
import type { Hit } from './passage.sql.ts'
import { isLong, knownWords, sideOf, type WeighedTerm } from './query/query.ts'
import { type HopTarget, selectHopTargets } from './second-hop.sql.ts'

// How many of the best passages are followed: with 4, 6, 10 MuSiQue R@5 .654, .665, .667.
export const HOP_STARTS = 6
// A question of fewer content words asks for one thing.
const MIN_WORDS = 5
const MAX_TARGETS = 200

/** Only questions: for statements and keywords a second hop cost scifact .004. */
export const mayHaveSteps = ({ text }: AnalysedText, terms: readonly WeighedTerm[]): boolean =>
  /[?？؟]/.test(text) && knownWords(terms) >= MIN_WORDS && !isLong(terms)

/** The ranking with the passages that the second hop found. `shown`: the best passages of `found`, in order. */
export async function withSecondHop(
  db: Queryable,
  workspaceId: string,
  ranked: readonly Ranked[],
  hop: Required & {
    shown: readonly Hit[]
    terms: readonly WeighedTerm[]
    side: string
    documents: number
  },
  note?: (raised: ReadonlyMap<string, HopTarget>) => void,
): Promise<Ranked[]> {
  const starts = hop.shown.slice(0, HOP_STARTS).flatMap((hit) => {
    const hitTerms = new Set(hit.terms)
    const rest = hop.terms.filter(({ hash, df }) => df > 0 && !hitTerms.has(hash))
    return rest.length ? [{ chunk_id: hit.chunk_id, document_id: hit.document_id, side: sideOf(rest) }] : []
  })
  if (starts.length === 0) return [...ranked]
  const targets = await selectHopTargets(db, workspaceId, { ...hop, starts, limit: MAX_TARGETS })
  return withHopTargets(ranked, targets, hop.documents, note)
}

// A target scores half its own score plus, weighted by the score of its start, a bonus for being about the name or for
// mentioning it (more for rarer names) and its score for the open part of the question. MuSiQue nDCG@10 / R@5 with .4 and .25
// .711 / .662; .4 and .2 .708 / .662, .45 and .35 .716 / .676 (but FinanceBench .504 to .486); without rarity .695 / .659.
const OWN_SHARE = 0.5
const HOP_SHARE = 1.3
const ABOUT_BONUS = 0.4
const MENTION_BONUS = 0.25

/**
 * Pure: each chunk keeps the better of its own score and the one as a target. `documents`: of the workspace. `note` is told which
 * target raised each chunk.
 */
export function withHopTargets(
  ranked: readonly Ranked[],
  targets: readonly HopTarget[],
  documents: number,
  note?: (raised: ReadonlyMap<string, HopTarget>) => void,
): Ranked[] {
  const scores = new Map(ranked.map((item) => [item.chunk_id, item]))
  const best = ranked[0]?.score ?? 0
  if (best <= 0) return [...ranked]
  const better = new Map<string, Ranked>()
  const raised = new Map<string, HopTarget>()
  for (const target of targets) {
    const { from, chunk_id, document_id, about, shared, score, rest } = target
    const own = scores.get(chunk_id)?.score ?? score
    const trust = (scores.get(from)?.score ?? 0) / best
    const bonus = (about ? ABOUT_BONUS : MENTION_BONUS) * rarity(shared, documents)
    const value = OWN_SHARE * own + HOP_SHARE * trust * (best * bonus + rest)
    if (value > Math.max(own, better.get(chunk_id)?.score ?? 0)) {
      better.set(chunk_id, { chunk_id, document_id, score: value })
      raised.set(chunk_id, target)
    }
  }
  note?.(raised)
  return inOrder([...ranked.filter(({ chunk_id }) => !better.has(chunk_id)), ...better.values()])
}

/** 1 for a name in one document, 0 for a name in all. */
const rarity = (shared: number, documents: number): number =>
  documents > 1 ? Math.max(0, Math.log(documents / shared) / Math.log(documents)) : 0
