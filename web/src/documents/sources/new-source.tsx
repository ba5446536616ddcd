// The form for a new source: its kind, its address, how often it is checked, and optionally a password and a choice of files.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { KenningError } from '../../../../src/client/client.ts'
import { errorText } from '../../language/error-text.ts'
import { locale } from '../../language/locale.ts'
import { message, t } from '../../language/text.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, inputClass } from '../../parts/field.tsx'
import { Select } from '../../parts/select.tsx'
import { api } from '../../session.ts'
import { type SourceKind, sourcePlacesQuery } from './queries.ts'

const KINDS: { value: SourceKind; label: string }[] = [
  { value: 'web', label: message('Web pages or a sitemap') },
  { value: 'git', label: message('A git repository') },
  { value: 'folder', label: message('A folder of the server') },
  { value: 'remote', label: message('A drive or bucket (rclone)') },
]
const INTERVALS = [
  { value: '15', label: message('every 15 minutes') },
  { value: '60', label: message('every hour') },
  { value: '360', label: message('every 6 hours') },
  { value: '1440', label: message('every day') },
  { value: '10080', label: message('every week') },
  { value: '0', label: message('only when I run it') },
]

interface Props {
  workspace: string
  open: boolean
  close: () => void
}

export function NewSource({ workspace, open, close }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={t('Add a source')}>
      <Form workspace={workspace} close={close} />
    </Dialog>
  )
}

function Form({ workspace, close }: Omit<Props, 'open'>) {
  const { data: allowedPlaces } = useQuery(sourcePlacesQuery(workspace))
  const [kind, setKind] = useState<SourceKind>('web')
  const [interval, setEveryInterval] = useState('60')
  const queries = useQueryClient()
  const add = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim()
      const lines = (name: string): string[] =>
        text(name)
          .split(/\s*\n\s*/)
          .filter(Boolean)
      const patterns = (name: string): string[] =>
        text(name)
          .split(/\s*,\s*/)
          .filter(Boolean)
      const secret = text('secret')
      return api.createSource({
        workspace_id: workspace,
        kind,
        addresses: lines('address'),
        ...(text('branch') ? { branch: text('branch') } : {}),
        into: text('into'),
        include: patterns('include'),
        exclude: patterns('exclude'),
        every_minutes: interval === '0' ? null : Number(interval),
        ...(secret ? { credentials: { username: text('username'), secret } } : {}),
      })
    },
    onSuccess: async () => {
      close()
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'sources'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    add.mutate(new FormData(event.currentTarget))
  }
  const suggestions =
    kind === 'folder' ? allowedPlaces?.folders : kind === 'remote' ? allowedPlaces?.remotes : undefined
  const kinds = KINDS.filter(
    ({ value }) =>
      (value !== 'folder' || allowedPlaces?.folders.length) &&
      (value !== 'remote' || allowedPlaces?.remotes.length),
  )
  return (
    <form onSubmit={submit}>
      <Select
        label={t('Kind of source')}
        options={kinds.map(({ value, label }) => ({ value, label: t(label) }))}
        value={kind}
        choose={(value) => {
          setKind(value as SourceKind)
          add.reset()
        }}
      />
      {kind === 'web' && <Addresses />}
      {kind === 'git' && (
        <Field
          key="git"
          label={t('Address')}
          name="address"
          required
          type="url"
          placeholder="https://github.com/example/handbook"
        />
      )}
      {suggestions && (
        <Field
          key={kind}
          label={t('Where')}
          name="address"
          required
          defaultValue={suggestions[0]}
          hint={t('Only what is in {places} is allowed.', {
            places: new Intl.ListFormat(locale, { type: 'disjunction' }).format(suggestions),
          })}
        />
      )}
      <Select
        label={t('Check for changes')}
        options={INTERVALS.map(({ value, label }) => ({ value, label: t(label) }))}
        value={interval}
        choose={setEveryInterval}
      />
      {(kind === 'web' || kind === 'git') && (
        <MoreOptions title={t('Sign-in (optional)')}>
          <Field
            label={t('User name')}
            name="username"
            autoComplete="off"
            hint={t('Leave empty to send only the token.')}
          />
          <Field
            label={t('Password or token')}
            name="secret"
            type="password"
            autoComplete="new-password"
            hint={t('It is stored encrypted and not shown again.')}
          />
        </MoreOptions>
      )}
      <MoreOptions title={t('Files and folder (optional)')}>
        {kind === 'git' && <Field label={t('Branch')} name="branch" placeholder={t('default branch')} />}
        <Field label={t('Folder in this workspace')} name="into" placeholder={t('none')} />
        <Field
          label={t('Only these files')}
          name="include"
          placeholder="docs, *.pdf"
          hint={t('Patterns, separated by commas.')}
        />
        <Field label={t('Not these files')} name="exclude" placeholder={t('drafts')} />
      </MoreOptions>
      {add.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {problemOf(add.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={close}>{t('Cancel')}</Button>
        <Button type="submit" kind="primary" disabled={add.isPending}>
          {t('Add source')}
        </Button>
      </div>
    </form>
  )
}

/** Only the message about a field; the API's name of the field is left out. */
const problemOf = (error: Error): string =>
  (error instanceof KenningError && error.detail[0]?.msg) || errorText(error)

function Addresses() {
  const id = useId()
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {t('Addresses')}
      </label>
      <textarea
        id={id}
        name="address"
        required
        rows={3}
        className={inputClass}
        placeholder="https://example.org/sitemap.xml"
        aria-describedby={`${id}-note`}
      />
      <p id={`${id}-note`} className="mt-1 text-sm text-soft">
        {t('One per line: a page, or a sitemap for all pages that it lists. robots.txt is obeyed.')}
      </p>
    </div>
  )
}

function MoreOptions({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mb-4">
      <summary className="cursor-pointer text-sm font-medium">{title}</summary>
      <div className="mt-3 border-l border-line pl-3">{children}</div>
    </details>
  )
}
