// A document: the page's picture beside the text that was read from it, in step.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { ChunkText } from '../parts/chunk-text.tsx'
import { inputClass } from '../parts/field.tsx'
import { plural } from '../parts/format.ts'
import { querySpans } from '../parts/highlight.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { type Chunk, documentQuery, pageImageQuery } from '../queries.ts'
import { api } from '../session.ts'
import { PageImage } from './page-image.tsx'

export function DocumentPage() {
  const { workspace, document } = useParams({ from: '/w/$workspace/d/$document' })
  const { page, chunk, find } = useSearch({ from: '/w/$workspace/d/$document' })
  const content = useInfiniteQuery(documentQuery(workspace, document))
  const chunks = useMemo(() => content.data?.pages.flatMap((part) => part.chunks) ?? [], [content.data])
  const [first] = content.data?.pages ?? []
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = content
  // The whole text comes, part after part: it can be searched inside, and what was cited is somewhere in it.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (content.error && !content.data)
    return <Problem error={content.error} retry={() => void content.refetch()} />
  if (!first)
    return (
      <div className="mx-auto max-w-3xl p-6">
        <Skeleton lines={12} />
      </div>
    )
  return (
    <div className="flex h-full flex-col">
      <Head
        workspace={workspace}
        document={document}
        title={first.title}
        chunks={chunks}
        total={first.total_chunks}
        find={find}
      />
      <Reader
        workspace={workspace}
        document={document}
        chunks={chunks}
        page={page}
        chunk={chunk}
        find={find}
      />
    </div>
  )
}

interface HeadProps {
  workspace: string
  document: string
  title: string
  chunks: readonly Chunk[]
  total: number
  find: string | undefined
}

function Head({ workspace, document, title, chunks, total, find = '' }: HeadProps) {
  const navigate = useNavigate({ from: '/w/$workspace/d/$document' })
  const hits = useMemo(
    () => (find ? chunks.filter(({ text }) => querySpans(text, find).length > 0).length : 0),
    [chunks, find],
  )
  const download = async (): Promise<void> => {
    const response = await api.bytes('getOriginal', { workspace_id: workspace, document_id: document })
    const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    const url = URL.createObjectURL(await response.blob())
    const link = window.document.createElement('a')
    link.href = url
    link.download = name ? decodeURIComponent(name) : title
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 md:px-6">
      <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
      <label className="flex items-center gap-2 text-sm">
        <span className="sr-only">Find in this document</span>
        <input
          type="search"
          placeholder="Find in this document"
          value={find}
          onChange={({ target }) =>
            void navigate({
              search: ({ find: _, ...rest }) => (target.value ? { ...rest, find: target.value } : rest),
              replace: true,
            })
          }
          className={`${inputClass} w-52`}
        />
        {find && (
          <span role="status" className="text-soft">
            {plural(hits, 'passage')}
            {chunks.length < total && ' so far'}
          </span>
        )}
      </label>
      <Button onClick={() => void download()}>
        <Download size={14} /> Original
      </Button>
    </div>
  )
}

interface ReaderProps {
  workspace: string
  document: string
  chunks: readonly Chunk[]
  page: number | undefined
  chunk: string | undefined
  find: string | undefined
}

function Reader({ workspace, document, chunks, page, chunk, find }: ReaderProps) {
  const text = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(page ?? 1)
  const isPaged = chunks.some((one) => one.page)
  const target = chunk ?? chunks.find((one) => one.page === page)?.id
  const reached = useRef<string>(undefined)
  const { data: image } = useQuery({ ...pageImageQuery(workspace, document, shown), enabled: isPaged })

  // To the passage that the address names, once it is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the passages come part after part
  useEffect(() => {
    if (!target || reached.current === target) return
    const place = window.document.getElementById(`chunk-${target}`)
    if (!place) return
    reached.current = target
    place.scrollIntoView({ block: 'center' })
    place.focus({ preventScroll: true })
    if (page) setShown(page)
  }, [target, page, chunks])

  // The picture follows the text: it shows the page of the passage at the top of the window.
  const follow = (): void => {
    const top = text.current?.getBoundingClientRect().top ?? 0
    const places = text.current?.querySelectorAll<HTMLElement>('[data-page]') ?? []
    const reading = [...places].find((place) => place.getBoundingClientRect().bottom > top + 80)
    if (reading?.dataset.page) setShown(Number(reading.dataset.page))
  }
  return (
    <div className="flex min-h-0 flex-1">
      {isPaged && image !== null && (
        <div className="hidden w-[45%] shrink-0 overflow-y-auto border-r border-line bg-back p-4 lg:block">
          <PageImage workspace={workspace} document={document} page={shown} />
          <p role="status" className="mt-2 text-center text-xs text-soft">
            Page {shown}
          </p>
        </div>
      )}
      <div ref={text} onScroll={follow} className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-[46rem] px-4 py-6 md:px-8">
          {chunks.map((one, i) => (
            <section
              key={one.id}
              id={`chunk-${one.id}`}
              tabIndex={-1}
              data-page={one.page ?? undefined}
              aria-current={one.id === chunk ? 'true' : undefined}
              className={`mb-4 rounded-md outline-none [content-visibility:auto] [contain-intrinsic-size:auto_200px] ${one.id === chunk ? '-mx-3 border-l-3 border-accent bg-tint px-3 py-1' : ''}`}
            >
              {one.page && one.page !== chunks[i - 1]?.page && (
                <div className="mt-6 mb-2 border-t border-line pt-1 text-xs text-soft">Page {one.page}</div>
              )}
              <ChunkText text={one.text} type={one.type} query={find} />
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}
