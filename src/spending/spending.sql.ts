// The statements for the tables `model_spending`, `model_call`, `model_price`, `spending_limit` and `person_limit`. Each change by
// an administrator checks again that the account is still an administrator. Months are those of UTC, by the clock of the database.

import sql, { type Sql } from 'sql-template-tag'
import {
  DEFAULT_CURRENCY,
  type ModelPrice,
  type PersonLimit,
  type PersonSpending,
  type SpendingLimits,
} from '../contract/spending.ts'
import type { Queryable } from '../ports/db/db.ts'

/** The account id for tokens that no person asked for, such as those of the graph. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

const thisMonth = sql`date_trunc('month', now() AT TIME ZONE 'UTC')::date`

const isAdmin = (id: string): Sql =>
  sql`EXISTS (SELECT FROM account WHERE id = ${id} AND admin AND status = 'active')`

const limitFields = sql`currency, service_tokens::float8 AS service_tokens, service_cost::float8 AS service_cost,
  person_tokens::float8 AS person_tokens, person_cost::float8 AS person_cost`

export async function selectLimits(db: Queryable): Promise<SpendingLimits | undefined> {
  const [row] = await db.rows<SpendingLimits>(sql`SELECT ${limitFields} FROM spending_limit`)
  return row
}

const limitsFor = (accountId: string): Sql => sql`
  SELECT l.currency, l.service_tokens::float8 AS service_tokens, l.service_cost::float8 AS service_cost,
    (CASE WHEN p.account_id IS NULL THEN l.person_tokens ELSE p.tokens END)::float8 AS person_tokens,
    (CASE WHEN p.account_id IS NULL THEN l.person_cost ELSE p.cost END)::float8 AS person_cost
  FROM spending_limit l LEFT JOIN person_limit p ON p.account_id = ${accountId}`

/** The limits that apply to a person: `person_…` are their own limits if they have some, otherwise those for each person. */
export async function selectLimitsFor(db: Queryable, accountId: string): Promise<SpendingLimits | undefined> {
  const [row] = await db.rows<SpendingLimits>(limitsFor(accountId))
  return row
}

/** Locks the limits until the transaction ends, so that calls are checked against them one after the other. */
export async function lockLimitsFor(tx: Queryable, accountId: string): Promise<SpendingLimits | undefined> {
  const [row] = await tx.rows<SpendingLimits>(sql`${limitsFor(accountId)} FOR UPDATE OF l`)
  return row
}

export const lockLimits = (tx: Queryable): Promise<unknown> =>
  tx.rows(sql`SELECT 1 FROM spending_limit FOR UPDATE`)

export const selectPersonLimits = (db: Queryable): Promise<PersonLimit[]> =>
  db.rows(sql`
    SELECT jsonb_build_object('id', a.id, 'email', a.email) AS person, p.tokens::float8 AS tokens, p.cost::float8 AS cost
    FROM person_limit p JOIN account a ON a.id = p.account_id ORDER BY a.email_key`)

/** Adds the row of the limits, without any limit, if there is none: calls are checked only if it is there. */
export async function insertNoLimits(tx: Queryable, currency: string): Promise<void> {
  await tx.rows(sql`INSERT INTO spending_limit (currency) VALUES (${currency}) ON CONFLICT (id) DO NOTHING`)
}

/** Returns the id of the account; undefined if there is none with this email address. */
export async function upsertPersonLimit(
  tx: Queryable,
  emailKey: string,
  { tokens, cost }: Pick<PersonLimit, 'tokens' | 'cost'>,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(sql`
    INSERT INTO person_limit (account_id, tokens, cost)
    SELECT id, ${tokens}::bigint, ${cost}::numeric FROM account WHERE email_key = ${emailKey}
    ON CONFLICT (account_id) DO UPDATE SET tokens = EXCLUDED.tokens, cost = EXCLUDED.cost
    RETURNING account_id AS id`)
  return row?.id
}

/** Returns the id of the account; undefined if there is none with this email address and a limit. */
export async function deletePersonLimit(tx: Queryable, emailKey: string): Promise<string | undefined> {
  const [row] = await tx.rows<{ id: string }>(sql`
    DELETE FROM person_limit p USING account a WHERE a.id = p.account_id AND a.email_key = ${emailKey}
    RETURNING p.account_id AS id`)
  return row?.id
}

export async function isStillAdmin(tx: Queryable, id: string): Promise<boolean> {
  const [row] = await tx.rows<{ is_admin: boolean }>(sql`SELECT ${isAdmin(id)} AS is_admin`)
  return row?.is_admin === true
}

/**
 * Whether this month has costs or running calls in another currency. Their numbers are not converted, so a new currency would make
 * them wrong. As long as no limit is set, nobody has chosen a currency, so it may be changed.
 */
export async function hasCostsInOtherCurrency(tx: Queryable, currency: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    SELECT 1 FROM spending_limit l WHERE l.currency <> ${currency}
      AND num_nonnulls(l.service_tokens, l.service_cost, l.person_tokens, l.person_cost) > 0 AND (
      EXISTS (SELECT FROM model_spending WHERE month = ${thisMonth} AND cost > 0)
      OR EXISTS (SELECT FROM model_call WHERE cost > 0 AND expires_at > clock_timestamp()))`)
  return rows.length > 0
}

/** Returns false if the account is no longer an administrator. */
export async function upsertLimits(tx: Queryable, adminId: string, limits: SpendingLimits): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO spending_limit (currency, service_tokens, service_cost, person_tokens, person_cost)
    SELECT ${limits.currency}, ${limits.service_tokens}::bigint, ${limits.service_cost}::numeric, ${limits.person_tokens}::bigint,
      ${limits.person_cost}::numeric
    WHERE ${isAdmin(adminId)}
    ON CONFLICT (id) DO UPDATE SET currency = EXCLUDED.currency, service_tokens = EXCLUDED.service_tokens,
      service_cost = EXCLUDED.service_cost, person_tokens = EXCLUDED.person_tokens, person_cost = EXCLUDED.person_cost
    RETURNING id`)
  return rows.length > 0
}

/** Returns false if the account is no longer an administrator. */
export async function upsertPrice(
  tx: Queryable,
  adminId: string,
  { model, prompt, answer }: ModelPrice,
): Promise<boolean> {
  const rows = await tx.rows(sql`
    INSERT INTO model_price (model, prompt, answer)
    SELECT ${model}, ${prompt}::numeric, ${answer}::numeric WHERE ${isAdmin(adminId)}
    ON CONFLICT (model) DO UPDATE SET prompt = EXCLUDED.prompt, answer = EXCLUDED.answer
    RETURNING model`)
  return rows.length > 0
}

/** Returns false if the account is no longer an administrator. A model without a price keeps none. */
export async function deletePrice(tx: Queryable, adminId: string, model: string): Promise<boolean> {
  const [row] = await tx.rows<{ is_admin: boolean }>(sql`
    WITH asked AS MATERIALIZED (SELECT ${isAdmin(adminId)} AS is_admin),
      removed AS (DELETE FROM model_price WHERE model = ${model} AND (SELECT is_admin FROM asked))
    SELECT is_admin FROM asked`)
  return row?.is_admin === true
}

export const selectPrices = (db: Queryable): Promise<ModelPrice[]> =>
  db.rows(sql`
    SELECT model, prompt::float8 AS prompt, answer::float8 AS answer FROM model_price ORDER BY model`)

/** The cost of the tokens. NULL if the model has no price. */
const costOf = (model: string, { prompt, answer }: { prompt: number; answer: number }): Sql => sql`
  (SELECT (p.prompt * ${prompt}::bigint + p.answer * ${answer}::bigint) / 1000000 FROM model_price p WHERE p.model = ${model})`

/** The cost of the tokens, and its currency. Undefined if the model has no price. */
export async function selectCost(
  db: Queryable,
  model: string,
  amount: { prompt: number; answer: number },
): Promise<{ cost: number; currency: string } | undefined> {
  const [row] = await db.rows<{ cost: number | null; currency: string }>(sql`
    SELECT ${costOf(model, amount)}::float8 AS cost,
      coalesce((SELECT currency FROM spending_limit), ${DEFAULT_CURRENCY}) AS currency`)
  return row === undefined || row.cost === null ? undefined : { cost: row.cost, currency: row.currency }
}

export interface Sums {
  service_tokens: number
  service_cost: number
  person_tokens: number
  person_cost: number
}

/** The tokens and costs of this month, with the reservations of running calls. */
export async function selectSums(db: Queryable, accountId: string): Promise<Sums> {
  const [row] = await db.rows<Sums>(sql`
    WITH taken AS (
      SELECT account_id, prompt_tokens + answer_tokens AS tokens, cost FROM model_spending WHERE month = ${thisMonth}
      UNION ALL
      SELECT account_id, tokens, cost FROM model_call WHERE expires_at > clock_timestamp()
    )
    SELECT coalesce(sum(tokens), 0)::float8 AS service_tokens, coalesce(sum(cost), 0)::float8 AS service_cost,
      coalesce(sum(tokens) FILTER (WHERE account_id = ${accountId}), 0)::float8 AS person_tokens,
      coalesce(sum(cost) FILTER (WHERE account_id = ${accountId}), 0)::float8 AS person_cost
    FROM taken`)
  if (!row) throw new Error('SELECT of the sums returned no row')
  return row
}

export interface Call {
  accountId: string
  model: string
  /** Tokens of the prompt. */
  prompt: number
  /** Tokens of the answer. */
  answer: number
}

/** Inserts a reservation that expires after `seconds`, and deletes expired ones, whose process has died. */
export async function insertCall(tx: Queryable, id: string, call: Call, seconds: number): Promise<void> {
  await tx.rows(sql`DELETE FROM model_call WHERE expires_at <= clock_timestamp()`)
  await tx.rows(sql`
    INSERT INTO model_call (id, account_id, tokens, cost, expires_at)
    VALUES (${id}, ${call.accountId}, ${call.prompt + call.answer}::bigint, coalesce(${costOf(call.model, call)}, 0),
      clock_timestamp() + make_interval(secs => ${seconds}))`)
}

export async function deleteCall(db: Queryable, id: string): Promise<void> {
  await db.rows(sql`DELETE FROM model_call WHERE id = ${id}`)
}

/** The tokens that a call used. */
export interface Spending extends Call {
  /** How many of the tokens are estimates, because the server did not report them. */
  estimated: number
  questions: number
}

export async function addSpending(db: Queryable, spending: Spending): Promise<void> {
  const { accountId, model, prompt, answer, estimated, questions } = spending
  await db.rows(sql`
    INSERT INTO model_spending AS s
      (month, account_id, model, questions, prompt_tokens, answer_tokens, estimated_tokens, unpriced_tokens, cost)
    SELECT ${thisMonth}, ${accountId}::uuid, ${model}, ${questions}::bigint, ${prompt}::bigint, ${answer}::bigint, ${estimated}::bigint,
      CASE WHEN c.cost IS NULL THEN ${prompt + answer}::bigint ELSE 0 END, coalesce(c.cost, 0)
    FROM (SELECT ${costOf(model, spending)} AS cost) c
    ON CONFLICT (month, account_id, model) DO UPDATE SET questions = s.questions + EXCLUDED.questions,
      prompt_tokens = s.prompt_tokens + EXCLUDED.prompt_tokens, answer_tokens = s.answer_tokens + EXCLUDED.answer_tokens,
      estimated_tokens = s.estimated_tokens + EXCLUDED.estimated_tokens,
      unpriced_tokens = s.unpriced_tokens + EXCLUDED.unpriced_tokens, cost = s.cost + EXCLUDED.cost`)
}

export async function secondsOfMonthLeft(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ seconds: number }>(sql`
    SELECT ceil(extract(epoch FROM (${thisMonth} + interval '1 month') - now() AT TIME ZONE 'UTC'))::int AS seconds`)
  return Math.max(1, row?.seconds ?? 1)
}

/** The months with spending, and the current month; newest first. */
export async function selectMonths(db: Queryable): Promise<[string, ...string[]]> {
  const rows = await db.rows<{ month: string }>(sql`
    SELECT to_char(m.month, 'YYYY-MM') AS month FROM (SELECT month FROM model_spending UNION SELECT ${thisMonth}) m
    ORDER BY m.month DESC`)
  const [newest, ...earlier] = rows.map(({ month }) => month)
  if (newest === undefined) throw new Error('SELECT of the months returned no row')
  return [newest, ...earlier]
}

/** @param month `2026-11` */
export const selectSpending = (db: Queryable, month: string): Promise<PersonSpending[]> =>
  db.rows(sql`
    SELECT CASE WHEN s.account_id = ${NOBODY} THEN NULL ELSE jsonb_build_object('id', s.account_id, 'email', a.email) END AS person,
      s.model, s.questions::float8 AS questions, s.prompt_tokens::float8 AS prompt_tokens,
      s.answer_tokens::float8 AS answer_tokens, s.estimated_tokens::float8 AS estimated_tokens,
      s.unpriced_tokens::float8 AS unpriced_tokens, s.cost::float8 AS cost
    FROM model_spending s LEFT JOIN account a ON a.id = s.account_id
    WHERE s.month = ${`${month}-01`}::date
    ORDER BY s.prompt_tokens + s.answer_tokens DESC, a.email, s.model`)
