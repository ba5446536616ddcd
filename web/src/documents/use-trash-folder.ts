// Moving a folder to the trash, as one action that can be undone.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { partlyTrashed, undoTrash } from '../trash/partly-trashed.ts'
import { moveFolderToTrash } from '../trash/trash.ts'
import { lastStep, parentOf, ROOT } from './folders.ts'

/** @param leave called with the folder around the one that has gone, which a reader who is in it is shown */
export function useTrashFolder(
  workspace: string,
  leave: (folder: string, parent: string) => void,
): { trashFolder: (folder: string) => void; isTrashing: boolean } {
  const queries = useQueryClient()
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['workspace', workspace] })
  const onError = (error: Error): void => announce(errorText(error))
  const undo = (trashIds: string[]): void => void undoTrash(workspace, trashIds).finally(refresh)
  const trash = useMutation({
    mutationFn: (folder: string) => moveFolderToTrash(workspace, folder),
    onSuccess: (trashed, folder) => {
      if (!trashed.error) leave(folder, parentOf(folder) ?? ROOT)
      announce(
        partlyTrashed(trashed) ??
          t('“{folder}” moved to the trash with {documents}.', {
            folder: lastStep(folder),
            documents: plural(trashed.trashIds.length, 'document'),
          }),
        { label: t('Undo'), run: () => undo(trashed.trashIds) },
      )
    },
    onSettled: refresh,
    onError,
  })
  return { trashFolder: trash.mutate, isTrashing: trash.isPending }
}
