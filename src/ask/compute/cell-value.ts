// Parses a table cell as a number with a unit or as a date. A cell that cannot be read exactly has no value. The decimal separator
// is inferred from the other cells of the column, then from those of the table, then from the language. Pure.

import { Decimal as AnyDecimal } from 'decimal.js'
import { LANGUAGES, type Language } from '../../language/language.ts'

// With at most 30 digits in a cell, a sum of a million cells is exact.
const MAX_DIGITS = 30
// In UTF-16 units. A longer cell is a sentence.
const MAX_CELL_LENGTH = 80
// Matches "9⁹⁹". Two superscript digits after a whole number may be cents or a footnote mark, so such a cell has no value.
const SUPERSCRIPT_CENTS = /(?<![\d.,])\d{1,3}(?:[.,' ]?\d{3})*[¹²³⁰⁴-⁹]{2}$/u
export const Decimal = AnyDecimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 })
export type Decimal = AnyDecimal

export type Value =
  | {
      kind: 'number'
      amount: Decimal
      /** Such as '€', '%' or 'kg'. Empty for a plain number. */
      unit: string
    }
  | {
      kind: 'date'
      /** Days since 1970-01-01. */
      day: number
    }

/** How a column's numbers and dates are written. */
export interface Notation {
  decimal: '.' | ','
  dates: DateOrder
}

/** The notation of a column; `others` are the cells of the rest of the table. */
export function notationOf(
  column: readonly string[],
  others: readonly string[],
  language: Language,
): Notation {
  const signOfLanguage = decimalSignOf(language)
  const dates = dateOrderOf(column) ?? dateOrderOf(others) ?? (signOfLanguage === '.' ? undefined : 'dmy')
  return { decimal: decimalOf(column) ?? decimalOf(others) ?? signOfLanguage, dates }
}

/** The usual decimal separator of a language. */
export const decimalSignOf = (language: string): '.' | ',' =>
  language === 'en' || language === 'xx' ? '.' : ','

/** The decimal separator of most unambiguous cells. Undefined if there are none, or as many with a point as with a comma. */
function decimalOf(cells: readonly string[]): '.' | ',' | undefined {
  const signs = cells.flatMap((cell) =>
    cell.length > MAX_CELL_LENGTH
      ? []
      : (decimalSignIn(NUMBER.exec(normalized(cell))?.[0].trim() ?? '') ?? []),
  )
  const points = signs.filter((sign) => sign === '.').length
  if (points * 2 === signs.length) return undefined
  return points * 2 > signs.length ? '.' : ','
}

const NUMBER = /\d[\d.,' ]*|[.,]\d+/
// Matches a number with two separators: "1,234.50", "1.234.567,5".
const BOTH = /^\d{1,3}(?:([.,])\d{2,3})(?:\1\d{2,3})*([.,])\d+$/

/**
 * The decimal separator that a number shows: a comma in "1,5" and "1.234,5", a point for "1,234,567". Undefined for "1,234", which
 * is ambiguous.
 */
function decimalSignIn(number: string): '.' | ',' | undefined {
  const digits = number.replace(/[' ]/g, '')
  const bothSigns = BOTH.exec(digits)
  if (bothSigns && bothSigns[1] !== bothSigns[2]) return bothSigns[2] === ',' ? ',' : '.'
  const repeated = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/.exec(digits)
  if (repeated) return repeated[1] === ',' ? '.' : ','
  const single = /^(\d*)([.,])(\d+)$/.exec(digits)
  if (!single) return undefined
  const [, before = '', sign, after = ''] = single
  const mayGroup = after.length === 3 && /^[1-9]\d{0,2}$/.test(before)
  return mayGroup ? undefined : sign === ',' ? ',' : '.'
}

/** The value of a cell. Undefined for words, codes, ranges, estimates ("~5", "3–7", "<1") and empty cells. */
export function readValue(cell: string, notation: Notation): Value | undefined {
  if (cell.length > MAX_CELL_LENGTH) return undefined
  const text = normalized(cell)
  if (text === '' || SUPERSCRIPT_CENTS.test(cell.trim())) return undefined
  const day = parseDate(text, notation.dates)
  if (day !== undefined) return { kind: 'date', day }
  const { rest, isNegative } = signOf(text)
  const parts = /^([^\d.,]*?)\s*(\d[\d.,' ]*|[.,]\d+)(.*)$/.exec(rest)
  if (!parts) return undefined
  const [, before = '', number = '', after = ''] = parts
  const amount = amountOf(number.trim(), notation.decimal)
  const unit = unitOf(before.trim(), after.trim())
  if (!amount || !unit || /^[¹²³⁰⁴-⁹]/u.test(after)) return undefined
  const scaledAmount = amount.times(unit.scale)
  return { kind: 'number', amount: isNegative ? scaledAmount.neg() : scaledAmount, unit: unit.name }
}

/** The cell with one kind of space, minus and digits, and without footnote marks. "10²" stays as it is. */
const normalized = (cell: string): string =>
  cell
    .replace(/(?<=[\d)%\p{Sc}])(?<!(?<!\d)10)[¹²³⁰⁴-⁹]+$/u, '')
    .replace(/[*†‡§]+$/u, '')
    .replace(/(?<=\d)\s?\[\w{1,3}\]$/u, '')
    .replace(/[０-９]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u00a0\u2009\u202f]+/gu, ' ')
    .replace(/[’`´]/gu, "'")
    .replace(/[−‒–﹣－]/gu, '-')
    .trim()

/** Whether a number is negative, and the number without its sign. "(5)", "-5", "€ -5" and "5-" are negative. */
function signOf(text: string): { rest: string; isNegative: boolean } {
  const inParentheses = /^([^()\d]*)\(([^()]*\d[^()]*)\)([^()\d]*)$/.exec(text)
  if (inParentheses) {
    const [, before, number, after] = inParentheses
    return { rest: `${before}${number}${after}`.trim(), isNegative: true }
  }
  const hasMinusBefore = /^[^\d-]{0,4}-\s?[^\d-]{0,4}\d/.test(text)
  if (hasMinusBefore) return { rest: text.replace('-', '').trim(), isNegative: true }
  if (/\d-$/.test(text)) return { rest: text.slice(0, -1), isNegative: true }
  return { rest: text.replace(/^\+\s?/, ''), isNegative: false }
}

function amountOf(number: string, decimal: '.' | ','): Decimal | undefined {
  if (number.replace(/\D/g, '').length > MAX_DIGITS) return undefined
  const [point, group] = decimal === '.' ? ['\\.', ','] : [',', '\\.']
  const grouped = new RegExp(`^\\d{1,3}(?:([${group}' ])\\d{3}(?:\\1\\d{3})*)(?:${point}\\d+)?$`)
  // Indian grouping (lakh, crore): 1,23,45,678.
  const indian = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/
  const plainNumber = new RegExp(`^\\d*(?:${point}\\d+)?$`)
  const isNumber =
    grouped.test(number) || plainNumber.test(number) || (decimal === '.' && indian.test(number))
  if (!isNumber || !/\d/.test(number)) return undefined
  const digits = number.replace(decimal === '.' ? /[,' ]/g : /[.' ]/g, '').replace(',', '.')
  return new Decimal(digits)
}

function unitOf(before: string, after: string): Unit | undefined {
  const unitOnLeft = before ? unitBefore(before) : { name: '', scale: 1 }
  const right = after ? unitAfter(after, unitOnLeft?.name !== '') : { name: '', scale: 1 }
  if (!unitOnLeft || !right) return undefined
  const name =
    unitOnLeft.name && right.name && right.name !== unitOnLeft.name
      ? `${unitOnLeft.name} ${right.name}`
      : unitOnLeft.name || right.name
  return { name, scale: unitOnLeft.scale * right.scale }
}

// Units around a cell's number: currencies, per cent, thousands and millions, measures.

export interface Unit {
  /** One name for all forms of a unit: '€' for EUR and euros. Empty for none. */
  name: string
  /** The factor of words such as "Mio.", which is 1,000,000. */
  scale: number
}

const SYMBOLS: Readonly<Record<string, string>> = {
  EUR: '€',
  euro: '€',
  euros: '€',
  GBP: '£',
  USD: '$',
  US$: '$',
  dollar: '$',
  dollars: '$',
  JPY: '¥',
  INR: '₹',
  'kr.': 'kr',
  'Rs.': 'Rs',
  percent: '%',
  'per cent': '%',
  Prozent: '%',
  pct: '%',
  'pct.': '%',
}

const CODES = new Set(Intl.supportedValuesOf('currency'))
const CURRENCY = /^(?:[A-Z]{0,3}\p{Sc}|kr\.?|Rs\.?|zł|Kč|Fr\.)$/u

/** The currency before a number. Undefined for any other text, so that "No. 5", "MF-204" and "~5" are not amounts. */
const unitBefore = (text: string): Unit | undefined =>
  CURRENCY.test(text) || CODES.has(text) ? { name: nameOf(text), scale: 1 } : undefined

const THOUSAND = /^(?:thousand|tausend|tsd\.?|mille|duizend|тыс\.?)(?![\p{L}])/iu
const MILLION =
  /^(?:millions?|millionen|mio\.?|mln\.?|mn\.?|millones|millón|milioni|milione|milhões|miljoen|miljoner|millioner|miljoonaa|млн\.?)(?![\p{L}])/iu
const BILLION =
  /^(?:billions?|bn\.?|mrd\.?|mld\.?|milliarden?|milliards?|miliardi|miljard|miljarder|milliarder|miljardia|млрд\.?)(?![\p{L}])/iu
const TRILLION = /^(?:trillions?|tn\.?)(?![\p{L}])/iu
// These letters are scales only beside a currency, because "5 m" is five metres.
const LETTERS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9 }

// Matches a unit of at most two words: "kg", "per metre". A longer text is a sentence that starts with a number.
const MEASURE = /^(?:[\p{L}%°µ'"/²³·\p{Sc}$]+[23]?\.?)(?:[ /](?:[\p{L}%°µ/²³·\p{Sc}$]+[23]?\.?))?$/u

/** The scale and the unit after a number. Undefined if the text is neither. */
function unitAfter(text: string, isAdjacent: boolean): Unit | undefined {
  const [scale, rest] = scaleOf(text, isAdjacent)
  const name = rest.replace(/^d[e'] ?/u, '').trim()
  if (name === '') return { name: '', scale }
  if (name.length > 24 || !MEASURE.test(name) || !/[\p{L}%°\p{Sc}]/u.test(name)) return undefined
  return { name: nameOf(name), scale }
}

function scaleOf(text: string, isAdjacent: boolean): [scale: number, rest: string] {
  const letter = isAdjacent ? LETTERS[text] : undefined
  if (letter) return [letter, '']
  // The currency may follow the scale: "5m €".
  const scaleAndCurrency = /^([kKmMbB])\s?(\p{Sc}|[A-Z]{3})$/u.exec(text)
  const [, scaleLetter = '', currency = ''] = scaleAndCurrency ?? []
  if (scaleAndCurrency && (CURRENCY.test(currency) || CODES.has(currency)))
    return [LETTERS[scaleLetter] ?? 1, currency]
  for (const [words, scale] of [
    [THOUSAND, 1e3],
    [MILLION, 1e6],
    [BILLION, 1e9],
    [TRILLION, 1e12],
  ] as const) {
    const match = words.exec(text)
    if (match) return [scale, text.slice(match[0].length).trim()]
  }
  return [1, text]
}

const nameOf = (text: string): string => SYMBOLS[text] ?? SYMBOLS[text.toLowerCase()] ?? text

/** Whether two units are the same apart from letter case and an English plural. */
export const isSameUnit = (a: string, b: string): boolean => unitKey(a) === unitKey(b)

const unitKey = (name: string): string => (name.length > 3 ? name.toLowerCase().replace(/s$/, '') : name)

// Dates in tables: ISO, with points or slashes, or with the month's name in any supported language.

/** The order of day and month before a year. Undefined if it is unknown. */
export type DateOrder = 'dmy' | 'mdy' | undefined

const DAY_MS = 86_400_000
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2})?\S*)?$/
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.|er|º)?\s+(?:de\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/u
const MONTH_FIRST = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u

/** Days since 1970-01-01. Undefined for a text that is no date and for an ambiguous date. */
function parseDate(cell: string, order: DateOrder): number | undefined {
  const iso = ISO.exec(cell)
  if (iso) return day(iso[1], Number(iso[2]), iso[3])
  const points = POINTS.exec(cell)
  if (points) return day(points[3], Number(points[2]), points[1])
  const slashes = SLASHES.exec(cell)
  if (slashes) {
    const [, first, second, year] = slashes
    const dateOrder = order ?? dateOrderOf([cell])
    if (!dateOrder) return first === second ? day(year, Number(second), first) : undefined
    return dateOrder === 'dmy' ? day(year, Number(second), first) : day(year, Number(first), second)
  }
  const dayFirst = DAY_FIRST.exec(cell)
  if (dayFirst) return day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(cell)
  return monthFirst ? day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : undefined
}

/**
 * The order in the dates with slashes of a column, where a number over 12 is a day. Undefined if no date shows it, or if they
 * disagree.
 */
function dateOrderOf(cells: readonly string[]): DateOrder {
  const dates = cells.flatMap((cell) => {
    const match = SLASHES.exec(cell.trim())
    return match ? [[Number(match[1]), Number(match[2])] as const] : []
  })
  const dayFirst = dates.some(([first]) => first > 12)
  const monthFirst = dates.some(([, second]) => second > 12)
  return dayFirst === monthFirst ? undefined : dayFirst ? 'dmy' : 'mdy'
}

export const isoDate = (daysSinceEpoch: number): string =>
  new Date(daysSinceEpoch * DAY_MS).toISOString().slice(0, 10)

function day(yearText: string | undefined, month: number | undefined, dayText: string | undefined) {
  const isShortYear = yearText?.length === 2
  const year = Number(yearText) + (isShortYear ? (Number(yearText) < 70 ? 2000 : 1900) : 0)
  if (!month || month > 12) return undefined
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, Number(dayText))
  // "31 April" would become 1 May, so it is not a date.
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(dayText)
  return isReal ? at.getTime() / DAY_MS : undefined
}

const monthOf = (name: string | undefined): number | undefined => months().get(monthKey(name ?? ''))

const monthKey = (name: string): string => name.toLowerCase().replace(/\.$/, '')

let monthTable: ReadonlyMap<string, number> | undefined

/** The long, short and inflected month names ("марта") of all languages. No name stands for two months. */
function months(): ReadonlyMap<string, number> {
  monthTable ??= new Map(
    LANGUAGES.filter((language): language is Exclude<Language, 'xx'> => language !== 'xx').flatMap(
      (language) =>
        (['long', 'short'] as const).flatMap((length) => {
          const format = new Intl.DateTimeFormat(language, { month: length, day: 'numeric', timeZone: 'UTC' })
          return Array.from({ length: 12 }, (_, month): [string, number] => {
            const parts = format.formatToParts(new Date(Date.UTC(2001, month, 15)))
            return [monthKey(parts.find(({ type }) => type === 'month')?.value ?? ''), month + 1]
          })
        }),
    ),
  )
  return monthTable
}
