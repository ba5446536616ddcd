// The types of a table's columns, inferred from their cells: text, codes, numbers with a unit, dates, ranges, yes or no. Also finds
// two columns that are the ends of one range ("from" and "to"). Pure.

import { type Interval, intervalOf, intervalsOfCell, inYear } from '../../language/intervals.ts'
import { monthNamed, placedPeriods } from '../../language/periods.ts'
import { wholeWords, words } from '../../language/words.ts'
import { Decimal, type Notation, readValue, type Value } from './cell-value.ts'
import { type Range, readRange } from './range.ts'
import { type Row, type Table, withoutTotals } from './table.ts'
import { isMeasure } from './units.ts'

export type ColumnKind = 'text' | 'code' | 'number' | 'date' | 'range' | 'yes-no'

export interface Column<R extends Row> {
  header: string
  kind: ColumnKind
  /** The unit of numbers and ranges, from the cells or from the name of the column: "Price (€)". Empty for none. */
  unit: string
  text(row: R): string
  number(row: R): Extract<Value, { kind: 'number' }> | undefined
  /** The days that a cell states: one day, those of a month, or several intervals: "Apr–Jun, Sep–Oct". Empty for other texts. */
  when(row: R): readonly Interval[]
  /** Whether its cells state days, with or without a year. In a column of the kind `date` all of them have a year. */
  isOfTime: boolean
  range(row: R): Range | undefined
  /** Undefined if the cell is neither yes nor no. */
  isYes(row: R): boolean | undefined
}

export interface Columns<R extends Row> {
  /** All rows except totals. */
  rows: R[]
  totals: R[]
  /** Rows that may be totals. */
  unclear: ReadonlySet<R>
  all: Column<R>[]
  /** The columns with the beginning and the end of the time, or of the range of amounts, to which a row applies. */
  ends?: { from: Column<R>; to: Column<R> }
}

/** Matches "MF-204", "A5", "user_2" and "EU-NL". A code identifies something and is never added. */
const CODE = /^(?=.*\p{L})(?=.*\d)[\p{L}\d]+(?:[-_/.][\p{L}\d]+)*$|^\p{Lu}{2,}[-/]\p{Lu}+$/u
// Names of columns whose numbers identify the row.
const NUMBERING = wholeWords(
  'ids?|nos?|nr|num|number|code|zip|postcode|plz|phone|telephone|tel|telefon|mobile|fax|extension|room|page|rank(?:ing)?|rang|platz|puesto|account|konto\\p{L}*|kostenstelle|cost cent(?:re|er)|año|year|jahr|année',
)
// Matches what the figures of a column are for: "a year" in "Days a year", "per room", "pro Jahr", "par an".
const PER_UNIT = /[\s/](?:an?|per|each|pro|je|im|par|por|al)\s+\p{L}+\s*$/iu
/** Whether the figures of a column are rates, "Days a year", whose sum means nothing. */
export const isRate = (header: string): boolean => PER_UNIT.test(header.replace(/_/g, ' '))
const YEAR_LIMITS = { from: 1800, to: 2100 }
// The share of cells of another kind that a column may have.
const MAX_OTHER_SHARE = 0.1

export function columnsOf<R extends Row>(table: Table<R>, all: readonly R[]): Columns<R> {
  const firstNumbers = table.headers.find(
    (header) => shareOf(all, (row) => isNumber(table.value(row, header))) > 0.5,
  )
  const { items: dataRows, totals: sums } = withoutTotals(all, (row) => table.value(row, firstNumbers ?? ''))
  const suspectedTotal = isSumOfOthers(table, dataRows) ? dataRows.at(-1) : undefined
  // Subtotals, means and sums with other labels are not data rows either.
  const mayBeDerived = dataRows.filter(
    (row) => DERIVED_LABEL.test(labelOf(row)) || (row === suspectedTotal && isUnnamed(table, row)),
  )
  const rowsOfAll = dataRows.filter((row) => LABEL_OF_ALL.test(labelOf(row)))
  const others = dataRows.filter((row) => !mayBeDerived.includes(row) && !rowsOfAll.includes(row))
  const derived = [...mayBeDerived, ...rowsOfAll.filter((row) => isSumOrMean(table, row, others))]
  const items = derived.length < dataRows.length ? dataRows.filter((row) => !derived.includes(row)) : dataRows
  const ownTotals = derived.filter(
    (row) => row === dataRows.at(-1) && !DERIVED_LABEL.test(labelOf(row)) && !MEAN_LABEL.test(labelOf(row)),
  )
  const totals = items === dataRows ? sums : [...sums, ...ownTotals]
  const unclear = new Set(
    items.filter(
      (row) => row === suspectedTotal || rowsOfAll.includes(row) || MAY_BE_TOTAL.test(labelOf(row)),
    ),
  )
  const columns = table.headers.map((header) => columnOf(table, items, header))
  const ends = endsIn(columns, items)
  return { rows: items, totals, unclear, all: columns, ...(ends && { ends }) }
}

const labelOf = ({ cells: [first] }: Row): string => first?.text.trim() ?? ''

const DERIVED_LABEL = /^(?:sub-?totals?|zwischensumme|sous-total|of which|thereof|davon|dont)(?![\p{L}])/iu
// A label that begins like this may be that of a sum ("Total North") or a name ("Total SE").
const MAY_BE_TOTAL = /^(?:(?:grand )?totale?s?|gesamt|summe|somme|suma)(?![\p{L}])/iu
// The label of a mean. It may also be the name of a data row: a site may be called Media.
const MEAN_LABEL = /^(?:average|mean|median|durchschnitt|mittelwert|moyenne|promedio|media)\s*(?:[:(].*)?$/iu
// The label of a mean or of a sum of all rows.
const LABEL_OF_ALL =
  /^(?:average|mean|median|durchschnitt|mittelwert|moyenne|promedio|media)\s*(?:[:(].*)?$|^(?:all|overall|alle|gesamt\p{L}*|insgesamt|tous|toutes|ensemble|tod[oa]s)(?![\p{L}])/iu
// With fewer rows, the last row may be their sum by chance.
const MIN_SUMMANDS = 3

const isUnnamed = <R extends Row>({ headers: [first] }: Table<R>, { cells }: R): boolean =>
  /^[-–—]?$/.test(cells.find(({ header }) => header === first)?.text.trim() ?? '')

/** Whether the last row is the sum of the others in each column of numbers. */
function isSumOfOthers<R extends Row>(table: Table<R>, rows: readonly R[]): boolean {
  const [last, others] = [rows.at(-1), rows.slice(0, -1)]
  if (!last || others.length < MIN_SUMMANDS) return false
  const headers = table.headers.filter((header) => isNumber(table.value(last, header)))
  return (
    headers.some((header) => !isZero(table.value(last, header))) &&
    headers.every((header) => amountIn(table, last, header).eq(sumOf(table, others, header)))
  )
}

/** Whether a row is the sum or the mean of the others in at least one column. Percentages in a row of sums are means. */
const isSumOrMean = <R extends Row>(table: Table<R>, row: R, others: readonly R[]): boolean =>
  others.length > 1 &&
  table.headers
    .filter((header) => isNumber(table.value(row, header)) && !isZero(table.value(row, header)))
    .some((header) => {
      const [amount, sum] = [amountIn(table, row, header), sumOf(table, others, header)]
      return amount.eq(sum) || amount.eq(sum.div(others.length).toDecimalPlaces(amount.decimalPlaces()))
    })

function amountIn<R extends Row>(table: Table<R>, row: R, header: string): Decimal {
  const value = table.value(row, header)
  return value?.kind === 'number' ? value.amount : new Decimal(0)
}

const sumOf = <R extends Row>(table: Table<R>, rows: readonly R[], header: string): Decimal =>
  rows.reduce((total, row) => total.plus(amountIn(table, row, header)), new Decimal(0))

const isZero = (value: Value | undefined): boolean => value?.kind === 'number' && value.amount.isZero()

const isNumber = (value: Value | undefined): boolean => value?.kind === 'number'

const shareOf = <R>(rows: readonly R[], isCounted: (row: R) => boolean): number =>
  rows.length ? rows.filter(isCounted).length / rows.length : 0

function columnOf<R extends Row>(table: Table<R>, rows: readonly R[], header: string): Column<R> {
  const notation = table.notation(header)
  const text = (row: R): string => row.cells.find((cell) => cell.header === header)?.text.trim() ?? ''
  const cells = rows.map(text)
  const filledCells = cells.filter((cell) => cell !== '' && !EMPTY.test(cell))
  const isYes = yesOrNo(cells)
  const kind = isYes ? 'yes-no' : kindOf(filledCells, notation, header)
  const number = (row: R) => {
    const value = readValue(text(row), notation)
    return value?.kind === 'number' ? value : undefined
  }
  const range = (row: R): Range | undefined => readRange(text(row), notation.decimal)
  const unit =
    rows.map((row) => (kind === 'range' ? range(row)?.unit : number(row)?.unit)).find(Boolean) ??
    table.unit(header)
  return {
    header,
    kind,
    unit: kind === 'number' || kind === 'range' ? unit : '',
    text,
    number,
    when: (row) => intervalsIn(text(row), notation),
    isOfTime:
      kind === 'date' ||
      isMost(filledCells, (cell) => OPEN_END.test(cell) || intervalsIn(cell, notation).length > 0),
    range,
    isYes: (row) => isYes?.(text(row)),
  }
}

/** Whether most cells meet a condition: all but MAX_OTHER_SHARE. */
const isMost = (cells: readonly string[], isMet: (cell: string) => boolean): boolean =>
  cells.length > 0 && shareOf(cells, (cell) => !isMet(cell)) <= MAX_OTHER_SHARE

// Matches "–", "n/a", "k. A." and "tbd".
const EMPTY = /^(?:[-–—?]|n\/?a|k\.\s?a\.|tbd)$/i

function kindOf(filledCells: readonly string[], notation: Notation, header: string): ColumnKind {
  const isKindOfMost = (isOfKind: (cell: string) => boolean): boolean => isMost(filledCells, isOfKind)
  const readCell = (cell: string): Value | undefined => readValue(cell, notation)
  const units = new Set(
    filledCells.map(readCell).map((value) => (value?.kind === 'number' ? value.unit : '')),
  )
  // "6a" and "6b" are not amounts with two units.
  const areUnits = units.size === 1 || [...units].some((unit) => unit === '' || isMeasure(unit))
  const isAmount = (cell: string): boolean => isNumber(readCell(cell)) && areUnits
  if (isKindOfMost((cell) => CODE.test(cell) && placedPeriods(cell).length === 0 && !isAmount(cell)))
    return 'code'
  if (isKindOfMost((cell) => isYear(cell) || isDated(cell, notation) || OPEN_END.test(cell)))
    return filledCells.every(isYear) && AMOUNT_NAMES.test(header) ? 'number' : 'date'
  if (isKindOfMost((cell) => readRange(cell, notation.decimal) !== undefined)) return 'range'
  // "1 January" is not an amount with the unit "January".
  if (
    isKindOfMost(
      (cell) => /\p{L}/u.test(cell) && [...words(cell)].some(({ raw }) => monthNamed(raw) !== undefined),
    )
  )
    return 'text'
  if (isKindOfMost((cell) => isNumber(readValue(cell, notation))))
    return NUMBERING.test(
      header
        .replace(/_/g, ' ')
        .replace(/\([^()]*\)\s*$/, '')
        .replace(PER_UNIT, ''),
    )
      ? 'code'
      : 'number'
  const isMixed = filledCells.filter((cell) => readRange(cell, notation.decimal) !== undefined).length > 1
  return isMixed &&
    isKindOfMost(
      (cell) => readRange(cell, notation.decimal) !== undefined || isNumber(readValue(cell, notation)),
    )
    ? 'range'
    : 'text'
}

const isYear = (cell: string): boolean =>
  /^\d{4}$/.test(cell) && Number(cell) >= YEAR_LIMITS.from && Number(cell) <= YEAR_LIMITS.to

// Names of columns of amounts, for columns in which all numbers look like years.
const AMOUNT_NAMES =
  /price|cost|amount|total|sum|revenue|spend|budget|weight|population|capacity|kg|eur|usd|gbp|[€$£]|preis|kosten|betrag|wert|gewicht|prix|montant|poids|precio|importe|peso/iu

// Words in place of an end date for something that has not ended.
const OPEN_END =
  /^(?:today|now|present|current|ongoing|open(?:[- ]end(?:ed)?)?|to date|heute|jetzt|laufend|offen|aujourd[’']hui|présent|en cours|hoy|actual(?:idad)?|presente|oggi|heden)$/iu
const FOUR_DIGITS = /^\d{4}$/

/** The days of a cell that contains only days. Empty for any other cell. */
export function intervalsIn(cell: string, notation: Notation): readonly Interval[] {
  const value = readValue(cell, notation)
  if (value?.kind === 'date') return [{ from: value.day, to: value.day }]
  if (FOUR_DIGITS.test(cell)) return isYear(cell) ? [intervalOf(cell)] : []
  return intervalsOfCell(cell)
}

/** Whether a cell states exactly one day or period with its year. */
function isDated(cell: string, notation: Notation): boolean {
  const [interval, ...others] = intervalsIn(cell, notation)
  return interval !== undefined && others.length === 0 && !interval.isYearly && !interval.isRange
}

const YES = new Set(
  'yes y true ja j wahr oui o vrai sí si s verdadero sì vero sim verdadeiro tak да'.split(' '),
)
const NO = new Set('no n false nein falsch non faux falso não nie nee нет'.split(' '))
const CHECKED = new Set('✓ ✔ ✔️ ☑ ✅ x ● •'.split(' '))
const CROSSED = new Set('✗ ✘ ✕ ✖ ❌ ☐ - – —'.split(' '))

/** Returns a function that reads the cells of a yes-no column. Undefined for any other column. */
function yesOrNo(cells: readonly string[]): ((cell: string) => boolean | undefined) | undefined {
  const lowerCased = [...new Set(cells.map((cell) => cell.toLowerCase()))].filter(Boolean)
  const statedValues = lowerCased.filter((cell) => !EMPTY.test(cell))
  const isWords = statedValues.length > 0 && statedValues.every((cell) => YES.has(cell) || NO.has(cell))
  // A single letter may also be a code, so a column of letters needs both "y" and "n".
  if (isWords && (statedValues.some((cell) => cell.length > 1) || statedValues.length > 1))
    return (cell) => (YES.has(cell.toLowerCase()) ? true : NO.has(cell.toLowerCase()) ? false : undefined)
  const isMarks =
    lowerCased.some((cell) => CHECKED.has(cell)) &&
    lowerCased.every((cell) => CHECKED.has(cell) || CROSSED.has(cell))
  if (!isMarks) return undefined
  // Beside ticks a cross means no. Without ticks it is the mark of a form and means yes.
  const isCrossNo = lowerCased.some((cell) => cell !== 'x' && CHECKED.has(cell))
  const hasNo = lowerCased.some((cell) => CROSSED.has(cell) || (cell === 'x' && isCrossNo))
  return (cell) => {
    const mark = cell.toLowerCase()
    if (mark === '') return hasNo ? undefined : false
    return !CROSSED.has(mark) && !(mark === 'x' && isCrossNo)
  }
}

const START_NAMES = wholeWords(
  'from|since|over|above|start(?:s|ed|ing)?|begin(?:s|ning)?|began|arriv(?:al|es)|first|in|valid from|min(?:imum)?|von|ab|über|seit|beginn|einzug|anfang|anreise|gültig ab|de|du|depuis|début|entrée|arrivée|desde|inicio|entrada|llegada',
)
const END_NAMES = wholeWords(
  "to|until|till|end(?:s|ed|ing)?|depart(?:ure|s)|leav(?:es|ing)|last|out|through|valid (?:to|until)|max(?:imum)?|bis|ende|auszug|abreise|gültig bis|à|au|fin|sortie|départ|jusqu[’']?(?:à|au)?|a|hasta|salida|partida",
)

/** Whether the name of a column is that of a beginning or an end: "valid until". */
export const isEndName = (name: string): boolean => START_NAMES.test(name) || END_NAMES.test(name)

/** Whether the column states an exclusive lower bound: "over". */
export const isAboveName = (name: string): boolean =>
  /(?<![\p{L}])(?:over|above|über)(?![\p{L}])/iu.test(name)

/**
 * Two neighbouring columns named as a beginning and an end, both with dates or both with numbers. Undefined if there is not one
 * pair.
 */
function endsIn<R extends Row>(
  columns: readonly Column<R>[],
  rows: readonly R[],
): { from: Column<R>; to: Column<R> } | undefined {
  const pairs = columns.flatMap((from, i) => {
    const to = columns[i + 1]
    if (!to) return []
    const [fromName = '', toName = ''] = [from.header, to.header].map((header) => header.replace(/_/g, ' '))
    const areNamed =
      START_NAMES.test(fromName) &&
      !END_NAMES.test(fromName.replace(START_NAMES, '')) &&
      END_NAMES.test(toName)
    const areOfSameKind =
      (from.isOfTime || from.kind === 'number') &&
      ((from.isOfTime ? to.isOfTime : to.kind === from.kind) || rows.every((row) => to.text(row) === ''))
    return areNamed && areOfSameKind ? [{ from, to }] : []
  })
  return pairs.length === 1 ? pairs[0] : undefined
}

/** The time to which a row applies. It has no end if the cell of the end is empty or has a word such as "ongoing". */
export function intervalBetween<R extends Row>(
  ends: { from: Column<R>; to: Column<R> },
  row: R,
): Interval | undefined {
  const [[start], [end]] = [ends.from.when(row), ends.to.when(row)]
  const endText = ends.to.text(row)
  if (!start || (!end && endText !== '' && !OPEN_END.test(endText) && !EMPTY.test(endText))) return undefined
  if (!end) return start.isYearly ? undefined : { from: start.from, to: Number.POSITIVE_INFINITY }
  if (!start.isYearly && !end.isYearly) return { from: start.from, to: end.to, isRange: true }
  if (!start.isYearly || !end.isYearly) return undefined
  // From November to March: the end is in the next year.
  const to = end.to < start.from ? inYear(end, NEXT_YEAR).to : end.to
  return { from: start.from, to, isYearly: true, isRange: true }
}

// Intervals of every year are in the year 2000 (language/intervals.ts).
const NEXT_YEAR = 2001
