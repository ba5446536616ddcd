// The actions for the selected documents.

import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Tag, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { forEachDocument } from '../parts/for-each-document.ts'
import { useReturnFocus } from '../parts/return-focus.ts'
import { announce } from '../parts/toast.tsx'
import { workspaceQuery } from '../queries.ts'
import { api } from '../session.ts'
import { partlyTrashed } from '../trash/partly-trashed.ts'
import { moveToTrash, restoreFromTrash } from '../trash/trash.ts'
import { ScopeDialog } from './scope-dialog.tsx'

type DocumentPages = InfiniteData<Output<'listDocumentDetails'>>

interface Props {
  workspace: string
  selected: ReadonlySet<string>
  clear: () => void
}

export function Selection({ workspace, selected, clear }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  useReturnFocus(bar)
  const queries = useQueryClient()
  // The selection is cleared before the list reloads, so that documents selected meanwhile stay selected.
  const refresh = (): void => {
    clear()
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
    void restoreFromTrash(workspace, trashIds)
      .catch(onError)
      .finally(() => queries.invalidateQueries({ queryKey: ['workspace', workspace] }))
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
    onSettled: refresh,
    onError,
  })
  const reindex = useMutation({
    mutationFn: () =>
      forEachDocument([...selected], (document_id) =>
        api.reindexDocument({ workspace_id: workspace, document_id }),
      ),
    onSuccess: () =>
      announce(
        plural(
          selected.size,
          '{count} document will be read again. The present text stays until then.',
          '{count} documents will be read again. The present text stays until then.',
        ),
      ),
    onSettled: refresh,
    onError,
  })
  const [choosesScope, setChoosesScope] = useState(false)
  const isBusy = trash.isPending || reindex.isPending
  return (
    <div
      ref={bar}
      className="absolute -inset-x-3 -inset-y-1.5 z-10 flex flex-wrap content-center items-center gap-2 rounded-lg bg-tint px-3 text-sm"
    >
      <span role="status">
        {plural(selected.size, '{count} document selected', '{count} documents selected')}
      </span>
      <Button kind="quiet" onClick={clear}>
        {t('Clear')}
      </Button>
      <div className="ml-auto flex gap-2">
        <Button onClick={() => setChoosesScope(true)} disabled={isBusy}>
          <Tag size={14} /> {t('Scope')}
        </Button>
        <Button onClick={() => reindex.mutate()} disabled={isBusy}>
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
    </div>
  )
}
