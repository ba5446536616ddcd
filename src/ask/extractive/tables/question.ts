// Analyses a question about tables without the cells of a table: its operation, bounds, periods and negations. The rest of the
// question is matched with the column names, the cells and the subject of a table later (roles.ts). Pure.

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
  DUE_COLUMN,
  EITHER,
  ELIDED,
  EXTREMES,
  LATE,
  NEGATION,
  type Operation,
  type Phrase,
  PLAN_WORD,
  PLANNED_COLUMN,
  RELATION_WORDS,
  RELATIONS,
  type Relation,
  ROWS,
  SUMS,
  UNSUPPORTED_WORDS,
  VALUE,
  WHO,
} from './phrases.ts'

/** "More than 40 beds": a comparison with an amount. The word after the amount may name the column. */
export interface Bound {
  is: Comparison
  amount: Extract<Value, { kind: 'number' }>
  column?: RegExp
  type?: AnswerType
  /** The word after the number: its unit as written, or the name of the counted things. */
  word: string
  matchedText: string
}

/** A number with the unit that is directly before or after it. */
export interface Measure {
  amount: Extract<Value, { kind: 'number' }>['amount']
  /** The unit in the form that cells use. Empty for none. */
  unit: string
  /** The unit as written in the question. */
  word: string
}

export interface PeriodCondition {
  relation: Relation
  interval: Interval
  matchedText: string
  /** The period with the words of its relation: "before 2010". */
  textWithRelation: string
}

/** A comparison of two columns in each row, such as "below the minimum stock". */
export interface ColumnBound {
  is: Comparison
  /** The header of the column that is the bound. */
  header: string
  matchedText: string
}

export interface TableQuestion {
  operation: Operation
  /** Words for relations and comparisons that no operation supports. If there is one, no number is stated as the answer. */
  unsupportedWords: string[]
  /** Whether the question asks for persons. */
  asksForPersons: boolean
  /** The type of column that the question asks for; `any` if its words do not show it. */
  type: AnswerType
  /** Matches the names of columns that the word of the operation is about: prices for "cheapest". */
  column?: RegExp
  /** The operation for a column of dates, if it is a different one: the oldest thing has the earliest date. */
  dateOperation?: DatePhrase
  /** Matches the names of columns that are used if the question does not name one. */
  defaultColumn?: RegExp
  bounds: Bound[]
  columnBounds: ColumnBound[]
  /** The numbers of the question by their digits as written. */
  measures: ReadonlyMap<string, Measure>
  periods: PeriodCondition[]
  /** The day of the question, in days since 1970-01-01, if it is known. */
  today?: number
  /** A superlative or a sum word beside a count, which can only be a part of a name: "how many have first aid". Empty for none. */
  superlative: string
  /** Words that the question negates. */
  negated: ReadonlySet<string>
  /** Whether the question contains "or", "and" or a comma, so that a row may have either of two values of one column. */
  mayBeEither: boolean
  /** The question without the words of its operation, bounds, periods and negations. */
  rest: string
}

const CURRENCY_PATTERN = String.raw`(?:€|\$|£|¥|(?:euros?|eur|pounds?|gbp|pfund|dollars?|usd|livres|libras|francs?|franken|chf|nok|sek)(?![\p{L}]))`
const WORD_PATTERN = String.raw`[\p{L}°µ][\p{L}\p{N}²³]*(?:/[\p{L}\p{N}²³]+)?`
const AMOUNT_PATTERN = String.raw`(?<amount>[€$£¥]?\s?\d+(?:[.,]\d+)*\s?(?:million|mio\.?|millionen|millions|millones|thousand|tausend|%|${CURRENCY_PATTERN})?)(?:[\s-]?(?<word>${WORD_PATTERN}))?`

interface QuestionContext {
  /** The headers of a table. A word of a header is not an operation: "last ordered" for the column `last_order`. */
  headers?: readonly string[]
  /** The names of the rows of a table. A word of a row name is not an operation either: "Last departure". */
  rowNames?: readonly string[]
  /** The day of the question, in days since 1970-01-01, if it is known. */
  today?: number | undefined
}

/** Analyses a question. Undefined for a question that no table can answer. */
export function tableQuestion(
  text: string,
  language: string,
  { headers = [], rowNames = [], today }: QuestionContext = {},
): TableQuestion | undefined {
  const withoutPunctuation = text.replace(/[?¿!]/g, ' ').replace(ELIDED, 'de ')
  const withSeparateNumbers = withDigits(separateUnits(withoutPunctuation))
  const withSeparateCompounds = COMPOUNDS.reduce(
    (compoundText, { pattern, replacement }) => compoundText.replace(pattern, replacement),
    withoutRates(withNumberAfterName(withSeparateNumbers, headers), headers),
  )
  const { bounds, rest: restWithoutBounds } = takeBounds(withSeparateCompounds, language)
  const restWithoutRanges = takeAmountsBetween(restWithoutBounds, language, bounds)
  const { columnBounds, rest: restWithoutColumnBounds } = takeColumnBounds(restWithoutRanges, headers)
  const { periods, rest: restWithoutPeriods } = takePeriods(restWithoutColumnBounds, today)
  const { negated, rest: restWithoutNegation } = takeNegation(restWithoutPeriods)
  const {
    phrase,
    matchedText,
    superlative,
    rest: questionRest,
  } = takeOperation(restWithoutNegation, { language, names: [...headers, ...rowNames] })
  const measures = measuresIn(questionRest, language)
  if (!phrase) return undefined
  return {
    unsupportedWords: [
      AMBIGUOUS_NUMBER.exec(text)?.[0],
      measures ? undefined : /\d\S*/.exec(questionRest)?.[0],
      UNSUPPORTED_WORDS.exec(questionRest)?.[0],
      unsupportedRelation(questionRest, headers),
    ].flatMap((word) => word?.trim() ?? []),
    operation: phrase.operation,
    asksForPersons: WHO.test(text),
    type: phrase.type ?? (phrase.operation === 'count' ? 'any' : answerType(text.replace(matchedText, ' '))),
    ...(phrase.column && { column: phrase.column }),
    ...(phrase.dateOperation && { dateOperation: phrase.dateOperation }),
    ...(phrase.defaultColumn && { defaultColumn: phrase.defaultColumn }),
    superlative,
    bounds,
    columnBounds,
    measures: measures ?? new Map(),
    periods,
    ...(today !== undefined && { today }),
    negated,
    mayBeEither: EITHER.test(questionRest),
    rest: questionRest,
  }
}

/** Takes bounds such as "more than 40 beds" out of the text. The word "beds" stays. */
export function takeBounds(text: string, language: string): { bounds: Bound[]; rest: string } {
  const bounds: Bound[] = []
  let rest = text
  for (const { pattern, ...bound } of BOUNDS) {
    const match = new RegExp(String.raw`(?<![\p{L}])(?:${pattern})\s*${AMOUNT_PATTERN}`, 'iu').exec(rest)
    const amount = match?.groups?.amount && amountOf(match.groups.amount, language)
    if (!match || !amount || isPeriod(match.groups?.amount ?? '')) continue
    const word = match.groups?.word ?? ''
    bounds.push({ ...bound, amount, word, matchedText: match[0].trim() })
    rest = rest.replace(match[0], () => ` ${word} `)
  }
  return { bounds, rest }
}

function amountOf(amountText: string, language: string): Bound['amount'] | undefined {
  const text = amountText.trim().replace(POUNDS, '£')
  const value = readValue(text, { decimal: decimalSignOf(language), dates: undefined })
  return value?.kind === 'number' ? value : undefined
}

// Pounds after a number in a question are money. In a cell they may be a weight.
const POUNDS = /\b(?:pounds?|pfund)$/iu

const AMOUNTS_BETWEEN = new RegExp(
  String.raw`(?<![\p{L}])(?:between|from|zwischen|von|entre|de|desde)\s+(?<first>[€$£¥]?\s?\d+(?:[.,]\d+)*)(?:\s?(?<unit>${WORD_PATTERN}|[€$£¥%]))?\s+(?:and|to|und|bis|et|à|y|a|hasta)\s+${AMOUNT_PATTERN}`,
  'iu',
)

/** Takes "between 10 and 20 kg" out of the text and adds two bounds for it. */
function takeAmountsBetween(text: string, language: string, bounds: Bound[]): string {
  const match = AMOUNTS_BETWEEN.exec(text)
  const { first = '', unit = '', amount = '', word = '' } = match?.groups ?? {}
  const upperBound = amountOf(amount, language)
  const lowerBound = amountOf(
    upperBound?.unit && !/[€$£¥]/.test(first) ? `${first} ${upperBound.unit}` : first,
    language,
  )
  const hasOneUnit = unit === '' || unit === word || unit === upperBound?.unit
  if (!match || !upperBound || !lowerBound || !hasOneUnit || isPeriod(first) || isPeriod(amount)) return text
  const matchedText = match[0].trim()
  bounds.push(
    { is: 'at_least', amount: lowerBound, word, matchedText },
    { is: 'at_most', amount: upperBound, word, matchedText },
  )
  return text.replace(match[0], () => ` ${word} `)
}

/** The text with digits in place of the number word of a bound, "more than ten seats", because tables write numbers in digits. */
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
const BOUND_WORDS = BOUNDS.map(({ pattern }) => pattern).join('|')
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

/** Replaces "on the third floor" by "on the floor 3" if a column is called "Floor". */
function withNumberAfterName(text: string, headers: readonly string[]): string {
  const names = new Set(headers.flatMap((header) => [...words(header)].map(({ raw }) => fold(raw))))
  return text.replace(ORDINAL, (all, ...groups) => {
    const { word = '', digits, name = '' } = groups.at(-1) as Record<string, string | undefined>
    const number = digits ?? ORDINALS.get(word.toLowerCase())
    return number !== undefined && names.has(fold(name)) && !names.has(fold(word)) ? `${name} ${number}` : all
  })
}

const RATE_PREFIX = /(?<![\p{L}])(?:per|an?|pro|je|par|por|al?|à l[’'])\s*(?=(?<of>\p{L}+))/giu

/** Removes "per" of "per hour" if a column is in EUR/hour. Elsewhere "per" would be a word that no operation supports. */
const withoutRates = (text: string, headers: readonly string[]): string =>
  text.replace(RATE_PREFIX, (all, ...groups) => {
    const { of = '' } = groups.at(-1) as Record<string, string | undefined>
    const rate = new RegExp(String.raw`(?:/|(?<![\p{L}])(?:per|pro|je|par|por)\s)\s*${of}(?![\p{L}])`, 'iu')
    return headers.some((header) => rate.test(header)) ? ' ' : all
  })

// Matches the articles and possessives between a comparison and the name of a column: " their" in "below their minimum".
const ARTICLES = String.raw`(?:\s+(?:the|their|its|his|her|our|an?|das|der|die|den|dem|ihre[mnrs]?|seine[mnrs]?|le|la|les|leurs?|sa|son|ses|el|los|las|su|sus|du|de|del|au))*`

/** Takes comparisons with the name of a column out of the text: "below the minimum stock", "later than due". */
function takeColumnBounds(
  text: string,
  headers: readonly string[],
): { columnBounds: ColumnBound[]; rest: string } {
  const columnBounds: ColumnBound[] = []
  let rest = text
  for (const { is, pattern, column: columnPattern, type } of COLUMN_BOUNDS) {
    if (columnPattern || type) continue
    const match = new RegExp(String.raw`(?<![\p{L}])(?:${pattern})${ARTICLES}\s+(?=\p{L})`, 'iu').exec(rest)
    if (!match) continue
    const textAfter = rest.slice(match.index + match[0].length)
    const column = columnNamedFirst(textAfter, headers)
    if (!column) continue
    const columnName = textAfter.slice(0, column.length)
    columnBounds.push({ is, header: column.header, matchedText: `${match[0].trim()} ${columnName}` })
    rest = `${rest.slice(0, match.index)} ${textAfter.slice(column.length)}`
  }
  const late = LATE.exec(rest)
  const dueHeaders = headers.filter((header) => DUE_COLUMN.test(header))
  if (late && dueHeaders.length === 1 && dueHeaders[0] !== undefined) {
    columnBounds.push({ is: 'more', header: dueHeaders[0], matchedText: late[0] })
    rest = rest.replace(late[0], ' ')
  }
  return { columnBounds, rest }
}

const MAX_NAME_WORDS = 4

/**
 * The column whose name without its unit begins the text, and the length of the name there. Undefined if it is not a single column.
 */
function columnNamedFirst(
  text: string,
  headers: readonly string[],
): { header: string; length: number } | undefined {
  const firstWords = [...words(text)].slice(0, MAX_NAME_WORDS)
  const candidates = headers.flatMap((header) => {
    const name = [...words(header.replace(/\([^()]*\)\s*$/, ''))].map(({ raw }) => fold(raw))
    const count = name.length
    const isNamed =
      count > 0 &&
      firstWords.length >= count &&
      name.every((word, i) => hasSameStem(word, fold(firstWords[i]?.raw ?? '')))
    return isNamed ? [{ header, count }] : []
  })
  // "Over budget" is about the column "Planned" if no column is called "Budget".
  if (candidates.length === 0 && PLAN_WORD.test(firstWords[0]?.raw ?? ''))
    candidates.push(
      ...headers.filter((header) => PLANNED_COLUMN.test(header)).map((header) => ({ header, count: 1 })),
    )
  const maxWordCount = Math.max(0, ...candidates.map(({ count }) => count))
  const [column, ...others] = candidates.filter(({ count }) => count === maxWordCount)
  const lastWordOfName = firstWords[maxWordCount - 1]
  if (!column || others.length > 0 || !lastWordOfName) return undefined
  return { header: column.header, length: lastWordOfName.end }
}

/** The first word of a relation in the text, unless it is in the name of a column, such as "After tax". */
const unsupportedRelation = (text: string, headers: readonly string[]): string | undefined => {
  const relation = RELATION_WORDS.exec(text)?.[0]
  const isInHeader = headers.some((header) =>
    [...words(header)].some(({ raw }) => fold(raw) === fold(relation ?? '')),
  )
  return isInHeader ? undefined : relation
}

// Matches "1 500", which may be one number or two, and "-5", whose minus would be lost.
const AMBIGUOUS_NUMBER = /(?<![\p{L}\p{N}.,])\d{1,3}[\s'’]\d{3}(?!\d)|(?<![\p{L}\p{N}])[-−]\d/u

/** Writes "20g" as "20 g". */
const separateUnits = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}.,])(\d[\d.,]*)(\p{L}+)(?![\p{L}\p{N}²³/])/gu, (all, number, unit) =>
    isMeasure(unit) ? `${number} ${unit}` : all,
  )

// Matches "€ 20", "12.5 kg" and "7"; not the digits of "BW-2210" or "3.5.".
const NUMBER_PATTERN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,_/-])(?<sign>[€$£¥]\s?)?(?<number>\d+(?:[.,]\d+)*)(?![\p{L}\p{N}])(?:\s?(?<word>[€$£¥%]|${WORD_PATTERN})(?!['’\p{L}]))?`,
  'gu',
)
/** Whether a unit is a currency, as a sign or as a word: `€`, "euros". */
export const isCurrency = (unit: string): boolean => unit !== '%' && IS_CURRENCY.test(unit)
const IS_CURRENCY = new RegExp(`^(?:%|${CURRENCY_PATTERN})$`, 'iu')

/** The numbers of a question by their digits as written. Undefined if a number cannot be read or occurs with two units. */
function measuresIn(text: string, language: string): Map<string, Measure> | undefined {
  const measures = new Map<string, Measure>()
  for (const { groups } of text.matchAll(NUMBER_PATTERN)) {
    const number = groups?.number ?? ''
    const wordAfter = groups?.word ?? ''
    const word = groups?.sign?.trim() || (IS_CURRENCY.test(wordAfter) || isUnit(wordAfter) ? wordAfter : '')
    const amount = amountOf(number, language)?.amount
    const unit = IS_CURRENCY.test(word) ? amountOf(`${number} ${word}`, language)?.unit : word
    const sameNumber = measures.get(number)
    if (!amount || unit === undefined || (sameNumber && sameNumber.unit !== unit)) return undefined
    measures.set(number, { amount, unit, word })
  }
  return measures
}

// Words of one letter in English, French, Spanish, Italian and Portuguese.
const ONE_LETTER_WORD = /^[aàeéioóuy]$/iu

/** Whether a word after a number can only be its unit. */
export const isUnit = (word: string): boolean =>
  isMeasure(word) || /[°²³/]/u.test(word) || (/^\p{L}$/u.test(word) && !ONE_LETTER_WORD.test(word))

/** Whether an amount is probably a year, as in "before 2020" or "over 2019". */
const isPeriod = (amountText: string): boolean => /^(?:19|20)\d\d$/.test(amountText.trim())

interface PhraseMatch {
  phrase: Phrase
  matchedText: string
  at: number
}

/** Takes the words of the operation out of the text. */
function takeOperation(
  text: string,
  { language, names }: { language: string; names: readonly string[] },
): { phrase?: Phrase; matchedText: string; superlative: string; rest: string } {
  const find = (phrases: readonly Phrase[]): PhraseMatch | undefined => {
    for (const phrase of phrases)
      for (const { 0: matchedText, index: at } of text.matchAll(new RegExp(phrase.pattern, 'giu')))
        if (!isPartOfName(text, { phrase, matchedText, at }, names)) return { phrase, matchedText, at }
    return undefined
  }
  const count = find([COUNT])
  const extreme = find(EXTREMES)
  const sum = find(SUMS)
  const isHowMany = count && !/(?:number|anzahl|nombre|número)/iu.test(count.matchedText)
  const superlative = isHowMany ? ((extreme ?? sum)?.matchedText ?? '') : ''
  // "Was kostet …?" begins with a question word in German. In English "was" begins a yes-no question.
  const generalPhrases = language === 'de' ? [ROWS, VALUE, CHECK] : [CHECK, ROWS, VALUE]
  // "How many in total" is a count and not a sum.
  const phraseMatch = isHowMany ? count : (extreme ?? sum ?? count ?? find(generalPhrases))
  if (!phraseMatch) return { matchedText: '', superlative: '', rest: text }
  const { phrase, matchedText, at } = phraseMatch
  let rest = `${text.slice(0, at)} ${text.slice(at + matchedText.length)}`
  // Other words of operations add nothing: "which is" in "which is the cheapest", "number of" in "what is the total number of".
  for (const { pattern } of [
    ROWS,
    VALUE,
    ...(phraseMatch === count ? SUMS : []),
    ...(phraseMatch === extreme || sum ? [COUNT] : []),
  ])
    rest = rest.replace(pattern, ' ')
  return { phrase, matchedText, superlative: sum?.phrase.operation === 'sum' ? '' : superlative, rest }
}

// In UTF-16 units: the length of a common stem.
const MIN_STEM = 4

/** Whether the name of a column or row contains the superlative and the word beside it. Sums and counts are never part of a name. */
function isPartOfName(
  text: string,
  { phrase: { operation }, matchedText, at }: PhraseMatch,
  names: readonly string[],
): boolean {
  if (operation !== 'min' && operation !== 'max' && operation !== 'mean') return false
  const superlative = lastWord(matchedText)
  const neighbours = [lastWord(text.slice(0, at)), firstWord(text.slice(at + matchedText.length))].filter(
    Boolean,
  )
  return names.some((name) => {
    const parts = [...words(name)].map(({ raw }) => fold(raw))
    return (
      parts.includes(superlative) &&
      parts.some((part) => part !== superlative && neighbours.some((word) => hasSameStem(part, word)))
    )
  })
}

const firstWord = (text: string): string => fold([...words(text)][0]?.raw ?? '')
const lastWord = (text: string): string => fold([...words(text)].at(-1)?.raw ?? '')

const hasSameStem = (name: string, word: string): boolean =>
  name === word ||
  (Math.min(name.length, word.length) >= MIN_STEM && (name.startsWith(word) || word.startsWith(name)))

/** The periods of a question that have a relation such as "before", "after", "from" or "until". */
export const comparedPeriods = (text: string): string[] =>
  takePeriods(text).periods.flatMap(({ relation, matchedText }) =>
    relation === 'within' ? [] : [matchedText],
  )

/** Takes the periods out of the text, with the words before them: in, since, before, between … and. */
function takePeriods(text: string, today?: number): { periods: PeriodCondition[]; rest: string } {
  const periods: PeriodCondition[] = []
  const intervals = [...placedIntervals(text), ...(today === undefined ? [] : relativeIntervals(text, today))]
    .filter(
      ({ isMonthName, start }) =>
        // "May" is also a verb and a name. It is a month only after a preposition.
        !isMonthName ||
        RELATIONS.some(({ pattern }) => pattern.test(text.slice(0, start))) ||
        BETWEEN.test(text.slice(0, start)),
    )
    .sort((a, b) => a.start - b.start)
  let [rest, from] = ['', 0]
  for (let i = 0; i < intervals.length; i++) {
    const interval = intervals[i]
    if (!interval) break
    const next = intervals[i + 1]
    const before = text.slice(from, interval.start)
    const spannedInterval =
      next && BETWEEN.test(before) && AND.test(text.slice(interval.end, next.start)) && spanOf(interval, next)
    if (next && spannedInterval) {
      const matchedText = text.slice(interval.start, next.end)
      periods.push({
        relation: 'within',
        interval: spannedInterval,
        matchedText,
        textWithRelation: matchedText,
      })
      rest += before.replace(BETWEEN, ' ')
      from = next.end
      i++
      continue
    }
    // "From 6 to 12 July" contains both ends, so "from" is not a relation of its own.
    const relation =
      interval.isRange && BETWEEN.test(before)
        ? undefined
        : RELATIONS.find(({ pattern }) => pattern.test(before))
    const matchedText = text.slice(interval.start, interval.end)
    const relatingWords =
      relation && relation.relation !== 'within' ? (relation.pattern.exec(before)?.[0] ?? '') : ''
    periods.push({
      relation: relation?.relation ?? 'within',
      interval,
      matchedText,
      textWithRelation: `${relatingWords.trim()} ${matchedText}`.trim(),
    })
    rest += `${before.replace(relation?.pattern ?? (interval.isRange ? BETWEEN : NEVER), ' ')} `
    from = interval.end
  }
  rest += text.slice(from)
  return { periods, rest }
}

const NEVER = /$^/u

/** Takes negations out of the text. The first content word after each negation is negated. */
function takeNegation(text: string): { negated: Set<string>; rest: string } {
  const negated = new Set<string>()
  for (const match of text.matchAll(NEGATION)) {
    const textAfter = text.slice(match.index + match[0].length)
    for (const { raw } of words(textAfter)) {
      if (FUNCTION_WORD.test(raw)) continue
      negated.add(raw)
      break
    }
  }
  const rest = text.replace(NEGATION, ' ')
  return { negated, rest: negated.size > 0 ? rest.replace(DOUBLED_NEGATION, ' ') : rest }
}

const FUNCTION_WORD =
  /^(?:an?|the|any|yet|been|being|be|have|has|in|from|at|of|der|die|das|den|dem|eine?[nmrs]?|im|in|aus|von|bei|mit|for|to|with|by|haben|hat|hatten|tienen|tiene|hay|ont|a|avec|pour|con|para|por|dans|noch|été|encore|un|une|le|la|les|en|de|à|el|los|las|está[ns]?|sido|ha|han)$/iu
