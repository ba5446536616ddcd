// The role of each word of a question in a table: it names a column, sets a condition, or names what the table is about. Pure.

import { fold, words } from '../../../language/words.ts'
import { Decimal, isSameUnit } from '../../compute/cell-value.ts'
import { inUnit } from '../../compute/units.ts'
import { namesType } from '../answer-type.ts'
import { type Keyword, textTerms } from '../keywords.ts'
import {
  boundCondition,
  cellConditions,
  columnCondition,
  littleWordConditions,
  numberCondition,
  periodCondition,
  type WordsWithCondition,
} from './conditions.ts'
import {
  AGE,
  AGE_WORDS,
  AMOUNT_VERBS,
  OF_TABLES,
  OR,
  PEOPLE_WORDS,
  POSITION_WORDS,
  ROW_WORDS,
  STATE_WORDS,
} from './phrases.ts'
import { isCurrency, isUnit, type TableQuestion } from './question.ts'
import {
  type Col,
  type Condition,
  has,
  isWholeCell,
  MIN_SIMILARITY,
  nameOf,
  namesColumn,
  negates,
  personColumn,
  similarity,
  splitHeader,
  type Typed,
  type Unclear,
  unitOf,
} from './typed-table.ts'

/** The roles of the words of a question in a table. */
export interface Roles {
  /** The columns that the question names, each with the words that name it. In the order of the question. */
  named: Map<Col, Keyword[]>
  conditions: Condition[]
  /** Words that name the subject of the table. */
  about: Keyword[]
  /** Words for rows: "entries" in "how many entries". */
  ofRows: Keyword[]
  fit: number
  /** Words that the table contains, but whose condition for the rows is not certain. */
  doubtful: string[]
  /** Words that the table does not contain. */
  unplaced: string[]
}

// A subject may be in the title of a workbook or in the name of a sheet, so both count the same.
const ABOUT_FIT = 1
const KEY_FIT = 0.8
const COLUMN_FIT = 0.5
const CELL_FIT = 0.7
// Subtracted from the fit if a column is of another kind than the question asks for.
export const OTHER_COLUMN = 1

/** @param isPartial some rows of the table are missing, and words of the question may be in them */
export function rolesOf(
  typed: Typed,
  question: TableQuestion,
  keywords: readonly Keyword[],
  isPartial: boolean,
): Roles {
  const { columns, names, cells, key, heading, title } = typed
  const persons = personColumn(typed)
  const named = new Map<Col, Keyword[]>()
  const about: Keyword[] = []
  const ofRows: Keyword[] = []
  const keywordsInCells: Keyword[] = []
  const unitKeywords: Keyword[] = []
  const numberKeywords: Keyword[] = []
  const unitWords = new Set([...question.measures.values()].map(({ word }) => word).filter(Boolean))
  const boundUnits = new Set(question.bounds.map(({ word }) => word).filter(isUnit))
  const isOfMoney =
    question.bounds.some(({ amount }) => isCurrency(amount.unit)) ||
    [...question.measures.values()].some(({ unit }) => isCurrency(unit))
  // Words that the table does not contain. Some of them say no more than a condition: "lie at the pier", "cost more than 90 euros".
  const unplacedKeywords: Keyword[] = []
  const doubtful: string[] = []
  // "Double" is not an operation if it is the text of a cell, such as a kind of room.
  const isCellText = (word: string): boolean =>
    keywords.some(
      (keyword) =>
        fold(keyword.word) === fold(word) &&
        isWholeCell(
          [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword))),
          keyword,
          keywords,
        ),
    )
  const notUnderstood = question.notUnderstood.filter((word) => !isCellText(word))
  const unplaced = [...notUnderstood]
  let fit = 0
  for (const [i, keyword] of keywords.entries()) {
    // A unit belongs to its number. Another single letter is an article.
    if (unitWords.has(keyword.word) || /^\p{Ll}$/u.test(keyword.word)) continue
    const isNumber = /^\d[\d.,]*$/.test(keyword.word)
    const measure = question.measures.get(keyword.word)
    // "1.500" has the terms 1 and 500. Each alone is another number, so the number is compared as it is written.
    const isMatchedWhole = isNumber && (measure?.unit !== '' || /[.,]/.test(keyword.word))
    const containsMeasure = (text: string): boolean =>
      !isMatchedWhole || containsMeasureText(text, keyword.word, measure?.word ?? '')
    const namedColumns = columns.all.filter(
      (column) =>
        containsMeasure(column.header) &&
        (namesColumn(names.get(column), keyword) ||
          negates(names.get(column), keyword, column) ||
          (PEOPLE_WORDS.test(keyword.word) && column === persons) ||
          isMeasuredIn(column, keyword)) &&
        // "Who works in Logistics?" does not ask about the column "Remote work".
        !(POSITION_WORDS.test(keyword.word) && isNamedInPart(column, keyword)),
    )
    const columnsWithCells = [...cells].filter(([, all]) =>
      all.some(({ terms, text }) => has(terms, keyword) && containsMeasure(text)),
    )
    // Cells are matched word by word, so 500 kg would match 500 g.
    if (measure?.unit && columnsWithCells.length > 0) doubtful.push(keyword.word)
    const fitOfTable = !isMatchedWhole && (has(heading, keyword) || has(title, keyword)) ? ABOUT_FIT : 0
    fit += fitOfTable
    // "Pay 120 euros" does not ask whether it is paid.
    if (isOfMoney && AMOUNT_VERBS.test(keyword.word)) continue
    const isName = /^\p{Lu}/u.test(keyword.word) && i > 0
    if (namedColumns.length > 0 && !(columnsWithCells.length > 0 && (isName || keyword.synonyms.size > 1))) {
      for (const column of namedColumns) named.set(column, [...(named.get(column) ?? []), keyword])
      fit += fitOfTable ? 0 : namedColumns.some((column) => column === key) ? KEY_FIT : COLUMN_FIT
      if (fitOfTable) about.push(keyword)
    } else if (isNumber && columnsWithCells.length === 0) {
      if (!numberKeywords.some(({ word }) => word === keyword.word)) numberKeywords.push(keyword)
    } else if (
      fitOfTable &&
      !(columnsWithCells.length > 0 && isWholeCell(columnsWithCells, keyword, keywords))
    )
      about.push(keyword)
    else if (columnsWithCells.length > 0) keywordsInCells.push(keyword)
    else if (columns.all.some(({ unit }) => isSameUnit(unit, keyword.word))) unitKeywords.push(keyword)
    else if (boundUnits.has(keyword.word)) continue
    else if (ROW_WORDS.test(keyword.word)) ofRows.push(keyword)
    else if (!OF_TABLES.test(keyword.word) && !namesType(question.type, keyword.word))
      unplacedKeywords.push(keyword)
  }
  // "How many beds does the largest clinic have?" asks for two operations.
  if (question.superlative !== '') unplaced.push(question.superlative)
  const byCells = cellConditions(typed, keywordsInCells, named, { question, keywords })
  const wordConditions: WordsWithCondition[] = [
    ...byCells,
    ...littleWordConditions(typed, question, keywords),
    ...question.periods.map(
      (period): WordsWithCondition => [period.written, periodCondition(typed, period, named, question)],
    ),
    ...question.bounds.map(
      (bound): WordsWithCondition => [
        bound.said,
        verbatimCondition(bound.said) ?? boundCondition(typed, bound, named),
      ],
    ),
    ...question.columnBounds.map(
      (bound): WordsWithCondition => [bound.said, columnCondition(typed, bound, named)],
    ),
    ...numberKeywords.map((keyword): WordsWithCondition => [keyword.word, numberedCondition(keyword)]),
  ]
  const conditions: Condition[] = []
  for (const [text, condition] of wordConditions) {
    if (condition === 'about') fit += ABOUT_FIT
    else if (condition === undefined && !isPartial) unplaced.push(text)
    // If the question contains "except" or "per", it is not certain for which rows the condition holds.
    else if (condition === undefined || condition === 'unclear' || notUnderstood.length > 0)
      doubtful.push(text)
    else conditions.push(condition)
  }
  if (numberKeywords.length === 0 && question.bounds.length === 0)
    unplaced.push(...unitKeywords.map(({ word }) => word))
  // If a word names two columns, the column that more words name is meant.
  for (const column of [...named.keys()])
    if (
      [...named].some(
        ([other, words]) => other !== column && isBetter(other, words, column, named.get(column) ?? []),
      )
    )
      named.delete(column)
  const yesOrNo = [...named.keys()].filter(({ kind }) => kind === 'yes-no')
  for (const column of question.operation === 'check' ? [] : yesOrNo) {
    const isNegatedColumn = (named.get(column) ?? []).some(
      (keyword) =>
        question.negated.has(keyword.word) ||
        (!namesColumn(names.get(column), keyword) && negates(names.get(column), keyword, column)),
    )
    const columnWords = (named.get(column) ?? []).map(({ word }) => word)
    // If some cells are neither yes nor no, it is not known which rows meet a negated condition.
    if (
      notUnderstood.length > 0 ||
      (isNegatedColumn && columns.rows.some((row) => column.isYes(row) === undefined))
    ) {
      doubtful.push(...columnWords)
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
    doubtful.push(unclearOr)
    conditions.length = 0
  }
  for (const { word } of unplacedKeywords.filter((keyword) => !isImpliedByCondition(keyword, conditions)))
    (isPartial ? doubtful : unplaced).push(word)
  fit += CELL_FIT * byCells.length
  return { named, conditions, about, ofRows, doubtful, unplaced, fit }

  /** The condition that cells of one column contain the text verbatim: "passport under 24 years". */
  function verbatimCondition(text: string): Condition | undefined {
    const folded = fold(text)
    const columnsWithText = [...cells].flatMap(([column, all]) => {
      const cellsWithText = all.filter((cell) => fold(cell.text).includes(folded))
      return cellsWithText.length > 0 ? [{ column, own: cellsWithText }] : []
    })
    const [one, ...others] = folded.includes(' ') ? columnsWithText : []
    if (!one || others.length > 0) return undefined
    const rows = new Set(one.own.flatMap((cell) => cell.rows))
    return { column: one.column, rows, label: `${one.column.header}: ${text}` }
  }

  /** "On floor 1": the word before a number names its column. */
  function numberedCondition(keyword: Keyword): Condition | Unclear | undefined {
    const before = keywords[keywords.indexOf(keyword) - 1]
    const nearest = [...named].filter(([, words]) => before !== undefined && words.includes(before))
    const measure = question.measures.get(keyword.word)
    const columns = nearest.length > 0 ? new Map(nearest) : named
    return measure && numberCondition(typed, { ...measure, said: keyword.word }, unitKeywords, columns)
  }

  function sizeOfName(column: Col): number {
    return textTerms(nameOf(column), typed.language).terms.size
  }

  /** Whether the name of the column contains a word that is not in the question. */
  function isNamedInPart(column: Col, keyword: Keyword): boolean {
    const others = keywords.filter((other) => other !== keyword)
    return [...words(nameOf(column))].some(({ raw }) => {
      const name = [typed.language, typed.asked].map((language) => textTerms(raw, language))
      return (
        name.every(({ terms }) => terms.size > 0) &&
        ![keyword, ...others].some((one) => namesColumn(name, one))
      )
    })
  }

  function isBetter(other: Col, otherWords: Keyword[], column: Col, columnWords: Keyword[]): boolean {
    if (!columnWords.every((keyword) => otherWords.includes(keyword))) return false
    if (otherWords.length > columnWords.length) return true
    const [otherSize, ownSize] = [sizeOfName(other), sizeOfName(column)]
    return otherSize < ownSize && otherSize === otherWords.length
  }
}

/** Whether the word is the unit of the column: "kilometres" for a column in km. Units of time are left out, as several columns have them. */
const isMeasuredIn = (column: Col, { word }: Keyword): boolean =>
  column.kind === 'number' &&
  !TIME_UNITS.some((unit) => inUnit(ONE, word, unit)) &&
  inUnit(ONE, word, unitOf(column))?.eq(ONE) === true

const TIME_UNITS = ['hours', 'days', 'months']

const ONE = new Decimal(1)

/**
 * The "or" between conditions of two columns, as in "insured or electric". Undefined for an "or" between two values of one column.
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

/** Whether a word says no more than a condition does: a verb of being somewhere, or the name of the condition's column. */
const isImpliedByCondition = ({ word }: Keyword, conditions: readonly Condition[]): boolean =>
  conditions.some(
    ({ column: { header, kind }, isOfTime }) =>
      (isOfTime && STATE_WORDS.test(word)) ||
      (kind === 'number' ? AMOUNT_VERBS : POSITION_WORDS).test(word) ||
      (AGE_WORDS.test(word) && AGE.test(header)) ||
      // "Courses that Rieke Bahr leads" are those with her in "Leader".
      (kind !== 'number' &&
        [...words(splitHeader(header))].some(({ raw }) => similarity(raw, word) >= MIN_SIMILARITY)),
  )

const containsMeasureText = (text: string, number: string, word: string): boolean =>
  text.replace(/\s/g, '').includes(`${number}${word}`)
