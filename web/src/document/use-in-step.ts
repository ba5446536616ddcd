// Scrolls the images of pages and the text together: when one of them is scrolled, the other goes to the same page.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

type Side = 'text' | 'pages'

interface ScrollTarget {
  /** The passage in the address. */
  target: string | undefined
  page: number | undefined
  /** The number of passages that have loaded so far. */
  count: number
}

interface ScrollSync {
  text: RefObject<HTMLDivElement | null>
  pages: RefObject<HTMLDivElement | null>
  /** The page that is being read. */
  visiblePage: number
  onTextScroll: () => void
  onPagesScroll: () => void
  /** Event handlers for a side. The side that the reader scrolls leads, and the other one follows it. */
  leadOnInput: (side: Side) => Record<'onWheel' | 'onPointerDown' | 'onTouchStart' | 'onKeyDown', () => void>
  /** Scrolls to a passage, or to the first element in it that `selector` selects. */
  toChunk: (id: string, selector?: string) => void
  /** Called before and after the width of the text changes, so that the reading position stays. */
  savePosition: () => void
  restorePosition: () => void
}

// The reader is assumed to read this many pixels below the upper edge of the column.
const READING_LINE = 80

/** The page at the reading line of a column. */
function pageAt(column: HTMLElement | null): number | undefined {
  const top = column?.getBoundingClientRect().top ?? 0
  const pageElements = [...(column?.querySelectorAll<HTMLElement>('[data-page]') ?? [])]
  const reading = pageElements.find((element) => element.getBoundingClientRect().bottom > top + READING_LINE)
  return reading && Number(reading.dataset.page)
}

interface ReadingPosition {
  place: Element
  /** The point at this share of the place's height is `offset` pixels below the upper edge of the column. */
  share: number
  offset: number
}

/** The position of the marked place if it is visible, otherwise of the passage at the reading line. */
function readingPositionIn(column: HTMLElement): ReadingPosition | undefined {
  const { top, bottom } = column.getBoundingClientRect()
  for (const selector of ['mark[aria-current]', '[aria-current] mark', '[aria-current]']) {
    const place = column.querySelector(selector)
    const rect = place?.getBoundingClientRect()
    if (place && rect && rect.top >= top && rect.top < bottom)
      return { place, share: 0, offset: rect.top - top }
  }
  const section = [...column.querySelectorAll('section')].find(
    (one) => one.getBoundingClientRect().bottom > top + READING_LINE,
  )
  if (!section) return undefined
  const rect = section.getBoundingClientRect()
  return { place: section, share: (top + READING_LINE - rect.top) / rect.height, offset: READING_LINE }
}

export function useScrollSync({ target, page, count }: ScrollTarget): ScrollSync {
  const text = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const leadingSide = useRef<Side>('text')
  const reachedTarget = useRef<string>(undefined)
  const [visiblePage, setVisiblePage] = useState(page ?? 1)

  /** Scrolls the column of images to the page, and to the mark on it if that is further down. */
  const scrollPagesTo = useCallback((number: number): void => {
    const column = pages.current
    const pageElement = column?.querySelector<HTMLElement>(`[data-page="${number}"]`)
    if (!column || !pageElement) return
    const mark = pageElement.querySelector<HTMLElement>('[data-mark]')
    const top = pageElement.offsetTop - column.offsetTop
    const below = mark ? mark.offsetTop - column.clientHeight / 2 : 0
    column.scrollTo({ top: top - 16 + Math.max(0, below) })
  }, [])

  const toChunk = useCallback(
    (id: string, selector?: string): void => {
      const section = document.getElementById(`chunk-${id}`)
      if (!section) return
      leadingSide.current = 'text'
      const scrollToPlace = (): void => {
        const exact = selector ? section.querySelector(selector) : null
        ;(exact ?? section).scrollIntoView({ block: exact ? 'center' : 'start' })
      }
      scrollToPlace()
      // Repeated when the content above has its real height.
      requestAnimationFrame(scrollToPlace)
      if (section.dataset.page) {
        const number = Number(section.dataset.page)
        setVisiblePage(number)
        scrollPagesTo(number)
      }
    },
    [scrollPagesTo],
  )

  // Scrolls to the passage in the address once it has loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the passage may be in a part that loads later
  useEffect(() => {
    if (!target || reachedTarget.current === target) return
    const chunkElement = document.getElementById(`chunk-${target}`)
    if (!chunkElement) return
    reachedTarget.current = target
    toChunk(target, 'mark')
    chunkElement.focus({ preventScroll: true })
  }, [target, count, toChunk])

  // The images and their marks load later than the text, so the column is scrolled again.
  const latestVisiblePage = useRef(visiblePage)
  latestVisiblePage.current = visiblePage
  useEffect(() => {
    const column = pages.current
    if (!column) return
    const watch = new ResizeObserver(() => {
      if (leadingSide.current === 'text') scrollPagesTo(latestVisiblePage.current)
    })
    for (const place of column.children) watch.observe(place)
    return () => watch.disconnect()
  })

  const onTextScroll = (): void => {
    const now = leadingSide.current === 'text' ? pageAt(text.current) : undefined
    if (now === undefined || now === visiblePage) return
    setVisiblePage(now)
    scrollPagesTo(now)
  }
  const onPagesScroll = (): void => {
    const now = leadingSide.current === 'pages' ? pageAt(pages.current) : undefined
    if (now === undefined || now === visiblePage) return
    setVisiblePage(now)
    text.current?.querySelector(`[data-page="${now}"]`)?.scrollIntoView({ block: 'start' })
  }
  const savedPosition = useRef<ReadingPosition>(undefined)
  const savePosition = useCallback(() => {
    savedPosition.current = text.current ? readingPositionIn(text.current) : undefined
  }, [])
  const restorePosition = useCallback(() => {
    const position = savedPosition.current
    savedPosition.current = undefined
    const scrollBack = (): void => {
      const column = text.current
      if (!column || !position?.place.isConnected) return
      const rect = position.place.getBoundingClientRect()
      column.scrollTop +=
        rect.top + position.share * rect.height - column.getBoundingClientRect().top - position.offset
    }
    scrollBack()
    // Repeated when the content above has its real height.
    requestAnimationFrame(scrollBack)
  }, [])
  const leadOnInput = (side: Side) => {
    const startLeading = (): void => {
      leadingSide.current = side
    }
    return {
      onWheel: startLeading,
      onPointerDown: startLeading,
      onTouchStart: startLeading,
      onKeyDown: startLeading,
    }
  }
  return {
    text,
    pages,
    visiblePage,
    onTextScroll,
    onPagesScroll,
    leadOnInput,
    toChunk,
    savePosition,
    restorePosition,
  }
}
