// The images of a document's pages, one below the other. Only pages near the window are drawn.

import { type RefObject, useEffect, useRef, useState } from 'react'
import { t } from '../language/text.tsx'
import { type Box, Picture, usePageShape } from './page-image.tsx'

interface Props {
  workspace: string
  document: string
  pages: number
  /** The page that is shown first. */
  firstShown: number
  /** The boxes to mark, by page. */
  boxes: ReadonlyMap<number, readonly Box[]>
  column: RefObject<HTMLDivElement | null>
  onScroll: () => void
}

// Pages that are this close to the visible part are drawn, too.
const DRAW_MARGIN = '50%'
const SCROLL_END_MS = 120

export function PagesColumn({ workspace, document, pages, firstShown, boxes, column, onScroll }: Props) {
  const nearbyPages = useNearbyPages(column, pages)
  const firstShape = usePageShape({ workspace, document, page: firstShown })
  // A page that is not drawn keeps its last shape, or that of its neighbours, so that nothing moves.
  const shapes = useRef(new Map<number, number>())
  const lastShape = useRef<number>(undefined)
  const shapeOf = (page: number): number => shapes.current.get(page) ?? lastShape.current ?? firstShape
  return (
    <section
      ref={column}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard, too
      tabIndex={0}
      aria-label={t('Pages')}
      className="h-full overflow-y-auto p-4"
    >
      {Array.from({ length: pages }, (_, i) => i + 1).map((page) => (
        <div key={page} data-page={page} className="mx-auto mb-4 max-w-[52rem] scroll-mt-4">
          {nearbyPages.has(page) ? (
            <Picture
              workspace={workspace}
              document={document}
              page={page}
              boxes={boxes.get(page) ?? []}
              shape={shapeOf(page)}
              onShape={(shape) => {
                shapes.current.set(page, shape)
                lastShape.current = shape
              }}
            />
          ) : (
            <div className="rounded-lg border border-line bg-line" style={{ aspectRatio: shapeOf(page) }} />
          )}
          {pages > 1 && (
            <p className="mt-1 text-center text-xs text-soft">
              {t('Page {page} of {pages}', { page, pages })}
            </p>
          )}
        </div>
      ))}
    </section>
  )
}

/** The pages near the visible part. They change when scrolling stops, so that scrolling through a long document draws few pages. */
function useNearbyPages(column: RefObject<HTMLDivElement | null>, pages: number): ReadonlySet<number> {
  const [nearbyPages, setNearbyPages] = useState<ReadonlySet<number>>(new Set())
  // biome-ignore lint/correctness/useExhaustiveDependencies: other pages are other elements
  useEffect(() => {
    const root = column.current
    if (!root) return
    const visiblePages = new Set<number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const page = Number((target as HTMLElement).dataset.page)
          if (isIntersecting) visiblePages.add(page)
          else visiblePages.delete(page)
        }
        clearTimeout(timer)
        timer = setTimeout(() => setNearbyPages(new Set(visiblePages)), SCROLL_END_MS)
      },
      { root, rootMargin: `${DRAW_MARGIN} 0px` },
    )
    for (const place of root.querySelectorAll('[data-page]')) watch.observe(place)
    return () => {
      clearTimeout(timer)
      watch.disconnect()
    }
  }, [column, pages])
  return nearbyPages
}
