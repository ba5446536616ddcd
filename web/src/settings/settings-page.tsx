// A workspace's name, members, scopes, webhooks, export and deletion.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Field, inputClass } from '../parts/field.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { membershipQuery, type Workspace, workspaceQuery, workspacesQuery } from '../queries.ts'
import { api } from '../session.ts'
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
                    Usage of this workspace
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
      announce('Saved.')
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
      <h2 className="mb-3 text-lg font-semibold">Workspace</h2>
      <Field
        label="Name"
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.target.value)}
        problem={save.error?.message}
      />
      <label className="mb-4 block">
        <span className="mb-1 block text-sm font-medium">Description</span>
        <textarea
          value={description}
          maxLength={2000}
          rows={3}
          onChange={(event) => setDescription(event.target.value)}
          className={inputClass}
        />
      </label>
      <Button type="submit" disabled={save.isPending || !name.trim()}>
        Save
      </Button>
    </form>
  )
}

function DangerZone({ workspace }: { workspace: Workspace }) {
  const [typedName, setTypedName] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.deleteWorkspace({ workspace_id: workspace.id }),
    onSuccess: async () => {
      // The list is changed before the navigation, because the first page opens the first workspace of the list.
      queries.setQueryData(workspacesQuery.queryKey, (cachedWorkspace) =>
        cachedWorkspace?.filter(({ id }) => id !== workspace.id),
      )
      await navigate({ to: '/' })
      queries.removeQueries({ queryKey: ['workspace', workspace.id] })
      await queries.invalidateQueries({ queryKey: ['workspaces'] })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    remove.mutate()
  }
  return (
    <form onSubmit={submit} className="rounded-lg border border-bad p-4">
      <h2 className="mb-1 font-semibold text-bad">Delete this workspace</h2>
      <p className="mb-3 text-soft">
        All its documents, conversations and its graph are deleted for every member. This cannot be undone.
      </p>
      <Field
        label={`Type “${workspace.name}” to confirm`}
        value={typedName}
        onChange={(event) => setTypedName(event.target.value)}
        problem={remove.error?.message}
      />
      <Button type="submit" kind="danger" disabled={typedName !== workspace.name || remove.isPending}>
        Delete the workspace
      </Button>
    </form>
  )
}
