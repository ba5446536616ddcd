// Orders the evidence for a question by its score. Pure.

import { isColumnOfType } from './answer-type.ts'
import { type Evidence, matchesHeading } from './evidence.ts'
import { asksForFigure, type Criteria, containsAnswer, type Features, featuresOf } from './features.ts'
import { containsKeyword, type TextTerms } from './keywords.ts'
import { SHIPPED, scoreOf, type Weights } from './ranker.ts'
import { attributesOf } from './records.ts'

/** Evidence with its features, before it is scored. */
export interface Candidate {
  evidence: Evidence
  features: Features
  /** Whether it is below a heading that matches the question. */
  matchesHeading: boolean
}

export interface ScoredEvidence extends Candidate {
  score: number
  /** Whether it amends another quoted text. */
  isAmendment?: boolean
  /** Whether another quoted text amends it. */
  isAmended?: boolean
}

/** Evidence that shares a word with the question, or is below a heading that does. */
export function candidatesIn(pieces: readonly Evidence[], criteria: Criteria): Candidate[] {
  const textHasCode = ({ text }: Evidence): boolean => criteria.codes.some((code) => hasCode(text, code))
  const headingHasCode = ({ foundPassage: { passage } }: Evidence): boolean =>
    criteria.codes.some((code) => hasCode(`${passage.document_title}\n${passage.heading}`, code))
  // If a row contains the code of the question, rows with other codes are left out.
  const hasRowWithCode = pieces.some((piece) => piece.cells && textHasCode(piece))
  const piecesBelowHeading = pieces.filter((piece) => matchesHeading(piece, criteria))
  // A heading "End of the lease" does not answer "When does the lease end?" if there is no date below it.
  const hasFigureBelowHeading = (piece: Evidence): boolean =>
    !asksForFigure(criteria.type) ||
    piecesBelowHeading.some(
      (other) => other.headingAbove.text === piece.headingAbove.text && containsAnswer(other, criteria),
    )
  const answeringPieces = new Set(
    criteria.part === undefined ? piecesBelowHeading.filter(hasFigureBelowHeading) : piecesBelowHeading,
  )
  return (
    pieces
      .filter((piece) => !hasRowWithCode || !piece.cells || textHasCode(piece) || headingHasCode(piece))
      .filter((piece) => !isAnnouncement(piece))
      // A letterhead answers only questions for a date, such as the day of issue.
      .filter(
        (piece) => !piece.isFrontMatter || (criteria.type === 'date' && containsAnswer(piece, criteria)),
      )
      .filter((piece) => !piece.fieldLabel || isFieldAskedFor(piece.fieldLabel, piece, criteria))
      .map(
        (evidence): Candidate => ({
          evidence,
          features: featuresOf(evidence, criteria, answeringPieces.has(evidence)),
          matchesHeading: answeringPieces.has(evidence),
        }),
      )
      .filter(({ features: { own, heading } }) => own + heading > 0)
  )
}

/** Whether the question has a word of the field's label, or asks for a value of its kind ("Date: 18 April" for "when"). */
const isFieldAskedFor = (label: TextTerms, piece: Evidence, criteria: Criteria): boolean =>
  criteria.keywords.some((keyword) => containsKeyword(label, keyword)) ||
  attributesOf(piece.text).some(({ header }) => isColumnOfType(criteria.type, header)) ||
  (criteria.type !== 'any' && containsAnswer(piece, criteria))

/**
 * Matches a sentence that only announces a table or list: "The amounts were as follows:", "The following table sets forth the
 * fees." Does not match "The following table shows that the fees rose", which says more.
 */
const ANNOUNCEMENT =
  /[:：]["”’»*]*\s*$|^["“*]*(?:the following (?:tables?|chart|graph)|die (?:folgende|nachstehende) (?:tabelle|übersicht)|(?:le tableau|la tabla) (?:suivant|ci-dessous|ci-après|siguiente))(?!\P{L}+\p{L}+\P{L}+(?:that|dass|que)(?!\p{L}))(?!\p{L})/iu

const isAnnouncement = ({ cells, list, text }: Evidence): boolean =>
  !cells && !list && ANNOUNCEMENT.test(text)

/** The candidates with their scores, the best first. */
export const rankCandidates = (candidates: readonly Candidate[], weights: Weights): ScoredEvidence[] =>
  candidates
    .map((candidate): ScoredEvidence => ({ ...candidate, score: scoreOf(candidate.features, weights) }))
    .sort((a, b) => b.score - a.score)

export const rankEvidence = (pieces: readonly Evidence[], criteria: Criteria): ScoredEvidence[] =>
  rankCandidates(candidatesIn(pieces, criteria), SHIPPED)

/**
 * Whether the text contains the whole code. BW-2210-1 is not in BW-2210-10, and session_id is not in user_session_id. A letter of a
 * script without case may follow: BR-1102泵.
 */
export function hasCode(text: string, code: string): boolean {
  const [lowerText, lowerCode] = [text.toLowerCase(), code.toLowerCase()]
  const isPartOfWord = (at: number): boolean => /(?!\p{Lo})[\p{L}\p{N}_]/u.test(lowerText[at] ?? ' ')
  for (let at = lowerText.indexOf(lowerCode); at >= 0; at = lowerText.indexOf(lowerCode, at + 1))
    if (!isPartOfWord(at - 1) && !isPartOfWord(at + lowerCode.length)) return true
  return false
}
