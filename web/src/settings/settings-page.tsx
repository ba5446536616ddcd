// A workspace's name, members and end.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Field, inputClass } from '../parts/field.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { type Workspace, workspaceQuery } from '../queries.ts'
import { api } from '../session.ts'

const ROLES = {
  owner: 'Owner: reads, changes, lets others in',
  editor: 'Editor: reads and changes documents',
  viewer: 'Viewer: reads and asks',
} as const
type Role = keyof typeof ROLES

export function SettingsPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(workspaceQuery(workspace))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl px-4 py-6 md:px-6">
        {data ? (
          <>
            <NameForm key={data.id} workspace={data} />
            <Members workspace={data.id} />
            <DangerZone workspace={data} />
          </>
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    </div>
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

function Members({ workspace }: { workspace: string }) {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const key = ['workspace', workspace, 'members']
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      Array.fromAsync(api.all('listMembers', { workspace_id: workspace, limit: 200 }, { signal })),
  })
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: key })
  const put = useMutation({
    mutationFn: (member: { email: string; role: Role }) =>
      api.putMember({ workspace_id: workspace, ...member }),
    onSuccess: async () => {
      setEmail('')
      await changed()
    },
    onError: (problem) => announce(problem.message),
  })
  const remove = useMutation({
    mutationFn: (user_id: string) => api.deleteMember({ workspace_id: workspace, user_id }),
    onSuccess: changed,
    onError: (problem) => announce(problem.message),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    put.mutate({ email, role })
  }
  const choose = (value: Role, change: (role: Role) => void, label: string) => (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => change(target.value as Role)}
      className="rounded-md border border-line bg-paper px-2 py-1 text-sm"
    >
      {Object.entries(ROLES).map(([name, meaning]) => (
        <option key={name} value={name}>
          {meaning}
        </option>
      ))}
    </select>
  )
  return (
    <section className="mb-10">
      <h2 className="mb-3 text-lg font-semibold">Members</h2>
      {error ? (
        <p className="text-soft">Owners of the workspace see and change its members.</p>
      ) : (
        <>
          <ul className="mb-4 divide-y divide-line">
            {data?.map((member) => (
              <li key={member.user_id} className="flex flex-wrap items-center gap-3 py-2">
                <span className="min-w-0 flex-1 truncate">{member.email}</span>
                {choose(
                  member.role,
                  (next) => put.mutate({ email: member.email, role: next }),
                  `Role of ${member.email}`,
                )}
                <Button kind="quiet" onClick={() => remove.mutate(member.user_id)}>
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
            <input
              type="email"
              aria-label="E-mail address of a new member"
              placeholder="name@example.org"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              className={`${inputClass} max-w-72`}
            />
            {choose(role, setRole, 'Role of the new member')}
            <Button type="submit" disabled={put.isPending}>
              Add
            </Button>
          </form>
        </>
      )}
    </section>
  )
}

function DangerZone({ workspace }: { workspace: Workspace }) {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.deleteWorkspace({ workspace_id: workspace.id }),
    onSuccess: async () => {
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
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        problem={remove.error?.message}
      />
      <Button type="submit" kind="danger" disabled={typed !== workspace.name || remove.isPending}>
        Delete the workspace
      </Button>
    </form>
  )
}
