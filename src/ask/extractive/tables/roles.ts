// The role of each word of a question in a table: it names a column, sets a condition, or names the subject of the table. Pure.

import { fold, words } from '../../../language/words.ts'
import { Decimal, isSameUnit } from '../../compute/cell-value.ts'
import { inUnit } from '../../compute/units.ts'
import { isTypeWord } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import {
  boundCondition,
  cellConditions,
  columnCondition,
  numberCondition,
  otherWordConditions,
  periodCondition,
  type WordsWithCondition,
} from './conditions.ts'
import {
  AGE_COLUMN,
  AGE_WORDS,
  AMOUNT_VERBS,
  FORM_OF_ADDRESS,
  OR,
  PEOPLE_WORDS,
  POSITION_WORDS,
  ROW_WORDS,
  STATE_WORDS,
  TABLE_WORDS,
} from './phrases.ts'
import { isCurrency, isUnit, type TableQuestion } from './question.ts'
import {
  type Condition,
  has,
  isWholeCell,
  MIN_SIMILARITY,
  matchesColumnName,
  nameOf,
  negatesColumnName,
  personColumn,
  similarity,
  splitHeader,
  type TableColumn,
  type TypedTable,
  type Unclear,
  unitOf,
} from './typed-table.ts'

/** The roles of the words of a question in a table. */
export interface Roles {
  /** The columns that the question names, each with the words that name it, in the order of the question. */
  columnKeywords: Map<TableColumn, Keyword[]>
  conditions: Condition[]
  /** Words that name the subject of the table. */
  about: Keyword[]
  /** Words for rows: "entries" in "how many entries". */
  rowKeywords: Keyword[]
  fit: number
  /** Words that the table contains, but that set no certain condition for the rows. */
  doubtfulWords: string[]
  /** Words that the table does not contain. */
  unplacedWords: string[]
}

// What a word adds to the fit of the table, by its role. A subject may be in the title of a workbook or in the name of a sheet, so
// both count the same.
const ABOUT_FIT = 1
const KEY_FIT = 0.8
const COLUMN_FIT = 0.5
const CELL_FIT = 0.7
// Subtracted from the fit if the column is of another kind than the question asks for, such as budgets for "the cheapest".
export const OTHER_COLUMN_PENALTY = 1

/** @param isPartial whether rows of the table are missing, which may contain words of the question */
export function rolesOf(
  typed: TypedTable,
  question: TableQuestion,
  keywords: readonly Keyword[],
  isPartial: boolean,
): Roles {
  const { columns, names, cells, key, heading, title } = typed
  const persons = personColumn(typed)
  const columnKeywords = new Map<TableColumn, Keyword[]>()
  const about: Keyword[] = []
  const rowKeywords: Keyword[] = []
  const keywordsInCells: Keyword[] = []
  const unitKeywords: Keyword[] = []
  const numberKeywords: Keyword[] = []
  const unitWords = new Set([...question.measures.values()].map(({ word }) => word).filter(Boolean))
  const boundUnits = new Set(question.bounds.map(({ word }) => word).filter(isUnit))
  const isOfMoney =
    question.bounds.some(({ amount }) => isCurrency(amount.unit)) ||
    [...question.measures.values()].some(({ unit }) => isCurrency(unit))
  // Words that the table does not contain. Some add nothing to a condition: "lie" in "lie at the pier", "cost" in "cost more than
  // 90 euros".
  const unplacedKeywords: Keyword[] = []
  const doubtfulWords: string[] = []
  // "Double" is not an unsupported word if it is the text of a cell, such as a kind of room.
  const isCellText = (word: string): boolean =>
    keywords.some(
      (keyword) =>
        fold(keyword.word) === fold(word) &&
        isWholeCell(
          [...cells].filter(([, columnCells]) => columnCells.some(({ terms }) => has(terms, keyword))),
          keyword,
          keywords,
        ),
    )
  const unsupportedWords = question.unsupportedWords.filter((word) => !isCellText(word))
  const unplacedWords = [...unsupportedWords]
  let fit = 0
  for (const [i, keyword] of keywords.entries()) {
    // Skipped: a unit, which belongs to its number, and a single small letter, which is an article.
    if (unitWords.has(keyword.word) || /^\p{Ll}$/u.test(keyword.word)) continue
    const isNumber = /^\d[\d.,]*$/.test(keyword.word)
    const measure = question.measures.get(keyword.word)
    // "1.500" has the terms 1 and 500, and each of them is another number. So the number is compared as it is written.
    const isMatchedWhole = isNumber && (measure?.unit !== '' || /[.,]/.test(keyword.word))
    const containsMeasure = (text: string): boolean =>
      !isMatchedWhole || containsMeasureText(text, keyword.word, measure?.word ?? '')
    const namedColumns = columns.all.filter(
      (column) =>
        containsMeasure(column.header) &&
        (matchesColumnName(names.get(column), keyword) ||
          negatesColumnName(names.get(column), keyword, column) ||
          (PEOPLE_WORDS.test(keyword.word) && column === persons) ||
          isMeasuredIn(column, keyword)) &&
        // "Who works in Logistics?" does not ask about the column "Remote work".
        !(POSITION_WORDS.test(keyword.word) && isNamedInPart(column, keyword)),
    )
    const columnsWithCells = [...cells].filter(([, all]) =>
      all.some(({ terms, text }) => has(terms, keyword) && containsMeasure(text)),
    )
    // A number with a unit is uncertain in texts: cells are matched word by word, so 500 kg would match 500 g.
    if (measure?.unit && columnsWithCells.length > 0) doubtfulWords.push(keyword.word)
    const fitOfTable = !isMatchedWhole && (has(heading, keyword) || has(title, keyword)) ? ABOUT_FIT : 0
    fit += fitOfTable
    // "Pay 120 euros" does not ask for a column "Paid".
    if (isOfMoney && AMOUNT_VERBS.test(keyword.word)) continue
    const isName = /^\p{Lu}/u.test(keyword.word) && i > 0
    if (namedColumns.length > 0 && !(columnsWithCells.length > 0 && (isName || keyword.synonyms.size > 1))) {
      for (const column of namedColumns)
        columnKeywords.set(column, [...(columnKeywords.get(column) ?? []), keyword])
      fit += fitOfTable ? 0 : namedColumns.some((column) => column === key) ? KEY_FIT : COLUMN_FIT
      if (fitOfTable) about.push(keyword)
    } else if (isNumber && columnsWithCells.length === 0 && !fitOfTable) {
      if (!numberKeywords.some(({ word }) => word === keyword.word)) numberKeywords.push(keyword)
    } else if (
      fitOfTable &&
      !(columnsWithCells.length > 0 && isWholeCell(columnsWithCells, keyword, keywords))
    )
      about.push(keyword)
    else if (columnsWithCells.length > 0) keywordsInCells.push(keyword)
    else if (columns.all.some(({ unit }) => isSameUnit(unit, keyword.word))) unitKeywords.push(keyword)
    else if (boundUnits.has(keyword.word)) continue
    else if (FORM_OF_ADDRESS.test(keyword.word)) continue
    else if (ROW_WORDS.test(keyword.word)) rowKeywords.push(keyword)
    else if (!TABLE_WORDS.test(keyword.word) && !isTypeWord(question.type, keyword.word))
      unplacedKeywords.push(keyword)
  }
  // "How many beds does the largest clinic have?" asks for two operations.
  if (question.superlative !== '') unplacedWords.push(question.superlative)
  const byCells = cellConditions(typed, keywordsInCells, columnKeywords, { question, keywords })
  const wordConditions: WordsWithCondition[] = [
    ...byCells,
    ...otherWordConditions(typed, question, keywords),
    ...question.periods.map(
      (period): WordsWithCondition => [
        period.textWithRelation,
        periodCondition(typed, period, columnKeywords, question),
      ],
    ),
    ...question.bounds.map(
      (bound): WordsWithCondition => [
        bound.matchedText,
        verbatimCondition(bound.matchedText) ?? boundCondition(typed, bound, columnKeywords),
      ],
    ),
    ...question.columnBounds.map(
      (bound): WordsWithCondition => [bound.matchedText, columnCondition(typed, bound, columnKeywords)],
    ),
    ...numberKeywords.map((keyword): WordsWithCondition => [keyword.word, numberedCondition(keyword)]),
  ]
  const conditions: Condition[] = []
  for (const [text, condition] of wordConditions) {
    if (condition === 'about') fit += ABOUT_FIT
    else if (condition === undefined && !isPartial) unplacedWords.push(text)
    // If the question contains "except" or "per", it is not certain for which rows the condition holds.
    else if (condition === undefined || condition === 'unclear' || unsupportedWords.length > 0)
      doubtfulWords.push(text)
    else conditions.push(condition)
  }
  if (numberKeywords.length === 0 && question.bounds.length === 0)
    unplacedWords.push(...unitKeywords.map(({ word }) => word))
  // Of two columns that the same words name, the one that more words name is meant.
  for (const column of [...columnKeywords.keys()]) {
    const columnWords = columnKeywords.get(column) ?? []
    if (
      [...columnKeywords].some(
        ([other, words]) => other !== column && isBetter(other, words, column, columnWords),
      )
    )
      columnKeywords.delete(column)
  }
  const yesOrNo = [...columnKeywords.keys()].filter(({ kind }) => kind === 'yes-no')
  for (const column of question.operation === 'check' ? [] : yesOrNo) {
    const isNegatedColumn = (columnKeywords.get(column) ?? []).some(
      (keyword) =>
        question.negated.has(keyword.word) ||
        (!matchesColumnName(names.get(column), keyword) &&
          negatesColumnName(names.get(column), keyword, column)),
    )
    const columnWords = (columnKeywords.get(column) ?? []).map(({ word }) => word)
    // If some cells are neither yes nor no, it is uncertain which rows meet a negated condition.
    if (
      unsupportedWords.length > 0 ||
      (isNegatedColumn && columns.rows.some((row) => column.isYes(row) === undefined))
    ) {
      doubtfulWords.push(...columnWords)
      continue
    }
    const rows = columns.rows.filter((row) => column.isYes(row) === !isNegatedColumn)
    const exampleRow = columns.rows.find((row) => column.isYes(row) === !isNegatedColumn)
    conditions.push({
      column,
      rows: new Set(rows),
      label: `${column.header}: ${exampleRow ? column.text(exampleRow) || '–' : isNegatedColumn ? '–' : '✓'}`,
    })
  }
  const unclearOr = eitherOfColumns(question, conditions, keywordsInCells, keywords)
  if (unclearOr !== undefined) {
    doubtfulWords.push(unclearOr)
    conditions.length = 0
  }
  for (const { word } of unplacedKeywords.filter((keyword) => !isImpliedByCondition(keyword, conditions)))
    (isPartial ? doubtfulWords : unplacedWords).push(word)
  fit += CELL_FIT * byCells.length
  return { columnKeywords, conditions, about, rowKeywords, doubtfulWords, unplacedWords, fit }

  /** The condition that cells of one column contain the text verbatim: "passport under 24 years". */
  function verbatimCondition(text: string): Condition | undefined {
    const folded = fold(text)
    const columnsWithText = [...cells].flatMap(([column, all]) => {
      const cellsWithText = all.filter((cell) => fold(cell.text).includes(folded))
      return cellsWithText.length > 0 ? [{ column, cellsWithText }] : []
    })
    const [match, ...others] = folded.includes(' ') ? columnsWithText : []
    if (!match || others.length > 0) return undefined
    const rows = new Set(match.cellsWithText.flatMap((cell) => cell.rows))
    return { column: match.column, rows, label: `${match.column.header}: ${text}` }
  }

  /** The condition of a number. The word before it may name its column: "on floor 1". */
  function numberedCondition(keyword: Keyword): Condition | Unclear | undefined {
    const previous = keywords[keywords.indexOf(keyword) - 1]
    const columnsBefore = [...columnKeywords].filter(
      ([, words]) => previous !== undefined && words.includes(previous),
    )
    const measure = question.measures.get(keyword.word)
    const columns = columnsBefore.length > 0 ? new Map(columnsBefore) : columnKeywords
    return measure && numberCondition(typed, { ...measure, matchedText: keyword.word }, unitKeywords, columns)
  }

  function sizeOfName(column: TableColumn): number {
    return textTerms(nameOf(column), typed.language).terms.size
  }

  /** Whether the name of the column contains a content word that is not in the question. */
  function isNamedInPart(column: TableColumn, keyword: Keyword): boolean {
    const others = keywords.filter((other) => other !== keyword)
    return [...words(nameOf(column))].some(({ raw }) => {
      const name = [typed.language, typed.questionLanguage].map((language) => textTerms(raw, language))
      return (
        name.every(({ terms }) => terms.size > 0) &&
        ![keyword, ...others].some((one) => matchesColumnName(name, one))
      )
    })
  }

  /** Whether the other column is named by all words of the column, and by more words or with a shorter name. */
  function isBetter(
    other: TableColumn,
    otherWords: Keyword[],
    column: TableColumn,
    columnWords: Keyword[],
  ): boolean {
    if (!columnWords.every((keyword) => otherWords.includes(keyword))) return false
    if (otherWords.length > columnWords.length) return true
    const [otherSize, ownSize] = [sizeOfName(other), sizeOfName(column)]
    return otherSize < ownSize && otherSize === otherWords.length
  }
}

/**
 * Whether the word is the unit of the column: "kilometres" for a column in km. Not units of time, because several columns have
 * them.
 */
const isMeasuredIn = (column: TableColumn, { word }: Keyword): boolean =>
  column.kind === 'number' &&
  !TIME_UNITS.some((unit) => inUnit(ONE, word, unit)) &&
  inUnit(ONE, word, unitOf(column))?.eq(ONE) === true

const TIME_UNITS = ['hours', 'days', 'months']

const ONE = new Decimal(1)

/**
 * The "or" between conditions of two columns, as in "insured or electric". Undefined without an "or", or if it is between two
 * values.
 */
function eitherOfColumns(
  { rest }: TableQuestion,
  conditions: readonly Condition[],
  inCells: readonly Keyword[],
  keywords: readonly Keyword[],
): string | undefined {
  const orMatch = OR.exec(rest)
  if (!orMatch || new Set(conditions.map(({ column }) => column)).size < 2) return undefined
  const isInCells = (keyword: Keyword | undefined): boolean =>
    keyword !== undefined && inCells.includes(keyword)
  const [before, after] = [rest.slice(0, orMatch.index), rest.slice(orMatch.index + orMatch[0].length)]
  const lastBefore = keywords.findLast(({ word }) => before.includes(word))
  const firstAfter = keywords.find(({ word }) => after.includes(word) && !before.includes(word))
  return isInCells(lastBefore) && isInCells(firstAfter) ? undefined : orMatch[0]
}

/**
 * Whether a word adds nothing to a condition: a verb such as "lie" or "cost", or a word similar to the name of the condition's
 * column.
 */
const isImpliedByCondition = ({ word }: Keyword, conditions: readonly Condition[]): boolean =>
  conditions.some(
    ({ column: { header, kind }, isOfTime }) =>
      (isOfTime && STATE_WORDS.test(word)) ||
      (kind === 'number' ? AMOUNT_VERBS : POSITION_WORDS).test(word) ||
      (AGE_WORDS.test(word) && AGE_COLUMN.test(header)) ||
      // "Courses that Rieke Bahr leads" are those with her in "Leader".
      (kind !== 'number' &&
        [...words(splitHeader(header))].some(({ raw }) => similarity(raw, word) >= MIN_SIMILARITY)),
  )

const containsMeasureText = (text: string, number: string, word: string): boolean =>
  text.replace(/\s/g, '').includes(`${number}${word}`)
