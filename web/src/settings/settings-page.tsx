// A workspace's name, members, scopes, webhooks, export and the way to the trash.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { Field, inputClass } from '../parts/field.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { membershipQuery, type Workspace, workspaceQuery, workspacesQuery } from '../queries.ts'
import { api } from '../session.ts'
import { restoreWorkspace } from '../trash/trash.ts'
import { Export } from './export.tsx'
import { Leave, Members } from './members.tsx'
import { Scopes } from './scopes.tsx'
import { Webhooks } from './webhooks.tsx'

export function SettingsPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(workspaceQuery(workspace))
  const { data: membership } = useQuery(membershipQuery(workspace))
  const isOwner = membership && membership.role === 'owner'
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        {data ? (
          <>
            {membership?.role === 'viewer' ? (
              <About workspace={data} />
            ) : (
              <NameForm key={data.id} workspace={data} />
            )}
            <Members workspace={data.id} />
            <Scopes workspace={data.id} mayEdit={membership !== undefined && membership.role !== 'viewer'} />
            {isOwner && (
              <>
                <Webhooks workspace={data.id} />
                <p className="mb-10">
                  <Link to="/usage" search={{ of: data.id }} className="text-accent underline">
                    {t('Usage of this workspace')}
                  </Link>
                </p>
                <Export workspace={data} />
                <DangerZone workspace={data} />
              </>
            )}
            {isOwner === false && <Leave workspace={data.id} name={data.name} />}
          </>
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </div>
  )
}

/** Name and description for members who may not change them. */
function About({ workspace: { name, description } }: { workspace: Workspace }) {
  return (
    <section className="mb-10">
      <h2 className="mb-1 text-lg font-semibold">{name}</h2>
      {description && <p className="whitespace-pre-line text-soft">{description}</p>}
    </section>
  )
}

function NameForm({ workspace }: { workspace: Workspace }) {
  const [name, setName] = useState(workspace.name)
  const [description, setDescription] = useState(workspace.description)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => api.updateWorkspace({ workspace_id: workspace.id, name, description }),
    onSuccess: async () => {
      announce(t('Saved.'))
      await queries.invalidateQueries({ queryKey: ['workspace', workspace.id] })
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="mb-10">
      <h2 className="mb-3 text-lg font-semibold">{t('Workspace')}</h2>
      <Field
        label={t('Name')}
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.target.value)}
        problem={errorText(save.error)}
      />
      <label className="mb-4 block">
        <span className="mb-1 block text-sm font-medium">{t('Description')}</span>
        <textarea
          value={description}
          maxLength={2000}
          rows={3}
          onChange={(event) => setDescription(event.target.value)}
          className={inputClass}
        />
      </label>
      <Button type="submit" disabled={save.isPending || !name.trim()}>
        {t('Save')}
      </Button>
    </form>
  )
}

function DangerZone({ workspace: { id, name } }: { workspace: Workspace }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const undo = async (): Promise<void> => {
    await restoreWorkspace(queries, id)
    await navigate({ to: '/w/$workspace', params: { workspace: id } })
  }
  const trash = useMutation({
    mutationFn: () => api.trashWorkspace({ workspace_id: id }),
    onSuccess: async () => {
      // The list is changed before the navigation, because the first page opens the first workspace of the list.
      queries.setQueryData(workspacesQuery.queryKey, (cachedWorkspaces) =>
        cachedWorkspaces?.filter((workspace) => workspace.id !== id),
      )
      await navigate({ to: '/' })
      queries.removeQueries({ queryKey: ['workspace', id] })
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
      const run = (): void => void undo().catch((error: Error) => announce(errorText(error)))
      announce(t('“{workspace}” is in the trash.', { workspace: name }), { label: t('Undo'), run })
    },
  })
  return (
    <section className="rounded-lg border border-line p-4">
      <h2 className="mb-1 font-semibold">{t('Move this workspace to the trash')}</h2>
      <p className="mb-3 text-soft">
        {t(
          'Nobody can open it, and nothing finds its documents. For 30 days its owners can restore it; then it is deleted for good.',
        )}
      </p>
      {trash.error && (
        <p role="alert" className="mb-3 text-sm text-bad">
          {errorText(trash.error)}
        </p>
      )}
      <Button kind="danger" disabled={trash.isPending} onClick={() => trash.mutate()}>
        {t('Move to trash')}
      </Button>
    </section>
  )
}
