// `kenning spending` shows the tokens and costs of the language models, and sets prices and monthly limits, for administrators.

import type {
  ModelPriceSet,
  MonthlySpending,
  PersonLimitSet,
  SpendingLimits,
  Spent,
} from '../../contract/spending.ts'
import type { Context } from '../context.ts'
import { wrongUse } from '../failure.ts'
import { type Account, type AccountOptions, asAccount } from '../login/account.ts'
import { safe } from '../terminal.ts'

interface LimitOptions extends AccountOptions {
  currency?: string
  serviceTokens?: string
  serviceCost?: string
  personTokens?: string
  personCost?: string
  person?: string
}

const PAGE = { path: '/spending', task: 'see what models take' }

/** Prints a line for each person and model, and the limits. */
export const showSpending = (context: Context, options: AccountOptions & { month?: string }): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const month = options.month === undefined ? '' : `?month=${encodeURIComponent(options.month)}`
    const spending = await account<MonthlySpending>('GET', `/account/spending${month}`)
    if (options.json) context.printJson(spending)
    else for (const line of linesOf(spending)) context.terminal.print(line)
  })

export const setLimits = (context: Context, options: LimitOptions): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    if (options.person !== undefined) return setPersonLimit(context, account, options.person, options)
    const { limits } = await account<MonthlySpending>('GET', '/account/spending')
    const body: SpendingLimits = {
      currency: options.currency ?? limits.currency,
      service_tokens: limitOf(options.serviceTokens, limits.service_tokens),
      service_cost: limitOf(options.serviceCost, limits.service_cost),
      person_tokens: limitOf(options.personTokens, limits.person_tokens),
      person_cost: limitOf(options.personCost, limits.person_cost),
    }
    const spending = await account<MonthlySpending>('PUT', '/account/spending/limits', body)
    if (options.json) context.printJson(spending)
    else context.terminal.print(limitsLine(spending.limits))
  })

async function setPersonLimit(
  context: Context,
  account: Account,
  email: string,
  options: LimitOptions,
): Promise<void> {
  const { personTokens, personCost, serviceTokens, serviceCost, currency } = options
  if ([serviceTokens, serviceCost, currency].some((option) => option !== undefined))
    throw wrongUse('With --person only --person-tokens and --person-cost are set.')
  const hasNewLimit = personTokens !== undefined || personCost !== undefined
  const { person_limits, limits } = await account<MonthlySpending>('GET', '/account/spending')
  const ownLimit = person_limits.find(({ person }) => person.email.toLowerCase() === email.toLowerCase())
  const current = ownLimit ?? { tokens: limits.person_tokens, cost: limits.person_cost }
  const limit = { tokens: limitOf(personTokens, current.tokens), cost: limitOf(personCost, current.cost) }
  const body: PersonLimitSet = { email, limit: hasNewLimit ? limit : null }
  const spending = await account<MonthlySpending>('PUT', '/account/spending/limits/person', body)
  if (options.json) context.printJson(spending)
  else if (hasNewLimit) for (const line of personLines(spending)) context.terminal.print(line)
  else context.terminal.note('The limits for each person hold for this person again.')
}

export const setPrice = (
  context: Context,
  model: string,
  options: AccountOptions & { prompt?: string; answer?: string },
): Promise<void> =>
  asAccount(context, options, PAGE, async (account) => {
    const { prompt, answer } = options
    if ((prompt === undefined) !== (answer === undefined))
      throw wrongUse('Name both prices, --prompt and --answer, or none to remove them.')
    const price =
      prompt === undefined || answer === undefined
        ? null
        : { prompt: numberOf(prompt), answer: numberOf(answer) }
    const body: ModelPriceSet = { model, price }
    const spending = await account<MonthlySpending>('PUT', '/account/spending/price', body)
    if (options.json) context.printJson(spending)
    else
      context.terminal.note(
        price ? 'The price holds for what is asked from now on.' : 'The price was removed.',
      )
  })

function numberOf(value: string): number {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number) || number < 0)
    throw wrongUse(`${value} is not an amount.`)
  return number
}

/** The new limit. The option `none` removes the limit; without the option the limit stays as it is. */
const limitOf = (value: string | undefined, current: number | null): number | null =>
  value === undefined ? current : value === 'none' ? null : numberOf(value)

function* linesOf(spending: MonthlySpending): Generator<string> {
  const { month, total, rows, limits } = spending
  for (const row of rows) {
    const person = row.person === null ? 'the graph' : (row.person.email ?? 'a deleted account')
    yield `${safe(person)}  ${safe(row.model)}  ${amountsOf(row, limits.currency)}`
  }
  yield `${month} altogether  ${amountsOf(total, limits.currency)}`
  yield limitsLine(limits)
  yield* personLines(spending)
}

const personLines = ({ person_limits, limits }: MonthlySpending): string[] =>
  person_limits.map(({ person, tokens, cost }) => {
    const texts = [
      ...(tokens === null ? [] : [`${formatNumber(tokens)} tokens`]),
      ...(cost === null ? [] : [`${formatNumber(cost)} ${limits.currency}`]),
    ]
    return `${safe(person.email)}  ${texts.join(', ') || 'no limit'}`
  })

const formatNumber = (value: number): string => value.toLocaleString('en')

function amountsOf(spent: Spent, currency: string): string {
  const { questions, prompt_tokens: prompt, answer_tokens: answer, estimated_tokens, unpriced_tokens } = spent
  return [
    `${formatNumber(questions)} questions`,
    `${formatNumber(prompt)} tokens read`,
    `${formatNumber(answer)} written`,
    `${spent.cost.toFixed(4)} ${currency}`,
    ...(estimated_tokens > 0 ? [`${formatNumber(estimated_tokens)} tokens are estimates`] : []),
    ...(unpriced_tokens > 0 ? [`${formatNumber(unpriced_tokens)} tokens had no price`] : []),
  ].join(', ')
}

function limitsLine(limits: SpendingLimits): string {
  const { currency } = limits
  const parts = [
    [limits.service_tokens, 'tokens for the service'],
    [limits.service_cost, `${currency} for the service`],
    [limits.person_tokens, 'tokens for each person'],
    [limits.person_cost, `${currency} for each person`],
  ] as const
  const texts = parts.flatMap(([limit, unit]) => (limit === null ? [] : [`${formatNumber(limit)} ${unit}`]))
  return texts.length > 0 ? `Limits of a month: ${texts.join(', ')}.` : 'There is no limit.'
}
