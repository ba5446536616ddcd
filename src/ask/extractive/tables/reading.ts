// Reads the answer to a question from one table. There is an answer only if every word of the question has a role: it is a column
// name, the text of a cell, the subject of the table, or the operation. Pure.

import type { Language } from '../../../language/language.ts'
import { fold, words } from '../../../language/words.ts'
import { Decimal } from '../../compute/cell-value.ts'
import { compute } from '../../compute/compute.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { isColumnOfType } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import type { CellReading } from './grid.ts'
import {
  type DatePhrase,
  NUMERIC_OPERATIONS,
  type Operation,
  SCALE,
  TABLE_WORDS,
  TOTAL_COLUMN,
} from './phrases.ts'
import { isCurrency, type TableQuestion } from './question.ts'
import { OTHER_COLUMN_PENALTY, type Roles, rolesOf } from './roles.ts'
import {
  type Condition,
  has,
  isCoveredBy,
  isTextColumn,
  personColumn,
  splitHeader,
  type TableColumn,
  type TypedTable,
  typeTable,
  type Unclear,
  unitOf,
  withSynonyms,
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
  /** The number of rows that were counted or compared. */
  matching: number
  /** The number of rows of the table, without rows of totals. */
  all: number
  /** The scale of the amounts as the table states it: "in thousand euros". Empty for none. */
  scale: string
  /** Whether the result is from a row of totals. */
  isTotalsRow: boolean
  /** Whether the result is a sum, but the question asks for a number of things: "How many beds?" */
  isSumForCount?: boolean
  /** The cells of the result or of its calculation, if the question names them by rows and columns (grid.ts). */
  cells?: CellReading
  /** The columns that are shown of each row. */
  columns: string[]
  /** The names of the rows, if there are only a few rows. */
  names: string[]
  /** How well the table matches the question, by words in its heading, title, columns and cells. */
  fit: number
}

/** The part of a question that a table answers. The rows are shown, but no answer is stated. */
export interface PartialReading {
  table: SourceTable
  /** The columns that the question names, without those of conditions. */
  subjects: string[]
  conditions: string[]
  /** The rows that meet the conditions. Empty if a part of the table is missing. */
  rows: PassageRow[]
  all: number
  /** The results of each likely reading of the question, if the table contains all of its words. */
  results: Pick<TableReading, 'operation' | 'subject' | 'value' | 'matching'>[]
  /** The words whose meaning in the table is not certain. */
  unplacedWords: string[]
  /** Whether the table contains all words of the question. Then an answer from another table is not certain. */
  containsAllWords: boolean
  /** Whether the table contains enough of the question to be shown if nothing else answers. */
  isShown: boolean
  /** Whether the question asks for several rows, so that one of them is not the answer. */
  asksForManyRows: boolean
  fit: number
}

/** The answer from a table, or the part of the question that it answers. */
export type TableResult = { reading: TableReading } | { partial: PartialReading }

// A table with fewer columns or rows is a form or a list, in which words have other roles.
const MIN_COLUMNS = 2
const MIN_ROWS = 2

/**
 * The answer from the table if its rows and its column are certain, else the part of the question that the table answers. Undefined
 * if the table contains too few words of the question.
 * @param questionKeywords the keywords of `question.rest`
 */
export function readTable(
  table: SourceTable,
  question: TableQuestion,
  questionKeywords: readonly Keyword[],
  language: Language,
): TableResult | undefined {
  const typed = typeTable(table, language)
  if (typed.columns.all.length === 0) return undefined
  const keywords = questionKeywords.map((keyword) => withSynonyms(keyword, typed))
  const roles = rolesOf(typed, question, keywords, table.isPartial)
  return readTyped(table, typed, { question, keywords }, roles)
}

/** The words in lower case, with single spaces between them. */
const foldedWords = (text: string): string => [...words(text)].map(({ raw }) => fold(raw)).join(' ')

// The share of the question's weight that must be in the table.
const MIN_WEIGHT_SHARE = 0.5

/** Whether the table contains enough of the question by weight, and the words for the thing that the question asks for. */
function hasEnoughOfQuestion(
  { questionLanguage, key }: TypedTable,
  { question: { operation, rest }, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
  { unplacedWords, columnKeywords, conditions, about, rowKeywords }: Roles,
  rows: readonly PassageRow[],
): boolean {
  const missingWords = new Set(unplacedWords.flatMap((text) => text.split(' ')))
  const contentKeywords = keywords.filter(({ word }) => !TABLE_WORDS.test(word))
  const absentKeywords = contentKeywords.filter(({ word }) => missingWords.has(word))
  const isNameOrNumber = (keyword: Keyword): boolean =>
    /^\d/.test(keyword.word) ||
    (/^\p{Lu}/u.test(keyword.word) && keyword !== keywords[0] && questionLanguage !== 'de')
  if (contentKeywords.length === 0 || absentKeywords.some(isNameOrNumber)) return false
  // A word that is only in cells is in many tables: "electric" is also in a table of meters. The whole name of a row is not.
  const [row, ...otherRows] = rows
  const isRowNamed =
    row !== undefined &&
    otherRows.length === 0 &&
    key !== undefined &&
    /\p{L}{3}/u.test(key.text(row)) &&
    ` ${foldedWords(rest)} `.includes(` ${foldedWords(key.text(row))} `)
  const hasNamingWords = isRowNamed || columnKeywords.size + about.length + rowKeywords.length > 0
  if (absentKeywords.length > 0 && !hasNamingWords) return false
  const [first, ...others] = contentKeywords
  // "How many of the kids have an allergy?" for a table of pupils: only the name of the rows is missing.
  const isOnlyFirstAbsent =
    absentKeywords.length === 1 &&
    absentKeywords[0] === first &&
    others.length > 0 &&
    [...columnKeywords.keys()].some((column) => column !== key)
  const weightOf = (some: readonly Keyword[]): number => some.reduce((sum, { weight }) => sum + weight, 0)
  // A missing word that is not a keyword counts with the mean weight of the keywords.
  const missingOtherWords = missingWords.size - absentKeywords.length
  const totalWeight = weightOf(contentKeywords) * (1 + missingOtherWords / contentKeywords.length)
  const presentWeight = weightOf(contentKeywords) - weightOf(absentKeywords)
  if (!isOnlyFirstAbsent && !isRowNamed && presentWeight <= MIN_WEIGHT_SHARE * totalWeight) return false
  if (operation === 'value' || operation === 'check') return conditions.length > 0
  if (operation === 'rows') return conditions.length > 0 || rows.length <= MAX_UNFILTERED_ROWS
  return (
    operation !== 'count' ||
    isOnlyFirstAbsent ||
    !first ||
    !absentKeywords.includes(first) ||
    (first.isGeneric && columnKeywords.size > 0)
  )
}

// A list of all rows of a table is shown only if the table has at most this many.
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
  typed: TypedTable,
  { question, keywords }: { question: TableQuestion; keywords: readonly Keyword[] },
  roles: Roles,
): TableResult | undefined {
  const { columns, key, names, language } = typed
  const persons = personColumn(typed)
  const { columnKeywords, about, rowKeywords, fit } = roles
  const conditions = [...roles.conditions]
  const doubtfulWords = [...roles.doubtfulWords]
  const isUsed = (column: TableColumn): boolean =>
    conditions.some((condition) => condition.column === column || condition.other === column)
  const freeColumns = [...columnKeywords.keys()].filter((column) => !isUsed(column))
  const numberColumns = freeColumns.filter(({ kind }) => kind === 'number')
  const thingColumns = freeColumns.filter(({ kind }) => kind === 'text' || kind === 'code')
  const firstMentionOf = (column: TableColumn): number =>
    Math.min(
      ...(columnKeywords.get(column) ?? [])
        .map((keyword) => keywords.indexOf(keyword))
        .filter((at) => at >= 0),
      keywords.length,
    )
  const isDenied = (keyword: Keyword): boolean => question.negated.has(keyword.word)
  const firstNounAt = Math.min(
    ...[...about, ...rowKeywords].filter((word) => !isDenied(word)).map((word) => keywords.indexOf(word)),
  )
  const namesSubject = (column: TableColumn): boolean =>
    (columnKeywords.get(column) ?? []).some((word) => about.includes(word))
  // The things that are counted or listed come first in the question: the entries in "entries without a mobile number".
  const orderedThings = thingColumns
    .filter(
      (column) =>
        (firstMentionOf(column) <= firstNounAt || namesSubject(column)) &&
        !(columnKeywords.get(column) ?? []).every(isDenied),
    )
    .toSorted((a, b) => firstMentionOf(a) - firstMentionOf(b))
  const [firstThing] = orderedThings
  // If one word names several columns, a column of texts is preferred, because the reader understands names better than codes.
  const thing =
    firstThing &&
    (orderedThings.find(
      (column) => isTextColumn(column) && firstMentionOf(column) === firstMentionOf(firstThing),
    ) ??
      firstThing)
  // In "the cheapest part in the supplier list", "supplier" is the subject of the table and does not ask for a column.
  const isFurtherThing = (column: TableColumn): boolean =>
    column !== thing &&
    !hasSameWords(column, thing, columnKeywords) &&
    !(columnKeywords.get(column) ?? []).every((keyword) => about.includes(keyword))
  const isCount = question.operation === 'count'
  const besideColumns = freeColumns.filter((column) => column !== thing && !numberColumns.includes(column))
  // Conditions that a cell is empty or not: "entries without a mobile number", "members who have a deputy".
  for (const column of isCount || question.operation === 'rows' ? besideColumns : []) {
    if (hasSameWords(column, thing, columnKeywords)) continue
    const isEmpty = (row: PassageRow): boolean => column.text(row) === ''
    const columnWords = (columnKeywords.get(column) ?? []).map(({ word }) => word)
    if (!columns.rows.some(isEmpty)) {
      doubtfulWords.push(...columnWords)
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
    [...columnKeywords].every(([column, words]) => !words.includes(keyword) || conditionColumns.has(column))
  for (const word of question.negated)
    if (!deniedKeywords.some((keyword) => keyword.word === word && isInCondition(keyword)))
      doubtfulWords.push(word)
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
      ...[...columnKeywords.keys()].map(({ header }) => header),
      ...conditions.map(({ column }) => column.header),
    ],
  }
  const asksForPersons = question.asksForPersons
  const isLinkedToRows = asksForPersons || thing !== undefined || about.length > 0 || rowKeywords.length > 0
  const areAllPlaced = roles.unplacedWords.length === 0
  // In a list of prices, the column "Member" contains prices and no members.
  if ((isCount || question.operation === 'rows') && thing && hasMostlyAmounts(thing)) return undefined
  const answer = !areAllPlaced ? undefined : doubtfulWords.length > 0 ? 'unclear' : readOperation()
  const isTable = columns.all.length >= MIN_COLUMNS && columns.rows.length >= MIN_ROWS
  if (answer && answer !== 'unclear' && isTable && !table.isPartial) return { reading: answer }
  const containsAllWords = answer !== undefined
  const isShown =
    isTable &&
    !table.isPartial &&
    hasEnoughOfQuestion(typed, { question, keywords }, { ...roles, conditions }, matching)
  return containsAllWords || isShown ? { partial: { ...readPartly(), containsAllWords, isShown } } : undefined

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

  /** Whether most cells of a text column are amounts, beside words such as "free". */
  function hasMostlyAmounts(column: TableColumn): boolean {
    const amounts = columns.rows.filter((row) => column.number(row) !== undefined)
    return column.kind === 'text' && amounts.length * 2 > columns.rows.length
  }

  function readPartly(): Omit<PartialReading, 'containsAllWords' | 'isShown'> {
    const { operation } = question
    // If a word has no role, it is uncertain whether a yes-no condition means yes or no: "have not handed in the consent form".
    const hasUnplaced = roles.unplacedWords.length > 0
    const certainConditions = hasUnplaced
      ? roles.conditions.filter(({ column }) => column.kind !== 'yes-no')
      : conditions
    const isCalculated = operation !== 'count' && NUMERIC_OPERATIONS.has(operation)
    const figureOrUnclear = isCalculated ? figureColumn(operation) : undefined
    const figure = figureOrUnclear === 'unclear' ? undefined : figureOrUnclear
    // A word that is in cells of several columns selects the rows that contain it.
    const isInSeveralColumns = (keyword: Keyword): boolean =>
      doubtfulWords.includes(keyword.word) &&
      !isDenied(keyword) &&
      [...columnKeywords.values()].every((all) => !all.includes(keyword))
    const unassignedKeywords = question.unsupportedWords.length > 0 ? [] : keywords.filter(isInSeveralColumns)
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
    const askedColumns = freeColumns.filter((column) => !(columnKeywords.get(column) ?? []).some(isDenied))
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
        hasUnplaced || doubtfulWords.length > 0
          ? []
          : likelyResults(
              operation,
              freeColumns.filter((column) => column.kind === 'number'),
            ),
      unplacedWords: [...new Set([...roles.unplacedWords, ...doubtfulWords])],
      // A count without conditions may have its answer in one cell: "How many days are there after 5 years?"
      asksForManyRows: isCalculated || conditions.length > 0 || thing?.kind === 'text',
      fit: fit - (question.type === 'money' && !columns.all.some(mayHaveMoney) ? OTHER_COLUMN_PENALTY : 0),
    }
  }

  /** By its name, its unit, or amounts with decimals. */
  function mayHaveMoney(column: TableColumn): boolean {
    if (isColumnOfType('money', column.header) || isCurrency(unitOf(column))) return true
    return columns.rows.some((row) => column.number(row)?.amount.isInteger() === false)
  }

  /** The results for each column of numbers that the question names, else the number of rows. */
  function likelyResults(operation: Operation, figures: readonly TableColumn[]): TableReading[] {
    if (!NUMERIC_OPERATIONS.has(operation) || table.isPartial || rows.some((row) => columns.unclear.has(row)))
      return []
    if (operation === 'count' && figures.length === 0)
      return rows.length > 0 ? [readingOfCount(rows, '', false)] : []
    return figures
      .flatMap((column) => calculateColumn(isCalculation(operation) ? operation : 'sum', column) ?? [])
      .filter((reading) => reading !== 'unclear')
  }

  function readCount(): TableReading | Unclear | undefined {
    const isNoun =
      thing !== undefined || about.some((keyword) => !isDenied(keyword)) || rowKeywords.length > 0
    const first = keywords[0]
    // "How many beds are there in Oulu?"
    const [number, ...others] = numberColumns
    if (number && first && columnKeywords.get(number)?.includes(first))
      return others.length === 0 && !isColumnOfType('money', number.header) ? readSum(number) : 'unclear'
    if (numberColumns.length > 0) return 'unclear'
    const hasYesNoCondition = conditions.some(({ column }) => column.kind === 'yes-no')
    if (!isNoun && !(hasYesNoCondition && about.length > 0)) return undefined
    if (orderedThings.some((column) => isFurtherThing(column) && !conditionColumns.has(column)))
      return 'unclear'
    // Without conditions the rows must be called by a keyword: the rows of a table "Members' meeting" are not members.
    const isCertain = conditions.length > 0 || rowKeywords.length > 0 || isCalledBy(table, keywords, typed)
    if (!thing && !isCertain) return undefined
    if (!thing)
      return readingOfCount(
        rows,
        table.kind ?? rowKeywords[0]?.word ?? about.map(({ word }) => word).join(' '),
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

  function readSum(column: TableColumn): TableReading | Unclear | undefined {
    if (rows.length === 1 && rows[0]) return readCell(rows[0], column)
    const sum = calculateColumn('sum', column)
    return typeof sum === 'object' ? { ...sum, isSumForCount: true } : sum
  }

  function readCell(row: PassageRow, column: TableColumn): TableReading {
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
    const dateColumn = figureOrUnclear ? undefined : dateColumnFor(question.dateOperation)
    if (dateColumn === 'unclear') return dateColumn
    const column = figureOrUnclear ?? dateColumn
    if (!column) return undefined
    // If a customer has several rows, "Which customer has the highest amount?" could mean the sum of the rows.
    if (operation !== 'sum' && thing && distinctCount(rows, thing) < rows.length) return 'unclear'
    if (orderedThings.some(isFurtherThing)) return 'unclear'
    if (!isLinkedToRows && conditions.length === 0 && !columnKeywords.has(column)) return undefined
    return calculateColumn(dateColumn ? (question.dateOperation?.operation ?? operation) : operation, column)
  }

  function dateColumnFor(phrase: DatePhrase | undefined): TableColumn | Unclear | undefined {
    const [column, ...others] = columns.all.filter(
      ({ kind, header }) =>
        phrase !== undefined && kind === 'date' && phrase.column.test(splitHeader(header)),
    )
    return others.length > 0 ? 'unclear' : column
  }

  function calculateColumn(
    operation: 'sum' | 'mean' | 'min' | 'max',
    column: TableColumn,
  ): TableReading | Unclear | undefined {
    if (rows.length === 0) return undefined
    const isReadable = (row: PassageRow): boolean =>
      column.kind === 'date' ? column.when(row).length > 0 : column.number(row) !== undefined
    // A cell that cannot be read would silently be left out of the calculation.
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
    // "The cheapest" fits a column of prices better than a column of budgets.
    const isOfOtherKind =
      question.column && !question.column.test(`${splitHeader(column.header)} ${column.unit}`)
    return {
      ...base,
      fit: fit - (isOfOtherKind ? OTHER_COLUMN_PENALTY : 0),
      operation,
      subject: column.header,
      // An extreme is shown as its cell writes it, because it may be a date.
      value:
        isExtreme && result.rows[0]
          ? withUnit(column.text(result.rows[0]), column)
          : withUnit(operation === 'mean' ? roundedMean(result.value) : result.value, column, result.unit),
      rows: isExtreme ? result.rows : rows,
      matching: rows.length,
      names: isExtreme ? namesOf(result.rows, thing ?? (asksForPersons ? persons : undefined) ?? key) : [],
    }
  }

  /** The texts of the column in the rows. Empty if there are too many of them, or if one is empty or too long for a name. */
  function namesOf(namedRows: readonly PassageRow[], column: TableColumn | undefined): string[] {
    const texts = column ? namedRows.map((row) => column.text(row)) : []
    return texts.length <= MAX_NAMES && texts.every((text) => text !== '' && text.length <= MAX_NAME_LENGTH)
      ? texts
      : []
  }

  /** The row with the sum of the whole column. `unclear` if there are rows of totals and none of them is the sum. */
  function totalsRow(column: TableColumn): PassageRow | 'unclear' | undefined {
    const totals = columns.totals.filter((row) => column.number(row))
    if (totals.length === 0) return undefined
    const sum = compute(columns.rows, { operation: 'sum', columns: [column.header] }, language)
    const matchingTotals = totals.filter((row) => {
      const totalAmount = column.number(row)?.amount
      if (sum.kind !== 'value' || !totalAmount) return false
      const decimalsOfRows = columns.rows.map((one) => column.number(one)?.amount.decimalPlaces() ?? 0)
      // Rows may have more decimals than their total.
      const decimals = totalAmount.decimalPlaces()
      const isRounded = decimals < Math.max(...decimalsOfRows)
      return totalAmount.eq(isRounded ? new Decimal(sum.value).toDecimalPlaces(decimals) : sum.value)
    })
    return matchingTotals.at(-1) ?? 'unclear'
  }

  /** The column that is calculated with: one that the question names, else one that fits the word of the operation or its type. */
  function figureColumn(operation: Operation): TableColumn | Unclear | undefined {
    const isFigure = ({ kind }: TableColumn): boolean =>
      kind === 'number' || (kind === 'date' && operation !== 'sum' && operation !== 'mean')
    const figures = columns.all.filter((column) => isFigure(column) && !isUsed(column))
    const name = (column: TableColumn): string => `${splitHeader(column.header)} ${column.unit}`
    const { column: columnPattern } = question
    // "The cheapest piece" is not about the column "Pieces from".
    const isOfKind = (column: TableColumn): boolean =>
      !columnPattern || columnPattern.test(name(column)) || isColumnOfType(question.type, name(column))
    const mostNamedColumns = columnsNamedMost(
      figures.filter((column) => columnKeywords.has(column) && isOfKind(column)),
    )
    if (mostNamedColumns.length === 1) return mostNamedColumns[0]
    if (mostNamedColumns.length > 1) return 'unclear'
    // A column with numbers and words, such as "see note", cannot be calculated with.
    const numberCount = (column: TableColumn): number =>
      columns.rows.filter((row) => column.number(row)).length
    if (freeColumns.some((column) => isTextColumn(column) && numberCount(column) >= columns.rows.length / 2))
      return 'unclear'
    // If the question names no column of numbers, the word of the operation decides.
    if (columnPattern) {
      const namedFigures = figures.filter((column) => columnPattern.test(name(column)))
      if (namedFigures.length === 1) return namedFigures[0]
    }
    const { defaultColumn: usualPattern } = question
    const usualFigures = usualPattern ? figures.filter((column) => usualPattern.test(name(column))) : []
    if (usualFigures.length > 0) return usualFigures.length === 1 ? usualFigures[0] : 'unclear'
    const columnsOfType =
      question.type === 'date'
        ? figures.filter(({ kind }) => kind === 'date')
        : figures.filter((column) => isColumnOfType(question.type, name(column)))
    if (columnsOfType.length === 1) return columnsOfType[0]
    if (columnsOfType.length > 1) return 'unclear'
    if (operation !== 'sum' || columnPattern) return undefined
    const totals = figures.filter((column) => TOTAL_COLUMN.test(splitHeader(column.header)))
    const [column, ...others] = totals.length > 0 ? totals : figures
    return others.length > 0 ? 'unclear' : column
  }

  /** Those of the columns that most words of the question name. */
  function columnsNamedMost(candidates: readonly TableColumn[]): TableColumn[] {
    const wordCount = (column: TableColumn): number => columnKeywords.get(column)?.length ?? 0
    const highestCount = Math.max(0, ...candidates.map(wordCount))
    return candidates.filter((column) => wordCount(column) === highestCount)
  }

  function readList(): TableReading | Unclear | undefined {
    // A column of names is shown instead of a column of codes.
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
      (asksForPersons ? persons : about.length > 0 || rowKeywords.length > 0 ? key : undefined)
    if (!subject) return undefined
    if (numberColumns.length > 0) return 'unclear'
    if (conditions.length === 0 && (about.length === 0 || columnKeywords.size > 1)) return undefined
    const rowByText = new Map<string, PassageRow>()
    for (const row of rows) {
      const text = subject.text(row).toLowerCase()
      if (text && !rowByText.has(text)) rowByText.set(text, row)
    }
    const [only, ...others] = rowByText.values()
    if (!only) return undefined
    // A list of a single thing is shown as a value.
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
    // "The LTE modem" may be another modem than "LTE modem, band 3".
    if (!isSelective && !conditions.every(coversCells)) return undefined
    const namedColumns = columnsNamedMost(freeColumns.filter(({ kind }) => kind !== 'yes-no'))
    const others = columns.all.filter(
      (column) => !isUsed(column) && column !== columns.ends?.from && column !== columns.ends?.to,
    )
    const columnsOfType = others.filter((column) =>
      isColumnOfType(question.type, `${splitHeader(column.header)} ${column.unit}`),
    )
    const lastResort = isSelective ? others : []
    const [column, ...furtherColumns] =
      [namedColumns, columnsOfType, lastResort].find(({ length }) => length > 0) ?? []
    if (!column) return undefined
    if (furtherColumns.length > 0) return isSelective ? 'unclear' : undefined
    const values = [...new Set(rows.map((row) => column.text(row)))]
    // If two ranges share a bound, only one of them applies.
    if (isRange && values.length > 1) return 'unclear'
    const reading = {
      ...base,
      operation: 'value' as const,
      subject: column.header,
      rows,
      matching: rows.length,
    }
    const [value = ''] = values
    if (values.length === 1) return { ...reading, value: withUnit(value, column) }
    const labels = namesOf(rows, key ?? columns.all.find(isTextColumn))
    if (labels.length !== rows.length) return 'unclear'
    return {
      ...reading,
      value: rows.map((row, i) => `${labels[i]}: ${withUnit(column.text(row), column) || '–'}`).join('; '),
    }
  }

  /** Whether the question contains all words of the cells that meet a condition. */
  function coversCells({ column, rows: conditionRows }: Condition): boolean {
    return (typed.cells.get(column) ?? []).every(
      ({ terms, rows: cellRows }) =>
        isCoveredBy(terms, keywords) || !cellRows.some((row) => conditionRows.has(row)),
    )
  }

  /** The answer to a yes-no question: "Is V2 insured?" */
  function readCheck(): TableReading | Unclear | undefined {
    const [column, ...others] = freeColumns.filter(({ kind }) => kind === 'yes-no')
    const [row, ...furtherRows] = rows
    if (!column || others.length > 0 || !row || furtherRows.length > 0 || conditions.length === 0)
      return undefined
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

  /** Whether all words that name the column also name the other column. */
  function hasSameWords(
    column: TableColumn,
    other: TableColumn | undefined,
    all: ReadonlyMap<TableColumn, Keyword[]>,
  ): boolean {
    const columnWords = all.get(column) ?? []
    return (
      other !== undefined &&
      columnWords.length > 0 &&
      columnWords.every((keyword) => all.get(other)?.includes(keyword)) &&
      names.has(column)
    )
  }
}

// Matches the part of a name that describes its head: " of the district" in "Wells of the district", "(2025)" in "Members (2025)".
const AFTER_HEAD_OF_NAME =
  /[(:,;–—]|(?<![\p{L}])(?:of|in|for|at|from|to|by|der|des|die|von|vom|für|im|am|aus|zu|de|du|d[’']|des|del|de la|en|à|au|para|pour|dans)(?![\p{L}]).*/isu

/** Whether the keywords name the rows: the head of the heading, the title or the file name is a keyword. */
function isCalledBy(
  { heading, title, file, kind }: SourceTable,
  keywords: readonly Keyword[],
  { language }: TypedTable,
): boolean {
  if (kind) return true
  const stem = file.replace(/\.[^.]+$/, '').replace(/[_-]/g, ' ')
  return [...heading.split(/\n| > /), title, stem].some((name) => {
    const nameWords = [...words(name.replace(AFTER_HEAD_OF_NAME, ''))].filter(
      ({ raw }) => !/\d/.test(raw) && !TABLE_WORDS.test(raw),
    )
    // The head of a name is last in English and first in the other languages.
    const head = nameWords.at(language === 'en' ? -1 : 0)
    return head !== undefined && isCoveredBy([textTerms(head.raw, language)], keywords)
  })
}

const isCalculation = (operation: Operation): operation is 'sum' | 'mean' | 'min' | 'max' =>
  operation !== 'count' && NUMERIC_OPERATIONS.has(operation)

const MAX_LOOKED_UP_ROWS = 3
const MAX_NAMES = 8
const MAX_NAME_LENGTH = 60

const distinctCount = (rows: readonly PassageRow[], column: TableColumn): number =>
  new Set(rows.map((row) => column.text(row).toLowerCase()).filter(Boolean)).size

const MAX_DECIMALS = 2
const roundedMean = (value: string): string => new Decimal(value).toDecimalPlaces(MAX_DECIMALS).toFixed()

/** The value with the unit of its column, unless it contains a unit. */
function withUnit(value: string, column: TableColumn, unit = column.unit): string {
  return value === '' || !unit || /[\p{L}€$£¥%]/u.test(value) ? value : `${value} ${unit}`
}
