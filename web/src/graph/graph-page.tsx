// Graph: what the documents are about, first as a ranked list.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { inputClass } from '../parts/field.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { entitiesQuery, themesQuery } from '../queries.ts'

const PAUSE_MS = 150

export function GraphPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q, type } = useSearch({ from: '/w/$workspace/graph' })
  const navigate = useNavigate({ from: '/w/$workspace/graph' })
  const { data: themes } = useQuery(themesQuery(workspace))
  const list = useInfiniteQuery(entitiesQuery(workspace, q, type))
  const [typed, setTyped] = useState(q ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== (q ?? ''))
        void navigate({
          search: ({ q: _, ...rest }) => (typed ? { ...rest, q: typed } : rest),
          replace: true,
        })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, q, navigate])
  const entities = list.data?.pages.flatMap(({ data }) => data) ?? []
  const chip = (on: boolean): string =>
    `rounded-full border px-2.5 py-0.5 text-sm ${on ? 'border-accent bg-tint text-accent' : 'border-line hover:border-edge'}`
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <input
          type="search"
          aria-label="Find an entity"
          placeholder="Find a person, organization, place, term"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className={inputClass}
        />
        {themes && themes.types.length > 0 && (
          <ul aria-label="Types" className="mt-3 flex flex-wrap gap-2">
            <li>
              <Link
                to="/w/$workspace/graph"
                params={{ workspace }}
                search={({ type: _, ...rest }) => rest}
                className={chip(!type)}
              >
                all <span className="text-soft">{formatCount(themes.total_entities)}</span>
              </Link>
            </li>
            {themes.types.map((one) => (
              <li key={one.type}>
                <Link
                  to="/w/$workspace/graph"
                  params={{ workspace }}
                  search={(old) => ({ ...old, type: one.type })}
                  className={chip(type === one.type)}
                >
                  {one.type.toLowerCase()} <span className="text-soft">{formatCount(one.count)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <Skeleton lines={10} />}
        {list.data && entities.length === 0 && (
          <Empty title={q ? 'No such entity' : 'Nothing in the graph yet'}>
            {q
              ? 'Try another spelling, or search the passages.'
              : 'People, organizations, places and terms appear here once documents are read.'}
          </Empty>
        )}
        <ol className="mt-4 divide-y divide-line">
          {entities.map((entity) => (
            <li key={entity.id}>
              <Link
                to="/w/$workspace/graph/$entity"
                params={{ workspace, entity: entity.id }}
                className="flex items-baseline gap-3 py-2 hover:bg-back"
              >
                <span className="min-w-0 truncate font-medium">{entity.name}</span>
                <span className="text-sm text-soft">{entity.type.toLowerCase()}</span>
                <span className="ml-auto shrink-0 text-sm text-soft tabular-nums">
                  {plural(entity.mention_count, 'mention')}
                </span>
              </Link>
            </li>
          ))}
        </ol>
        {list.hasNextPage && (
          <Button
            className="mt-4"
            onClick={() => void list.fetchNextPage()}
            disabled={list.isFetchingNextPage}
          >
            Show more
          </Button>
        )}
      </div>
    </div>
  )
}
