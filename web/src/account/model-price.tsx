// The price of the model that serves, in the currency of the limits: what questions cost is told from it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ModelPrice as Price } from '../../../src/contract/spending.ts'
import { errorText } from '../language/error-text.ts'
import { locale } from '../language/locale.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { announce } from '../parts/toast.tsx'
import { setPrice, spendingQuery } from './spending-queries.ts'

const amountFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 })

export function ModelPrice({ model }: { model: string }) {
  const { data } = useQuery(spendingQuery(undefined))
  if (!data) return null
  const price = data.prices.find((one) => one.model === model)
  const { currency } = data.limits
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-sm text-soft">
        {price
          ? t('Price: {prompt} {currency} to read and {answer} {currency} to write a million tokens', {
              prompt: amountFormat.format(price.prompt),
              answer: amountFormat.format(price.answer),
              currency,
            })
          : t('Price: none entered')}
      </summary>
      <PriceForm
        key={`${model} ${price?.prompt} ${price?.answer}`}
        model={model}
        price={price}
        currency={currency}
      />
    </details>
  )
}

function PriceForm({
  model,
  price,
  currency,
}: {
  model: string
  price: Price | undefined
  currency: string
}) {
  const queries = useQueryClient()
  const [prompt, setPrompt] = useState(String(price?.prompt ?? ''))
  const [answer, setAnswer] = useState(String(price?.answer ?? ''))
  const isEmpty = prompt === '' && answer === ''
  const save = useMutation({
    mutationFn: () =>
      setPrice({ model, price: isEmpty ? null : { prompt: Number(prompt), answer: Number(answer) } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: spendingQuery(undefined).queryKey.slice(0, 2) })
      announce(isEmpty ? t('The price was removed.') : t('The price holds for what is asked from now on.'))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('Price')} className="max-w-md pt-3">
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field
          label={t('A million tokens read')}
          type="number"
          min={0}
          step="any"
          required={answer !== ''}
          hint={t('In {currency}; the currency is chosen under Spending.', { currency })}
          value={prompt}
          onChange={({ target }) => setPrompt(target.value)}
        />
        <Field
          label={t('A million tokens written')}
          type="number"
          min={0}
          step="any"
          required={prompt !== ''}
          hint={t('Both empty: no price.')}
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
      </div>
      <Button type="submit" disabled={save.isPending}>
        {t('Save the price')}
      </Button>
      {save.error && (
        <p role="alert" className="mt-3 text-sm text-bad">
          {errorText(save.error)}
        </p>
      )}
    </form>
  )
}
