// A question to tables, as far as its words tell before a table is looked at: the operation, bounds, periods and what is not
// so. The rest is matched with column names, cells and what a table is about. Pure.

import { type Interval, placedIntervals, relativeIntervals, spanOf } from '../../../language/intervals.ts'
import { fold, words } from '../../../language/words.ts'
import { decimalSignOf, readValue, type Value } from '../../compute/cell-value.ts'
import type { Comparison } from '../../compute/compute.ts'
import { isMeasure } from '../../compute/units.ts'
import { type AnswerType, answerType } from '../answer-type.ts'
import {
  AND,
  BETWEEN,
  BOUNDS,
  CHECK,
  COLUMN_BOUNDS,
  COMPOUNDS,
  COUNT,
  type DatePhrase,
  DOUBLED_NEGATION,
  DUE,
  EITHER,
  ELIDED,
  EXTREMES,
  LATE,
  NEGATION,
  NOT_COVERED,
  type Operation,
  type Phrase,
  PLAN,
  PLANNED,
  RELATIONAL,
  RELATIONS,
  type Relation,
  ROWS,
  SUMS,
  VALUE,
  WHO,
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

/** A number with what stands directly behind it. */
export interface Measure {
  amount: Extract<Value, { kind: 'number' }>['amount']
  /** Empty for none. */
  unit: string
  /** The unit as written. */
  word: string
}

export interface PeriodCondition {
  relation: Relation
  interval: Interval
  said: string
  /** With the word that relates it: "before 2010". */
  written: string
}

/** "Below the minimum stock": a column of numbers or dates is compared with another one of the same row. */
export interface ColumnBound {
  is: Comparison
  /** The header of the column that is the bound. */
  header: string
  said: string
}

export interface TableQuestion {
  operation: Operation
  /** Words that relate or compare in a way that no operation knows: with one of them no number is stated. */
  notUnderstood: string[]
  /** Whether it asks for persons. */
  asksWho: boolean
  /** The type of column it is about, as far as the words tell. */
  type: AnswerType
  column?: RegExp
  /** Of a column of dates the operation is another one: the oldest has the earliest. */
  ofDates?: DatePhrase
  /** The column that is meant where none is named. */
  usual?: RegExp
  bounds: Bound[]
  columnBounds: ColumnBound[]
  /** By the number as written. */
  measures: ReadonlyMap<string, Measure>
  periods: PeriodCondition[]
  /** The day of the question, in days since 1970-01-01, where it is known. */
  today?: number
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
const WORD = String.raw`[\p{L}°µ][\p{L}\p{N}²³]*(?:/[\p{L}\p{N}²³]+)?`
const AMOUNT = String.raw`(?<amount>[€$£¥]?\s?\d+(?:[.,]\d+)*\s?(?:million|mio\.?|millionen|millions|millones|thousand|tausend|%|${CURRENCY})?)(?:[\s-]?(?<word>${WORD}))?`

interface QuestionContext {
  /** Of a table: what is a part of a column's name there is no operation, "last ordered" by `last_order`. */
  headers?: readonly string[]
  /** What its rows are called, of which the same holds: "Last departure". */
  rowNames?: readonly string[]
  /** The day of the question, where it is known, in days since 1970-01-01. */
  today?: number | undefined
}

/** Undefined for a question that no table can answer. */
export function tableQuestion(
  text: string,
  language: string,
  { headers = [], rowNames = [], today }: QuestionContext = {},
): TableQuestion | undefined {
  const bounds: Bound[] = []
  const plain = withDigits(apartFromUnits(text.replace(/[?¿!]/g, ' ').replace(ELIDED, 'de ')))
  let rest = COMPOUNDS.reduce(
    (open, { said, apart }) => open.replace(said, apart),
    withoutRates(numberBehind(plain, headers), headers),
  )
  const bounded = takeBounds(rest, language)
  bounds.push(...bounded.bounds)
  rest = bounded.rest
  rest = takeAmountsBetween(rest, language, bounds)
  const { columnBounds, rest: unbound } = takeColumnBounds(rest, headers)
  rest = unbound
  const { periods, rest: timeless } = takePeriods(rest, today)
  const { negated, rest: positive } = takeNegation(timeless)
  const {
    phrase,
    said,
    superlative,
    rest: open,
  } = takeOperation(positive, { language, names: [...headers, ...rowNames] })
  const measures = measuresIn(open, language)
  if (!phrase) return undefined
  return {
    notUnderstood: [
      UNCLEAR_NUMBER.exec(text)?.[0],
      measures ? undefined : /\d\S*/.exec(open)?.[0],
      NOT_COVERED.exec(open)?.[0],
      openRelation(open, headers),
    ].flatMap((said) => said?.trim() ?? []),
    operation: phrase.operation,
    asksWho: WHO.test(text),
    type: phrase.type ?? (phrase.operation === 'count' ? 'any' : answerType(text.replace(said, ' '))),
    ...(phrase.column && { column: phrase.column }),
    ...(phrase.ofDates && { ofDates: phrase.ofDates }),
    ...(phrase.usual && { usual: phrase.usual }),
    superlative,
    bounds,
    columnBounds,
    measures: measures ?? new Map(),
    periods,
    ...(today !== undefined && { today }),
    negated,
    mayBeEither: EITHER.test(open),
    rest: open,
  }
}

/** Takes "more than 40 beds", but for the beds. */
export function takeBounds(text: string, language: string): { bounds: Bound[]; rest: string } {
  const bounds: Bound[] = []
  let rest = text
  for (const { said, ...bound } of BOUNDS) {
    const match = new RegExp(String.raw`(?<![\p{L}])(?:${said})\s*${AMOUNT}`, 'iu').exec(rest)
    const amount = match?.groups?.amount && amountOf(match.groups.amount, language)
    if (!match || !amount || isPeriod(match.groups?.amount ?? '')) continue
    const word = match.groups?.word ?? ''
    bounds.push({ ...bound, amount, word, said: match[0].trim() })
    rest = rest.replace(match[0], () => ` ${word} `)
  }
  return { bounds, rest }
}

function amountOf(said: string, language: string): Bound['amount'] | undefined {
  const text = said.trim().replace(POUNDS, '£')
  const value = readValue(text, { decimal: decimalSignOf(language), dates: undefined })
  return value?.kind === 'number' ? value : undefined
}

// In a question after a number; in a cell they may be a weight.
const POUNDS = /\b(?:pounds?|pfund)$/iu

const AMOUNTS_BETWEEN = new RegExp(
  String.raw`(?<![\p{L}])(?:between|from|zwischen|von|entre|de|desde)\s+(?<first>[€$£¥]?\s?\d+(?:[.,]\d+)*)(?:\s?(?<unit>${WORD}|[€$£¥%]))?\s+(?:and|to|und|bis|et|à|y|a|hasta)\s+${AMOUNT}`,
  'iu',
)

/** "Between 10 and 20 kg" is two bounds; taken out of the text. */
function takeAmountsBetween(text: string, language: string, bounds: Bound[]): string {
  const match = AMOUNTS_BETWEEN.exec(text)
  const { first = '', unit = '', amount = '', word = '' } = match?.groups ?? {}
  const most = amountOf(amount, language)
  const least = amountOf(most?.unit && !/[€$£¥]/.test(first) ? `${first} ${most.unit}` : first, language)
  const isOneUnit = unit === '' || unit === word || unit === most?.unit
  if (!match || !most || !least || !isOneUnit || isPeriod(first) || isPeriod(amount)) return text
  const said = match[0].trim()
  bounds.push({ is: 'at_least', amount: least, word, said }, { is: 'at_most', amount: most, word, said })
  return text.replace(match[0], () => ` ${word} `)
}

/** "More than ten seats", "zwei Projektoren": numbers as words, which tables write in digits. */
const withDigits = (text: string): string =>
  text.replace(SPELLED_NUMBER, (word) => String(SPELLED_NUMBERS.get(word.toLowerCase()) ?? word))

const SPELLED_NUMBERS = new Map(
  [
    'two three four five six seven eight nine ten eleven twelve',
    'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    'deux trois quatre cinq six sept huit neuf dix onze douze',
    'dos tres cuatro cinco seis siete ocho nueve diez once doce',
  ].flatMap((line) => line.split(' ').map((word, i): [string, number] => [word, i + 2])),
)
const BOUND_WORDS = BOUNDS.map(({ said }) => said).join('|')
const SPELLED_NUMBER = new RegExp(
  String.raw`(?<=(?<![\p{L}])(?:${BOUND_WORDS})\s+)(?:${[...SPELLED_NUMBERS.keys()].join('|')})(?![\p{L}])`,
  'giu',
)

const ORDINALS = new Map(
  [
    'first second third fourth fifth sixth seventh eighth ninth tenth',
    'erst zweit dritt viert fünft sechst siebt acht neunt zehnt',
    'premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième',
    'primer segund tercer cuart quint sext séptim octav noven décim',
  ].flatMap((line) => line.split(' ').map((word, i): [string, number] => [word, i + 1])),
)
const ORDINAL =
  /(?<![\p{L}\d])(?:(?<word>\p{L}{4,10}?)(?:e[nrms]?|ère|[oa]s?)?|(?<digits>\d{1,2})(?:st|nd|rd|th|e|er|ème|º|ª|\.))\s+(?<name>\p{L}{3,})/giu

/** "On the third floor" is "on the floor 3" where a column is called so. */
function numberBehind(text: string, headers: readonly string[]): string {
  const names = new Set(headers.flatMap((header) => [...words(header)].map(({ raw }) => fold(raw))))
  return text.replace(ORDINAL, (all, ...groups) => {
    const { word = '', digits, name = '' } = groups.at(-1) as Record<string, string | undefined>
    const number = digits ?? ORDINALS.get(word.toLowerCase())
    return number !== undefined && names.has(fold(name)) && !names.has(fold(word)) ? `${name} ${number}` : all
  })
}

const RATE = /(?<![\p{L}])(?:per|an?|pro|je|par|por|al?|à l[’'])\s*(?=(?<of>\p{L}+))/giu

/** "Per hour" beside a column in EUR/hour only names its unit. */
const withoutRates = (text: string, headers: readonly string[]): string =>
  text.replace(RATE, (all, ...groups) => {
    const { of = '' } = groups.at(-1) as Record<string, string | undefined>
    const rate = new RegExp(String.raw`(?:/|(?<![\p{L}])(?:per|pro|je|par|por)\s)\s*${of}(?![\p{L}])`, 'iu')
    return headers.some((header) => rate.test(header)) ? ' ' : all
  })

const BESIDE_BOUND = String.raw`(?:\s+(?:the|their|its|his|her|our|an?|das|der|die|den|dem|ihre[mnrs]?|seine[mnrs]?|le|la|les|leurs?|sa|son|ses|el|los|las|su|sus|du|de|del|au))*`

/** Takes "below the minimum stock" and "later than due": a comparison with what a column is called. */
function takeColumnBounds(
  text: string,
  headers: readonly string[],
): { columnBounds: ColumnBound[]; rest: string } {
  const columnBounds: ColumnBound[] = []
  let rest = text
  for (const { is, said, column, type } of COLUMN_BOUNDS) {
    if (column || type) continue
    const match = new RegExp(String.raw`(?<![\p{L}])(?:${said})${BESIDE_BOUND}\s+(?=\p{L})`, 'iu').exec(rest)
    if (!match) continue
    const behind = rest.slice(match.index + match[0].length)
    const own = columnCalled(behind, headers)
    if (!own) continue
    const name = behind.slice(0, own.length)
    columnBounds.push({ is, header: own.header, said: `${match[0].trim()} ${name}` })
    rest = `${rest.slice(0, match.index)} ${behind.slice(own.length)}`
  }
  const late = LATE.exec(rest)
  const due = headers.filter((header) => DUE.test(header))
  if (late && due.length === 1 && due[0] !== undefined) {
    columnBounds.push({ is: 'more', header: due[0], said: late[0] })
    rest = rest.replace(late[0], ' ')
  }
  return { columnBounds, rest }
}

const MAX_NAME_WORDS = 4

/** The column whose name the text begins with, whole but for its unit, and how much of the text it is; undefined for none or several. */
function columnCalled(
  text: string,
  headers: readonly string[],
): { header: string; length: number } | undefined {
  const said = [...words(text)].slice(0, MAX_NAME_WORDS)
  const called = headers.flatMap((header) => {
    const name = [...words(header.replace(/\([^()]*\)\s*$/, ''))].map(({ raw }) => fold(raw))
    const count = name.length
    const isCalled =
      count > 0 && said.length >= count && name.every((word, i) => isAlike(word, fold(said[i]?.raw ?? '')))
    return isCalled ? [{ header, count }] : []
  })
  // "Over budget" beside "Planned" and "Spent".
  if (called.length === 0 && PLAN.test(said[0]?.raw ?? ''))
    called.push(...headers.filter((header) => PLANNED.test(header)).map((header) => ({ header, count: 1 })))
  const most = Math.max(0, ...called.map(({ count }) => count))
  const [one, ...others] = called.filter(({ count }) => count === most)
  const last = said[most - 1]
  if (!one || others.length > 0 || !last) return undefined
  return { header: one.header, length: last.end }
}

/** @param headers a relation in the name of a column is that column: "After tax" */
const openRelation = (text: string, headers: readonly string[]): string | undefined => {
  const said = RELATIONAL.exec(text)?.[0]
  const isNamed = headers.some((header) =>
    [...words(header)].some(({ raw }) => fold(raw) === fold(said ?? '')),
  )
  return isNamed ? undefined : said
}

// "1 500" is one number or two; a minus before a number would be lost.
const UNCLEAR_NUMBER = /(?<![\p{L}\p{N}.,])\d{1,3}[\s'’]\d{3}(?!\d)|(?<![\p{L}\p{N}])[-−]\d/u

/** "20g" as "20 g". */
const apartFromUnits = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}.,])(\d[\d.,]*)(\p{L}+)(?![\p{L}\p{N}²³/])/gu, (all, number, unit) =>
    isMeasure(unit) ? `${number} ${unit}` : all,
  )

const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,_/-])(?<sign>[€$£¥]\s?)?(?<number>\d+(?:[.,]\d+)*)(?![\p{L}\p{N}])(?:\s?(?<word>[€$£¥%]|${WORD})(?!['’\p{L}]))?`,
  'gu',
)
/** `€` as well as "euros". */
export const isCurrency = (unit: string): boolean => unit !== '%' && IS_CURRENCY.test(unit)
const IS_CURRENCY = new RegExp(`^(?:%|${CURRENCY})$`, 'iu')

/** The numbers of a question by how they are written; undefined where one is not readable or has two units. */
function measuresIn(text: string, language: string): Map<string, Measure> | undefined {
  const measures = new Map<string, Measure>()
  for (const { groups } of text.matchAll(NUMBER)) {
    const number = groups?.number ?? ''
    const behind = groups?.word ?? ''
    const word = groups?.sign?.trim() || (IS_CURRENCY.test(behind) || isUnit(behind) ? behind : '')
    const amount = amountOf(number, language)?.amount
    const unit = IS_CURRENCY.test(word) ? amountOf(`${number} ${word}`, language)?.unit : word
    const same = measures.get(number)
    if (!amount || unit === undefined || (same && same.unit !== unit)) return undefined
    measures.set(number, { amount, unit, word })
  }
  return measures
}

// Words of one letter in English, French, Spanish, Italian and Portuguese.
const SMALL_WORD = /^[aàeéioóuy]$/iu

/** Whether a word behind a number can only be its unit. */
export const isUnit = (word: string): boolean =>
  isMeasure(word) || /[°²³/]/u.test(word) || (/^\p{L}$/u.test(word) && !SMALL_WORD.test(word))

/** "Before 2020", "over 2019": a year is rather a time. */
const isPeriod = (said: string): boolean => /^(?:19|20)\d\d$/.test(said.trim())

interface Said {
  phrase: Phrase
  said: string
  at: number
}

function takeOperation(
  text: string,
  { language, names }: { language: string; names: readonly string[] },
): { phrase?: Phrase; said: string; superlative: string; rest: string } {
  const find = (phrases: readonly Phrase[]): Said | undefined => {
    for (const phrase of phrases)
      for (const { 0: said, index: at } of text.matchAll(new RegExp(phrase.pattern, 'giu')))
        if (!isOfName(text, { phrase, said, at }, names)) return { phrase, said, at }
    return undefined
  }
  const count = find([COUNT])
  const extreme = find(EXTREMES)
  const sum = find(SUMS)
  const isHowMany = count && !/(?:number|anzahl|nombre|número)/iu.test(count.said)
  const superlative = isHowMany ? ((extreme ?? sum)?.said ?? '') : ''
  // "How many in total": the count.
  // "Was kostet …?" checks nothing.
  const others = language === 'de' ? [ROWS, VALUE, CHECK] : [CHECK, ROWS, VALUE]
  const first = isHowMany ? count : (extreme ?? sum ?? count ?? find(others))
  if (!first) return { said: '', superlative: '', rest: text }
  const { phrase, said, at } = first
  let rest = `${text.slice(0, at)} ${text.slice(at + said.length)}`
  // "Which is the cheapest", "what is the total number of".
  for (const { pattern } of [
    ROWS,
    VALUE,
    ...(first === count ? SUMS : []),
    ...(first === extreme || sum ? [COUNT] : []),
  ])
    rest = rest.replace(pattern, ' ')
  return { phrase, said, superlative: sum?.phrase.operation === 'sum' ? '' : superlative, rest }
}

const MIN_STEM = 4

/** Whether a column or row is called by the superlative and the word beside it. A sum of totals is still their sum. */
function isOfName(
  text: string,
  { phrase: { operation }, said, at }: Said,
  names: readonly string[],
): boolean {
  if (operation !== 'min' && operation !== 'max' && operation !== 'mean') return false
  const own = lastWord(said)
  const beside = [lastWord(text.slice(0, at)), firstWord(text.slice(at + said.length))].filter(Boolean)
  return names.some((name) => {
    const parts = [...words(name)].map(({ raw }) => fold(raw))
    return (
      parts.includes(own) && parts.some((part) => part !== own && beside.some((word) => isAlike(part, word)))
    )
  })
}

const firstWord = (text: string): string => fold([...words(text)][0]?.raw ?? '')
const lastWord = (text: string): string => fold([...words(text)].at(-1)?.raw ?? '')

const isAlike = (name: string, word: string): boolean =>
  name === word ||
  (Math.min(name.length, word.length) >= MIN_STEM && (name.startsWith(word) || word.startsWith(name)))

/** The periods that something is before or after. */
export const comparedPeriods = (text: string): string[] =>
  takePeriods(text).periods.flatMap(({ relation, said }) => (relation === 'within' ? [] : [said]))

/** Takes the periods with the words that relate them: in, since, before, between … and. */
function takePeriods(text: string, today?: number): { periods: PeriodCondition[]; rest: string } {
  const periods: PeriodCondition[] = []
  const placed = [...placedIntervals(text), ...(today === undefined ? [] : relativeIntervals(text, today))]
    .filter(
      ({ isMonthName, start }) =>
        // "May" is a word and a name, too: it stands behind what relates it.
        !isMonthName ||
        RELATIONS.some(({ said }) => said.test(text.slice(0, start))) ||
        BETWEEN.test(text.slice(0, start)),
    )
    .sort((a, b) => a.start - b.start)
  let [rest, from] = ['', 0]
  for (let i = 0; i < placed.length; i++) {
    const one = placed[i]
    if (!one) break
    const next = placed[i + 1]
    const before = text.slice(from, one.start)
    const between =
      next && BETWEEN.test(before) && AND.test(text.slice(one.end, next.start)) && spanOf(one, next)
    if (next && between) {
      const said = text.slice(one.start, next.end)
      periods.push({ relation: 'within', interval: between, said, written: said })
      rest += before.replace(BETWEEN, ' ')
      from = next.end
      i++
      continue
    }
    // "From 6 to 12 July" says both ends.
    const relation =
      one.isRange && BETWEEN.test(before) ? undefined : RELATIONS.find(({ said }) => said.test(before))
    const said = text.slice(one.start, one.end)
    const related = relation && relation.relation !== 'within' ? (relation.said.exec(before)?.[0] ?? '') : ''
    periods.push({
      relation: relation?.relation ?? 'within',
      interval: one,
      said,
      written: `${related.trim()} ${said}`.trim(),
    })
    rest += `${before.replace(relation?.said ?? (one.isRange ? BETWEEN : NOTHING), ' ')} `
    from = one.end
  }
  rest += text.slice(from)
  return { periods, rest }
}

const NOTHING = /$^/u

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
  /^(?:an?|the|any|yet|been|being|be|have|has|in|from|at|of|der|die|das|den|dem|eine?[nmrs]?|im|in|aus|von|bei|mit|for|to|with|by|haben|hat|hatten|tienen|tiene|hay|ont|a|avec|pour|con|para|por|dans|noch|été|encore|un|une|le|la|les|en|de|à|el|los|las|está[ns]?|sido|ha|han)$/iu
