// The actions for the selected documents.

import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { FolderInput, RefreshCw, Tag, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { forEachDocument } from '../parts/for-each-document.ts'
import { useReturnFocus } from '../parts/return-focus.ts'
import { isGone } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { workspaceQuery } from '../queries.ts'
import { api } from '../session.ts'
import { partlyTrashed, undoTrash } from '../trash/partly-trashed.ts'
import { moveToTrash } from '../trash/trash.ts'
import { MoveDialog } from './move-dialog.tsx'
import { ScopeDialog } from './scope-dialog.tsx'
import type { SelectedFrom } from './selected-from.ts'

type DocumentPages = InfiniteData<Output<'listDocumentDetails'>>

interface Props {
  workspace: string
  selected: ReadonlySet<string>
  from: SelectedFrom
  deselect: (ids: ReadonlySet<string>) => void
}

export function Selection({ workspace, selected, from, deselect }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  useReturnFocus(bar)
  const queries = useQueryClient()
  /** Only what a request was about is deselected: other documents may have been selected while it was on its way. */
  const refresh = (doneIds: readonly string[]): void => {
    deselect(new Set(doneIds))
    void queries.invalidateQueries({ queryKey: ['workspace', workspace] })
  }
  /** Removes documents from the lists that are shown, because reloading them takes a moment. */
  const removeFromLists = (removedIds: ReadonlySet<string>): void => {
    queries.setQueriesData<DocumentPages>(
      { queryKey: ['workspace', workspace, 'documents'] },
      (cachedPages) =>
        cachedPages && {
          ...cachedPages,
          pages: cachedPages.pages.map((page) => ({
            ...page,
            data: page.data.filter(({ id }) => !removedIds.has(id)),
          })),
        },
    )
    queries.setQueryData(
      workspaceQuery(workspace).queryKey,
      (cachedWorkspace) =>
        cachedWorkspace && {
          ...cachedWorkspace,
          document_count: Math.max(0, cachedWorkspace.document_count - removedIds.size),
        },
    )
  }
  const onError = (error: Error): void => announce(errorText(error))
  const undo = (trashIds: string[]): void =>
    void undoTrash(workspace, trashIds).finally(() =>
      queries.invalidateQueries({ queryKey: ['workspace', workspace] }),
    )
  const trash = useMutation({
    mutationFn: (documentIds: readonly string[]) => moveToTrash(workspace, documentIds),
    onSuccess: (trashed, documentIds) => {
      const leftIds = new Set(trashed.leftIds)
      removeFromLists(new Set(documentIds.filter((id) => !leftIds.has(id))))
      announce(
        partlyTrashed(trashed) ??
          plural(
            trashed.trashIds.length,
            '{count} document moved to the trash.',
            '{count} documents moved to the trash.',
          ),
        { label: t('Undo'), run: () => undo(trashed.trashIds) },
      )
    },
    // What was not moved stays selected, to be moved again, unless none of the documents exists any more.
    onSettled: (trashed, error, documentIds) => {
      const leftIds = new Set(trashed?.leftIds ?? (isGone(error) ? [] : documentIds))
      refresh(documentIds.filter((id) => !leftIds.has(id)))
    },
    onError,
  })
  const reindex = useMutation({
    mutationFn: (documentIds: readonly string[]) =>
      forEachDocument(documentIds, (document_id) =>
        api.reindexDocument({ workspace_id: workspace, document_id }),
      ),
    onSuccess: (_, documentIds) =>
      announce(
        plural(
          documentIds.length,
          '{count} document will be read again. The present text stays until then.',
          '{count} documents will be read again. The present text stays until then.',
        ),
      ),
    onSettled: (_, _error, documentIds) => refresh(documentIds),
    onError,
  })
  const [choosesScope, setChoosesScope] = useState(false)
  const [choosesFolder, setChoosesFolder] = useState(false)
  const isBusy = trash.isPending || reindex.isPending
  return (
    <div
      ref={bar}
      className="z-10 -mx-3 -my-1.5 flex flex-wrap content-center items-center gap-2 rounded-lg bg-tint px-3 py-1.5 text-sm [grid-area:1/1]"
    >
      <span role="status">
        {plural(selected.size, '{count} document selected', '{count} documents selected')}
      </span>
      <Button kind="quiet" onClick={() => deselect(selected)}>
        {t('Clear')}
      </Button>
      <div className="ml-auto flex flex-wrap justify-end gap-2">
        <Button onClick={() => setChoosesScope(true)} disabled={isBusy}>
          <Tag size={14} /> {t('Scope')}
        </Button>
        <Button onClick={() => setChoosesFolder(true)} disabled={isBusy}>
          <FolderInput size={14} /> {t('Move to folder')}
        </Button>
        <Button onClick={() => reindex.mutate([...selected])} disabled={isBusy}>
          <RefreshCw size={14} /> {t('Read again')}
        </Button>
        <Button onClick={() => trash.mutate([...selected])} disabled={isBusy}>
          <Trash2 size={14} /> {t('Move to trash')}
        </Button>
      </div>
      <ScopeDialog
        workspace={workspace}
        selected={selected}
        open={choosesScope}
        close={() => setChoosesScope(false)}
        onChanged={refresh}
      />
      <MoveDialog
        workspace={workspace}
        selected={selected}
        from={from}
        open={choosesFolder}
        close={() => setChoosesFolder(false)}
        onMoved={(documentIds) => deselect(new Set(documentIds))}
      />
    </div>
  )
}
