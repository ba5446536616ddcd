// Reads one table for a question: each word of the question must be the name of a column, what cells say, what the table is
// about, or the operation; else nothing is said. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import type { Language } from '../../../language/language.ts'
import { monthNamed } from '../../../language/periods.ts'
import { fold, words } from '../../../language/words.ts'
import { Decimal, isSameUnit } from '../../compute/cell-value.ts'
import { type Column, type Columns, columnsOf, type Days, daysBetween } from '../../compute/columns.ts'
import { compute } from '../../compute/compute.ts'
import { isWithin } from '../../compute/range.ts'
import { tableOf } from '../../compute/table.ts'
import { inUnit, isMeasure } from '../../compute/units.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { isColumnOf, namesType } from '../answer-type.ts'
import { contains, type Keyword, type TextTerms, textTerms } from '../keywords.ts'
import { isNegated } from '../question.ts'
import {
  AGE,
  AGE_WORDS,
  MEASURE_WORDS,
  OF_TABLES,
  ONGOING_WORDS,
  type Operation,
  PAY_WORDS,
  PEOPLE_WORDS,
  PERSON_COLUMN,
  POSITION_WORDS,
  ROW_WORDS,
  TOTAL_COLUMN,
} from './phrases.ts'
import {
  type Bound,
  isCurrency,
  isUnit,
  type Measure,
  type PeriodCondition,
  type TableQuestion,
} from './question.ts'

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
  /** The result stands in a row of totals. */
  isTotalsRow: boolean
  /** Columns to be shown of each row. */
  columns: string[]
  /** The names of the rows, where there are few of them. */
  names: string[]
  /** How well the table is what the question names: words in its heading, its title, its key. */
  fit: number
}

/** A table that may be meant, of which it is not certain what it says. */
export interface UnclearTable {
  table: SourceTable
  fit: number
}

/** What a table says, or that it may be meant and is unclear; neither where it says nothing to the question. */
export type TableResult = { reading: TableReading } | { unclear: UnclearTable }

/** The words fit, but not which column, rows or values are meant. */
type Unclear = 'unclear'

type Col = Column<PassageRow>

/** A text's terms in the language of its passage and in that of the question, since a table has few words to guess by. */
type Terms = readonly TextTerms[]

const isText = ({ kind }: Col): boolean => kind === 'text'

const has = (terms: Terms, keyword: Keyword): boolean => terms.some((one) => contains(one, keyword))

interface Typed {
  columns: Columns<PassageRow>
  names: Map<Col, Terms>
  cells: Map<Col, Cell[]>
  key: Col | undefined
  heading: Terms
  title: Terms
  language: Language
  /** The language of the question. */
  asked: Language
}

// A cell of more words is prose, in which a word says little.
const MOST_CELL_TERMS = 6

function typedOf(table: SourceTable, asked: Language): Typed {
  const language = table.rows[0]?.passage.language ?? 'en'
  const termsOf = (text: string): Terms =>
    [...new Set([language, asked])].map((tongue) => textTerms(text, tongue))
  const columns = columnsOf(tableOf(table.rows, language), table.rows)
  const isUnique = (column: Col): boolean => {
    const cells = columns.rows.map((row) => column.text(row).toLowerCase())
    return cells.every(Boolean) && new Set(cells).size === cells.length
  }
  const made: Typed = {
    columns,
    names: new Map(columns.all.map((column) => [column, termsOf(splitHeader(column.header))])),
    cells: new Map(
      columns.all
        .filter(({ kind }) => kind === 'text' || kind === 'code')
        .map((column) => [column, cellsOf(column)]),
    ),
    key: columns.all.find((column) => (column.kind === 'text' || column.kind === 'code') && isUnique(column)),
    heading: termsOf(table.heading),
    title: termsOf(`${table.title}\n${table.file.replace(/[_-]/g, ' ')}`),
    language,
    asked,
  }
  return made

  function cellsOf(column: Col) {
    const byText = new Map<string, PassageRow[]>()
    for (const row of columns.rows) {
      const text = column.text(row)
      if (text) byText.set(text, [...(byText.get(text) ?? []), row])
    }
    return [...byText].map(([text, rows]) => ({ text, rows, terms: termsOf(text) }))
  }
}

/** A header as words: unit_price_eur, unitPrice. */
export const splitHeader = (header: string): string =>
  header.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

interface Condition {
  column: Col
  rows: ReadonlySet<PassageRow>
  label: string
}

/** What the words of a question are in a table. */
interface Roles {
  /** Columns by how many words name them, in the order of the question. */
  named: Map<Col, Keyword[]>
  conditions: Condition[]
  /** What the table is about. */
  about: Keyword[]
  /** "How many entries". */
  ofRows: Keyword[]
  fit: number
  isUnclear: boolean
}

// With fewer it is a form or a list, whose words mean something else.
const MIN_COLUMNS = 2
const MIN_ROWS = 2

/** What the table says, if table, rows and column are certain. @param keywords of the rest of the question */
export function readTable(
  table: SourceTable,
  question: TableQuestion,
  keywords: readonly Keyword[],
  language: Language,
): TableResult | undefined {
  const made = typedOf(table, language)
  const { columns } = made
  const roles = columns.all.length > 0 ? rolesOf(made, question, keywords, table.isPartial) : undefined
  if (!roles) return undefined
  const answer = answerOf(table, made, question, keywords, roles)
  if (answer === undefined) return undefined
  const isClear =
    !table.isPartial &&
    !roles.isUnclear &&
    columns.all.length >= MIN_COLUMNS &&
    columns.rows.length >= MIN_ROWS
  if (answer === 'unclear' || !isClear) return { unclear: { table, fit: roles.fit } }
  return { reading: answer }
}

/** The names of a table's columns, which tell what in a question is a part of one. */
export const headersOf = (table: SourceTable): string[] => [
  ...new Set(table.rows.flatMap(({ cells }) => cells.map(({ header }) => splitHeader(header)))),
]

// A workbook says in its title what another says in the name of a sheet.
const ABOUT_FIT = 1
const KEY_FIT = 0.8
const COLUMN_FIT = 0.5
const CELL_FIT = 0.7
// A column of another kind than the question says is that much less.
const OTHER_COLUMN = 1

/** @param isPartial words may stand in rows that are not there */
function rolesOf(
  made: Typed,
  question: TableQuestion,
  keywords: readonly Keyword[],
  isPartial: boolean,
): Roles | undefined {
  const { columns, names, cells, key, heading, title } = made
  const named = new Map<Col, Keyword[]>()
  const about: Keyword[] = []
  const ofRows: Keyword[] = []
  const inCells: Keyword[] = []
  const units: Keyword[] = []
  const numbers: Keyword[] = []
  const unitWords = new Set([...question.measures.values()].map(({ word }) => word).filter(Boolean))
  const boundUnits = new Set(question.bounds.map(({ word }) => word).filter(isUnit))
  // What says no more than a condition beside it: "lie at the pier", "cost more than 90 euros".
  const besides: Keyword[] = []
  let fit = 0
  let isUnclear = false
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
          (PEOPLE_WORDS.test(keyword.word) && PERSON_COLUMN.test(splitHeader(column.header)))),
    )
    const wholly = [...cells].filter(([, all]) =>
      all.some(({ terms, text }) => has(terms, keyword) && isSaid(text)),
    )
    // Cells are matched word by word, which would take 500 kg for 500 g.
    if (measure?.unit && wholly.length > 0) isUnclear = true
    const described = !isWhole && (describes(heading, keyword) || describes(title, keyword)) ? ABOUT_FIT : 0
    fit += described
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
  if (question.superlative !== '') return undefined
  const byLittleWords = littleWordConditions(made, question, keywords)
  const inColumns = cellConditions(made, inCells, named, question, keywords)
  if (!inColumns) return undefined
  if (inColumns === 'unclear') isUnclear = true
  const byCells = inColumns === 'unclear' ? [] : inColumns
  const byTime = question.periods.map((period) => periodCondition(made, period, named, question))
  const byBounds = question.bounds.map((bound) => boundCondition(made, bound, named))
  const byNumbers = numbers.map((keyword) => {
    const before = keywords[keywords.indexOf(keyword) - 1]
    // "On floor 1": the word before a number names its column.
    const nearest = [...named].filter(([, words]) => before !== undefined && words.includes(before))
    const measure = question.measures.get(keyword.word)
    return (
      measure &&
      numberCondition(
        made,
        { ...measure, said: keyword.word },
        units,
        nearest.length > 0 ? new Map(nearest) : named,
      )
    )
  })
  const conditions = [...byCells]
  for (const condition of [...byLittleWords, ...byTime, ...byBounds, ...byNumbers]) {
    if (condition === undefined && !isPartial) return undefined
    if (condition === 'unclear') isUnclear = true
    else if (condition === 'about') fit += ABOUT_FIT
    else if (condition) conditions.push(condition)
  }
  if (units.length > 0 && byNumbers.length === 0 && question.bounds.length === 0) return undefined
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
    // Where cells say neither, what is not so is not known.
    if (isNot && columns.rows.some((row) => column.isYes(row) === undefined)) isUnclear = true
    const rows = columns.rows.filter((row) => column.isYes(row) === !isNot)
    const said = columns.rows.find((row) => column.isYes(row) === !isNot)
    conditions.push({
      column,
      rows: new Set(rows),
      label: `${column.header}: ${said ? column.text(said) || '–' : isNot ? '–' : '✓'}`,
    })
  }
  for (const keyword of besides) {
    if (isSaidBeside(keyword, conditions, question, made)) continue
    if (!isPartial) return undefined
    fit += CELL_FIT
  }
  const certain = inColumns === 'unclear' ? 1 : byCells.length
  return { named, conditions, about, ofRows, isUnclear, fit: fit + CELL_FIT * certain }

  function sizeOfName(column: Col): number {
    return names.get(column)?.[0]?.terms.size ?? 0
  }

  function isBetter(other: Col, words: Keyword[], column: Col, own: Keyword[]): boolean {
    if (!own.every((keyword) => words.includes(keyword))) return false
    if (words.length > own.length) return true
    const [theirs, mine] = [sizeOfName(other), sizeOfName(column)]
    return theirs < mine && theirs === words.length
  }
}

/** Whether a word says no more than a condition does: a verb of being somewhere, of costing, of lasting, of going on. */
function isSaidBeside(
  { word }: Keyword,
  conditions: readonly Condition[],
  { bounds }: TableQuestion,
  { columns }: Typed,
): boolean {
  const isMoney = bounds.some(({ amount }) => isCurrency(amount.unit))
  const isAmount = bounds.some(({ column, word: unit }) => column !== undefined || isMeasure(unit))
  if (isMoney && (PAY_WORDS.test(word) || namesType('money', word))) return true
  if (isAmount && MEASURE_WORDS.test(word)) return true
  return conditions.some(({ column }) => {
    const { header, kind } = column
    if (POSITION_WORDS.test(word)) return kind === 'text' || kind === 'code' || kind === 'yes-no'
    if (AGE_WORDS.test(word)) return AGE.test(header) && (kind === 'range' || kind === 'number')
    if (ONGOING_WORDS.test(word)) return column === columns.ends?.from
    // "Courses that Rieke Bahr leads" are those with her in "Leader".
    return kind !== 'number' && [...words(splitHeader(header))].some(({ raw }) => isSameStem(raw, word))
  })
}

const MIN_STEM = 4
const MAX_ENDING = 3
// German participles begin with it.
const PARTICIPLE = /^ge(?=\p{L}{4})/u

/** Whether a verb and a noun begin alike: "leitet", "Leitung". */
function isSameStem(one: string, other: string): boolean {
  const [a, b] = [fold(one), fold(other).replace(PARTICIPLE, '')]
  const differs = [...a].findIndex((letter, i) => letter !== b[i])
  const stem = differs < 0 ? a.length : differs
  return stem >= MIN_STEM && Math.max(a.length, b.length) - stem <= MAX_ENDING
}

const saysMeasure = (text: string, number: string, word: string): boolean =>
  text.replace(/\s/g, '').includes(`${number}${word}`)

/** The unit of a column of numbers, or that its name tells: "weight_kg", "Age". */
function unitOf(column: Col): string {
  if (column.unit) return column.unit
  const header = splitHeader(column.header)
  const [unit = '', ...others] = header.split(/[^\p{L}\p{N}°²³/]+/u).filter(isMeasure)
  return others.length > 0 ? '' : unit || (AGE.test(header) ? 'years' : '')
}

/** An amount in the unit of a cell; undefined where it cannot be compared. */
const amountIn = (amount: Decimal, unit: string, target: string): Decimal | undefined =>
  unit === '' || isSameUnit(unit, target) ? amount : inUnit(amount, unit, target)

const describes = (text: Terms, keyword: Keyword): boolean => has(text, keyword)

const LEAST_STEM = 4

/** Column names are short, so a common stem is enough: "supplies" names `supplier`. */
const namesColumn = (name: Terms | undefined, keyword: Keyword): boolean =>
  name?.some((terms) => {
    if (contains(terms, keyword)) return true
    const form = keyword.forms.get(terms.language)
    if (form === undefined || form.length < LEAST_STEM) return false
    return [...terms.terms].some(
      (term) => term.length >= LEAST_STEM && (term.startsWith(form) || form.startsWith(term)),
    )
  }) ?? false

const PREFIX = /^(?:un|in|non|nicht|im|dis)-?(?=\p{L}{4})/iu

/** "Uninsured" is the column "Insured" denied. */
const negates = (name: Terms | undefined, keyword: Keyword, { kind }: Col): boolean => {
  if (!name || kind !== 'yes-no' || !PREFIX.test(keyword.word)) return false
  const bare = keyword.word.replace(PREFIX, '')
  return name.some(({ terms, language }) =>
    [...textTerms(bare, language).terms].some((form) =>
      [...terms].some(
        (term) => term.startsWith(form) || (form.startsWith(term) && term.length >= LEAST_STEM),
      ),
    ),
  )
}

/** Whether the words of the question beside the keyword are all that a cell says. */
const isWholeCell = (
  columns: readonly [Col, { terms: Terms }[]][],
  keyword: Keyword,
  keywords: readonly Keyword[],
): boolean =>
  columns.some(([, all]) => all.some(({ terms }) => has(terms, keyword) && isCovered(terms, keywords)))

const isCovered = (all: Terms, keywords: readonly Keyword[]): boolean =>
  all.some(
    ({ terms, language }) =>
      terms.size > 0 &&
      [...terms].every((term) =>
        keywords.some((keyword) => keyword.forms.get(language) === term || keyword.synonyms.has(term)),
      ),
  )

/** The rows whose cells say the words; unclear where several columns may be meant, undefined where no cells say them together. */
function cellConditions(
  { columns, cells }: Typed,
  inCells: readonly Keyword[],
  named: ReadonlyMap<Col, Keyword[]>,
  question: TableQuestion,
  keywords: readonly Keyword[],
): Condition[] | Unclear | undefined {
  const byColumn = new Map<Col, Keyword[]>()
  for (const keyword of inCells) {
    const holding = [...cells].filter(([, all]) => all.some(({ terms }) => has(terms, keyword)))
    const whole = holding.filter((one) => isWholeCell([one], keyword, keywords))
    const asked = holding.filter(([column]) => named.has(column))
    const shared = holding.filter(([column]) => byColumn.has(column))
    const [one, ...others] = [asked, whole, shared, holding].find(({ length }) => length === 1) ?? []
    if (!one || others.length > 0) return 'unclear'
    byColumn.set(one[0], [...(byColumn.get(one[0]) ?? []), keyword])
  }
  const conditions: Condition[] = []
  for (const [column, words] of byColumn) {
    const isNot = words.some(({ word }) => question.negated.has(word))
    const all = cells.get(column) ?? []
    if (
      isNot &&
      words.length > 1 &&
      !words.every(({ word }) => question.negated.has(word)) &&
      question.mayBeEither
    )
      return 'unclear'
    // "Not paid" does not say that it is paid.
    const denying = all.filter(({ text, terms }) => isNegated(text) && words.some((word) => has(terms, word)))
    if (isNot && (denying.length > 0 || columns.rows.some((row) => column.text(row) === ''))) return 'unclear'
    const open = all.filter((cell) => !denying.includes(cell))
    const matching = cellsWith(open, words, keywords, question.mayBeEither)
    if (!matching) return undefined
    if (matching === 'unclear') return 'unclear'
    const rows = matching.flatMap((cell) => cell.rows)
    const meant = isNot ? columns.rows.filter((row) => !rows.includes(row)) : rows
    const label = matching
      .slice(0, MOST_VALUES)
      .map(({ text }) => text)
      .join(', ')
    conditions.push({
      column,
      rows: new Set(meant),
      label: `${column.header}${isNot ? ' ≠' : ':'} ${label}${matching.length > MOST_VALUES ? ', …' : ''}`,
    })
  }
  return conditions
}

/**
 * Words without a meaning of their own may be what a cell says: "in IT", "how many are off". With capitals they are that cell or
 * the question is not understood; small ones are unclear.
 */
function littleWordConditions(
  { columns, cells, asked }: Typed,
  { rest }: TableQuestion,
  keywords: readonly Keyword[],
): (Condition | Unclear | undefined)[] {
  const meant = new Set(keywords.flatMap(({ word }) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]))
  const terms = new Set(keywords.map(({ forms }) => forms.get(asked)))
  const little = [...words(rest)].map(({ raw }) => raw).filter((raw) => !meant.has(raw))
  return little.flatMap((raw): (Condition | Unclear | undefined)[] => {
    // What may be mistyped is left out of the keywords, but not of what is asked.
    if (raw !== 'a' && contentTerms(raw, asked).some((term) => !terms.has(term))) return [undefined]
    const isAcronym = /^\p{Lu}{2,}$/u.test(raw) && /\p{Ll}/u.test(rest)
    const isSaid = (text: string): boolean =>
      isAcronym ? [...words(text)].some((one) => one.raw === raw) : text.toLowerCase() === raw.toLowerCase()
    const saying = [...cells].flatMap(([column, all]) => {
      const own = all.filter(({ text }) => isSaid(text))
      return own.length > 0 ? [{ column, own }] : []
    })
    const isNamed = columns.all.some(({ header }) => [...words(header)].some((one) => one.raw === raw))
    const [one, ...others] = saying
    if (!one) return isAcronym && !isNamed ? [undefined] : []
    if (others.length > 0 || !isAcronym) return ['unclear']
    const label = `${one.column.header}: ${one.own.map(({ text }) => text).join(', ')}`
    return [{ column: one.column, rows: new Set(one.own.flatMap(({ rows }) => rows)), label }]
  })
}

const MOST_VALUES = 4
const LEAST_SAID = 0.5

type Cell = { text: string; terms: Terms; rows: PassageRow[] }

/** The cells that say all of the words, or each one of them where the question has "or"; whole cells before parts of cells. */
function cellsWith(
  all: readonly Cell[],
  words: readonly Keyword[],
  keywords: readonly Keyword[],
  mayBeEither: boolean,
): Cell[] | Unclear | undefined {
  const withAll = all.filter(({ terms }) => words.every((word) => has(terms, word)))
  if (withAll.length > 0) return certain(withAll, keywords)
  if (!mayBeEither) return undefined
  const each = words.map((word) => all.filter(({ terms }) => has(terms, word)))
  // "Nordic Bikes or Velo Paris": each cell by its own words.
  const whole = all.filter(({ terms }) => isCovered(terms, words))
  const cells = [...new Set(each.flat())]
  return each.every((some) => some.some((cell) => whole.includes(cell)))
    ? whole
    : each.every((some) => some.length === 1 && (some[0] ? sizeOf(some[0]) : 0) <= MOST_CELL_TERMS)
      ? cells
      : 'unclear'
}

const sizeOf = ({ terms: [own] }: Cell): number => own?.terms.size ?? 0

function certain(cells: readonly Cell[], keywords: readonly Keyword[]): Cell[] | Unclear {
  const whole = cells.filter(({ terms }) => isCovered(terms, keywords))
  if (whole.length > 0) return whole
  const saidOf = ({ terms: [own] }: Cell): number =>
    own
      ? [...own.terms].filter((term) => keywords.some(({ forms }) => forms.get(own.language) === term))
          .length / own.terms.size
      : 0
  const isShort = cells.every((cell) => sizeOf(cell) <= MOST_CELL_TERMS)
  return isShort && (cells.length === 1 || cells.every((cell) => saidOf(cell) >= LEAST_SAID))
    ? [...cells]
    : 'unclear'
}

/** `about` where the period only says which table it is; undefined where the table says nothing of time. */
function periodCondition(
  { columns, names, heading, title }: Typed,
  period: PeriodCondition,
  named: Map<Col, Keyword[]>,
  question: TableQuestion,
): Condition | 'about' | Unclear | undefined {
  const terms = textTerms(period.said, 'xx')
  const said = (text: Terms): boolean =>
    text.some((one) => [...terms.terms].every((term) => one.terms.has(term)))
  // "Planned 2027", "Revenue 2023 EUR".
  const headed = columns.all.filter((column) => said(names.get(column) ?? []))
  if (headed.length > 0) {
    const both = headed.filter((column) => named.has(column))
    const meant = both.length > 0 ? both : headed
    for (const column of [...named.keys()])
      if (both.length > 0 && !both.includes(column) && sharesName(column, both, named)) named.delete(column)
    for (const column of meant) named.set(column, [...(named.get(column) ?? []), YEAR])
    return 'about'
  }
  const dates = columns.all.filter(({ kind }) => kind === 'date')
  const asked = dates.filter((column) => named.has(column))
  const isAbout = said(heading) || said(title)
  const { ends } = columns
  if (ends?.from.kind === 'date' && asked.length === 0) {
    const rows = columns.rows.filter((row) => {
      const days = daysBetween(ends, row)
      return days !== undefined && holds(days, period, 'overlap') === true
    })
    if (period.relation !== 'within' || period.days === undefined) return 'unclear'
    return {
      column: ends.from,
      rows: new Set(rows),
      label: `${ends.from.header}–${ends.to.header}: ${period.said}`,
    }
  }
  const [column, ...others] = asked.length > 0 ? asked : dates
  if (!column && !isAbout) return monthCondition()
  if (!column) return 'about'
  if (others.length > 0) return 'unclear'
  if (columns.rows.some((row) => column.text(row) !== '' && column.days(row) === undefined)) return 'unclear'
  if (period.month !== undefined && yearsOf(columns.rows, column, period.month).size > 1) return 'unclear'
  const rows = columns.rows.filter((row) => {
    const days = column.days(row)
    return days !== undefined && holds(days, period, 'inside') === true
  })
  // "The orders of 2026" of a table that is called so.
  if (isAbout) return rows.length === columns.rows.length || rows.length === 0 ? 'about' : 'unclear'
  if (question.operation === 'value' && rows.length === 0) return undefined
  return { column, rows: new Set(rows), label: `${column.header}: ${period.written}` }

  /** "February 2024" of a table that is of 2024 and has a row for each month. */
  function monthCondition(): Condition | Unclear | undefined {
    const { days, month = days && monthOf(days) } = period
    const months = columns.all.filter(
      (one) => isText(one) && columns.rows.every((row) => monthNamed(one.text(row)) !== undefined),
    )
    const [one, ...more] = months
    if (month === undefined || !one || period.relation !== 'within') return undefined
    const year = days && textTerms(String(dateOf(days.from).getUTCFullYear()), 'xx')
    const isOfYear = (text: Terms): boolean =>
      text.some(({ terms }) => [...(year?.terms ?? [])].every((term) => terms.has(term)))
    if (year && !isOfYear(heading) && !isOfYear(title)) return undefined
    if (more.length > 0) return 'unclear'
    const rows = columns.rows.filter((row) => monthNamed(one.text(row)) === month)
    return { column: one, rows: new Set(rows), label: `${one.header}: ${period.written}` }
  }
}

/** The month, 1 to 12, of days that are one. */
const monthOf = ({ from, to }: Days): number | undefined => {
  const [first, last] = [dateOf(from), dateOf(to)]
  const isOne = first.getUTCMonth() === last.getUTCMonth() && first.getUTCFullYear() === last.getUTCFullYear()
  return isOne && first.getUTCDate() === 1 && to > from ? first.getUTCMonth() + 1 : undefined
}

// A year in the name of a column is a word of it.
const YEAR: Keyword = {
  word: '',
  forms: new Map(),
  synonyms: new Set(),
  weight: 0,
  isGeneric: true,
  isKnown: true,
  isTopic: false,
  pairs: [],
}

const sharesName = (column: Col, others: readonly Col[], named: ReadonlyMap<Col, Keyword[]>): boolean =>
  others.some((other) => (named.get(column) ?? []).some((keyword) => named.get(other)?.includes(keyword)))

const DAY_MS = 86_400_000
const dateOf = (day: number): Date => new Date(day * DAY_MS)

const yearsOf = (rows: readonly PassageRow[], column: Col, month: number): Set<number> =>
  new Set(
    rows.flatMap((row) => {
      const days = column.days(row)
      return days && dateOf(days.from).getUTCMonth() + 1 === month ? [dateOf(days.from).getUTCFullYear()] : []
    }),
  )

/** Whether a row's days are in the relation to the period; undefined where its days are too wide to tell. */
function holds(
  days: Days,
  { relation, days: asked, month }: PeriodCondition,
  how: 'inside' | 'overlap',
): boolean | undefined {
  if (month !== undefined) return dateOf(days.from).getUTCMonth() + 1 === month && days.to - days.from < 31
  if (!asked) return undefined
  if (relation === 'within')
    return how === 'overlap'
      ? days.from <= asked.to && days.to >= asked.from
      : days.from >= asked.from && days.to <= asked.to
  if (relation === 'from') return days.from >= asked.from
  if (relation === 'until') return days.to <= asked.to
  return relation === 'before' ? days.to < asked.from : days.from > asked.to
}

function boundCondition(
  { columns, names }: Typed,
  { is, amount, column: about, type, word, said }: Bound,
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const name = (column: Col): string => splitHeader(column.header)
  const numbers = columns.all.filter(({ kind }) => kind === 'number')
  const fitting = numbers.filter(
    (column) =>
      (!about || about.test(`${name(column)} ${column.unit}`)) &&
      (!type || isColumnOf(type, name(column)) || isColumnOf(type, column.unit)) &&
      (!amount.unit ||
        isSameUnit(amount.unit, column.unit) ||
        (column.unit === '' && isColumnOf('money', name(column)) === /[€$£¥]/.test(amount.unit))),
  )
  const ofUnit = word
    ? fitting.filter(
        (column) =>
          isSameUnit(word, column.unit) ||
          (isMeasure(word) && amountIn(amount.amount, word, unitOf(column)) !== undefined) ||
          (names.get(column)?.some(({ terms }) => terms.has(fold(word))) ?? false),
      )
    : []
  const asked = fitting.filter((column) => named.has(column))
  const [column, ...others] = [asked, ofUnit, fitting].find(({ length }) => length > 0) ?? []
  // Without a word for it, any column of numbers could be meant.
  const isNamed = column && (asked.length > 0 || ofUnit.length > 0 || about || type || amount.unit)
  if (!column || !isNamed) return undefined
  if (others.length > 0) return 'unclear'
  if (columns.rows.some((row) => column.text(row) !== '' && !column.number(row))) return 'unclear'
  const unit = isUnit(word) ? word : ''
  const limits = columns.rows.map((row) => {
    const own = column.number(row)?.unit || unitOf(column)
    // A column of money may leave its currency out.
    return amountIn(amount.amount, unit || (own === '' ? '' : amount.unit), own)
  })
  const isOneUnit = new Set(columns.rows.flatMap((row) => column.number(row)?.unit || [])).size <= 1
  if (limits.includes(undefined) || (!isOneUnit && unit === '' && amount.unit === '')) return 'unclear'
  const rows = columns.rows.filter((row, i) => {
    const value = column.number(row)
    const limit = limits[i]
    if (!value || !limit) return false
    const order = value.amount.cmp(limit)
    return (
      { more: order > 0, less: order < 0, at_least: order >= 0, at_most: order <= 0, equal: order === 0 }[
        is as 'more'
      ] === true
    )
  })
  return { column, rows: new Set(rows), label: `${column.header}: ${said}` }
}

/** "A parcel of 4 kg": the row whose range has it, or whose number it is. */
function numberCondition(
  { columns }: Typed,
  { amount, unit, said }: Measure & { said: string },
  units: readonly Keyword[],
  named: ReadonlyMap<Col, Keyword[]>,
): Condition | Unclear | undefined {
  const isOfUnit = (column: Col): boolean =>
    units.length === 0 ||
    units.some(({ word }) => isSameUnit(word, column.unit) || isSameUnit(word, splitHeader(column.header)))
  const ranges = columns.all.filter((column) => column.kind === 'range' && isOfUnit(column))
  const { ends } = columns
  if (ends?.from.kind === 'number' && ranges.length === 0) {
    if (!isOfUnit(ends.from)) return undefined
    const matches = columns.rows.map((row) => {
      const [from, to] = [ends.from.number(row), ends.to.number(row)]
      const least = amountIn(amount, unit, from?.unit || unitOf(ends.from))
      const most = amountIn(amount, unit, to?.unit || unitOf(ends.to) || unitOf(ends.from))
      if (!from || !least || !most) return undefined
      return from.amount.lte(least) && (to ? to.amount.gte(most) : ends.to.text(row) === '')
    })
    return condition(ends.from, `${ends.from.header}–${ends.to.header}`, matches)
  }
  const [range, ...others] = ranges
  if (range && others.length === 0) {
    const unitIn = (row: PassageRow): string => (range.range(row) ?? range.number(row))?.unit || unitOf(range)
    const isOneUnit = new Set(columns.rows.map(unitIn)).size === 1
    if (unit === '' && !isOneUnit) return 'unclear'
    const matches = columns.rows.map((row) => {
      const own = amountIn(amount, unit, unitIn(row))
      if (range.text(row) === '') return false
      const said = range.range(row)
      return own && (said ? isWithin(said, own.toNumber()) : range.number(row)?.amount.eq(own))
    })
    const within = columns.rows.filter((_, i) => matches[i])
    // "Up to 2 kg", "up to 5 kg": the narrowest class that has it.
    const isOpen = within.every((row) => range.range(row)?.from === Number.NEGATIVE_INFINITY)
    const ends = within.map((row) => {
      const end = range.range(row)?.to ?? Number.POSITIVE_INFINITY
      // By the same amount in the unit of each row.
      return end / (amountIn(amount, unit, unitIn(row))?.toNumber() || 1)
    })
    const least = Math.min(...ends)
    const narrowest = new Set(isOpen ? within.filter((_, i) => ends[i] === least) : within)
    return condition(
      range,
      '',
      matches.map((matching, i) => {
        const row = columns.rows[i]
        return matching === undefined ? undefined : row !== undefined && narrowest.has(row)
      }),
    )
  }
  const numbers = columns.all.filter(
    (column) =>
      column.kind === 'number' &&
      (named.has(column) ||
        (units.length > 0 && isOfUnit(column)) ||
        (unit !== '' && amountIn(amount, unit, unitOf(column)) !== undefined)),
  )
  const [column, ...more] = numbers
  if (!column) return undefined
  if (more.length > 0) return 'unclear'
  return condition(
    column,
    column.header,
    columns.rows.map((row) => {
      const value = column.number(row)
      if (!value) return false
      const own = amountIn(amount, unit, value.unit || unitOf(column))
      return own && value.amount.eq(own)
    }),
  )

  /** Undefined where a row cannot be compared, or none is meant. */
  function condition(
    of: Col,
    name: string,
    matches: readonly (boolean | undefined)[],
  ): Condition | undefined {
    const rows = columns.rows.filter((_, i) => matches[i])
    const [first] = rows
    if (!first || matches.includes(undefined)) return undefined
    const label = name ? `${name}: ${said}` : `${of.header}: ${of.text(first)}`
    return { column: of, rows: new Set(rows), label }
  }
}

function answerOf(
  table: SourceTable,
  made: Typed,
  question: TableQuestion,
  keywords: readonly Keyword[],
  roles: Roles,
): TableReading | Unclear | undefined {
  const { columns, key, names, language } = made
  const { named, about, ofRows, fit } = roles
  const conditions = [...roles.conditions]
  const isUsed = (column: Col): boolean => conditions.some((condition) => condition.column === column)
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
    if (!columns.rows.some(isEmpty)) return 'unclear'
    const isNot = (named.get(column) ?? []).some(({ word }) => question.negated.has(word))
    conditions.push({
      column,
      rows: new Set(columns.rows.filter((row) => isEmpty(row) === isNot)),
      label: `${column.header}: ${isNot ? '–' : '✓'}`,
    })
  }
  // What is denied has to be a condition.
  const denied = keywords.filter(isDenied)
  const conditionColumns = new Set(conditions.map(({ column }) => column))
  if (
    question.negated.size > denied.length ||
    denied.some(
      (keyword) =>
        about.includes(keyword) ||
        [...named].some(([column, words]) => words.includes(keyword) && !conditionColumns.has(column)),
    )
  )
    return 'unclear'
  const matching = columns.rows.filter((row) => conditions.every((condition) => condition.rows.has(row)))
  const rows = table.isPartial ? columns.rows : matching
  const base = {
    table,
    conditions: conditions.map(({ label }) => label),
    all: columns.rows.length,
    isTotalsRow: false,
    names: [] as string[],
    fit,
    columns: [
      ...(key ? [key.header] : []),
      ...[...named.keys()].map(({ header }) => header),
      ...conditions.map(({ column }) => column.header),
    ],
  }
  const isTied = thing !== undefined || about.length > 0 || ofRows.length > 0
  switch (question.operation) {
    case 'count':
      return countOf()
    case 'sum':
    case 'mean':
    case 'min':
    case 'max':
      return calculated(question.operation)
    case 'rows':
      return listed()
    case 'value':
      return lookedUp()
    case 'check':
      return checked()
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
    return calculatedIn('sum', column)
  }

  function cellOf(row: PassageRow, column: Col): TableReading {
    return {
      ...base,
      operation: 'value',
      subject: column.header,
      value: column.text(row),
      rows: [row],
      matching: 1,
    }
  }

  function calculated(operation: 'sum' | 'mean' | 'min' | 'max'): TableReading | Unclear | undefined {
    const column = figureColumn(operation)
    if (!column || column === 'unclear') return column
    // "Which customer has the highest amount?" of a table with several rows a customer could mean their sum.
    if (operation !== 'sum' && thing && distinct(rows, thing) < rows.length) return 'unclear'
    if (orderedThings.some(isOther)) return 'unclear'
    if (!isTied && conditions.length === 0 && !named.has(column)) return undefined
    return calculatedIn(operation, column)
  }

  function calculatedIn(
    operation: 'sum' | 'mean' | 'min' | 'max',
    column: Col,
  ): TableReading | Unclear | undefined {
    if (rows.length === 0) return undefined
    const isReadable = (row: PassageRow): boolean =>
      column.kind === 'date' ? column.days(row) !== undefined : column.number(row) !== undefined
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
      names: isExtreme ? namesOf(result.rows, thing ?? key) : [],
    }
  }

  function namesOf(some: readonly PassageRow[], column: Col | undefined): string[] {
    const texts = column ? some.map((row) => column.text(row)) : []
    return texts.length <= MAX_NAMES && texts.every((text) => text !== '' && text.length <= LONGEST_NAME)
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
            (column) => column.kind === 'text' && distinct(columns.rows, column) === columns.rows.length,
          )
        : thing
    const subject = label ?? thing ?? (about.length > 0 || ofRows.length > 0 ? key : undefined)
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
    return {
      ...base,
      operation: 'rows',
      subject: subject.header,
      value: String(seen.size),
      rows: [...seen.values()],
      matching: rows.length,
      names: namesOf([...seen.values()], subject),
      columns: [subject.header, ...base.columns],
    }
  }

  /** What is asked of the row that a range, a period or a number tells. */
  function lookedUp(): TableReading | Unclear | undefined {
    if (conditions.length === 0 || rows.length === 0) return undefined
    const isTold =
      question.periods.length > 0 ||
      conditions.some(({ column }) => column.kind === 'range' || column === columns.ends?.from)
    if (!isTold) return undefined
    if (rows.length > MAX_LOOKED_UP) return 'unclear'
    const asked = mostNamed(free.filter(({ kind }) => kind !== 'yes-no'))
    const others = columns.all.filter(
      (column) => !isUsed(column) && column !== columns.ends?.from && column !== columns.ends?.to,
    )
    const ofType = others.filter((column) =>
      isColumnOf(question.type, `${splitHeader(column.header)} ${column.unit}`),
    )
    const [column, ...more] = asked.length > 0 ? asked : ofType.length > 0 ? ofType : others
    if (!column) return undefined
    if (more.length > 0) return 'unclear'
    const value = [...new Set(rows.map((row) => withUnit(column.text(row), column)))].join(', ')
    return value
      ? { ...base, operation: 'value', subject: column.header, value, rows, matching: rows.length }
      : undefined
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

const MAX_LOOKED_UP = 3
const MAX_NAMES = 8
const LONGEST_NAME = 60

const distinct = (rows: readonly PassageRow[], column: Col): number =>
  new Set(rows.map((row) => column.text(row).toLowerCase()).filter(Boolean)).size

const MOST_DECIMALS = 2
const rounded = (value: string): string => String(Number(Number(value).toFixed(MOST_DECIMALS)))

/** The value with the unit of its column, unless it has one. */
function withUnit(value: string, column: Col, unit = column.unit): string {
  return !unit || /[\p{L}€$£¥%]/u.test(value) ? value : `${value} ${unit}`
}
