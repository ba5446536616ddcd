// Access to a table: its columns by name, its cells as text and as values in the notation of their column. Also recognises rows of
// totals. Pure.

import { intervalsOfCell } from '../../language/intervals.ts'
import type { Language } from '../../language/language.ts'
import { fold } from '../../language/words.ts'
import { Decimal, type Notation, notationOf, readValue, type Value } from './cell-value.ts'

export interface Row {
  cells: readonly { header: string; text: string }[]
}

export interface Table<R extends Row> {
  headers: string[]
  /** The header that a name means. Undefined if no header or several match. */
  column(name: string): string | undefined
  text(row: R, name: string): string
  value(row: R, name: string): Value | undefined
  notation(name: string): Notation
  /** The unit in a column's name: "Price (€)". */
  unit(name: string): string
}

export function tableOf<R extends Row>(rows: readonly R[], language: Language): Table<R> {
  const headers = [...new Set(rows.flatMap(({ cells }) => cells.map(({ header }) => header)))].filter(Boolean)
  const allCells = rows.flatMap(({ cells }) => cells.map(({ text }) => text))
  const notations = new Map<string, Notation>()
  const column = (name: string): string | undefined => {
    const foldedName = fold(name.trim())
    const equalHeaders = headers.filter((header) => fold(header) === foldedName)
    const containingHeaders = headers.filter(
      (header) => foldedName !== '' && fold(header).includes(foldedName),
    )
    return equalHeaders.length === 1
      ? equalHeaders[0]
      : containingHeaders.length === 1
        ? containingHeaders[0]
        : undefined
  }
  const text = (row: R, name: string): string => {
    const header = column(name)
    return row.cells.find((cell) => cell.header === header)?.text ?? ''
  }
  const notation = (name: string): Notation => {
    const header = column(name) ?? ''
    const cached = notations.get(header)
    if (cached) return cached
    const columnNotation = notationOf(
      rows.map((row) => text(row, name)),
      allCells,
      language,
    )
    notations.set(header, columnNotation)
    return columnNotation
  }
  // The brackets of "High season (Jul–Aug)" do not contain a unit.
  const unit = (name: string): string => {
    const inBrackets = /\(([^()]{1,24})\)\s*$/.exec(column(name) ?? '')?.[1] ?? ''
    return intervalsOfCell(inBrackets).length > 0 ? '' : inBrackets
  }
  const value = (row: R, name: string): Value | undefined => readValue(text(row, name), notation(name))
  return { headers, column, text, value, notation, unit }
}

// Matches a whole label, because "Total SE" is a company. English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic
// languages, Russian, Chinese, Japanese.
const TOTAL_LABEL =
  /^(?:(?:grand |sub-?)?totals?|sum|(?:gesamt|zwischen|end)?summe|(?:ins)?gesamt|total général|sous-total|totale|totaal|suma|somme|soma|summa|sammanlagt|i alt|totalt|yhteensä|итого|всего|合计|总计|合計|小計)\s*:?$/iu
// Matches "Total revenue:", which is a total in a table with a column Revenue.
const TOTAL_LABEL_OF_COLUMN =
  /^(?:(?:grand |sub-?)?total|summe|gesamt|totale|totaal|suma|somme|soma|summa)\s+(?<of>.+?)\s*:?$/iu
const TOTAL_BEGINNING = /^(?:total|net |gesamt|summe|totale|totaal)/iu

/**
 * Separates the rows labelled as totals. A row whose label only begins like that of a total is a total if its value is the sum of
 * the rows since the previous total.
 */
export function withoutTotals<R extends Row>(
  rows: readonly R[],
  valueIn: (row: R) => Value | undefined,
): { items: R[]; totals: R[] } {
  const items: R[] = []
  const totals: R[] = []
  let sumSinceTotal = new Decimal(0)
  let count = 0
  for (const row of rows) {
    const label = row.cells[0]?.text.trim() ?? ''
    const value = valueIn(row)
    const amount = value?.kind === 'number' ? value.amount : undefined
    const addsUp = TOTAL_BEGINNING.test(label) && count > 1 && amount?.eq(sumSinceTotal) === true
    if (TOTAL_LABEL.test(label) || isTotalOf(label, row) || addsUp) {
      totals.push(row)
      sumSinceTotal = new Decimal(0)
      count = 0
      continue
    }
    items.push(row)
    if (amount) {
      sumSinceTotal = sumSinceTotal.plus(amount)
      count++
    }
  }
  // If all rows are totals, they count as data.
  return items.length ? { items, totals } : { items: [...rows], totals: [] }
}

function isTotalOf(label: string, { cells }: Row): boolean {
  const totalLabel = TOTAL_LABEL_OF_COLUMN.exec(label)?.groups?.of?.toLowerCase()
  return totalLabel !== undefined && cells.some(({ header }) => header.trim().toLowerCase() === totalLabel)
}
