// A question to tables, as far as its words tell before a table is looked at: the operation, bounds, periods and what is not
// so. The rest is matched with column names, cells and what a table is about. Pure.

import { monthNamed, placedPeriods } from '../../../language/periods.ts'
import { words } from '../../../language/words.ts'
import { readValue, type Value } from '../../compute/cell-value.ts'
import { type Days, daysOfPeriod } from '../../compute/columns.ts'
import type { Comparison } from '../../compute/compute.ts'
import { type AnswerType, answerType } from '../answer-type.ts'
import {
  AND,
  BETWEEN,
  BOUNDS,
  CHECK,
  COMPOUNDS,
  COUNT,
  DOUBLED_NEGATION,
  EITHER,
  ELIDED,
  EXTREMES,
  NEGATION,
  NOT_COVERED,
  type Operation,
  type Phrase,
  RELATIONS,
  type Relation,
  ROWS,
  SUMS,
  VALUE,
} from './phrases.ts'

/** "More than 40 beds": the word behind may name the column. */
export interface Bound {
  is: Comparison
  amount: Extract<Value, { kind: 'number' }>
  column?: RegExp
  type?: AnswerType
  /** The unit as written behind the number; may also be the name of what is counted. */
  word: string
  said: string
}

export interface PeriodCondition {
  relation: Relation
  days?: Days
  /** Of a month without a year, 1 to 12. */
  month?: number
  said: string
}

export interface TableQuestion {
  operation: Operation
  /** The words that ask for the operation. */
  phrase: string
  /** The type of column it is about, as far as the words tell. */
  type: AnswerType
  column?: RegExp
  bounds: Bound[]
  periods: PeriodCondition[]
  /** A superlative beside a count, which can only be a part of a name: "how many have first aid". */
  superlative: string
  /** Words that the question says are not so. */
  negated: ReadonlySet<string>
  /** Two values of one column may hold either of them. */
  mayBeEither: boolean
  /** The question without the words that are understood here. */
  rest: string
}

const CURRENCY = String.raw`(?:€|\$|£|¥|(?:euros?|eur|pounds?|gbp|pfund|dollars?|usd|livres|libras|francs?|franken|chf|nok|sek)(?![\p{L}]))`
const AMOUNT = String.raw`(?<amount>[€$£¥]?\s?\d+(?:[.,]\d+)*\s?(?:million|mio\.?|millionen|millions|millones|thousand|tausend|%|${CURRENCY})?)(?:[\s-]?(?<word>\p{L}+))?`

/** Undefined for a question that no table can answer, or that says something which is not understood. */
export function tableQuestion(text: string, language: string): TableQuestion | undefined {
  const bounds: Bound[] = []
  let rest = COMPOUNDS.reduce(
    (open, { said, apart }) => open.replace(said, apart),
    text.replace(/[?¿!]/g, ' ').replace(ELIDED, 'de '),
  )
  for (const { said, ...bound } of BOUNDS) {
    const match = new RegExp(String.raw`(?<![\p{L}])(?:${said})\s*${AMOUNT}`, 'iu').exec(rest)
    const amount = match?.groups?.amount && amountOf(match.groups.amount, language)
    if (!match || !amount || isPeriod(match.groups?.amount ?? '')) continue
    const word = match.groups?.word ?? ''
    bounds.push({ ...bound, amount, word, said: match[0].trim() })
    rest = rest.replace(match[0], () => ` ${word} `)
  }
  const { periods, rest: timeless } = takePeriods(rest)
  const { negated, rest: positive } = takeNegation(timeless)
  const { phrase, said, superlative, rest: open } = takeOperation(positive)
  if (!phrase || NOT_COVERED.test(open)) return undefined
  return {
    operation: phrase.operation,
    phrase: said,
    type: phrase.type ?? (phrase.operation === 'count' ? 'any' : answerType(text.replace(said, ' '))),
    ...(phrase.column && { column: phrase.column }),
    superlative,
    bounds,
    periods,
    negated,
    mayBeEither: EITHER.test(open),
    rest: open,
  }
}

function amountOf(said: string, language: string): Bound['amount'] | undefined {
  const decimal = language === 'en' || language === 'xx' ? '.' : ','
  const value = readValue(said.trim(), { decimal, dates: undefined })
  return value?.kind === 'number' ? value : undefined
}

/** "Before 2020", "over 2019": a year is rather a time. */
const isPeriod = (said: string): boolean => /^(?:19|20)\d\d$/.test(said.trim())

function takeOperation(text: string): { phrase?: Phrase; said: string; superlative: string; rest: string } {
  const find = (phrases: readonly Phrase[]): Phrase | undefined =>
    phrases.find(({ pattern }) => pattern.test(text))
  const count = find([COUNT])
  const extreme = find(EXTREMES)
  const sum = find(SUMS)
  const isHowMany = count && !/(?:number|anzahl|nombre|número)/iu.test(count.pattern.exec(text)?.[0] ?? '')
  const superlative = isHowMany ? ((extreme ?? sum)?.pattern.exec(text)?.[0] ?? '') : ''
  // "How many in total": the count.
  const phrase = isHowMany ? count : (extreme ?? sum ?? count ?? find([CHECK, ROWS, VALUE]))
  if (!phrase) return { said: '', superlative: '', rest: text }
  const said = phrase.pattern.exec(text)?.[0] ?? ''
  let rest = text.replace(phrase.pattern, ' ')
  // "Which is the cheapest", "what is the total number of".
  for (const { pattern } of [
    ROWS,
    VALUE,
    ...(phrase === count ? SUMS : []),
    ...(phrase === extreme || sum ? [COUNT] : []),
  ])
    rest = rest.replace(pattern, ' ')
  return { phrase, said, superlative: sum?.operation === 'sum' ? '' : superlative, rest }
}

/** Takes the periods with the words that relate them: in, since, before, between … and. */
function takePeriods(text: string): { periods: PeriodCondition[]; rest: string } {
  const periods: PeriodCondition[] = []
  const placed = placedPeriods(text)
  let [rest, from] = ['', 0]
  for (let i = 0; i < placed.length; i++) {
    const one = placed[i]
    if (!one) break
    const next = placed[i + 1]
    const before = text.slice(from, one.start)
    if (next && BETWEEN.test(before) && AND.test(text.slice(one.end, next.start))) {
      const days = { from: daysOfPeriod(one.period).from, to: daysOfPeriod(next.period).to }
      periods.push({ relation: 'within', days, said: text.slice(one.start, next.end) })
      rest += before.replace(BETWEEN, ' ')
      from = next.end
      i++
      continue
    }
    const relation = RELATIONS.find(({ said }) => said.test(before))
    periods.push({
      relation: relation?.relation ?? 'within',
      days: daysOfPeriod(one.period),
      said: text.slice(one.start, one.end),
    })
    rest += `${relation ? before.replace(relation.said, ' ') : before} `
    from = one.end
  }
  rest += text.slice(from)
  for (const { raw } of words(rest)) {
    const month = monthNamed(raw)
    // "May" and "mar" are words, too: a month alone has its capital and stands behind what relates it.
    const said =
      month &&
      new RegExp(
        String.raw`(?<![\p{L}])(?:in|during|im|en|au mois de|en el mes de)\s+${raw}(?![\p{L}])`,
        'u',
      ).exec(rest)
    if (!said || !month || (raw.length < 4 && !/^\p{Lu}/u.test(raw))) continue
    periods.push({ relation: 'within', month, said: raw })
    rest = rest.replace(said[0], ' ')
  }
  return { periods, rest }
}

/** The first word of meaning behind each negation is what is not so. */
function takeNegation(text: string): { negated: Set<string>; rest: string } {
  const negated = new Set<string>()
  for (const match of text.matchAll(NEGATION)) {
    const behind = text.slice(match.index + match[0].length)
    for (const { raw } of words(behind)) {
      if (LINKING.test(raw)) continue
      negated.add(raw)
      break
    }
  }
  const rest = text.replace(NEGATION, ' ')
  return { negated, rest: negated.size > 0 ? rest.replace(DOUBLED_NEGATION, ' ') : rest }
}

const LINKING =
  /^(?:an?|the|any|yet|been|being|be|have|has|in|from|at|of|der|die|das|den|dem|eine?[nmrs]?|im|in|noch|été|encore|un|une|le|la|les|en|de|à|el|los|las|está[ns]?|sido|ha|han)$/iu
