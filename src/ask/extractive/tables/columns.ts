// What a table's columns hold, told by their names and cells. Pure.

import { compute } from '../../compute/compute.ts'
import type { TableRowOf } from '../../tools/tools.ts'
import { type AnswerType, isColumnOf } from '../answer-type.ts'
import { isCode } from '../question.ts'

/** unit_price_eur and unitPrice are three words and two. */
export const spaced = (header: string): string =>
  header.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

export const languageOf = (rows: readonly TableRowOf[]) => rows[0]?.passage.language ?? 'en'

/** The column of figures that is meant: named in the question, else the one of the kind asked for. */
export function figureColumn(
  rows: readonly TableRowOf[],
  headers: readonly string[],
  named: readonly string[],
  type: AnswerType,
): string | undefined {
  const figures = headers.filter((header) => isFigures(rows, header) && !isId(rows, header))
  const asked = figures.filter((header) => named.includes(header))
  // Dates are told by the cells: a "lead time" is none, and an "order" may be one.
  const kind =
    type === 'date'
      ? figures.filter((header) => isDates(rows, header))
      : figures.filter((header) => isColumnOf(type, spaced(header)))
  const both = kind.filter((header) => asked.includes(header))
  for (const columns of [both, asked, kind]) if (columns.length === 1) return columns[0]
  // Of prices and amounts the price.
  const priced = kind.filter((header) => /price|preis|prix|precio/i.test(header))
  return priced.length === 1 ? priced[0] : undefined
}

export function isFigures(rows: readonly TableRowOf[], header: string): boolean {
  const cells = rows.map((row) => textIn(row, header)).filter(Boolean)
  return cells.length > 0 && cells.filter((cell) => /\d/.test(cell)).length > cells.length / 2
}

export function isDates(rows: readonly TableRowOf[], header: string): boolean {
  const earliest = compute(rows, { operation: 'min', columns: [header] }, languageOf(rows))
  return earliest.kind === 'value' && /^\d{4}-\d\d-\d\d$/.test(earliest.value)
}

export const textIn = (row: TableRowOf, header: string): string =>
  row.cells.find((cell) => cell.header === header)?.text ?? ''

/** Codes with letters and digits stand for things: they are counted, not added. */
export const isId = (rows: readonly TableRowOf[], header: string): boolean =>
  rows.filter((row) => isCode(textIn(row, header))).length > rows.length / 2

export function distinctBy(rows: readonly TableRowOf[], header: string): TableRowOf[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const text = textIn(row, header).toLowerCase()
    if (!text || seen.has(text)) return false
    seen.add(text)
    return true
  })
}
