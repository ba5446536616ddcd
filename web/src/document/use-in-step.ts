// Pages and text in step: whichever of the two somebody scrolls, the other follows by page.

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

type Side = 'text' | 'pages'

interface Wanted {
  /** The passage that the address names. */
  target: string | undefined
  page: number | undefined
  /** Of the passages that are there; they come part after part. */
  count: number
}

export interface InStep {
  text: RefObject<HTMLDivElement | null>
  pages: RefObject<HTMLDivElement | null>
  /** The page that is read. */
  shown: number
  onTextScroll: () => void
  onPagesScroll: () => void
  /** Marks the side that is scrolled by hand: only that one leads. */
  driving: (side: Side) => Record<'onWheel' | 'onPointerDown' | 'onTouchStart' | 'onKeyDown', () => void>
  /** To a passage, and to something in it. */
  toChunk: (id: string, inside?: string) => void
  /** Before the text gets another width, and after it: what was read stays where it was. */
  hold: () => void
  restore: () => void
}

// What is read stands this far below the upper edge.
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
  /** Of its height, what stands at `offset` below the upper edge. */
  share: number
  offset: number
}

/** What is marked, where that is in view, or else what is at the reading line. */
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

  /** Brings the page into the column of pictures; what is marked on it, where it stands further down. */
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
      // Once more when what is above it has its real height.
      requestAnimationFrame(aim)
      if (place.dataset.page) {
        const number = Number(place.dataset.page)
        setShown(number)
        showPicture(number)
      }
    },
    [showPicture],
  )

  // To the passage that the address names, once it is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the passages come part after part
  useEffect(() => {
    if (!target || reached.current === target) return
    const place = document.getElementById(`chunk-${target}`)
    if (!place) return
    reached.current = target
    toChunk(target, 'mark')
    place.focus({ preventScroll: true })
  }, [target, count, toChunk])

  // The pictures come later than the text, and with them what is marked on them.
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
    // Once more when what is above it has its real height.
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
