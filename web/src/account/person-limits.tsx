// The limits of single people, which hold in place of those for each person.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { MonthlySpending, PersonLimit, PersonLimitSet } from '../../../src/contract/spending.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { announce } from '../parts/toast.tsx'
import { account } from '../session.ts'
import { formatCost, numberOf, refreshSpending } from './spending-queries.ts'

/** An amount that is undefined is the one that holds for the person now. */
interface Form {
  email: string
  tokens?: string
  cost?: string
}

const EMPTY: Form = { email: '' }

export function PersonLimits({ spending }: { spending: MonthlySpending }) {
  const { person_limits: limits, limits: all } = spending
  const queries = useQueryClient()
  const [form, setForm] = useState<Form>(EMPTY)
  const change = useMutation({
    mutationFn: (body: PersonLimitSet) => account<MonthlySpending>('PUT', '/spending/limits/person', body),
    onSuccess: async (_, { limit }) => {
      await refreshSpending(queries)
      setForm(EMPTY)
      announce(
        limit === null
          ? t('The limits for each person hold again.')
          : t('The limit holds from the next question on.'),
      )
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const { email, tokens, cost } = values
    change.mutate({ email: email.trim(), limit: { tokens: numberOf(tokens), cost: numberOf(cost) } })
  }
  const own = limits.find(({ person }) => person.email.toLowerCase() === form.email.trim().toLowerCase())
  const current = own ?? { tokens: all.person_tokens, cost: all.person_cost }
  const values = {
    email: form.email,
    tokens: form.tokens ?? textOf(current.tokens),
    cost: form.cost ?? textOf(current.cost),
  }
  const field = (name: keyof Form) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value }),
  })
  return (
    <div className="max-w-xl">
      {limits.length > 0 && (
        <ul className="mb-4 divide-y divide-line rounded-lg border border-line">
          {limits.map((limit) => (
            <li
              key={limit.person.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2"
            >
              <div className="min-w-0 break-words">
                {limit.person.email} <span className="text-soft">· {limitText(limit, all.currency)}</span>
              </div>
              <Button
                aria-label={t('Remove the limit of {person}', { person: limit.person.email })}
                disabled={change.isPending}
                onClick={() => change.mutate({ email: limit.person.email, limit: null })}
              >
                {t('Remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} aria-label={t('The limit of a person')}>
        <p className="mb-4 text-soft">
          {t(
            'It holds in place of the limits of each person. With both amounts empty the person has no limit.',
          )}
        </p>
        <Field label={t('Email address')} type="email" required {...field('email')} />
        <div className="grid gap-x-4 sm:grid-cols-2">
          <Field label={t('Tokens')} type="number" min={0} step={1} {...field('tokens')} />
          <Field
            label={t('Money ({currency})', { currency: all.currency })}
            type="number"
            min={0}
            step="any"
            {...field('cost')}
          />
        </div>
        <Button type="submit" disabled={change.isPending}>
          {t('Set')}
        </Button>
        {change.error && (
          <p role="alert" className="mt-3 text-sm text-bad">
            {errorText(change.error)}
          </p>
        )}
      </form>
    </div>
  )
}

/** No limit is an empty field. */
const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))

function limitText({ tokens, cost }: PersonLimit, currency: string): string {
  const texts = [
    ...(tokens === null ? [] : [plural(tokens, 'token')]),
    ...(cost === null ? [] : [formatCost(cost, currency)]),
  ]
  return texts.join(', ') || t('no limit')
}
