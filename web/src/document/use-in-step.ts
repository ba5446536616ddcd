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

export function useInStep({ target, page, count }: Wanted): InStep {
  const text = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const leads = useRef<Side>('text')
  const reached = useRef<string>(undefined)
  const [shown, setShown] = useState(page ?? 1)

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
  const lastShown = useRef(shown)
  lastShown.current = shown
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
    if (now === undefined || now === shown) return
    setShown(now)
    showPicture(now)
  }
  const onPagesScroll = (): void => {
    const now = leads.current === 'pages' ? pageAt(pages.current) : undefined
    if (now === undefined || now === shown) return
    setShown(now)
    text.current?.querySelector(`[data-page="${now}"]`)?.scrollIntoView({ block: 'start' })
  }
  const driving = (side: Side) => {
    const lead = (): void => {
      leads.current = side
    }
    return { onWheel: lead, onPointerDown: lead, onTouchStart: lead, onKeyDown: lead }
  }
  return { text, pages, shown, onTextScroll, onPagesScroll, driving, toChunk }
}
