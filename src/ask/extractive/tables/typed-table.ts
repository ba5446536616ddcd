// A table with the types of its columns and the terms of its names and cells, which show whether a word names a column or is in a
// cell. Pure.

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
import { containsKeyword, isSynonymIn, type Keyword, type TextTerms, textTerms } from '../keywords.ts'
import { AGE_COLUMN, PERSON_COLUMN, PERSON_NOUN, STAFF_WORDS } from './phrases.ts'

/** The result if the table contains the words, but it is not certain which column, rows or values they mean. */
export type Unclear = 'unclear'

export type TableColumn = Column<PassageRow>

/**
 * The terms of a text in the language of its passage and in that of the question, because a table has too few words to guess its
 * language reliably.
 */
export type Terms = readonly TextTerms[]

export const isTextColumn = ({ kind }: TableColumn): boolean => kind === 'text'

export const has = (terms: Terms, keyword: Keyword): boolean =>
  terms.some((termsOfLanguage) => containsKeyword(termsOfLanguage, keyword))

export interface TypedTable {
  columns: Columns<PassageRow>
  /** The terms of the column names. */
  names: Map<TableColumn, Terms>
  /** The different cells of each column of texts or codes. */
  cells: Map<TableColumn, Cell[]>
  /** The first column of texts or codes in which every cell is unique, which names the rows. */
  key: TableColumn | undefined
  heading: Terms
  title: Terms
  /** The names of the table and of its columns. */
  about: string
  language: Language
  /** The language of the question. */
  questionLanguage: Language
}

// A cell with more terms is prose, and a single word of it does not identify the cell.
export const MAX_CELL_TERMS = 6

export function typeTable(table: SourceTable, questionLanguage: Language): TypedTable {
  const language = table.rows[0]?.passage.language ?? 'en'
  const termsOf = (text: string): Terms =>
    [...new Set([language, questionLanguage])].map((termLanguage) => textTerms(text, termLanguage))
  const columns = columnsOf(tableOf(table.rows, language), table.rows)
  const isUnique = (column: TableColumn): boolean => {
    const cells = columns.rows.map((row) => column.text(row).toLowerCase())
    return cells.every(Boolean) && new Set(cells).size === cells.length
  }
  return {
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
    questionLanguage,
  }

  function cellsOf(column: TableColumn) {
    const byText = new Map<string, PassageRow[]>()
    for (const row of columns.rows) {
      const text = column.text(row)
      if (text) byText.set(text, [...(byText.get(text) ?? []), row])
    }
    return [...byText].map(([text, rows]) => ({ text, rows, terms: termsOf(text) }))
  }
}

/** A header as separate words: `unit price` of `unit_price`, `unit Price` of `unitPrice`. */
export const splitHeader = (header: string): string =>
  header.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

/** The name of a column without its unit: "Weight" of "Weight (kg)". */
export const nameOf = ({ header }: TableColumn): string =>
  splitHeader(header).replace(/\s*\([^()]*\)\s*$/, '')

export interface Condition {
  column: TableColumn
  /** Whether the condition is met by rows that apply for an interval of time. */
  isOfTime?: boolean
  /** A second column of the condition: the one that `column` is compared with, or the one with the ends of its intervals. */
  other?: TableColumn
  rows: ReadonlySet<PassageRow>
  label: string
}

/** The unit of a column of numbers, else the unit in its name: `kg` of "weight_kg", `years` of "Age". */
export function unitOf(column: TableColumn): string {
  if (column.unit) return column.unit
  const header = splitHeader(column.header)
  const [unit = '', ...others] = header.split(/[^\p{L}\p{N}°²³/]+/u).filter(isMeasure)
  return others.length > 0 ? '' : unit || (AGE_COLUMN.test(header) ? 'years' : '')
}

/** An amount converted to the unit of a cell. Undefined if the units cannot be converted. */
export const amountIn = (amount: Decimal, unit: string, target: string): Decimal | undefined =>
  unit === '' || isSameUnit(unit, target) ? amount : inUnit(amount, unit, target)

/**
 * The column of persons: the only column whose name may mean persons, if the table is about people or most cells are full names. If
 * no column has such a name, the only column of first names.
 */
export function personColumn(typed: TypedTable): TableColumn | undefined {
  const { columns, about } = typed
  const candidates = columns.all.filter(
    ({ kind, header }) => kind === 'text' && PERSON_COLUMN.test(splitHeader(header)),
  )
  const [column, ...others] = candidates
  if (!column) return columnOfFirstNames(typed)
  if (others.length > 0) return undefined
  const cells = columns.rows.map(column.text)
  const isOfPeople =
    PERSON_NOUN.test(about) ||
    PERSON_NOUN.test(splitHeader(column.header)) ||
    cells.filter((text) => FULL_NAME.test(text)).length > cells.length / 2
  return isOfPeople ? column : undefined
}

function columnOfFirstNames({ columns }: TypedTable): TableColumn | undefined {
  const hasFirstNames = (column: TableColumn): boolean => {
    const cells = columns.rows.map(column.text).filter(Boolean)
    return cells.filter((text) => isFirstName(fold([...words(text)][0]?.raw ?? ''))).length > cells.length / 2
  }
  const [column, ...others] = columns.all.filter(
    (candidate) => isTextColumn(candidate) && hasFirstNames(candidate),
  )
  return others.length > 0 ? undefined : column
}

// Matches "Ines Maria van der Berg".
const FULL_NAME =
  /^\p{Lu}[\p{L}'’.-]+(?:\s(?:van|von|de|da|der|den|di|al|el|la))*(?:\s\p{Lu}[\p{L}'’.-]+){1,2}$/u

/**
 * The keyword with its synonyms, for the names of the table and of its columns. Synonyms are added only if the table does not
 * contain the keyword and no cell contains a synonym.
 */
export function withSynonyms(keyword: Keyword, typed: TypedTable): Keyword {
  const { columns, names, cells, heading, title, about, language: tableLanguage } = typed
  const isInTable =
    has(heading, keyword) ||
    has(title, keyword) ||
    columns.all.some((column) => matchesColumnName(names.get(column), keyword)) ||
    [...cells.values()].some((all) => all.some(({ terms }) => has(terms, keyword)))
  if (isInTable) return keyword
  const synonymTerms = STAFF_WORDS.test(keyword.word)
    ? [...words(about)].filter(({ raw }) => STAFF_WORDS.test(raw)).flatMap(({ raw }) => termsInAll(raw))
    : synonymsOf(keyword.word)
        .filter(({ language }) => language === tableLanguage)
        .flatMap(({ word, language }) => contentTerms(word, language))
  const isInCells = [...cells.values()].some((all) =>
    all.some(({ terms }) =>
      terms.some((cellTerms) => synonymTerms.some((term) => cellTerms.terms.has(term))),
    ),
  )
  return isInCells || synonymTerms.length === 0
    ? keyword
    : {
        ...keyword,
        synonyms: new Map([...keyword.synonyms, ...synonymTerms.map((term) => [term, 'any'] as const)]),
      }
}

/** The stems of a text in each language of the lexicon. */
const termsInAll = (text: string): string[] =>
  LEXICON_LANGUAGES.flatMap((language) => contentTerms(text, language))

// In UTF-16 units: the length of a common stem.
const MIN_STEM = 4

/** Whether a keyword names a column. Column names are short, so a common stem is enough: "supplies" names `supplier`. */
export const matchesColumnName = (name: Terms | undefined, keyword: Keyword): boolean =>
  name?.some((terms) => {
    if (containsKeyword(terms, keyword)) return true
    const form = keyword.forms.get(terms.language)
    if (form === undefined || form.length < MIN_STEM) return false
    return [...terms.terms].some(
      (term) => term.length >= MIN_STEM && (term.startsWith(form) || form.startsWith(term)),
    )
  }) ?? false

// The share of the longer word that two similar words have in common.
export const MIN_SIMILARITY = 0.55
const MIN_COMPOUND = 5

/**
 * The similarity of two words, 0 to 1. Words are similar if one is a compound that ends with the other, if they share a stem, or if
 * one is mistyped.
 */
export function similarity(first: string, second: string): number {
  const [shorter = '', longer = ''] = [fold(first), fold(second)].toSorted((a, b) => a.length - b.length)
  const firstDifference = [...shorter].findIndex((letter, i) => letter !== longer[i])
  const sharedLength = firstDifference < 0 ? shorter.length : firstDifference
  // "Uninsured" is not a compound of "insured".
  if (shorter.length >= MIN_COMPOUND && longer.endsWith(shorter))
    return NEGATING_PREFIX.test(longer) ? 0 : shorter.length / longer.length
  if (sharedLength >= MIN_STEM) return sharedLength / longer.length
  return shorter.length > MIN_COMPOUND && editDistance(shorter, longer, 1) === 1 ? 1 - 1 / longer.length : 0
}

// Matches "un" of "uninsured" and "nicht" of "nichtmitglied".
const NEGATING_PREFIX = /^(?:un|in|non|nicht|im|dis)-?(?=\p{L}{4})/iu

/** Whether a word negates the name of a yes-no column: "uninsured" negates "Insured". */
export const negatesColumnName = (
  name: Terms | undefined,
  keyword: Keyword,
  { kind }: TableColumn,
): boolean => {
  if (!name || kind !== 'yes-no' || !NEGATING_PREFIX.test(keyword.word)) return false
  const withoutPrefix = keyword.word.replace(NEGATING_PREFIX, '')
  return name.some(({ terms, language }) =>
    [...textTerms(withoutPrefix, language).terms].some((form) =>
      [...terms].some((term) => term.startsWith(form) || (form.startsWith(term) && term.length >= MIN_STEM)),
    ),
  )
}

/** Whether there is a cell that contains the keyword and consists only of words of the question. */
export const isWholeCell = (
  columns: readonly [TableColumn, { terms: Terms }[]][],
  keyword: Keyword,
  keywords: readonly Keyword[],
): boolean =>
  columns.some(([, all]) => all.some(({ terms }) => has(terms, keyword) && isCoveredBy(terms, keywords)))

/** Whether the keywords contain all terms of a text, in one of its languages. */
export const isCoveredBy = (all: Terms, keywords: readonly Keyword[]): boolean =>
  all.some(
    (text) =>
      text.terms.size > 0 &&
      [...text.terms].every((term) =>
        keywords.some(
          (keyword) => keyword.forms.get(text.language) === term || isSynonymIn(keyword, term, text),
        ),
      ),
  )

export type Cell = { text: string; terms: Terms; rows: PassageRow[] }
