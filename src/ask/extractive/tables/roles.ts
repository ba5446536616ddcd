// What each word of a question is in a table: a column, a condition, what the table is about. Pure.

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
  type Said,
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
  alike,
  type Col,
  type Condition,
  has,
  isWholeCell,
  MIN_ALIKE,
  nameOf,
  namesColumn,
  negates,
  personColumn,
  splitHeader,
  type Typed,
  type Unclear,
  unitOf,
} from './typed-table.ts'

/** What the words of a question are in a table. */
export interface Roles {
  /** Columns by how many words name them, in the order of the question. */
  named: Map<Col, Keyword[]>
  conditions: Condition[]
  /** What the table is about. */
  about: Keyword[]
  /** "How many entries". */
  ofRows: Keyword[]
  fit: number
  /** Words that the table has, without it being certain what they say of the rows. */
  doubtful: string[]
  /** Words that the table does not have. */
  unplaced: string[]
}

// A workbook says in its title what another says in the name of a sheet.
const ABOUT_FIT = 1
const KEY_FIT = 0.8
const COLUMN_FIT = 0.5
const CELL_FIT = 0.7
// A column of another kind than the question says is that much less.
export const OTHER_COLUMN = 1

/** @param isPartial words may stand in rows that are not there */
export function rolesOf(
  made: Typed,
  question: TableQuestion,
  keywords: readonly Keyword[],
  isPartial: boolean,
): Roles {
  const { columns, names, cells, key, heading, title } = made
  const persons = personColumn(made)
  const named = new Map<Col, Keyword[]>()
  const about: Keyword[] = []
  const ofRows: Keyword[] = []
  const inCells: Keyword[] = []
  const units: Keyword[] = []
  const numbers: Keyword[] = []
  const unitWords = new Set([...question.measures.values()].map(({ word }) => word).filter(Boolean))
  const boundUnits = new Set(question.bounds.map(({ word }) => word).filter(isUnit))
  const isOfMoney =
    question.bounds.some(({ amount }) => isCurrency(amount.unit)) ||
    [...question.measures.values()].some(({ unit }) => isCurrency(unit))
  // What says no more than a condition beside it: "lie at the pier", "cost more than 90 euros".
  const besides: Keyword[] = []
  const doubtful: string[] = []
  // "Double" is a kind of room where a cell says so.
  const isCell = (word: string): boolean =>
    keywords.some(
      (keyword) =>
        fold(keyword.word) === fold(word) &&
        isWholeCell(
          [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword))),
          keyword,
          keywords,
        ),
    )
  const notUnderstood = question.notUnderstood.filter((word) => !isCell(word))
  const unplaced = [...notUnderstood]
  let fit = 0
  for (const [i, keyword] of keywords.entries()) {
    // A unit belongs to its number; else a letter is an article.
    if (unitWords.has(keyword.word) || /^\p{Ll}$/u.test(keyword.word)) continue
    const isNumber = /^\d[\d.,]*$/.test(keyword.word)
    const measure = question.measures.get(keyword.word)
    // "1.500" has the terms 1 and 500, which alone say something else.
    const isWhole = isNumber && (measure?.unit !== '' || /[.,]/.test(keyword.word))
    const isSaid = (text: string): boolean => !isWhole || saysMeasure(text, keyword.word, measure?.word ?? '')
    const naming = columns.all.filter(
      (column) =>
        isSaid(column.header) &&
        (namesColumn(names.get(column), keyword) ||
          negates(names.get(column), keyword, column) ||
          (PEOPLE_WORDS.test(keyword.word) && column === persons) ||
          isMeasuredIn(column, keyword)) &&
        // Who works in Logistics need not do "Remote work".
        !(POSITION_WORDS.test(keyword.word) && isNamedInPart(column, keyword)),
    )
    const wholly = [...cells].filter(([, all]) =>
      all.some(({ terms, text }) => has(terms, keyword) && isSaid(text)),
    )
    // Cells are matched word by word, which would take 500 kg for 500 g.
    if (measure?.unit && wholly.length > 0) doubtful.push(keyword.word)
    const described = !isWhole && (has(heading, keyword) || has(title, keyword)) ? ABOUT_FIT : 0
    fit += described
    // "Pay 120 euros" does not ask whether it is paid.
    if (isOfMoney && AMOUNT_VERBS.test(keyword.word)) continue
    const isName = /^\p{Lu}/u.test(keyword.word) && i > 0
    if (naming.length > 0 && !(wholly.length > 0 && (isName || keyword.synonyms.size > 1))) {
      for (const column of naming) named.set(column, [...(named.get(column) ?? []), keyword])
      fit += described ? 0 : naming.some((column) => column === key) ? KEY_FIT : COLUMN_FIT
      if (described) about.push(keyword)
    } else if (isNumber && wholly.length === 0) {
      if (!numbers.some(({ word }) => word === keyword.word)) numbers.push(keyword)
    } else if (described && !(wholly.length > 0 && isWholeCell(wholly, keyword, keywords)))
      about.push(keyword)
    else if (wholly.length > 0) inCells.push(keyword)
    else if (columns.all.some(({ unit }) => isSameUnit(unit, keyword.word))) units.push(keyword)
    else if (boundUnits.has(keyword.word)) continue
    else if (ROW_WORDS.test(keyword.word)) ofRows.push(keyword)
    else if (!OF_TABLES.test(keyword.word) && !namesType(question.type, keyword.word)) besides.push(keyword)
  }
  // "How many beds does the largest clinic have?" asks for two things.
  if (question.superlative !== '') unplaced.push(question.superlative)
  const byCells = cellConditions(made, inCells, named, question, keywords)
  const said: Said[] = [
    ...byCells,
    ...littleWordConditions(made, question, keywords),
    ...question.periods.map(
      (period): Said => [period.written, periodCondition(made, period, named, question)],
    ),
    ...question.bounds.map(
      (bound): Said => [bound.said, verbatim(bound.said) ?? boundCondition(made, bound, named)],
    ),
    ...question.columnBounds.map((bound): Said => [bound.said, columnCondition(made, bound, named)]),
    ...numbers.map((keyword): Said => [keyword.word, numbered(keyword)]),
  ]
  const conditions: Condition[] = []
  for (const [text, condition] of said) {
    if (condition === 'about') fit += ABOUT_FIT
    else if (condition === undefined && !isPartial) unplaced.push(text)
    // Beside "except" or "per" it is not certain of which rows it holds.
    else if (condition === undefined || condition === 'unclear' || notUnderstood.length > 0)
      doubtful.push(text)
    else conditions.push(condition)
  }
  if (numbers.length === 0 && question.bounds.length === 0) unplaced.push(...units.map(({ word }) => word))
  // Of two columns that a word names, the one that more words name.
  for (const column of [...named.keys()])
    if (
      [...named].some(
        ([other, words]) => other !== column && isBetter(other, words, column, named.get(column) ?? []),
      )
    )
      named.delete(column)
  const yesOrNo = [...named.keys()].filter(({ kind }) => kind === 'yes-no')
  for (const column of question.operation === 'check' ? [] : yesOrNo) {
    const isNot = (named.get(column) ?? []).some(
      (keyword) =>
        question.negated.has(keyword.word) ||
        (!namesColumn(names.get(column), keyword) && negates(names.get(column), keyword, column)),
    )
    const own = (named.get(column) ?? []).map(({ word }) => word)
    // Where cells say neither, what is not so is not known.
    if (notUnderstood.length > 0 || (isNot && columns.rows.some((row) => column.isYes(row) === undefined))) {
      doubtful.push(...own)
      continue
    }
    const rows = columns.rows.filter((row) => column.isYes(row) === !isNot)
    const said = columns.rows.find((row) => column.isYes(row) === !isNot)
    conditions.push({
      column,
      rows: new Set(rows),
      label: `${column.header}: ${said ? column.text(said) || '–' : isNot ? '–' : '✓'}`,
    })
  }
  const or = eitherOfColumns(question, conditions, inCells, keywords)
  if (or !== undefined) {
    doubtful.push(or)
    conditions.length = 0
  }
  for (const { word } of besides.filter((keyword) => !isSaidBeside(keyword, conditions)))
    (isPartial ? doubtful : unplaced).push(word)
  fit += CELL_FIT * byCells.length
  return { named, conditions, about, ofRows, doubtful, unplaced, fit }

  /** Words that stand together in cells of one column: "passport under 24 years". */
  function verbatim(text: string): Condition | undefined {
    const said = fold(text)
    const saying = [...cells].flatMap(([column, all]) => {
      const own = all.filter((cell) => fold(cell.text).includes(said))
      return own.length > 0 ? [{ column, own }] : []
    })
    const [one, ...others] = said.includes(' ') ? saying : []
    if (!one || others.length > 0) return undefined
    const rows = new Set(one.own.flatMap((cell) => cell.rows))
    return { column: one.column, rows, label: `${one.column.header}: ${text}` }
  }

  /** "On floor 1": the word before a number names its column. */
  function numbered(keyword: Keyword): Condition | Unclear | undefined {
    const before = keywords[keywords.indexOf(keyword) - 1]
    const nearest = [...named].filter(([, words]) => before !== undefined && words.includes(before))
    const measure = question.measures.get(keyword.word)
    const of = nearest.length > 0 ? new Map(nearest) : named
    return measure && numberCondition(made, { ...measure, said: keyword.word }, units, of)
  }

  function sizeOfName(column: Col): number {
    return textTerms(nameOf(column), made.language).terms.size
  }

  /** Whether the name of the column has a word that no word of the question is. */
  function isNamedInPart(column: Col, keyword: Keyword): boolean {
    const others = keywords.filter((other) => other !== keyword)
    return [...words(nameOf(column))].some(({ raw }) => {
      const name = [made.language, made.asked].map((language) => textTerms(raw, language))
      return (
        name.every(({ terms }) => terms.size > 0) &&
        ![keyword, ...others].some((one) => namesColumn(name, one))
      )
    })
  }

  function isBetter(other: Col, words: Keyword[], column: Col, own: Keyword[]): boolean {
    if (!own.every((keyword) => words.includes(keyword))) return false
    if (words.length > own.length) return true
    const [theirs, mine] = [sizeOfName(other), sizeOfName(column)]
    return theirs < mine && theirs === words.length
  }
}

/** "Kilometres" are the column in km. Of a time there are as often several: of notice, of work. */
const isMeasuredIn = (column: Col, { word }: Keyword): boolean =>
  column.kind === 'number' &&
  !TIMES.some((unit) => inUnit(ONE, word, unit)) &&
  inUnit(ONE, word, unitOf(column))?.eq(ONE) === true

const TIMES = ['hours', 'days', 'months']

const ONE = new Decimal(1)

/** The "or" of "insured or electric", two columns of which both are conditions. Two values of one column may be either. */
function eitherOfColumns(
  { rest }: TableQuestion,
  conditions: readonly Condition[],
  inCells: readonly Keyword[],
  keywords: readonly Keyword[],
): string | undefined {
  const or = OR.exec(rest)
  if (!or || new Set(conditions.map(({ column }) => column)).size < 2) return undefined
  const isSaid = (keyword: Keyword | undefined): boolean => keyword !== undefined && inCells.includes(keyword)
  const [before, behind] = [rest.slice(0, or.index), rest.slice(or.index + or[0].length)]
  const last = keywords.findLast(({ word }) => before.includes(word))
  const next = keywords.find(({ word }) => behind.includes(word) && !before.includes(word))
  return isSaid(last) && isSaid(next) ? undefined : or[0]
}

/** Whether a word says no more than a condition does: a verb of being there, or the name of its column. */
const isSaidBeside = ({ word }: Keyword, conditions: readonly Condition[]): boolean =>
  conditions.some(
    ({ column: { header, kind }, isOfTime }) =>
      (isOfTime && STATE_WORDS.test(word)) ||
      (kind === 'number' ? AMOUNT_VERBS : POSITION_WORDS).test(word) ||
      (AGE_WORDS.test(word) && AGE.test(header)) ||
      // "Courses that Rieke Bahr leads" are those with her in "Leader".
      (kind !== 'number' && [...words(splitHeader(header))].some(({ raw }) => alike(raw, word) >= MIN_ALIKE)),
  )

const saysMeasure = (text: string, number: string, word: string): boolean =>
  text.replace(/\s/g, '').includes(`${number}${word}`)
