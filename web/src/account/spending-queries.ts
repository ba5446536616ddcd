// The queries of spending, which the page of models shares for the price, and how money is written.

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ModelPriceSet, MonthlySpending } from '../../../src/contract/spending.ts'
import { locale } from '../language/locale.ts'
import { account } from '../session.ts'

/** @param month such as 2026-11; undefined: the current one */
export const spendingQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ['account', 'spending', month],
    queryFn: () => account<MonthlySpending>('GET', `/spending${month ? `?month=${month}` : ''}`),
    // Every question to a model changes the figures.
    staleTime: 0,
  })

export const refreshSpending = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['account', 'spending'] })

/** An empty field is no limit. */
export const numberOf = (value: string): number | null => (value.trim() === '' ? null : Number(value))

export const setPrice = (price: ModelPriceSet): Promise<MonthlySpending> =>
  account<MonthlySpending>('PUT', '/spending/price', price)

/** A currency that nobody knows stands as its letters. */
export function formatCost(cost: number, currency: string): string {
  const digits = cost > 0 && cost < 1 ? 4 : 2
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: digits,
  })
  return format.format(cost)
}
