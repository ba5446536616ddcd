// The groups of documents by meaning: what each is about in the words of its documents, its main names and its first documents.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Output } from '../../../src/client/client.ts'
import { plural, t } from '../language/text.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { themeGroupsQuery } from '../queries.ts'
import { TypeDot } from './type-dot.tsx'

type Group = NonNullable<Output<'getThemes'>['groups']>[number]

const DOCUMENTS_SHOWN = 3

/** Nothing for a library of few documents. */
export function ThemeGroups() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(themeGroupsQuery(workspace))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  if (!data.groups?.length) return null
  return (
    <section aria-label={t('Groups of documents')} className="mb-8">
      <ul className="grid grid-cols-1 gap-3 xl:grid-cols-2">
        {data.groups.map((group) => (
          <li
            key={group.documents[0]?.id}
            className="flex flex-col rounded-lg border border-line bg-paper p-4"
          >
            <GroupCard workspace={workspace} group={group} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function GroupCard({ workspace, group }: { workspace: string; group: Group }) {
  const { terms, entities, documents, quote } = group
  const restCount = group.document_count - Math.min(documents.length, DOCUMENTS_SHOWN)
  return (
    <>
      <div className="flex items-baseline gap-3">
        <h2 className="min-w-0 flex-1 font-semibold">
          {terms.length > 0 ? terms.join(' · ') : documents[0]?.title}
        </h2>
        <span className="shrink-0 text-sm text-soft tabular-nums">
          {plural(group.document_count, 'document')}
        </span>
      </div>
      {quote && (
        <blockquote className="reading mt-2">
          <Link
            to="/w/$workspace/d/$document"
            params={{ workspace, document: quote.document_id }}
            search={{ chunk: quote.chunk_id, ...(quote.page ? { page: quote.page } : {}) }}
            title={quote.title}
            className="line-clamp-4 hover:underline"
          >
            <q>{quote.text}</q>
          </Link>
        </blockquote>
      )}
      {entities.length > 0 && (
        <ul aria-label={t('Names')} className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {entities.map((entity) => (
            <li key={entity.id}>
              <Link
                to="/w/$workspace/graph"
                params={{ workspace }}
                search={(search) => ({ ...search, entity: entity.id })}
                activeProps={{}}
                className="flex items-center gap-1.5 hover:underline"
              >
                <TypeDot type={entity.type ?? 'other'} />
                {entity.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ul
        aria-label={t('Documents')}
        className="mt-auto border-t border-line pt-2 text-sm [:not(:first-child)]:mt-3"
      >
        {documents.slice(0, DOCUMENTS_SHOWN).map(({ id, title }) => (
          <li key={id} className="truncate">
            <Link
              to="/w/$workspace/d/$document"
              params={{ workspace, document: id }}
              className="text-soft hover:text-ink hover:underline"
            >
              {title}
            </Link>
          </li>
        ))}
        {restCount > 0 && <li className="text-soft">{plural(restCount, '{count} more', '{count} more')}</li>}
      </ul>
    </>
  )
}
