// What a table answers to a question.

import type { Language } from '../../../language/language.ts'
import { Decimal, notationOf } from '../../compute/cell-value.ts'
import type { PassageRow, SourceTable } from '../../tools/tools.ts'
import type { CellReading } from './grid.ts'
import type { Operation } from './phrases.ts'
import { splitHeader, type TableColumn } from './typed-table.ts'

export interface TableReading {
  table: SourceTable
  operation: Operation
  /** The column that was added up, compared or looked up, or the name of the counted things. */
  subject: string
  /** The result with its unit: a number, the text of a cell, yes or no. For a list the number of its rows. */
  value: string
  /** The conditions that the rows meet, as `Column: value`. */
  conditions: string[]
  /** The rows that the result is from. */
  rows: PassageRow[]
  /** The number of rows that were counted or compared. */
  matching: number
  /** The number of rows of the table, without rows of totals. */
  all: number
  /** The scale of the amounts as the table states it: "in thousand euros". Empty for none. */
  scale: string
  /** Whether the result is from a row of totals. */
  isTotalsRow: boolean
  /** Whether the result is a sum, but the question asks for a number of things: "How many beds?" */
  isSumForCount?: boolean
  /** The cells of the result or of its calculation, if the question names them by rows and columns (grid.ts). */
  cells?: CellReading
  /** The columns that are shown of each row. */
  columns: string[]
  /** The names of the rows, if there are only a few rows. */
  names: string[]
  /** How well the table matches the question, by words in its heading, title, columns and cells. */
  fit: number
}

/** The part of a question that a table answers. The rows are shown, but no answer is stated. */
export interface PartialReading {
  table: SourceTable
  /** The columns that the question names, without those of conditions. */
  subjects: string[]
  conditions: string[]
  /** The rows that meet the conditions. Empty if a part of the table is missing. */
  rows: PassageRow[]
  all: number
  /** The results of each likely reading of the question, if the table contains all of its words. */
  results: Pick<TableReading, 'operation' | 'subject' | 'value' | 'matching'>[]
  /** The words whose meaning in the table is not certain. */
  unplacedWords: string[]
  /** Whether the table contains all words of the question. Then an answer from another table is not certain. */
  containsAllWords: boolean
  /** Whether the table contains enough of the question to be shown if nothing else answers. */
  isShown: boolean
  /** Whether the question asks for several rows, so that one of them is not the answer. */
  asksForManyRows: boolean
  fit: number
}

/** The answer from a table, or the part of the question that it answers. */
export type TableResult = { reading: TableReading } | { partial: PartialReading }

/** The names of a table's columns, split into words. */
export const headersOf = (table: SourceTable): string[] => [
  ...new Set(table.rows.flatMap(({ cells }) => cells.map(({ header }) => splitHeader(header)))),
]

/** A reading of cells that the question names by rows and columns. */
export const readingOfCells = (table: SourceTable, cells: CellReading): TableReading => ({
  table,
  operation: 'value',
  subject: cells.subject,
  value: cells.results.map(({ text, isInPoints }) => (isInPoints ? `${text} %` : text)).join('; '),
  conditions: [],
  rows: cells.rows,
  matching: cells.rows.length,
  all: cells.rows.length,
  scale: cells.scale,
  isTotalsRow: false,
  cells,
  columns: headersOf(table),
  names: [],
  fit: cells.fit,
})

const MAX_NAMES = 8
const MAX_NAME_LENGTH = 60

/** The texts of the column in the rows. Empty if there are too many of them, or if one is empty or too long for a name. */
export function namesOf(rows: readonly PassageRow[], column: TableColumn | undefined): string[] {
  const texts = column ? rows.map((row) => column.text(row)) : []
  return texts.length <= MAX_NAMES && texts.every((text) => text !== '' && text.length <= MAX_NAME_LENGTH)
    ? texts
    : []
}

/** The value with the unit of its column, unless it contains a unit. */
export function withUnit(value: string, column: TableColumn, unit = column.unit): string {
  return value === '' || !unit || /[\p{L}€$£¥%]/u.test(value) ? value : `${value} ${unit}`
}

// Matches a number of a cell: "£4.00", "1.250,50 EUR".
const CELL_NUMBER = /^(?<sign>[€$£¥] ?)?\d[\d.,'’\u00a0\u202f]*/u

/** A calculated amount with its unit, as the cells of the column write theirs: "£7.50" below "£4.00" and "£3.50". */
export function writtenLikeCells(
  amount: string,
  { cells, unit, language }: { cells: readonly string[]; unit: string; language: Language },
): string {
  const { decimal } = notationOf(cells, [], language)
  const numbers = cells.map((cell) => CELL_NUMBER.exec(cell.trim())).filter((match) => match !== null)
  const decimalCounts = new Set(numbers.map(([text]) => text.split(decimal)[1]?.length ?? 0))
  const [decimals = 0] = decimalCounts
  const exact = new Decimal(amount)
  const isRegular = decimalCounts.size === 1 && exact.decimalPlaces() <= decimals
  const [whole = '', fraction] = exact.toFixed(isRegular ? decimals : exact.decimalPlaces()).split('.')
  const groupMark = numbers
    .map(([text]) => /\d(?<mark>[.,'’\u00a0\u202f])\d{3}(?!\d)/u.exec(text)?.groups?.mark)
    .find((mark) => mark !== undefined && mark !== decimal)
  const grouped = groupMark ? whole.replace(/\B(?=(?:\d{3})+$)/g, groupMark) : whole
  const text = fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`
  const sign = numbers[0]?.groups?.sign ?? ''
  if (sign !== '' && sign.trim() === unit) return text.replace(/^-?/, `$&${sign}`)
  return unit ? `${text} ${unit}` : text
}
