// An entity: how it is related and the passages that say so.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button, buttonClass } from '../parts/button.tsx'
import { plural } from '../parts/format.ts'
import { Marked } from '../parts/highlight.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { entityQuery } from '../queries.ts'
import { api } from '../session.ts'

export function EntityPage() {
  const { workspace, entity } = useParams({ from: '/w/$workspace/graph/$entity' })
  const { data, error, refetch } = useQuery(entityQuery(workspace, entity))
  const evidence = useInfiniteQuery({
    queryKey: ['workspace', workspace, 'entity', entity, 'evidence'],
    queryFn: ({ signal, pageParam }) =>
      api.listEvidence(
        { workspace_id: workspace, entity_id: entity, limit: 20, cursor: pageParam },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <div className="mx-auto max-w-3xl p-6">
        <Skeleton lines={8} />
      </div>
    )
  const relations = [
    ...data.outgoing.map((relation) => ({
      ...relation,
      key: `out-${relation.type}-${relation.entity.id}`,
      label: `${words(relation.type)} →`,
    })),
    ...data.incoming.map((relation) => ({
      ...relation,
      key: `in-${relation.type}-${relation.entity.id}`,
      label: `← ${words(relation.type)}`,
    })),
  ]
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <div className="mb-4 flex flex-wrap items-baseline gap-3">
          <h2 className="text-xl font-semibold">{data.entity.name}</h2>
          <span className="text-soft">{data.entity.type?.toLowerCase()}</span>
          <Link
            to="/w/$workspace/search"
            params={{ workspace }}
            search={{ q: data.entity.name, entity }}
            className={buttonClass('plain', 'ml-auto')}
          >
            Search its passages
          </Link>
        </div>
        <h3 className="mb-1 text-sm font-semibold">Relations</h3>
        {relations.length === 0 && (
          <p className="text-soft">The documents do not relate it to anything by name.</p>
        )}
        <table className="w-full text-sm">
          <tbody>
            {relations.map(({ key, label, entity: other, evidence_count }) => (
              <tr key={key} className="border-b border-line">
                <td className="w-44 py-1.5 pr-4 text-soft">{label}</td>
                <td className="py-1.5">
                  <Link
                    to="/w/$workspace/graph/$entity"
                    params={{ workspace, entity: other.id }}
                    className="hover:underline"
                  >
                    {other.name}
                  </Link>
                </td>
                <td className="py-1.5 text-right text-soft tabular-nums">
                  {plural(evidence_count, 'passage')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <h3 className="mt-6 mb-1 text-sm font-semibold">Passages</h3>
        {evidence.isPending && <Skeleton lines={6} />}
        <ol className="divide-y divide-line">
          {evidence.data?.pages
            .flatMap((page) => page.data)
            .map((passage) => (
              <li key={passage.chunk_id} className="py-3">
                <Link
                  to="/w/$workspace/d/$document"
                  params={{ workspace, document: passage.document_id }}
                  search={{ chunk: passage.chunk_id, ...(passage.page ? { page: passage.page } : {}) }}
                  className="text-sm font-medium text-accent hover:underline"
                >
                  {passage.title}
                  {passage.page && ` · page ${passage.page}`}
                </Link>
                <p className="reading line-clamp-4">
                  <Marked text={passage.text} spans={passage.spans} />
                </p>
              </li>
            ))}
        </ol>
        {evidence.hasNextPage && <Button onClick={() => void evidence.fetchNextPage()}>Show more</Button>}
      </div>
    </div>
  )
}

const words = (type: string): string => type.toLowerCase().replaceAll('_', ' ')
