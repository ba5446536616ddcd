// The part of a question that a table answers: its rows are shown, but no answer is stated. Pure.

import { fold, words } from '../../../language/words.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { isColumnOfType } from '../answer-type.ts'
import type { Keyword } from '../keywords.ts'
import { type ColumnOperation, calculateColumn, figureColumn } from './calculated-column.ts'
import { type Interpretation, isNegated, isNumberColumn, keywordsOf } from './interpretation.ts'
import { readingOfCount } from './operations.ts'
import { NUMERIC_OPERATIONS, type Operation, TABLE_WORDS } from './phrases.ts'
import { isCurrency } from './question.ts'
import type { PartialReading, TableReading } from './result.ts'
import { OTHER_COLUMN_PENALTY } from './roles.ts'
import { has, type TableColumn, type TypedTable, unitOf } from './typed-table.ts'

/** @param isShown whether the table contains enough of the question to be shown if nothing else answers */
export function readPartly(
  interpretation: Interpretation,
  { containsAllWords, isShown }: Pick<PartialReading, 'containsAllWords' | 'isShown'>,
): PartialReading {
  const { table, typed, question, keywords, roles, conditions, doubtfulWords, freeColumns } = interpretation
  const { columns } = typed
  const { operation } = question
  // If a word has no role, it is uncertain whether a yes-no condition means yes or no: "have not handed in the consent form".
  const hasUnplaced = roles.unplacedWords.length > 0
  const certainConditions = hasUnplaced
    ? roles.conditions.filter(({ column }) => column.kind !== 'yes-no')
    : conditions
  const figureOrUnclear = isCalculation(operation) ? figureColumn(interpretation, operation) : undefined
  const figure = figureOrUnclear === 'unclear' ? undefined : figureOrUnclear
  // A word that is in cells of several columns selects the rows that contain it.
  const isInSeveralColumns = (keyword: Keyword): boolean =>
    doubtfulWords.includes(keyword.word) &&
    !isNegated(question, keyword) &&
    [...roles.columnKeywords.values()].every((all) => !all.includes(keyword))
  const unassignedKeywords = question.unsupportedWords.length > 0 ? [] : keywords.filter(isInSeveralColumns)
  const shownRows = columns.rows.filter(
    (row) =>
      certainConditions.every((one) => one.rows.has(row)) &&
      unassignedKeywords.every((keyword) => rowsWithKeyword(typed, keyword).has(row)),
  )
  const order = operation === 'max' ? -1 : operation === 'min' ? 1 : 0
  const amount = (row: PassageRow): number => figure?.number(row)?.amount.toNumber() ?? 0
  const uncertainColumns = conditions
    .filter((one) => !certainConditions.includes(one))
    .map(({ column }) => column)
  // "If I am not a member" does not ask for the column "Member".
  const askedColumns = freeColumns.filter(
    (column) => !keywordsOf(interpretation, column).some((keyword) => isNegated(question, keyword)),
  )
  const subjects = [...(figure ? [figure] : []), ...askedColumns, ...uncertainColumns].map(
    ({ header }) => header,
  )
  const isOfOtherKind =
    question.type === 'money' && !columns.all.some((column) => mayHaveMoney(typed, column))
  return {
    table,
    subjects: [...new Set(subjects)],
    conditions: [...new Set(certainConditions.map(({ label }) => label))],
    rows: table.isPartial ? [] : shownRows.toSorted((a, b) => order * (amount(a) - amount(b))),
    all: columns.rows.length,
    results: hasUnplaced || doubtfulWords.length > 0 ? [] : likelyResults(interpretation),
    unplacedWords: [...new Set([...roles.unplacedWords, ...doubtfulWords])],
    containsAllWords,
    isShown,
    // A count without conditions may have its answer in one cell: "How many days are there after 5 years?"
    asksForManyRows:
      isCalculation(operation) || conditions.length > 0 || interpretation.thing?.kind === 'text',
    fit: roles.fit - (isOfOtherKind ? OTHER_COLUMN_PENALTY : 0),
  }
}

const isCalculation = (operation: Operation): operation is ColumnOperation =>
  operation !== 'count' && NUMERIC_OPERATIONS.has(operation)

function rowsWithKeyword({ cells, columns }: TypedTable, keyword: Keyword): ReadonlySet<PassageRow> {
  const matchingCells = [...cells.values()].flat().filter(({ terms }) => has(terms, keyword))
  return new Set(matchingCells.length > 0 ? matchingCells.flatMap(({ rows }) => rows) : columns.rows)
}

/** By its name, its unit, or amounts with decimals. */
function mayHaveMoney({ columns }: TypedTable, column: TableColumn): boolean {
  if (isColumnOfType('money', column.header) || isCurrency(unitOf(column))) return true
  return columns.rows.some((row) => column.number(row)?.amount.isInteger() === false)
}

/** The results for each column of numbers that the question names, else the number of rows. */
function likelyResults(interpretation: Interpretation): TableReading[] {
  const { table, typed, question, rows } = interpretation
  const { operation } = question
  const figures = interpretation.freeColumns.filter(isNumberColumn)
  if (!NUMERIC_OPERATIONS.has(operation) || table.isPartial) return []
  if (rows.some((row) => typed.columns.unclear.has(row))) return []
  if (operation === 'count' && figures.length === 0)
    return rows.length > 0 ? [readingOfCount(interpretation, rows, { subject: '', isDistinct: false })] : []
  return figures
    .flatMap(
      (column) => calculateColumn(interpretation, isCalculation(operation) ? operation : 'sum', column) ?? [],
    )
    .filter((reading) => reading !== 'unclear')
}

/** The words in lower case, with single spaces between them. */
const foldedWords = (text: string): string => [...words(text)].map(({ raw }) => fold(raw)).join(' ')

// The share of the question's weight that must be in the table.
const MIN_WEIGHT_SHARE = 0.5

// A list of all rows of a table is shown only if the table has at most this many.
const MAX_UNFILTERED_ROWS = 10

/** Whether the table contains enough of the question by weight, and the words for the thing that the question asks for. */
export function hasEnoughOfQuestion({
  typed,
  question,
  keywords,
  roles,
  conditions,
  matchingRows,
}: Interpretation): boolean {
  const { questionLanguage, key } = typed
  const { operation, rest } = question
  const { unplacedWords, columnKeywords, about, rowKeywords } = roles
  const missingWords = new Set(unplacedWords.flatMap((text) => text.split(' ')))
  const contentKeywords = keywords.filter(({ word }) => !TABLE_WORDS.test(word))
  const absentKeywords = contentKeywords.filter(({ word }) => missingWords.has(word))
  const isNameOrNumber = (keyword: Keyword): boolean =>
    /^\d/.test(keyword.word) ||
    (/^\p{Lu}/u.test(keyword.word) && keyword !== keywords[0] && questionLanguage !== 'de')
  if (contentKeywords.length === 0 || absentKeywords.some(isNameOrNumber)) return false
  // A word that is only in cells is in many tables: "electric" is also in a table of meters. The whole name of a row is not.
  const [row, ...otherRows] = matchingRows
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
  if (operation === 'rows') return conditions.length > 0 || matchingRows.length <= MAX_UNFILTERED_ROWS
  return (
    operation !== 'count' ||
    isOnlyFirstAbsent ||
    !first ||
    !absentKeywords.includes(first) ||
    (first.isGeneric && columnKeywords.size > 0)
  )
}
