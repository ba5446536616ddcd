// Reads one table for a question: each word of the question must be the name of a column, what cells say, what the table is
// about, or the operation; else nothing is said. Pure.

import type { Language } from '../../../language/language.ts'
import { words } from '../../../language/words.ts'
import { Decimal } from '../../compute/cell-value.ts'
import { compute } from '../../compute/compute.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { isColumnOf } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import type { CellReading } from './grid.ts'
import { type DatePhrase, NUMERIC, OF_TABLES, type Operation, SCALE, TOTAL_COLUMN } from './phrases.ts'
import type { TableQuestion } from './question.ts'
import { OTHER_COLUMN, type Roles, rolesOf } from './roles.ts'
import {
  asNamed,
  type Col,
  type Condition,
  has,
  isCovered,
  isText,
  personColumn,
  splitHeader,
  type Typed,
  typedOf,
  type Unclear,
} from './typed-table.ts'

export interface TableReading {
  table: SourceTable
  operation: Operation
  /** The column that was added up, compared or looked up, or the name of what is counted. */
  subject: string
  /** The result with its unit: a number, a cell's text, yes or no; of a list how many. */
  value: string
  /** What the rows have in common, as `Column: value`. */
  conditions: string[]
  /** The rows that the result is from. */
  rows: PassageRow[]
  /** How many rows are counted or were compared, and how many the table has without totals. */
  matching: number
  all: number
  /** In what the table says that its amounts are: "in thousand euros"; empty for none. */
  scale: string
  /** The result stands in a row of totals. */
  isTotalsRow: boolean
  /** The sum is how many there are: "How many beds?" */
  isOfCount?: boolean
  /** The cells that it stands in or is calculated from, named by their rows and columns. */
  cells?: CellReading
  /** Columns to be shown of each row. */
  columns: string[]
  /** The names of the rows, where there are few of them. */
  names: string[]
  /** How well the table is what the question names: words in its heading, its title, its key. */
  fit: number
}

/** What a table says to a part of the question: nothing is calculated, the asker sees the rows. */
export interface PartialReading {
  table: SourceTable
  /** The columns that the question names, beside those of conditions. */
  subjects: string[]
  conditions: string[]
  /** The rows that meet the conditions; none of a table that is not there as a whole. */
  rows: PassageRow[]
  all: number
  /** What it would give, read in each way that is likely, where each word is placed. */
  results: Pick<TableReading, 'operation' | 'subject' | 'value' | 'matching'>[]
  /** The words of which it is not certain what they mean in the table. */
  unplaced: string[]
  /** The table has all words, so that nothing is certain beside it. */
  hasAll: boolean
  /** The table has enough of the question to be shown where nothing else answers. */
  isShown: boolean
  /** Several rows are asked for, so that one of them is no answer. */
  isOfMany: boolean
  fit: number
}

/** What a table says, or shows, to a question; undefined where it has too few of its words. */
export type TableResult = { reading: TableReading } | { partial: PartialReading }

// With fewer it is a form or a list, whose words mean something else.
const MIN_COLUMNS = 2
const MIN_ROWS = 2

/**
 * What the table says, if table, rows and column are certain, or what of the question it has.
 * @param keywords of the rest of the question
 */
export function readTable(
  table: SourceTable,
  question: TableQuestion,
  words: readonly Keyword[],
  language: Language,
): TableResult | undefined {
  const made = typedOf(table, language)
  if (made.columns.all.length === 0) return undefined
  const keywords = words.map((keyword) => asNamed(keyword, made))
  return readIn(table, made, question, keywords, rolesOf(made, question, keywords, table.isPartial))
}

const MIN_SHARE = 0.5

/** Whether enough of the question is in the table, weighed, and what it asks for: not only some of its words. */
function isMeant(
  { asked, key }: Typed,
  { operation }: TableQuestion,
  keywords: readonly Keyword[],
  { unplaced, named, conditions, about, ofRows }: Roles,
  rows: readonly PassageRow[],
): boolean {
  const missing = new Set(unplaced.flatMap((said) => said.split(' ')))
  const content = keywords.filter(({ word }) => !OF_TABLES.test(word))
  const absent = content.filter(({ word }) => missing.has(word))
  const isName = (keyword: Keyword): boolean =>
    /^\d/.test(keyword.word) || (/^\p{Lu}/u.test(keyword.word) && keyword !== keywords[0] && asked !== 'de')
  if (content.length === 0 || absent.some(isName)) return false
  // A word that cells say stands in many tables, "electric" in one of meters.
  const isNamed = named.size + about.length + ofRows.length > 0
  if (absent.length > 0 && !isNamed) return false
  const [first, ...others] = content
  // "How many of the kids have an allergy?" of pupils: all but what the rows are called.
  const isOnlyFirst =
    absent.length === 1 &&
    absent[0] === first &&
    others.length > 0 &&
    [...named.keys()].some((column) => column !== key)
  const weightOf = (all: readonly Keyword[]): number => all.reduce((sum, { weight }) => sum + weight, 0)
  const total = weightOf(content) * (1 + (missing.size - absent.length) / content.length)
  if (!isOnlyFirst && weightOf(content) - weightOf(absent) <= MIN_SHARE * total) return false
  if (operation === 'value' || operation === 'check') return conditions.length > 0
  if (operation === 'rows') return conditions.length > 0 || rows.length <= MAX_UNFILTERED
  return (
    operation !== 'count' ||
    isOnlyFirst ||
    !first ||
    !absent.includes(first) ||
    (first.isGeneric && named.size > 0)
  )
}

// A list of more rows is no answer to which of them is meant.
const MAX_UNFILTERED = 10

/** The names of a table's columns, which tell what in a question is a part of one. */
export const headersOf = (table: SourceTable): string[] => [
  ...new Set(table.rows.flatMap(({ cells }) => cells.map(({ header }) => splitHeader(header)))),
]

/** What stands in cells, or is calculated from them. */
export const readingOfCells = (table: SourceTable, cells: CellReading): TableReading => ({
  table,
  operation: 'value',
  subject: cells.subject,
  value: cells.results.map(({ text, isInPoints }) => (isInPoints ? `${text} %` : text)).join('; '),
  conditions: [],
  rows: cells.rows,
  matching: cells.rows.length,
  all: cells.rows.length,
  scale: cells.scale,
  isTotalsRow: false,
  cells,
  columns: headersOf(table),
  names: [],
  fit: cells.fit,
})

function readIn(
  table: SourceTable,
  made: Typed,
  question: TableQuestion,
  keywords: readonly Keyword[],
  roles: Roles,
): TableResult | undefined {
  const { columns, key, names, language } = made
  const persons = personColumn(made)
  const { named, about, ofRows, fit } = roles
  const conditions = [...roles.conditions]
  const doubtful = [...roles.doubtful]
  const isUsed = (column: Col): boolean =>
    conditions.some((condition) => condition.column === column || condition.other === column)
  const free = [...named.keys()].filter((column) => !isUsed(column))
  const numbers = free.filter(({ kind }) => kind === 'number')
  const things = free.filter(({ kind }) => kind === 'text' || kind === 'code')
  const firstOf = (column: Col): number =>
    Math.min(
      ...(named.get(column) ?? []).map((keyword) => keywords.indexOf(keyword)).filter((at) => at >= 0),
      keywords.length,
    )
  const isDenied = (keyword: Keyword): boolean => question.negated.has(keyword.word)
  const nounAt = Math.min(
    ...[...about, ...ofRows].filter((word) => !isDenied(word)).map((word) => keywords.indexOf(word)),
  )
  const isAbout = (column: Col): boolean => (named.get(column) ?? []).some((word) => about.includes(word))
  // What is counted or listed is named first: "entries without a mobile number" are rows.
  const orderedThings = things
    .filter(
      (column) =>
        (firstOf(column) <= nounAt || isAbout(column)) && !(named.get(column) ?? []).every(isDenied),
    )
    .toSorted((a, b) => firstOf(a) - firstOf(b))
  const [foremost] = orderedThings
  // Of columns that the same word names, names say more than codes.
  const thing =
    foremost &&
    (orderedThings.find((column) => isText(column) && firstOf(column) === firstOf(foremost)) ?? foremost)
  // "The cheapest part in the supplier list": a word for the table asks for nothing of it.
  const isOther = (column: Col): boolean =>
    column !== thing &&
    !sharedWith(column, thing, named) &&
    !(named.get(column) ?? []).every((keyword) => about.includes(keyword))
  const isPlural = question.operation === 'count'
  const beside = free.filter((column) => column !== thing && !numbers.includes(column))
  // "Entries without a mobile number", "members who have a deputy".
  for (const column of isPlural || question.operation === 'rows' ? beside : []) {
    if (sharedWith(column, thing, named)) continue
    const isEmpty = (row: PassageRow): boolean => column.text(row) === ''
    const own = (named.get(column) ?? []).map(({ word }) => word)
    if (!columns.rows.some(isEmpty)) {
      doubtful.push(...own)
      continue
    }
    const isNot = own.some((word) => question.negated.has(word))
    conditions.push({
      column,
      rows: new Set(columns.rows.filter((row) => isEmpty(row) === isNot)),
      label: `${column.header}: ${isNot ? '–' : '✓'}`,
    })
  }
  // What is denied has to be a condition.
  const denied = keywords.filter(isDenied)
  const conditionColumns = new Set(conditions.map(({ column }) => column))
  const isCondition = (keyword: Keyword): boolean =>
    !about.includes(keyword) &&
    [...named].every(([column, words]) => !words.includes(keyword) || conditionColumns.has(column))
  for (const word of question.negated)
    if (!denied.some((keyword) => keyword.word === word && isCondition(keyword))) doubtful.push(word)
  const matching = columns.rows.filter((row) => conditions.every((condition) => condition.rows.has(row)))
  const rows = table.isPartial ? columns.rows : matching
  const base = {
    table,
    conditions: [...new Set(conditions.map(({ label }) => label))],
    all: columns.rows.length,
    scale: SCALE.exec(`${table.heading}\n${table.before ?? ''}`)?.[0] ?? '',
    isTotalsRow: false,
    names: [] as string[],
    fit,
    columns: [
      ...(key ? [key.header] : []),
      ...[...named.keys()].map(({ header }) => header),
      ...conditions.map(({ column }) => column.header),
    ],
  }
  const isWho = question.asksWho
  const isTied = isWho || thing !== undefined || about.length > 0 || ofRows.length > 0
  const isPlaced = roles.unplaced.length === 0
  const answer = !isPlaced ? undefined : doubtful.length > 0 ? 'unclear' : answerOf()
  const isTable = columns.all.length >= MIN_COLUMNS && columns.rows.length >= MIN_ROWS
  if (answer && answer !== 'unclear' && isTable && !table.isPartial) return { reading: answer }
  const hasAll = answer !== undefined
  const isShown =
    isTable && !table.isPartial && isMeant(made, question, keywords, { ...roles, conditions }, matching)
  return hasAll || isShown ? { partial: { ...partial(), hasAll, isShown } } : undefined

  function rowsSaying(keyword: Keyword): ReadonlySet<PassageRow> {
    const all = [...made.cells.values()].flat().filter(({ terms }) => has(terms, keyword))
    return new Set(all.length > 0 ? all.flatMap(({ rows }) => rows) : columns.rows)
  }

  function answerOf(): TableReading | Unclear | undefined {
    const isOfAll = question.operation !== 'value' && question.operation !== 'check'
    if (isOfAll && rows.some((row) => columns.unclear.has(row))) return 'unclear'
    switch (question.operation) {
      case 'count':
        return countOf()
      case 'rows':
        return listed()
      case 'value':
        return lookedUp()
      case 'check':
        return checked()
      default:
        return calculated(question.operation)
    }
  }

  function partial(): Omit<PartialReading, 'hasAll' | 'isShown'> {
    const { operation } = question
    // "Have not handed in the consent form": beside a word that is not placed, yes may as well mean no.
    const isOpen = roles.unplaced.length > 0
    const sure = isOpen ? roles.conditions.filter(({ column }) => column.kind !== 'yes-no') : conditions
    const isCalculated = operation !== 'count' && NUMERIC.has(operation)
    const figures = isCalculated ? figureColumn(operation) : undefined
    const figure = figures === 'unclear' ? undefined : figures
    // Words that several columns have say at least that a row has them.
    const isSaid = (keyword: Keyword): boolean =>
      doubtful.includes(keyword.word) &&
      !isDenied(keyword) &&
      [...named.values()].every((all) => !all.includes(keyword))
    const saying = question.notUnderstood.length > 0 ? [] : keywords.filter(isSaid)
    const shown = columns.rows.filter(
      (row) =>
        sure.every((one) => one.rows.has(row)) && saying.every((keyword) => rowsSaying(keyword).has(row)),
    )
    const order = operation === 'max' ? -1 : operation === 'min' ? 1 : 0
    const amount = (row: PassageRow): number => figure?.number(row)?.amount.toNumber() ?? 0
    const others = conditions.filter((one) => !sure.includes(one)).map(({ column }) => column)
    const subjects = [...(figure ? [figure] : []), ...free, ...others].map(({ header }) => header)
    return {
      table,
      subjects: [...new Set(subjects)],
      conditions: [...new Set(sure.map(({ label }) => label))],
      rows: table.isPartial ? [] : shown.toSorted((a, b) => order * (amount(a) - amount(b))),
      all: columns.rows.length,
      results:
        isOpen || doubtful.length > 0
          ? []
          : likelyResults(
              operation,
              free.filter((column) => column.kind === 'number'),
            ),
      unplaced: [...new Set([...roles.unplaced, ...doubtful])],
      // "How many days are there after 5 years?" may be one cell.
      isOfMany: isCalculated || conditions.length > 0 || thing?.kind === 'text',
      fit,
    }
  }

  /** Of the columns of numbers that the question names, else of the rows. */
  function likelyResults(operation: Operation, figures: readonly Col[]): TableReading[] {
    if (!NUMERIC.has(operation) || table.isPartial || rows.some((row) => columns.unclear.has(row))) return []
    if (operation === 'count' && figures.length === 0)
      return rows.length > 0 ? [counted(rows, '', false)] : []
    return figures
      .flatMap((column) => calculatedIn(isCalculation(operation) ? operation : 'sum', column) ?? [])
      .filter((reading) => reading !== 'unclear')
  }

  function countOf(): TableReading | Unclear | undefined {
    const isNoun = thing !== undefined || about.some((keyword) => !isDenied(keyword)) || ofRows.length > 0
    const first = keywords[0]
    // "How many beds are there in Oulu?"
    const [number, ...others] = numbers
    if (number && first && named.get(number)?.includes(first))
      return others.length === 0 && !isColumnOf('money', number.header) ? added(number) : 'unclear'
    if (numbers.length > 0) return 'unclear'
    const yesOrNo = conditions.some(({ column }) => column.kind === 'yes-no')
    if (!isNoun && !(yesOrNo && about.length > 0)) return undefined
    if (orderedThings.some((column) => isOther(column) && !conditionColumns.has(column))) return 'unclear'
    // Rows of "Members' meeting" are no members.
    const isCertain = conditions.length > 0 || ofRows.length > 0 || isCalledBy(table, keywords, made)
    if (!thing && !isCertain) return undefined
    if (!thing)
      return counted(rows, table.kind ?? ofRows[0]?.word ?? about.map(({ word }) => word).join(' '), false)
    const seen = new Map<string, PassageRow>()
    for (const row of rows) {
      const text = thing.text(row).toLowerCase()
      if (text && !seen.has(text)) seen.set(text, row)
    }
    return counted([...seen.values()], thing.header, seen.size < rows.length)
  }

  function counted(of: PassageRow[], subject: string, isDistinct: boolean): TableReading {
    const shown = of.length > 0 ? of : columns.rows.slice(0, 1)
    return {
      ...base,
      operation: 'count',
      subject,
      value: String(of.length),
      rows: shown,
      matching: of.length,
      all: isDistinct && thing ? distinct(columns.rows, thing) : base.all,
    }
  }

  function added(column: Col): TableReading | Unclear | undefined {
    if (rows.length === 1 && rows[0]) return cellOf(rows[0], column)
    const sum = calculatedIn('sum', column)
    return typeof sum === 'object' ? { ...sum, isOfCount: true } : sum
  }

  function cellOf(row: PassageRow, column: Col): TableReading {
    return {
      ...base,
      operation: 'value',
      subject: column.header,
      value: withUnit(column.text(row), column),
      rows: [row],
      matching: 1,
    }
  }

  function calculated(operation: 'sum' | 'mean' | 'min' | 'max'): TableReading | Unclear | undefined {
    const figures = figureColumn(operation)
    if (figures === 'unclear') return figures
    const dates = figures ? undefined : datesOf(question.ofDates)
    if (dates === 'unclear') return dates
    const column = figures ?? dates
    if (!column) return undefined
    // "Which customer has the highest amount?" of a table with several rows a customer could mean their sum.
    if (operation !== 'sum' && thing && distinct(rows, thing) < rows.length) return 'unclear'
    if (orderedThings.some(isOther)) return 'unclear'
    if (!isTied && conditions.length === 0 && !named.has(column)) return undefined
    return calculatedIn(dates ? (question.ofDates?.operation ?? operation) : operation, column)
  }

  function datesOf(phrase: DatePhrase | undefined): Col | Unclear | undefined {
    const [column, ...others] = columns.all.filter(
      ({ kind, header }) =>
        phrase !== undefined && kind === 'date' && phrase.column.test(splitHeader(header)),
    )
    return others.length > 0 ? 'unclear' : column
  }

  function calculatedIn(
    operation: 'sum' | 'mean' | 'min' | 'max',
    column: Col,
  ): TableReading | Unclear | undefined {
    if (rows.length === 0) return undefined
    const isReadable = (row: PassageRow): boolean =>
      column.kind === 'date' ? column.when(row).length > 0 : column.number(row) !== undefined
    // A cell that cannot be read would be left out without a word.
    if (rows.some((row) => column.text(row) !== '' && !/^[-–—]$/.test(column.text(row)) && !isReadable(row)))
      return 'unclear'
    const isAll = rows.length === columns.rows.length
    const own = isAll && operation === 'sum' ? totalsRow(column) : undefined
    if (own === 'unclear') return 'unclear'
    if (own)
      return {
        ...base,
        operation,
        subject: column.header,
        value: withUnit(column.text(own), column),
        rows: [own],
        matching: base.all,
        isTotalsRow: true,
      }
    const result = compute(rows, { operation, columns: [column.header] }, language)
    if (result.kind !== 'value' || (!result.exact && operation !== 'mean')) return 'unclear'
    const isExtreme = operation === 'min' || operation === 'max'
    // "The cheapest" is of prices rather than of budgets.
    const isLessSure =
      question.column && !question.column.test(`${splitHeader(column.header)} ${column.unit}`)
    return {
      ...base,
      fit: fit - (isLessSure ? OTHER_COLUMN : 0),
      operation,
      subject: column.header,
      // As it is written in the cell, which may also be a date.
      value:
        isExtreme && result.rows[0]
          ? withUnit(column.text(result.rows[0]), column)
          : withUnit(operation === 'mean' ? rounded(result.value) : result.value, column, result.unit),
      rows: isExtreme ? result.rows : rows,
      matching: rows.length,
      names: isExtreme ? namesOf(result.rows, thing ?? (isWho ? persons : undefined) ?? key) : [],
    }
  }

  function namesOf(some: readonly PassageRow[], column: Col | undefined): string[] {
    const texts = column ? some.map((row) => column.text(row)) : []
    return texts.length <= MAX_NAMES && texts.every((text) => text !== '' && text.length <= MAX_NAME_LENGTH)
      ? texts
      : []
  }

  /** The row that adds up the whole column; `unclear` where no row of totals is their sum. */
  function totalsRow(column: Col): PassageRow | 'unclear' | undefined {
    const totals = columns.totals.filter((row) => column.number(row))
    if (totals.length === 0) return undefined
    const sum = compute(columns.rows, { operation: 'sum', columns: [column.header] }, language)
    const same = totals.filter((row) => {
      const total = column.number(row)?.amount
      if (sum.kind !== 'value' || !total) return false
      const exact = columns.rows.map((one) => column.number(one)?.amount.decimalPlaces() ?? 0)
      // Rows may have more decimals than their total.
      const decimals = total.decimalPlaces()
      const isRounded = decimals < Math.max(...exact)
      return total.eq(isRounded ? new Decimal(sum.value).toDecimalPlaces(decimals) : sum.value)
    })
    return same.at(-1) ?? 'unclear'
  }

  function figureColumn(operation: Operation): Col | Unclear | undefined {
    const isFigure = ({ kind }: Col): boolean =>
      kind === 'number' || (kind === 'date' && operation !== 'sum' && operation !== 'mean')
    const figures = columns.all.filter((column) => isFigure(column) && !isUsed(column))
    const name = (column: Col): string => `${splitHeader(column.header)} ${column.unit}`
    const { column: about } = question
    // "The cheapest piece" is not of "Pieces from".
    const isOfKind = (column: Col): boolean =>
      !about || about.test(name(column)) || isColumnOf(question.type, name(column))
    const best = mostNamed(figures.filter((column) => named.has(column) && isOfKind(column)))
    if (best.length === 1) return best[0]
    if (best.length > 1) return 'unclear'
    // Numbers and words in one column: "see note".
    const numberCount = (column: Col): number => columns.rows.filter((row) => column.number(row)).length
    if (free.some((column) => isText(column) && numberCount(column) >= columns.rows.length / 2))
      return 'unclear'
    // A column named by what cannot be added up is meant otherwise.
    if (about) {
      const ofName = figures.filter((column) => about.test(name(column)))
      if (ofName.length === 1) return ofName[0]
    }
    const { usual } = question
    const ofUse = usual ? figures.filter((column) => usual.test(name(column))) : []
    if (ofUse.length > 0) return ofUse.length === 1 ? ofUse[0] : 'unclear'
    const ofType =
      question.type === 'date'
        ? figures.filter(({ kind }) => kind === 'date')
        : figures.filter((column) => isColumnOf(question.type, name(column)))
    if (ofType.length === 1) return ofType[0]
    if (ofType.length > 1) return 'unclear'
    if (operation !== 'sum' || about) return undefined
    const totals = figures.filter((column) => TOTAL_COLUMN.test(splitHeader(column.header)))
    const [column, ...others] = totals.length > 0 ? totals : figures
    return others.length > 0 ? 'unclear' : column
  }

  function mostNamed(some: readonly Col[]): Col[] {
    const times = (column: Col): number => named.get(column)?.length ?? 0
    const most = Math.max(0, ...some.map(times))
    return some.filter((column) => times(column) === most)
  }

  function listed(): TableReading | Unclear | undefined {
    // Names say more than codes.
    const label =
      thing?.kind === 'code'
        ? columns.all.find(
            (column) =>
              column.kind === 'text' &&
              !column.isOfTime &&
              distinct(columns.rows, column) === columns.rows.length,
          )
        : thing
    const subject =
      label ?? thing ?? (isWho ? persons : about.length > 0 || ofRows.length > 0 ? key : undefined)
    if (!subject) return undefined
    if (numbers.length > 0) return 'unclear'
    if (conditions.length === 0 && (about.length === 0 || named.size > 1)) return undefined
    const seen = new Map<string, PassageRow>()
    for (const row of rows) {
      const text = subject.text(row).toLowerCase()
      if (text && !seen.has(text)) seen.set(text, row)
    }
    const [only, ...others] = seen.values()
    if (!only) return undefined
    // One alone is the answer and no list.
    if (others.length === 0 && conditions.length > 0)
      return { ...cellOf(only, subject), rows: rows.slice(0, 1) }
    const names = namesOf([...seen.values()], subject)
    // Beside its names each row is shown: "which animals are insured" may ask for the kinds or for all of them.
    const shown = names.length > 0 ? rows : [...seen.values()]
    return {
      ...base,
      operation: 'rows',
      subject: subject.header,
      value: String(shown.length),
      rows: shown,
      matching: rows.length,
      names,
      columns: [subject.header, ...base.columns],
    }
  }

  /** What is asked of the rows that a range, a period, a number or the words of cells tell. */
  function lookedUp(): TableReading | Unclear | undefined {
    if (conditions.length === 0 || rows.length === 0) return undefined
    const isRange = conditions.some(({ column }) => column.kind === 'range' || column === columns.ends?.from)
    const isTold = question.periods.length > 0 || isRange
    if (rows.length > MAX_LOOKED_UP) return isTold ? 'unclear' : undefined
    // "The LTE modem" may be another one than "LTE modem, band 3".
    if (!isTold && !conditions.every(isWhole)) return undefined
    const asked = mostNamed(free.filter(({ kind }) => kind !== 'yes-no'))
    const others = columns.all.filter(
      (column) => !isUsed(column) && column !== columns.ends?.from && column !== columns.ends?.to,
    )
    const ofType = others.filter((column) =>
      isColumnOf(question.type, `${splitHeader(column.header)} ${column.unit}`),
    )
    const [column, ...more] = asked.length > 0 ? asked : ofType.length > 0 ? ofType : isTold ? others : []
    if (!column) return undefined
    if (more.length > 0) return isTold ? 'unclear' : undefined
    const values = [...new Set(rows.map((row) => column.text(row)))]
    // Of two classes that share a border only one holds.
    if (isRange && values.length > 1) return 'unclear'
    const base = { ...lookUp(column), rows, matching: rows.length }
    const [value = ''] = values
    if (values.length === 1) return { ...base, value: withUnit(value, column) }
    const labels = namesOf(rows, key ?? columns.all.find(isText))
    if (labels.length !== rows.length) return 'unclear'
    return {
      ...base,
      value: rows.map((row, i) => `${labels[i]}: ${withUnit(column.text(row), column) || '–'}`).join('; '),
    }
  }

  /** Whether all that the cells of a condition say is said in the question. */
  function isWhole({ column, rows: some }: Condition): boolean {
    return (made.cells.get(column) ?? []).every(
      ({ terms, rows: own }) => isCovered(terms, keywords) || !own.some((row) => some.has(row)),
    )
  }

  function lookUp(column: Col) {
    return { ...base, operation: 'value' as const, subject: column.header }
  }

  /** "Is V2 insured?" */
  function checked(): TableReading | Unclear | undefined {
    const [column, ...others] = free.filter(({ kind }) => kind === 'yes-no')
    const [row, ...more] = rows
    if (!column || others.length > 0 || !row || more.length > 0 || conditions.length === 0) return undefined
    const isYes = column.isYes(row)
    if (isYes === undefined || question.negated.size > 0) return 'unclear'
    return {
      ...base,
      operation: 'check',
      subject: column.header,
      value: isYes ? 'yes' : 'no',
      rows: [row],
      matching: 1,
    }
  }

  function sharedWith(column: Col, other: Col | undefined, all: ReadonlyMap<Col, Keyword[]>): boolean {
    const own = all.get(column) ?? []
    return (
      other !== undefined &&
      own.length > 0 &&
      own.every((keyword) => all.get(other)?.includes(keyword)) &&
      names.has(column)
    )
  }
}

// What follows in a name says more of the thing: "Wells of the district", "Members (2025)".
const BEHIND_NAME =
  /[(:,;–—]|(?<![\p{L}])(?:of|in|for|at|from|to|by|der|des|die|von|vom|für|im|am|aus|zu|de|du|d[’']|des|del|de la|en|à|au|para|pour|dans)(?![\p{L}]).*/isu

/** Whether the rows are what the words of the question are: a heading, the title or the file is called by them. */
function isCalledBy(
  { heading, title, file, kind }: SourceTable,
  keywords: readonly Keyword[],
  { language }: Typed,
): boolean {
  if (kind) return true
  const stem = file.replace(/\.[^.]+$/, '').replace(/[_-]/g, ' ')
  return [...heading.split(/\n| > /), title, stem].some((name) => {
    const said = [...words(name.replace(BEHIND_NAME, ''))].filter(
      ({ raw }) => !/\d/.test(raw) && !OF_TABLES.test(raw),
    )
    // English puts what a thing is last, the other languages first.
    const head = said.at(language === 'en' ? -1 : 0)
    return head !== undefined && isCovered([textTerms(head.raw, language)], keywords)
  })
}

const isCalculation = (operation: Operation): operation is 'sum' | 'mean' | 'min' | 'max' =>
  operation !== 'count' && NUMERIC.has(operation)

const MAX_LOOKED_UP = 3
const MAX_NAMES = 8
const MAX_NAME_LENGTH = 60

const distinct = (rows: readonly PassageRow[], column: Col): number =>
  new Set(rows.map((row) => column.text(row).toLowerCase()).filter(Boolean)).size

const MAX_DECIMALS = 2
const rounded = (value: string): string => new Decimal(value).toDecimalPlaces(MAX_DECIMALS).toFixed()

/** The value with the unit of its column, unless it has one. */
function withUnit(value: string, column: Col, unit = column.unit): string {
  return value === '' || !unit || /[\p{L}€$£¥%]/u.test(value) ? value : `${value} ${unit}`
}
