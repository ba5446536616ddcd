// Shown below an answer that no document supports: the queries, and the closest passages.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { plural, rich, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { listParts } from '../parts/format.ts'
import { snippetOf } from '../parts/snippet.ts'
import { searchQuery, unreadFilesQuery } from '../queries.ts'

const MAX_PASSAGES = 3
// The longest query that a search accepts.
const MAX_QUERY_CHARACTERS = 2000

interface StillReadingProps {
  workspace: string
  retry: () => void
  /** True if there is an answer, but it may be incomplete. */
  isAnswered?: boolean
}

/** Says that some files have not been read yet and may be missing in answers, with a button that asks the question again. */
export function StillReading({ workspace, retry, isAnswered = false }: StillReadingProps) {
  const { data: unread } = useQuery(unreadFilesQuery(workspace))
  const [wasReading, setWasReading] = useState(false)
  if (unread && !wasReading) setWasReading(true)
  if (unread === undefined || (unread === 0 && !wasReading)) return null
  return (
    <div role="status" className="mt-3 flex flex-wrap items-center gap-3 rounded-md bg-tint p-3 text-sm">
      <span className="min-w-48 flex-1">{readingNotice(unread, isAnswered)}</span>
      <Button onClick={retry}>{t('Ask again')}</Button>
    </div>
  )
}

function readingNotice(unread: number, isAnswered: boolean): string {
  if (unread === 0) return t('All files have been read.')
  return isAnswered
    ? plural(
        unread,
        '{count} file is still being read and may add to this answer.',
        '{count} files are still being read and may add to this answer.',
      )
    : plural(
        unread,
        '{count} file is still being read and may contain the answer.',
        '{count} files are still being read and may contain the answer.',
      )
}

interface Props {
  workspace: string
  question: string
  /** The agent's queries, if they are known. */
  agentQueries: readonly string[]
}

export function Closest({ workspace, question, agentQueries }: Props) {
  const query = question.slice(0, MAX_QUERY_CHARACTERS)
  const { data } = useQuery(searchQuery(workspace, query))
  const closest = data?.query === query ? data.data.slice(0, MAX_PASSAGES) : []
  const queries = agentQueries.length ? [...new Set(agentQueries)] : [query]
  return (
    <div className="mt-3 border-t border-line pt-3 text-sm">
      <p className="text-soft">
        {rich('Searched for {queries}', {
          queries: listParts(queries).map(({ type, value }) =>
            type === 'literal' ? (
              value
            ) : (
              <Link
                key={value}
                to="/w/$workspace/search"
                params={{ workspace }}
                search={{ q: value }}
                className="text-accent hover:underline"
              >
                {t('“{query}”', { query: value })}
              </Link>
            ),
          ),
        })}
      </p>
      {closest.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 font-medium">{t('Closest passages')}</h3>
          <ul className="space-y-2">
            {closest.map(({ id, document_id, document_title, page, text }) => (
              <li key={id}>
                <Link
                  to="/w/$workspace/d/$document"
                  params={{ workspace, document: document_id ?? '' }}
                  search={{ chunk: id, ...(page ? { page } : {}) }}
                  className="text-accent hover:underline"
                >
                  {page ? t('{title}, page {page}', { title: document_title ?? '', page }) : document_title}
                </Link>
                <p className="line-clamp-2 text-soft">{snippetOf(text)}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
