// What the language models take and cost, and the limits of a month. The routes stand beside /v1 (`/account/spending`), for
// administrators who are signed in.

import { z } from 'zod'
import { anyEmail } from './account.ts'
import { text } from './fields.ts'

const price = z.number().min(0).max(1_000_000)
const cost = z.number().min(0).max(1_000_000_000).nullable()
const tokens = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable()

export const DEFAULT_CURRENCY = 'USD'

/** `price`: of a million tokens; `null` removes it. */
export const ModelPriceSet = z.object({
  model: text(1, 200, { trim: true }),
  price: z.object({ prompt: price, answer: price }).nullable(),
})
export type ModelPriceSet = z.infer<typeof ModelPriceSet>

/** Of a month of UTC; `null`: no limit. `person_…` holds for each person without a limit of their own. */
export const SpendingLimits = z.object({
  /** Of all prices and costs. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'A currency is three capital letters, such as EUR'),
  service_tokens: tokens,
  service_cost: cost,
  person_tokens: tokens,
  person_cost: cost,
})
export type SpendingLimits = z.infer<typeof SpendingLimits>

/** In place of the limits of each person; both `null`: no limit. */
const PersonalLimit = z.object({ tokens, cost })

/** `limit`: `null` removes it, so that the limits of each person hold again. */
export const PersonLimitSet = z.object({ email: anyEmail, limit: PersonalLimit.nullable() })
export type PersonLimitSet = z.infer<typeof PersonLimitSet>

export interface PersonLimit extends z.infer<typeof PersonalLimit> {
  person: { id: string; email: string }
}

export const SpendingQuery = z.object({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written like 2026-11')
    .optional(),
})

/** What was taken. */
export interface Spent {
  /** That a model was asked about, however many calls they took. */
  questions: number
  prompt_tokens: number
  answer_tokens: number
  /** Those of both that the server did not report, or not apart from each other. */
  estimated_tokens: number
  /** Those of both for which there was no price at the time. */
  unpriced_tokens: number
  cost: number
}

export interface PersonSpending extends Spent {
  /** Without `email`: the account was deleted. `null`: nobody, for the graph. */
  person: { id: string; email: string | null } | null
  model: string
}

export interface ModelPrice {
  model: string
  prompt: number
  answer: number
}

export interface MonthlySpending {
  /** `2026-11`, of UTC. */
  month: string
  /** Those for which there is something, the current one and the one shown included; newest first. */
  months: string[]
  total: Spent
  /** By person and model, the most tokens first. */
  rows: PersonSpending[]
  prices: ModelPrice[]
  limits: SpendingLimits
  /** Of single people, by email address. */
  person_limits: PersonLimit[]
}
