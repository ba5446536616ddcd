// A table with the types of its columns and the terms of its words. It shows whether a word names a column or is in a cell. Pure.

import { contentTerms } from '../../../language/analyse.ts'
import { editDistance } from '../../../language/edit-distance.ts'
import { isFirstName } from '../../../language/gazetteer.ts'
import type { Language } from '../../../language/language.ts'
import { LEXICON_LANGUAGES, synonymsOf } from '../../../language/lexicon.ts'
import { fold, words } from '../../../language/words.ts'
import { type Decimal, isSameUnit } from '../../compute/cell-value.ts'
import { type Column, type Columns, columnsOf } from '../../compute/columns.ts'
import { tableOf } from '../../compute/table.ts'
import { inUnit, isMeasure } from '../../compute/units.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import { contains, type Keyword, type TextTerms, textTerms } from '../keywords.ts'
import { AGE, PERSON_COLUMN, PERSON_NOUN, STAFF_WORDS } from './phrases.ts'

/** The table contains the words, but it is not certain which column, rows or values they mean. */
export type Unclear = 'unclear'

export type Col = Column<PassageRow>

/**
 * The terms of a text in the language of its passage and in that of the question. A table has too few words to guess its language
 * reliably.
 */
export type Terms = readonly TextTerms[]

export const isText = ({ kind }: Col): boolean => kind === 'text'

export const has = (terms: Terms, keyword: Keyword): boolean => terms.some((one) => contains(one, keyword))

export interface Typed {
  columns: Columns<PassageRow>
  names: Map<Col, Terms>
  cells: Map<Col, Cell[]>
  key: Col | undefined
  heading: Terms
  title: Terms
  /** The names of the table and of its columns. */
  about: string
  language: Language
  /** The language of the question. */
  asked: Language
}

// A cell with more terms is prose, in which a single word means little.
export const MAX_CELL_TERMS = 6

export function typedOf(table: SourceTable, questionLanguage: Language): Typed {
  const language = table.rows[0]?.passage.language ?? 'en'
  const termsOf = (text: string): Terms =>
    [...new Set([language, questionLanguage])].map((tongue) => textTerms(text, tongue))
  const columns = columnsOf(tableOf(table.rows, language), table.rows)
  const isUnique = (column: Col): boolean => {
    const cells = columns.rows.map((row) => column.text(row).toLowerCase())
    return cells.every(Boolean) && new Set(cells).size === cells.length
  }
  const typedTable: Typed = {
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
    about: [
      table.title,
      table.file.replace(/[_-]/g, ' '),
      table.heading,
      ...columns.all.map(({ header }) => splitHeader(header)),
    ].join('\n'),
    language,
    asked: questionLanguage,
  }
  return typedTable

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

/** The name of a column without its unit: "Weight" of "Weight (kg)". */
export const nameOf = ({ header }: Col): string => splitHeader(header).replace(/\s*\([^()]*\)\s*$/, '')

export interface Condition {
  column: Col
  /** The cells of the column are intervals: a row applies from one day to another. */
  isOfTime?: boolean
  /** A second column of the condition: the column that `column` is compared with, or the end of the interval that begins in it. */
  other?: Col
  rows: ReadonlySet<PassageRow>
  label: string
}

/** The unit of a column of numbers, else the unit in its name: "weight_kg", "Age". */
export function unitOf(column: Col): string {
  if (column.unit) return column.unit
  const header = splitHeader(column.header)
  const [unit = '', ...others] = header.split(/[^\p{L}\p{N}°²³/]+/u).filter(isMeasure)
  return others.length > 0 ? '' : unit || (AGE.test(header) ? 'years' : '')
}

/** An amount in the unit of a cell. Undefined if the units cannot be converted. */
export const amountIn = (amount: Decimal, unit: string, target: string): Decimal | undefined =>
  unit === '' || isSameUnit(unit, target) ? amount : inUnit(amount, unit, target)

/**
 * The column of persons. It is the only column whose name may mean persons, if the table is about people or the cells are full names.
 * If no column has such a name, it is the only column of first names.
 */
export function personColumn(typed: Typed): Col | undefined {
  const { columns, about } = typed
  const people = columns.all.filter(
    ({ kind, header }) => kind === 'text' && PERSON_COLUMN.test(splitHeader(header)),
  )
  const [column, ...others] = people
  if (!column || others.length > 0) return people.length > 0 ? undefined : columnOfFirstNames(typed)
  const cells = columns.rows.map(column.text)
  const isOfPeople =
    PERSON_NOUN.test(about) ||
    PERSON_NOUN.test(splitHeader(column.header)) ||
    cells.filter((text) => FULL_NAME.test(text)).length > cells.length / 2
  return isOfPeople ? column : undefined
}

function columnOfFirstNames({ columns }: Typed): Col | undefined {
  const isOfNames = (column: Col): boolean => {
    const cells = columns.rows.map(column.text).filter(Boolean)
    return cells.filter((text) => isFirstName(fold([...words(text)][0]?.raw ?? ''))).length > cells.length / 2
  }
  const [column, ...others] = columns.all.filter((one) => isText(one) && isOfNames(one))
  return others.length > 0 ? undefined : column
}

const FULL_NAME =
  /^\p{Lu}[\p{L}'’.-]+(?:\s(?:van|von|de|da|der|den|di|al|el|la))*(?:\s\p{Lu}[\p{L}'’.-]+){1,2}$/u

/**
 * The keyword with synonyms, which may be in the names of the table or of its columns. Synonyms are added only if the table does not
 * contain the keyword and no cell contains a synonym.
 */
export function asNamed(keyword: Keyword, typed: Typed): Keyword {
  const { columns, names, cells, heading, title, about, language: tableLanguage } = typed
  const isInTable =
    has(heading, keyword) ||
    has(title, keyword) ||
    columns.all.some((column) => namesColumn(names.get(column), keyword)) ||
    [...cells.values()].some((all) => all.some(({ terms }) => has(terms, keyword)))
  if (isInTable) return keyword
  const synonymTerms = STAFF_WORDS.test(keyword.word)
    ? [...words(about)].filter(({ raw }) => STAFF_WORDS.test(raw)).flatMap(({ raw }) => termsInAll(raw))
    : synonymsOf(keyword.word)
        .filter(({ language }) => language === tableLanguage)
        .flatMap(({ word, language }) => contentTerms(word, language))
  const isInCells = [...cells.values()].some((all) =>
    all.some(({ terms: own }) => own.some((one) => synonymTerms.some((term) => one.terms.has(term)))),
  )
  return isInCells || synonymTerms.length === 0
    ? keyword
    : { ...keyword, synonyms: new Set([...keyword.synonyms, ...synonymTerms]) }
}

/** The stems of a text in each language of the lexicon. */
const termsInAll = (text: string): string[] =>
  LEXICON_LANGUAGES.flatMap((language) => contentTerms(text, language))

const MIN_STEM = 4

/** Column names are short, so a common stem is enough: "supplies" names `supplier`. */
export const namesColumn = (name: Terms | undefined, keyword: Keyword): boolean =>
  name?.some((terms) => {
    if (contains(terms, keyword)) return true
    const form = keyword.forms.get(terms.language)
    if (form === undefined || form.length < MIN_STEM) return false
    return [...terms.terms].some(
      (term) => term.length >= MIN_STEM && (term.startsWith(form) || form.startsWith(term)),
    )
  }) ?? false

// The share of the longer word that two words have in common.
export const MIN_SIMILARITY = 0.55
const MIN_COMPOUND = 5

/**
 * How similar two words are, 0 to 1: one ends with the other, as in a compound, both have one stem, or one is mistyped.
 */
export function similarity(one: string, other: string): number {
  const [a = '', b = ''] = [fold(one), fold(other)].toSorted((x, y) => x.length - y.length)
  const firstDifference = [...a].findIndex((letter, i) => letter !== b[i])
  const sharedLength = firstDifference < 0 ? a.length : firstDifference
  // "Uninsured" is no compound of "insured".
  if (a.length >= MIN_COMPOUND && b.endsWith(a)) return NEGATING_PREFIX.test(b) ? 0 : a.length / b.length
  if (sharedLength >= MIN_STEM) return sharedLength / b.length
  return a.length > MIN_COMPOUND && editDistance(a, b, 1) === 1 ? 1 - 1 / b.length : 0
}

const NEGATING_PREFIX = /^(?:un|in|non|nicht|im|dis)-?(?=\p{L}{4})/iu

/** Whether a word negates the name of a yes-no column: "uninsured" negates "Insured". */
export const negates = (name: Terms | undefined, keyword: Keyword, { kind }: Col): boolean => {
  if (!name || kind !== 'yes-no' || !NEGATING_PREFIX.test(keyword.word)) return false
  const bare = keyword.word.replace(NEGATING_PREFIX, '')
  return name.some(({ terms, language }) =>
    [...textTerms(bare, language).terms].some((form) =>
      [...terms].some((term) => term.startsWith(form) || (form.startsWith(term) && term.length >= MIN_STEM)),
    ),
  )
}

/** Whether a cell contains the keyword and consists only of words of the question. */
export const isWholeCell = (
  columns: readonly [Col, { terms: Terms }[]][],
  keyword: Keyword,
  keywords: readonly Keyword[],
): boolean =>
  columns.some(([, all]) => all.some(({ terms }) => has(terms, keyword) && isCovered(terms, keywords)))

export const isCovered = (all: Terms, keywords: readonly Keyword[]): boolean =>
  all.some(
    ({ terms, language }) =>
      terms.size > 0 &&
      [...terms].every((term) =>
        keywords.some((keyword) => keyword.forms.get(language) === term || keyword.synonyms.has(term)),
      ),
  )

export type Cell = { text: string; terms: Terms; rows: PassageRow[] }
