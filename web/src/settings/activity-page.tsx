// Who did what in the workspace, and how its jobs went.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Button } from '../parts/button.tsx'
import { formatDateTime, plural } from '../parts/format.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { api } from '../session.ts'

export function ActivityPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const list = useInfiniteQuery({
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
        {list.isPending && <Skeleton lines={8} />}
        {list.data && rows.length === 0 && <Empty title="Nothing has happened yet" />}
        <table className="w-full text-sm">
          <tbody>
            {rows.map(({ id, at, action, actor, detail }) => (
              <tr key={id} className="border-b border-line align-top">
                <td className="w-44 py-1.5 pr-4 whitespace-nowrap text-soft">{formatDateTime(at)}</td>
                <td className="py-1.5 pr-4">
                  {actor.name ?? (actor.type === 'nobody' ? 'Kenning' : 'somebody who has left')}
                </td>
                <td className="py-1.5">
                  {action.replace(/[._]/g, ' ')}
                  <span className="text-soft">
                    {Object.entries(detail).map(
                      ([name, value]) => ` · ${name.replaceAll('_', ' ')} ${value}`,
                    )}
                  </span>
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
