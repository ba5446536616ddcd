// Carries out the operation of a question on the rows that meet its conditions: counts them, lists them, looks cells up or answers
// yes or no. Sums and extremes are in calculated-column.ts. Pure.

import { words } from '../../../language/words.ts'
import { isRate } from '../../compute/columns.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { isColumnOfType } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import { calculateColumn, columnsNamedMost, readColumnOperation } from './calculated-column.ts'
import {
  distinctCount,
  type Interpretation,
  isFurtherThing,
  isInConditions,
  isNegated,
  isNumberColumn,
  keywordsOf,
} from './interpretation.ts'
import { TABLE_WORDS } from './phrases.ts'
import { namesOf, type TableReading, withUnit } from './result.ts'
import {
  type Condition,
  isCoveredBy,
  isTextColumn,
  personColumn,
  splitHeader,
  type TableColumn,
  type TypedTable,
  type Unclear,
} from './typed-table.ts'

export function readOperation(interpretation: Interpretation): TableReading | Unclear | undefined {
  const { question, typed, rows } = interpretation
  const isOfAll = question.operation !== 'value' && question.operation !== 'check'
  if (isOfAll && rows.some((row) => typed.columns.unclear.has(row))) return 'unclear'
  switch (question.operation) {
    case 'count':
      return readCount(interpretation)
    case 'rows':
      return readList(interpretation)
    case 'value':
      return lookUpCells(interpretation)
    case 'check':
      return readCheck(interpretation)
    default:
      return readColumnOperation(interpretation, question.operation)
  }
}

function readCount(interpretation: Interpretation): TableReading | Unclear | undefined {
  const { table, typed, question, keywords, roles, conditions, rows, thing } = interpretation
  const { about, rowKeywords } = roles
  // "How many beds are there in Oulu?"
  const [number, ...others] = interpretation.freeColumns.filter(isNumberColumn)
  const first = keywords[0]
  if (number && first && keywordsOf(interpretation, number).includes(first))
    return others.length === 0 && !isColumnOfType('money', number.header) && !isRate(number.header)
      ? readSum(interpretation, number)
      : 'unclear'
  if (number) return 'unclear'
  const isNoun =
    thing !== undefined || about.some((keyword) => !isNegated(question, keyword)) || rowKeywords.length > 0
  const hasYesNoCondition = conditions.some(({ column }) => column.kind === 'yes-no')
  if (!isNoun && !(hasYesNoCondition && about.length > 0)) return undefined
  const isOpen = (column: TableColumn): boolean =>
    isFurtherThing(interpretation, column) && conditions.every((condition) => condition.column !== column)
  if (interpretation.thingColumns.some(isOpen)) return 'unclear'
  if (thing) {
    const rowByText = firstRowByText(rows, thing)
    return readingOfCount(interpretation, [...rowByText.values()], {
      subject: thing.header,
      isDistinct: rowByText.size < rows.length,
    })
  }
  // Without conditions the rows must be called by a keyword: the rows of a table "Members' meeting" are not members.
  if (conditions.length === 0 && rowKeywords.length === 0 && !isCalledBy(table, keywords, typed))
    return undefined
  const subject = table.kind ?? rowKeywords[0]?.word ?? about.map(({ word }) => word).join(' ')
  return readingOfCount(interpretation, rows, { subject, isDistinct: false })
}

/** The first row of each text of the column, in lower case. Rows without a text are left out. */
function firstRowByText(rows: readonly PassageRow[], column: TableColumn): Map<string, PassageRow> {
  const rowByText = new Map<string, PassageRow>()
  for (const row of rows) {
    const text = column.text(row).toLowerCase()
    if (text && !rowByText.has(text)) rowByText.set(text, row)
  }
  return rowByText
}

export function readingOfCount(
  { typed, base, thing }: Interpretation,
  countedRows: PassageRow[],
  { subject, isDistinct }: { subject: string; isDistinct: boolean },
): TableReading {
  const { rows } = typed.columns
  return {
    ...base,
    operation: 'count',
    subject,
    value: String(countedRows.length),
    rows: countedRows.length > 0 ? countedRows : rows.slice(0, 1),
    matching: countedRows.length,
    all: isDistinct && thing ? distinctCount(rows, thing) : base.all,
  }
}

function readSum(interpretation: Interpretation, column: TableColumn): TableReading | Unclear | undefined {
  const [row, ...others] = interpretation.rows
  if (row && others.length === 0) return readCell(interpretation, row, column)
  const sum = calculateColumn(interpretation, 'sum', column)
  return typeof sum === 'object' ? { ...sum, isSumForCount: true } : sum
}

const readCell = ({ base }: Interpretation, row: PassageRow, column: TableColumn): TableReading => ({
  ...base,
  operation: 'value',
  subject: column.header,
  value: withUnit(column.text(row), column),
  rows: [row],
  matching: 1,
})

function readList(interpretation: Interpretation): TableReading | Unclear | undefined {
  const { roles, conditions, rows, base } = interpretation
  const subject = listedColumn(interpretation)
  if (!subject) return undefined
  if (interpretation.freeColumns.some(isNumberColumn)) return 'unclear'
  if (conditions.length === 0 && (roles.about.length === 0 || roles.columnKeywords.size > 1)) return undefined
  const listedRows = [...firstRowByText(rows, subject).values()]
  const [only, ...others] = listedRows
  if (!only) return undefined
  // A list of a single thing is shown as a value.
  if (others.length === 0 && conditions.length > 0)
    return { ...readCell(interpretation, only, subject), rows: rows.slice(0, 1) }
  const names = namesOf(listedRows, subject)
  // All rows are shown with their names: "which animals are insured" may ask for the kinds or for each animal.
  const shownRows = names.length > 0 ? rows : listedRows
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

/** The column whose texts a list shows. */
function listedColumn({ typed, question, roles, thing }: Interpretation): TableColumn | undefined {
  const { columns, key } = typed
  const hasOwnName = (column: TableColumn): boolean =>
    column.kind === 'text' && !column.isOfTime && distinctCount(columns.rows, column) === columns.rows.length
  // A column of names is shown instead of a column of codes.
  if (thing) return (thing.kind === 'code' ? columns.all.find(hasOwnName) : undefined) ?? thing
  if (question.asksForPersons) return personColumn(typed)
  return roles.about.length > 0 || roles.rowKeywords.length > 0 ? key : undefined
}

const MAX_LOOKED_UP_ROWS = 3

/** The cells of one column in the rows that meet the conditions. */
function lookUpCells(interpretation: Interpretation): TableReading | Unclear | undefined {
  const { typed, question, conditions, rows, base } = interpretation
  const { columns, key } = typed
  if (conditions.length === 0 || rows.length === 0) return undefined
  const isRange = conditions.some(({ column }) => column.kind === 'range' || column === columns.ends?.from)
  const isSelective = question.periods.length > 0 || isRange
  if (rows.length > MAX_LOOKED_UP_ROWS) return isSelective ? 'unclear' : undefined
  // "The LTE modem" may be another modem than "LTE modem, band 3".
  if (!isSelective && !conditions.every((condition) => coversCells(interpretation, condition)))
    return undefined
  const [column, ...furtherColumns] = lookedUpColumns(interpretation, isSelective)
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

/** The columns that the question names, else those of the type of its answer, else all others if the conditions are selective. */
function lookedUpColumns(interpretation: Interpretation, isSelective: boolean): readonly TableColumn[] {
  const { typed, question, conditions, freeColumns } = interpretation
  const { all, ends } = typed.columns
  const namedColumns = columnsNamedMost(
    interpretation,
    freeColumns.filter(({ kind }) => kind !== 'yes-no'),
  )
  if (namedColumns.length > 0) return namedColumns
  const others = all.filter(
    (column) => !isInConditions(conditions, column) && column !== ends?.from && column !== ends?.to,
  )
  const columnsOfType = others.filter((column) =>
    isColumnOfType(question.type, `${splitHeader(column.header)} ${column.unit}`),
  )
  if (columnsOfType.length > 0) return columnsOfType
  return isSelective ? others : []
}

/** Whether the question contains all words of the cells that meet a condition. */
const coversCells = (
  { typed, keywords }: Interpretation,
  { column, rows: conditionRows }: Condition,
): boolean =>
  (typed.cells.get(column) ?? []).every(
    ({ terms, rows }) => isCoveredBy(terms, keywords) || !rows.some((row) => conditionRows.has(row)),
  )

/** The answer to a yes-no question: "Is V2 insured?" */
function readCheck({
  question,
  conditions,
  freeColumns,
  rows,
  base,
}: Interpretation): TableReading | Unclear | undefined {
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
