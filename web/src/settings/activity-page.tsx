// Who did what in the workspace, and the results of its jobs.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../src/client/client.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { formatDateTime } from '../parts/format.ts'
import { withArticle } from '../parts/roles.ts'
import { Empty, Problem, Skeleton, ToWorkspaces } from '../parts/states.tsx'
import { membershipQuery } from '../queries.ts'
import { api } from '../session.ts'

const PAGE_SIZE = 50

type Detail = Record<string, string | number>
const ROLE_NAMES: Record<string, string> = {
  viewer: message('viewer'),
  editor: message('editor'),
  owner: message('owner'),
}
const roleOf = (role: string | number): string => t(ROLE_NAMES[role] ?? String(role))

/** The actions in words for people. */
const ACTIONS: Record<string, (detail: Detail) => string> = {
  workspace_made: () => t('created the workspace'),
  workspace_changed: () => t('changed the name or description'),
  member_set: ({ role }) =>
    role === undefined ? t('set a member') : t('set a member as {role}', { role: roleOf(role) }),
  member_removed: () => t('removed a member'),
  files_uploaded: ({ files }) =>
    plural(Number(files ?? 1), 'uploaded {count} file', 'uploaded {count} files'),
  document_deleted: () => t('deleted a document'),
  documents_trashed: ({ documents }) =>
    plural(
      Number(documents ?? 1),
      'moved {count} document to the trash',
      'moved {count} documents to the trash',
    ),
  documents_moved: ({ documents }) =>
    plural(
      Number(documents ?? 1),
      'moved {count} document to another folder',
      'moved {count} documents to another folder',
    ),
  documents_restored: ({ documents }) =>
    plural(
      Number(documents ?? 1),
      'restored {count} document from the trash',
      'restored {count} documents from the trash',
    ),
  workspace_trashed: () => t('moved the workspace to the trash'),
  workspace_restored: () => t('restored the workspace from the trash'),
  version_restored: () => t('restored an earlier version'),
  reindex_started: ({ files }) =>
    plural(Number(files ?? 1), 'had {count} document read again', 'had {count} documents read again'),
  scope_set: () => t('changed a scope'),
  scope_deleted: () => t('deleted a scope'),
  source_added: () => t('added a source'),
  source_changed: () => t('changed a source'),
  source_removed: () => t('removed a source'),
  webhook_added: () => t('added a webhook'),
  webhook_changed: () => t('changed a webhook'),
  webhook_removed: () => t('deleted a webhook'),
  webhook_tested: () => t('sent a test event to a webhook'),
  entities_merged: () => t('merged two entities'),
  merge_undone: () => t('undid a merge of entities'),
  merge_rejected: () => t('said that two entities are not the same'),
  question_asked: () => t('asked a question'),
  key_made: () => t('created a key'),
  key_revoked: () => t('revoked a key'),
  invitation_made: ({ role }) =>
    role === undefined ? t('invited somebody') : t('invited somebody as {role}', { role: roleOf(role) }),
  invitation_revoked: () => t('withdrew an invitation'),
}

const folderName = (path: string | number): string => String(path) || t('no folder')

const nameOf = ({ name, type }: Output<'listActivity'>['data'][number]['actor']): string =>
  name ?? (type === 'nobody' ? 'Kenning' : t('a former user'))

export function ActivityPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data: membership } = useQuery(membershipQuery(workspace))
  const isOwner = membership?.role === 'owner'
  const list = useInfiniteQuery({
    enabled: isOwner,
    queryKey: ['workspace', workspace, 'activity'],
    queryFn: ({ signal, pageParam }) =>
      api.listActivity({ workspace_id: workspace, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <h2 className="mb-3 text-lg font-semibold">{t('Activity')}</h2>
        {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
        {membership && !isOwner && (
          <Empty title={t('For owners')} action={<ToWorkspaces />}>
            {t('You are {role} of this workspace. Its owners see who did what.', {
              role: withArticle(membership.role),
            })}
          </Empty>
        )}
        {list.isPending && (isOwner || !membership) && <Skeleton lines={8} />}
        {list.data && rows.length === 0 && <Empty title={t('Nothing has happened yet')} />}
        <table aria-label={t('Activity')} className="w-full text-sm">
          <tbody>
            {rows.map(({ id, at, action, actor, detail }) => (
              <tr key={id} className="flex flex-wrap border-b border-line py-1.5 align-top sm:table-row">
                <td className="w-full pr-4 text-soft sm:w-44 sm:py-1.5 sm:whitespace-nowrap">
                  {formatDateTime(at)}
                </td>
                <td className="min-w-0 truncate pr-4 sm:py-1.5">
                  {detail.by === 'group' ? t('a group of the company') : nameOf(actor)}
                </td>
                <td className="sm:py-1.5">
                  {ACTIONS[action]?.(detail) ?? action.replace(/[._]/g, ' ')}
                  {detail.to !== undefined && (
                    <span className="block break-words text-soft">
                      {/* Documents from several folders have none in common. */}
                      {detail.from !== undefined && folderName(detail.from)} → {folderName(detail.to)}
                    </span>
                  )}
                  {!(action in ACTIONS) && (
                    <span className="text-soft">
                      {Object.entries(detail).map(
                        ([name, value]) => ` · ${name.replaceAll('_', ' ')} ${value}`,
                      )}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {list.hasNextPage && (
          <Button className="mt-3" onClick={() => void list.fetchNextPage()}>
            {plural(PAGE_SIZE, 'Show {count} more', 'Show {count} more')}
          </Button>
        )}
      </div>
    </div>
  )
}
