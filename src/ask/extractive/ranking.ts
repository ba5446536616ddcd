// Scores evidence for a question: idf-weighted coverage of its keywords, the type of answer asked for, codes,
// availability, and the passage's own rank. Pure.

import { inRange } from '../markdown-table.ts'
import { isAmendmentTitle, statesAmendment } from './amendments.ts'
import { type AnswerType, containsType, isColumnOf } from './answer-type.ts'
import { type Availability, availabilityIn } from './availability.ts'
import type { Evidence } from './evidence.ts'
import { matchesHeading } from './evidence.ts'
import { contains, type Keyword, type TextTerms } from './keywords.ts'
import { isCode } from './question.ts'

export interface ScoredEvidence {
  evidence: Evidence
  score: number
  /** Weighted share of the keywords in it and around it, 0 to 1. */
  coverage: number
  /** It contains something of the type asked for that is not already in the question. */
  hasAnswerType: boolean
  /** It contains a code from the question. */
  hasCode: boolean
  /** It changes an earlier text. */
  isAmendment: boolean
  /** It is under a heading that asks the question. */
  matchesHeading: boolean
}

const PASSAGE_WEIGHT = 0.5
const TYPE_BONUS = 0.3
const FIGURE_MISSING_COST = 0.15
const CODE_BONUS = 0.3
const RANGE_BONUS = 0.5
const BRIDGE_BONUS = 0.15
const CHANGE_BONUS = 0.1
const LIST_BONUS = 0.3
// For a row with the availability asked for, whose words are stop words; a row with the opposite loses as much.
const AVAILABILITY_BONUS = 0.5
// For each 300 characters beyond the first 300: text without sentence ends is mostly a table that lost its lines.
const LENGTH_COST = 0.1
const POSITION_COST = 0.005
const NO_ANSWER_COST = 0.3
// How much a keyword counts that is not in the evidence itself but in a column name, around it, or in the sentence
// before.
const HEADER_PROXIMITY = 0.8
export const AROUND_PROXIMITY = 0.6
const BEFORE_PROXIMITY = 0.35

// An amendment changes figures; its parties and addresses are those of the original.
const FIGURES: ReadonlySet<AnswerType> = new Set(['money', 'duration', 'date', 'percent', 'count', 'measure'])

/** What evidence is scored by. */
export interface Criteria {
  keywords: readonly Keyword[]
  type: AnswerType
  /** Part numbers and the like, as written in the question. */
  codes: readonly string[]
  /** The question asks for several things: a list answers it better than one of its items. */
  wantsList?: boolean
  /** The question asks what is in stock, or what is not. */
  availability?: Availability | undefined
}

/**
 * Scores all evidence that shares a keyword with the question, best first. Column names of a row count too. When some
 * row has the code asked for, rows with other codes are left out unless their document or heading is about that code.
 */
export function rankEvidence(pieces: readonly Evidence[], criteria: Criteria): ScoredEvidence[] {
  const hasAskedCode = (piece: Evidence): boolean =>
    criteria.codes.some((code) => containsCode(piece.text, code))
  const hasRowOfCode = pieces.some((piece) => piece.cells && hasAskedCode(piece))
  const isAboutCode = ({ found: { passage } }: Evidence): boolean =>
    criteria.codes.some((code) => containsCode(`${passage.document_title}\n${passage.heading}`, code))
  const hasAvailability = ({ text, cells }: Evidence): boolean =>
    criteria.availability !== undefined && availabilityIn(text, cells) === criteria.availability
  return pieces
    .filter(
      (piece) =>
        isEligible(piece, criteria) &&
        (hasAvailability(piece) ||
          isRangeOf(piece, criteria) ||
          matchesHeading(piece, criteria.keywords) ||
          criteria.keywords.some(
            (keyword) => contains(piece.own, keyword) || contains(piece.headers, keyword),
          )),
    )
    .filter((piece) => !hasRowOfCode || !piece.cells || hasAskedCode(piece) || isAboutCode(piece))
    .map((piece) => scoreEvidence(piece, criteria))
    .sort((a, b) => b.score - a.score)
}

/** Whether "10 years" falls into the row's "8 to 14", in a table about the subject. */
const isRangeOf = ({ cells, around }: Evidence, criteria: Criteria): boolean =>
  cells !== undefined &&
  inRange(cells, numbersOf(criteria)) &&
  criteria.keywords.some((keyword) => contains(around, keyword))

export function scoreEvidence(piece: Evidence, criteria: Criteria): ScoredEvidence {
  const total = criteria.keywords.reduce((sum, keyword) => sum + keyword.weight, 0) || 1
  const isUnderHeading = matchesHeading(piece, criteria.keywords)
  const coverage = isUnderHeading
    ? 1
    : criteria.keywords.reduce((sum, keyword) => sum + keyword.weight * proximity(piece, keyword), 0) / total
  const availability = criteria.availability && availabilityIn(piece.text, piece.cells)
  const hasAnswerType = containsAnswer(piece, criteria) && availability === criteria.availability
  const { document_title, heading } = piece.found.passage
  const isAmendment =
    statesAmendment(piece.text) ||
    (FIGURES.has(criteria.type) && hasAnswerType && isAmendmentTitle(`${document_title} ${heading}`))
  const { via, relevance } = piece.found
  const hasBridge = via !== undefined && piece.text.toLowerCase().includes(via.entity.toLowerCase())
  const hasCode = criteria.codes.some((code) => containsCode(piece.text, code))
  const score =
    coverage +
    PASSAGE_WEIGHT * relevance +
    typeBonus(hasAnswerType, criteria.type) -
    (piece.list ? 0 : LENGTH_COST * Math.max(0, piece.text.length / 300 - 1)) +
    (piece.list && (criteria.wantsList || isUnderHeading || leadMatches(piece, criteria)) ? LIST_BONUS : 0) +
    (availability ? (availability === criteria.availability ? AVAILABILITY_BONUS : -AVAILABILITY_BONUS) : 0) +
    (hasBridge ? BRIDGE_BONUS : 0) +
    (piece.cells && inRange(piece.cells, numbersOf(criteria)) ? RANGE_BONUS : 0) +
    (hasCode ? CODE_BONUS : 0) +
    (isAmendment ? CHANGE_BONUS : 0) -
    POSITION_COST * Math.min(piece.position, 20) -
    (/[?？]\s*$/.test(piece.text) ? NO_ANSWER_COST : 0)
  return {
    evidence: piece,
    score,
    coverage,
    hasAnswerType,
    hasCode,
    isAmendment,
    matchesHeading: isUnderHeading,
  }
}

/** A question for a figure is not answered by evidence without one. */
const typeBonus = (hasAnswerType: boolean, type: AnswerType): number =>
  type === 'any' ? 0 : hasAnswerType ? TYPE_BONUS : FIGURES.has(type) ? -FIGURE_MISSING_COST : 0

/**
 * A list counts as evidence when its lead ends in a colon, when several things are asked for, or when its heading
 * asks the question.
 */
const isEligible = (piece: Evidence, criteria: Criteria): boolean =>
  piece.list === undefined ||
  criteria.wantsList === true ||
  /[:：]$/.test(piece.list.lead) ||
  matchesHeading(piece, criteria.keywords)

/** Whether the lead of a list contains a keyword. */
const leadMatches = (piece: Evidence, { keywords }: Criteria): boolean =>
  piece.list !== undefined &&
  /[:：]$/.test(piece.list.lead) &&
  keywords.some((keyword) => contains(piece.headers, keyword))

export function proximity(piece: Evidence, keyword: Keyword): number {
  if (contains(piece.own, keyword)) return 1
  const number = Number(keyword.word.replaceAll(',', ''))
  if (piece.cells && Number.isFinite(number) && inRange(piece.cells, [number])) return 1
  if (contains(piece.headers, keyword) || sharesStem(piece.headers, keyword)) return HEADER_PROXIMITY
  if (contains(piece.around, keyword)) return AROUND_PROXIMITY
  return contains(piece.before, keyword) ? BEFORE_PROXIMITY : 0
}

/** Column names are short, so a common stem is enough: "supplies" finds `supplier`. */
function sharesStem(headers: TextTerms, keyword: Keyword): boolean {
  const form = keyword.forms.get(headers.language)
  if (form === undefined || form.length < LEAST_STEM) return false
  for (const term of headers.terms) if (term.startsWith(form.slice(0, LEAST_STEM))) return true
  return false
}
const LEAST_STEM = 5

/** Whether the text contains the whole code: BW-2210-1 is not BW-2210-10. */
export function containsCode(text: string, code: string): boolean {
  const lower = text.toLowerCase()
  const wanted = code.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const [before = ' ', after = ' '] = [lower[at - 1], lower[at + wanted.length]]
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

const numbersOf = ({ keywords }: Criteria): number[] =>
  keywords.map((keyword) => Number(keyword.word.replaceAll(',', ''))).filter((n) => Number.isFinite(n))

/** Whether the evidence contains the type of answer, once the question's own names and numbers are removed from it. */
function containsAnswer(piece: Evidence, { keywords, type }: Criteria): boolean {
  if (type === 'any') return true
  if (type === 'measure' && !containsMeasure(piece, keywords)) return false
  if (piece.cells) {
    const asked = piece.cells.filter((cell) => isColumnOf(type, cell.header))
    if (asked.some((cell) => /[\p{L}\p{N}]/u.test(cell.text))) return true
  }
  const said = new Set(keywords.map((keyword) => keyword.word.toLowerCase()))
  const rest = (piece.cells ? piece.cells.map((cell) => cell.text).join(' ; ') : piece.text).replace(
    /[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu,
    (word) => (isCode(word) || (/[\p{Lu}\p{N}]/u.test(word) && said.has(word.toLowerCase())) ? ' ' : word),
  )
  return containsType(type, rest)
}

/**
 * Any number may be a measure, so a question for "the voltage" needs that word, if the workspace contains it at all.
 */
function containsMeasure(piece: Evidence, keywords: readonly Keyword[]): boolean {
  const measures = keywords.filter((keyword) => keyword.isKnown && isColumnOf('measure', keyword.word))
  return (
    measures.length === 0 ||
    measures.some((keyword) => contains(piece.own, keyword) || contains(piece.headers, keyword))
  )
}

export function jaccard(a: TextTerms, b: TextTerms): number {
  let shared = 0
  for (const term of a.terms) if (b.terms.has(term)) shared++
  return shared / (a.terms.size + b.terms.size - shared || 1)
}
