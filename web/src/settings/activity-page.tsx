// Who did what in the workspace, and the results of its jobs.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { plural } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { formatDateTime } from '../parts/format.ts'
import { withArticle } from '../parts/roles.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { membershipQuery } from '../queries.ts'
import { api } from '../session.ts'

type Detail = Record<string, string | number>
const roleOf = ({ role }: Detail): string => (role === undefined ? '' : ` as ${role}`)

/** The actions in words for people. */
const ACTIONS: Record<string, (detail: Detail) => string> = {
  workspace_made: () => 'created the workspace',
  workspace_changed: () => 'changed the name or description',
  member_set: (detail) => `set a member${roleOf(detail)}`,
  member_removed: () => 'removed a member',
  files_uploaded: ({ files }) => `uploaded ${plural(Number(files ?? 1), 'file')}`,
  document_deleted: () => 'deleted a document',
  documents_trashed: ({ documents }) => `moved ${plural(Number(documents ?? 1), 'document')} to the trash`,
  documents_restored: ({ documents }) =>
    `restored ${plural(Number(documents ?? 1), 'document')} from the trash`,
  workspace_trashed: () => 'moved the workspace to the trash',
  workspace_restored: () => 'restored the workspace from the trash',
  version_restored: () => 'restored an earlier version',
  reindex_started: ({ files }) => `had ${plural(Number(files ?? 1), 'document')} read again`,
  scope_set: () => 'changed a scope',
  scope_deleted: () => 'deleted a scope',
  source_added: () => 'added a source',
  source_changed: () => 'changed a source',
  source_removed: () => 'removed a source',
  webhook_added: () => 'added a webhook',
  webhook_changed: () => 'changed a webhook',
  webhook_removed: () => 'deleted a webhook',
  webhook_tested: () => 'sent a test event to a webhook',
  entities_merged: () => 'merged two entities',
  merge_undone: () => 'undid a merge of entities',
  merge_rejected: () => 'said that two entities are not the same',
  question_asked: () => 'asked a question',
  key_made: () => 'created a key',
  key_revoked: () => 'revoked a key',
  invitation_made: (detail) => `invited somebody${roleOf(detail)}`,
  invitation_revoked: () => 'withdrew an invitation',
}

export function ActivityPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data: membership } = useQuery(membershipQuery(workspace))
  const isOwner = membership?.role === 'owner'
  const list = useInfiniteQuery({
    enabled: isOwner,
    queryKey: ['workspace', workspace, 'activity'],
    queryFn: ({ signal, pageParam }) =>
      api.listActivity({ workspace_id: workspace, limit: 50, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <h2 className="mb-3 text-lg font-semibold">Activity</h2>
        {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
        {membership && !isOwner && (
          <Empty title="For owners">
            You are {withArticle(membership.role)} of this workspace. Its owners see who did what.
          </Empty>
        )}
        {list.isPending && (isOwner || !membership) && <Skeleton lines={8} />}
        {list.data && rows.length === 0 && <Empty title="Nothing has happened yet" />}
        <table aria-label="Activity" className="w-full text-sm">
          <tbody>
            {rows.map(({ id, at, action, actor, detail }) => (
              <tr key={id} className="flex flex-wrap border-b border-line py-1.5 align-top sm:table-row">
                <td className="w-full pr-4 text-soft sm:w-44 sm:py-1.5 sm:whitespace-nowrap">
                  {formatDateTime(at)}
                </td>
                <td className="min-w-0 truncate pr-4 sm:py-1.5">
                  {actor.name ?? (actor.type === 'nobody' ? 'Kenning' : 'a former user')}
                </td>
                <td className="sm:py-1.5">
                  {ACTIONS[action]?.(detail) ?? action.replace(/[._]/g, ' ')}
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
            Show {plural(50, 'more', 'more')}
          </Button>
        )}
      </div>
    </div>
  )
}
