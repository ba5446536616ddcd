// What a table's columns contain, judged by their names and cells. Pure.

import { compute } from '../../compute/compute.ts'
import type { PassageRow } from '../../tools/tools.ts'
import { type AnswerType, isColumnOf } from '../answer-type.ts'
import { isCode } from '../question.ts'

/** A header as words: unit_price_eur, unitPrice. */
export const splitHeader = (header: string): string =>
  header.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')

export const languageOf = (rows: readonly PassageRow[]) => rows[0]?.passage.language ?? 'en'

/** The column of figures that is meant: the one named in the question, else the one of the type asked for. */
export function figureColumn(
  rows: readonly PassageRow[],
  headers: readonly string[],
  named: readonly string[],
  type: AnswerType,
): string | undefined {
  const figures = headers.filter((header) => isFigureColumn(rows, header) && !isIdColumn(rows, header))
  const asked = figures.filter((header) => named.includes(header))
  // Dates are recognised by the cells: "lead time" is no date, "last order" may be one.
  const kind =
    type === 'date'
      ? figures.filter((header) => isDateColumn(rows, header))
      : figures.filter((header) => isColumnOf(type, splitHeader(header)))
  const both = kind.filter((header) => asked.includes(header))
  return [both, asked, kind].find(({ length }) => length === 1)?.[0]
}

export function isFigureColumn(rows: readonly PassageRow[], header: string): boolean {
  const cells = rows.map((row) => cellText(row, header)).filter(Boolean)
  return cells.length > 0 && cells.filter((cell) => /\d/.test(cell)).length > cells.length / 2
}

function isDateColumn(rows: readonly PassageRow[], header: string): boolean {
  const earliest = compute(rows, { operation: 'min', columns: [header] }, languageOf(rows))
  return earliest.kind === 'value' && /^\d{4}-\d\d-\d\d$/.test(earliest.value)
}

export const cellText = (row: PassageRow, header: string): string =>
  row.cells.find((cell) => cell.header === header)?.text ?? ''

/** Whether the column holds codes, which identify things and are counted, never added. */
export const isIdColumn = (rows: readonly PassageRow[], header: string): boolean =>
  rows.filter((row) => isCode(cellText(row, header))).length > rows.length / 2

export function distinctBy(rows: readonly PassageRow[], header: string): PassageRow[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const text = cellText(row, header).toLowerCase()
    if (!text || seen.has(text)) return false
    seen.add(text)
    return true
  })
}
