// The first page: opens the first workspace, or shows how to begin.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { t } from '../language/text.tsx'
import { PageSkeleton, Problem } from '../parts/states.tsx'
import { workspaceQuery, workspacesQuery } from '../queries.ts'
import { ImportWorkspace } from './import-workspace.tsx'
import { NewWorkspaceForm } from './new-workspace.tsx'

export function Welcome() {
  const { data, error, refetch } = useQuery(workspacesQuery)
  const queries = useQueryClient()
  if (error) return <Problem page error={error} retry={() => void refetch()} />
  if (!data) return <PageSkeleton />
  const [firstWorkspace] = data
  // The list has the data that the page of the workspace needs, so the page does not request it again.
  if (firstWorkspace)
    queries.setQueryData(
      workspaceQuery(firstWorkspace.id).queryKey,
      (cachedData) => cachedData ?? firstWorkspace,
    )
  if (firstWorkspace) return <Navigate to="/w/$workspace" params={{ workspace: firstWorkspace.id }} replace />
  return (
    <div className="mx-auto w-full max-w-md px-6 py-16">
      <h1 className="mb-2 text-xl font-semibold">{t('Welcome to Kenning')}</h1>
      <p className="mb-6 text-soft">
        {t(
          'Put documents into a workspace, then search them and ask questions. Every answer shows where it comes from. Name the first workspace; you can change the name later.',
        )}
      </p>
      <NewWorkspaceForm />
      <ImportWorkspace />
    </div>
  )
}
