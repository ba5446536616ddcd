// The documents in the trash of a workspace.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { plural, t } from '../language/text.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { forEachDocument } from '../parts/for-each-document.ts'
import { formatBytes } from '../parts/format.ts'
import { kindName } from '../parts/kinds.ts'
import { withArticle } from '../parts/roles.ts'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { foldersQuery, membershipQuery } from '../queries.ts'
import { api } from '../session.ts'
import { partlyRestored } from './partly-trashed.ts'
import { allTrashIds, restoreFromTrash, type TrashedDocument, trashQuery } from './trash.ts'
import { type Line, TrashList } from './trash-list.tsx'
import { folderName, type TrashedFolder, trashLines } from './trashed-folders.ts'

const detailOf = ({ filename, kind, bytes }: TrashedDocument): string =>
  [filename, kindName(kind), ...(bytes === null ? [] : [formatBytes(bytes)])].join(' · ')

const documentLine = (document: TrashedDocument): Line => ({
  ...document,
  name: document.title,
  detail: detailOf(document),
})

function folderLine({ path, documents }: TrashedFolder): Line {
  const days = documents.map(({ expires_at }) => expires_at).sort()
  const name = folderName(path)
  const count = plural(documents.length, 'document')
  return {
    id: path,
    name,
    detail: name === path ? count : `${path} · ${count}`,
    trashed_at: documents[0]?.trashed_at ?? '',
    // The document that can be restored for the shortest time decides.
    expires_at: days[0] ?? '',
    lines: documents.map(documentLine),
  }
}

const idsOf = ({ id, lines }: Line): string[] => lines?.map((line) => line.id) ?? [id]

export function TrashPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data: membership } = useQuery(membershipQuery(workspace))
  const mayEdit = membership !== undefined && membership.role !== 'viewer'
  const list = useInfiniteQuery({ ...trashQuery(workspace), enabled: mayEdit })
  const folders = useQuery(foldersQuery(workspace)).data?.data
  // A folder is one line with all its documents, so all pages are needed.
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const queries = useQueryClient()
  const [removing, setRemoving] = useState<Line>()
  const options = {
    onSettled: () => queries.invalidateQueries({ queryKey: ['workspace', workspace] }),
    onError: (error: Error) => announce(errorText(error)),
  }
  const restore = useMutation({
    ...options,
    mutationFn: async (ids: string[] | 'all') =>
      restoreFromTrash(workspace, ids === 'all' ? await allTrashIds(workspace) : ids),
    onSuccess: (restored) =>
      announce(partlyRestored(restored) ?? t('Restored. It can be searched as soon as it is read again.')),
  })
  const remove = useMutation({
    ...options,
    mutationFn: (ids: readonly string[]) =>
      forEachDocument(ids, (trash_id) => api.deleteTrashed({ workspace_id: workspace, trash_id })),
    onSuccess: () => {
      setRemoving(undefined)
      announce(t('Deleted for good.'))
    },
  })
  const documents = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data])
  const lines = useMemo(
    () =>
      trashLines(documents, folders ?? []).map((line) =>
        'documents' in line ? folderLine(line) : documentLine(line),
      ),
    [documents, folders],
  )
  const isBusy = restore.isPending || remove.isPending
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <h2 className="text-lg font-semibold">{t('Trash')}</h2>
          {documents.length > 0 && (
            <Link
              to="/w/$workspace/documents"
              params={{ workspace }}
              className="text-sm text-accent underline"
            >
              {t('To the documents')}
            </Link>
          )}
          <Link to="/trash" className="text-sm text-accent underline">
            {t('Workspaces in the trash')}
          </Link>
          {documents.length > 1 && (
            <Button className="ml-auto" disabled={isBusy} onClick={() => restore.mutate('all')}>
              {t('Restore all')}
            </Button>
          )}
        </div>
        {membership?.role === 'viewer' && (
          <Empty title={t('For owners and editors')} action={<ToWorkspaces />}>
            {t('You are {role} of this workspace. Its owners and editors restore documents.', {
              role: withArticle(membership.role),
            })}
          </Empty>
        )}
        {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
        {list.error && list.data && <Problem error={list.error} retry={() => void fetchNextPage()} />}
        {(list.isPending || !folders) && (mayEdit || !membership) && <Skeleton lines={6} />}
        {list.data && documents.length === 0 && (
          <Empty
            title={t('The trash is empty')}
            action={
              <Link to="/w/$workspace/documents" params={{ workspace }} className={buttonClass()}>
                {t('To the documents')}
              </Link>
            }
          >
            {t('Documents that are moved here can be restored for 30 days.')}
          </Empty>
        )}
        {documents.length > 0 && folders && (
          <>
            <p className="mb-3 text-sm text-soft">
              {t(
                'Nothing finds these documents. Each can be restored until the day beside it, and is then deleted for good.',
              )}
            </p>
            <TrashList
              label={t('Documents in the trash')}
              lines={lines}
              // A folder is restored or deleted as a whole, so all its documents have to be here.
              isBusy={isBusy || hasNextPage}
              restore={(line) => restore.mutate(idsOf(line))}
              remove={setRemoving}
            />
          </>
        )}
        <Confirm
          open={removing !== undefined}
          close={() => setRemoving(undefined)}
          title={t('Delete “{name}” for good?', { name: removing?.name ?? '' })}
          description={
            removing?.lines
              ? t('{documents} and their earlier versions are deleted. This cannot be undone.', {
                  documents: plural(removing.lines.length, 'document'),
                })
              : t('The file and its earlier versions are deleted. This cannot be undone.')
          }
          confirmLabel={t('Delete for good')}
          pending={remove.isPending}
          confirm={() => removing && remove.mutate(idsOf(removing))}
        />
      </div>
    </div>
  )
}
