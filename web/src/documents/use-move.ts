// Moving documents and folders, each with a message that offers to undo it.

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { announce } from '../parts/toast.tsx'
import { api } from '../session.ts'
import type { FolderMove } from './folders.ts'
import {
  type MovedFolder,
  moveBack,
  movedText,
  moveFolderBack,
  moveProblem,
  moveToFolder,
  repeatable,
} from './moving.ts'

interface DocumentMove {
  documentIds: readonly string[]
  folder: string
  /** The folder below which the documents keep their places. */
  below: string | undefined
}

/** Says why nothing was moved, where no dialog says it. */
export const announceProblem = (error: Error): void => announce(moveProblem(error) ?? errorText(error))

/** It does not wait for the data: a dialog closes, and returns the focus, before what was below it changes. */
const useReload = (workspace: string): (() => void) => {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: ['workspace', workspace] })
}

/** @param onMoved called with the ids of the documents */
export function useMoveDocuments(
  workspace: string,
  onMoved: (documentIds: readonly string[]) => void,
): UseMutationResult<unknown, Error, DocumentMove> {
  const reload = useReload(workspace)
  return useMutation({
    mutationFn: ({ documentIds, folder, below }: DocumentMove) =>
      moveToFolder(workspace, documentIds, folder, below),
    onSuccess: (moved, { documentIds, folder, below }) => {
      const undo = (): void =>
        void moveBack(workspace, moved, { folder, below }).catch(announceProblem).finally(reload)
      announce(
        movedText(moved.length, folder, below),
        moved.length > 0 ? { label: t('Undo'), run: undo } : undefined,
      )
      onMoved(documentIds)
    },
    // After an error, too: some of the documents may have been moved.
    onSettled: reload,
  })
}

/**
 * @param follow called after the move, and after its undo with the paths of the documents that went back. A reader who is in the
 * folder is to see it where it is then.
 */
export function useMoveFolder(
  workspace: string,
  follow: (move: FolderMove, movedPaths?: readonly string[]) => void,
): UseMutationResult<MovedFolder, Error, FolderMove> {
  const reload = useReload(workspace)
  return useMutation({
    mutationFn: ({ from, to }: FolderMove) =>
      api.moveFolder({ workspace_id: workspace, folder: from, to }, repeatable()),
    onSuccess: (moved, move) => {
      const undo = (): void =>
        void moveFolderBack(workspace, move, moved)
          .then(() =>
            follow(
              { from: move.to, to: move.from },
              moved.data.map(({ previous_path }) => previous_path),
            ),
          )
          .catch(announceProblem)
          .finally(reload)
      follow(move)
      announce(
        t('“{folder}” is now “{path}”, with {documents}.', {
          folder: move.from,
          path: move.to,
          documents: plural(moved.data.length, 'document'),
        }),
        { label: t('Undo'), run: undo },
      )
    },
    // The folder may have been moved by somebody else.
    onSettled: reload,
  })
}
