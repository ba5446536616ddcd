// Orders the evidence for a question by its score. Pure.

import { type Evidence, matchesHeading } from './evidence.ts'
import { asksForFigure, type Criteria, containsAnswer, type Features, featuresOf } from './features.ts'
import { SHIPPED, scoreOf, type Weights } from './ranker.ts'

/** Evidence as it is before anything weighs it. */
export interface Candidate {
  evidence: Evidence
  features: Features
  /** It is under a heading that asks the question. */
  matchesHeading: boolean
}

export interface ScoredEvidence extends Candidate {
  score: number
  /** It amends a text that is quoted too. */
  isAmendment?: boolean
  /** A text that is quoted too amends it. */
  isAmended?: boolean
}

/** Evidence that shares a word with the question, or is below a heading that does. */
export function candidatesIn(pieces: readonly Evidence[], criteria: Criteria): Candidate[] {
  const isAsked = ({ text }: Evidence): boolean => criteria.codes.some((code) => hasCode(text, code))
  const isAbout = ({ found: { passage } }: Evidence): boolean =>
    criteria.codes.some((code) => hasCode(`${passage.document_title}\n${passage.heading}`, code))
  // When some row has the code that is asked for, rows of other codes say nothing.
  const hasRow = pieces.some((piece) => piece.cells && isAsked(piece))
  const headed = pieces.filter((piece) => matchesHeading(piece, criteria))
  // "When does the lease end?" is not answered below "End of the lease" where no date stands there.
  const isSaid = (piece: Evidence): boolean =>
    !asksForFigure(criteria.type) ||
    headed.some((other) => other.under.text === piece.under.text && containsAnswer(other, criteria))
  const answered = new Set(criteria.part === undefined ? headed.filter(isSaid) : headed)
  return (
    pieces
      .filter((piece) => !hasRow || !piece.cells || isAsked(piece) || isAbout(piece))
      // When and in which version a document was issued stands in its letterhead, and nothing else.
      .filter((piece) => !piece.isLetterhead || (criteria.type === 'date' && containsAnswer(piece, criteria)))
      .map(
        (evidence): Candidate => ({
          evidence,
          features: featuresOf(evidence, criteria, answered.has(evidence)),
          matchesHeading: answered.has(evidence),
        }),
      )
      .filter(({ features: { own, heading } }) => own + heading > 0)
  )
}

/** Best first. */
export const inOrder = (candidates: readonly Candidate[], weights: Weights): ScoredEvidence[] =>
  candidates
    .map((candidate): ScoredEvidence => ({ ...candidate, score: scoreOf(candidate.features, weights) }))
    .sort((a, b) => b.score - a.score)

export const rankEvidence = (pieces: readonly Evidence[], criteria: Criteria): ScoredEvidence[] =>
  inOrder(candidatesIn(pieces, criteria), SHIPPED)

/**
 * Whether the text has the whole code: BW-2210-1 is not BW-2210-10, nor is session_id in user_session_id. Letters without case
 * end it: BR-1102泵.
 */
export function hasCode(text: string, code: string): boolean {
  const [lower, wanted] = [text.toLowerCase(), code.toLowerCase()]
  const isLetter = (at: number): boolean => /(?!\p{Lo})[\p{L}\p{N}_]/u.test(lower[at] ?? ' ')
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + wanted.length)) return true
  return false
}
