// The features of a piece of evidence, by which the ranker orders it: how much of the question is in the text, its heading and its
// title, whether the text contains the type of answer, and how search ranked the passage. Pure.

import { fold } from '../../language/words.ts'
import { decimalSignOf, readValue } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import {
  type AnswerType,
  containsAnswerOfType,
  definedSubject,
  isColumnOfType,
  isTypeWord,
} from './answer-type.ts'
import { type Evidence, matchesHeading } from './evidence.ts'
import { containsKeyword, coverage, type Keyword, matchStrength, textTerms } from './keywords.ts'
import { containsMeasureFor } from './measures.ts'
import { isCode } from './question.ts'

/** The parts of a question that evidence is compared with. */
export interface Criteria {
  keywords: readonly Keyword[]
  type: AnswerType
  /** Codes such as part numbers, as written in the question. */
  codes: readonly string[]
  /** Folded words of the names in a follow-up such as "And Ines?", which repeats an earlier question for another name. */
  names?: ReadonlySet<string>
  /** The number or title of the part of a document that the question names. */
  part?: string | undefined
}

/** The features that order the evidence. The weights are in the same order. */
export const FEATURES = [
  // The shares of the question that the evidence, its heading and its title cover (`coverageOf`).
  'own',
  'heading',
  'title',
  // The share of adjacent keywords that are near each other.
  'pairs',
  // 1 if the evidence contains the figure, definition or steps that the question asks for, -1 if not, 0 if it does not ask for
  // them.
  'figure',
  // How search ranked the passage; `first` is its reciprocal rank: 1 for the first, 1/2 for the second.
  'relevance',
  'first',
  // How strongly the question names the document.
  'meant',
  // The logarithm of the length of the text.
  'length',
  // 1 for a table row with short cells, less for long ones, 0 for other evidence.
  'row',
] as const

/** `passage` and `type` do not affect the order. They decide whether the best evidence may be stated as the answer. */
export type Features = Record<(typeof FEATURES)[number] | 'passage' | 'type', number>

/** @param hasMatchingHeading whether the heading above the evidence matches the question, and the text below it is the answer */
export function featuresOf(
  evidence: Evidence,
  criteria: Criteria,
  hasMatchingHeading = matchesHeading(evidence, criteria),
): Features {
  const piece = withOneItem(evidence, criteria.keywords)
  const { foundPassage, cells, text } = piece
  const { relevance, rank, passage } = foundPassage
  const types = typeFeatures(piece, criteria)
  return {
    ...coverageOf(piece, criteria, {
      hasMatchingHeading,
      isDefinition: criteria.type === 'definition' && types.figure > 0,
      hasFigure: types.figure > 0,
    }),
    pairs: pairsIn(piece, criteria.keywords),
    ...types,
    relevance,
    first: 1 / (1 + rank),
    meant: passage.meant ?? 0,
    length: Math.log(1 + text.length / 100),
    row: cells ? shortness(cells) : 0,
  }
}

/** A list reduced to its lead and the item that covers most of the question, because many items together match any question. */
function withOneItem(piece: Evidence, keywords: readonly Keyword[]): Evidence {
  const { items, list } = piece
  if (!items || !list) return piece
  const shares = items.map((item) => coverage(keywords, [item]))
  const best = shares.indexOf(Math.max(...shares))
  const text = [...(list.hasLead ? [list.lead] : []), list.items[best] ?? ''].join('\n')
  return { ...piece, text, ownTerms: items[best] ?? piece.ownTerms }
}

const FIGURE_TYPES: ReadonlySet<AnswerType> = new Set([
  'money',
  'duration',
  'frequency',
  'date',
  'percent',
  'count',
  'measure',
  'phone',
  'email',
  'definition',
])

/** Whether a question of this type asks for a number, a date or a definition. Evidence may match its words and not contain one. */
export const asksForFigure = (type: AnswerType): boolean => FIGURE_TYPES.has(type)

/**
 * 1 for evidence that contains the type of answer, else -1: `figure` for figures and definitions, `type` for persons, places,
 * reasons.
 */
function typeFeatures(piece: Evidence, criteria: Criteria): Pick<Features, 'figure' | 'type'> {
  if (criteria.type === 'any') return { figure: 0, type: 0 }
  if (criteria.type === 'steps') return { figure: stepsFeature(piece, criteria), type: 0 }
  const value = containsAnswer(piece, criteria) ? 1 : -1
  // Text below a heading that is the defined term may be the definition too.
  if (value < 0 && criteria.type === 'definition' && matchesHeading(piece, criteria))
    return { figure: 0, type: 0 }
  // "Cause:" or "because" says that a reason follows, but a reason may also be given without such a word.
  if (criteria.type === 'reason') return { figure: Math.max(0, value), type: value }
  return asksForFigure(criteria.type) ? { figure: value, type: 0 } : { figure: 0, type: value }
}

/** 1 for a numbered list, 0 for another list or several sentences, which may describe steps, -1 for a single statement. */
function stepsFeature(piece: Evidence, criteria: Criteria): number {
  if (piece.list?.isOrdered) return 1
  const hasSeveral = piece.list !== undefined || (piece.paragraph?.length ?? 0) > 1
  return hasSeveral || matchesHeading(piece, criteria) ? 0 : -1
}

// In UTF-16 units. A longer cell is prose, which matches many questions, and not a name or a figure.
const MAX_CELL_LENGTH = 40

const shortness = (cells: readonly { text: string }[]): number =>
  Math.min(1, MAX_CELL_LENGTH / (cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length))

type Coverage = Pick<Features, 'own' | 'heading' | 'title' | 'passage'>

/**
 * The weighted shares of the keywords that the evidence itself with its column names (`own`) and the whole passage (`passage`)
 * cover. `heading` and `title` are the shares that only the heading or the title covers. Text below a heading that matches the
 * question covers all keywords. A definition counts as containing the question's "define" or "mean", and a duration as containing the
 * "long" of "how long". A figure does not count as containing the question's "price", because it may be the price of something else.
 */
function coverageOf(
  piece: Evidence,
  criteria: Criteria,
  {
    hasMatchingHeading,
    isDefinition,
    hasFigure,
  }: { hasMatchingHeading: boolean; isDefinition: boolean; hasFigure: boolean },
): Coverage {
  const { keywords, part, names, type } = criteria
  const shares: Coverage = { own: 0, heading: 0, title: 0, passage: 0 }
  if (hasMatchingHeading) {
    // A named part ranks above text that mentions it. If several documents have a section 4, the one whose title contains the other
    // words of the question comes first.
    const otherKeywords = keywords.filter(({ word, isInWorkspace }) => isInWorkspace && !part?.includes(word))
    const partBonus = part === undefined ? 0 : 1 + 2 * coverage(otherKeywords, [piece.titleTerms])
    return { ...shares, own: 1 + partBonus, passage: 1 }
  }
  const total = weightOf(keywords) || 1
  // The words of the title apply to every row of a table, and rows do not repeat them. The topic of the conversation applies to all
  // text below a title or heading that contains it.
  const isImplied = (keyword: Keyword): boolean =>
    (piece.cells !== undefined && containsKeyword(piece.titleTerms, keyword)) ||
    ((keyword.isTopic || names?.has(fold(keyword.word)) === true) &&
      containsKeyword(piece.contextTerms, keyword))
  // If all keywords are implied, this is the total, and all of them count.
  const explicitTotal = weightOf(keywords.filter((keyword) => !isImplied(keyword))) || total
  for (const keyword of keywords) {
    const share = keyword.weight / total
    const isFullyCovered =
      isInRangeOfRow(piece, keyword) ||
      containsKeyword(piece.headerTerms, keyword) ||
      (isDefinition && isTypeWord(type, keyword.word)) ||
      (hasFigure &&
        keyword.isStatedByValue &&
        (type !== 'measure' || containsMeasureFor(keyword.word, piece.text)))
    const own = isFullyCovered ? 1 : matchStrength(piece.ownTerms, keyword)
    shares.passage += share * Math.max(own, matchStrength(piece.passageTerms, keyword))
    const isInTitle = containsKeyword(piece.titleTerms, keyword)
    if (isInTitle) shares.title += share * (1 - own)
    if (!isImplied(keyword) || explicitTotal === total) shares.own += (keyword.weight / explicitTotal) * own
    const isAbove =
      containsKeyword(piece.headingAbove.terms, keyword) || containsKeyword(piece.fieldTerms, keyword)
    if (!isInTitle && isAbove) shares.heading += share * (1 - own)
  }
  shares.own = Math.min(1, shares.own + HEADING_WEIGHT * (shares.heading + (piece.cells ? 0 : shares.title)))
  return shares
}

// Words of the heading and the title count towards `own` too, but less, because the text below is not certainly about them.
const HEADING_WEIGHT = 0.5

const weightOf = (keywords: readonly Keyword[]): number =>
  keywords.reduce((sum, { weight }) => sum + weight, 0)

/** Whether the keyword is a number in a range of the row, such as "10" in "8 to 14". */
function isInRangeOfRow({ cells, ownTerms }: Evidence, { word, forms }: Keyword): boolean {
  if (cells === undefined || !/^\d/.test(word)) return false
  // The first form is that of the question's language.
  const [language = ownTerms.language] = forms.keys()
  const value = readValue(word, { decimal: decimalSignOf(language), dates: undefined })
  if (value?.kind !== 'number' || value.unit !== '') return false
  const number = value.amount.toNumber()
  return cells.some(({ text }) => {
    const range = readRange(text, decimalSignOf(ownTerms.language))
    return range !== undefined && isWithin(range, number)
  })
}

// In terms: the distance at which two keywords are near each other.
const MAX_DISTANCE = 2

/** The weighted share of the pairs of adjacent keywords that are near each other in the evidence. */
function pairsIn({ ownTerms: { language, sequence } }: Evidence, keywords: readonly Keyword[]): number {
  let [nearWeight, totalWeight] = [0, 0]
  for (const [i, first] of keywords.entries()) {
    const second = keywords[i + 1]
    if (!second || second.isTopic) break
    totalWeight += first.weight + second.weight
    const [firstTerm, secondTerm] = [first.forms.get(language), second.forms.get(language)]
    const isSecondNear = (at: number): boolean =>
      sequence
        .slice(Math.max(0, at - MAX_DISTANCE), at + MAX_DISTANCE + 1)
        .some((term) => term === secondTerm)
    if (sequence.some((term, at) => term === firstTerm && isSecondNear(at)))
      nearWeight += first.weight + second.weight
  }
  return totalWeight ? nearWeight / totalWeight : 0
}

/** Whether the evidence contains the type of answer after the names and numbers of the question are removed from it. */
export function containsAnswer(
  piece: Evidence,
  { keywords, type }: Pick<Criteria, 'keywords' | 'type'>,
): boolean {
  const { cells, text } = piece
  if (type === 'definition') return defines(piece, keywords)
  if (cells?.some(({ header, text }) => isColumnOfType(type, header) && /[\p{L}\p{N}]/u.test(text)))
    return true
  const words = new Set(keywords.map(({ word }) => word.toLowerCase()))
  const rest = (cells ? cells.map((cell) => cell.text).join(' ; ') : text).replace(
    /[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu,
    (word) => (isCode(word) || (/[\p{Lu}\p{N}]/u.test(word) && words.has(word.toLowerCase())) ? ' ' : word),
  )
  const hasKeyword = (phrase: string): boolean => {
    const terms = textTerms(phrase, piece.ownTerms.language)
    return keywords.some((keyword) => containsKeyword(terms, keyword))
  }
  return containsAnswerOfType(type, rest, hasKeyword)
}

// Besides the keywords, the subject of a definition may contain this many words, such as an adjective or another name in brackets.
const MAX_EXTRA_SUBJECT_WORDS = 3

/** Whether the evidence defines the keywords: they are the subject of the sentence, or the whole first cell of the row. */
function defines({ cells, text, ownTerms: { language } }: Evidence, keywords: readonly Keyword[]): boolean {
  const subject = textTerms((cells ? cells[0]?.text : definedSubject(text)) ?? '', language)
  const termKeywords = keywords.filter(({ isTopic, word }) => !isTopic && !isTypeWord('definition', word))
  return (
    subject.sequence.length <= termKeywords.length + (cells ? 0 : MAX_EXTRA_SUBJECT_WORDS) &&
    termKeywords.every((keyword) => containsKeyword(subject, keyword))
  )
}
