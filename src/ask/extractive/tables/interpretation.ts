// What a question means in one table: the rows that meet its conditions, the things that it counts or lists, and the columns that
// it names. Pure.

import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import type { Keyword } from '../keywords.ts'
import { SCALE } from './phrases.ts'
import type { TableQuestion } from './question.ts'
import type { TableReading } from './result.ts'
import type { Roles } from './roles.ts'
import { type Condition, isTextColumn, type TableColumn, type TypedTable } from './typed-table.ts'

/** A table, a question, and the roles of the question's words in the table. */
export interface TableWithQuestion {
  table: SourceTable
  typed: TypedTable
  question: TableQuestion
  keywords: readonly Keyword[]
  roles: Roles
}

export interface Interpretation extends TableWithQuestion {
  /** The conditions that words set, and those that a cell is empty or not. */
  conditions: readonly Condition[]
  /** Words that the table contains, but that set no certain condition for the rows. */
  doubtfulWords: readonly string[]
  /** The columns that the question names and that are in no condition that a word sets. */
  freeColumns: readonly TableColumn[]
  /** The free columns of texts or codes whose cells the question counts or lists, in the order of the question. */
  thingColumns: readonly TableColumn[]
  /** The best of them. */
  thing: TableColumn | undefined
  /** The rows that meet all conditions. */
  matchingRows: readonly PassageRow[]
  /** These rows, or all rows of a part of a table. */
  rows: PassageRow[]
  /** What every reading of this question has in common. */
  base: Pick<
    TableReading,
    'table' | 'conditions' | 'all' | 'scale' | 'isTotalsRow' | 'names' | 'fit' | 'columns'
  >
}

export const isNegated = (question: TableQuestion, keyword: Keyword): boolean =>
  question.negated.has(keyword.word)

/** The words of the question that name the column. */
export const keywordsOf = ({ roles }: Pick<TableWithQuestion, 'roles'>, column: TableColumn): Keyword[] =>
  roles.columnKeywords.get(column) ?? []

export const isInConditions = (conditions: readonly Condition[], column: TableColumn): boolean =>
  conditions.some((condition) => condition.column === column || condition.other === column)

export const isNumberColumn = ({ kind }: TableColumn): boolean => kind === 'number'

export function interpret(input: TableWithQuestion): Interpretation {
  const { table, typed, roles } = input
  const { columns, key } = typed
  const freeColumns = [...roles.columnKeywords.keys()].filter(
    (column) => !isInConditions(roles.conditions, column),
  )
  const thingColumns = thingColumnsOf(input, freeColumns)
  const thing = bestThing(input, thingColumns)
  const empty = emptyCellConditions(input, freeColumns, thing)
  const conditions = [...roles.conditions, ...empty.conditions]
  const matchingRows = columns.rows.filter((row) => conditions.every((condition) => condition.rows.has(row)))
  return {
    ...input,
    conditions,
    doubtfulWords: [
      ...roles.doubtfulWords,
      ...empty.doubtfulWords,
      ...negatedWordsWithoutCondition(input, conditions),
    ],
    freeColumns,
    thingColumns,
    thing,
    matchingRows,
    rows: table.isPartial ? columns.rows : matchingRows,
    base: {
      table,
      conditions: [...new Set(conditions.map(({ label }) => label))],
      all: columns.rows.length,
      scale: SCALE.exec(`${table.heading}\n${table.before ?? ''}`)?.[0] ?? '',
      isTotalsRow: false,
      names: [],
      fit: roles.fit,
      columns: [
        ...(key ? [key.header] : []),
        ...[...roles.columnKeywords.keys()].map(({ header }) => header),
        ...conditions.map(({ column }) => column.header),
      ],
    },
  }
}

/** The index of the first keyword that names the column, else the number of keywords. */
function firstMention(input: TableWithQuestion, column: TableColumn): number {
  const indexes = keywordsOf(input, column).map((keyword) => input.keywords.indexOf(keyword))
  return Math.min(...indexes.filter((at) => at >= 0), input.keywords.length)
}

/** The things that are counted or listed come first in the question: the entries in "entries without a mobile number". */
function thingColumnsOf(input: TableWithQuestion, freeColumns: readonly TableColumn[]): TableColumn[] {
  const { question, keywords, roles } = input
  const nouns = [...roles.about, ...roles.rowKeywords].filter((keyword) => !isNegated(question, keyword))
  const firstNounAt = Math.min(...nouns.map((keyword) => keywords.indexOf(keyword)))
  const namesSubject = (column: TableColumn): boolean =>
    keywordsOf(input, column).some((keyword) => roles.about.includes(keyword))
  return freeColumns
    .filter(
      (column) =>
        (column.kind === 'text' || column.kind === 'code') &&
        (firstMention(input, column) <= firstNounAt || namesSubject(column)) &&
        !keywordsOf(input, column).every((keyword) => isNegated(question, keyword)),
    )
    .toSorted((a, b) => firstMention(input, a) - firstMention(input, b))
}

/** If one word names several columns, a column of texts is preferred, because the reader understands names better than codes. */
function bestThing(input: TableWithQuestion, thingColumns: readonly TableColumn[]): TableColumn | undefined {
  const [first] = thingColumns
  if (!first) return undefined
  const firstAt = firstMention(input, first)
  return (
    thingColumns.find((column) => isTextColumn(column) && firstMention(input, column) === firstAt) ?? first
  )
}

/** The conditions that a cell is empty or not: "entries without a mobile number", "members who have a deputy". */
function emptyCellConditions(
  input: TableWithQuestion,
  freeColumns: readonly TableColumn[],
  thing: TableColumn | undefined,
): { conditions: Condition[]; doubtfulWords: string[] } {
  const { typed, question } = input
  const { rows } = typed.columns
  const conditions: Condition[] = []
  const doubtfulWords: string[] = []
  if (question.operation !== 'count' && question.operation !== 'rows') return { conditions, doubtfulWords }
  for (const column of freeColumns) {
    if (column === thing || isNumberColumn(column) || hasSameWords(input, column, thing)) continue
    const isEmpty = (row: PassageRow): boolean => column.text(row) === ''
    const columnWords = keywordsOf(input, column).map(({ word }) => word)
    if (!rows.some(isEmpty)) {
      doubtfulWords.push(...columnWords)
      continue
    }
    const isNegatedColumn = columnWords.some((word) => question.negated.has(word))
    conditions.push({
      column,
      rows: new Set(rows.filter((row) => isEmpty(row) === isNegatedColumn)),
      label: `${column.header}: ${isNegatedColumn ? '–' : '✓'}`,
    })
  }
  return { conditions, doubtfulWords }
}

/** Every negated word must be in a condition. */
function negatedWordsWithoutCondition(
  { question, keywords, roles }: TableWithQuestion,
  conditions: readonly Condition[],
): string[] {
  const conditionColumns = new Set(conditions.map(({ column }) => column))
  const isInCondition = (keyword: Keyword): boolean =>
    !roles.about.includes(keyword) &&
    [...roles.columnKeywords].every(
      ([column, words]) => !words.includes(keyword) || conditionColumns.has(column),
    )
  return [...question.negated].filter(
    (word) => !keywords.some((keyword) => keyword.word === word && isInCondition(keyword)),
  )
}

/** In "the cheapest part in the supplier list", "supplier" is the subject of the table and does not ask for a column. */
export const isFurtherThing = (interpretation: Interpretation, column: TableColumn): boolean =>
  column !== interpretation.thing &&
  !hasSameWords(interpretation, column, interpretation.thing) &&
  !keywordsOf(interpretation, column).every((keyword) => interpretation.roles.about.includes(keyword))

/** Whether all words that name the column also name the other column. */
function hasSameWords(
  input: TableWithQuestion,
  column: TableColumn,
  other: TableColumn | undefined,
): boolean {
  const columnKeywords = keywordsOf(input, column)
  return (
    other !== undefined &&
    columnKeywords.length > 0 &&
    columnKeywords.every((keyword) => keywordsOf(input, other).includes(keyword)) &&
    input.typed.names.has(column)
  )
}

/** The number of different texts of a column. */
export const distinctCount = (rows: readonly PassageRow[], column: TableColumn): number =>
  new Set(rows.map((row) => column.text(row).toLowerCase()).filter(Boolean)).size
