// API keys: what each may read, creating one, and the snippets that use it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Key, NewKey } from '../../../src/contract/account.ts'
import { errorText } from '../language/error-text.ts'
import { locale } from '../language/locale.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CopyLine } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { formatAgo, formatDate } from '../parts/format.ts'
import { Select } from '../parts/select.tsx'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { workspacesQuery } from '../queries.ts'
import { account } from '../session.ts'
import { Connect } from './connect.tsx'
import { AccountPage, Section } from './page.tsx'
import { accountQuery, keysQuery } from './queries.ts'

const DAY_MS = 24 * 3600 * 1000
const EXPIRIES = [
  { value: '30', label: message('in 30 days') },
  { value: '90', label: message('in 90 days') },
  { value: '365', label: message('in a year') },
  { value: '0', label: message('never') },
]

export function KeysPage() {
  const { data: me } = useQuery(accountQuery)
  const keys = useQuery(keysQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const [newKey, setNewKey] = useState<NewKey>()
  const [isAdding, setIsAdding] = useState(false)
  const done = (): void => {
    setNewKey(undefined)
    // The key may have been used in the meantime.
    void keys.refetch()
  }
  const names = new Map(workspaces?.map(({ id, name }) => [id, name]))
  const firstWorkspace = newKey?.workspace_ids[0] ?? workspaces?.[0]?.id
  return (
    <AccountPage
      title={t('Keys')}
      description={t(
        'With a key a program can read the workspaces you choose: search, ask and read documents. It can change nothing, and it never sees more than you do.',
      )}
    >
      {newKey && <NewKeyNotice newKey={newKey} names={names} />}
      <Section title={newKey ? t('Connect') : t('Your keys')}>
        {newKey && me && (
          <Connect
            server={{ api: me.api_url, mcp: me.mcp_url }}
            secret={newKey.key}
            workspace={firstWorkspace}
          />
        )}
        {!newKey && (
          <>
            {keys.error && !keys.data && <Problem error={keys.error} retry={() => void keys.refetch()} />}
            {keys.isPending && <Skeleton lines={3} />}
            {keys.data && <KeyList keys={keys.data} names={names} />}
            {!isAdding && workspaces && workspaces.length > 0 && (
              <Button kind="primary" className="mt-4" onClick={() => setIsAdding(true)}>
                {t('New key')}
              </Button>
            )}
            {workspaces?.length === 0 && (
              <Empty title={t('No workspace yet')} action={<ToWorkspaces />}>
                {t('A key reads workspaces. Create one first, or ask its owner to let you in.')}
              </Empty>
            )}
            {isAdding && workspaces && (
              <NewKeyForm
                workspaces={workspaces}
                cancel={() => setIsAdding(false)}
                done={(key) => {
                  setNewKey(key)
                  setIsAdding(false)
                }}
              />
            )}
          </>
        )}
      </Section>
      {newKey ? (
        <Button onClick={done}>{t('Done: I have copied the key')}</Button>
      ) : (
        me && (
          <Section title={t('Connect a program')}>
            <Connect
              server={{ api: me.api_url, mcp: me.mcp_url }}
              secret={undefined}
              workspace={firstWorkspace}
            />
          </Section>
        )
      )}
    </AccountPage>
  )
}

function NewKeyNotice({ newKey, names }: { newKey: NewKey; names: ReadonlyMap<string, string> }) {
  return (
    <section aria-label={t('New key')} className="mb-8 rounded-lg border border-accent bg-tint p-4">
      <h2 className="mb-1 font-semibold">{t('The key “{name}” is ready', { name: newKey.name })}</h2>
      <p className="mb-3 text-soft" role="status">
        {t('Copy it now: it is not shown again. {access}', {
          access: accessSentence(newKey.workspace_ids, names),
        })}
      </p>
      <CopyLine text={newKey.key} label={t('Copy the key')} />
    </section>
  )
}

const accessSentence = (ids: readonly string[], names: ReadonlyMap<string, string>): string => {
  const knownNames = ids.flatMap((id) => names.get(id) ?? [])
  const missingCount = ids.length - knownNames.length
  const workspaces = new Intl.ListFormat(locale).format([
    ...knownNames,
    ...(missingCount > 0
      ? [
          plural(
            missingCount,
            '{count} that you cannot read any more',
            '{count} that you cannot read any more',
          ),
        ]
      : []),
  ])
  return t('It can read, search and ask in {workspaces}.', { workspaces })
}

function KeyList({ keys, names }: { keys: readonly Key[]; names: ReadonlyMap<string, string> }) {
  const [keyToRevoke, setKeyToRevoke] = useState<Key>()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => account('DELETE', `/keys/${id}`),
    onSuccess: async () => {
      setKeyToRevoke(undefined)
      await queries.invalidateQueries({ queryKey: ['account', 'keys'] })
    },
  })
  if (keys.length === 0) return <p className="text-soft">{t('You have no keys.')}</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-start gap-x-4 gap-y-1 py-3">
            <div className="min-w-0 flex-1 basis-72">
              <div className="font-medium">
                {key.name} <code className="ml-1 text-sm font-normal text-soft">…{key.last_four}</code>
              </div>
              <div className="text-sm text-soft">{accessSentence(key.workspace_ids, names)}</div>
              <div className="text-sm text-soft">
                {expiryOf(key.expires_at)} ·{' '}
                {key.last_used_at
                  ? t('last used {ago}', { ago: formatAgo(key.last_used_at) })
                  : t('never used')}
              </div>
            </div>
            <Button
              kind="danger"
              aria-label={t('Revoke {key}', { key: key.name })}
              onClick={() => setKeyToRevoke(key)}
            >
              {t('Revoke')}
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        open={keyToRevoke !== undefined}
        close={() => setKeyToRevoke(undefined)}
        title={t('Revoke “{key}”?', { key: keyToRevoke?.name ?? '' })}
        description={t(
          'Programs that use this key will be refused at their next request. This cannot be undone.',
        )}
        confirmLabel={t('Revoke key')}
        cancelLabel={t('Keep it')}
        pending={revoke.isPending}
        problem={errorText(revoke.error)}
        confirm={() => keyToRevoke && revoke.mutate(keyToRevoke.id)}
      />
    </>
  )
}

function expiryOf(expiresAt: string | null): string {
  if (expiresAt === null) return t('Does not expire')
  return Date.parse(expiresAt) < Date.now()
    ? t('Expired on {date}', { date: formatDate(expiresAt) })
    : t('Expires on {date}', { date: formatDate(expiresAt) })
}

interface FormProps {
  workspaces: readonly { id: string; name: string }[]
  cancel: () => void
  done: (key: NewKey) => void
}

function NewKeyForm({ workspaces, cancel, done }: FormProps) {
  const [name, setName] = useState('')
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(
    new Set(workspaces.length === 1 ? workspaces.map(({ id }) => id) : []),
  )
  const [days, setDays] = useState('90')
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      account<NewKey>('POST', '/keys', {
        name,
        workspace_ids: [...selectedIds],
        expires_at: days === '0' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      }),
    onSuccess: async (key) => {
      done(key)
      await queries.invalidateQueries({ queryKey: ['account', 'keys'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  const toggle = (id: string): void => {
    const next = new Set(selectedIds)
    if (!next.delete(id)) next.add(id)
    setSelectedIds(next)
  }
  const names = new Map(workspaces.map((workspace) => [workspace.id, workspace.name]))
  return (
    <form onSubmit={submit} aria-label={t('New key')} className="mt-4 rounded-lg border border-line p-4">
      <Field
        label={t('Name')}
        hint={t('What will use the key, so that you recognise it later.')}
        value={name}
        placeholder={t('Reporting script')}
        maxLength={100}
        required
        autoFocus
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="mb-4">
        <legend className="mb-1 text-sm font-medium">{t('It can read')}</legend>
        <div className="max-h-56 overflow-y-auto">
          {workspaces.map((workspace) => (
            <label key={workspace.id} className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                checked={selectedIds.has(workspace.id)}
                onChange={() => toggle(workspace.id)}
              />
              {workspace.name}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="max-w-48">
        <Select
          label={t('Expires')}
          value={days}
          choose={setDays}
          options={EXPIRIES.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      </div>
      {selectedIds.size > 0 && (
        <p className="mb-4 text-sm text-soft">
          {t(
            '{access} It cannot add, change or delete anything. If you lose access to a workspace, so does the key.',
            { access: accessSentence([...selectedIds], names) },
          )}
        </p>
      )}
      {create.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {errorText(create.error)}
        </p>
      )}
      <div className="flex gap-2">
        <Button
          type="submit"
          kind="primary"
          disabled={create.isPending || !name.trim() || selectedIds.size === 0}
        >
          {t('Create key')}
        </Button>
        <Button onClick={cancel}>{t('Cancel')}</Button>
      </div>
    </form>
  )
}
