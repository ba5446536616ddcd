// The form of a server: provider, address, key, and a model of the server's own list.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type FormEvent, useEffect, useState } from 'react'
import { KenningError } from '../../../src/client/client.ts'
import type { ModelPreset } from '../../../src/contract/model-presets.ts'
import type {
  ModelFinding,
  ModelPart,
  ModelServer,
  ModelSet,
  ModelSetting,
} from '../../../src/contract/models.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { announce } from '../parts/toast.tsx'
import { PARTS } from './model-parts.ts'
import { modelsQuery, serverModelsQuery, setModel } from './model-queries.ts'
import { TrialResult, useTrial } from './model-trial.tsx'
import { presetHint } from './preset-hints.ts'

export interface ModelDraft {
  preset: string
  url: string
  model: string
  contextTokens: string
}

interface Props {
  part: ModelPart
  draft: ModelDraft
  /** The model that is set now, whose key goes on while its server stays. */
  stored: ModelSetting
  close: () => void
}

export function ModelForm({ part, draft, stored, close }: Props) {
  const queries = useQueryClient()
  const texts = PARTS[part]
  const { presets } = texts
  const [form, setForm] = useState({ ...draft, key: '' })
  const preset = presets.find(({ id }) => id === form.preset)
  const hasStoredKey = (url: string): boolean => stored.has_key && originOf(stored.url) === originOf(url)
  const isKeyStored = hasStoredKey(form.url)
  const serverOf = ({ url, key }: typeof form): ModelServer => ({
    url: url.trim(),
    ...(key ? { key } : hasStoredKey(url) ? {} : { key: null }),
  })
  // The server is asked for its models when a field is left, not at each letter.
  const [server, setServer] = useState<ModelServer | undefined>(() =>
    isAskable(form, preset, isKeyStored) ? serverOf(form) : undefined,
  )
  const askServer = (): void => {
    if (isAskable(form, preset, isKeyStored)) setServer(serverOf(form))
  }
  // Not on the way to a button: what the server says moves the form, and the click would miss.
  const leaveField = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof HTMLButtonElement)) askServer()
  }
  const list = useQuery(serverModelsQuery(part, texts.model === 'none' ? undefined : server))
  const completeUrl = list.isPlaceholderData ? undefined : list.data?.url
  useEffect(() => {
    // With the scheme and the /v1 that were missing.
    if (completeUrl !== undefined)
      setForm((now) => (now.url.trim() === server?.url ? { ...now, url: completeUrl } : now))
  }, [completeUrl, server?.url])
  const names = list.data?.data.map(({ id }) => id) ?? []
  const listProblem = list.data?.problem ?? undefined
  const { trial, start, forget } = useTrial(part)
  const change = (fields: Partial<typeof form>): void => {
    forget()
    setForm({ ...form, ...fields })
  }
  const choosePreset = (id: string): void => {
    const nextPreset = presets.find((one) => one.id === id)
    const next = {
      ...form,
      preset: id,
      url: nextPreset?.url ?? '',
      model: '',
      key: '',
    }
    forget()
    setForm(next)
    setServer(isAskable(next, nextPreset, hasStoredKey(next.url)) ? serverOf(next) : undefined)
  }
  const setting: ModelSet = {
    ...serverOf(form),
    ...(texts.model === 'none' ? {} : { model: form.model.trim() || null }),
    ...(part === 'language' && { context_tokens: form.contextTokens ? Number(form.contextTokens) : null }),
  }
  const save = useMutation({
    mutationFn: ({ unchecked }: { unchecked: boolean }) =>
      setModel(part, { ...setting, ...(unchecked && { unchecked }) }),
    onSuccess: (settings) => {
      queries.setQueryData(modelsQuery.queryKey, settings)
      announce(texts.chosen(settings[part].model ?? t('The server')))
      close()
    },
  })
  const mayForce =
    save.error instanceof KenningError && save.error.detail.some(({ type }) => type === 'model_unusable')
  const isComplete = setting.url !== '' && (texts.model !== 'required' || form.model.trim() !== '')
  // With another model all passages get new vectors, and the trial says how long that takes.
  const needsTrial =
    part === 'embeddings' &&
    form.model.trim() !== stored.model &&
    !(trial.findings.length > 0 && trial.findings.every(isNoProblem))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) void start(setting)
  }
  const problemAt = (field: 'url' | 'key' | 'model'): string | undefined =>
    listProblem?.field === field ? listProblem.message : undefined
  return (
    <form onSubmit={submit} aria-label={t(texts.form)} autoComplete="off">
      <div className="max-w-md">
        <Select
          label={t('Provider')}
          options={[
            ...(form.preset ? [] : [{ value: '', label: t('Choose …') }]),
            ...presets.map(({ id, name }) => ({
              value: id,
              label: id === 'other' ? t(texts.otherServer) : name,
            })),
          ]}
          value={form.preset}
          choose={choosePreset}
        />
        {form.preset && (
          <>
            <Field
              label={t('Address')}
              type="text"
              inputMode="url"
              required
              maxLength={2000}
              spellCheck={false}
              hint={preset && presetHint(part, preset)}
              problem={problemAt('url')}
              value={form.url}
              onChange={({ target }) => change({ url: target.value })}
              onBlur={leaveField}
            />
            <Field
              label={preset?.needsKey ? t('Key') : t('Key, if it needs one')}
              type="password"
              autoComplete="new-password"
              maxLength={4000}
              placeholder={isKeyStored ? t('The stored key') : undefined}
              hint={
                isKeyStored
                  ? t('Leave it empty to keep the stored key.')
                  : t('It is stored encrypted and not shown again.')
              }
              problem={problemAt('key')}
              value={form.key}
              onChange={({ target }) => change({ key: target.value })}
              onBlur={leaveField}
            />
            {texts.model !== 'none' && (
              <ModelName
                names={names}
                isLoading={list.isLoading}
                isRequired={texts.model === 'required'}
                value={form.model}
                choose={(model) => change({ model })}
                hint={listProblem?.field === null ? listProblem.message : undefined}
              />
            )}
            {part === 'language' && (
              <details className="mb-4">
                <summary className="cursor-pointer text-sm text-soft">{t('Context length')}</summary>
                <div className="pt-2">
                  <Field
                    label={t('Tokens that the model takes with its answer')}
                    type="number"
                    min={1000}
                    hint={t('Empty: the server is asked.')}
                    value={form.contextTokens}
                    onChange={({ target }) => change({ contextTokens: target.value })}
                  />
                </div>
              </details>
            )}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" disabled={!isComplete || trial.running !== undefined}>
                {t('Try it')}
              </Button>
              <Button
                kind="primary"
                disabled={!isComplete || needsTrial || save.isPending}
                onClick={() => save.mutate({ unchecked: false })}
              >
                {texts.model === 'none' ? t('Use this server') : t('Use this model')}
              </Button>
              {(stored.source !== 'none' || part !== 'language') && (
                <Button kind="quiet" onClick={close}>
                  {t('Cancel')}
                </Button>
              )}
            </div>
            {needsTrial && (
              <p className="mt-2 text-sm text-soft">
                {t('Try it first: that measures how long all passages take to get new vectors.')}
              </p>
            )}
            {save.error && (
              <p role="alert" className="mt-3 text-sm text-bad">
                {errorText(save.error)}
              </p>
            )}
            {mayForce && (
              <Button kind="quiet" disabled={save.isPending} onClick={() => save.mutate({ unchecked: true })}>
                {t('Use it all the same')}
              </Button>
            )}
          </>
        )}
      </div>
      <TrialResult trial={trial} />
    </form>
  )
}

const originOf = (url: string | null): string | undefined =>
  url && URL.canParse(url) ? new URL(url).origin : undefined

/** Whether the server can be asked for its models: an address without a part to fill in, and a key where it wants one. */
function isAskable(
  { url, key }: { url: string; key: string },
  preset: ModelPreset | undefined,
  isKeyStored: boolean,
): boolean {
  const isFilled = url.trim() !== '' && !/\b(NAME|DEPLOYMENT)\b/.test(url)
  return isFilled && (!preset?.needsKey || key !== '' || isKeyStored)
}

const isNoProblem = ({ outcome }: ModelFinding): boolean => outcome !== 'problem'

const OTHER = '\u0000other'

/** A model of the server's list; its name where there is no list, or the model is not in it. */
function ModelName({
  names,
  isLoading,
  isRequired,
  value,
  choose,
  hint = t('The name of the model at its server.'),
}: {
  names: readonly string[]
  isLoading: boolean
  isRequired: boolean
  value: string
  choose: (name: string) => void
  hint: string | undefined
}) {
  const [isWritten, setIsWritten] = useState(false)
  const hasList = names.length > 0
  const isInList = names.includes(value)
  const isField = !hasList || isWritten || (value !== '' && !isInList)
  return (
    <>
      {hasList && (
        <Select
          label={t('Model')}
          options={[
            ...(value === '' && !isWritten ? [{ value: '', label: t('Choose …') }] : []),
            ...names.map((name) => ({ value: name, label: name })),
            { value: OTHER, label: t('Another name …') },
          ]}
          value={isField ? OTHER : value}
          choose={(name) => {
            setIsWritten(name === OTHER)
            choose(name === OTHER ? '' : name)
          }}
        />
      )}
      {isField && (
        <Field
          label={hasList ? t('Name of the model') : t('Model')}
          required={isRequired}
          maxLength={200}
          spellCheck={false}
          hint={isLoading ? t('Asking the server for its models …') : hint}
          value={value}
          onChange={({ target }) => choose(target.value)}
        />
      )}
    </>
  )
}
