// Keeps pages and text in step: when one of them is scrolled, the other follows by page.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

type Side = 'text' | 'pages'

interface Wanted {
  /** The passage in the address. */
  target: string | undefined
  page: number | undefined
  /** The number of loaded passages, which arrive part by part. */
  count: number
}

export interface InStep {
  text: RefObject<HTMLDivElement | null>
  pages: RefObject<HTMLDivElement | null>
  /** The page that is being read. */
  shown: number
  onTextScroll: () => void
  onPagesScroll: () => void
  /** Marks the side that is scrolled by hand, because only that one leads. */
  driving: (side: Side) => Record<'onWheel' | 'onPointerDown' | 'onTouchStart' | 'onKeyDown', () => void>
  /** Scrolls to a passage, and to something in it. */
  toChunk: (id: string, inside?: string) => void
  /** Called before and after the width of the text changes, so that the reading position stays. */
  hold: () => void
  restore: () => void
}

// The reading line is this far below the upper edge.
const READING_LINE = 80

/** The page at the reading line of a column. */
function pageAt(column: HTMLElement | null): number | undefined {
  const top = column?.getBoundingClientRect().top ?? 0
  const places = [...(column?.querySelectorAll<HTMLElement>('[data-page]') ?? [])]
  const reading = places.find((place) => place.getBoundingClientRect().bottom > top + READING_LINE)
  return reading && Number(reading.dataset.page)
}

interface Held {
  place: Element
  /** `share` of its height is `offset` below the upper edge. */
  share: number
  offset: number
}

/** The marked place if it is visible, otherwise what is at the reading line. */
function heldIn(column: HTMLElement): Held | undefined {
  const { top, bottom } = column.getBoundingClientRect()
  for (const marked of ['mark[aria-current]', '[aria-current] mark', '[aria-current]']) {
    const place = column.querySelector(marked)
    const at = place?.getBoundingClientRect()
    if (place && at && at.top >= top && at.top < bottom) return { place, share: 0, offset: at.top - top }
  }
  const place = [...column.querySelectorAll('section')].find(
    (one) => one.getBoundingClientRect().bottom > top + READING_LINE,
  )
  if (!place) return undefined
  const at = place.getBoundingClientRect()
  return { place, share: (top + READING_LINE - at.top) / at.height, offset: READING_LINE }
}

export function useInStep({ target, page, count }: Wanted): InStep {
  const text = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const leads = useRef<Side>('text')
  const reached = useRef<string>(undefined)
  const [visiblePage, setShown] = useState(page ?? 1)

  /** Scrolls the column of images to the page, and to the mark on it if that is further down. */
  const showPicture = useCallback((number: number): void => {
    const column = pages.current
    const place = column?.querySelector<HTMLElement>(`[data-page="${number}"]`)
    if (!column || !place) return
    const mark = place.querySelector<HTMLElement>('[data-mark]')
    const top = place.offsetTop - column.offsetTop
    const below = mark ? mark.offsetTop - column.clientHeight / 2 : 0
    column.scrollTo({ top: top - 16 + Math.max(0, below) })
  }, [])

  const toChunk = useCallback(
    (id: string, inside?: string): void => {
      const place = document.getElementById(`chunk-${id}`)
      if (!place) return
      leads.current = 'text'
      const aim = (): void => {
        const exact = inside ? place.querySelector(inside) : null
        ;(exact ?? place).scrollIntoView({ block: exact ? 'center' : 'start' })
      }
      aim()
      // Repeated when the content above has its real height.
      requestAnimationFrame(aim)
      if (place.dataset.page) {
        const number = Number(place.dataset.page)
        setShown(number)
        showPicture(number)
      }
    },
    [showPicture],
  )

  // Scrolls to the passage in the address once it has loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the passages come part after part
  useEffect(() => {
    if (!target || reached.current === target) return
    const place = document.getElementById(`chunk-${target}`)
    if (!place) return
    reached.current = target
    toChunk(target, 'mark')
    place.focus({ preventScroll: true })
  }, [target, count, toChunk])

  // The images load later than the text, and their marks with them.
  const lastShown = useRef(visiblePage)
  lastShown.current = visiblePage
  useEffect(() => {
    const column = pages.current
    if (!column) return
    const watch = new ResizeObserver(() => {
      if (leads.current === 'text') showPicture(lastShown.current)
    })
    for (const place of column.children) watch.observe(place)
    return () => watch.disconnect()
  })

  const onTextScroll = (): void => {
    const now = leads.current === 'text' ? pageAt(text.current) : undefined
    if (now === undefined || now === visiblePage) return
    setShown(now)
    showPicture(now)
  }
  const onPagesScroll = (): void => {
    const now = leads.current === 'pages' ? pageAt(pages.current) : undefined
    if (now === undefined || now === visiblePage) return
    setShown(now)
    text.current?.querySelector(`[data-page="${now}"]`)?.scrollIntoView({ block: 'start' })
  }
  const anchor = useRef<Held>(undefined)
  const hold = useCallback(() => {
    anchor.current = text.current ? heldIn(text.current) : undefined
  }, [])
  const restore = useCallback(() => {
    const was = anchor.current
    anchor.current = undefined
    const put = (): void => {
      const column = text.current
      if (!column || !was?.place.isConnected) return
      const at = was.place.getBoundingClientRect()
      column.scrollTop += at.top + was.share * at.height - column.getBoundingClientRect().top - was.offset
    }
    put()
    // Repeated when the content above has its real height.
    requestAnimationFrame(put)
  }, [])
  const driving = (side: Side) => {
    const lead = (): void => {
      leads.current = side
    }
    return { onWheel: lead, onPointerDown: lead, onTouchStart: lead, onKeyDown: lead }
  }
  return { text, pages, shown: visiblePage, onTextScroll, onPagesScroll, driving, toChunk, hold, restore }
}
