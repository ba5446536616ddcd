// The tokens and costs of the language models, the prices and the limits, for administrators.

import { emailKey } from '../accounts/email-key.ts'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import { record } from '../audit/activity.sql.ts'
import { userActor } from '../audit/activity.ts'
import {
  DEFAULT_CURRENCY,
  type ModelPriceSet,
  type MonthlySpending,
  type PersonLimitSet,
  type SpendingLimits,
  type Spent,
} from '../contract/spending.ts'
import { forbidden, invalid } from '../errors.ts'
import type { Deps } from '../ports/deps.ts'
import {
  deletePersonLimit,
  deletePrice,
  hasCostsInOtherCurrency,
  insertNoLimits,
  isStillAdmin,
  lockLimits,
  selectLimits,
  selectMonths,
  selectPersonLimits,
  selectPrices,
  selectSpending,
  upsertLimits,
  upsertPersonLimit,
  upsertPrice,
} from './spending.sql.ts'

type SpendingDeps = Pick<Deps, 'db'>

const NO_LIMITS: SpendingLimits = {
  currency: DEFAULT_CURRENCY,
  service_tokens: null,
  service_cost: null,
  person_tokens: null,
  person_cost: null,
}

/** @param month `2026-11`; undefined: the current one. @throws ApiError 403 */
export async function getSpending(
  { db }: SpendingDeps,
  admin: SessionUser,
  month: string | undefined,
): Promise<MonthlySpending> {
  requireAdmin(admin)
  const months = await selectMonths(db)
  const shownMonth = month ?? months[0]
  const rows = await selectSpending(db, shownMonth)
  return {
    month: shownMonth,
    months: months.includes(shownMonth) ? months : [...months, shownMonth].sort().reverse(),
    total: totalOf(rows),
    rows,
    prices: await selectPrices(db),
    limits: (await selectLimits(db)) ?? NO_LIMITS,
    person_limits: await selectPersonLimits(db),
  }
}

const AMOUNTS = [
  'questions',
  'prompt_tokens',
  'answer_tokens',
  'estimated_tokens',
  'unpriced_tokens',
  'cost',
] as const

const totalOf = (rows: readonly Spent[]): Spent =>
  Object.fromEntries(
    AMOUNTS.map((amount) => [amount, rows.reduce((sum, row) => sum + row[amount], 0)]),
  ) as Record<(typeof AMOUNTS)[number], number>

/** The limits apply from the next call on. @throws ApiError 403; 422 for another currency while the month has costs */
export async function setSpendingLimits(
  deps: SpendingDeps,
  admin: SessionUser,
  limits: SpendingLimits,
): Promise<MonthlySpending> {
  requireAdmin(admin)
  await deps.db.tx(async (tx) => {
    await lockLimits(tx)
    if (await hasCostsInOtherCurrency(tx, limits.currency))
      throw invalid(
        ['body', 'currency'],
        'This month already has costs in the currency before, and Kenning does not convert them: remove the prices, and change the currency when the next month has begun',
      )
    if (!(await upsertLimits(tx, admin.id, limits))) throw forbidden('You are no longer an administrator.')
    await record(tx, { action: 'spending_limits_set', actor: userActor(admin.id) })
  })
  return getSpending(deps, admin, undefined)
}

/**
 * Sets or removes the limit of one person. From the next call on it replaces the limit for each person.
 * @throws ApiError 403; 422 for an address that nobody has
 */
export async function setPersonLimit(
  deps: SpendingDeps,
  admin: SessionUser,
  { email, limit }: PersonLimitSet,
): Promise<MonthlySpending> {
  requireAdmin(admin)
  const emailKeyOfPerson = emailKey(email)
  await deps.db.tx(async (tx) => {
    if (!(await isStillAdmin(tx, admin.id))) throw forbidden('You are no longer an administrator.')
    if (limit !== null) await insertNoLimits(tx, NO_LIMITS.currency)
    const id =
      limit === null
        ? await deletePersonLimit(tx, emailKeyOfPerson)
        : await upsertPersonLimit(tx, emailKeyOfPerson, limit)
    if (id === undefined && limit !== null)
      throw invalid(['body', 'email'], 'Nobody has an account with this email address')
    if (id !== undefined)
      await record(tx, { action: 'person_limit_set', actor: userActor(admin.id), subject: id })
  })
  return getSpending(deps, admin, undefined)
}

/** Sets or removes a price. It applies from the next call on; earlier costs do not change. @throws ApiError 403 */
export async function setModelPrice(
  deps: SpendingDeps,
  admin: SessionUser,
  { model, price }: ModelPriceSet,
): Promise<MonthlySpending> {
  requireAdmin(admin)
  await deps.db.tx(async (tx) => {
    const isAdmin =
      price === null
        ? await deletePrice(tx, admin.id, model)
        : await upsertPrice(tx, admin.id, { model, ...price })
    if (!isAdmin) throw forbidden('You are no longer an administrator.')
    await record(tx, { action: 'model_price_set', actor: userActor(admin.id), detail: { model } })
  })
  return getSpending(deps, admin, undefined)
}
