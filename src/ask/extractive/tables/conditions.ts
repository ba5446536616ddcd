// Which rows of a table the words of a question mean: what cells say, periods, bounds, ranges and numbers. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import {
  contains,
  dateOf,
  type Interval,
  intervalOf,
  inYear,
  overlaps,
  placedIntervals,
} from '../../../language/intervals.ts'
import { placedPeriods } from '../../../language/periods.ts'
import { fold, words } from '../../../language/words.ts'
import { isSameUnit } from '../../compute/cell-value.ts'
import { intervalBetween, isAboveName, isEndName } from '../../compute/columns.ts'
import { isWithin } from '../../compute/range.ts'
import { isMeasure } from '../../compute/units.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { isColumnOf } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import { isNegated } from '../question.ts'
import { ACTUAL, AGE, NUMERIC, type Relation } from './phrases.ts'
import {
  type Bound,
  type ColumnBound,
  isUnit,
  type Measure,
  type PeriodCondition,
  type TableQuestion,
} from './question.ts'
import {
  amountIn,
  type Cell,
  type Col,
  type Condition,
  has,
  isCovered,
  isWholeCell,
  MAX_CELL_TERMS,
  splitHeader,
  type Terms,
  type Typed,
  type Unclear,
  unitOf,
} from './typed-table.ts'

/** What words say of the rows: unclear where several columns or rows may be meant, undefined where the table does not say it. */
export type Said = [said: string, Condition | 'about' | Unclear | undefined]

/** The rows whose cells say the words; undefined where no cells say them together. */
export function cellConditions(
  { columns, cells }: Typed,
  inCells: readonly Keyword[],
  named: ReadonlyMap<Col, Keyword[]>,
  question: TableQuestion,
  keywords: readonly Keyword[],
): Said[] {
  const byColumn = new Map<Col, Keyword[]>()
  const several: Said[] = []
  for (const keyword of inCells) {
    const holding = [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword)))
    const whole = holding.filter((one) => isWholeCell([one], keyword, keywords))
    const asked = holding.filter(([column]) => named.has(column))
    const shared = holding.filter(([column]) => byColumn.has(column))
    const [one, ...others] = [asked, whole, shared, holding].find(({ length }) => length === 1) ?? []
    if (!one || others.length > 0) several.push([keyword.word, 'unclear'])
    else byColumn.set(one[0], [...(byColumn.get(one[0]) ?? []), keyword])
  }
  const saidOf = (all: readonly Keyword[]): string => all.map(({ word }) => word).join(' ')
  return [...several, ...[...byColumn].map(([column, all]): Said => [saidOf(all), sayingIn(column, all)])]

  function sayingIn(column: Col, words: readonly Keyword[]): Condition | Unclear | undefined {
    const isNot = words.some(({ word }) => question.negated.has(word))
    const all = cells.get(column) ?? []
    if (
      isNot &&
      words.length > 1 &&
      !words.every(({ word }) => question.negated.has(word)) &&
      question.mayBeEither
    )
      return 'unclear'
    // "Not paid" does not say that it is paid.
    const denying = all.filter(({ text, terms }) => isNegated(text) && words.some((word) => has(terms, word)))
    if (isNot && (denying.length > 0 || columns.rows.some((row) => column.text(row) === ''))) return 'unclear'
    const open = all.filter((cell) => !denying.includes(cell))
    const matching = cellsWith(open, words, keywords, question.mayBeEither)
    if (!matching) return undefined
    if (matching === 'unclear') return 'unclear'
    // "Cannot be used" does not deny "withdrawn from use": a cell is denied only by words that are all that it says.
    if (isNot && !matching.every(({ terms }) => isCovered(terms, words))) return 'unclear'
    const rows = matching.flatMap((cell) => cell.rows)
    const meant = isNot ? columns.rows.filter((row) => !rows.includes(row)) : rows
    const label = matching
      .slice(0, MAX_VALUES)
      .map(({ text }) => text)
      .join(', ')
    return {
      column,
      rows: new Set(meant),
      label: `${column.header}${isNot ? ' ≠' : ':'} ${label}${matching.length > MAX_VALUES ? ', …' : ''}`,
    }
  }
}

/**
 * Words without a meaning of their own may be what a cell says: "in IT", "how many are off". With capitals they are that cell or
 * the question is not understood; small ones are unclear.
 */
export function littleWordConditions(
  { columns, cells, asked }: Typed,
  { rest }: TableQuestion,
  keywords: readonly Keyword[],
): Said[] {
  const meant = new Set(keywords.flatMap(({ word }) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]))
  const terms = new Set(keywords.map(({ forms }) => forms.get(asked)))
  const little = [...words(rest)].map(({ raw }) => raw).filter((raw) => !meant.has(raw))
  return little.flatMap((raw): Said[] => {
    // What may be mistyped is left out of the keywords, but not of what is asked.
    if (raw !== 'a' && contentTerms(raw, asked).some((term) => !terms.has(term))) return [[raw, undefined]]
    const isAcronym = /^\p{Lu}{2,}$/u.test(raw) && /\p{Ll}/u.test(rest)
    const isSaid = (text: string): boolean =>
      isAcronym ? [...words(text)].some((one) => one.raw === raw) : text.toLowerCase() === raw.toLowerCase()
    const saying = [...cells].flatMap(([column, all]) => {
      const own = all.filter(({ text }) => isSaid(text))
      return own.length > 0 ? [{ column, own }] : []
    })
    const isNamed = columns.all.some(({ header }) => [...words(header)].some((one) => one.raw === raw))
    const [one, ...others] = saying
    if (!one) return isAcronym && !isNamed ? [[raw, undefined]] : []
    if (others.length > 0 || !isAcronym) return [[raw, 'unclear']]
    const label = `${one.column.header}: ${one.own.map(({ text }) => text).join(', ')}`
    return [[raw, { column: one.column, rows: new Set(one.own.flatMap(({ rows }) => rows)), label }]]
  })
}

const MAX_VALUES = 4

const MIN_SAID = 0.5

/** The cells that say all of the words, or each one of them where the question has "or"; whole cells before parts of cells. */
function cellsWith(
  all: readonly Cell[],
  words: readonly Keyword[],
  keywords: readonly Keyword[],
  mayBeEither: boolean,
): Cell[] | Unclear | undefined {
  const withAll = all.filter(({ terms }) => words.every((word) => has(terms, word)))
  if (withAll.length > 0) return certain(withAll, keywords)
  if (!mayBeEither) return undefined
  const each = words.map((word) => all.filter(({ terms }) => has(terms, word)))
  // "Nordic Bikes or Velo Paris": each cell by its own words.
  const whole = all.filter(({ terms }) => isCovered(terms, words))
  const cells = [...new Set(each.flat())]
  return each.every((some) => some.some((cell) => whole.includes(cell)))
    ? whole
    : each.every((some) => some.length === 1 && (some[0] ? sizeOf(some[0]) : 0) <= MAX_CELL_TERMS)
      ? cells
      : 'unclear'
}

const sizeOf = ({ terms: [own] }: Cell): number => own?.terms.size ?? 0

function certain(cells: readonly Cell[], keywords: readonly Keyword[]): Cell[] | Unclear {
  const whole = cells.filter(({ terms }) => isCovered(terms, keywords))
  if (whole.length > 0) return whole
  const saidOf = ({ terms: [own] }: Cell): number =>
    own
      ? [...own.terms].filter((term) => keywords.some(({ forms }) => forms.get(own.language) === term))
          .length / own.terms.size
      : 0
  const isShort = cells.every((cell) => sizeOf(cell) <= MAX_CELL_TERMS)
  return isShort && (cells.length === 1 || cells.every((cell) => saidOf(cell) >= MIN_SAID))
    ? [...cells]
    : 'unclear'
}

/** `about` where the period only says which table it is; undefined where the table says nothing of time. */
export function periodCondition(
  typed: Typed,
  period: PeriodCondition,
  named: Map<Col, Keyword[]>,
  question: TableQuestion,
): Condition | 'about' | Unclear | undefined {
  const { columns, heading, title } = typed
  const isOfIt = period.relation === 'within'
  // "Planned 2027", "Revenue 2023 EUR", "High season (Jul–Aug)".
  const headed = columns.all.filter((column) => isHeaded(column, period.interval, typed))
  // "After 2024" is of a column or a table of 2024 not that one, and which others is not certain.
  if (headed.length > 0 && !isOfIt) return 'unclear'
  if (headed.length > 0) {
    const both = headed.filter((column) => named.has(column))
    const meant = both.length > 0 ? both : headed
    for (const column of [...named.keys()])
      if (both.length > 0 && !both.includes(column) && sharesName(column, both, named)) named.delete(column)
    for (const column of meant) named.set(column, [...(named.get(column) ?? []), YEAR])
    return 'about'
  }
  const terms = textTerms(period.said, 'xx')
  const said = (text: Terms): boolean =>
    text.some((one) => [...terms.terms].every((term) => one.terms.has(term)))
  const isAbout = said(heading) || said(title)
  const times = columns.all.filter(({ isOfTime }) => isOfTime)
  const asked = times.filter((column) => named.has(column))
  const { ends } = columns
  // "Valid" is both "Valid from" and "Valid until".
  const isOfBoth = asked.every((column) => column === ends?.from || column === ends?.to) && asked.length !== 1
  if (ends?.from.isOfTime && isOfBoth) {
    if (!isOfIt) return 'unclear'
    const between = columns.rows.map((row) => intervalBetween(ends, row) ?? [])
    const meant = meantIn(period, between, typed, question)
    if (typeof meant !== 'object') return meant
    return {
      column: ends.from,
      other: ends.to,
      rows: new Set(
        columns.rows.filter((_, i) => [between[i] ?? []].flat().some((one) => overlaps(one, meant))),
      ),
      label: `${ends.from.header}–${ends.to.header}: ${period.written}`,
      isOfTime: true,
    }
  }
  const [column, ...others] = asked.length > 0 ? asked : times
  if (!column && isAbout) return isOfIt ? 'about' : 'unclear'
  if (!column) return isOfIt ? conditionInTexts(typed, period) : undefined
  if (others.length > 0) return 'unclear'
  // What holds until a day holds on others, too.
  if (isOfIt && isDay(period.interval) && isEndName(splitHeader(column.header))) return 'unclear'
  const cells = columns.rows.map((row) => column.when(row))
  if (columns.rows.some((row, i) => column.text(row) !== '' && cells[i]?.length === 0)) return 'unclear'
  const meant = meantIn(period, cells, typed, question)
  if (typeof meant !== 'object') return meant
  const related = cells.map((own) => own.map((one) => relationTo(one, meant, period.relation)))
  // A sum of weeks that only reach into a month is none of the month.
  if (NUMERIC.has(question.operation) && related.some((own) => own.includes('part'))) return 'unclear'
  const rows = columns.rows.filter((_, i) => related[i]?.some((one) => one !== 'none'))
  if (isAbout && !isOfIt && rows.length === 0) return 'unclear'
  // "The orders of 2026" of a table that is called so.
  if (isAbout && isOfIt) return rows.length === columns.rows.length || rows.length === 0 ? 'about' : 'unclear'
  if (question.operation === 'value' && rows.length === 0) return undefined
  const isOfTime = rows.some((row) => column.when(row).some(({ isRange }) => isRange))
  return { column, rows: new Set(rows), label: `${column.header}: ${period.written}`, isOfTime }
}

/** "Friday 6 July, kitchen": the short cells of one column that say the time beside other words. */
function conditionInTexts(
  { columns, cells }: Typed,
  { interval, written }: PeriodCondition,
): Condition | Unclear | undefined {
  const saying = [...cells].flatMap(([column, all]) => {
    const own = all.filter(
      (cell) =>
        sizeOf(cell) <= MAX_CELL_TERMS && placedIntervals(cell.text).some((one) => isSame(one, interval)),
    )
    return own.length > 0 ? [{ column, own }] : []
  })
  const [one, ...others] = saying
  if (!one) return undefined
  if (others.length > 0 || columns.rows.length < 2) return 'unclear'
  return {
    column: one.column,
    rows: new Set(one.own.flatMap(({ rows }) => rows)),
    label: `${one.column.header}: ${written}`,
  }
}

const isDay = ({ from, to }: Interval): boolean => from === to

/** Whether what a column is called by holds at a time: the same time, or one of every year that has it. */
function isHeaded({ header }: Col, asked: Interval, typed: Typed): boolean {
  return placedIntervals(splitHeader(header)).some((own) => {
    const has = own.isYearly || own.isRange ? contains(own, asked) : isSame(own, asked)
    return (has || (own.isYearly === asked.isYearly && contains(asked, own))) && mayBeOf(own, asked, typed)
  })
}

const isSame = (a: Interval, b: Interval): boolean => contains(a, b) && contains(b, a)

/** Whether a time of every year may be in the year that is asked for: a table that says its year is of no other. */
function mayBeOf(own: Interval, asked: Interval, typed: Typed): boolean {
  if (!own.isYearly || asked.isYearly) return true
  const years = yearsOfTable(typed)
  return years.length === 0 || years.some((year) => overlaps(intervalOf(year), asked))
}

const yearsOfTable = ({ about }: Typed): string[] => [
  ...new Set(placedPeriods(about).map(({ period }) => period.slice(0, 4))),
]

/** The interval that is asked for, in the year of the rows; undefined or unclear where that cannot be told. */
function meantIn(
  { interval, relation }: PeriodCondition,
  cells: readonly (Interval | readonly Interval[])[],
  typed: Typed,
  { today }: TableQuestion,
): Interval | Unclear | undefined {
  const all = cells.flat()
  const isYearly = all.some((one) => one.isYearly)
  if (isYearly && all.some((one) => !one.isYearly)) return 'unclear'
  if (isYearly && !interval.isYearly) {
    const years = yearsOfTable(typed)
    // Seasons are of every year, days of a year that is not said may be of another one.
    if (years.length === 0) return all.every((one) => one.isRange) ? interval : 'unclear'
    return years.some((year) => overlaps(intervalOf(year), interval)) ? interval : undefined
  }
  if (isYearly || !interval.isYearly) return isYearly && relation !== 'within' ? 'unclear' : interval
  const ends = all.flatMap(({ from, to }) => [from, to].filter(Number.isFinite))
  const years = new Set(ends.map((day) => dateOf(day).getUTCFullYear()))
  const placed = [...years].map((year) => inYear(interval, year))
  if (relation !== 'within') return placed.length === 1 ? placed[0] : 'unclear'
  const matching = placed.filter((one) => all.some((own) => overlaps(own, one)))
  if (matching.length < 2) return matching[0] ?? placed[0]
  // Of a day the nearest year is meant; of a month of several years any of them may be.
  if (!isDay(interval) || today === undefined) return 'unclear'
  return matching.sort((a, b) => Math.abs(a.from - today) - Math.abs(b.from - today))[0]
}

/** How the days of a row are to those asked for: `part` where some of them are others. */
function relationTo(own: Interval, asked: Interval, relation: Relation): 'all' | 'part' | 'none' {
  const holds = (is: boolean): 'all' | 'none' => (is ? 'all' : 'none')
  if (relation === 'from') return holds(own.from >= asked.from)
  if (relation === 'until') return holds(own.to <= asked.to)
  if (relation === 'before') return holds(own.to < asked.from)
  if (relation === 'after') return holds(own.from > asked.to)
  if (contains(asked, own)) return 'all'
  // A row of a whole year says nothing of its May, one of a season does.
  const isOfAny = own.isYearly || own.isRange
  if (isOfAny && contains(own, asked)) return 'all'
  return isOfAny && overlaps(own, asked) ? 'part' : 'none'
}

// A year in the name of a column is a word of it.
const YEAR: Keyword = {
  word: '',
  forms: new Map(),
  synonyms: new Set(),
  weight: 0,
  isGeneric: true,
  isKnown: true,
  isTopic: false,
  pairs: [],
}

const sharesName = (column: Col, others: readonly Col[], named: ReadonlyMap<Col, Keyword[]>): boolean =>
  others.some((other) => (named.get(column) ?? []).some((keyword) => named.get(other)?.includes(keyword)))

export function boundCondition(
  { columns, names }: Typed,
  { is, amount, column: about, type, word, said }: Bound,
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const name = (column: Col): string => splitHeader(column.header)
  const numbers = columns.all.filter(({ kind }) => kind === 'number')
  const fitting = numbers.filter(
    (column) =>
      (!about || about.test(`${name(column)} ${column.unit}`)) &&
      (!type || isColumnOf(type, name(column)) || isColumnOf(type, column.unit)) &&
      (!amount.unit ||
        isSameUnit(amount.unit, column.unit) ||
        (column.unit === '' && isColumnOf('money', name(column)) === /[€$£¥]/.test(amount.unit))),
  )
  const ofUnit = word
    ? fitting.filter(
        (column) =>
          isSameUnit(word, column.unit) ||
          (isMeasure(word) && amountIn(amount.amount, word, unitOf(column)) !== undefined) ||
          (names.get(column)?.some(({ terms }) => terms.has(fold(word))) ?? false),
      )
    : []
  const asked = fitting.filter((column) => named.has(column))
  const ages =
    word === '' && amount.unit === '' ? fitting.filter(({ header }) => AGE.test(splitHeader(header))) : []
  const [column, ...others] = [asked, ofUnit, ages, fitting].find(({ length }) => length > 0) ?? []
  // Without a word for it, any column of numbers could be meant; of people "over 40" is their age.
  const isAge = column !== undefined && word === '' && AGE.test(splitHeader(column.header))
  const isNamed = column && (asked.length > 0 || ofUnit.length > 0 || about || type || amount.unit || isAge)
  if (!column || !isNamed) return undefined
  if (others.length > 0) return 'unclear'
  if (columns.rows.some((row) => column.text(row) !== '' && !column.number(row))) return 'unclear'
  const unit = isUnit(word) ? word : ''
  const limits = columns.rows.map((row) => {
    const own = column.number(row)?.unit || unitOf(column)
    // A column of money may leave its currency out.
    return amountIn(amount.amount, unit || (own === '' ? '' : amount.unit), own)
  })
  const isOneUnit = new Set(columns.rows.flatMap((row) => column.number(row)?.unit || [])).size <= 1
  if (limits.includes(undefined) || (!isOneUnit && unit === '' && amount.unit === '')) return 'unclear'
  const rows = columns.rows.filter((row, i) => {
    const value = column.number(row)
    const limit = limits[i]
    if (!value || !limit) return false
    const order = value.amount.cmp(limit)
    return (
      { more: order > 0, less: order < 0, at_least: order >= 0, at_most: order <= 0, equal: order === 0 }[
        is as 'more'
      ] === true
    )
  })
  return { column, rows: new Set(rows), label: `${column.header}: ${said}` }
}

/** "Below the minimum stock": the column that is named, or the only one that can be compared, is compared with it in each row. */
export function columnCondition(
  { columns }: Typed,
  { is, header, said }: ColumnBound,
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const bound = columns.all.find((column) => column.header === header)
  if (!bound || (bound.kind !== 'number' && bound.kind !== 'date')) return undefined
  const isComparable = (column: Col): boolean =>
    column !== bound &&
    column.kind === bound.kind &&
    (bound.unit === '' || column.unit === '' || isSameUnit(bound.unit, column.unit)) &&
    !isMeasureBeside(column, bound)
  const comparable = columns.all.filter(isComparable)
  const asked = comparable.filter((column) => named.has(column))
  const actual = comparable.filter((column) => ACTUAL.test(splitHeader(column.header)))
  const [column, ...others] =
    [asked, comparable.length > 1 ? actual : [], comparable].find(({ length }) => length > 0) ?? []
  if (!column || others.length > 0) return 'unclear'
  const orders = columns.rows.map((row) => orderOf(row, column, bound))
  // A day that is missing may be late; an amount that is missing is no bound.
  if (bound.kind === 'date' && orders.includes(undefined)) return 'unclear'
  const isUnreadable = (row: PassageRow, one: Col): boolean =>
    one.text(row) !== '' && one.number(row) === undefined
  if (
    bound.kind === 'number' &&
    columns.rows.some((row) => isUnreadable(row, column) || isUnreadable(row, bound))
  )
    return 'unclear'
  const holdsFor = (order: number): boolean =>
    ({ more: order > 0, less: order < 0, at_least: order >= 0, at_most: order <= 0 })[is as 'more'] === true
  const rows = columns.rows.filter((_, i) => {
    const order = orders[i]
    return order !== undefined && holdsFor(order)
  })
  return { column, other: bound, rows: new Set(rows), label: `${column.header}: ${said} (${bound.header})` }
}

/** A weight of a piece is not compared with a number of pieces. */
const isMeasureBeside = (column: Col, bound: Col): boolean =>
  isMeasure(unitOf(column)) !== isMeasure(unitOf(bound))

function orderOf(row: PassageRow, column: Col, bound: Col): number | undefined {
  if (bound.kind === 'date') {
    const [[own], [other]] = [column.when(row), bound.when(row)]
    return own && other && isDay(own) && isDay(other) ? own.from - other.from : undefined
  }
  const [own, other] = [column.number(row), bound.number(row)]
  return own && other ? own.amount.cmp(other.amount) : undefined
}

/** "A parcel of 4 kg": the row whose range has it, or whose number it is. */
export function numberCondition(
  { columns }: Typed,
  { amount, unit, said }: Measure & { said: string },
  units: readonly Keyword[],
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const isOfUnit = (column: Col): boolean =>
    units.length === 0 ||
    units.some(({ word }) => isSameUnit(word, column.unit) || isSameUnit(word, splitHeader(column.header)))
  const ranges = columns.all.filter((column) => column.kind === 'range' && isOfUnit(column))
  const { ends } = columns
  if (ends?.from.kind === 'number' && ranges.length === 0) {
    if (!isOfUnit(ends.from)) return undefined
    const matches = columns.rows.map((row) => {
      const [from, to] = [ends.from.number(row), ends.to.number(row)]
      const least = amountIn(amount, unit, from?.unit || unitOf(ends.from))
      const most = amountIn(amount, unit, to?.unit || unitOf(ends.to) || unitOf(ends.from))
      if (!from || !least || !most) return undefined
      const isAbove = isAboveName(ends.from.header) ? from.amount.lt(least) : from.amount.lte(least)
      return isAbove && (to ? to.amount.gte(most) : ends.to.text(row) === '')
    })
    return condition(ends.from, `${ends.from.header}–${ends.to.header}`, matches)
  }
  const [range, ...others] = ranges
  if (range && others.length === 0) {
    const unitIn = (row: PassageRow): string => (range.range(row) ?? range.number(row))?.unit || unitOf(range)
    const isOneUnit = new Set(columns.rows.map(unitIn)).size === 1
    if (unit === '' && !isOneUnit) return 'unclear'
    const matches = columns.rows.map((row) => {
      const own = amountIn(amount, unit, unitIn(row))
      if (range.text(row) === '') return false
      const said = range.range(row)
      return own && (said ? isWithin(said, own.toNumber()) : range.number(row)?.amount.eq(own))
    })
    const within = columns.rows.filter((_, i) => matches[i])
    // "Up to 2 kg", "up to 5 kg": the narrowest class that has it.
    const isOpen = within.every((row) => range.range(row)?.from === Number.NEGATIVE_INFINITY)
    const ends = within.map((row) => {
      const end = range.range(row)?.to ?? Number.POSITIVE_INFINITY
      // By the same amount in the unit of each row.
      return end / (amountIn(amount, unit, unitIn(row))?.toNumber() || 1)
    })
    const least = Math.min(...ends)
    const narrowest = new Set(isOpen ? within.filter((_, i) => ends[i] === least) : within)
    return condition(
      range,
      '',
      matches.map((matching, i) => {
        const row = columns.rows[i]
        return matching === undefined ? undefined : row !== undefined && narrowest.has(row)
      }),
    )
  }
  const numbers = columns.all.filter(
    (column) =>
      column.kind === 'number' &&
      (named.has(column) ||
        (units.length > 0 && isOfUnit(column)) ||
        (unit !== '' && amountIn(amount, unit, unitOf(column)) !== undefined)),
  )
  const [column, ...more] = numbers
  if (!column) return undefined
  if (more.length > 0) return 'unclear'
  return condition(
    column,
    column.header,
    columns.rows.map((row) => {
      const value = column.number(row)
      if (!value) return false
      const own = amountIn(amount, unit, value.unit || unitOf(column))
      return own && value.amount.eq(own)
    }),
  )

  /** Undefined where a row cannot be compared, or none is meant. */
  function condition(
    of: Col,
    name: string,
    matches: readonly (boolean | undefined)[],
  ): Condition | undefined {
    const rows = columns.rows.filter((_, i) => matches[i])
    const [first] = rows
    if (!first || matches.includes(undefined)) return undefined
    const label = name ? `${name}: ${said}` : `${of.header}: ${of.text(first)}`
    return { column: of, rows: new Set(rows), label }
  }
}
