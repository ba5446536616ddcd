// Which rows of a table a question asks for, by the words in cells, and by periods, bounds, ranges and numbers. Pure.

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

/**
 * Words of the question with the condition that they set for the rows. It is `unclear` if several columns or rows may be meant, and
 * undefined if the table does not contain the words.
 */
export type WordsWithCondition = [said: string, Condition | 'about' | Unclear | undefined]

/** For each column the condition that its cells contain the words. Undefined if no cell of the column contains all of them. */
export function cellConditions(
  { columns, cells }: Typed,
  inCells: readonly Keyword[],
  named: ReadonlyMap<Col, Keyword[]>,
  { question, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
): WordsWithCondition[] {
  const byColumn = new Map<Col, Keyword[]>()
  const unclearWords: WordsWithCondition[] = []
  for (const keyword of inCells) {
    const columnsWithWord = [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword)))
    const columnsWithWholeCell = columnsWithWord.filter((one) => isWholeCell([one], keyword, keywords))
    const namedColumns = columnsWithWord.filter(([column]) => named.has(column))
    const columnsOfOtherWords = columnsWithWord.filter(([column]) => byColumn.has(column))
    const [one, ...others] =
      [namedColumns, columnsWithWholeCell, columnsOfOtherWords, columnsWithWord].find(
        ({ length }) => length === 1,
      ) ?? []
    if (!one || others.length > 0) unclearWords.push([keyword.word, 'unclear'])
    else byColumn.set(one[0], [...(byColumn.get(one[0]) ?? []), keyword])
  }
  const textOf = (all: readonly Keyword[]): string => all.map(({ word }) => word).join(' ')
  return [
    ...unclearWords,
    ...[...byColumn].map(([column, all]): WordsWithCondition => [textOf(all), conditionIn(column, all)]),
  ]

  function conditionIn(column: Col, words: readonly Keyword[]): Condition | Unclear | undefined {
    const isNegatedCondition = words.some(({ word }) => question.negated.has(word))
    const all = cells.get(column) ?? []
    if (
      isNegatedCondition &&
      words.length > 1 &&
      !words.every(({ word }) => question.negated.has(word)) &&
      question.mayBeEither
    )
      return 'unclear'
    // A cell "not paid" contains "paid", but does not mean it.
    const denyingCells = all.filter(
      ({ text, terms }) => isNegated(text) && words.some((word) => has(terms, word)),
    )
    if (
      isNegatedCondition &&
      (denyingCells.length > 0 || columns.rows.some((row) => column.text(row) === ''))
    )
      return 'unclear'
    const otherCells = all.filter((cell) => !denyingCells.includes(cell))
    const matching = cellsWithWords(otherCells, words, keywords, question.mayBeEither)
    if (!matching) return undefined
    if (matching === 'unclear') return 'unclear'
    // "Cannot be used" does not negate "withdrawn from use". Words negate a cell only if they are all words of the cell.
    if (isNegatedCondition && !matching.every(({ terms }) => isCovered(terms, words))) return 'unclear'
    const rows = matching.flatMap((cell) => cell.rows)
    const selectedRows = isNegatedCondition ? columns.rows.filter((row) => !rows.includes(row)) : rows
    const label = matching
      .slice(0, MAX_CELLS_IN_LABEL)
      .map(({ text }) => text)
      .join(', ')
    return {
      column,
      rows: new Set(selectedRows),
      label: `${column.header}${isNegatedCondition ? ' ≠' : ':'} ${label}${matching.length > MAX_CELLS_IN_LABEL ? ', …' : ''}`,
    }
  }
}

/**
 * Words that are no keywords may be the text of a cell: "in IT", "how many are off". An acronym must be the text of a cell, else the
 * question is not understood. Other such words are unclear if a cell consists of them.
 */
export function littleWordConditions(
  { columns, cells, asked }: Typed,
  { rest }: TableQuestion,
  keywords: readonly Keyword[],
): WordsWithCondition[] {
  const keywordParts = new Set(keywords.flatMap(({ word }) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]))
  const terms = new Set(keywords.map(({ forms }) => forms.get(asked)))
  const otherWords = [...words(rest)].map(({ raw }) => raw).filter((raw) => !keywordParts.has(raw))
  return otherWords.flatMap((raw): WordsWithCondition[] => {
    // A word that may be mistyped is not among the keywords, but the question still asks for it.
    if (raw !== 'a' && contentTerms(raw, asked).some((term) => !terms.has(term))) return [[raw, undefined]]
    const isAcronym = /^\p{Lu}{2,}$/u.test(raw) && /\p{Ll}/u.test(rest)
    const isWord = (text: string): boolean =>
      isAcronym ? [...words(text)].some((one) => one.raw === raw) : text.toLowerCase() === raw.toLowerCase()
    const columnsWithWord = [...cells].flatMap(([column, all]) => {
      const cellsWithWord = all.filter(({ text }) => isWord(text))
      return cellsWithWord.length > 0 ? [{ column, own: cellsWithWord }] : []
    })
    const isInHeader = columns.all.some(({ header }) => [...words(header)].some((one) => one.raw === raw))
    const [one, ...others] = columnsWithWord
    if (!one) return isAcronym && !isInHeader ? [[raw, undefined]] : []
    if (others.length > 0 || !isAcronym) return [[raw, 'unclear']]
    const label = `${one.column.header}: ${one.own.map(({ text }) => text).join(', ')}`
    return [[raw, { column: one.column, rows: new Set(one.own.flatMap(({ rows }) => rows)), label }]]
  })
}

const MAX_CELLS_IN_LABEL = 4

const MIN_NAMED_SHARE = 0.5

/** The cells that contain all words, or at least one of them if the question has "or". Whole cells come before parts of cells. */
function cellsWithWords(
  all: readonly Cell[],
  words: readonly Keyword[],
  keywords: readonly Keyword[],
  mayBeEither: boolean,
): Cell[] | Unclear | undefined {
  const cellsWithAll = all.filter(({ terms }) => words.every((word) => has(terms, word)))
  if (cellsWithAll.length > 0) return certainCells(cellsWithAll, keywords)
  if (!mayBeEither) return undefined
  const cellsByWord = words.map((word) => all.filter(({ terms }) => has(terms, word)))
  // "Nordic Bikes or Velo Paris": each cell consists of some of the words.
  const wholeCells = all.filter(({ terms }) => isCovered(terms, words))
  const cellsWithAny = [...new Set(cellsByWord.flat())]
  return cellsByWord.every((some) => some.some((cell) => wholeCells.includes(cell)))
    ? wholeCells
    : cellsByWord.every((some) => some.length === 1 && (some[0] ? termCount(some[0]) : 0) <= MAX_CELL_TERMS)
      ? cellsWithAny
      : 'unclear'
}

const termCount = ({ terms: [own] }: Cell): number => own?.terms.size ?? 0

function certainCells(cells: readonly Cell[], keywords: readonly Keyword[]): Cell[] | Unclear {
  const wholeCells = cells.filter(({ terms }) => isCovered(terms, keywords))
  if (wholeCells.length > 0) return wholeCells
  const namedShareOf = ({ terms: [own] }: Cell): number =>
    own
      ? [...own.terms].filter((term) => keywords.some(({ forms }) => forms.get(own.language) === term))
          .length / own.terms.size
      : 0
  const isShort = cells.every((cell) => termCount(cell) <= MAX_CELL_TERMS)
  return isShort && (cells.length === 1 || cells.every((cell) => namedShareOf(cell) >= MIN_NAMED_SHARE))
    ? [...cells]
    : 'unclear'
}

/**
 * The condition that a period sets. It is `about` if the period only names the table or a column, and undefined if the table contains
 * no time.
 */
export function periodCondition(
  typed: Typed,
  period: PeriodCondition,
  named: Map<Col, Keyword[]>,
  question: TableQuestion,
): Condition | 'about' | Unclear | undefined {
  const { columns, heading, title } = typed
  const isInPeriod = period.relation === 'within'
  // "Planned 2027", "Revenue 2023 EUR", "High season (Jul–Aug)".
  const headedColumns = columns.all.filter((column) => isHeaded(column, period.interval, typed))
  // "After 2024" excludes a column of 2024, but it is unclear which other columns are meant.
  if (headedColumns.length > 0 && !isInPeriod) return 'unclear'
  if (headedColumns.length > 0) {
    const headedAndNamed = headedColumns.filter((column) => named.has(column))
    const meantColumns = headedAndNamed.length > 0 ? headedAndNamed : headedColumns
    for (const column of [...named.keys()])
      if (
        headedAndNamed.length > 0 &&
        !headedAndNamed.includes(column) &&
        sharesName(column, headedAndNamed, named)
      )
        named.delete(column)
    for (const column of meantColumns) named.set(column, [...(named.get(column) ?? []), YEAR_KEYWORD])
    return 'about'
  }
  const terms = textTerms(period.said, 'xx')
  const containsPeriod = (text: Terms): boolean =>
    text.some((one) => [...terms.terms].every((term) => one.terms.has(term)))
  const isAboutPeriod = containsPeriod(heading) || containsPeriod(title)
  const timeColumns = columns.all.filter(({ isOfTime }) => isOfTime)
  const namedTimeColumns = timeColumns.filter((column) => named.has(column))
  const { ends } = columns
  // "Valid" is both "Valid from" and "Valid until".
  const meansBothEnds =
    namedTimeColumns.every((column) => column === ends?.from || column === ends?.to) &&
    namedTimeColumns.length !== 1
  if (ends?.from.isOfTime && meansBothEnds) {
    if (!isInPeriod) return 'unclear'
    const intervals = columns.rows.map((row) => intervalBetween(ends, row) ?? [])
    const askedInterval = intervalForRows(period, intervals, typed, question)
    if (typeof askedInterval !== 'object') return askedInterval
    return {
      column: ends.from,
      other: ends.to,
      rows: new Set(
        columns.rows.filter((_, i) =>
          [intervals[i] ?? []].flat().some((one) => overlaps(one, askedInterval)),
        ),
      ),
      label: `${ends.from.header}–${ends.to.header}: ${period.written}`,
      isOfTime: true,
    }
  }
  const [column, ...others] = namedTimeColumns.length > 0 ? namedTimeColumns : timeColumns
  if (!column && isAboutPeriod) return isInPeriod ? 'about' : 'unclear'
  if (!column) return isInPeriod ? conditionInTexts(typed, period) : undefined
  if (others.length > 0) return 'unclear'
  // A row that applies until a day also applies on other days.
  if (isInPeriod && isDay(period.interval) && isEndName(splitHeader(column.header))) return 'unclear'
  const cellIntervals = columns.rows.map((row) => column.when(row))
  if (columns.rows.some((row, i) => column.text(row) !== '' && cellIntervals[i]?.length === 0))
    return 'unclear'
  const askedInterval = intervalForRows(period, cellIntervals, typed, question)
  if (typeof askedInterval !== 'object') return askedInterval
  const relations = cellIntervals.map((own) =>
    own.map((one) => relationTo(one, askedInterval, period.relation)),
  )
  // A sum of weeks that only partly belong to a month is not the sum of the month.
  if (NUMERIC.has(question.operation) && relations.some((own) => own.includes('part'))) return 'unclear'
  const rows = columns.rows.filter((_, i) => relations[i]?.some((one) => one !== 'none'))
  if (isAboutPeriod && !isInPeriod && rows.length === 0) return 'unclear'
  // "The orders of 2026" may be the name of the table.
  if (isAboutPeriod && isInPeriod)
    return rows.length === columns.rows.length || rows.length === 0 ? 'about' : 'unclear'
  if (question.operation === 'value' && rows.length === 0) return undefined
  const hasIntervals = rows.some((row) => column.when(row).some(({ isRange }) => isRange))
  return { column, rows: new Set(rows), label: `${column.header}: ${period.written}`, isOfTime: hasIntervals }
}

/** "Friday 6 July, kitchen": the short cells of one column that contain the period beside other words. */
function conditionInTexts(
  { columns, cells }: Typed,
  { interval, written }: PeriodCondition,
): Condition | Unclear | undefined {
  const columnsWithWord = [...cells].flatMap(([column, all]) => {
    const cellsWithPeriod = all.filter(
      (cell) =>
        termCount(cell) <= MAX_CELL_TERMS &&
        placedIntervals(cell.text).some((one) => isSameInterval(one, interval)),
    )
    return cellsWithPeriod.length > 0 ? [{ column, own: cellsWithPeriod }] : []
  })
  const [one, ...others] = columnsWithWord
  if (!one) return undefined
  if (others.length > 0 || columns.rows.length < 2) return 'unclear'
  return {
    column: one.column,
    rows: new Set(one.own.flatMap(({ rows }) => rows)),
    label: `${one.column.header}: ${written}`,
  }
}

const isDay = ({ from, to }: Interval): boolean => from === to

/** Whether the header of a column contains the period: the same one, or one that includes it or is included in it. */
function isHeaded({ header }: Col, asked: Interval, typed: Typed): boolean {
  return placedIntervals(splitHeader(header)).some((headerInterval) => {
    const isContained =
      headerInterval.isYearly || headerInterval.isRange
        ? contains(headerInterval, asked)
        : isSameInterval(headerInterval, asked)
    return (
      (isContained || (headerInterval.isYearly === asked.isYearly && contains(asked, headerInterval))) &&
      mayBeInYear(headerInterval, asked, typed)
    )
  })
}

const isSameInterval = (a: Interval, b: Interval): boolean => contains(a, b) && contains(b, a)

/** Whether a yearly interval may be in the year of the question. If the table names its years, the year must be one of them. */
function mayBeInYear(interval: Interval, asked: Interval, typed: Typed): boolean {
  if (!interval.isYearly || asked.isYearly) return true
  const years = yearsOfTable(typed)
  return years.length === 0 || years.some((year) => overlaps(intervalOf(year), asked))
}

const yearsOfTable = ({ about }: Typed): string[] => [
  ...new Set(placedPeriods(about).map(({ period }) => period.slice(0, 4))),
]

/**
 * The interval of the question, in the year of the rows. It is `unclear` if the year is not certain, and undefined if the table is about
 * another year.
 */
function intervalForRows(
  { interval, relation }: PeriodCondition,
  cells: readonly (Interval | readonly Interval[])[],
  typed: Typed,
  { today }: TableQuestion,
): Interval | Unclear | undefined {
  const cellIntervals = cells.flat()
  const isYearly = cellIntervals.some((one) => one.isYearly)
  if (isYearly && cellIntervals.some((one) => !one.isYearly)) return 'unclear'
  if (isYearly && !interval.isYearly) {
    const years = yearsOfTable(typed)
    // Ranges without a year, such as seasons, are of every year. Single days without a year may be of another year.
    if (years.length === 0) return cellIntervals.every((one) => one.isRange) ? interval : 'unclear'
    return years.some((year) => overlaps(intervalOf(year), interval)) ? interval : undefined
  }
  if (isYearly || !interval.isYearly) return isYearly && relation !== 'within' ? 'unclear' : interval
  const days = cellIntervals.flatMap(({ from, to }) => [from, to].filter(Number.isFinite))
  const years = new Set(days.map((day) => dateOf(day).getUTCFullYear()))
  const intervalsByYear = [...years].map((year) => inYear(interval, year))
  if (relation !== 'within') return intervalsByYear.length === 1 ? intervalsByYear[0] : 'unclear'
  const matching = intervalsByYear.filter((one) => cellIntervals.some((own) => overlaps(own, one)))
  if (matching.length < 2) return matching[0] ?? intervalsByYear[0]
  // A day without a year is the one nearest to today. A month may be that of any of the years.
  if (!isDay(interval) || today === undefined) return 'unclear'
  return matching.sort((a, b) => Math.abs(a.from - today) - Math.abs(b.from - today))[0]
}

/** How many days of a row meet the condition. */
function relationTo(own: Interval, asked: Interval, relation: Relation): 'all' | 'part' | 'none' {
  const allIf = (is: boolean): 'all' | 'none' => (is ? 'all' : 'none')
  if (relation === 'from') return allIf(own.from >= asked.from)
  if (relation === 'until') return allIf(own.to <= asked.to)
  if (relation === 'before') return allIf(own.to < asked.from)
  if (relation === 'after') return allIf(own.from > asked.to)
  if (contains(asked, own)) return 'all'
  // A row for a whole year says nothing about May of that year. A row for a range or a season holds for all of its days.
  const isOfAny = own.isYearly || own.isRange
  if (isOfAny && contains(own, asked)) return 'all'
  return isOfAny && overlaps(own, asked) ? 'part' : 'none'
}

// Stands for a period in the name of a column, which counts as a word of it.
const YEAR_KEYWORD: Keyword = {
  word: '',
  forms: new Map(),
  synonyms: new Set(),
  weight: 0,
  isGeneric: true,
  isKnown: true,
  isInCompound: false,
  isTopic: false,
  pairs: [],
}

const sharesName = (column: Col, others: readonly Col[], named: ReadonlyMap<Col, Keyword[]>): boolean =>
  others.some((other) => (named.get(column) ?? []).some((keyword) => named.get(other)?.includes(keyword)))

export function boundCondition(
  { columns, names }: Typed,
  { is: comparison, amount, column: columnPattern, type, word, said }: Bound,
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const name = (column: Col): string => splitHeader(column.header)
  const numberColumns = columns.all.filter(({ kind }) => kind === 'number')
  const fittingColumns = numberColumns.filter(
    (column) =>
      (!columnPattern || columnPattern.test(`${name(column)} ${column.unit}`)) &&
      (!type || isColumnOf(type, name(column)) || isColumnOf(type, column.unit)) &&
      (!amount.unit ||
        isSameUnit(amount.unit, column.unit) ||
        (column.unit === '' && isColumnOf('money', name(column)) === /[€$£¥]/.test(amount.unit))),
  )
  const columnsOfUnit = word
    ? fittingColumns.filter(
        (column) =>
          isSameUnit(word, column.unit) ||
          (isMeasure(word) && amountIn(amount.amount, word, unitOf(column)) !== undefined) ||
          (names.get(column)?.some(({ terms }) => terms.has(fold(word))) ?? false),
      )
    : []
  const namedColumns = fittingColumns.filter((column) => named.has(column))
  const ageColumns =
    word === '' && amount.unit === ''
      ? fittingColumns.filter(({ header }) => AGE.test(splitHeader(header)))
      : []
  const [column, ...others] =
    [namedColumns, columnsOfUnit, ageColumns, fittingColumns].find(({ length }) => length > 0) ?? []
  // If no word names the column, any column of numbers could be meant. "Over 40" without a unit is about a column of ages.
  const isAge = column !== undefined && word === '' && AGE.test(splitHeader(column.header))
  const isNamed =
    column &&
    (namedColumns.length > 0 || columnsOfUnit.length > 0 || columnPattern || type || amount.unit || isAge)
  if (!column || !isNamed) return undefined
  if (others.length > 0) return 'unclear'
  if (columns.rows.some((row) => column.text(row) !== '' && !column.number(row))) return 'unclear'
  const unit = isUnit(word) ? word : ''
  const limits = columns.rows.map((row) => {
    const cellUnit = column.number(row)?.unit || unitOf(column)
    // A column of money may have no currency.
    return amountIn(amount.amount, unit || (cellUnit === '' ? '' : amount.unit), cellUnit)
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
        comparison as 'more'
      ] === true
    )
  })
  return { column, rows: new Set(rows), label: `${column.header}: ${said}` }
}

/**
 * "Below the minimum stock": in each row the value of a column is compared with that of the column of the bound. It is the column that the
 * question names, or the only comparable one.
 */
export function columnCondition(
  { columns }: Typed,
  { is: comparison, header, said }: ColumnBound,
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
  const namedColumns = comparable.filter((column) => named.has(column))
  const actualColumns = comparable.filter((column) => ACTUAL.test(splitHeader(column.header)))
  const [column, ...others] =
    [namedColumns, comparable.length > 1 ? actualColumns : [], comparable].find(({ length }) => length > 0) ??
    []
  if (!column || others.length > 0) return 'unclear'
  const orders = columns.rows.map((row) => orderOf(row, column, bound))
  // A row without a day may be late, so it is unclear. A row without an amount does not meet the condition.
  if (bound.kind === 'date' && orders.includes(undefined)) return 'unclear'
  const isUnreadable = (row: PassageRow, one: Col): boolean =>
    one.text(row) !== '' && one.number(row) === undefined
  if (
    bound.kind === 'number' &&
    columns.rows.some((row) => isUnreadable(row, column) || isUnreadable(row, bound))
  )
    return 'unclear'
  const holdsFor = (order: number): boolean =>
    ({ more: order > 0, less: order < 0, at_least: order >= 0, at_most: order <= 0 })[
      comparison as 'more'
    ] === true
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

/** "A parcel of 4 kg": the row whose range contains the number, or whose cell is the number. */
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
      const convertedAmount = amountIn(amount, unit, unitIn(row))
      if (range.text(row) === '') return false
      const cellRange = range.range(row)
      return (
        convertedAmount &&
        (cellRange
          ? isWithin(cellRange, convertedAmount.toNumber())
          : range.number(row)?.amount.eq(convertedAmount))
      )
    })
    const matchingRows = columns.rows.filter((_, i) => matches[i])
    // "Up to 2 kg", "up to 5 kg": the narrowest range that contains the number is meant.
    const hasNoLowerEnds = matchingRows.every((row) => range.range(row)?.from === Number.NEGATIVE_INFINITY)
    const upperEnds = matchingRows.map((row) => {
      const end = range.range(row)?.to ?? Number.POSITIVE_INFINITY
      // Rows may have different units, so each end is divided by the amount in the unit of its row.
      return end / (amountIn(amount, unit, unitIn(row))?.toNumber() || 1)
    })
    const lowestEnd = Math.min(...upperEnds)
    const narrowest = new Set(
      hasNoLowerEnds ? matchingRows.filter((_, i) => upperEnds[i] === lowestEnd) : matchingRows,
    )
    return condition(
      range,
      '',
      matches.map((matching, i) => {
        const row = columns.rows[i]
        return matching === undefined ? undefined : row !== undefined && narrowest.has(row)
      }),
    )
  }
  const numberColumns = columns.all.filter(
    (column) =>
      column.kind === 'number' &&
      (named.has(column) ||
        (units.length > 0 && isOfUnit(column)) ||
        (unit !== '' && amountIn(amount, unit, unitOf(column)) !== undefined)),
  )
  const [column, ...more] = numberColumns
  if (!column) return undefined
  if (more.length > 0) return 'unclear'
  return condition(
    column,
    column.header,
    columns.rows.map((row) => {
      const value = column.number(row)
      if (!value) return false
      const convertedAmount = amountIn(amount, unit, value.unit || unitOf(column))
      return convertedAmount && value.amount.eq(convertedAmount)
    }),
  )

  /** Undefined if a row cannot be compared, or if no row matches. */
  function condition(
    conditionColumn: Col,
    name: string,
    matches: readonly (boolean | undefined)[],
  ): Condition | undefined {
    const rows = columns.rows.filter((_, i) => matches[i])
    const [first] = rows
    if (!first || matches.includes(undefined)) return undefined
    const label = name ? `${name}: ${said}` : `${conditionColumn.header}: ${conditionColumn.text(first)}`
    return { column: conditionColumn, rows: new Set(rows), label }
  }
}
