// Selects the quotes of an answer: for each sub-question the best evidence, then further evidence by what it adds
// (maximal marginal relevance and keywords not covered yet). Each side of a comparison is quoted from passages that
// mention it. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Passage } from '../../search/passage.ts'
import { amendmentOf } from './amendments.ts'
import type { SelectedEvidence } from './compose.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import type { Keyword } from './keywords.ts'
import { passageTerms } from './keywords.ts'
import type { SubQuestion } from './question.ts'
import {
  AROUND_PROXIMITY,
  type Criteria,
  jaccard,
  proximity,
  rankEvidence,
  type ScoredEvidence,
  scoreEvidence,
} from './ranking.ts'
import { criteriaFor, type RetrievalState } from './retrieval.ts'

const MOST_EVIDENCE = 4

/** The evidence for each sub-question, in their order. */
export function selectEvidence(
  state: RetrievalState,
  subQuestions: readonly SubQuestion[],
): SelectedEvidence[] {
  const selected: SelectedEvidence[] = []
  for (const subQuestion of subQuestions) {
    const criteria = criteriaFor(state, subQuestion)
    const { side } = subQuestion
    const already = side === undefined ? selected.flatMap((one) => one.quotes) : []
    const room = Math.min(subQuestions.length > 1 ? 2 : 3, MOST_EVIDENCE - already.length)
    const found = [...state.found.values()].filter(
      (one) => side === undefined || mentionsSide(one.passage, side),
    )
    const pieces = side === undefined ? evidenceIn(found) : rowsOf(evidenceIn(found), side)
    const quotes = withAmendment(
      selectQuotes(rankEvidence(pieces, criteria), criteria.keywords, room, already),
      pieces,
      criteria,
    )
    selected.push({ criteria, quotes, ...(side !== undefined && { side }) })
  }
  return inOneTable(selected)
}

/** The best quote may be a clause that another document has amended. */
function withAmendment(
  quotes: ScoredEvidence[],
  pieces: readonly Evidence[],
  criteria: Criteria,
): ScoredEvidence[] {
  const [best] = quotes
  if (!best || quotes.some(({ isAmendment }) => isAmendment)) return quotes
  const amendment = amendmentOf(best.evidence, pieces)
  return amendment ? [scoreEvidence(amendment, criteria), best] : quotes
}

/** When the sides of a comparison are rows of one table, only those rows are quoted. */
function inOneTable(selected: SelectedEvidence[]): SelectedEvidence[] {
  const [first, ...others] = selected
  if (!first || others.length === 0 || selected.some(({ side }) => side === undefined)) return selected
  const rowIn = ({ quotes }: SelectedEvidence, passage: Passage) =>
    quotes.find(({ evidence }) => evidence.cells && evidence.found.passage.chunk_id === passage.chunk_id)
  for (const { evidence } of first.quotes) {
    const rows = selected.map((one) => rowIn(one, evidence.found.passage))
    if (evidence.cells && rows.every((row) => row !== undefined))
      return selected.map((one, i) => ({
        ...one,
        quotes: rows.slice(i, i + 1).filter((row) => row !== undefined),
      }))
  }
  return selected
}

/** Leaves out a table's rows that do not name the side of a comparison, if some of its rows do. */
function rowsOf(pieces: readonly Evidence[], side: string): Evidence[] {
  const names = ({ own, headers, found: { passage } }: Evidence): boolean =>
    contentTerms(side, passage.language).every((term) => own.terms.has(term) || headers.terms.has(term))
  const named = new Set(pieces.flatMap((piece) => (piece.cells && names(piece) ? piece.found.passage : [])))
  return pieces.filter((piece) => !piece.cells || !named.has(piece.found.passage) || names(piece))
}

/** Whether the passage contains every word of a side of a comparison. */
function mentionsSide(passage: Passage, side: string): boolean {
  const { terms } = passageTerms(passage)
  return contentTerms(side, passage.language).every((term) => terms.has(term))
}

// A further quote must be nearly as good as the first, or cover keywords that no other covers.
const NEARLY_AS_GOOD = 0.85
const LEAST_GAIN = 0.2
const REDUNDANCY_WEIGHT = 0.4
const SAME_TEXT = 0.8
// An amendment is quoted too when its coverage is at least this share of the best quote's.
const AMENDMENT_COVERAGE = 0.4

const COVERAGE_BESIDE_HEADING = 0.55

/** At most `most` quotes for one sub-question, the best first; none repeats one of `already`. */
function selectQuotes(
  all: readonly ScoredEvidence[],
  keywords: readonly Keyword[],
  most: number,
  already: readonly ScoredEvidence[] = [],
): ScoredEvidence[] {
  const [best] = all
  if (!best) return []
  // Beside evidence under the matching heading, a sentence that shares a keyword or two is noise.
  const ranked = best.matchesHeading
    ? all.filter(
        ({ matchesHeading, isAmendment, coverage }) =>
          matchesHeading || isAmendment || coverage >= COVERAGE_BESIDE_HEADING,
      )
    : all
  const quotes = selectDiverse(ranked, keywords, most, already)
  if (most < 2 || already.some((scored) => scored.isAmendment)) return quotes
  const amendments = quotes.filter((scored) => scored.isAmendment)
  const amending = amendments[0] ?? amendingQuote(ranked, best)
  if (!amending) return quotes
  // The original text and its amendment are the whole answer.
  const amended = amendedQuote(amending, ranked)
  if (amended) return [...(amendments.length ? amendments : [amending]), amended]
  return amendments.length ? quotes : [...quotes.slice(0, most - 1), amending]
}

/** The evidence of another document that amends the best quote. */
const amendingQuote = (ranked: readonly ScoredEvidence[], best: ScoredEvidence): ScoredEvidence | undefined =>
  ranked.find(
    (scored) =>
      scored.isAmendment &&
      scored.hasAnswerType &&
      scored.coverage >= AMENDMENT_COVERAGE * best.coverage &&
      inOtherDocuments(scored, best),
  )

// The amended text is the one, of those scoring at least this share of the best, that shares most words with the
// amendment (a clause's number, a period).
const NEAR_BEST = 0.6

function amendedQuote(
  amending: ScoredEvidence,
  ranked: readonly ScoredEvidence[],
): ScoredEvidence | undefined {
  const best = ranked[0]?.score ?? 0
  let found: { scored: ScoredEvidence; shared: number } | undefined
  for (const scored of ranked) {
    if (scored.isAmendment || !inOtherDocuments(scored, amending) || scored.score < NEAR_BEST * best) continue
    const shared = [...scored.evidence.own.terms].filter((term) =>
      amending.evidence.own.terms.has(term),
    ).length
    if (shared > (found?.shared ?? 0)) found = { scored, shared }
  }
  return found?.scored
}

const inOtherDocuments = (a: ScoredEvidence, b: ScoredEvidence): boolean =>
  a.evidence.found.passage.document_id !== b.evidence.found.passage.document_id

function selectDiverse(
  ranked: readonly ScoredEvidence[],
  keywords: readonly Keyword[],
  most: number,
  already: readonly ScoredEvidence[],
): ScoredEvidence[] {
  const best = ranked[0]?.score ?? 0
  const total = keywords.reduce((sum, keyword) => sum + keyword.weight, 0) || 1
  // One row or sentence may answer two sub-questions; the second then only gets quotes that are as good.
  const isAnswered = already.some((other) => other.evidence.text === ranked[0]?.evidence.text)
  const quotes: ScoredEvidence[] = []
  while (quotes.length < most) {
    const taken = [...already, ...quotes]
    const uncovered = keywords.filter(
      (keyword) => !taken.some(({ evidence }) => proximity(evidence, keyword) >= AROUND_PROXIMITY),
    )
    const next = bestOf(ranked, (candidate) => {
      const similarity = Math.max(
        0,
        ...taken.map((other) => jaccard(candidate.evidence.own, other.evidence.own)),
      )
      if (similarity >= SAME_TEXT || taken.some((other) => isSameText(other.evidence, candidate.evidence)))
        return undefined
      const newlyCovered = uncovered.filter((keyword) => proximity(candidate.evidence, keyword) === 1)
      const gain = newlyCovered.reduce((sum, keyword) => sum + keyword.weight, 0) / total
      const first = quotes.length === 0 && !isAnswered
      const isWorthIt =
        first || candidate.score >= NEARLY_AS_GOOD * best || (!isAnswered && gain >= LEAST_GAIN)
      return isWorthIt ? candidate.score + gain - REDUNDANCY_WEIGHT * similarity : undefined
    })
    if (!next) break
    quotes.push(next)
  }
  return quotes
}

/** The same text, or a list and one of its items. */
const isSameText = (a: Evidence, b: Evidence): boolean =>
  a.text === b.text ||
  (a.found.passage === b.found.passage &&
    ((a.list !== undefined && a.text.includes(b.text)) || (b.list !== undefined && b.text.includes(a.text))))

function bestOf(
  ranked: readonly ScoredEvidence[],
  value: (candidate: ScoredEvidence) => number | undefined,
): ScoredEvidence | undefined {
  let best: { candidate: ScoredEvidence; value: number } | undefined
  // Evidence beyond the first 60 is never selected.
  for (const candidate of ranked.slice(0, 60)) {
    const worth = value(candidate)
    if (worth !== undefined && worth > (best?.value ?? Number.NEGATIVE_INFINITY))
      best = { candidate, value: worth }
  }
  return best?.candidate
}
