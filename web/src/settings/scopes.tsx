// Scopes: parts of the workspace to which a search can be limited. Folders, kinds and providers are scopes; others are created
// here.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { BUILT_IN_SCOPE } from '../parts/kinds.ts'
import { Skeleton } from '../parts/states.tsx'
import { scopesQuery } from '../queries.ts'
import { api } from '../session.ts'

export function Scopes({ workspace, mayEdit }: { workspace: string; mayEdit: boolean }) {
  const { data } = useQuery(scopesQuery(workspace))
  const [scopeToDelete, setScopeToDelete] = useState<string>()
  const queries = useQueryClient()
  const reloadScopes = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: scopesQuery(workspace).queryKey })
  const remove = useMutation({
    mutationFn: (scope_name: string) => api.deleteScope({ workspace_id: workspace, scope_name }),
    onSuccess: async () => {
      setScopeToDelete(undefined)
      await reloadScopes()
    },
  })
  const scopes = data?.data ?? []
  const createdScopes = scopes.filter(({ name }) => !BUILT_IN_SCOPE.test(name))
  const folders = scopes.flatMap(({ name }) => (name.startsWith('folder:') ? [name.slice(7)] : []))
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">{t('Scopes')}</h2>
      <p className="mb-3 text-soft">
        {mayEdit
          ? t(
              'A search can be limited to a scope. Each folder and each kind of file is a scope; here you can create others.',
            )
          : t(
              'A search can be limited to a scope. Each folder and each kind of file is a scope; owners and editors can create others.',
            )}
      </p>
      {!data && <Skeleton lines={2} />}
      {createdScopes.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {createdScopes.map(({ name, description, document_count }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <div className="min-w-0 flex-1 basis-48">
                <div>{name}</div>
                <div className="text-sm text-soft">
                  {plural(document_count, 'document')}
                  {description && ` · ${description}`}
                </div>
              </div>
              {mayEdit && (
                <Button
                  aria-label={t('Delete the scope {scope}', { scope: name })}
                  onClick={() => setScopeToDelete(name)}
                >
                  {t('Delete')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayEdit && data && folders.length > 0 && (
        <NewScope workspace={workspace} folders={folders} onChanged={reloadScopes} />
      )}
      {mayEdit && data && folders.length === 0 && createdScopes.length === 0 && (
        <p className="text-sm text-soft">
          {t('To create a scope, upload folders, or select documents in their list.')}
        </p>
      )}
      <Confirm
        open={scopeToDelete !== undefined}
        close={() => setScopeToDelete(undefined)}
        title={t('Delete the scope “{scope}”?', { scope: scopeToDelete ?? '' })}
        description={t('Its documents stay. Searches limited to it say that it no longer exists.')}
        confirmLabel={t('Delete scope')}
        pending={remove.isPending}
        problem={errorText(remove.error)}
        confirm={() => scopeToDelete !== undefined && remove.mutate(scopeToDelete)}
      />
    </section>
  )
}

function NewScope({
  workspace,
  folders,
  onChanged,
}: {
  workspace: string
  folders: readonly string[]
  onChanged: () => Promise<void>
}) {
  const [name, setName] = useState('')
  const [selectedFolders, setSelectedFolders] = useState<ReadonlySet<string>>(new Set())
  const save = useMutation({
    mutationFn: () =>
      api.putScope({ workspace_id: workspace, scope_name: name.trim(), folders: [...selectedFolders] }),
    onSuccess: async () => {
      setName('')
      setSelectedFolders(new Set())
      await onChanged()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  const toggle = (folder: string): void => {
    const next = new Set(selectedFolders)
    if (!next.delete(folder)) next.add(folder)
    setSelectedFolders(next)
  }
  return (
    <form onSubmit={submit} aria-label={t('New scope')} className="rounded-lg border border-line p-4">
      <Field
        label={t('Name of the scope')}
        placeholder={t('Leases')}
        value={name}
        required
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
        problem={errorText(save.error)}
      />
      <fieldset className="mb-4">
        <legend className="mb-1 text-sm font-medium">
          {t('All documents in these folders, also later ones')}
        </legend>
        <div className="max-h-48 overflow-y-auto">
          {folders.map((folder) => (
            <label key={folder} className="flex min-h-8 items-center gap-2">
              <input type="checkbox" checked={selectedFolders.has(folder)} onChange={() => toggle(folder)} />
              {folder}
            </label>
          ))}
        </div>
      </fieldset>
      <Button type="submit" disabled={save.isPending || !name.trim() || selectedFolders.size === 0}>
        {t('Save scope')}
      </Button>
    </form>
  )
}
