// What a table's cell says as a number with a unit, or as a date: exactly, or not at all. How its separators are meant is
// told by the other cells of the column, then of the table, then by the language. Pure.

import { Decimal as AnyDecimal } from 'decimal.js'
import type { Language } from '../../language/language.ts'
import { type DateOrder, dayOf, orderOf } from './dates.ts'
import { type Unit, unitAfter, unitBefore } from './units.ts'

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
