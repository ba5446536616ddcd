// What the ranker knows of a piece of evidence: a dozen figures of 0 to 1 that hold for any document, in any language. No word
// lists: how much of the question stands where, whether what is asked for stands there too, and what search made of it. Pure.

import { decimalSignOf, readValue } from '../compute/cell-value.ts'
import { isWithin, readRange } from '../compute/range.ts'
import { type AnswerType, containsType, definedBy, isColumnOf, namesType } from './answer-type.ts'
import { type Evidence, matchesHeading } from './evidence.ts'
import { contains, coverage, type Keyword, matching, textTerms } from './keywords.ts'
import { isCode } from './question.ts'

/** What evidence is judged by. */
export interface Criteria {
  keywords: readonly Keyword[]
  type: AnswerType
  /** Part numbers and the like, as written in the question. */
  codes: readonly string[]
  /** Words of names of which the same is asked as of another in an earlier turn. */
  names?: ReadonlySet<string>
  /** The number or title of the part of a document that the question names. */
  part?: string | undefined
}

/** In the order of the weights. */
export const FEATURES = [
  'own',
  'heading',
  'title',
  'pairs',
  'figure',
  'relevance',
  'first',
  'meant',
  'length',
  'row',
] as const

/** With two that say nothing of the order, but whether the best may be stated. */
export type Features = Record<(typeof FEATURES)[number] | 'passage' | 'type', number>

/** @param isHeaded whether the heading above asks the question, and the text below it has what is asked for */
export function featuresOf(
  whole: Evidence,
  criteria: Criteria,
  isHeaded = matchesHeading(whole, criteria),
): Features {
  const piece = withOneItem(whole, criteria.keywords)
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

/** A list with the item that says most of the question: all of its items together match anything. */
function withOneItem(piece: Evidence, keywords: readonly Keyword[]): Evidence {
  const { items, list } = piece
  if (!items || !list) return piece
  const shares = items.map((item) => coverage(keywords, [item]))
  const at = shares.indexOf(Math.max(...shares))
  const text = [...(list.hasLead ? [list.lead] : []), list.items[at] ?? ''].join('\n')
  return { ...piece, text, own: items[at] ?? piece.own }
}

const FIGURES: ReadonlySet<AnswerType> = new Set([
  'money',
  'duration',
  'frequency',
  'date',
  'percent',
  'count',
  'measure',
  'definition',
])

/** Whether a number, a date or a definition is asked for, which words alone do not give. */
export const asksForFigure = (type: AnswerType): boolean => FIGURES.has(type)

/** 1 for evidence that has what is asked for, -1 for other evidence: a figure, or a person, a place, a reason. */
function typeOf(piece: Evidence, criteria: Criteria): Pick<Features, 'figure' | 'type'> {
  if (criteria.type === 'any') return { figure: 0, type: 0 }
  if (criteria.type === 'steps') return { figure: stepsIn(piece, criteria), type: 0 }
  const has = containsAnswer(piece, criteria) ? 1 : -1
  // What stands below a heading that is the thing tells what it is, too.
  if (has < 0 && criteria.type === 'definition' && matchesHeading(piece, criteria))
    return { figure: 0, type: 0 }
  return asksForFigure(criteria.type) ? { figure: has, type: 0 } : { figure: 0, type: has }
}

/** 1 for numbered steps, 0 for what may tell them one after the other, -1 for a lone statement. */
function stepsIn(piece: Evidence, criteria: Criteria): number {
  if (piece.list?.isOrdered) return 1
  const isMany = piece.list !== undefined || (piece.paragraph?.length ?? 0) > 1
  return isMany || matchesHeading(piece, criteria) ? 0 : -1
}

// A cell of a name or a figure; a longer one is prose, which says something of everything.
const MAX_CELL_LENGTH = 40

const shortness = (cells: readonly { text: string }[]): number =>
  Math.min(1, MAX_CELL_LENGTH / (cells.reduce((sum, { text }) => sum + text.length, 0) / cells.length))

type Coverage = Pick<Features, 'own' | 'heading' | 'title' | 'passage'>

/**
 * The weighted share of the keywords in the evidence itself, column names included; of the others those in its heading and in
 * its title; and of all those in its passage. Text below a heading that asks the question says all of it. The word by which a
 * definition is requested, "define", is said by the definition. The same does not hold for figures: an amount is not the price.
 */
function coverageOf(
  piece: Evidence,
  criteria: Criteria,
  { isHeaded, isDefinition }: { isHeaded: boolean; isDefinition: boolean },
): Coverage {
  const { keywords, part, names, type } = criteria
  const shares: Coverage = { own: 0, heading: 0, title: 0, passage: 0 }
  if (isHeaded) {
    // The part goes before what speaks of it; of many documents with a section 4 the one whose title says the rest.
    const others = keywords.filter(({ word, isKnown }) => isKnown && !part?.includes(word))
    const named = part === undefined ? 0 : 1 + 2 * coverage(others, [piece.title])
    return { ...shares, own: 1 + named, passage: 1 }
  }
  const total = weightOf(keywords) || 1
  // What the title says holds for every row of a table, which does not say it again; and what a conversation is about for all that
  // stands below a title or heading that has it.
  const holds = (keyword: Keyword): boolean =>
    (piece.cells !== undefined && contains(piece.title, keyword)) ||
    ((keyword.isTopic || names?.has(keyword.word) === true) && contains(piece.around, keyword))
  const open = weightOf(keywords.filter((keyword) => !holds(keyword))) || total
  for (const keyword of keywords) {
    const share = keyword.weight / total
    const isSaid =
      isInCells(piece, keyword) ||
      contains(piece.headers, keyword) ||
      (isDefinition && namesType(type, keyword.word))
    const own = isSaid ? 1 : matching(piece.own, keyword)
    shares.passage += share * Math.max(own, matching(piece.whole, keyword))
    const isTitled = contains(piece.title, keyword)
    if (isTitled) shares.title += share * (1 - own)
    if (!holds(keyword) || open === total) shares.own += (keyword.weight / open) * own
    if (!isTitled && contains(piece.under.terms, keyword)) shares.heading += share * (1 - own)
  }
  shares.own = Math.min(1, shares.own + ABOVE * (shares.heading + (piece.cells ? 0 : shares.title)))
  return shares
}

// What stands above a unit is said of it too, but less surely.
const ABOVE = 0.5

const weightOf = (keywords: readonly Keyword[]): number =>
  keywords.reduce((sum, { weight }) => sum + weight, 0)

/** Whether "10 years" falls into the row's "8 to 14". */
function isInCells({ cells, own }: Evidence, { word, forms }: Keyword): boolean {
  if (cells === undefined || !/^\d/.test(word)) return false
  // The first form is that of the question's language.
  const [asked = own.language] = forms.keys()
  const value = readValue(word, { decimal: decimalSignOf(asked), dates: undefined })
  if (value?.kind !== 'number' || value.unit !== '') return false
  const number = value.amount.toNumber()
  return cells.some(({ text }) => {
    const range = readRange(text, decimalSignOf(own.language))
    return range !== undefined && isWithin(range, number)
  })
}

const NEAR = 2

/** The weighted share of the pairs of adjacent keywords that stand near each other. */
function pairsIn({ own: { language, sequence } }: Evidence, keywords: readonly Keyword[]): number {
  let [found, all] = [0, 0]
  for (const [i, first] of keywords.entries()) {
    const second = keywords[i + 1]
    if (!second || second.isTopic) break
    all += first.weight + second.weight
    const [a, b] = [first.forms.get(language), second.forms.get(language)]
    const isNear = (at: number): boolean =>
      sequence.slice(Math.max(0, at - NEAR), at + NEAR + 1).some((term) => term === b)
    if (sequence.some((term, at) => term === a && isNear(at))) found += first.weight + second.weight
  }
  return all ? found / all : 0
}

/** Whether it contains the type of answer, once the question's own names and numbers are removed from it. */
export function containsAnswer(
  piece: Evidence,
  { keywords, type }: Pick<Criteria, 'keywords' | 'type'>,
): boolean {
  const { cells, text } = piece
  if (type === 'definition') return defines(piece, keywords)
  if (cells?.some(({ header, text }) => isColumnOf(type, header) && /[\p{L}\p{N}]/u.test(text))) return true
  const said = new Set(keywords.map(({ word }) => word.toLowerCase()))
  const rest = (cells ? cells.map((cell) => cell.text).join(' ; ') : text).replace(
    /[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu,
    (word) => (isCode(word) || (/[\p{Lu}\p{N}]/u.test(word) && said.has(word.toLowerCase())) ? ' ' : word),
  )
  const isAsked = (part: string): boolean => {
    const terms = textTerms(part, piece.own.language)
    return keywords.some((keyword) => contains(terms, keyword))
  }
  return containsType(type, rest, isAsked)
}

// Beside what is asked for, the subject of a definition may have an adjective, or another name in brackets.
const MAX_SUBJECT_LENGTH = 3

/** Whether it says what the keywords name: they are its subject, or all of a row's first cell. */
function defines({ cells, text, own: { language } }: Evidence, keywords: readonly Keyword[]): boolean {
  const subject = textTerms((cells ? cells[0]?.text : definedBy(text)) ?? '', language)
  const asked = keywords.filter(({ isTopic, word }) => !isTopic && !namesType('definition', word))
  return (
    subject.sequence.length <= asked.length + (cells ? 0 : MAX_SUBJECT_LENGTH) &&
    asked.every((keyword) => contains(subject, keyword))
  )
}
