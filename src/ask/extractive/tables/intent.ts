// What a question asks of a table: how many, the cheapest, the sum, which rows. In English, German, French and Spanish; what
// is said beside it is left for names of columns and contents of cells. Pure.

import type { Comparison, Computation } from '../../compute/compute.ts'
import { type AnswerType, answerType } from '../answer-type.ts'
import { asksForStock, type Stock, withoutStock } from '../availability.ts'
import { type Status, statusAsked } from './status.ts'

export interface TableIntent {
  operation: Extract<Computation['operation'], 'count' | 'min' | 'max' | 'sum' | 'mean' | 'rows'>
  /** The word of the question that says so. */
  said: string
  /** What kind of column it is about, as far as the words tell. */
  type: AnswerType
  /** "more than 100". */
  bounds: { is: Comparison; value: string }[]
  /** Only rows of things that are in stock, or are not. */
  stock: Stock | undefined
  /** Only rows of which a word holds, or does not: "not paid". */
  status: Status | undefined
  /** The question without the words that were understood here. */
  rest: string
}

interface Phrase {
  operation: TableIntent['operation']
  type?: AnswerType
  said: RegExp
}

const words = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu')

// Words that say what kind of column they speak of, and whether its least or its most is meant.
const KIND_EXTREMES: readonly Phrase[] = [
  {
    operation: 'min',
    type: 'money',
    said: words(
      'cheapest|least expensive|lowest[- ]priced?|günstigste[nrsm]?|billigste[nrsm]?|(?:le |la |les )?moins ch(?:er|ère)s?|más barat[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'money',
    said: words(
      'most expensive|priciest|dearest|teuerste[nrsm]?|(?:le |la |les )?plus ch(?:er|ère)s?|más car[oa]s?',
    ),
  },
  {
    operation: 'min',
    type: 'duration',
    said: words(
      'shortest|quickest|kürzeste[nrsm]?|schnellste[nrsm]?|plus courte?s?|plus rapides?|más cort[oa]s?|más rápid[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'duration',
    said: words('longest|slowest|längste[nrsm]?|plus long(?:ue)?s?|más larg[oa]s?'),
  },
  {
    operation: 'min',
    type: 'date',
    said: words(
      'earliest|oldest|first|zuerst|en premier|primero|früheste[nrsm]?|älteste[nrsm]?|plus ancien(?:ne)?s?|más antigu[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'date',
    said: words(
      'latest|newest|most recent|last|zuletzt|en dernier|último|späteste[nrsm]?|neueste[nrsm]?|jüngste[nrsm]?|plus récente?s?|más recientes?',
    ),
  },
]

const AGGREGATES: readonly Phrase[] = [
  {
    operation: 'min',
    said: words(
      'lowest|smallest|minimum|least|fewest|niedrigste[nrsm]?|kleinste[nrsm]?|geringste[nrsm]?|wenigsten|plus (?:bas|basse|petite?|faible)s?|más (?:baj[oa]|pequeñ[oa])s?|menor|mínim[oa]',
    ),
  },
  {
    operation: 'max',
    said: words(
      'highest|largest|biggest|greatest|maximum|höchste[nrsm]?|größte[nrsm]?|meisten?|plus (?:haute?|élevée?|grande?)s?|más (?:alt[oa]|grande)s?|mayor|máxim[oa]',
    ),
  },
  {
    operation: 'mean',
    said: words(
      '(?:the )?average|(?:the )?mean|durchschnitt(?:lich\\p{L}*|s\\p{L}*)?|(?:la )?moyenne|en moyenne|promedio|(?:la )?media',
    ),
  },
  {
    operation: 'sum',
    said: words(
      'in total|altogether|combined|sum of|(?:the )?total(?: of)?|insgesamt|zusammen|(?:die )?summe(?: der)?|au total|(?:la )?somme d(?:e|es)|en total|(?:la )?suma de',
    ),
  },
]

const COUNT: Phrase = {
  operation: 'count',
  said: words(
    "how many(?: different)?|(?:what is )?the number of|wie ?viele(?: verschiedene)?|die anzahl(?: der)?|combien d(?:e |')|le nombre de|cuánt[oa]s|el número de",
  ),
}

const ROWS: Phrase = {
  operation: 'rows',
  said: words(
    'which|list(?: all| the)?|show(?: me)?(?: all)?|what are the|welche[nrsm]?|liste|nenne|quel(?:le)?s|listez|cuáles|qué|lista',
  ),
}

// "Who has not paid?" lists whoever has not.
const STATUS: Phrase = { operation: 'rows', type: 'person', said: words('who|whom|wer|wen|qui|quién(?:es)?') }
// The narrower first.
const PHRASES: readonly Phrase[] = [COUNT, ...KIND_EXTREMES, ...AGGREGATES, ROWS]

const BOUNDS: readonly { is: Comparison; said: string }[] = [
  { is: 'at_least', said: 'at least|no less than|mindestens|au moins|al menos|por lo menos' },
  { is: 'at_most', said: 'at most|no more than|up to|höchstens|bis zu|au plus|jusqu’à|como máximo|hasta' },
  {
    is: 'more',
    said: "more than|over|above|greater than|longer than|higher than|mehr als|über|länger als|teurer als|plus d[e’']|plus que|más de|más que",
  },
  {
    is: 'less',
    said: "less than|under|below|fewer than|shorter than|lower than|cheaper than|weniger als|unter|kürzer als|billiger als|moins d[e’']|moins que|menos de|menos que",
  },
]

// A currency belongs to the figure; weeks and metres may be the name of a column.
const AMOUNT = String.raw`[€$£]?\s?(\d+(?:[.,]\d+)*)(?:\s?(?:€|\$|£|(?:euros?|eur|pounds?|gbp|pfund|dollars?|usd|livres|libras|francs?|franken|chf)(?![\p{L}])))?`

/** Undefined for a question that asks nothing of a table. */
export function intentOf(question: string): TableIntent | undefined {
  const stated = statusAsked(question)
  const phrase = PHRASES.find(({ said }) => said.test(question)) ?? (stated && STATUS)
  if (!phrase) return undefined
  let rest = withoutStock((stated?.rest ?? question).replace(phrase.said, ' '))
  // "Which is the cheapest": both are understood.
  if (phrase !== ROWS) rest = rest.replace(ROWS.said, ' ')
  const bounds: TableIntent['bounds'] = []
  for (const { is, said } of BOUNDS) {
    const found = new RegExp(`(?<![\\p{L}])(?:${said})\\s*${AMOUNT}`, 'iu').exec(rest)
    if (!found?.[1]) continue
    bounds.push({ is, value: found[1].replace(/,(?=\d{3}(?:\D|$))/g, '') })
    rest = rest.replace(found[0], ' ')
  }
  return {
    operation: phrase.operation,
    said: phrase.said.exec(question)?.[0] ?? '',
    type: phrase.type ?? typeBeside(question, phrase),
    bounds,
    stock: asksForStock(question),
    // "Which suppliers are in Germany" is a condition like any other.
    status: stated?.status.negated || phrase === STATUS ? stated?.status : undefined,
    rest,
  }
}

/** Of "the highest price" that it is money; "how many" asks for a number of anything. */
const typeBeside = (question: string, { operation, said }: Phrase): AnswerType =>
  operation === 'count' ? 'any' : answerType(question.replace(said, ' '))
