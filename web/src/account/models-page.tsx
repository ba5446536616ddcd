// For administrators: the language model that writes answers. It is chosen, tried, and serves at once.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MODEL_PRESETS } from '../../../src/contract/model-presets.ts'
import type { LanguageModel, LocalServer } from '../../../src/contract/models.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { type ModelDraft, ModelForm } from './model-form.tsx'
import { clearModel, localServersQuery, modelsQuery } from './model-queries.ts'
import { TrialResult, useTrial } from './model-trial.tsx'
import { AccountPage, Section } from './page.tsx'
import { accountQuery } from './queries.ts'

export function ModelsPage() {
  const { data: me } = useQuery(accountQuery)
  const models = useQuery({ ...modelsQuery, enabled: me?.admin === true })
  if (me && !me.admin)
    return (
      <Empty page title="Not allowed">
        Only administrators choose the model.
      </Empty>
    )
  return (
    <AccountPage
      title="Models"
      description="With a language model Kenning answers in prose, in the language of the question, and checks each citation. Without one it quotes your documents."
    >
      {models.error && !models.data && <Problem error={models.error} retry={() => void models.refetch()} />}
      {models.isPending && <Skeleton lines={6} />}
      {models.data && <Language model={models.data.language} />}
    </AccountPage>
  )
}

const EMPTY_DRAFT: ModelDraft = { preset: '', url: '', model: '', contextTokens: '' }

function Language({ model }: { model: LanguageModel }) {
  const [draft, setDraft] = useState<ModelDraft>()
  const close = (): void => setDraft(undefined)
  const shownDraft = draft ?? (model.source === 'none' ? EMPTY_DRAFT : undefined)
  return (
    <Section title="Answers">
      {model.source !== 'none' && (
        <Serving model={model} isChanging={draft !== undefined} change={() => setDraft(draftOf(model))} />
      )}
      {model.source === 'none' && (
        <>
          <p className="mb-4 max-w-2xl">
            No model yet. Questions and the passages found for them are sent to the server that you choose,
            and to no other.
          </p>
          <LocalServers
            choose={({ name, url }) =>
              setDraft({ ...EMPTY_DRAFT, preset: presetNamed(name) ?? 'other', url })
            }
          />
        </>
      )}
      {shownDraft && (
        <ModelForm
          // A new draft begins a new form.
          key={`${shownDraft.preset} ${shownDraft.url}`}
          draft={shownDraft}
          stored={model}
          close={close}
        />
      )}
    </Section>
  )
}

const presetNamed = (name: string): string | undefined =>
  MODEL_PRESETS.find((preset) => preset.name === name)?.id

const draftOf = ({ url, model, context_tokens }: LanguageModel): ModelDraft => ({
  preset: MODEL_PRESETS.find((preset) => preset.url === url)?.id ?? 'other',
  url: url ?? '',
  model: model ?? '',
  contextTokens: context_tokens === null ? '' : String(context_tokens),
})

/** The model that serves: try, change or remove it. */
function Serving({
  model,
  isChanging,
  change,
}: {
  model: LanguageModel
  isChanging: boolean
  change: () => void
}) {
  const queries = useQueryClient()
  const { trial, start, forget } = useTrial()
  const [isConfirming, setIsConfirming] = useState(false)
  const clear = useMutation({
    mutationFn: clearModel,
    onSuccess: async () => {
      setIsConfirming(false)
      await queries.invalidateQueries({ queryKey: modelsQuery.queryKey, exact: true })
      announce('The model was removed. Questions are answered with quotations.')
    },
  })
  const isFixed = model.source === 'environment'
  return (
    <div className="mb-6 rounded-lg border border-line p-4">
      <p className="break-words">
        <strong className="font-semibold">{model.model}</strong>{' '}
        <span className="text-soft">at {model.url && hostOf(model.url)}</span>
      </p>
      <p className="mt-1 text-sm text-soft">
        {isFixed
          ? 'Set by KENNING_LLM_URL and KENNING_LLM_MODEL where the service is started. That wins: it can only be changed there.'
          : `It answers questions.${model.has_key ? ' Its key is stored encrypted and is not shown again.' : ''}`}
      </p>
      {model.problem && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {model.problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={trial.running !== undefined} onClick={() => void start(undefined)}>
          Try it
        </Button>
        {!isFixed && !isChanging && (
          <Button
            onClick={() => {
              forget()
              change()
            }}
          >
            Change
          </Button>
        )}
        {!isFixed && <Button onClick={() => setIsConfirming(true)}>Remove</Button>}
      </div>
      <TrialResult trial={trial} />
      <Confirm
        open={isConfirming}
        close={() => setIsConfirming(false)}
        title="Remove the model?"
        description="Questions are then answered with quotations. Its key is deleted."
        confirmLabel="Remove"
        cancelLabel="Keep it"
        pending={clear.isPending}
        problem={clear.error?.message}
        confirm={() => clear.mutate()}
      />
    </div>
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** Model servers on the machine itself: offered, and not used unasked. */
function LocalServers({ choose }: { choose: (server: LocalServer) => void }) {
  const { data: servers = [] } = useQuery(localServersQuery)
  if (servers.length === 0) return null
  return (
    <ul className="mb-6 divide-y divide-line rounded-lg border border-line">
      {servers.map((server) => (
        <li key={server.url} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
          <span>
            {server.name} answers on this machine <span className="text-soft">({hostOf(server.url)})</span>
          </span>
          <Button onClick={() => choose(server)}>Choose {server.name}</Button>
        </li>
      ))}
    </ul>
  )
}
