// Parts of the workspace to which a search can be limited: built-in ones by folder, kind and provider, and created ones.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { plural } from '../parts/format.ts'
import { Skeleton } from '../parts/states.tsx'
import { scopesQuery } from '../queries.ts'
import { api } from '../session.ts'

const BUILT_IN = /^(kind|provider|folder):/

export function Scopes({ workspace, mayEdit }: { workspace: string; mayEdit: boolean }) {
  const { data } = useQuery(scopesQuery(workspace))
  const [deleting, setDeleting] = useState<string>()
  const queries = useQueryClient()
  const changed = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: scopesQuery(workspace).queryKey })
  const remove = useMutation({
    mutationFn: (scope_name: string) => api.deleteScope({ workspace_id: workspace, scope_name }),
    onSuccess: async () => {
      setDeleting(undefined)
      await changed()
    },
  })
  const scopes = data?.data ?? []
  const own = scopes.filter(({ name }) => !BUILT_IN.test(name))
  const folders = scopes.flatMap(({ name }) => (name.startsWith('folder:') ? [name.slice(7)] : []))
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">Scopes</h2>
      <p className="mb-3 text-soft">
        A search can be limited to a scope. Each folder and each kind of file is one by itself
        {mayEdit ? '; here you name others.' : '; owners and editors name others.'}
      </p>
      {!data && <Skeleton lines={2} />}
      {own.length > 0 && (
        <ul className="mb-4 divide-y divide-line border-y border-line">
          {own.map(({ name, description, document_count }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <div className="min-w-0 flex-1 basis-48">
                <div>{name}</div>
                <div className="text-sm text-soft">
                  {plural(document_count, 'document')}
                  {description && ` · ${description}`}
                </div>
              </div>
              {mayEdit && (
                <Button aria-label={`Delete the scope ${name}`} onClick={() => setDeleting(name)}>
                  Delete
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayEdit && data && folders.length > 0 && (
        <NewScope workspace={workspace} folders={folders} changed={changed} />
      )}
      {mayEdit && data && folders.length === 0 && own.length === 0 && (
        <p className="text-sm text-soft">Upload folders to make scopes of them.</p>
      )}
      <Confirm
        open={deleting !== undefined}
        close={() => setDeleting(undefined)}
        title={`Delete the scope “${deleting}”?`}
        description="Its documents stay. Searches limited to it say that it no longer exists."
        action="Delete scope"
        pending={remove.isPending}
        problem={remove.error?.message}
        confirm={() => deleting !== undefined && remove.mutate(deleting)}
      />
    </section>
  )
}

function NewScope({
  workspace,
  folders,
  changed,
}: {
  workspace: string
  folders: readonly string[]
  changed: () => Promise<void>
}) {
  const [name, setName] = useState('')
  const [selectedIds, setChosen] = useState<ReadonlySet<string>>(new Set())
  const save = useMutation({
    mutationFn: () =>
      api.putScope({ workspace_id: workspace, scope_name: name.trim(), folders: [...selectedIds] }),
    onSuccess: async () => {
      setName('')
      setChosen(new Set())
      await changed()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  const toggle = (folder: string): void => {
    const next = new Set(selectedIds)
    if (!next.delete(folder)) next.add(folder)
    setChosen(next)
  }
  return (
    <form onSubmit={submit} aria-label="New scope" className="rounded-lg border border-line p-4">
      <Field
        label="Name of the scope"
        placeholder="Leases"
        value={name}
        required
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
        problem={save.error?.message}
      />
      <fieldset className="mb-4">
        <legend className="mb-1 text-sm font-medium">
          Everything in these folders, later files included
        </legend>
        <div className="max-h-48 overflow-y-auto">
          {folders.map((folder) => (
            <label key={folder} className="flex min-h-8 items-center gap-2">
              <input type="checkbox" checked={selectedIds.has(folder)} onChange={() => toggle(folder)} />
              {folder}
            </label>
          ))}
        </div>
      </fieldset>
      <Button type="submit" disabled={save.isPending || !name.trim() || selectedIds.size === 0}>
        Save scope
      </Button>
    </form>
  )
}
