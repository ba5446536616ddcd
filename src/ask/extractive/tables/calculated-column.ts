// Finds the column that a question calculates with, and calculates: sum, mean, minimum and maximum of the rows. Pure.

import { Decimal } from '../../compute/cell-value.ts'
import { compute } from '../../compute/compute.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { isColumnOfType } from '../answer-type.ts'
import {
  distinctCount,
  type Interpretation,
  isFurtherThing,
  isInConditions,
  keywordsOf,
} from './interpretation.ts'
import { type DatePhrase, type Operation, TOTAL_COLUMN } from './phrases.ts'
import { namesOf, type TableReading, withUnit, writtenLikeCells } from './result.ts'
import { OTHER_COLUMN_PENALTY } from './roles.ts'
import { isTextColumn, personColumn, splitHeader, type TableColumn, type Unclear } from './typed-table.ts'

export type ColumnOperation = 'sum' | 'mean' | 'min' | 'max'

export function readColumnOperation(
  interpretation: Interpretation,
  operation: ColumnOperation,
): TableReading | Unclear | undefined {
  const { question, roles, rows, thing, thingColumns, conditions } = interpretation
  const figureOrUnclear = figureColumn(interpretation, operation)
  if (figureOrUnclear === 'unclear') return figureOrUnclear
  const dateColumn = figureOrUnclear ? undefined : dateColumnFor(interpretation, question.dateOperation)
  if (dateColumn === 'unclear') return dateColumn
  const column = figureOrUnclear ?? dateColumn
  if (!column) return undefined
  // If a customer has several rows, "Which customer has the highest amount?" could mean the sum of the rows.
  if (operation !== 'sum' && thing && distinctCount(rows, thing) < rows.length) return 'unclear'
  if (thingColumns.some((other) => isFurtherThing(interpretation, other))) return 'unclear'
  const isLinkedToRows =
    question.asksForPersons || thing !== undefined || roles.about.length > 0 || roles.rowKeywords.length > 0
  if (!isLinkedToRows && conditions.length === 0 && !roles.columnKeywords.has(column)) return undefined
  const columnOperation = dateColumn ? (question.dateOperation?.operation ?? operation) : operation
  return calculateColumn(interpretation, columnOperation, column)
}

function dateColumnFor(
  { typed }: Interpretation,
  phrase: DatePhrase | undefined,
): TableColumn | Unclear | undefined {
  const [column, ...others] = typed.columns.all.filter(
    ({ kind, header }) => phrase !== undefined && kind === 'date' && phrase.column.test(splitHeader(header)),
  )
  return others.length > 0 ? 'unclear' : column
}

export function calculateColumn(
  interpretation: Interpretation,
  operation: ColumnOperation,
  column: TableColumn,
): TableReading | Unclear | undefined {
  const { typed, question, rows, base, thing } = interpretation
  if (rows.length === 0) return undefined
  const isReadable = (row: PassageRow): boolean =>
    column.kind === 'date' ? column.when(row).length > 0 : column.number(row) !== undefined
  // A cell that cannot be read would silently be left out of the calculation.
  if (rows.some((row) => column.text(row) !== '' && !/^[-–—]$/.test(column.text(row)) && !isReadable(row)))
    return 'unclear'
  const hasAllRows = rows.length === typed.columns.rows.length
  const totalRow = hasAllRows && operation === 'sum' ? totalsRow(interpretation, column) : undefined
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
  const result = compute(rows, { operation, columns: [column.header] }, typed.language)
  if (result.kind !== 'value' || (!result.exact && operation !== 'mean')) return 'unclear'
  const isExtreme = operation === 'min' || operation === 'max'
  // "The cheapest" fits a column of prices better than a column of budgets.
  const isOfOtherKind =
    question.column && !question.column.test(`${splitHeader(column.header)} ${column.unit}`)
  const persons = question.asksForPersons ? personColumn(typed) : undefined
  return {
    ...base,
    fit: base.fit - (isOfOtherKind ? OTHER_COLUMN_PENALTY : 0),
    operation,
    subject: column.header,
    // An extreme is shown as its cell writes it, because it may be a date.
    value:
      isExtreme && result.rows[0]
        ? withUnit(column.text(result.rows[0]), column)
        : column.kind === 'number'
          ? writtenLikeCells(operation === 'mean' ? roundedMean(result.value) : result.value, {
              cells: rows.map((row) => column.text(row)),
              unit: result.unit || column.unit,
              language: typed.language,
            })
          : withUnit(result.value, column, result.unit),
    rows: isExtreme ? result.rows : rows,
    matching: rows.length,
    names: isExtreme ? namesOf(result.rows, thing ?? persons ?? typed.key) : [],
  }
}

const MAX_DECIMALS = 2
const roundedMean = (value: string): string => new Decimal(value).toDecimalPlaces(MAX_DECIMALS).toFixed()

/** The row with the sum of the whole column. `unclear` if there are rows of totals and none of them is the sum. */
function totalsRow({ typed }: Interpretation, column: TableColumn): PassageRow | Unclear | undefined {
  const { columns, language } = typed
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
export function figureColumn(
  interpretation: Interpretation,
  operation: Operation,
): TableColumn | Unclear | undefined {
  const { typed, question, conditions, freeColumns, roles } = interpretation
  const { columns } = typed
  const isFigure = ({ kind }: TableColumn): boolean =>
    kind === 'number' || (kind === 'date' && operation !== 'sum' && operation !== 'mean')
  const figures = columns.all.filter((column) => isFigure(column) && !isInConditions(conditions, column))
  const name = (column: TableColumn): string => `${splitHeader(column.header)} ${column.unit}`
  const { column: columnPattern, defaultColumn: usualPattern } = question
  // "The cheapest piece" is not about the column "Pieces from".
  const isOfKind = (column: TableColumn): boolean =>
    !columnPattern || columnPattern.test(name(column)) || isColumnOfType(question.type, name(column))
  const mostNamedColumns = columnsNamedMost(
    interpretation,
    figures.filter((column) => roles.columnKeywords.has(column) && isOfKind(column)),
  )
  if (mostNamedColumns.length > 0) return onlyColumn(mostNamedColumns)
  // A column with numbers and words, such as "see note", cannot be calculated with.
  const numberCount = (column: TableColumn): number => columns.rows.filter((row) => column.number(row)).length
  if (freeColumns.some((column) => isTextColumn(column) && numberCount(column) >= columns.rows.length / 2))
    return 'unclear'
  // If the question names no column of numbers, the word of the operation decides.
  if (columnPattern) {
    const namedFigures = figures.filter((column) => columnPattern.test(name(column)))
    if (namedFigures.length === 1) return namedFigures[0]
  }
  const usualFigures = usualPattern ? figures.filter((column) => usualPattern.test(name(column))) : []
  if (usualFigures.length > 0) return onlyColumn(usualFigures)
  const columnsOfType =
    question.type === 'date'
      ? figures.filter(({ kind }) => kind === 'date')
      : figures.filter((column) => isColumnOfType(question.type, name(column)))
  if (columnsOfType.length > 0) return onlyColumn(columnsOfType)
  if (operation !== 'sum' || columnPattern) return undefined
  const totals = figures.filter((column) => TOTAL_COLUMN.test(splitHeader(column.header)))
  return onlyColumn(totals.length > 0 ? totals : figures)
}

const onlyColumn = (candidates: readonly TableColumn[]): TableColumn | Unclear | undefined =>
  candidates.length > 1 ? 'unclear' : candidates[0]

/** Those of the columns that most words of the question name. */
export function columnsNamedMost(
  interpretation: Interpretation,
  candidates: readonly TableColumn[],
): TableColumn[] {
  const wordCount = (column: TableColumn): number => keywordsOf(interpretation, column).length
  const highestCount = Math.max(0, ...candidates.map(wordCount))
  return candidates.filter((column) => wordCount(column) === highestCount)
}
