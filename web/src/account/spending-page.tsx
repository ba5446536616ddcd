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
import { errorText } from '../language/error-text.ts'
import { locale } from '../language/locale.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { Select } from '../parts/select.tsx'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
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
      <Empty page title={t('Not allowed')} action={<ToWorkspaces />}>
        {t('Only administrators see what the models take.')}
      </Empty>
    )
  const { data } = spending
  return (
    <AccountPage
      title={t('Spending')}
      description={t(
        'What the language model takes, by person and month. At a limit Kenning goes on without the model: it quotes the documents and says why.',
      )}
    >
      {spending.error && !data && <Problem error={spending.error} retry={() => void spending.refetch()} />}
      {spending.isPending && <Skeleton lines={6} />}
      {data && (
        <>
          <Section title={t('Used')}>
            <div className="max-w-xs">
              <Select
                label={t('Month')}
                options={data.months.map((value) => ({ value, label: monthName(value) }))}
                value={data.month}
                choose={(value) => void navigate({ search: { month: value }, replace: true })}
              />
            </div>
            <Used spending={data} />
          </Section>
          <Section title={t('Limits of a month')}>
            <LimitsForm key={JSON.stringify(data.limits)} limits={data.limits} />
          </Section>
          <Section title={t('Limits of single people')}>
            <PersonLimits spending={data} />
          </Section>
        </>
      )}
    </AccountPage>
  )
}

const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string): string => monthFormat.format(new Date(`${month}-15`))

const tokensOf = ({ prompt_tokens, answer_tokens }: Spent): number => prompt_tokens + answer_tokens

function Used({ spending: { total, rows, limits } }: { spending: MonthlySpending }) {
  if (rows.length === 0) return <p className="text-soft">{t('No model was used in this month.')}</p>
  const figures = [
    [t('Questions to a model'), formatCount(total.questions)],
    [t('Tokens read'), formatCount(total.prompt_tokens)],
    [t('Tokens written'), formatCount(total.answer_tokens)],
    [t('Cost'), costText(total, limits)],
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
      <section aria-label={t('By person and model')} tabIndex={0} className="overflow-x-auto">
        <table className="w-full min-w-[34rem] text-left text-sm">
          <thead className="text-soft">
            <tr className="border-b border-line">
              <th scope="col" className="py-1.5 pr-3 font-medium">
                {t('Person')}
              </th>
              <th scope="col" className="pr-3 font-medium">
                {t('Model')}
              </th>
              {[t('Questions'), t('Read'), t('Written'), t('Cost')].map((name) => (
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
          {plural(
            total.estimated_tokens,
            '≈ A server did not report all of its tokens: {count} is estimated, rather too high.',
            '≈ A server did not report all of its tokens: {count} are estimated, rather too high.',
          )}
        </p>
      )}
      {total.unpriced_tokens > 0 && (
        <p className="mt-2 text-sm text-soft">
          {plural(
            total.unpriced_tokens,
            '{count} token had no price when it was used. The price of a model is entered under Models.',
            '{count} tokens had no price when they were used. The price of a model is entered under Models.',
          )}
        </p>
      )}
    </>
  )
}

const personName = ({ person }: PersonSpending): string =>
  person === null ? t('The graph, for nobody') : (person.email ?? t('A deleted account'))

const tokenText = (tokens: number, { estimated_tokens }: Spent): string =>
  `${estimated_tokens > 0 ? '≈ ' : ''}${formatCount(tokens)}`

const costText = (spent: Spent, { currency }: SpendingLimits): string =>
  spent.unpriced_tokens > 0 && spent.unpriced_tokens === tokensOf(spent)
    ? t('no price')
    : formatCost(spent.cost, currency)

type LimitName = Exclude<keyof SpendingLimits, 'currency'>

const GROUPS: readonly { title: string; tokens: LimitName; cost: LimitName }[] = [
  { title: message('The whole service'), tokens: 'service_tokens', cost: 'service_cost' },
  { title: message('Each person'), tokens: 'person_tokens', cost: 'person_cost' },
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
      announce(t('The limits hold from the next question on.'))
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
    <form onSubmit={submit} aria-label={t('Limits')} className="max-w-xl">
      <p className="mb-4 text-soft">
        {t(
          'An empty field is no limit. A month begins on its first day in UTC. A limit in money counts what had a price.',
        )}
      </p>
      {GROUPS.map(({ title, tokens, cost }) => (
        <fieldset key={title} className="mb-2">
          <legend className="mb-2 font-medium">{t(title)}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            <Field label={t('Tokens')} type="number" min={0} step={1} {...field(tokens)} />
            <Field
              label={t('Money ({currency})', { currency: form.currency ?? '' })}
              type="number"
              min={0}
              step="any"
              {...field(cost)}
            />
          </div>
        </fieldset>
      ))}
      <div className="max-w-32">
        <Field label={t('Currency')} required maxLength={3} pattern="[A-Za-z]{3}" {...field('currency')} />
      </div>
      <Button kind="primary" type="submit" disabled={save.isPending}>
        {t('Save')}
      </Button>
      {save.error && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {errorText(save.error)}
        </p>
      )}
    </form>
  )
}
