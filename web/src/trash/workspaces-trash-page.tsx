// The workspaces in the trash, for those who owned them, and the way to the documents in the trash of each workspace.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AccountPage } from '../account/page.tsx'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { workspacesQuery } from '../queries.ts'
import { api } from '../session.ts'
import { restoreWorkspace, trashedWorkspacesQuery } from './trash.ts'
import { TrashList } from './trash-list.tsx'

export function WorkspacesTrashPage() {
  const list = useQuery(trashedWorkspacesQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [removing, setRemoving] = useState<{ id: string; name: string }>()
  const onError = (error: Error): void => announce(errorText(error))
  const restore = useMutation({
    mutationFn: async (id: string) => {
      await restoreWorkspace(queries, id)
      await navigate({ to: '/w/$workspace', params: { workspace: id } })
    },
    onSuccess: () => announce(t('The workspace is restored.')),
    onError,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteTrashedWorkspace({ workspace_id: id }),
    onSuccess: () => {
      setRemoving(undefined)
      announce(t('Deleted for good.'))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: trashedWorkspacesQuery.queryKey }),
    onError,
  })
  return (
    <AccountPage
      title={t('Trash')}
      description={t(
        'Workspaces that you owned and that were moved to the trash. Nobody can open them; each can be restored until the day beside it, and is then deleted for good.',
      )}
    >
      {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.data?.length === 0 && (
        <p className="border-y border-line py-3 text-soft">{t('No workspace is in the trash.')}</p>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <TrashList
          label={t('Workspaces in the trash')}
          lines={list.data.map((workspace) => ({
            ...workspace,
            detail: plural(workspace.document_count, 'document'),
          }))}
          isBusy={restore.isPending || remove.isPending}
          restore={({ id }) => restore.mutate(id)}
          remove={setRemoving}
        />
      )}
      {workspaces && workspaces.length > 0 && (
        <section aria-label={t('Documents in the trash')} className="mt-10">
          <h2 className="mb-1 text-lg font-semibold">{t('Documents in the trash')}</h2>
          <p className="mb-3 text-soft">{t('Owners and editors of a workspace see them there:')}</p>
          <ul className="space-y-1">
            {workspaces.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to="/w/$workspace/trash"
                  params={{ workspace: id }}
                  className="text-accent wrap-anywhere hover:underline"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Confirm
        open={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={t('Delete “{name}” for good?', { name: removing?.name ?? '' })}
        description={t(
          'All its documents, conversations and its graph are deleted for every member. This cannot be undone.',
        )}
        confirmLabel={t('Delete for good')}
        pending={remove.isPending}
        confirm={() => removing && remove.mutate(removing.id)}
      />
    </AccountPage>
  )
}
