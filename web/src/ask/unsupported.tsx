// Below an answer that nothing in the documents supports: what was searched for, and the passages that come closest.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { snippetOf } from '../parts/snippet.ts'
import { searchQuery } from '../queries.ts'

const SHOWN = 3
// The most that a search takes.
const MOST_CHARACTERS = 2000

interface Props {
  workspace: string
  question: string
  /** Queries of the agent, while they are known. */
  searched: readonly string[]
}

export function Closest({ workspace, question, searched }: Props) {
  const query = question.slice(0, MOST_CHARACTERS)
  const { data } = useQuery(searchQuery(workspace, query))
  const closest = data?.query === query ? data.data.slice(0, SHOWN) : []
  const queries = searched.length ? [...new Set(searched)] : [query]
  return (
    <div className="mt-3 border-t border-line pt-3 text-sm">
      <p className="text-soft">
        Searched for{' '}
        {queries.map((one, i) => (
          <span key={one}>
            {i > 0 && ', '}
            <Link
              to="/w/$workspace/search"
              params={{ workspace }}
              search={{ q: one }}
              className="text-accent hover:underline"
            >
              “{one}”
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
