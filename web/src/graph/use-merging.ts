// Merges an entity into another one, undoes a merge, or says that two are not the same. All change lists, themes and the graph, so all data of the workspace
// is reloaded.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { api } from '../session.ts'

interface NamedEntity {
  id: string
  name: string
}

export function useMerging(workspace: string, into: NamedEntity) {
  const queries = useQueryClient()
  const reloadWorkspace = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: ['workspace', workspace] })
  const mergePath = (other: NamedEntity) => ({
    workspace_id: workspace,
    entity_id: into.id,
    merged_id: other.id,
  })
  const onError = (error: Error): void => announce(errorText(error))
  const undo = useMutation({
    mutationFn: (other: NamedEntity) => api.undoMerge(mergePath(other)),
    onSuccess: async (_, other) => {
      announce(t('“{name}” is an entity of its own again.', { name: other.name }))
      await reloadWorkspace()
    },
    onError,
  })
  const keepApart = useMutation({
    mutationFn: (other: NamedEntity) => api.undoMerge(mergePath(other)),
    onSuccess: async (_, other) => {
      announce(
        t('“{other}” and “{entity}” are not the same. This is remembered.', {
          other: other.name,
          entity: into.name,
        }),
      )
      await reloadWorkspace()
    },
    onError,
  })
  const merge = useMutation({
    mutationFn: (other: NamedEntity) => api.putMerge(mergePath(other)),
    onSuccess: async (_, other) => {
      announce(t('“{other}” counts as “{entity}” now.', { other: other.name, entity: into.name }), {
        label: t('Undo'),
        run: () => undo.mutate(other),
      })
      await reloadWorkspace()
    },
    onError,
  })
  return { merge, undo, keepApart }
}
