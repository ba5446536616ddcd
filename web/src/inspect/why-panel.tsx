// "Why this result?": the explanation of one hit beside the list it is in.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '../parts/button.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { inspectQuery, type SearchPlace } from '../queries.ts'
import { Explanation } from './explanation.tsx'

interface Props {
  workspace: string
  search: SearchPlace
  chunk: string
  close: () => void
}

export function WhyPanel({ workspace, search, chunk, close }: Props) {
  const { data, error, refetch } = useQuery(inspectQuery(workspace, search))
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another hit is opened
  useEffect(() => heading.current?.focus(), [chunk])
  const at = data?.data.findIndex((hit) => hit.chunk.id === chunk) ?? -1
  const hit = data?.data[at]
  return (
    <aside
      aria-label="Why this result?"
      onKeyDown={({ key }) => key === 'Escape' && close()}
      className="fixed inset-0 z-20 flex flex-col overflow-y-auto border-l border-line bg-paper lg:static lg:w-[26rem] lg:shrink-0 xl:w-[30rem]"
    >
      <div className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-paper px-4 py-2.5">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-sm font-semibold outline-none">
          Why result {at < 0 ? '' : at + 1}?
          <span className="block truncate font-normal text-soft">
            {hit?.chunk.document_title}
            {hit?.chunk.page && ` · page ${hit.chunk.page}`}
          </span>
        </h2>
        <IconButton label="Close" onClick={close} className="-my-1 -mr-2">
          <X size={16} />
        </IconButton>
      </div>
      <div className="p-4">
        {error && <Problem error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={8} />}
        {data && !hit && (
          <p className="text-sm text-soft">
            This passage is not among the results any more: the documents or the query have changed.
          </p>
        )}
        {data && hit && (
          <>
            <Explanation key={chunk} workspace={workspace} inspection={data} hit={hit} />
            <p className="mt-5 text-sm">
              <Link
                to="/w/$workspace/d/$document"
                params={{ workspace, document: hit.chunk.document_id ?? '' }}
                search={{ chunk, ...(hit.chunk.page ? { page: hit.chunk.page } : {}) }}
                className="text-accent underline"
              >
                Open in the document
              </Link>
            </p>
          </>
        )}
      </div>
    </aside>
  )
}
