// A small picture of the first page of a document. It is asked for once its row has been in view for a moment, so that a list of
// thousands asks only for what a person sees.

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { documentDetailsQuery } from '../queries.ts'
import { api } from '../session.ts'
import { KindIcon } from './kind-icon.tsx'

interface Props {
  workspace: string
  document: { id: string; kind: string; page_images: boolean; uploaded_at: string }
}

// Rows that are only scrolled past are in view for less time than this.
const PAUSE_MS = 150
// The pages that a visible list needs are drawn by few processes, which others use, too.
const MAX_CONCURRENT = 4

/** The picture of the first page, or an icon for kinds without pages and files that cannot be drawn. */
export function Thumbnail({ workspace, document }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  const wasInView = useWasInView(place)
  const { id, kind, page_images, uploaded_at } = document
  const { data, error } = useQuery({
    // Not below the workspace's key: a reload of its lists must not ask for the pictures again. A new version has another time.
    queryKey: ['thumbnail', workspace, id, uploaded_at],
    queryFn: ({ signal }) => inTurn(signal, () => firstPage(workspace, id, signal)),
    enabled: page_images && wasInView,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <span ref={place} className="flex h-7 w-5 shrink-0 items-center justify-center overflow-hidden">
      {!page_images || error ? (
        <KindIcon kind={kind} />
      ) : data ? (
        <img
          src={data.url}
          alt=""
          // A picture that is dragged would be a file to upload.
          draggable={false}
          className="max-h-full max-w-full border border-line bg-white [filter:brightness(var(--page-brightness))]"
        />
      ) : (
        <span className="size-full bg-line" />
      )}
    </span>
  )
}

/** The same of a document of which no more is known. */
export function DocumentThumbnail({ workspace, id }: { workspace: string; id: string }) {
  const place = useRef<HTMLSpanElement>(null)
  const wasInView = useWasInView(place)
  const { data, error } = useQuery({
    ...documentDetailsQuery(workspace, id),
    enabled: wasInView && id !== '',
  })
  return data ? (
    <Thumbnail workspace={workspace} document={data} />
  ) : (
    <span ref={place} className="flex h-7 w-5 shrink-0 items-center justify-center">
      {(error || id === '') && <KindIcon kind="text" />}
    </span>
  )
}

/** The object URL is revoked when the query is removed (main.tsx). */
async function firstPage(workspace: string, document: string, signal: AbortSignal): Promise<{ url: string }> {
  const input = { workspace_id: workspace, document_id: document, page: '1', width: '64' } as const
  return { url: URL.createObjectURL(await (await api.bytes('getPageImage', input, { signal })).blob()) }
}

let runningCount = 0
const waiting: (() => void)[] = []

async function inTurn<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  if (runningCount >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve))
  else runningCount++
  try {
    signal.throwIfAborted()
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else runningCount--
  }
}

function useWasInView(place: RefObject<Element | null>): boolean {
  const [wasInView, setWasInView] = useState(false)
  useEffect(() => {
    if (wasInView || !place.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer)
      if (entries.at(-1)?.isIntersecting) timer = setTimeout(() => setWasInView(true), PAUSE_MS)
    })
    observer.observe(place.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [wasInView, place])
  return wasInView
}
