// Rows that sum up the rows above them: adding them would count everything twice. Pure.

import type { Row } from './table.ts'
import { Decimal, type Value } from './value.ts'

// The whole cell: "Total SE" is a company. English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Russian.
const TOTAL =
  /^(?:(?:grand |sub-?)?totals?|sum|(?:gesamt|zwischen|end)?summe|(?:ins)?gesamt|total général|sous-total|totale|totaal|suma|somme|soma|summa|sammanlagt|i alt|totalt|yhteensä|итого|всего|合计|总计|合計|小計)\s*:?$/iu
// "Total revenue:" in a table that has a column Revenue.
const TOTAL_OF =
  /^(?:(?:grand |sub-?)?total|summe|gesamt|totale|totaal|suma|somme|soma|summa)\s+(?<of>.+?)\s*:?$/iu
const BEGINS = /^(?:total|net |gesamt|summe|totale|totaal)/iu

/** The rows without those that are called a total, and without those called so in part whose value adds up others. */
export function withoutTotals<R extends Row>(
  rows: readonly R[],
  valueIn: (row: R) => Value | undefined,
): { kept: R[]; totals: R[] } {
  const kept: R[] = []
  const totals: R[] = []
  let sinceTotal = new Decimal(0)
  let count = 0
  for (const row of rows) {
    const label = row.cells[0]?.text.trim() ?? ''
    const value = valueIn(row)
    const amount = value?.kind === 'number' ? value.amount : undefined
    const addsUp = BEGINS.test(label) && count > 1 && amount?.eq(sinceTotal) === true
    if (TOTAL.test(label) || isTotalOf(label, row) || addsUp) {
      totals.push(row)
      sinceTotal = new Decimal(0)
      count = 0
      continue
    }
    kept.push(row)
    if (amount) {
      sinceTotal = sinceTotal.plus(amount)
      count++
    }
  }
  // Asked for the totals alone, they are the rows.
  return kept.length ? { kept, totals } : { kept: [...rows], totals: [] }
}

function isTotalOf(label: string, { cells }: Row): boolean {
  const of = TOTAL_OF.exec(label)?.groups?.of?.toLowerCase()
  return of !== undefined && cells.some(({ header }) => header.trim().toLowerCase() === of)
}
