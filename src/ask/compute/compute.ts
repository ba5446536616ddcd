// Aggregation over tables: filter, sort and calculate exactly, returning the rows used so that the result can be
// cited. A computation that is not clear is refused with a reason. Pure.

import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import { Decimal, isoDate, isSameUnit, type Notation, readValue, type Value } from './cell-value.ts'
import { type Row, type Table, tableOf, withoutTotals } from './table.ts'
import { inUnit } from './units.ts'

export const COMPARISONS = ['equal', 'not_equal', 'less', 'at_most', 'more', 'at_least', 'contains'] as const
export type Comparison = (typeof COMPARISONS)[number]

export interface Condition {
  column: string
  is: Comparison
  /** A number with a decimal point or as the table writes it, a date, or a text (case-insensitive). */
  value: string
}

export const OPERATIONS = ['rows', 'count', 'sum', 'mean', 'min', 'max', 'difference', 'ratio'] as const

export interface Computation {
  operation: (typeof OPERATIONS)[number]
  /**
   * The columns to compute with: one; for `difference` (first minus second) and `ratio` (first divided by second) one
   * column and two rows, or two columns and one row. `rows` and `count` need none.
   */
  columns: readonly string[]
  where?: readonly Condition[]
  sort?: { column: string; order: 'ascending' | 'descending' }
  /** Applied after filter and order. */
  limit?: number
}

export type Outcome<R extends Row> =
  | {
      kind: 'value'
      /** A plain decimal, or an ISO date. */
      value: string
      unit: string
      /** False if a quotient was rounded to SHOWN_DIGITS digits. */
      exact: boolean
      /** The rows it was computed from. For `min` and `max` the rows with that value. */
      rows: R[]
      /** Rows left out because their cell has no clear number. */
      skipped: R[]
      /** Rows left out because they are totals of other rows. */
      totals: R[]
    }
  | { kind: 'rows'; rows: R[]; skipped: R[] }
  | { kind: 'refused'; reason: string }

/**
 * Computes with the rows of a table. Never throws: if the result would not be exact, it is `refused` with a reason for the model.
 */
export function compute<R extends Row>(
  rows: readonly R[],
  computation: Computation,
  language: Language,
): Outcome<R> {
  const { operation, columns, where: conditions = [], sort } = computation
  const table = tableOf(rows, language)
  const names = [...columns, ...conditions.map(({ column }) => column), ...(sort ? [sort.column] : [])]
  const unknown = names.find((name) => table.column(name) === undefined)
  if (unknown !== undefined)
    return refusal(
      `"${unknown}" matches no column, or several. The columns are: ${table.headers.join(' | ')}.`,
    )
  const matching = rows.filter((row) => conditions.every((condition) => matches(table, row, condition)))
  if (operation === 'rows' || operation === 'count') return rowsOrCount(table, matching, computation)
  const columnCounts = operation === 'difference' || operation === 'ratio' ? [1, 2] : [1]
  if (!columnCounts.includes(columns.length))
    return refusal(`${operation} needs ${columnCounts.join(' or ')} columns.`)
  return columnCounts.length === 2
    ? compareCells(table, sortAndLimit(table, matching, computation), computation)
    : aggregate(table, matching, computation)
}

function matches<R extends Row>(table: Table<R>, row: R, { column, is, value }: Condition): boolean {
  const text = fold(table.text(row, column)).trim()
  if (is === 'contains') return text.includes(fold(value).trim())
  const cellValue = table.value(row, column)
  const operand = valueOfCondition(value, table.notation(column))
  const order = cellValue && operand ? compareValues(cellValue, operand) : undefined
  if (is === 'equal') return order === undefined ? text === fold(value).trim() : order === 0
  if (is === 'not_equal') return order === undefined ? text !== fold(value).trim() : order !== 0
  if (order === undefined) return false
  if (is === 'less') return order < 0
  if (is === 'at_most') return order <= 0
  return is === 'more' ? order > 0 : order >= 0
}

/** The value of a condition. "1.5" is one and a half in any notation of the table. */
const valueOfCondition = (value: string, notation: Notation): Value | undefined =>
  /^-?\d{1,30}(?:\.\d{1,30})?$/.test(value.trim())
    ? { kind: 'number', amount: new Decimal(value.trim()), unit: '' }
    : readValue(value, notation)

/**
 * Below 0, 0 or above 0. Undefined for values that cannot be compared: a date and a number, euros and kilograms. Grams and
 * kilograms can be compared.
 */
function compareValues(a: Value, b: Value): number | undefined {
  if (a.kind === 'date' || b.kind === 'date')
    return a.kind === 'date' && b.kind === 'date' ? a.day - b.day : undefined
  if (!a.unit || !b.unit || isSameUnit(a.unit, b.unit)) return a.amount.cmp(b.amount)
  const amount = inUnit(b.amount, b.unit, a.unit)
  return amount && a.amount.cmp(amount)
}

/** The rows in the requested order and number. Rows without a value to sort by come last. */
function sortAndLimit<R extends Row>(table: Table<R>, rows: readonly R[], { sort, limit }: Computation): R[] {
  if (!sort) return rows.slice(0, limit)
  const sign = sort.order === 'ascending' ? 1 : -1
  const keyed = rows.map((row) => ({
    row,
    value: table.value(row, sort.column),
    text: table.text(row, sort.column),
  }))
  keyed.sort((a, b) => {
    if (a.value && b.value) return sign * (compareValues(a.value, b.value) ?? 0)
    if (a.value || b.value) return a.value ? -1 : 1
    return sign * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
  })
  return keyed.map(({ row }) => row).slice(0, limit)
}

function rowsOrCount<R extends Row>(table: Table<R>, matching: R[], computation: Computation): Outcome<R> {
  const { items, totals } = withoutTotals(matching, (row) => table.value(row, computation.columns[0] ?? ''))
  if (computation.operation === 'rows')
    return { kind: 'rows', rows: sortAndLimit(table, matching, computation), skipped: [] }
  const value = String(items.length)
  return { kind: 'value', value, unit: 'rows', exact: true, rows: items, skipped: [], totals }
}

interface Figure<R> {
  row: R
  value: Value
}

function aggregate<R extends Row>(table: Table<R>, matching: R[], computation: Computation): Outcome<R> {
  const [name = ''] = computation.columns
  const { items, totals } = withoutTotals(matching, (row) => table.value(row, name))
  const selectedRows = sortAndLimit(table, items, computation)
  const { figures: matchingFigures, skipped } = figuresOf(table, selectedRows, name)
  const figures = inOneUnit(matchingFigures)
  const reference = figures.find(({ value }) => value.kind === 'number' && value.unit) ?? figures[0]
  if (!reference) return refusal(`No row has a clear number in "${name}" under these conditions.`)
  const otherUnit = figures.find(({ value }) => !isAddable(reference.value, value))
  if (otherUnit)
    return refusal(
      `"${name}" mixes ${kindOf(reference.value)} and ${kindOf(otherUnit.value)}: filter to one of them.`,
    )
  const { operation } = computation
  if (operation === 'min' || operation === 'max')
    return { ...extreme(table, name, figures, operation), skipped, totals }
  const amounts = figures.flatMap(({ value }) => (value.kind === 'number' ? [value.amount] : []))
  if (amounts.length < figures.length)
    return refusal(`"${name}" holds dates: they have min, max and difference.`)
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Decimal(0))
  const result =
    operation === 'mean'
      ? quotient(sum, new Decimal(amounts.length))
      : { value: decimalString(sum), exact: true }
  const unit = unitIn(table, name, figures)
  return { kind: 'value', ...result, unit, rows: figures.map(({ row }) => row), skipped, totals }
}

/** The figures converted to the first unit among them. They stay as they are if one of them cannot be converted. */
function inOneUnit<R>(figures: Figure<R>[]): Figure<R>[] {
  const unit = figures.map(({ value }) => (value.kind === 'number' ? value.unit : '')).find(Boolean) ?? ''
  const converted = figures.map(({ row, value }): Figure<R> | undefined => {
    if (value.kind === 'date' || isSameUnit(value.unit, unit)) return { row, value }
    const amount = inUnit(value.amount, value.unit, unit)
    return amount && { row, value: { ...value, amount, unit } }
  })
  return converted.every((figure) => figure !== undefined) ? converted : figures
}

function extreme<R extends Row>(
  table: Table<R>,
  name: string,
  figures: Figure<R>[],
  operation: 'min' | 'max',
) {
  const sign = operation === 'max' ? 1 : -1
  const best = figures.reduce((a, b) => (sign * (compareValues(b.value, a.value) ?? 0) > 0 ? b : a))
  const rows = figures.filter(({ value }) => compareValues(value, best.value) === 0).map(({ row }) => row)
  const value = best.value.kind === 'date' ? isoDate(best.value.day) : decimalString(best.value.amount)
  return { kind: 'value' as const, value, unit: unitIn(table, name, [best]), exact: true, rows }
}

/** The difference or ratio of two cells: two rows of one column, or two columns of one row. */
function compareCells<R extends Row>(
  table: Table<R>,
  rows: R[],
  { operation, columns }: Computation,
): Outcome<R> {
  const [firstName = '', secondName = firstName] = columns
  const cells = rows.flatMap((row) =>
    [...new Set([firstName, secondName])].map((name) => ({ row, name, value: table.value(row, name) })),
  )
  const [a, b] = cells
  if (!a || !b || cells.length !== 2)
    return refusal(
      `${operation} needs two cells: filter to ${columns.length === 2 ? 'one row' : 'two rows'}, not ${rows.length}.`,
    )
  if (!a.value || !b.value) return refusal('One of the two cells has no clear number.')
  const usedRows = { rows: [...new Set([a.row, b.row])], skipped: [], totals: [] }
  const pair = `${kindOf(a.value)} and ${kindOf(b.value)}`
  if (a.value.kind === 'date' || b.value.kind === 'date') {
    if (operation === 'ratio' || a.value.kind !== b.value.kind)
      return refusal(`${operation} of ${pair} is not defined.`)
    const days = a.value.kind === 'date' && b.value.kind === 'date' ? a.value.day - b.value.day : 0
    return { kind: 'value', value: String(days), unit: 'days', exact: true, ...usedRows }
  }
  const units = [
    unitIn(table, a.name, [{ value: a.value }]),
    unitIn(table, b.name, [{ value: b.value }]),
  ] as const
  // The second amount in the unit of the first. Undefined if it cannot be converted.
  const converted = isSameUnit(...units) ? b.value.amount : inUnit(b.value.amount, units[1], units[0])
  if (operation === 'difference') {
    if (converted === undefined) return refusal(`difference of ${pair} is not defined.`)
    return {
      kind: 'value',
      value: decimalString(a.value.amount.minus(converted)),
      unit: units[0],
      exact: true,
      ...usedRows,
    }
  }
  const divisor = converted ?? b.value.amount
  if (divisor.isZero()) return refusal('The second value is 0, and nothing can be divided by 0.')
  const unit = converted === undefined ? `${units[0] || '1'}/${units[1] || '1'}` : ''
  return { kind: 'value', ...quotient(a.value.amount, divisor), unit, ...usedRows }
}

function figuresOf<R extends Row>(table: Table<R>, rows: readonly R[], name: string) {
  const figures: Figure<R>[] = []
  const skipped: R[] = []
  for (const row of rows) {
    const value = table.value(row, name)
    if (value) figures.push({ row, value })
    else skipped.push(row)
  }
  return { figures, skipped }
}

const refusal = (reason: string): { kind: 'refused'; reason: string } => ({ kind: 'refused', reason })

/**
 * Whether two values can be added. A number without a unit can be added to any other, because often only the first cell has the
 * unit.
 */
const isAddable = (a: Value, b: Value): boolean =>
  a.kind === 'date' || b.kind === 'date'
    ? a.kind === b.kind
    : !a.unit || !b.unit || isSameUnit(a.unit, b.unit)

const kindOf = (value: Value): string => (value.kind === 'date' ? 'dates' : value.unit || 'bare numbers')

const unitIn = <R extends Row>(table: Table<R>, name: string, figures: readonly { value: Value }[]): string =>
  figures.map(({ value }) => (value.kind === 'number' ? value.unit : '')).find(Boolean) ??
  (figures.some(({ value }) => value.kind === 'number') ? table.unit(name) : '')

const decimalString = (amount: Decimal): string => amount.toFixed()

const SHOWN_DIGITS = 15

function quotient(amount: Decimal, divisor: Decimal): { value: string; exact: boolean } {
  const result = amount.div(divisor)
  const rounded = result.toSignificantDigits(SHOWN_DIGITS)
  return { value: decimalString(rounded), exact: rounded.times(divisor).eq(amount) }
}
