// Merges an entity into another, and undoes it. Both change lists, themes and the graph, so all data of the workspace is
// reloaded.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { announce } from '../parts/toast.tsx'
import { api } from '../session.ts'

interface Named {
  id: string
  name: string
}

export function useMerging(workspace: string, into: Named) {
  const queries = useQueryClient()
  const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: ['workspace', workspace] })
  const address = (other: Named) => ({ workspace_id: workspace, entity_id: into.id, merged_id: other.id })
  const onError = (error: Error): void => announce(error.message)
  const undo = useMutation({
    mutationFn: (other: Named) => api.undoMerge(address(other)),
    onSuccess: async (_, other) => {
      announce(`“${other.name}” is an entity of its own again.`)
      await changed()
    },
    onError,
  })
  const merge = useMutation({
    mutationFn: (other: Named) => api.putMerge(address(other)),
    onSuccess: async (_, other) => {
      announce(`“${other.name}” counts as “${into.name}” now.`, {
        label: 'Undo',
        run: () => undo.mutate(other),
      })
      await changed()
    },
    onError,
  })
  return { merge, undo }
}
