// For administrators: what the language models take by person and month, what it costs, and the limits of a month.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type {
  MonthlySpending,
  PersonSpending,
  SpendingLimits,
  Spent,
} from '../../../src/contract/spending.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { Select } from '../parts/select.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { AccountPage, Section } from './page.tsx'
import { PersonLimits } from './person-limits.tsx'
import { accountQuery } from './queries.ts'
import { formatCost, numberOf, refreshSpending, spendingQuery } from './spending-queries.ts'

export function SpendingPage() {
  const { data: me } = useQuery(accountQuery)
  const { month } = useSearch({ from: '/spending' })
  const navigate = useNavigate({ from: '/spending' })
  const spending = useQuery({ ...spendingQuery(month), enabled: me?.admin === true })
  if (me && !me.admin)
    return (
      <Empty page title="Not allowed">
        Only administrators see what the models take.
      </Empty>
    )
  const { data } = spending
  return (
    <AccountPage
      title="Spending"
      description="What the language model takes, by person and month. At a limit Kenning goes on without the model: it quotes the documents and says why."
    >
      {spending.error && !data && <Problem error={spending.error} retry={() => void spending.refetch()} />}
      {spending.isPending && <Skeleton lines={6} />}
      {data && (
        <>
          <Section title="Used">
            <div className="max-w-xs">
              <Select
                label="Month"
                options={data.months.map((value) => ({ value, label: monthName(value) }))}
                value={data.month}
                choose={(value) => void navigate({ search: { month: value }, replace: true })}
              />
            </div>
            <Used spending={data} />
          </Section>
          <Section title="Limits of a month">
            <LimitsForm key={JSON.stringify(data.limits)} limits={data.limits} />
          </Section>
          <Section title="Limits of single people">
            <PersonLimits spending={data} />
          </Section>
        </>
      )}
    </AccountPage>
  )
}

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string): string => monthFormat.format(new Date(`${month}-15`))

const tokensOf = ({ prompt_tokens, answer_tokens }: Spent): number => prompt_tokens + answer_tokens

function Used({ spending: { total, rows, limits } }: { spending: MonthlySpending }) {
  if (rows.length === 0) return <p className="text-soft">No model was used in this month.</p>
  const figures = [
    ['Questions to a model', formatCount(total.questions)],
    ['Tokens read', formatCount(total.prompt_tokens)],
    ['Tokens written', formatCount(total.answer_tokens)],
    ['Cost', costText(total, limits)],
  ]
  return (
    <>
      <dl className="mb-6 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="text-xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard. */}
      <section aria-label="By person and model" tabIndex={0} className="overflow-x-auto">
        <table className="w-full min-w-[34rem] text-left text-sm">
          <thead className="text-soft">
            <tr className="border-b border-line">
              <th scope="col" className="py-1.5 pr-3 font-medium">
                Person
              </th>
              <th scope="col" className="pr-3 font-medium">
                Model
              </th>
              {['Questions', 'Read', 'Written', 'Cost'].map((name) => (
                <th key={name} scope="col" className="pl-3 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.person?.id} ${row.model}`} className="border-b border-line">
                <th scope="row" className="max-w-48 truncate py-1.5 pr-3 font-normal" title={personName(row)}>
                  {personName(row)}
                </th>
                <td className="max-w-40 truncate pr-3" title={row.model}>
                  {row.model}
                </td>
                <td className="pl-3 text-right tabular-nums">{formatCount(row.questions)}</td>
                <td className="pl-3 text-right tabular-nums">{tokenText(row.prompt_tokens, row)}</td>
                <td className="pl-3 text-right tabular-nums">{tokenText(row.answer_tokens, row)}</td>
                <td className="pl-3 text-right tabular-nums">{costText(row, limits)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {total.estimated_tokens > 0 && (
        <p className="mt-2 text-sm text-soft">
          ≈ A server did not report all of its tokens: {formatCount(total.estimated_tokens)} are estimated,
          rather too high.
        </p>
      )}
      {total.unpriced_tokens > 0 && (
        <p className="mt-2 text-sm text-soft">
          {formatCount(total.unpriced_tokens)} tokens had no price when they were used. The price of a model
          is entered under Models.
        </p>
      )}
    </>
  )
}

const personName = ({ person }: PersonSpending): string =>
  person === null ? 'The graph, for nobody' : (person.email ?? 'A deleted account')

const tokenText = (tokens: number, { estimated_tokens }: Spent): string =>
  `${estimated_tokens > 0 ? '≈ ' : ''}${formatCount(tokens)}`

const costText = (spent: Spent, { currency }: SpendingLimits): string =>
  spent.unpriced_tokens > 0 && spent.unpriced_tokens === tokensOf(spent)
    ? 'no price'
    : formatCost(spent.cost, currency)

type LimitName = Exclude<keyof SpendingLimits, 'currency'>

const GROUPS: readonly { title: string; tokens: LimitName; cost: LimitName }[] = [
  { title: 'The whole service', tokens: 'service_tokens', cost: 'service_cost' },
  { title: 'Each person', tokens: 'person_tokens', cost: 'person_cost' },
]

function LimitsForm({ limits }: { limits: SpendingLimits }) {
  const queries = useQueryClient()
  const [form, setForm] = useState(() =>
    Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value ?? '')])),
  )
  const save = useMutation({
    mutationFn: () =>
      account<MonthlySpending>('PUT', '/spending/limits', {
        currency: (form.currency ?? '').trim().toUpperCase(),
        ...Object.fromEntries(
          GROUPS.flatMap(({ tokens, cost }) => [tokens, cost]).map((name) => [
            name,
            numberOf(form[name] ?? ''),
          ]),
        ),
      }),
    onSuccess: async () => {
      await refreshSpending(queries)
      announce('The limits hold from the next question on.')
    },
  })
  const field = (name: keyof SpendingLimits) => ({
    value: form[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} aria-label="Limits" className="max-w-xl">
      <p className="mb-4 text-soft">
        An empty field is no limit. A month begins on its first day in UTC. A limit in money counts what had a
        price.
      </p>
      {GROUPS.map(({ title, tokens, cost }) => (
        <fieldset key={title} className="mb-2">
          <legend className="mb-2 font-medium">{title}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            <Field label="Tokens" type="number" min={0} step={1} {...field(tokens)} />
            <Field label={`Money (${form.currency})`} type="number" min={0} step="any" {...field(cost)} />
          </div>
        </fieldset>
      ))}
      <div className="max-w-32">
        <Field label="Currency" required maxLength={3} pattern="[A-Za-z]{3}" {...field('currency')} />
      </div>
      <Button kind="primary" type="submit" disabled={save.isPending}>
        Save
      </Button>
      {save.error && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {save.error.message}
        </p>
      )}
    </form>
  )
}
