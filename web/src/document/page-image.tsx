// The image of a page, with boxes drawn over the cited passages.

import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { t } from '../language/text.tsx'
import { documentDetailsQuery, pageImageQuery, pageShapeQuery } from '../queries.ts'

/** Left, top, right, bottom in points, from the page's upper left. */
export type Box = readonly number[]

const A4 = 1 / Math.SQRT2

interface Props {
  workspace: string
  document: string
  page: number
  boxes?: readonly Box[]
}

/**
 * Shows the part of the page with the citation; the reader can scroll to the rest. Shows nothing if the document has no images
 * of pages, as sheets, slides and texts.
 */
export function PageImage({ workspace, document, page, boxes = [] }: Props) {
  const { data: details } = useQuery(documentDetailsQuery(workspace, document))
  const hasImage = details?.page_images === true && page <= (details.pages ?? page)
  const shape = usePageShape({ workspace, document, page, isEnabled: hasImage })
  const scroller = useRef<HTMLElement>(null)
  const [firstBox] = boxes
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another place is cited
  const scrollToMark = useCallback((): void => {
    const view = scroller.current
    const mark = view?.querySelector<HTMLElement>('[data-mark]')
    if (view) view.scrollTop = mark ? mark.offsetTop - view.clientHeight / 3 : 0
  }, [firstBox])
  useEffect(scrollToMark, [scrollToMark])
  if (!hasImage) return null
  return (
    <section
      ref={scroller}
      aria-label={t('Page {page}', { page })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard, too
      tabIndex={0}
      className="max-h-[45vh] overflow-y-auto rounded-lg"
    >
      <Picture
        workspace={workspace}
        document={document}
        page={page}
        boxes={boxes}
        shape={shape}
        onShape={() => requestAnimationFrame(scrollToMark)}
      />
    </section>
  )
}

/** Width divided by height of a page. That of A4 until it has arrived. */
export function usePageShape({
  workspace,
  document,
  page,
  isEnabled = true,
}: Props & { isEnabled?: boolean }): number {
  const { data } = useQuery({ ...pageShapeQuery(workspace, document, page), enabled: isEnabled })
  return data ?? A4
}

interface PictureProps extends Props {
  /** Width divided by height, used until the image has loaded. */
  shape: number
  onShape: (shape: number) => void
}

/** For a page that has an image. */
export function Picture({ workspace, document, page, boxes = [], shape, onShape }: PictureProps) {
  const { data: picture, error } = useQuery(pageImageQuery(workspace, document, page))
  const pageSize = picture?.points
  return (
    <figure className="relative overflow-hidden rounded-lg border border-line">
      {picture && (
        <img
          src={picture.url}
          alt={t('Page {page}', { page })}
          className="block w-full bg-white [filter:brightness(var(--page-brightness))]"
          style={pageSize && { aspectRatio: pageSize.width / pageSize.height }}
          onLoad={({ currentTarget: image }) => onShape(image.naturalWidth / image.naturalHeight)}
        />
      )}
      {!picture && !error && (
        <div
          role="status"
          aria-label={t('Page {page} is being drawn', { page })}
          className="animate-pulse bg-line"
          style={{ aspectRatio: shape }}
        />
      )}
      {error && (
        <div
          className="flex items-center justify-center p-8 text-center text-sm text-soft"
          style={{ aspectRatio: shape }}
        >
          {t('Page {page} cannot be drawn. You can read its text beside it.', { page })}
        </div>
      )}
      {pageSize && boxes.map((box) => <Mark key={box.join()} box={box} points={pageSize} />)}
    </figure>
  )
}

interface MarkProps {
  box: Box
  points: { width: number; height: number }
}

/**
 * Positions are shares of the page, so that the mark fits whatever the size of the image. A line without descenders ends at its
 * baseline, so some room is added below.
 */
function Mark({ box: [x = 0, y = 0, right = 0, bottom = 0], points }: MarkProps) {
  const percent = (share: number): string => `${share * 100}%`
  return (
    <div
      aria-hidden
      data-mark=""
      className="absolute rounded-sm bg-[#f5c518]/30 ring-1 ring-[#b98500]/60"
      style={{
        left: percent((x - 2) / points.width),
        top: percent((y - 2) / points.height),
        width: percent((right - x + 4) / points.width),
        height: percent((bottom - y + 5.5) / points.height),
      }}
    />
  )
}
