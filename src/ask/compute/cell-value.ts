// What a table's cell says as a number with a unit, or as a date: exactly, or not at all. How its separators are meant is
// told by the other cells of the column, then of the table, then by the language. Pure.

import { Decimal as AnyDecimal } from 'decimal.js'
import { LANGUAGES, type Language } from '../../language/language.ts'

// Cells have at most 30 digits: no sum of a million of them is rounded.
const MOST_DIGITS = 30
// In UTF-16 units; longer cells are sentences.
const LONGEST_CELL = 80
// Two raised figures behind a whole number are cents as often as the mark of a note: "9⁹⁹".
const RAISED_CENTS = /(?<![\d.,])\d{1,3}(?:[.,' ]?\d{3})*[¹²³⁰⁴-⁹]{2}$/u
export const Decimal = AnyDecimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 })
export type Decimal = AnyDecimal

export type Value =
  | {
      kind: 'number'
      amount: Decimal
      /** '€', '%', 'kg' …; empty for a bare number. */
      unit: string
    }
  | {
      kind: 'date'
      /** Days since 1970-01-01. */
      day: number
    }

/** How a column writes numbers and dates. */
export interface Notation {
  decimal: '.' | ','
  dates: DateOrder
}

/** The notation of a column's cells, `others` being those of the rest of the table. */
export function notationOf(
  column: readonly string[],
  others: readonly string[],
  language: Language,
): Notation {
  const byHabit = language === 'en' || language === 'xx'
  const dates = orderOf(column) ?? orderOf(others) ?? (byHabit ? undefined : 'dmy')
  return { decimal: decimalOf(column) ?? decimalOf(others) ?? (byHabit ? '.' : ','), dates }
}

/** The sign of decimals that most telling cells show; undefined when none tells or they are of two minds. */
function decimalOf(cells: readonly string[]): '.' | ',' | undefined {
  const told = cells.flatMap((cell) =>
    cell.length > LONGEST_CELL ? [] : (tellOf(NUMBER.exec(plain(cell))?.[0].trim() ?? '') ?? []),
  )
  const points = told.filter((sign) => sign === '.').length
  if (points * 2 === told.length) return undefined
  return points * 2 > told.length ? '.' : ','
}

const NUMBER = /\d[\d.,' ]*|[.,]\d+/
const BOTH = /^\d{1,3}(?:([.,])\d{2,3})(?:\1\d{2,3})*([.,])\d+$/

/** What one number shows: "1,234" nothing, "1,5" and "1.234,5" a comma, "1,234,567" a point. */
function tellOf(number: string): '.' | ',' | undefined {
  const digits = number.replace(/[' ]/g, '')
  const both = BOTH.exec(digits)
  if (both && both[1] !== both[2]) return both[2] === ',' ? ',' : '.'
  const repeated = /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/.exec(digits)
  if (repeated) return repeated[1] === ',' ? '.' : ','
  const single = /^(\d*)([.,])(\d+)$/.exec(digits)
  if (!single) return undefined
  const [, before = '', sign, after = ''] = single
  const mayGroup = after.length === 3 && /^[1-9]\d{0,2}$/.test(before)
  return mayGroup ? undefined : sign === ',' ? ',' : '.'
}

/** The cell's value; undefined for words, codes, ranges, estimates ("~5", "3–7", "<1") and empty cells. */
export function readValue(cell: string, notation: Notation): Value | undefined {
  if (cell.length > LONGEST_CELL) return undefined
  const text = plain(cell)
  if (text === '' || RAISED_CENTS.test(cell.trim())) return undefined
  const day = dayOf(text, notation.dates)
  if (day !== undefined) return { kind: 'date', day }
  const { rest, negative } = signOf(text)
  const parts = /^([^\d.,]*?)\s*(\d[\d.,' ]*|[.,]\d+)(.*)$/.exec(rest)
  if (!parts) return undefined
  const [, before = '', number = '', after = ''] = parts
  const amount = amountOf(number.trim(), notation.decimal)
  const unit = unitOf(before.trim(), after.trim())
  if (!amount || !unit || /^[¹²³⁰⁴-⁹]/u.test(after)) return undefined
  const scaled = amount.times(unit.scale)
  return { kind: 'number', amount: negative ? scaled.neg() : scaled, unit: unit.name }
}

/** One kind of space and of minus; digits of full width as digits; marks of notes behind a number go, "10²" stays odd. */
const plain = (cell: string): string =>
  cell
    .replace(/(?<=[\d)%\p{Sc}])(?<!(?<!\d)10)[¹²³⁰⁴-⁹]+$/u, '')
    .replace(/[*†‡§]+$/u, '')
    .replace(/(?<=\d)\s?\[\w{1,3}\]$/u, '')
    .replace(/[０-９]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u00a0\u2009\u202f]+/gu, ' ')
    .replace(/[’`´]/gu, "'")
    .replace(/[−‒–﹣－]/gu, '-')
    .trim()

/** Parentheses of bookkeepers, a minus before or behind. */
function signOf(text: string): { rest: string; negative: boolean } {
  const inside = /^([^()\d]*)\(([^()]*\d[^()]*)\)([^()\d]*)$/.exec(text)
  if (inside) return { rest: `${inside[1]}${inside[2]}${inside[3]}`.trim(), negative: true }
  if (/^[^\d-]{0,4}-\s?[^\d-]{0,4}\d/.test(text))
    return { rest: text.replace('-', '').trim(), negative: true }
  if (/\d-$/.test(text)) return { rest: text.slice(0, -1), negative: true }
  return { rest: text.replace(/^\+\s?/, ''), negative: false }
}

function amountOf(number: string, decimal: '.' | ','): Decimal | undefined {
  if (number.replace(/\D/g, '').length > MOST_DIGITS) return undefined
  const [point, group] = decimal === '.' ? ['\\.', ','] : [',', '\\.']
  const grouped = new RegExp(`^\\d{1,3}(?:([${group}' ])\\d{3}(?:\\1\\d{3})*)(?:${point}\\d+)?$`)
  // Lakh and crore: 1,23,45,678.
  const indian = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/
  const bare = new RegExp(`^\\d*(?:${point}\\d+)?$`)
  const isNumber = grouped.test(number) || bare.test(number) || (decimal === '.' && indian.test(number))
  if (!isNumber || !/\d/.test(number)) return undefined
  const digits = number.replace(decimal === '.' ? /[,' ]/g : /[.' ]/g, '').replace(',', '.')
  return new Decimal(digits)
}

function unitOf(before: string, after: string): Unit | undefined {
  const left = before ? unitBefore(before) : { name: '', scale: 1 }
  const right = after ? unitAfter(after, left?.name !== '') : { name: '', scale: 1 }
  if (!left || !right) return undefined
  const name =
    left.name && right.name && right.name !== left.name
      ? `${left.name} ${right.name}`
      : left.name || right.name
  return { name, scale: left.scale * right.scale }
}

// What stands around a cell's number: currencies, per cent, thousands and millions, measures. Pure.

export interface Unit {
  /** One name for each: '€' for EUR and euros; empty for none. */
  name: string
  /** 1,000,000 for "Mio.". */
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

/** A currency before the number; undefined for anything else: "No. 5", "MF-204" and "~5" are no amounts. */
export const unitBefore = (text: string): Unit | undefined =>
  CURRENCY.test(text) || CODES.has(text) ? { name: nameOf(text), scale: 1 } : undefined

const THOUSAND = /^(?:thousand|tausend|tsd\.?|mille|duizend|тыс\.?)(?![\p{L}])/iu
const MILLION =
  /^(?:millions?|millionen|mio\.?|mln\.?|mn\.?|millones|millón|milioni|milione|milhões|miljoen|miljoner|millioner|miljoonaa|млн\.?)(?![\p{L}])/iu
const BILLION =
  /^(?:billions?|bn\.?|mrd\.?|mld\.?|milliarden?|milliards?|miliardi|miljard|miljarder|milliarder|miljardia|млрд\.?)(?![\p{L}])/iu
const TRILLION = /^(?:trillions?|tn\.?)(?![\p{L}])/iu
// Letters alone mean this beside a currency only: 5 m are metres.
const LETTERS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, m: 1e6, M: 1e6, b: 1e9, B: 1e9 }

// A measure has two words at most ("per metre"); more is a sentence that begins with a number.
const MEASURE = /^(?:[\p{L}%°µ'"/²³·\p{Sc}$]+[23]?\.?)(?:[ /](?:[\p{L}%°µ/²³·\p{Sc}$]+[23]?\.?))?$/u

/** Scale and unit behind the number; undefined for what is neither. */
export function unitAfter(text: string, beside: boolean): Unit | undefined {
  const [scale, rest] = scaleOf(text, beside)
  const name = rest.replace(/^d[e'] ?/u, '').trim()
  if (name === '') return { name: '', scale }
  if (name.length > 24 || !MEASURE.test(name) || !/[\p{L}%°\p{Sc}]/u.test(name)) return undefined
  return { name: nameOf(name), scale }
}

function scaleOf(text: string, beside: boolean): [scale: number, rest: string] {
  const letter = beside ? LETTERS[text] : undefined
  if (letter) return [letter, '']
  // "5m €" has its currency behind.
  const joined = /^([kKmMbB])\s?(\p{Sc}|[A-Z]{3})$/u.exec(text)
  if (joined && (CURRENCY.test(joined[2] ?? '') || CODES.has(joined[2] ?? '')))
    return [LETTERS[joined[1] ?? ''] ?? 1, joined[2] ?? '']
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

const nameOf = (text: string): string => SYMBOLS[text] ?? text

/** Whether amounts of the two may be added: the same name, letter case and an English plural aside. */
export const isSameUnit = (one: string, other: string): boolean => unitKey(one) === unitKey(other)

const unitKey = (name: string): string => (name.length > 3 ? name.toLowerCase().replace(/s$/, '') : name)

// Dates as tables write them: ISO, with points or slashes, or with the month's name in any language Kenning knows. Pure.

/** Which of two numbers before a year is the day; undefined where nothing tells. */
export type DateOrder = 'dmy' | 'mdy' | undefined

const DAY_MS = 86_400_000
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2})?\S*)?$/
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/
const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.|er|º)?\s+(?:de\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/u
const MONTH_FIRST = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u

/** Days since 1970-01-01; undefined for what is no date, or one that cannot be told from another. */
export function dayOf(cell: string, order: DateOrder): number | undefined {
  const iso = ISO.exec(cell)
  if (iso) return day(iso[1], Number(iso[2]), iso[3])
  const points = POINTS.exec(cell)
  if (points) return day(points[3], Number(points[2]), points[1])
  const slashes = SLASHES.exec(cell)
  if (slashes) {
    const [, first, second, year] = slashes
    const told = order ?? orderOf([cell])
    if (!told) return first === second ? day(year, Number(second), first) : undefined
    return told === 'dmy' ? day(year, Number(second), first) : day(year, Number(first), second)
  }
  const dayFirst = DAY_FIRST.exec(cell)
  if (dayFirst) return day(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthFirst = MONTH_FIRST.exec(cell)
  return monthFirst ? day(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : undefined
}

/** What a column's dates with slashes show: a number over 12 is a day. Two columns of thought show nothing. */
export function orderOf(cells: readonly string[]): DateOrder {
  const found = cells.flatMap((cell) => {
    const match = SLASHES.exec(cell.trim())
    return match ? [[Number(match[1]), Number(match[2])] as const] : []
  })
  const dayFirst = found.some(([first]) => first > 12)
  const monthFirst = found.some(([, second]) => second > 12)
  return dayFirst === monthFirst ? undefined : dayFirst ? 'dmy' : 'mdy'
}

export const isoOf = (daysSinceEpoch: number): string =>
  new Date(daysSinceEpoch * DAY_MS).toISOString().slice(0, 10)

function day(yearText: string | undefined, month: number | undefined, dayText: string | undefined) {
  const short = yearText?.length === 2
  const year = Number(yearText) + (short ? (Number(yearText) < 70 ? 2000 : 1900) : 0)
  if (!month || month > 12) return undefined
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, Number(dayText))
  // 31 April rolls over into May: no date.
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(dayText)
  return isReal ? at.getTime() / DAY_MS : undefined
}

const monthOf = (name: string | undefined): number | undefined => months().get(monthKey(name ?? ''))

const monthKey = (name: string): string => name.toLowerCase().replace(/\.$/, '')

let known: ReadonlyMap<string, number> | undefined

/** Long, short and inflected names ("марта") of every language; where two disagree, there are none. */
function months(): ReadonlyMap<string, number> {
  known ??= new Map(
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
  return known
}
