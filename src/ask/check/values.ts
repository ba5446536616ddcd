// Reads the values in a text: amounts with their units, dates, times, ordinals, and labels, which are numbers that identify one of
// several things ("bench 5"). Only two values of one kind can be compared and may contradict each other. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { MONTHS, SHORT_MONTHS } from '../../language/months.ts'
import { placedPeriods } from '../../language/periods.ts'
import { fold, words } from '../../language/words.ts'
import { Decimal, decimalSignOf } from '../compute/cell-value.ts'
import { inUnit, isMeasure } from '../compute/units.ts'
import { isCode } from '../extractive/question.ts'

export interface TextValue {
  /** Offsets in UTF-16 units of the text. */
  start: number
  end: number
  content: Content
}

type Content =
  /** Such as `2026`, `2026-06`, `2026-06-30` or `2026-Q3`. `--06-30` for a day without a year. */
  | { kind: 'date'; date: string }
  | { kind: 'time'; time: string }
  | { kind: 'ordinal'; number: number }
  /** A number that identifies one of several things: `bench`, `5`. */
  | { kind: 'label'; of: string; number: string }
  /**
   * `unit`: a sign, a unit of measure or the stem of the counted things. Empty for none. `isExact`: the amount is written without a
   * scale such as "million", so it is not rounded.
   */
  | { kind: 'amount'; amount: number; unit: string; bound: Bound; isExact: boolean }

/** The bound that the words before an amount state: "up to", "at least". Undefined for none. */
type Bound = 'most' | 'least' | undefined

const NUMBER_WORDS: readonly string[] = [
  'zero null zéro cero',
  'one eins ein eine einen einem einer un une uno una',
  'two zwei deux dos',
  'three drei trois tres',
  'four vier quatre cuatro',
  'five fünf cinq cinco',
  'six sechs seis',
  'seven sieben sept siete',
  'eight acht huit ocho',
  'nine neun neuf nueve',
  'ten zehn dix diez',
  'eleven elf onze once',
  'twelve zwölf douze doce',
  'thirteen dreizehn treize trece',
  'fourteen vierzehn quatorze catorce',
  'fifteen fünfzehn quinze quince',
  'sixteen sechzehn seize dieciséis',
  'seventeen siebzehn',
  'eighteen achtzehn',
  'nineteen neunzehn',
  'twenty zwanzig vingt veinte',
]
const numberWords = new Map([
  ...NUMBER_WORDS.flatMap((all, amount) => all.split(' ').map((word) => [word, amount] as const)),
  ...'thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, 10 * (i + 3)] as const),
])
// The words for one, which are more often articles than numbers.
const ARTICLES = new Set((NUMBER_WORDS[1] ?? '').split(' '))
const ORDINALS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, i) => [word, i + 1] as const),
)

const months = new Map([
  ...Object.values(MONTHS).flatMap((names) => names.map((name, i) => [name, i + 1] as const)),
  ...SHORT_MONTHS,
])
const MONTH = [...months.keys()].sort((a, b) => b.length - a.length).join('|')
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(?:(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s+(?:of\\s+|de\\s+)?(${MONTH})|(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?)(?![\\p{L}\\p{N}]|[.,]\\d)`,
  'giu',
)
const TIME = /(?<![\d:.,])([01]?\d|2[0-3])[:.]([0-5]\d)(?::[0-5]\d)?(?![\d:]|[.,]\d)/gu
// Matches "every month", which has the amount "1 month".
const EVERY = /(?<![\p{L}])(?:every|each|jede[nrs]?|chaque|cada)\s(\p{L}+)/giu
const NUMBER = /\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\d.,]*\d)|\d+(?:[.,'’]\d+)*/gu
const CURRENCY_BEFORE = /(?:(\p{Sc})|(?<![\p{L}])(EUR|GBP|USD|CHF))\s?$/u
const UNIT_AFTER =
  /^[\u00a0\u202f ]?(?:(\p{Sc}|%|‰|°\s?[CF]?)|(per\s?cent|percent|prozent|pour cent|por ciento)|([\p{L}µΩ²³]+(?:\/[\p{L}²³]+)?))/iu
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^[\u00a0 ]?(?:thousand|tausend|tsd\.?|mille|mil)(?![\p{L}])/iu, 1e3],
  [/^[\u00a0 ]?(?:millions?|millionen|mio\.?|mn|millones|millón)(?![\p{L}])/iu, 1e6],
  [/^[\u00a0 ]?(?:billions?|bn|milliarden?|mrd\.?|milliards?)(?![\p{L}])/iu, 1e9],
]

/** The unit and the scale in the header of a table: "£ thousand". */
export function scaleIn(text: string): { unit: string; scale: number } | undefined {
  for (const [pattern, scale] of SCALES) {
    const words = new RegExp(`(\\p{Sc})\\s?${pattern.source.replace('^[\\u00a0 ]?', '')}`, 'iu').exec(text)
    if (words) return { unit: words[1] ?? '', scale }
  }
  return undefined
}

const CURRENCY_WORDS = new Map(
  Object.entries({
    '£': 'pounds pound gbp pfund libras',
    '€': 'euros euro eur',
    $: 'dollars dollar usd dólares',
    CHF: 'chf franken francs',
    '%': 'percent prozent',
  }).flatMap(([sign, all]) => all.split(' ').map((word) => [word, sign] as const)),
)
const MOST =
  /(?<![\p{L}])(?:up to|at most|no more than|not more than|nicht mehr als|pas plus de|no más de|less than|fewer than|under|maximum(?: of)?|within|bis zu|höchstens|weniger als|unter|innerhalb von|jusqu['’]à|au plus|moins de|hasta|menos de|como máximo)\s*(?:\p{Sc}|EUR|GBP|USD|CHF)?\s*$/iu
const LEAST =
  /(?<![\p{L}])(?:at least|no(?:t)? (?:less|fewer) than|minimum(?: of)?|nicht weniger als|pas moins de|no menos de|over|more than|mindestens|über|au moins|plus de|al menos|más de)\s*(?:\p{Sc}|EUR|GBP|USD|CHF)?\s*$/iu

/** The values of a text in reading order. They do not overlap. */
export function valuesIn(text: string, language: Language): TextValue[] {
  const values: TextValue[] = []
  const isFree = (start: number, end: number): boolean =>
    !values.some((value) => start < value.end && value.start < end)
  const add = (start: number, end: number, content: Content | undefined): void => {
    if (content && isFree(start, end)) values.push({ start, end, content })
  }
  for (const { period, start, end } of placedPeriods(text)) {
    // "£2029" is an amount, and "TG-2029" is a code.
    const isYear = /^\d{4}$/.test(period)
    if (isYear && (CURRENCY_BEFORE.test(text.slice(0, start)) || isCode(wordAround(text, start)))) continue
    add(start, end, { kind: 'date', date: period })
  }
  for (const match of text.matchAll(DAY_MONTH)) {
    const [dayAndMonth, dayBefore, monthAfter, monthBefore, dayAfter] = match
    const monthName = monthAfter ?? monthBefore ?? ''
    // "may" and "march" in small letters are verbs: "12 may be amended".
    if (/^(?:may|march)$/.test(monthName)) continue
    const month = months.get(monthName.toLowerCase())
    const date = `--${twoDigits(month)}-${twoDigits(dayBefore ?? dayAfter)}`
    add(match.index, match.index + dayAndMonth.length, { kind: 'date', date })
  }
  for (const match of text.matchAll(TIME)) {
    const isClock =
      match[0].includes(':') ||
      /^\s*(?:uhr|h\b|a\.?m|p\.?m)/iu.test(text.slice(match.index + match[0].length))
    if (isClock)
      add(match.index, match.index + match[0].length, {
        kind: 'time',
        time: `${twoDigits(match[1])}:${match[2]}`,
      })
  }
  for (const match of text.matchAll(EVERY)) {
    const [all, unit = ''] = match
    if (isMeasure(unit))
      add(match.index, match.index + all.length, {
        kind: 'amount',
        amount: 1,
        unit,
        bound: undefined,
        isExact: true,
      })
  }
  for (const { raw, start, end } of words(text)) {
    const folded = fold(raw)
    const ordinal =
      ORDINALS.get(folded) ?? Number(/^(\d{1,4})(?:st|nd|rd|th)$/.exec(folded)?.[1] ?? Number.NaN)
    // "Second" after a number is a unit and not an ordinal: "30 second".
    if (!Number.isNaN(ordinal) && !/\d\s$/.test(text.slice(0, start)))
      add(start, end, { kind: 'ordinal', number: ordinal })
    const amount = ARTICLES.has(folded) && !isBeforeMeasure(text, end) ? undefined : numberWords.get(folded)
    if (amount !== undefined) addAmount(amount, start, end, true)
  }
  for (const match of text.matchAll(NUMBER)) {
    const [raw] = match
    const [start, end] = [match.index, match.index + raw.length]
    const before = text.slice(0, start)
    const after = text.slice(end)
    // Skipped: the number of a clause, such as "2.1 The rent".
    if (start === 0 && /^\d+(?:\.\d+)*[.)]?\s+\p{Lu}/u.test(text)) continue
    // Skipped: a part of a code, such as TG-40/5, LB-D19 or 316L.
    const isCodeEnd =
      /[\p{L}\p{N}][-/_.]?$/u.test(before) &&
      !/(?:^|\s)\p{Sc}?$/u.test(before) &&
      isCode(wordAround(text, start))
    const isCodeBeginning =
      /^\p{L}/u.test(after) &&
      isCode(wordAround(text, start)) &&
      !isAdjacentMeasure(/^\p{L}+/u.exec(after)?.[0] ?? '')
    if (isCodeEnd || isCodeBeginning) continue
    const label = labelAt(text, start, end, language)
    if (label) add(start, end, { kind: 'label', of: label, number: raw })
    else {
      const amount = amountOf(raw, language)
      if (amount !== undefined) addAmount(amount, start, end, false)
    }
  }
  return values.sort((a, b) => a.start - b.start)

  function addAmount(number: number, start: number, end: number, isWord: boolean): void {
    const before = text.slice(Math.max(0, start - 40), start)
    let after = text.slice(end, end + 60)
    let [amount, to] = [number, end]
    for (const [pattern, scale] of SCALES) {
      const match = pattern.exec(after)
      if (!match) continue
      amount *= scale
      to += match[0].length
      after = after.slice(match[0].length)
    }
    const currency = CURRENCY_BEFORE.exec(before)
    const followingUnit = currency ? undefined : unitAfter(after, language)
    const unit = currency ? unitNamed(currency[1] ?? currency[2] ?? '') : (followingUnit?.unit ?? '')
    const [most, least] = [MOST.exec(before), LEAST.exec(before)]
    // A number word without a unit is not a value: "one of them".
    if (isWord && unit === '') return
    // The longer of both matches counts, because "not less than" contains "less than", and "no more than" contains "more than".
    const isLeast = (least?.[0].length ?? 0) > (most?.[0].length ?? 0)
    const lead = ((isLeast ? least : most) ?? currency)?.[0].length ?? 0
    const bound = isLeast ? 'least' : most ? 'most' : undefined
    const content: Content = { kind: 'amount', amount, unit, bound, isExact: amount === number }
    add(start - lead, to + (followingUnit?.length ?? 0), content)
  }
}

const twoDigits = (value: number | string | undefined): string => String(value ?? '').padStart(2, '0')

/** The word around a position in a text, up to white space. */
const wordAround = (text: string, at: number): string =>
  `${/[^\s(“"]*$/u.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? ''}${/^[^\s,;:)”"]*/u.exec(text.slice(at, at + 40))?.[0] ?? ''}`.replace(
    /[.]+$/,
    '',
  )

/** Whether letters directly after a number are its unit. "25kg" and "15m" are amounts, "316L" is a kind of steel. */
const isAdjacentMeasure = (letters: string): boolean => isMeasure(letters) && !/^\p{Lu}$/u.test(letters)

const isBeforeMeasure = (text: string, end: number): boolean =>
  isMeasure(/^\s(\p{L}+)/u.exec(text.slice(end, end + 30))?.[1] ?? '')

function amountOf(raw: string, language: Language): number | undefined {
  const number = raw.replace(/[\u00a0\u202f '’]/gu, '')
  const separators = [...new Set(number.match(/[.,]/g) ?? [])]
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  // Of two kinds of separators the last one is the decimal sign. For a single separator before three digits, the language decides.
  const likelySign = separators.length > 1 ? number[last] : decimalSignOf(language)
  // A repeated separator groups thousands: "1.284.000".
  const isGrouped = separators.length === 1 && (number.match(/[.,]/g)?.length ?? 0) > 1
  const decimalSign = isGrouped
    ? undefined
    : separators.length === 1 && number.length - last !== 4
      ? number[last]
      : likelySign
  const normalised = [...number]
    .map((char) => (char === decimalSign ? '.' : /[.,]/.test(char) ? '' : char))
    .join('')
  const amount = Number(normalised)
  return Number.isNaN(amount) ? undefined : amount
}

/** The sign of a currency or per cent for its name, else the text. */
function unitNamed(text: string): string {
  const folded = fold(text)
  return CURRENCY_WORDS.get(folded) ?? text
}

/**
 * The unit after a number: a sign, a measure, or the counted things ("28 days", "six months", "five agreements"). `length` is that
 * of a sign or a measure, which belongs to the value. It is 0 for counted things, which are words of the sentence.
 */
function unitAfter(after: string, language: Language): { unit: string; length: number } {
  const match = UNIT_AFTER.exec(after)
  if (!match) return { unit: '', length: 0 }
  const [{ length }, sign, percent, word = ''] = match
  if (sign) return { unit: sign.replace(/\s/g, ''), length }
  if (percent) return { unit: '%', length }
  if (CURRENCY_WORDS.has(fold(word))) return { unit: unitNamed(word), length }
  if (isMeasure(word)) return { unit: word, length }
  if (!/^\s/.test(after)) return { unit: '', length: 0 }
  // The unit of "five working days" is days.
  const next = /^\s\p{L}+\s(\p{L}+)/u.exec(after)?.[1] ?? ''
  const [term] = contentTerms(word, language)
  return { unit: isMeasure(next) ? next : (term ?? ''), length: 0 }
}

/**
 * The term of the noun before a number that identifies one of several things: "bench" in "bench 5". Undefined if the number may
 * count the word after it.
 */
function labelAt(text: string, start: number, end: number, language: Language): string | undefined {
  const before = /(\p{L}[\p{L}'’-]*)\s(?:no\.?\s|nr\.?\s)?$/iu.exec(text.slice(0, start))?.[1]
  if (before === undefined || CURRENCY_WORDS.has(fold(before))) return undefined
  const [term] = contentTerms(before, language)
  if (term === undefined) return undefined
  const after = text.slice(end, end + 30)
  if (/^[\u00a0 ]?(?:\p{Sc}|%|°)/u.test(after)) return undefined
  const next = /^\s(\p{L}+)/u.exec(after)?.[1]
  if (next === undefined) return term
  if (isMeasure(next) || CURRENCY_WORDS.has(fold(next))) return undefined
  return contentTerms(next, language).length === 0 ? term : undefined
}

export const isCurrency = (unit: string): boolean => /^\p{Sc}$/u.test(unit)

/** Whether a column may be in a currency: its name contains no other currency. */
export const isCurrencyColumn = (header: string, unit: string): boolean =>
  [...words(header.replaceAll('_', ' '))].every(
    ({ raw }) => (CURRENCY_WORDS.get(fold(raw)) ?? unit) === unit,
  ) && (header.match(/\p{Sc}/gu) ?? []).every((sign) => sign === unit)

export type ValueComparison = 'same' | 'other' | 'vaguer' | 'unrelated'

/**
 * Compares a claimed value with a value of the evidence. `vaguer`: the evidence is less exact or states another bound, so the claim
 * neither follows nor is contradicted. `unrelated`: the values are of different kinds.
 */
export function compareValues(
  { content: claimed }: TextValue,
  { content: statement }: TextValue,
): ValueComparison {
  if (claimed.kind === 'date' && statement.kind === 'date') return compareDates(claimed.date, statement.date)
  if (claimed.kind === 'time' && statement.kind === 'time')
    return claimed.time === statement.time ? 'same' : 'other'
  if (claimed.kind === 'ordinal' && statement.kind === 'ordinal')
    return claimed.number === statement.number ? 'same' : 'other'
  if (claimed.kind === 'label' && statement.kind === 'label' && claimed.of === statement.of)
    return claimed.number === statement.number ? 'same' : 'other'
  if (claimed.kind !== 'amount' || statement.kind !== 'amount') return 'unrelated'
  const amount = converted(statement, claimed.unit)
  if (amount === undefined) return 'unrelated'
  if (claimed.bound !== statement.bound && claimed.bound !== undefined && statement.bound !== undefined)
    return 'vaguer'
  if (isRounding(claimed.amount, amount, claimed.isExact)) return 'same'
  return claimed.bound === statement.bound ? 'other' : 'vaguer'
}

function converted({ amount, unit }: { amount: number; unit: string }, to: string): number | undefined {
  if (unit === to || fold(unit).replace(/e?s$/, '') === fold(to).replace(/e?s$/, '')) return amount
  return inUnit(new Decimal(amount), unit, to)?.toNumber()
}

/** Whether the claimed amount is a rounding of the stated one. "1.28 million" is a rounding of 1,284,000. "1,280,000" is not. */
function isRounding(claimed: number, statement: number, isExact: boolean): boolean {
  if (Math.abs(claimed - statement) <= 1e-9 * Math.abs(statement)) return true
  if (isExact || claimed === 0) return false
  const digits = claimed.toExponential().replace(/e.*$/, '').replace(/\D/g, '').length
  return digits >= 2 && Number(statement.toPrecision(digits)) === claimed
}

function compareDates(claimed: string, statement: string): ValueComparison {
  // "--06-30" becomes "-06-30", which is the end of "2026-06-30".
  const [claimedDate, statedDate] = [claimed, statement].map((date) => date.replace(/^-/, ''))
  if (claimedDate === undefined || statedDate === undefined) return 'unrelated'
  if (claimedDate === statedDate) return 'same'
  const isYearless = (date: string): boolean => date.startsWith('-')
  if (isYearless(claimedDate) !== isYearless(statedDate)) {
    const [short, long] = isYearless(claimedDate) ? [claimedDate, statedDate] : [statedDate, claimedDate]
    // A day cannot be compared with a year or a month alone.
    if (!/^\d{4}-\d\d-\d\d$/.test(long)) return 'unrelated'
    if (!long.endsWith(short)) return 'other'
    return isYearless(claimedDate) ? 'same' : 'vaguer'
  }
  if (isWithin(statedDate, claimedDate)) return 'same'
  if (isWithin(claimedDate, statedDate)) return 'vaguer'
  // A quarter and a month do not contradict each other, because a fiscal quarter may have other months than one of the calendar.
  return statedDate.length === claimedDate.length && isQuarter(statedDate) === isQuarter(claimedDate)
    ? 'other'
    : 'unrelated'
}

const isQuarter = (date: string): boolean => date.includes('Q')

/** Whether the period is a part of the longer one: a month of a year or of a quarter, a day of a month. */
function isWithin(period: string, longer: string): boolean {
  const month = Number(period.slice(5, 7))
  const quarter = isQuarter(longer) && month > 0 ? `${period.slice(0, 4)}-Q${Math.ceil(month / 3)}` : ''
  return period.startsWith(`${longer}-`) || quarter === longer
}
