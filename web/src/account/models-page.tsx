// For administrators: the models that write answers, make embeddings, order results and recognise text. Each is chosen, tried, and
// serves at once.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  EmbeddingsModel,
  LocalServer,
  ModelPart,
  ModelSetting,
  ModelSettings,
} from '../../../src/contract/models.ts'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { GraphBudgetSection } from './graph-budget.tsx'
import { type ModelDraft, ModelForm } from './model-form.tsx'
import { PARTS } from './model-parts.ts'
import { ModelPrice } from './model-price.tsx'
import { clearModel, localRefillQuery, localServersQuery, modelsQuery } from './model-queries.ts'
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
      {models.data && (
        <>
          <ModelSection part="language" settings={models.data} />
          <GraphBudgetSection budget={models.data.graph} hasModel={models.data.language.source !== 'none'} />
          <ModelSection part="embeddings" settings={models.data} />
          <ModelSection part="reranker" settings={models.data} />
          <ModelSection part="ocr" settings={models.data} />
        </>
      )}
    </AccountPage>
  )
}

const EMPTY_DRAFT: ModelDraft = { preset: '', url: '', model: '', contextTokens: '' }

function ModelSection({ part, settings }: { part: ModelPart; settings: ModelSettings }) {
  const model = settings[part]
  const { title, purpose, presets } = PARTS[part]
  const [draft, setDraft] = useState<ModelDraft>()
  const close = (): void => setDraft(undefined)
  const emptyDraft = { ...EMPTY_DRAFT, preset: presets.length === 1 ? (presets[0]?.id ?? '') : '' }
  // The one that everything else follows: its form is open at once.
  const shownDraft = draft ?? (model.source === 'none' && part === 'language' ? emptyDraft : undefined)
  return (
    <Section title={title}>
      {model.source !== 'none' && (
        <Serving
          part={part}
          model={model}
          isChanging={draft !== undefined}
          change={() => setDraft(draftOf(part, settings))}
        />
      )}
      {model.source === 'none' && <p className="mb-4 max-w-2xl">{purpose}</p>}
      {part === 'embeddings' && <Refilling {...settings.embeddings} />}
      {model.source === 'none' && part === 'language' && (
        <LocalServers
          choose={({ name, url }) =>
            setDraft({ ...EMPTY_DRAFT, preset: presetNamed(part, name) ?? 'other', url })
          }
        />
      )}
      {model.source === 'none' && !shownDraft && (
        <Button aria-label={`Choose a server: ${title}`} onClick={() => setDraft(emptyDraft)}>
          Choose a server
        </Button>
      )}
      {shownDraft && (
        <ModelForm
          // A new draft begins a new form.
          key={`${shownDraft.preset} ${shownDraft.url}`}
          part={part}
          draft={shownDraft}
          stored={model}
          close={close}
        />
      )}
    </Section>
  )
}

/** Which model makes the vectors where no server is set, and how far those of the present one are. */
function Refilling({ source, local, chunks, embedded }: EmbeddingsModel) {
  return (
    <>
      {source === 'none' && (
        <p className="mb-4 max-w-2xl text-sm text-soft">
          {local === 'sentence-1'
            ? 'Now the model that comes with Kenning is used: for English, without any server.'
            : `Now ${local ?? 'no model'} is used.`}
        </p>
      )}
      {embedded < chunks && (
        <p role="status" className="mb-4 max-w-2xl text-sm text-soft">
          {`${embedded.toLocaleString('en')} of ${chunks.toLocaleString('en')} passages have vectors of this model. Each workspace uses them when all of its own do.`}
        </p>
      )}
    </>
  )
}

const presetNamed = (part: ModelPart, name: string): string | undefined =>
  PARTS[part].presets.find((preset) => preset.name === name)?.id

function draftOf(part: ModelPart, settings: ModelSettings): ModelDraft {
  const { url, model } = settings[part]
  const context = part === 'language' ? settings.language.context_tokens : null
  return {
    preset: PARTS[part].presets.find((preset) => preset.url === url)?.id ?? 'other',
    url: url ?? '',
    model: model ?? '',
    contextTokens: context === null ? '' : String(context),
  }
}

/** The model that serves: try, change or remove it. */
function Serving({
  part,
  model,
  isChanging,
  change,
}: {
  part: ModelPart
  model: ModelSetting
  isChanging: boolean
  change: () => void
}) {
  const texts = PARTS[part]
  const { trial, start, forget } = useTrial(part)
  const [isConfirming, setIsConfirming] = useState(false)
  const isFixed = model.source === 'environment'
  const host = model.url && hostOf(model.url)
  return (
    <div className="mb-6 rounded-lg border border-line p-4">
      <p className="break-words">
        <strong className="font-semibold">{model.model ?? host ?? 'No model'}</strong>{' '}
        {model.model && host && <span className="text-soft">at {host}</span>}
      </p>
      <p className="mt-1 text-sm text-soft">
        {isFixed
          ? `Set by ${texts.environment} where the service is started. That wins: it can only be changed there.`
          : `${texts.serving}${model.has_key ? ' Its key is stored encrypted and is not shown again.' : ''}`}
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
      {part === 'language' && model.model && <ModelPrice model={model.model} />}
      <Removal part={part} open={isConfirming} close={() => setIsConfirming(false)} />
    </div>
  )
}

function Removal({ part, open, close }: { part: ModelPart; open: boolean; close: () => void }) {
  const queries = useQueryClient()
  const { title, removal, removed } = PARTS[part]
  const refill = useQuery({ ...localRefillQuery, enabled: open && part === 'embeddings' })
  const refillMessage = refill.data?.data.find(({ check }) => check === 'refill')?.message
  const clear = useMutation({
    mutationFn: () => clearModel(part),
    onSuccess: async () => {
      close()
      await queries.invalidateQueries({ queryKey: modelsQuery.queryKey, exact: true })
      announce(removed)
    },
  })
  return (
    <Confirm
      open={open}
      close={close}
      title={part === 'language' ? 'Remove the model?' : `${title}: remove the server?`}
      description={[removal, ...(refillMessage ? [refillMessage] : [])].join(' ')}
      confirmLabel="Remove"
      cancelLabel="Keep it"
      pending={clear.isPending || refill.isLoading}
      problem={clear.error?.message}
      confirm={() => clear.mutate()}
    />
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
