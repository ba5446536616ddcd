// How much of the language model the graph of each workspace may use.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { GraphBudget } from '../../../src/contract/models.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { announce } from '../parts/toast.tsx'
import { clearGraphBudget, modelsQuery, setGraphBudget } from './model-queries.ts'
import { Section } from './page.tsx'

export function GraphBudgetSection({ budget, hasModel }: { budget: GraphBudget; hasModel: boolean }) {
  const queries = useQueryClient()
  const [tokens, setTokens] = useState(budget.tokens === 0 ? '' : String(budget.tokens))
  const showSaved = async (message: string): Promise<void> => {
    await queries.invalidateQueries({ queryKey: modelsQuery.queryKey, exact: true })
    announce(message)
  }
  const save = useMutation({
    mutationFn: () => setGraphBudget(Number(tokens)),
    onSuccess: () => showSaved(t('The budget holds from the next document on.')),
  })
  const clear = useMutation({
    mutationFn: clearGraphBudget,
    onSuccess: () => {
      setTokens('')
      return showSaved(t('The graph is built without the model.'))
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (tokens !== '') save.mutate()
  }
  const error = save.error ?? clear.error
  return (
    <Section title={t('Graph')}>
      <p className="mb-4 max-w-2xl">{stateOf(budget, hasModel)}</p>
      {budget.source !== 'environment' && (
        <form onSubmit={submit} aria-label={t('Budget of the graph')} className="max-w-md">
          <Field
            label={t('Tokens that the graph of a workspace may use')}
            type="number"
            min={0}
            max={1_000_000_000_000}
            step={1}
            hint={t(
              'Such as {example}. Documents that are there already are read when they are processed again.',
              {
                example: formatCount(2_000_000),
              },
            )}
            problem={errorText(error)}
            value={tokens}
            onChange={({ target }) => setTokens(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" disabled={tokens === '' || save.isPending}>
              {t('Set the budget')}
            </Button>
            {budget.source === 'settings' && (
              <Button kind="quiet" disabled={clear.isPending} onClick={() => clear.mutate()}>
                {t('Remove the budget')}
              </Button>
            )}
          </div>
        </form>
      )}
    </Section>
  )
}

function stateOf({ source, tokens, spent }: GraphBudget, hasModel: boolean): string {
  const place =
    source === 'environment'
      ? [t('It is set by KENNING_GRAPH_TOKENS where the service is started: it can only be changed there.')]
      : []
  const sentences =
    tokens === 0
      ? [
          t(
            'People, organizations and relations are found without a model. With a budget the language model reads each document for relations that are missed so.',
          ),
        ]
      : [
          t(
            'The language model reads documents for relations, with up to {tokens} tokens in each workspace. All workspaces together have used {spent}.',
            { tokens: formatCount(tokens), spent: formatCount(spent) },
          ),
          ...(hasModel ? [] : [t('There is no language model yet: until then nothing is used.')]),
        ]
  return [...sentences, ...place].join(' ')
}
