// The passage behind a citation: the page's picture with its place marked, and the text with the cited sentences marked.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PageImage } from '../document/page-image.tsx'
import { IconButton } from '../parts/button.tsx'
import { ChunkText } from '../parts/chunk-text.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { turnCitationsQuery } from '../queries.ts'

interface Props {
  workspace: string
  thread: string
  turn: number
  number: number
  close: () => void
}

export function PassagePanel({ workspace, thread, turn, number, close }: Props) {
  const { data, error, refetch } = useQuery(turnCitationsQuery(workspace, thread, turn))
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another passage is opened
  useEffect(() => heading.current?.focus(), [turn, number])
  const passage = data?.data.find((one) => one.number === number)
  const boxes = passage?.boxes.filter((box) => box.page === passage.page).map(({ bbox }) => bbox) ?? []
  return (
    <aside
      aria-label="Source"
      onKeyDown={({ key }) => key === 'Escape' && close()}
      className="fixed inset-0 z-20 flex flex-col overflow-y-auto border-l border-line bg-paper lg:static lg:w-[26rem] lg:shrink-0 xl:w-[32rem]"
    >
      <div className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-paper px-4 py-2.5">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-sm font-semibold outline-none">
          <span className="mr-1.5 text-accent tabular-nums">{number}</span>
          {passage?.document_title}
          {passage?.page && <span className="font-normal text-soft"> · page {passage.page}</span>}
        </h2>
        <IconButton label="Close the source" onClick={close} className="-my-1 -mr-2">
          <X size={16} />
        </IconButton>
      </div>
      <div className="p-4">
        {error && <Problem error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={8} />}
        {passage?.state === 'deleted' && (
          <p className="text-soft">The document was deleted; its text can no longer be shown.</p>
        )}
        {passage?.state === 'changed' && (
          <p className="text-soft">
            The document has a new version in which this passage no longer stands as it was cited.
          </p>
        )}
        {passage?.text != null && passage.document_id && (
          <>
            <ChunkText text={passage.text} type={passage.type ?? 'text'} spans={passage.spans} />
            <p className="my-3 text-sm">
              <Link
                to="/w/$workspace/d/$document"
                params={{ workspace, document: passage.document_id }}
                search={{
                  ...(passage.chunk_id ? { chunk: passage.chunk_id } : {}),
                  ...(passage.page ? { page: passage.page } : {}),
                }}
                className="text-accent underline"
              >
                Open in the document
              </Link>
            </p>
            {passage.page && (
              <PageImage
                workspace={workspace}
                document={passage.document_id}
                page={passage.page}
                boxes={boxes}
              />
            )}
          </>
        )}
      </div>
    </aside>
  )
}
