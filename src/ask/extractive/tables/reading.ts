// Reads the answer to a question from one table. It is read only if every word of the question names a column, the text of cells, the
// subject of the table or the operation. Pure.

import type { Language } from '../../../language/language.ts'
import { fold, words } from '../../../language/words.ts'
import { Decimal } from '../../compute/cell-value.ts'
import { compute } from '../../compute/compute.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { isColumnOf } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import type { CellReading } from './grid.ts'
import { type DatePhrase, NUMERIC, OF_TABLES, type Operation, SCALE, TOTAL_COLUMN } from './phrases.ts'
import { isCurrency, type TableQuestion } from './question.ts'
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
  unitOf,
} from './typed-table.ts'

export interface TableReading {
  table: SourceTable
  operation: Operation
  /** The column that was added up, compared or looked up, or the name of the counted things. */
  subject: string
  /** The result with its unit: a number, the text of a cell, yes or no. For a list the number of its rows. */
  value: string
  /** The conditions that the rows meet, as `Column: value`. */
  conditions: string[]
  /** The rows that the result is from. */
  rows: PassageRow[]
  /** How many rows are counted or were compared. */
  matching: number
  /** How many rows the table has without totals. */
  all: number
  /** The scale of the amounts as the table states it: "in thousand euros". Empty for none. */
  scale: string
  /** The result stands in a row of totals. */
  isTotalsRow: boolean
  /** The result is a sum, but the question asks for a number of things: "How many beds?" */
  isOfCount?: boolean
  /** The cells of the result or of its calculation, if the question names them by rows and columns (grid.ts). */
  cells?: CellReading
  /** The columns that are shown of each row. */
  columns: string[]
  /** The names of the rows, if there are only a few rows. */
  names: string[]
  /** How well the table matches the question, by words in its heading, title, columns and cells. */
  fit: number
}

/** The part of a question that a table answers. Nothing is stated as the answer. The reader sees the rows. */
export interface PartialReading {
  table: SourceTable
  /** The columns that the question names, beside those of conditions. */
  subjects: string[]
  conditions: string[]
  /** The rows that meet the conditions. None if a part of the table is missing. */
  rows: PassageRow[]
  all: number
  /** The results of each likely reading of the question, if the table contains all of its words. */
  results: Pick<TableReading, 'operation' | 'subject' | 'value' | 'matching'>[]
  /** The words whose meaning in the table is not certain. */
  unplaced: string[]
  /** The table contains all words of the question, so no other table can be certain. */
  hasAll: boolean
  /** The table contains enough of the question to be shown if nothing else answers. */
  isShown: boolean
  /** The question asks for several rows, so one of them is not the answer. */
  isOfMany: boolean
  fit: number
}

/** The answer from a table, or the part of the question that it answers. */
export type TableResult = { reading: TableReading } | { partial: PartialReading }

// A table with fewer columns or rows is a form or a list, in which words have other roles.
const MIN_COLUMNS = 2
const MIN_ROWS = 2

/**
 * The answer from the table if table, rows and column are certain, else the part of the question that it answers. Undefined if the
 * table contains too few words of the question.
 * @param questionKeywords the keywords of `question.rest`
 */
export function readTable(
  table: SourceTable,
  question: TableQuestion,
  questionKeywords: readonly Keyword[],
  language: Language,
): TableResult | undefined {
  const typed = typedOf(table, language)
  if (typed.columns.all.length === 0) return undefined
  const keywords = questionKeywords.map((keyword) => asNamed(keyword, typed))
  const roles = rolesOf(typed, question, keywords, table.isPartial)
  return readTyped(table, typed, { question, keywords }, roles)
}

const MIN_WEIGHT_SHARE = 0.5

/** Whether the table contains enough of the question by weight, and also the words for what the question asks for. */
function hasEnoughOfQuestion(
  { asked, key }: Typed,
  { question: { operation, rest }, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
  { unplaced, named, conditions, about, ofRows }: Roles,
  rows: readonly PassageRow[],
): boolean {
  const missingWords = new Set(unplaced.flatMap((said) => said.split(' ')))
  const content = keywords.filter(({ word }) => !OF_TABLES.test(word))
  const absentKeywords = content.filter(({ word }) => missingWords.has(word))
  const isNameOrNumber = (keyword: Keyword): boolean =>
    /^\d/.test(keyword.word) || (/^\p{Lu}/u.test(keyword.word) && keyword !== keywords[0] && asked !== 'de')
  if (content.length === 0 || absentKeywords.some(isNameOrNumber)) return false
  // A word that is only in cells is in many tables: "electric" is also in a table of meters. The whole name of a row is not.
  const [row, ...otherRows] = rows
  const isRowNamed =
    row !== undefined &&
    otherRows.length === 0 &&
    key !== undefined &&
    key.text(row) !== '' &&
    fold(rest).includes(fold(key.text(row)))
  const hasNamingWords = isRowNamed || named.size + about.length + ofRows.length > 0
  if (absentKeywords.length > 0 && !hasNamingWords) return false
  const [first, ...others] = content
  // "How many of the kids have an allergy?" for a table of pupils: only the name of the rows is missing.
  const isOnlyFirstAbsent =
    absentKeywords.length === 1 &&
    absentKeywords[0] === first &&
    others.length > 0 &&
    [...named.keys()].some((column) => column !== key)
  const weightOf = (all: readonly Keyword[]): number => all.reduce((sum, { weight }) => sum + weight, 0)
  const totalWeight = weightOf(content) * (1 + (missingWords.size - absentKeywords.length) / content.length)
  if (
    !isOnlyFirstAbsent &&
    !isRowNamed &&
    weightOf(content) - weightOf(absentKeywords) <= MIN_WEIGHT_SHARE * totalWeight
  )
    return false
  if (operation === 'value' || operation === 'check') return conditions.length > 0
  if (operation === 'rows') return conditions.length > 0 || rows.length <= MAX_UNFILTERED_ROWS
  return (
    operation !== 'count' ||
    isOnlyFirstAbsent ||
    !first ||
    !absentKeywords.includes(first) ||
    (first.isGeneric && named.size > 0)
  )
}

// A list of all rows is shown only if it has no more rows than this.
const MAX_UNFILTERED_ROWS = 10

/** The names of a table's columns, split into words. */
export const headersOf = (table: SourceTable): string[] => [
  ...new Set(table.rows.flatMap(({ cells }) => cells.map(({ header }) => splitHeader(header)))),
]

/** A reading of cells that the question names by rows and columns. */
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

function readTyped(
  table: SourceTable,
  typed: Typed,
  { question, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
  roles: Roles,
): TableResult | undefined {
  const { columns, key, names, language } = typed
  const persons = personColumn(typed)
  const { named, about, ofRows, fit } = roles
  const conditions = [...roles.conditions]
  const doubtful = [...roles.doubtful]
  const isUsed = (column: Col): boolean =>
    conditions.some((condition) => condition.column === column || condition.other === column)
  const freeColumns = [...named.keys()].filter((column) => !isUsed(column))
  const numberColumns = freeColumns.filter(({ kind }) => kind === 'number')
  const thingColumns = freeColumns.filter(({ kind }) => kind === 'text' || kind === 'code')
  const firstMentionOf = (column: Col): number =>
    Math.min(
      ...(named.get(column) ?? []).map((keyword) => keywords.indexOf(keyword)).filter((at) => at >= 0),
      keywords.length,
    )
  const isDenied = (keyword: Keyword): boolean => question.negated.has(keyword.word)
  const firstNounAt = Math.min(
    ...[...about, ...ofRows].filter((word) => !isDenied(word)).map((word) => keywords.indexOf(word)),
  )
  const namesSubject = (column: Col): boolean =>
    (named.get(column) ?? []).some((word) => about.includes(word))
  // The things that are counted or listed are named first: in "entries without a mobile number" they are the entries.
  const orderedThings = thingColumns
    .filter(
      (column) =>
        (firstMentionOf(column) <= firstNounAt || namesSubject(column)) &&
        !(named.get(column) ?? []).every(isDenied),
    )
    .toSorted((a, b) => firstMentionOf(a) - firstMentionOf(b))
  const [firstThing] = orderedThings
  // If one word names several columns, a column of names tells the reader more than one of codes.
  const thing =
    firstThing &&
    (orderedThings.find(
      (column) => isText(column) && firstMentionOf(column) === firstMentionOf(firstThing),
    ) ??
      firstThing)
  // "The cheapest part in the supplier list": a word for the subject of the table does not ask for a column.
  const isFurtherThing = (column: Col): boolean =>
    column !== thing &&
    !hasSameWords(column, thing, named) &&
    !(named.get(column) ?? []).every((keyword) => about.includes(keyword))
  const isCount = question.operation === 'count'
  const besideColumns = freeColumns.filter((column) => column !== thing && !numberColumns.includes(column))
  // "Entries without a mobile number", "members who have a deputy".
  for (const column of isCount || question.operation === 'rows' ? besideColumns : []) {
    if (hasSameWords(column, thing, named)) continue
    const isEmpty = (row: PassageRow): boolean => column.text(row) === ''
    const columnWords = (named.get(column) ?? []).map(({ word }) => word)
    if (!columns.rows.some(isEmpty)) {
      doubtful.push(...columnWords)
      continue
    }
    const isNegatedColumn = columnWords.some((word) => question.negated.has(word))
    conditions.push({
      column,
      rows: new Set(columns.rows.filter((row) => isEmpty(row) === isNegatedColumn)),
      label: `${column.header}: ${isNegatedColumn ? '–' : '✓'}`,
    })
  }
  // Every negated word must be in a condition.
  const deniedKeywords = keywords.filter(isDenied)
  const conditionColumns = new Set(conditions.map(({ column }) => column))
  const isInCondition = (keyword: Keyword): boolean =>
    !about.includes(keyword) &&
    [...named].every(([column, words]) => !words.includes(keyword) || conditionColumns.has(column))
  for (const word of question.negated)
    if (!deniedKeywords.some((keyword) => keyword.word === word && isInCondition(keyword)))
      doubtful.push(word)
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
  const asksForPersons = question.asksWho
  const isLinkedToRows = asksForPersons || thing !== undefined || about.length > 0 || ofRows.length > 0
  const areAllPlaced = roles.unplaced.length === 0
  // In a list of prices the column "Member" has no members.
  if ((isCount || question.operation === 'rows') && thing && hasMostlyAmounts(thing)) return undefined
  const answer = !areAllPlaced ? undefined : doubtful.length > 0 ? 'unclear' : readOperation()
  const isTable = columns.all.length >= MIN_COLUMNS && columns.rows.length >= MIN_ROWS
  if (answer && answer !== 'unclear' && isTable && !table.isPartial) return { reading: answer }
  const hasAll = answer !== undefined
  const isShown =
    isTable &&
    !table.isPartial &&
    hasEnoughOfQuestion(typed, { question, keywords }, { ...roles, conditions }, matching)
  return hasAll || isShown ? { partial: { ...readPartly(), hasAll, isShown } } : undefined

  function rowsWithKeyword(keyword: Keyword): ReadonlySet<PassageRow> {
    const all = [...typed.cells.values()].flat().filter(({ terms }) => has(terms, keyword))
    return new Set(all.length > 0 ? all.flatMap(({ rows }) => rows) : columns.rows)
  }

  function readOperation(): TableReading | Unclear | undefined {
    const isOfAll = question.operation !== 'value' && question.operation !== 'check'
    if (isOfAll && rows.some((row) => columns.unclear.has(row))) return 'unclear'
    switch (question.operation) {
      case 'count':
        return readCount()
      case 'rows':
        return readList()
      case 'value':
        return readCells()
      case 'check':
        return readCheck()
      default:
        return readCalculation(question.operation)
    }
  }

  /** A column of text may have amounts beside words such as "free". */
  function hasMostlyAmounts(column: Col): boolean {
    const amounts = columns.rows.filter((row) => column.number(row) !== undefined)
    return column.kind === 'text' && amounts.length * 2 > columns.rows.length
  }

  function readPartly(): Omit<PartialReading, 'hasAll' | 'isShown'> {
    const { operation } = question
    // "Have not handed in the consent form": if a word is not placed, a condition may mean yes or no.
    const hasUnplaced = roles.unplaced.length > 0
    const certainConditions = hasUnplaced
      ? roles.conditions.filter(({ column }) => column.kind !== 'yes-no')
      : conditions
    const isCalculated = operation !== 'count' && NUMERIC.has(operation)
    const figureOrUnclear = isCalculated ? figureColumn(operation) : undefined
    const figure = figureOrUnclear === 'unclear' ? undefined : figureOrUnclear
    // A word that is in cells of several columns at least selects the rows that contain it.
    const isInSeveralColumns = (keyword: Keyword): boolean =>
      doubtful.includes(keyword.word) &&
      !isDenied(keyword) &&
      [...named.values()].every((all) => !all.includes(keyword))
    const unassignedKeywords = question.notUnderstood.length > 0 ? [] : keywords.filter(isInSeveralColumns)
    const shownRows = columns.rows.filter(
      (row) =>
        certainConditions.every((one) => one.rows.has(row)) &&
        unassignedKeywords.every((keyword) => rowsWithKeyword(keyword).has(row)),
    )
    const order = operation === 'max' ? -1 : operation === 'min' ? 1 : 0
    const amount = (row: PassageRow): number => figure?.number(row)?.amount.toNumber() ?? 0
    const uncertainColumns = conditions
      .filter((one) => !certainConditions.includes(one))
      .map(({ column }) => column)
    // "If I am not a member" does not ask for the column "Member".
    const askedColumns = freeColumns.filter((column) => !(named.get(column) ?? []).some(isDenied))
    const subjects = [...(figure ? [figure] : []), ...askedColumns, ...uncertainColumns].map(
      ({ header }) => header,
    )
    return {
      table,
      subjects: [...new Set(subjects)],
      conditions: [...new Set(certainConditions.map(({ label }) => label))],
      rows: table.isPartial ? [] : shownRows.toSorted((a, b) => order * (amount(a) - amount(b))),
      all: columns.rows.length,
      results:
        hasUnplaced || doubtful.length > 0
          ? []
          : likelyResults(
              operation,
              freeColumns.filter((column) => column.kind === 'number'),
            ),
      unplaced: [...new Set([...roles.unplaced, ...doubtful])],
      // The answer to "How many days are there after 5 years?" may be in one cell.
      isOfMany: isCalculated || conditions.length > 0 || thing?.kind === 'text',
      fit: fit - (question.type === 'money' && !columns.all.some(mayHaveMoney) ? OTHER_COLUMN : 0),
    }
  }

  /** By its name, its unit, or amounts with decimals. */
  function mayHaveMoney(column: Col): boolean {
    if (isColumnOf('money', column.header) || isCurrency(unitOf(column))) return true
    return columns.rows.some((row) => column.number(row)?.amount.isInteger() === false)
  }

  /** The results for each column of numbers that the question names, else the number of rows. */
  function likelyResults(operation: Operation, figures: readonly Col[]): TableReading[] {
    if (!NUMERIC.has(operation) || table.isPartial || rows.some((row) => columns.unclear.has(row))) return []
    if (operation === 'count' && figures.length === 0)
      return rows.length > 0 ? [readingOfCount(rows, '', false)] : []
    return figures
      .flatMap((column) => calculateColumn(isCalculation(operation) ? operation : 'sum', column) ?? [])
      .filter((reading) => reading !== 'unclear')
  }

  function readCount(): TableReading | Unclear | undefined {
    const isNoun = thing !== undefined || about.some((keyword) => !isDenied(keyword)) || ofRows.length > 0
    const first = keywords[0]
    // "How many beds are there in Oulu?"
    const [number, ...others] = numberColumns
    if (number && first && named.get(number)?.includes(first))
      return others.length === 0 && !isColumnOf('money', number.header) ? readSum(number) : 'unclear'
    if (numberColumns.length > 0) return 'unclear'
    const hasYesNoCondition = conditions.some(({ column }) => column.kind === 'yes-no')
    if (!isNoun && !(hasYesNoCondition && about.length > 0)) return undefined
    if (orderedThings.some((column) => isFurtherThing(column) && !conditionColumns.has(column)))
      return 'unclear'
    // The rows of a table "Members' meeting" are not members.
    const isCertain = conditions.length > 0 || ofRows.length > 0 || isCalledBy(table, keywords, typed)
    if (!thing && !isCertain) return undefined
    if (!thing)
      return readingOfCount(
        rows,
        table.kind ?? ofRows[0]?.word ?? about.map(({ word }) => word).join(' '),
        false,
      )
    const rowByText = new Map<string, PassageRow>()
    for (const row of rows) {
      const text = thing.text(row).toLowerCase()
      if (text && !rowByText.has(text)) rowByText.set(text, row)
    }
    return readingOfCount([...rowByText.values()], thing.header, rowByText.size < rows.length)
  }

  function readingOfCount(countedRows: PassageRow[], subject: string, isDistinct: boolean): TableReading {
    const citedRows = countedRows.length > 0 ? countedRows : columns.rows.slice(0, 1)
    return {
      ...base,
      operation: 'count',
      subject,
      value: String(countedRows.length),
      rows: citedRows,
      matching: countedRows.length,
      all: isDistinct && thing ? distinctCount(columns.rows, thing) : base.all,
    }
  }

  function readSum(column: Col): TableReading | Unclear | undefined {
    if (rows.length === 1 && rows[0]) return readCell(rows[0], column)
    const sum = calculateColumn('sum', column)
    return typeof sum === 'object' ? { ...sum, isOfCount: true } : sum
  }

  function readCell(row: PassageRow, column: Col): TableReading {
    return {
      ...base,
      operation: 'value',
      subject: column.header,
      value: withUnit(column.text(row), column),
      rows: [row],
      matching: 1,
    }
  }

  function readCalculation(operation: 'sum' | 'mean' | 'min' | 'max'): TableReading | Unclear | undefined {
    const figureOrUnclear = figureColumn(operation)
    if (figureOrUnclear === 'unclear') return figureOrUnclear
    const dateColumn = figureOrUnclear ? undefined : dateColumnFor(question.ofDates)
    if (dateColumn === 'unclear') return dateColumn
    const column = figureOrUnclear ?? dateColumn
    if (!column) return undefined
    // If a customer has several rows, "Which customer has the highest amount?" could mean the sum of them.
    if (operation !== 'sum' && thing && distinctCount(rows, thing) < rows.length) return 'unclear'
    if (orderedThings.some(isFurtherThing)) return 'unclear'
    if (!isLinkedToRows && conditions.length === 0 && !named.has(column)) return undefined
    return calculateColumn(dateColumn ? (question.ofDates?.operation ?? operation) : operation, column)
  }

  function dateColumnFor(phrase: DatePhrase | undefined): Col | Unclear | undefined {
    const [column, ...others] = columns.all.filter(
      ({ kind, header }) =>
        phrase !== undefined && kind === 'date' && phrase.column.test(splitHeader(header)),
    )
    return others.length > 0 ? 'unclear' : column
  }

  function calculateColumn(
    operation: 'sum' | 'mean' | 'min' | 'max',
    column: Col,
  ): TableReading | Unclear | undefined {
    if (rows.length === 0) return undefined
    const isReadable = (row: PassageRow): boolean =>
      column.kind === 'date' ? column.when(row).length > 0 : column.number(row) !== undefined
    // A cell that cannot be read would be left out without notice.
    if (rows.some((row) => column.text(row) !== '' && !/^[-–—]$/.test(column.text(row)) && !isReadable(row)))
      return 'unclear'
    const hasAllRows = rows.length === columns.rows.length
    const totalRow = hasAllRows && operation === 'sum' ? totalsRow(column) : undefined
    if (totalRow === 'unclear') return 'unclear'
    if (totalRow)
      return {
        ...base,
        operation,
        subject: column.header,
        value: withUnit(column.text(totalRow), column),
        rows: [totalRow],
        matching: base.all,
        isTotalsRow: true,
      }
    const result = compute(rows, { operation, columns: [column.header] }, language)
    if (result.kind !== 'value' || (!result.exact && operation !== 'mean')) return 'unclear'
    const isExtreme = operation === 'min' || operation === 'max'
    // "The cheapest" is about prices rather than budgets.
    const isOfOtherKind =
      question.column && !question.column.test(`${splitHeader(column.header)} ${column.unit}`)
    return {
      ...base,
      fit: fit - (isOfOtherKind ? OTHER_COLUMN : 0),
      operation,
      subject: column.header,
      // An extreme is written as in its cell, which may also be a date.
      value:
        isExtreme && result.rows[0]
          ? withUnit(column.text(result.rows[0]), column)
          : withUnit(operation === 'mean' ? roundedMean(result.value) : result.value, column, result.unit),
      rows: isExtreme ? result.rows : rows,
      matching: rows.length,
      names: isExtreme ? namesOf(result.rows, thing ?? (asksForPersons ? persons : undefined) ?? key) : [],
    }
  }

  function namesOf(some: readonly PassageRow[], column: Col | undefined): string[] {
    const texts = column ? some.map((row) => column.text(row)) : []
    return texts.length <= MAX_NAMES && texts.every((text) => text !== '' && text.length <= MAX_NAME_LENGTH)
      ? texts
      : []
  }

  /** The row with the sum of the whole column. It is `unclear` if there are rows of totals, but none is the sum. */
  function totalsRow(column: Col): PassageRow | 'unclear' | undefined {
    const totals = columns.totals.filter((row) => column.number(row))
    if (totals.length === 0) return undefined
    const sum = compute(columns.rows, { operation: 'sum', columns: [column.header] }, language)
    const matchingTotals = totals.filter((row) => {
      const totalWeight = column.number(row)?.amount
      if (sum.kind !== 'value' || !totalWeight) return false
      const decimalsOfRows = columns.rows.map((one) => column.number(one)?.amount.decimalPlaces() ?? 0)
      // Rows may have more decimals than their total.
      const decimals = totalWeight.decimalPlaces()
      const isRounded = decimals < Math.max(...decimalsOfRows)
      return totalWeight.eq(isRounded ? new Decimal(sum.value).toDecimalPlaces(decimals) : sum.value)
    })
    return matchingTotals.at(-1) ?? 'unclear'
  }

  function figureColumn(operation: Operation): Col | Unclear | undefined {
    const isFigure = ({ kind }: Col): boolean =>
      kind === 'number' || (kind === 'date' && operation !== 'sum' && operation !== 'mean')
    const figures = columns.all.filter((column) => isFigure(column) && !isUsed(column))
    const name = (column: Col): string => `${splitHeader(column.header)} ${column.unit}`
    const { column: columnPattern } = question
    // "The cheapest piece" is not about the column "Pieces from".
    const isOfKind = (column: Col): boolean =>
      !columnPattern || columnPattern.test(name(column)) || isColumnOf(question.type, name(column))
    const mostNamedColumns = columnsNamedMost(
      figures.filter((column) => named.has(column) && isOfKind(column)),
    )
    if (mostNamedColumns.length === 1) return mostNamedColumns[0]
    if (mostNamedColumns.length > 1) return 'unclear'
    // A column with numbers and words, such as "see note", cannot be calculated with.
    const numberCount = (column: Col): number => columns.rows.filter((row) => column.number(row)).length
    if (freeColumns.some((column) => isText(column) && numberCount(column) >= columns.rows.length / 2))
      return 'unclear'
    // If the columns that the question names are not numbers, the word of the operation decides.
    if (columnPattern) {
      const namedFigures = figures.filter((column) => columnPattern.test(name(column)))
      if (namedFigures.length === 1) return namedFigures[0]
    }
    const { usual: usualPattern } = question
    const usualFigures = usualPattern ? figures.filter((column) => usualPattern.test(name(column))) : []
    if (usualFigures.length > 0) return usualFigures.length === 1 ? usualFigures[0] : 'unclear'
    const columnsOfType =
      question.type === 'date'
        ? figures.filter(({ kind }) => kind === 'date')
        : figures.filter((column) => isColumnOf(question.type, name(column)))
    if (columnsOfType.length === 1) return columnsOfType[0]
    if (columnsOfType.length > 1) return 'unclear'
    if (operation !== 'sum' || columnPattern) return undefined
    const totals = figures.filter((column) => TOTAL_COLUMN.test(splitHeader(column.header)))
    const [column, ...others] = totals.length > 0 ? totals : figures
    return others.length > 0 ? 'unclear' : column
  }

  function columnsNamedMost(some: readonly Col[]): Col[] {
    const nameCount = (column: Col): number => named.get(column)?.length ?? 0
    const highestCount = Math.max(0, ...some.map(nameCount))
    return some.filter((column) => nameCount(column) === highestCount)
  }

  function readList(): TableReading | Unclear | undefined {
    // A column of names tells the reader more than one of codes.
    const nameColumn =
      thing?.kind === 'code'
        ? columns.all.find(
            (column) =>
              column.kind === 'text' &&
              !column.isOfTime &&
              distinctCount(columns.rows, column) === columns.rows.length,
          )
        : thing
    const subject =
      nameColumn ??
      thing ??
      (asksForPersons ? persons : about.length > 0 || ofRows.length > 0 ? key : undefined)
    if (!subject) return undefined
    if (numberColumns.length > 0) return 'unclear'
    if (conditions.length === 0 && (about.length === 0 || named.size > 1)) return undefined
    const rowByText = new Map<string, PassageRow>()
    for (const row of rows) {
      const text = subject.text(row).toLowerCase()
      if (text && !rowByText.has(text)) rowByText.set(text, row)
    }
    const [only, ...others] = rowByText.values()
    if (!only) return undefined
    // A single thing is the answer and not a list.
    if (others.length === 0 && conditions.length > 0)
      return { ...readCell(only, subject), rows: rows.slice(0, 1) }
    const names = namesOf([...rowByText.values()], subject)
    // All rows are shown with their names: "which animals are insured" may ask for the kinds or for each animal.
    const shownRows = names.length > 0 ? rows : [...rowByText.values()]
    return {
      ...base,
      operation: 'rows',
      subject: subject.header,
      value: String(shownRows.length),
      rows: shownRows,
      matching: rows.length,
      names,
      columns: [subject.header, ...base.columns],
    }
  }

  /** The cells of one column in the rows that meet the conditions. */
  function readCells(): TableReading | Unclear | undefined {
    if (conditions.length === 0 || rows.length === 0) return undefined
    const isRange = conditions.some(({ column }) => column.kind === 'range' || column === columns.ends?.from)
    const isSelective = question.periods.length > 0 || isRange
    if (rows.length > MAX_LOOKED_UP_ROWS) return isSelective ? 'unclear' : undefined
    // "The LTE modem" may be a different one than "LTE modem, band 3".
    if (!isSelective && !conditions.every(coversCells)) return undefined
    const namedColumns = columnsNamedMost(freeColumns.filter(({ kind }) => kind !== 'yes-no'))
    const others = columns.all.filter(
      (column) => !isUsed(column) && column !== columns.ends?.from && column !== columns.ends?.to,
    )
    const columnsOfType = others.filter((column) =>
      isColumnOf(question.type, `${splitHeader(column.header)} ${column.unit}`),
    )
    const [column, ...more] =
      namedColumns.length > 0
        ? namedColumns
        : columnsOfType.length > 0
          ? columnsOfType
          : isSelective
            ? others
            : []
    if (!column) return undefined
    if (more.length > 0) return isSelective ? 'unclear' : undefined
    const values = [...new Set(rows.map((row) => column.text(row)))]
    // If two ranges share a bound, only one of them applies.
    if (isRange && values.length > 1) return 'unclear'
    const base = { ...fieldsOfLookUp(column), rows, matching: rows.length }
    const [value = ''] = values
    if (values.length === 1) return { ...base, value: withUnit(value, column) }
    const labels = namesOf(rows, key ?? columns.all.find(isText))
    if (labels.length !== rows.length) return 'unclear'
    return {
      ...base,
      value: rows.map((row, i) => `${labels[i]}: ${withUnit(column.text(row), column) || '–'}`).join('; '),
    }
  }

  /** Whether the question contains all words of the cells that meet a condition. */
  function coversCells({ column, rows: conditionRows }: Condition): boolean {
    return (typed.cells.get(column) ?? []).every(
      ({ terms, rows: cellRows }) =>
        isCovered(terms, keywords) || !cellRows.some((row) => conditionRows.has(row)),
    )
  }

  function fieldsOfLookUp(column: Col) {
    return { ...base, operation: 'value' as const, subject: column.header }
  }

  /** "Is V2 insured?" */
  function readCheck(): TableReading | Unclear | undefined {
    const [column, ...others] = freeColumns.filter(({ kind }) => kind === 'yes-no')
    const [row, ...more] = rows
    if (!column || others.length > 0 || !row || more.length > 0 || conditions.length === 0) return undefined
    const answersYes = column.isYes(row)
    if (answersYes === undefined || question.negated.size > 0) return 'unclear'
    return {
      ...base,
      operation: 'check',
      subject: column.header,
      value: answersYes ? 'yes' : 'no',
      rows: [row],
      matching: 1,
    }
  }

  function hasSameWords(column: Col, other: Col | undefined, all: ReadonlyMap<Col, Keyword[]>): boolean {
    const columnWords = all.get(column) ?? []
    return (
      other !== undefined &&
      columnWords.length > 0 &&
      columnWords.every((keyword) => all.get(other)?.includes(keyword)) &&
      names.has(column)
    )
  }
}

// The part of a name behind its head, which only describes the thing: "Wells of the district", "Members (2025)".
const AFTER_HEAD_OF_NAME =
  /[(:,;–—]|(?<![\p{L}])(?:of|in|for|at|from|to|by|der|des|die|von|vom|für|im|am|aus|zu|de|du|d[’']|des|del|de la|en|à|au|para|pour|dans)(?![\p{L}]).*/isu

/** Whether the keywords name the rows: the head of a heading, of the title or of the file name is a keyword. */
function isCalledBy(
  { heading, title, file, kind }: SourceTable,
  keywords: readonly Keyword[],
  { language }: Typed,
): boolean {
  if (kind) return true
  const stem = file.replace(/\.[^.]+$/, '').replace(/[_-]/g, ' ')
  return [...heading.split(/\n| > /), title, stem].some((name) => {
    const nameWords = [...words(name.replace(AFTER_HEAD_OF_NAME, ''))].filter(
      ({ raw }) => !/\d/.test(raw) && !OF_TABLES.test(raw),
    )
    // The head of a name is last in English and first in the other languages.
    const head = nameWords.at(language === 'en' ? -1 : 0)
    return head !== undefined && isCovered([textTerms(head.raw, language)], keywords)
  })
}

const isCalculation = (operation: Operation): operation is 'sum' | 'mean' | 'min' | 'max' =>
  operation !== 'count' && NUMERIC.has(operation)

const MAX_LOOKED_UP_ROWS = 3
const MAX_NAMES = 8
const MAX_NAME_LENGTH = 60

const distinctCount = (rows: readonly PassageRow[], column: Col): number =>
  new Set(rows.map((row) => column.text(row).toLowerCase()).filter(Boolean)).size

const MAX_DECIMALS = 2
const roundedMean = (value: string): string => new Decimal(value).toDecimalPlaces(MAX_DECIMALS).toFixed()

/** The value with the unit of its column, unless it contains a unit. */
function withUnit(value: string, column: Col, unit = column.unit): string {
  return value === '' || !unit || /[\p{L}€$£¥%]/u.test(value) ? value : `${value} ${unit}`
}
