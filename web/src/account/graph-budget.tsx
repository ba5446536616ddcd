// How much of the language model the graph of each workspace may use.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { GraphBudget } from '../../../src/contract/models.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
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
    onSuccess: () => showSaved('The budget holds from the next document on.'),
  })
  const clear = useMutation({
    mutationFn: clearGraphBudget,
    onSuccess: () => {
      setTokens('')
      return showSaved('The graph is built without the model.')
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (tokens !== '') save.mutate()
  }
  const error = save.error ?? clear.error
  return (
    <Section title="Graph">
      <p className="mb-4 max-w-2xl">{stateOf(budget, hasModel)}</p>
      {budget.source !== 'environment' && (
        <form onSubmit={submit} aria-label="Budget of the graph" className="max-w-md">
          <Field
            label="Tokens that the graph of a workspace may use"
            type="number"
            min={0}
            max={1_000_000_000_000}
            step={1}
            hint="Such as 2,000,000. Documents that are there already are read when they are processed again."
            problem={error?.message}
            value={tokens}
            onChange={({ target }) => setTokens(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" disabled={tokens === '' || save.isPending}>
              Set the budget
            </Button>
            {budget.source === 'settings' && (
              <Button kind="quiet" disabled={clear.isPending} onClick={() => clear.mutate()}>
                Remove the budget
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
      ? ' It is set by KENNING_GRAPH_TOKENS where the service is started: it can only be changed there.'
      : ''
  if (tokens === 0)
    return `People, organizations and relations are found without a model. With a budget the language model reads each document for relations that are missed so.${place}`
  const used = `All workspaces together have used ${spent.toLocaleString('en')}.`
  const missing = hasModel ? '' : ' There is no language model yet: until then nothing is used.'
  return `The language model reads documents for relations, with up to ${tokens.toLocaleString('en')} tokens in each workspace. ${used}${missing}${place}`
}
