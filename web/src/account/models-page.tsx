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
import { errorText } from '../language/error-text.ts'
import { rich, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { formatCount } from '../parts/format.ts'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
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
      <Empty page title={t('Not allowed')} action={<ToWorkspaces />}>
        {t('Only administrators choose the model.')}
      </Empty>
    )
  return (
    <AccountPage
      title={t('Models')}
      description={t(
        'With a language model Kenning answers in prose, in the language of the question, and checks each citation. Without one it quotes your documents.',
      )}
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
    <Section title={t(title)}>
      {model.source !== 'none' && (
        <Serving
          part={part}
          model={model}
          isChanging={draft !== undefined}
          change={() => setDraft(draftOf(part, settings))}
        />
      )}
      {model.source === 'none' && <p className="mb-4 max-w-2xl">{t(purpose)}</p>}
      {part === 'embeddings' && <Refilling {...settings.embeddings} />}
      {model.source === 'none' && part === 'language' && (
        <LocalServers
          choose={({ name, url }) =>
            setDraft({ ...EMPTY_DRAFT, preset: presetNamed(part, name) ?? 'other', url })
          }
        />
      )}
      {model.source === 'none' && !shownDraft && (
        <Button
          aria-label={t('Choose a server: {part}', { part: t(title) })}
          onClick={() => setDraft(emptyDraft)}
        >
          {t('Choose a server')}
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
            ? t('Now the model that comes with Kenning is used: for English, without any server.')
            : local === null
              ? t('Now no model is used.')
              : t('Now {model} is used.', { model: local })}
        </p>
      )}
      {embedded < chunks && (
        <p role="status" className="mb-4 max-w-2xl text-sm text-soft">
          {t(
            '{embedded} of {passages} passages have vectors of this model. Each workspace uses them when all of its own do.',
            { embedded: formatCount(embedded), passages: formatCount(chunks) },
          )}
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
  const name = <strong className="font-semibold text-ink">{model.model ?? host ?? t('No model')}</strong>
  return (
    <div className="mb-6 rounded-lg border border-line p-4">
      <p className="break-words text-soft">
        {model.model && host ? rich('{model} at {host}', { model: name, host }) : name}
      </p>
      <p className="mt-1 text-sm text-soft">
        {isFixed
          ? t('Set by {settings} where the service is started. That wins: it can only be changed there.', {
              settings: t(texts.environment),
            })
          : [
              t(texts.serving),
              ...(model.has_key ? [t('Its key is stored encrypted and is not shown again.')] : []),
            ].join(' ')}
      </p>
      {model.problem && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {model.problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button disabled={trial.running !== undefined} onClick={() => void start(undefined)}>
          {t('Try it')}
        </Button>
        {!isFixed && !isChanging && (
          <Button
            onClick={() => {
              forget()
              change()
            }}
          >
            {t('Change')}
          </Button>
        )}
        {!isFixed && <Button onClick={() => setIsConfirming(true)}>{t('Remove')}</Button>}
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
      announce(t(removed))
    },
  })
  return (
    <Confirm
      open={open}
      close={close}
      title={
        part === 'language' ? t('Remove the model?') : t('{part}: remove the server?', { part: t(title) })
      }
      description={[t(removal), ...(refillMessage ? [refillMessage] : [])].join(' ')}
      confirmLabel={t('Remove')}
      cancelLabel={t('Keep it')}
      pending={clear.isPending || refill.isLoading}
      problem={errorText(clear.error)}
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
            {rich('{server} answers on this machine {host}', {
              server: server.name,
              host: <span className="text-soft">({hostOf(server.url)})</span>,
            })}
          </span>
          <Button onClick={() => choose(server)}>{t('Choose {server}', { server: server.name })}</Button>
        </li>
      ))}
    </ul>
  )
}
