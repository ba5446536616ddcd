// The intent of a question to a table: how many, the cheapest, the sum, which rows. In English, German, French and
// Spanish; the rest of the question is matched with column names and cells. Pure.

import { wholeWords } from '../../../language/words.ts'
import type { Comparison, Computation } from '../../compute/compute.ts'
import { type AnswerType, answerType } from '../answer-type.ts'
import { isNegated } from '../question.ts'

export interface TableIntent {
  operation: Extract<Computation['operation'], 'count' | 'min' | 'max' | 'sum' | 'mean' | 'rows'>
  /** The words of the question that ask for the operation. */
  phrase: string
  /** The type of column it is about, as far as the words tell. */
  type: AnswerType
  /** "more than 100". */
  bounds: { is: Comparison; value: string }[]
  /** The question without the words recognised here. */
  rest: string
}

interface Phrase {
  operation: TableIntent['operation']
  type?: AnswerType
  pattern: RegExp
}

// Superlatives that also name the type of column.
const TYPED_EXTREMES: readonly Phrase[] = [
  {
    operation: 'min',
    type: 'money',
    pattern: wholeWords(
      'cheapest|least expensive|lowest[- ]priced?|günstigste[nrsm]?|billigste[nrsm]?|(?:le |la |les )?moins ch(?:er|ère)s?|más barat[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'money',
    pattern: wholeWords(
      'most expensive|priciest|dearest|teuerste[nrsm]?|(?:le |la |les )?plus ch(?:er|ère)s?|más car[oa]s?',
    ),
  },
  {
    operation: 'min',
    type: 'duration',
    pattern: wholeWords(
      'shortest|quickest|kürzeste[nrsm]?|schnellste[nrsm]?|plus courte?s?|plus rapides?|más cort[oa]s?|más rápid[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'duration',
    pattern: wholeWords('longest|slowest|längste[nrsm]?|plus long(?:ue)?s?|más larg[oa]s?'),
  },
  {
    operation: 'min',
    type: 'date',
    pattern: wholeWords(
      'earliest|oldest|first|zuerst|en premier|primero|früheste[nrsm]?|älteste[nrsm]?|plus ancien(?:ne)?s?|más antigu[oa]s?',
    ),
  },
  {
    operation: 'max',
    type: 'date',
    pattern: wholeWords(
      'latest|newest|most recent|last|zuletzt|en dernier|último|späteste[nrsm]?|neueste[nrsm]?|jüngste[nrsm]?|plus récente?s?|más recientes?',
    ),
  },
]

const AGGREGATES: readonly Phrase[] = [
  {
    operation: 'min',
    pattern: wholeWords(
      'lowest|smallest|minimum|least|fewest|niedrigste[nrsm]?|kleinste[nrsm]?|geringste[nrsm]?|wenigsten|plus (?:bas|basse|petite?|faible)s?|más (?:baj[oa]|pequeñ[oa])s?|menor|mínim[oa]',
    ),
  },
  {
    operation: 'max',
    pattern: wholeWords(
      'highest|largest|biggest|greatest|maximum|the most|höchste[nrsm]?|größte[nrsm]?|meisten?|plus (?:haute?|élevée?|grande?)s?|más (?:alt[oa]|grande)s?|mayor|máxim[oa]',
    ),
  },
  {
    operation: 'mean',
    pattern: wholeWords(
      '(?:the )?average|(?:the )?mean|durchschnitt(?:lich\\p{L}*|s\\p{L}*)?|(?:la )?moyenne|en moyenne|promedio|(?:la )?media',
    ),
  },
  {
    operation: 'sum',
    pattern: wholeWords(
      'in total|altogether|combined|sum of|(?:the )?total(?: of)?|insgesamt|zusammen|(?:die )?summe(?: der)?|au total|(?:la )?somme d(?:e|es)|en total|(?:la )?suma de',
    ),
  },
]

const COUNT: Phrase = {
  operation: 'count',
  pattern: wholeWords(
    "how many(?: different)?|(?:what is )?the number of|wie ?viele(?: verschiedene)?|die anzahl(?: der)?|combien d(?:e |')|le nombre de|cuánt[oa]s|el número de",
  ),
}

const ROWS: Phrase = {
  operation: 'rows',
  pattern: wholeWords(
    'which|list(?: all| the)?|show(?: me)?(?: all)?|what are the|welche[nrsm]?|liste|nenne|quel(?:le)?s|listez|cuáles|qué|lista',
  ),
}

// In order of precedence.
const PHRASES: readonly Phrase[] = [COUNT, ...TYPED_EXTREMES, ...AGGREGATES, ROWS]

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

// A currency is part of the figure; weeks and metres may be column names.
const AMOUNT = String.raw`[€$£]?\s?(\d+(?:[.,]\d+)*)(?:\s?(?:€|\$|£|(?:euros?|eur|pounds?|gbp|pfund|dollars?|usd|livres|libras|francs?|franken|chf)(?![\p{L}])))?`

/** Undefined for a question that no table can answer. */
export function tableIntent(question: string): TableIntent | undefined {
  const phrase = PHRASES.find(({ pattern: said }) => said.test(question))
  // Which rows are without something, words cannot tell.
  if (!phrase || isNegated(question)) return undefined
  let rest = question.replace(phrase.pattern, ' ')
  // "Which is the cheapest" has both phrases.
  if (phrase !== ROWS) rest = rest.replace(ROWS.pattern, ' ')
  const bounds: TableIntent['bounds'] = []
  for (const { is, said } of BOUNDS) {
    const found = new RegExp(`(?<![\\p{L}])(?:${said})\\s*${AMOUNT}`, 'iu').exec(rest)
    if (!found?.[1]) continue
    bounds.push({ is, value: found[1].replace(/,(?=\d{3}(?:\D|$))/g, '') })
    rest = rest.replace(found[0], ' ')
  }
  return {
    operation: phrase.operation,
    phrase: phrase.pattern.exec(question)?.[0] ?? '',
    type: phrase.type ?? typeOfRest(question, phrase),
    bounds,
    rest,
  }
}

/** The type that the rest of the question names (money in "the highest price"); "how many" counts anything. */
const typeOfRest = (question: string, { operation, pattern: said }: Phrase): AnswerType =>
  operation === 'count' ? 'any' : answerType(question.replace(said, ' '))
