// The form of a model: provider, address, key, and a model of the server's own list.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type FormEvent, useState } from 'react'
import { MODEL_PRESETS } from '../../../src/contract/model-presets.ts'
import type { LanguageModel, LanguageModelSet, ModelServer } from '../../../src/contract/models.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Select } from '../parts/select.tsx'
import { announce } from '../parts/toast.tsx'
import { modelsQuery, serverModelsQuery, setModel } from './model-queries.ts'
import { TrialResult, useTrial } from './model-trial.tsx'

export interface ModelDraft {
  preset: string
  url: string
  model: string
  contextTokens: string
}

interface Props {
  draft: ModelDraft
  /** The model that is set now, whose key goes on while its server stays. */
  stored: LanguageModel
  close: () => void
}

export function ModelForm({ draft, stored, close }: Props) {
  const queries = useQueryClient()
  const [form, setForm] = useState({ ...draft, key: '' })
  const preset = MODEL_PRESETS.find(({ id }) => id === form.preset)
  const hasStoredKey = (url: string): boolean => stored.has_key && originOf(stored.url) === originOf(url)
  const isKeyStored = hasStoredKey(form.url)
  const serverOf = ({ url, key }: typeof form): ModelServer => ({
    url: url.trim(),
    ...(key ? { key } : hasStoredKey(url) ? {} : { key: null }),
  })
  // The server is asked for its models when a field is left, not at each letter.
  const [server, setServer] = useState<ModelServer | undefined>(() =>
    isAskable(form, isKeyStored) ? serverOf(form) : undefined,
  )
  const askServer = (): void => {
    if (isAskable(form, isKeyStored)) setServer(serverOf(form))
  }
  // Not on the way to a button: what the server says moves the form, and the click would miss.
  const leaveField = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof HTMLButtonElement)) askServer()
  }
  const list = useQuery(serverModelsQuery(server))
  const names = list.data?.data.map(({ id }) => id) ?? []
  const listProblem = list.data?.problem ?? undefined
  const { trial, start, forget } = useTrial()
  const change = (fields: Partial<typeof form>): void => {
    forget()
    setForm({ ...form, ...fields })
  }
  const choosePreset = (id: string): void => {
    const next = {
      ...form,
      preset: id,
      url: MODEL_PRESETS.find((one) => one.id === id)?.url ?? '',
      model: '',
      key: '',
    }
    forget()
    setForm(next)
    setServer(isAskable(next, hasStoredKey(next.url)) ? serverOf(next) : undefined)
  }
  const setting: LanguageModelSet = {
    ...serverOf(form),
    model: form.model.trim(),
    context_tokens: form.contextTokens ? Number(form.contextTokens) : null,
  }
  const save = useMutation({
    mutationFn: () => setModel(setting),
    onSuccess: (settings) => {
      queries.setQueryData(modelsQuery.queryKey, settings)
      announce(`${settings.language.model} answers questions from now on.`)
      close()
    },
  })
  const isComplete = setting.url !== '' && setting.model !== ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) void start(setting)
  }
  const problemAt = (field: 'url' | 'key' | 'model'): string | undefined =>
    listProblem?.field === field ? listProblem.message : undefined
  return (
    <form onSubmit={submit} aria-label="Language model" autoComplete="off">
      <div className="max-w-md">
        <Select
          label="Provider"
          options={[
            ...(form.preset ? [] : [{ value: '', label: 'Choose …' }]),
            ...MODEL_PRESETS.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={form.preset}
          choose={choosePreset}
        />
        {form.preset && (
          <>
            <Field
              label="Address"
              type="url"
              required
              maxLength={2000}
              spellCheck={false}
              hint={preset?.hint}
              problem={problemAt('url')}
              value={form.url}
              onChange={({ target }) => change({ url: target.value })}
              onBlur={leaveField}
            />
            <Field
              label={preset?.needsKey ? 'Key' : 'Key, if it needs one'}
              type="password"
              autoComplete="new-password"
              maxLength={4000}
              placeholder={isKeyStored ? 'The stored key' : undefined}
              hint={
                isKeyStored
                  ? 'Leave it empty to keep the stored key.'
                  : 'It is stored encrypted and not shown again.'
              }
              problem={problemAt('key')}
              value={form.key}
              onChange={({ target }) => change({ key: target.value })}
              onBlur={leaveField}
            />
            <ModelName
              names={names}
              isLoading={list.isLoading}
              value={form.model}
              choose={(model) => change({ model })}
              hint={listProblem?.field === null ? listProblem.message : undefined}
            />
            <details className="mb-4">
              <summary className="cursor-pointer text-sm text-soft">Context length</summary>
              <div className="pt-2">
                <Field
                  label="Tokens that the model takes with its answer"
                  type="number"
                  min={1000}
                  hint="Empty: the server is asked."
                  value={form.contextTokens}
                  onChange={({ target }) => change({ contextTokens: target.value })}
                />
              </div>
            </details>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" disabled={!isComplete || trial.running !== undefined}>
                Try it
              </Button>
              <Button kind="primary" disabled={!isComplete || save.isPending} onClick={() => save.mutate()}>
                Use this model
              </Button>
              {stored.source !== 'none' && (
                <Button kind="quiet" onClick={close}>
                  Cancel
                </Button>
              )}
            </div>
            {save.error && (
              <p role="alert" className="mt-3 text-sm text-bad">
                {save.error.message}
              </p>
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
  { preset, url, key }: { preset: string; url: string; key: string },
  isKeyStored: boolean,
): boolean {
  const needsKey = MODEL_PRESETS.find(({ id }) => id === preset)?.needsKey
  const isFilled = URL.canParse(url.trim()) && !/\b(NAME|DEPLOYMENT)\b/.test(url)
  return isFilled && (!needsKey || key !== '' || isKeyStored)
}

const OTHER = '\u0000other'

/** A model of the server's list; its name where there is no list, or the model is not in it. */
function ModelName({
  names,
  isLoading,
  value,
  choose,
  hint = 'The name of the model at its server.',
}: {
  names: readonly string[]
  isLoading: boolean
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
          label="Model"
          options={[
            ...(value === '' && !isWritten ? [{ value: '', label: 'Choose …' }] : []),
            ...names.map((name) => ({ value: name, label: name })),
            { value: OTHER, label: 'Another name …' },
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
          label={hasList ? 'Name of the model' : 'Model'}
          required
          maxLength={200}
          spellCheck={false}
          hint={isLoading ? 'Asking the server for its models …' : hint}
          value={value}
          onChange={({ target }) => choose(target.value)}
        />
      )}
    </>
  )
}
