// The features of a piece of evidence, by which the ranker orders it. They work for any document in any language, without word lists:
// how much of the question is in the text, its heading and its title, whether the type of answer is there too, and how search ranked
// the passage. Pure.

import { decimalSignOf, readValue } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import { type AnswerType, containsType, definedBy, isColumnOf, namesType } from './answer-type.ts'
import { type Evidence, matchesHeading } from './evidence.ts'
import { contains, coverage, type Keyword, matching, textTerms } from './keywords.ts'
import { isCode } from './question.ts'

/** The parts of a question that evidence is compared with. */
export interface Criteria {
  keywords: readonly Keyword[]
  type: AnswerType
  /** Part numbers and the like, as written in the question. */
  codes: readonly string[]
  /** Words of the names in a follow-up such as "And Ines?", which repeats an earlier question for another name. */
  names?: ReadonlySet<string>
  /** The number or title of the part of a document that the question names. */
  part?: string | undefined
}

/** The features that order the evidence. The weights are in the same order. */
export const FEATURES = [
  // The shares of the question in the evidence, its heading and its title (`coverageOf`).
  'own',
  'heading',
  'title',
  // The share of adjacent keywords that are near each other.
  'pairs',
  // Whether the figure or definition that is asked for is there: 1, 0 or -1.
  'figure',
  // How search ranked the passage; `first` is 1 for the first, 1/2 for the second.
  'relevance',
  'first',
  // How strongly the question names the document.
  'meant',
  // The logarithm of the length of the text.
  'length',
  // 1 for a table row with short cells, less for long ones, 0 for other evidence.
  'row',
] as const

/** `passage` and `type` do not affect the order, but whether the best evidence may be stated as the answer. */
export type Features = Record<(typeof FEATURES)[number] | 'passage' | 'type', number>

/** @param isHeaded whether the heading above the evidence asks the question, and the text below it has the answer */
export function featuresOf(
  evidence: Evidence,
  criteria: Criteria,
  isHeaded = matchesHeading(evidence, criteria),
): Features {
  const piece = withOneItem(evidence, criteria.keywords)
  const { found, cells, text } = piece
  const { relevance, rank, passage } = found
  const types = typeOf(piece, criteria)
  return {
    ...coverageOf(piece, criteria, {
      isHeaded,
      isDefinition: criteria.type === 'definition' && types.figure > 0,
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

/** A list reduced to its lead and the item that has most of the question, because many items together match any question. */
function withOneItem(piece: Evidence, keywords: readonly Keyword[]): Evidence {
  const { items, list } = piece
  if (!items || !list) return piece
  const shares = items.map((item) => coverage(keywords, [item]))
  const best = shares.indexOf(Math.max(...shares))
  const text = [...(list.hasLead ? [list.lead] : []), list.items[best] ?? ''].join('\n')
  return { ...piece, text, own: items[best] ?? piece.own }
}

const FIGURE_TYPES: ReadonlySet<AnswerType> = new Set([
  'money',
  'duration',
  'frequency',
  'date',
  'percent',
  'count',
  'measure',
  'definition',
])

/** Whether the question asks for a number, a date or a definition, which matching words alone do not give. */
export const asksForFigure = (type: AnswerType): boolean => FIGURE_TYPES.has(type)

/** 1 for evidence that has the type of answer, else -1: `figure` for figures and definitions, `type` for persons, places, reasons. */
function typeOf(piece: Evidence, criteria: Criteria): Pick<Features, 'figure' | 'type'> {
  if (criteria.type === 'any') return { figure: 0, type: 0 }
  if (criteria.type === 'steps') return { figure: stepsIn(piece, criteria), type: 0 }
  const presence = containsAnswer(piece, criteria) ? 1 : -1
  // Text below a heading that is the defined term may be the definition too.
  if (presence < 0 && criteria.type === 'definition' && matchesHeading(piece, criteria))
    return { figure: 0, type: 0 }
  // "Cause:" or "because" says that a reason follows, but a reason may also be given without such a word.
  if (criteria.type === 'reason') return { figure: Math.max(0, presence), type: presence }
  return asksForFigure(criteria.type) ? { figure: presence, type: 0 } : { figure: 0, type: presence }
}

/** 1 for a numbered list, 0 for another list or several sentences, which may describe steps, -1 for a single statement. */
function stepsIn(piece: Evidence, criteria: Criteria): number {
  if (piece.list?.isOrdered) return 1
  const hasSeveral = piece.list !== undefined || (piece.paragraph?.length ?? 0) > 1
  return hasSeveral || matchesHeading(piece, criteria) ? 0 : -1
}

// A longer cell is prose, which matches many questions, instead of a name or a figure.
const MAX_CELL_LENGTH = 40

const shortness = (cells: readonly { text: string }[]): number =>
  Math.min(1, MAX_CELL_LENGTH / (cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length))

type Coverage = Pick<Features, 'own' | 'heading' | 'title' | 'passage'>

/**
 * The weighted shares of the keywords. `own`: in the evidence itself with its column names; `heading`, `title`: of the remaining ones
 * in its heading and title; `passage`: of all in its passage. Text below a heading that asks the question has all of them. A definition
 * counts as containing the question's "define" or "mean". A figure does not count as containing the question's "price", because it may
 * be the price of something else.
 */
function coverageOf(
  piece: Evidence,
  criteria: Criteria,
  { isHeaded, isDefinition }: { isHeaded: boolean; isDefinition: boolean },
): Coverage {
  const { keywords, part, names, type } = criteria
  const shares: Coverage = { own: 0, heading: 0, title: 0, passage: 0 }
  if (isHeaded) {
    // The part itself ranks above text that mentions it. If several documents have a section 4, the one whose title has the other
    // words comes first.
    const others = keywords.filter(({ word, isKnown }) => isKnown && !part?.includes(word))
    const partBonus = part === undefined ? 0 : 1 + 2 * coverage(others, [piece.title])
    return { ...shares, own: 1 + partBonus, passage: 1 }
  }
  const total = weightOf(keywords) || 1
  // The words of the title apply to every row of a table, which does not repeat them. The topic of the conversation applies to all text
  // below a title or heading that has it.
  const isImplied = (keyword: Keyword): boolean =>
    (piece.cells !== undefined && contains(piece.title, keyword)) ||
    ((keyword.isTopic || names?.has(keyword.word) === true) && contains(piece.around, keyword))
  // If all keywords are implied, this is the total, and all of them count.
  const explicitTotal = weightOf(keywords.filter((keyword) => !isImplied(keyword))) || total
  for (const keyword of keywords) {
    const share = keyword.weight / total
    const isSaid =
      isInRangeOfRow(piece, keyword) ||
      contains(piece.headers, keyword) ||
      (isDefinition && namesType(type, keyword.word))
    const own = isSaid ? 1 : matching(piece.own, keyword)
    shares.passage += share * Math.max(own, matching(piece.whole, keyword))
    const isTitled = contains(piece.title, keyword)
    if (isTitled) shares.title += share * (1 - own)
    if (!isImplied(keyword) || explicitTotal === total) shares.own += (keyword.weight / explicitTotal) * own
    if (!isTitled && contains(piece.headingAbove.terms, keyword)) shares.heading += share * (1 - own)
  }
  shares.own = Math.min(1, shares.own + HEADING_WEIGHT * (shares.heading + (piece.cells ? 0 : shares.title)))
  return shares
}

// Words of the heading and the title count towards `own` too, but less, because they apply to the text below less certainly.
const HEADING_WEIGHT = 0.5

const weightOf = (keywords: readonly Keyword[]): number =>
  keywords.reduce((sum, { weight }) => sum + weight, 0)

/** Whether the keyword is a number in a range of the row, such as "10" in "8 to 14". */
function isInRangeOfRow({ cells, own }: Evidence, { word, forms }: Keyword): boolean {
  if (cells === undefined || !/^\d/.test(word)) return false
  // The first form is that of the question's language.
  const [language = own.language] = forms.keys()
  const value = readValue(word, { decimal: decimalSignOf(language), dates: undefined })
  if (value?.kind !== 'number' || value.unit !== '') return false
  const number = value.amount.toNumber()
  return cells.some(({ text }) => {
    const range = readRange(text, decimalSignOf(own.language))
    return range !== undefined && isWithin(range, number)
  })
}

const MAX_DISTANCE = 2

/** The weighted share of the pairs of adjacent keywords that are near each other in the evidence. */
function pairsIn({ own: { language, sequence } }: Evidence, keywords: readonly Keyword[]): number {
  let [foundWeight, totalWeight] = [0, 0]
  for (const [i, first] of keywords.entries()) {
    const second = keywords[i + 1]
    if (!second || second.isTopic) break
    totalWeight += first.weight + second.weight
    const [a, b] = [first.forms.get(language), second.forms.get(language)]
    const isNear = (at: number): boolean =>
      sequence.slice(Math.max(0, at - MAX_DISTANCE), at + MAX_DISTANCE + 1).some((term) => term === b)
    if (sequence.some((term, at) => term === a && isNear(at))) foundWeight += first.weight + second.weight
  }
  return totalWeight ? foundWeight / totalWeight : 0
}

/** Whether it contains the type of answer, once the question's own names and numbers are removed from it. */
export function containsAnswer(
  piece: Evidence,
  { keywords, type }: Pick<Criteria, 'keywords' | 'type'>,
): boolean {
  const { cells, text } = piece
  if (type === 'definition') return defines(piece, keywords)
  if (cells?.some(({ header, text }) => isColumnOf(type, header) && /[\p{L}\p{N}]/u.test(text))) return true
  const words = new Set(keywords.map(({ word }) => word.toLowerCase()))
  const rest = (cells ? cells.map((cell) => cell.text).join(' ; ') : text).replace(
    /[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu,
    (word) => (isCode(word) || (/[\p{Lu}\p{N}]/u.test(word) && words.has(word.toLowerCase())) ? ' ' : word),
  )
  const isAsked = (phrase: string): boolean => {
    const terms = textTerms(phrase, piece.own.language)
    return keywords.some((keyword) => contains(terms, keyword))
  }
  return containsType(type, rest, isAsked)
}

// Besides the keywords, the subject of a definition may have at most this many words more, such as an adjective or another name in brackets.
const MAX_MORE_WORDS = 3

/** Whether the evidence defines the keywords: they are its subject, or the whole first cell of a row. */
function defines({ cells, text, own: { language } }: Evidence, keywords: readonly Keyword[]): boolean {
  const subject = textTerms((cells ? cells[0]?.text : definedBy(text)) ?? '', language)
  const asked = keywords.filter(({ isTopic, word }) => !isTopic && !namesType('definition', word))
  return (
    subject.sequence.length <= asked.length + (cells ? 0 : MAX_MORE_WORDS) &&
    asked.every((keyword) => contains(subject, keyword))
  )
}
