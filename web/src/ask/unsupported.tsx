// Shown below an answer that no document supports: the queries, and the closest passages.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { plural } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
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
      <span className="min-w-48 flex-1">
        {unread > 0
          ? `${plural(unread, 'file is', 'files are')} still being read and may ${isAnswered ? 'add to this' : 'contain the'} answer.`
          : 'All files have been read.'}
      </span>
      <Button onClick={retry}>Ask again</Button>
    </div>
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
        Searched for{' '}
        {queries.map((entry, i) => (
          <span key={entry}>
            {i > 0 && ', '}
            <Link
              to="/w/$workspace/search"
              params={{ workspace }}
              search={{ q: entry }}
              className="text-accent hover:underline"
            >
              “{entry}”
            </Link>
          </span>
        ))}
      </p>
      {closest.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 font-medium">Closest passages</h3>
          <ul className="space-y-2">
            {closest.map(({ id, document_id, document_title, page, text }) => (
              <li key={id}>
                <Link
                  to="/w/$workspace/d/$document"
                  params={{ workspace, document: document_id ?? '' }}
                  search={{ chunk: id, ...(page ? { page } : {}) }}
                  className="text-accent hover:underline"
                >
                  {document_title}
                  {page && `, page ${page}`}
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
