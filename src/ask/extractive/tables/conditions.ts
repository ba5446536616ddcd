// The conditions that a question sets for the rows of a table: words in cells, periods, bounds, ranges and numbers. Pure.

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
import { isColumnOfType } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import { isNegated } from '../question.ts'
import { ACTUAL_COLUMN, AGE_COLUMN, NUMERIC_OPERATIONS, type Relation } from './phrases.ts'
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
  type Condition,
  has,
  isCoveredBy,
  isWholeCell,
  MAX_CELL_TERMS,
  splitHeader,
  type TableColumn,
  type Terms,
  type TypedTable,
  type Unclear,
  unitOf,
} from './typed-table.ts'

/**
 * Words of the question with the condition that they set for the rows. The condition is `about` if the words only name the table or
 * a column, `unclear` if several columns or rows may be meant, and undefined if the table does not contain the words.
 */
export type WordsWithCondition = [matchedText: string, Condition | 'about' | Unclear | undefined]

/** For each column the condition that its cells contain the words. The condition is undefined if no cell contains all of them. */
export function cellConditions(
  { columns, cells }: TypedTable,
  inCells: readonly Keyword[],
  columnKeywords: ReadonlyMap<TableColumn, Keyword[]>,
  { question, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
): WordsWithCondition[] {
  const keywordsByColumn = new Map<TableColumn, Keyword[]>()
  const unclearWords: WordsWithCondition[] = []
  for (const keyword of inCells) {
    const columnsWithWord = [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword)))
    const columnsWithWholeCell = columnsWithWord.filter((entry) => isWholeCell([entry], keyword, keywords))
    const namedColumns = columnsWithWord.filter(([column]) => columnKeywords.has(column))
    const columnsOfOtherWords = columnsWithWord.filter(([column]) => keywordsByColumn.has(column))
    const [onlyMatch] =
      [namedColumns, columnsWithWholeCell, columnsOfOtherWords, columnsWithWord].find(
        ({ length }) => length === 1,
      ) ?? []
    if (!onlyMatch) {
      unclearWords.push([keyword.word, 'unclear'])
      continue
    }
    const [column] = onlyMatch
    keywordsByColumn.set(column, [...(keywordsByColumn.get(column) ?? []), keyword])
  }
  const textOf = (all: readonly Keyword[]): string => all.map(({ word }) => word).join(' ')
  return [
    ...unclearWords,
    ...[...keywordsByColumn].map(
      ([column, columnKeywords]): WordsWithCondition => [
        textOf(columnKeywords),
        conditionIn(column, columnKeywords),
      ],
    ),
  ]

  function conditionIn(column: TableColumn, words: readonly Keyword[]): Condition | Unclear | undefined {
    const isNegatedCondition = words.some(({ word }) => question.negated.has(word))
    const areAllNegated = words.every(({ word }) => question.negated.has(word))
    const all = cells.get(column) ?? []
    if (isNegatedCondition && words.length > 1 && !areAllNegated && question.mayBeEither) return 'unclear'
    // A cell "not paid" contains "paid", but means the opposite.
    const negatedCells = all.filter(
      ({ text, terms }) => isNegated(text) && words.some((word) => has(terms, word)),
    )
    if (
      isNegatedCondition &&
      (negatedCells.length > 0 || columns.rows.some((row) => column.text(row) === ''))
    )
      return 'unclear'
    const otherCells = all.filter((cell) => !negatedCells.includes(cell))
    const matching = cellsWithWords(otherCells, words, keywords, question.mayBeEither)
    if (!matching) return undefined
    if (matching === 'unclear') return 'unclear'
    // Negated words negate a cell only if the cell has no other words: "cannot be used" does not negate "withdrawn from use".
    if (isNegatedCondition && !matching.every(({ terms }) => isCoveredBy(terms, words))) return 'unclear'
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
 * The conditions of words that are no keywords but may be the text of a cell: "in IT", "how many are off". An acronym must be a
 * word of a cell, else the question is not understood. Other such words are unclear if a cell consists of them.
 */
export function otherWordConditions(
  { columns, cells, questionLanguage }: TypedTable,
  { rest }: TableQuestion,
  keywords: readonly Keyword[],
): WordsWithCondition[] {
  const keywordParts = new Set(keywords.flatMap(({ word }) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]))
  const terms = new Set(keywords.map(({ forms }) => forms.get(questionLanguage)))
  const otherWords = [...words(rest)].map(({ raw }) => raw).filter((raw) => !keywordParts.has(raw))
  return otherWords.flatMap((raw): WordsWithCondition[] => {
    // A content word that is no keyword was probably taken for a mistyped stop word. The question may still ask for it.
    if (raw !== 'a' && contentTerms(raw, questionLanguage).some((term) => !terms.has(term)))
      return [[raw, undefined]]
    const isAcronym = /^\p{Lu}{2,}$/u.test(raw) && /\p{Ll}/u.test(rest)
    const isWord = (text: string): boolean =>
      isAcronym ? [...words(text)].some((word) => word.raw === raw) : text.toLowerCase() === raw.toLowerCase()
    const columnsWithWord = [...cells].flatMap(([column, all]) => {
      const cellsWithWord = all.filter(({ text }) => isWord(text))
      return cellsWithWord.length > 0 ? [{ column, cellsWithWord }] : []
    })
    const isInHeader = columns.all.some(({ header }) => [...words(header)].some((word) => word.raw === raw))
    const [match, ...others] = columnsWithWord
    if (!match) return isAcronym && !isInHeader ? [[raw, undefined]] : []
    if (others.length > 0 || !isAcronym) return [[raw, 'unclear']]
    const { column, cellsWithWord } = match
    const label = `${column.header}: ${cellsWithWord.map(({ text }) => text).join(', ')}`
    return [[raw, { column, rows: new Set(cellsWithWord.flatMap(({ rows }) => rows)), label }]]
  })
}

const MAX_CELLS_IN_LABEL = 4

// If several cells contain the words, the question must contain this share of the terms of each cell.
const MIN_NAMED_SHARE = 0.5

/**
 * The cells that contain all words, or at least one of them if the question has "or". Cells that consist of the words are
 * preferred.
 */
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
  const wholeCells = all.filter(({ terms }) => isCoveredBy(terms, words))
  if (cellsByWord.every((cellsOfWord) => cellsOfWord.some((cell) => wholeCells.includes(cell))))
    return wholeCells
  const isSingleShortCell = ([cell, ...others]: readonly Cell[]): boolean =>
    cell !== undefined && others.length === 0 && termCount(cell) <= MAX_CELL_TERMS
  return cellsByWord.every(isSingleShortCell) ? [...new Set(cellsByWord.flat())] : 'unclear'
}

/** The number of terms of a cell in the language of its passage. */
const termCount = ({ terms: [first] }: Cell): number => first?.terms.size ?? 0

/** The cells if they consist of words of the question, or if they are short and certain enough. */
function certainCells(cells: readonly Cell[], keywords: readonly Keyword[]): Cell[] | Unclear {
  const wholeCells = cells.filter(({ terms }) => isCoveredBy(terms, keywords))
  if (wholeCells.length > 0) return wholeCells
  const namedShareOf = ({ terms: [first] }: Cell): number =>
    first
      ? [...first.terms].filter((term) => keywords.some(({ forms }) => forms.get(first.language) === term))
          .length / first.terms.size
      : 0
  const isShort = cells.every((cell) => termCount(cell) <= MAX_CELL_TERMS)
  return isShort && (cells.length === 1 || cells.every((cell) => namedShareOf(cell) >= MIN_NAMED_SHARE))
    ? [...cells]
    : 'unclear'
}

/**
 * The condition that a period sets. It is `about` if the period only names the table or a column, and undefined if the table has no
 * dates or periods.
 */
export function periodCondition(
  typed: TypedTable,
  period: PeriodCondition,
  columnKeywords: Map<TableColumn, Keyword[]>,
  question: TableQuestion,
): Condition | 'about' | Unclear | undefined {
  const { columns, heading, title } = typed
  const isInPeriod = period.relation === 'within'
  // Columns such as "Planned 2027", "Revenue 2023 EUR" and "High season (Jul–Aug)".
  const headedColumns = columns.all.filter((column) => isHeaded(column, period.interval, typed))
  // "After 2024" excludes the column of 2024, but it is unclear which other columns are meant.
  if (headedColumns.length > 0 && !isInPeriod) return 'unclear'
  if (headedColumns.length > 0) {
    const headedAndNamed = headedColumns.filter((column) => columnKeywords.has(column))
    const columnsOfPeriod = headedAndNamed.length > 0 ? headedAndNamed : headedColumns
    for (const column of [...columnKeywords.keys()])
      if (
        headedAndNamed.length > 0 &&
        !headedAndNamed.includes(column) &&
        sharesName(column, headedAndNamed, columnKeywords)
      )
        columnKeywords.delete(column)
    for (const column of columnsOfPeriod)
      columnKeywords.set(column, [...(columnKeywords.get(column) ?? []), YEAR_KEYWORD])
    return 'about'
  }
  const terms = textTerms(period.matchedText, 'xx')
  const containsPeriod = (text: Terms): boolean =>
    text.some((termsOfLanguage) => [...terms.terms].every((term) => termsOfLanguage.terms.has(term)))
  const isAboutPeriod = containsPeriod(heading) || containsPeriod(title)
  const timeColumns = columns.all.filter(({ isOfTime }) => isOfTime)
  const namedTimeColumns = timeColumns.filter((column) => columnKeywords.has(column))
  const { ends } = columns
  // "Valid" names both "Valid from" and "Valid until".
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
          [intervals[i] ?? []].flat().some((interval) => overlaps(interval, askedInterval)),
        ),
      ),
      label: `${ends.from.header}–${ends.to.header}: ${period.textWithRelation}`,
      isOfTime: true,
    }
  }
  const [column, ...others] = namedTimeColumns.length > 0 ? namedTimeColumns : timeColumns
  if (!column && isAboutPeriod) return isInPeriod ? 'about' : 'unclear'
  if (!column) return isInPeriod ? conditionInTexts(typed, period) : undefined
  if (others.length > 0) return 'unclear'
  // Days in a column such as "Valid until" are unclear: a row that applies until a day also applies on the days before.
  if (isInPeriod && isDay(period.interval) && isEndName(splitHeader(column.header))) return 'unclear'
  const cellIntervals = columns.rows.map((row) => column.when(row))
  if (columns.rows.some((row, i) => column.text(row) !== '' && cellIntervals[i]?.length === 0))
    return 'unclear'
  const askedInterval = intervalForRows(period, cellIntervals, typed, question)
  if (typeof askedInterval !== 'object') return askedInterval
  const overlapsOfRows = cellIntervals.map((intervals) =>
    intervals.map((interval) => overlapOf(interval, askedInterval, period.relation)),
  )
  // A sum of weeks that only partly belong to a month is not the sum of the month.
  if (
    NUMERIC_OPERATIONS.has(question.operation) &&
    overlapsOfRows.some((rowOverlaps) => rowOverlaps.includes('part'))
  )
    return 'unclear'
  const rows = columns.rows.filter((_, i) => overlapsOfRows[i]?.some((overlap) => overlap !== 'none'))
  if (isAboutPeriod && !isInPeriod && rows.length === 0) return 'unclear'
  // "The orders of 2026" may be the name of the table.
  if (isAboutPeriod && isInPeriod)
    return rows.length === columns.rows.length || rows.length === 0 ? 'about' : 'unclear'
  if (question.operation === 'value' && rows.length === 0) return undefined
  const hasIntervals = rows.some((row) => column.when(row).some(({ isRange }) => isRange))
  return {
    column,
    rows: new Set(rows),
    label: `${column.header}: ${period.textWithRelation}`,
    isOfTime: hasIntervals,
  }
}

/** The condition that short cells of one column contain the period beside other words: "Friday 6 July, kitchen". */
function conditionInTexts(
  { columns, cells }: TypedTable,
  { interval, textWithRelation }: PeriodCondition,
): Condition | Unclear | undefined {
  const columnsWithPeriod = [...cells].flatMap(([column, all]) => {
    const cellsWithPeriod = all.filter(
      (cell) =>
        termCount(cell) <= MAX_CELL_TERMS &&
        placedIntervals(cell.text).some((cellInterval) => isSameInterval(cellInterval, interval)),
    )
    return cellsWithPeriod.length > 0 ? [{ column, cellsWithPeriod }] : []
  })
  const [match, ...others] = columnsWithPeriod
  if (!match) return undefined
  if (others.length > 0 || columns.rows.length < 2) return 'unclear'
  return {
    column: match.column,
    rows: new Set(match.cellsWithPeriod.flatMap(({ rows }) => rows)),
    label: `${match.column.header}: ${textWithRelation}`,
  }
}

const isDay = ({ from, to }: Interval): boolean => from === to

/** Whether the header of a column contains the requested period, or a period that includes it or is included in it. */
function isHeaded({ header }: TableColumn, requestedInterval: Interval, typed: TypedTable): boolean {
  return placedIntervals(splitHeader(header)).some((headerInterval) => {
    const isContained =
      headerInterval.isYearly || headerInterval.isRange
        ? contains(headerInterval, requestedInterval)
        : isSameInterval(headerInterval, requestedInterval)
    return (
      (isContained ||
        (headerInterval.isYearly === requestedInterval.isYearly &&
          contains(requestedInterval, headerInterval))) &&
      mayBeInYear(headerInterval, requestedInterval, typed)
    )
  })
}

const isSameInterval = (a: Interval, b: Interval): boolean => contains(a, b) && contains(b, a)

/**
 * Whether an interval of every year may be in the year of the question. If the table names years, that year must be one of them.
 */
function mayBeInYear(interval: Interval, requestedInterval: Interval, typed: TypedTable): boolean {
  if (!interval.isYearly || requestedInterval.isYearly) return true
  const years = yearsOfTable(typed)
  return years.length === 0 || years.some((year) => overlaps(intervalOf(year), requestedInterval))
}

const yearsOfTable = ({ about }: TypedTable): string[] => [
  ...new Set(placedPeriods(about).map(({ period }) => period.slice(0, 4))),
]

/**
 * The interval of the question in the year of the rows. It is `unclear` if the year is not certain, and undefined if the table is
 * about another year.
 */
function intervalForRows(
  { interval, relation }: PeriodCondition,
  cells: readonly (Interval | readonly Interval[])[],
  typed: TypedTable,
  { today }: TableQuestion,
): Interval | Unclear | undefined {
  const cellIntervals = cells.flat()
  const isYearly = cellIntervals.some((cellInterval) => cellInterval.isYearly)
  if (isYearly && cellIntervals.some((cellInterval) => !cellInterval.isYearly)) return 'unclear'
  if (isYearly && !interval.isYearly) {
    const years = yearsOfTable(typed)
    // Ranges without a year, such as seasons, apply to every year. Single days without a year may be in another year.
    if (years.length === 0) return cellIntervals.every(({ isRange }) => isRange) ? interval : 'unclear'
    return years.some((year) => overlaps(intervalOf(year), interval)) ? interval : undefined
  }
  if (isYearly || !interval.isYearly) return isYearly && relation !== 'within' ? 'unclear' : interval
  const days = cellIntervals.flatMap(({ from, to }) => [from, to].filter(Number.isFinite))
  const years = new Set(days.map((day) => dateOf(day).getUTCFullYear()))
  const intervalsByYear = [...years].map((year) => inYear(interval, year))
  if (relation !== 'within') return intervalsByYear.length === 1 ? intervalsByYear[0] : 'unclear'
  const overlapping = intervalsByYear.filter((candidate) =>
    cellIntervals.some((cellInterval) => overlaps(cellInterval, candidate)),
  )
  if (overlapping.length < 2) return overlapping[0] ?? intervalsByYear[0]
  // A day without a year is the day nearest to today. A month may be in any of the years.
  if (!isDay(interval) || today === undefined) return 'unclear'
  return overlapping.sort((a, b) => Math.abs(a.from - today) - Math.abs(b.from - today))[0]
}

/** Whether all days of a row's interval meet the condition, some or none. */
function overlapOf(
  rowInterval: Interval,
  requestedInterval: Interval,
  relation: Relation,
): 'all' | 'part' | 'none' {
  const allIf = (isMet: boolean): 'all' | 'none' => (isMet ? 'all' : 'none')
  if (relation === 'from') return allIf(rowInterval.from >= requestedInterval.from)
  if (relation === 'until') return allIf(rowInterval.to <= requestedInterval.to)
  if (relation === 'before') return allIf(rowInterval.to < requestedInterval.from)
  if (relation === 'after') return allIf(rowInterval.from > requestedInterval.to)
  if (contains(requestedInterval, rowInterval)) return 'all'
  // A row for a range or a season applies to each of its days. A row for a whole year states nothing about May of that year.
  const appliesToEachDay = rowInterval.isYearly || rowInterval.isRange
  if (appliesToEachDay && contains(rowInterval, requestedInterval)) return 'all'
  return appliesToEachDay && overlaps(rowInterval, requestedInterval) ? 'part' : 'none'
}

// A keyword for the period in the name of a column. It makes the column one that the question names.
const YEAR_KEYWORD: Keyword = {
  word: '',
  forms: new Map(),
  synonyms: new Map(),
  weight: 0,
  isGeneric: true,
  isInWorkspace: true,
  isInCompound: false,
  isTopic: false,
  isStatedByValue: false,
  syllablePairs: [],
}

/** Whether a word names the column and one of the others. */
const sharesName = (
  column: TableColumn,
  others: readonly TableColumn[],
  columnKeywords: ReadonlyMap<TableColumn, Keyword[]>,
): boolean =>
  others.some((other) =>
    (columnKeywords.get(column) ?? []).some((keyword) => columnKeywords.get(other)?.includes(keyword)),
  )

/** The condition of a bound such as "more than 40 beds". */
export function boundCondition(
  { columns, names }: TypedTable,
  { is: comparison, amount, column: columnPattern, type, word, matchedText }: Bound,
  columnKeywords: ReadonlyMap<TableColumn, Keyword[]>,
): Condition | Unclear | undefined {
  const name = (column: TableColumn): string => splitHeader(column.header)
  const numberColumns = columns.all.filter(({ kind }) => kind === 'number')
  const fittingColumns = numberColumns.filter(
    (column) =>
      (!columnPattern || columnPattern.test(`${name(column)} ${column.unit}`)) &&
      (!type || isColumnOfType(type, name(column)) || isColumnOfType(type, column.unit)) &&
      (!amount.unit ||
        isSameUnit(amount.unit, column.unit) ||
        (column.unit === '' && isColumnOfType('money', name(column)) === /[€$£¥]/.test(amount.unit))),
  )
  const columnsOfUnit = word
    ? fittingColumns.filter(
        (column) =>
          isSameUnit(word, column.unit) ||
          (isMeasure(word) && amountIn(amount.amount, word, unitOf(column)) !== undefined) ||
          (names.get(column)?.some(({ terms }) => terms.has(fold(word))) ?? false),
      )
    : []
  const namedColumns = fittingColumns.filter((column) => columnKeywords.has(column))
  const ageColumns =
    word === '' && amount.unit === ''
      ? fittingColumns.filter(({ header }) => AGE_COLUMN.test(splitHeader(header)))
      : []
  const [column, ...others] =
    [namedColumns, columnsOfUnit, ageColumns, fittingColumns].find(({ length }) => length > 0) ?? []
  // A bound without any word for its column could be about every column of numbers. "Over 40" without a unit is about a column of
  // ages.
  const isAge = column !== undefined && word === '' && AGE_COLUMN.test(splitHeader(column.header))
  const isColumnCertain =
    namedColumns.length > 0 || columnsOfUnit.length > 0 || columnPattern || type || amount.unit || isAge
  if (!column || !isColumnCertain) return undefined
  if (others.length > 0) return 'unclear'
  if (columns.rows.some((row) => column.text(row) !== '' && !column.number(row))) return 'unclear'
  const unit = isUnit(word) ? word : ''
  const limits = columns.rows.map((row) => {
    const cellUnit = column.number(row)?.unit || unitOf(column)
    // A column of money without a currency is compared without one.
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
  return { column, rows: new Set(rows), label: `${column.header}: ${matchedText}` }
}

/**
 * The condition of "below the minimum stock": in each row the value of a column is compared with the value of the bound's column.
 * The compared column is the one that the question names, or the only comparable one.
 */
export function columnCondition(
  { columns }: TypedTable,
  { is: comparison, header, matchedText }: ColumnBound,
  columnKeywords: ReadonlyMap<TableColumn, Keyword[]>,
): Condition | Unclear | undefined {
  const bound = columns.all.find((column) => column.header === header)
  if (!bound || (bound.kind !== 'number' && bound.kind !== 'date')) return undefined
  const isComparable = (column: TableColumn): boolean =>
    column !== bound &&
    column.kind === bound.kind &&
    (bound.unit === '' || column.unit === '' || isSameUnit(bound.unit, column.unit)) &&
    !isOnlyOneMeasure(column, bound)
  const comparable = columns.all.filter(isComparable)
  const namedColumns = comparable.filter((column) => columnKeywords.has(column))
  const actualColumns = comparable.filter((column) => ACTUAL_COLUMN.test(splitHeader(column.header)))
  const [column, ...others] =
    [namedColumns, comparable.length > 1 ? actualColumns : [], comparable].find(({ length }) => length > 0) ??
    []
  if (!column || others.length > 0) return 'unclear'
  const orders = columns.rows.map((row) => orderOf(row, column, bound))
  // A row without a date is unclear, because it may be late. A row without an amount does not meet the condition.
  if (bound.kind === 'date' && orders.includes(undefined)) return 'unclear'
  const isUnreadable = (row: PassageRow, compared: TableColumn): boolean =>
    compared.text(row) !== '' && compared.number(row) === undefined
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
  return {
    column,
    other: bound,
    rows: new Set(rows),
    label: `${column.header}: ${matchedText} (${bound.header})`,
  }
}

/** Whether only one of the columns is a measure. The weight of a piece is not compared with a number of pieces. */
const isOnlyOneMeasure = (column: TableColumn, bound: TableColumn): boolean =>
  isMeasure(unitOf(column)) !== isMeasure(unitOf(bound))

/** Below 0 if the value of the column is lower than that of the bound, above 0 if it is higher. Undefined without both values. */
function orderOf(row: PassageRow, column: TableColumn, bound: TableColumn): number | undefined {
  if (bound.kind === 'date') {
    const [[day], [boundDay]] = [column.when(row), bound.when(row)]
    return day && boundDay && isDay(day) && isDay(boundDay) ? day.from - boundDay.from : undefined
  }
  const [number, boundNumber] = [column.number(row), bound.number(row)]
  return number && boundNumber ? number.amount.cmp(boundNumber.amount) : undefined
}

/** The condition of a number, as in "a parcel of 4 kg": the range of the row contains it, or a cell is the number. */
export function numberCondition(
  { columns }: TypedTable,
  { amount, unit, matchedText }: Measure & { matchedText: string },
  units: readonly Keyword[],
  columnKeywords: ReadonlyMap<TableColumn, Keyword[]>,
): Condition | Unclear | undefined {
  const isOfUnit = (column: TableColumn): boolean =>
    units.length === 0 ||
    units.some(({ word }) => isSameUnit(word, column.unit) || isSameUnit(word, splitHeader(column.header)))
  const ranges = columns.all.filter((column) => column.kind === 'range' && isOfUnit(column))
  const { ends } = columns
  if (ends?.from.kind === 'number' && ranges.length === 0) {
    if (!isOfUnit(ends.from)) return undefined
    const matches = columns.rows.map((row) => {
      const [from, to] = [ends.from.number(row), ends.to.number(row)]
      const amountInFrom = amountIn(amount, unit, from?.unit || unitOf(ends.from))
      const amountInTo = amountIn(amount, unit, to?.unit || unitOf(ends.to) || unitOf(ends.from))
      if (!from || !amountInFrom || !amountInTo) return undefined
      const isAboveFrom = isAboveName(ends.from.header)
        ? from.amount.lt(amountInFrom)
        : from.amount.lte(amountInFrom)
      return isAboveFrom && (to ? to.amount.gte(amountInTo) : ends.to.text(row) === '')
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
    // Of ranges without a lower end ("up to 2 kg", "up to 5 kg"), the narrowest one that contains the number is meant.
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
      (columnKeywords.has(column) ||
        (units.length > 0 && isOfUnit(column)) ||
        (unit !== '' && amountIn(amount, unit, unitOf(column)) !== undefined)),
  )
  const [column, ...furtherColumns] = numberColumns
  if (!column) return undefined
  if (furtherColumns.length > 0) return 'unclear'
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
    conditionColumn: TableColumn,
    name: string,
    matches: readonly (boolean | undefined)[],
  ): Condition | undefined {
    const rows = columns.rows.filter((_, i) => matches[i])
    const [first] = rows
    if (!first || matches.includes(undefined)) return undefined
    const label = name
      ? `${name}: ${matchedText}`
      : `${conditionColumn.header}: ${conditionColumn.text(first)}`
    return { column: conditionColumn, rows: new Set(rows), label }
  }
}
